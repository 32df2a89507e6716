"""The tables of a host's accounts, and how older ones become these.

Times are seconds since 1970. Numbers of people and games are never given twice.
"""

from __future__ import annotations

from typing import Final

APPLICATION: Final = 0x426E7274
"""Marks the file as ours ("Bnrt"), so that no other program's is taken for it."""

_FIRST: Final = (
    # folded: what names that look alike have in common. ban: why; null for who may come.
    """CREATE TABLE people (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL,
        folded TEXT NOT NULL UNIQUE,
        is_admin INTEGER NOT NULL DEFAULT 0,
        ban TEXT,
        made REAL NOT NULL,
        seen REAL NOT NULL DEFAULT 0
    )""",
    """CREATE TABLE keys (
        fingerprint TEXT PRIMARY KEY,
        algorithm TEXT NOT NULL,
        comment TEXT NOT NULL,
        person INTEGER NOT NULL REFERENCES people (number) ON DELETE CASCADE,
        added REAL NOT NULL,
        used REAL NOT NULL DEFAULT 0
    )""",
    "CREATE INDEX keys_of_person ON keys (person)",
    # Only a hash of the code, so that who reads the file cannot come in with it.
    """CREATE TABLE invites (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        hash BLOB NOT NULL UNIQUE,
        by INTEGER NOT NULL,
        made REAL NOT NULL,
        expires REAL NOT NULL,
        uses_left INTEGER NOT NULL DEFAULT 1 CHECK (uses_left >= 0),
        is_admin INTEGER NOT NULL DEFAULT 0,
        person INTEGER REFERENCES people (number) ON DELETE CASCADE
    )""",
    """CREATE TABLE terminals (
        fingerprint TEXT NOT NULL,
        term TEXT NOT NULL,
        depth TEXT NOT NULL,
        glyphs TEXT NOT NULL,
        PRIMARY KEY (fingerprint, term)
    )""",
    # owner 0: whoever began it has no account. terms: JSON.
    """CREATE TABLE games (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        save TEXT NOT NULL UNIQUE,
        owner INTEGER NOT NULL,
        terms BLOB NOT NULL,
        made REAL NOT NULL,
        is_finished INTEGER NOT NULL DEFAULT 0
    )""",
    """CREATE TABLE chairs (
        game INTEGER NOT NULL REFERENCES games (number) ON DELETE CASCADE,
        seat INTEGER NOT NULL,
        person INTEGER NOT NULL REFERENCES people (number) ON DELETE CASCADE,
        PRIMARY KEY (game, seat)
    )""",
    # seat: -2 for who watches. The row written last is where its person was last.
    """CREATE TABLE places (
        place INTEGER PRIMARY KEY,
        person INTEGER NOT NULL REFERENCES people (number) ON DELETE CASCADE,
        game INTEGER NOT NULL REFERENCES games (number) ON DELETE CASCADE,
        seat INTEGER NOT NULL,
        x INTEGER NOT NULL,
        y INTEGER NOT NULL,
        UNIQUE (person, game)
    )""",
    """CREATE TABLE orders (
        place INTEGER PRIMARY KEY AUTOINCREMENT,
        kind TEXT NOT NULL,
        number INTEGER NOT NULL,
        made REAL NOT NULL
    )""",
    "CREATE TABLE limits (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
)

UPGRADES: tuple[tuple[str, ...], ...] = (_FIRST,)
"""Statements that lift the tables from version n to n + 1; the last one's number is today's."""
