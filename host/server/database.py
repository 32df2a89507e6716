"""Database of a host: the SQLite file, its tables, and transactions on them.

Times are seconds since 1970. Numbers of people and games are never reused.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Self

from platformdirs import user_data_path

# -- tables ----------------------------------------------------------------------------------------


STORE: Final = "host.sqlite3"
"""File in a host's folder that holds its store; it exists once a host has used the folder."""

APPLICATION: Final = 0x426E7274
"""Application id of the file ("Bnrt"), which identifies it among SQLite files."""

_FIRST: Final = (
    # folded: common form of names that look alike. ban: the reason; null without a ban.
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
    # Only a hash of the code, so that a reader of the file cannot log in with it.
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
    # owner 0: its founder has no account. terms: JSON.
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
    # seat: -2 for spectators. The latest row of a person is where that person was last.
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
"""Statements by version n that upgrade the tables from n to n + 1."""


# -- file ------------------------------------------------------------------------------------------


PATIENCE = 5.0
"""Seconds to wait for another process that is writing."""


class StoreFault(Exception):
    """The file cannot be read or written; the text is one line for the operator."""


@contextmanager
def expendable() -> Iterator[None]:
    """Let a ``with`` block write something that nothing depends on: log and ignore a failure."""
    try:
        yield
    except StoreFault as fault:
        logging.getLogger(__name__).warning("%s", fault)


class Missing(LookupError):
    """No row has that number or name; the text is one line for people."""


class Database:
    """One connection behind a lock, so that any thread may use it, one transaction at a time.

    Other processes may use the same file at the same time: the operator's commands do while the
    server runs. Changes are on the disk when a method returns.
    """

    def __init__(self, path: Path, db: sqlite3.Connection, clock: Callable[[], float]) -> None:
        """Wrap a connection; ``open`` makes one."""
        self.path = path
        self._db = db
        self._clock = clock
        self._lock = threading.RLock()

    @classmethod
    def open(cls, path: Path, *, clock: Callable[[], float] = time.time) -> Self:
        """Open the file, create it if it is missing, and upgrade it to this version.

        Args:
            path: path of the file; it is made private to its owner, as is a new folder.
            clock: returns seconds since 1970.

        Raises:
            StoreFault: it is damaged, of a later version, of another program, or out of reach.
        """
        db: sqlite3.Connection | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            # The files that SQLite puts beside it get the same permissions.
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
            path.chmod(0o600)
            db = sqlite3.connect(
                path, timeout=PATIENCE, isolation_level=None, check_same_thread=False
            )
            _prepare(db)
        except (OSError, sqlite3.Error, _Strange) as wrong:
            if db is not None:
                db.close()
            raise StoreFault(f"{path}: {_told(wrong)}") from wrong
        return cls(path, db, clock)

    def close(self) -> None:
        """Close the file. Nothing is lost if this is omitted."""
        with self._lock:
            self._db.close()

    @contextmanager
    def _change(self) -> Iterator[sqlite3.Connection]:
        """Run a transaction: all of its changes apply, or none if anything is raised."""
        with self._faults():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def _rows(self, question: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a query, all from the same moment."""
        with self._faults():
            return self._db.execute(question, values).fetchall()

    @contextmanager
    def _faults(self) -> Iterator[None]:
        with self._lock:
            try:
                yield
            except sqlite3.Error as wrong:
                raise StoreFault(f"{self.path}: {_told(wrong)}") from wrong


class _Strange(Exception):
    """The file is readable for SQLite, but not usable by this program."""


def _prepare(db: sqlite3.Connection) -> None:
    db.execute("PRAGMA foreign_keys = ON")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("BEGIN")  # both as they are at one moment: another process may be making the tables
    (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    (application,) = db.execute("PRAGMA application_id").fetchone()
    db.execute("COMMIT")
    if application != APPLICATION and tables:
        raise _Strange("it belongs to another program")
    db.execute("PRAGMA journal_mode = WAL")
    (sound,) = db.execute("PRAGMA quick_check(1)").fetchone()
    if sound != "ok":
        raise _Strange("it is damaged; put back a copy of it, or take it away to begin anew")
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version > len(UPGRADES):
        raise _Strange("it was written by a later version of the program")
    if version < len(UPGRADES):
        _upgrade(db)


def _upgrade(db: sqlite3.Connection) -> None:
    """Upgrade the tables, in one transaction with the number of the version."""
    db.execute("BEGIN IMMEDIATE")
    try:
        (version,) = db.execute("PRAGMA user_version").fetchone()
        for step in UPGRADES[version:]:
            for statement in step:
                db.execute(statement)
        db.execute(f"PRAGMA application_id = {APPLICATION}")
        db.execute(f"PRAGMA user_version = {len(UPGRADES)}")
        db.execute("COMMIT")
    except BaseException:
        db.execute("ROLLBACK")
        raise


def _told(wrong: Exception) -> str:
    """Return the text of a fault in one line."""
    text = str(wrong)
    if isinstance(wrong, sqlite3.OperationalError) and "locked" in text:
        return "another process is using it"
    if isinstance(wrong, sqlite3.DatabaseError) and "malformed" in text:
        return "it is damaged; put back a copy of it, or take it away to begin anew"
    if isinstance(wrong, sqlite3.DatabaseError) and "not a database" in text:
        return "it is damaged or no file of accounts at all"
    if isinstance(wrong, OSError):
        return wrong.strerror or text
    return " ".join(text.split())


def folder_of(wanted: str | None) -> Path:
    """Return the wanted folder of a host, or the default one of this user."""
    return Path(wanted) if wanted else user_data_path("banneret", appauthor=False) / "host"
