"""Store of a host: accounts, games, terminals, limits, and orders of its operator."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from engine.core.record import Record
from host.server.accounts import Invites
from host.server.cleaning import clean
from host.server.database import expendable
from host.server.gamebook import Gamebook
from host.server.rate_limits import BadLimit, HostLimits

OrderKind: TypeAlias = Literal["kick", "rename", "rights", "limits", "close", "stop"]
"""Kinds of orders: end a person's sessions, show a person's new name, reload a person's rights,
reload the limits, remove a game, stop the host."""

MOST_IN_TERM: Final = 64
"""Maximum characters of a terminal's name."""

_MOST_TERMINALS: Final = 16
"""Maximum number of terminals stored per key; their names come from outside."""


class OperatorOrder(Record, frozen=True):
    """Order of the operator to the running host."""

    kind: OrderKind
    number: int
    """Number of the person or the game."""
    made: float
    """Seconds since 1970, so that a host can skip orders meant for an earlier one."""


class TerminalAnswers(Record, frozen=True):
    """Capabilities of a terminal, as it answered queries about them."""

    depth: str
    glyphs: str


class Store(Invites, Gamebook):
    """Everything in one file. Any thread may call methods; they return once changes are written.

    Each of them raises ``StoreFault`` if the file cannot be read or written; then nothing has
    changed. Only notes that nothing depends on (last seen, terminals, places) are skipped and
    logged.
    """

    def remember_terminal(self, fingerprint: str, term: str, depth: str, glyphs: str) -> None:
        """Store the capabilities of a terminal used with a key; do nothing on a full disk."""
        with expendable(), self._change() as db:
            name = clean(term, MOST_IN_TERM)
            db.execute(
                "DELETE FROM terminals WHERE fingerprint = ? AND term = ?", (fingerprint, name)
            )
            db.execute(
                "INSERT INTO terminals (fingerprint, term, depth, glyphs) VALUES (?, ?, ?, ?)",
                (fingerprint, name, depth, glyphs),
            )
            db.execute(
                "DELETE FROM terminals WHERE fingerprint = ?1 AND rowid NOT IN (SELECT rowid FROM"
                " terminals WHERE fingerprint = ?1 ORDER BY rowid DESC LIMIT ?2)",
                (fingerprint, _MOST_TERMINALS),
            )

    def terminal(self, fingerprint: str, term: str) -> TerminalAnswers | None:
        """Return the capabilities of a terminal; None if they are unknown."""
        rows = self._rows(
            "SELECT depth, glyphs FROM terminals WHERE fingerprint = ? AND term = ?",
            fingerprint,
            clean(term, MOST_IN_TERM),
        )
        return TerminalAnswers(*rows[0]) if rows else None

    def order(self, kind: OrderKind, number: int = 0) -> None:
        """Store an order for the running host."""
        with self._change() as db:
            db.execute(
                "INSERT INTO orders (kind, number, made) VALUES (?, ?, ?)",
                (kind, number, self._clock()),
            )

    def take_orders(self) -> tuple[OperatorOrder, ...]:
        """Remove and return the orders, earliest first."""
        if not self._rows("SELECT 1 FROM orders LIMIT 1"):
            return ()  # asked every second or so: no need to write for it
        with self._change() as db:
            rows = db.execute("SELECT kind, number, made FROM orders ORDER BY place").fetchall()
            db.execute("DELETE FROM orders")
        return tuple(OperatorOrder(*row) for row in rows)

    def limits(self) -> HostLimits:
        """Return the limits in force: those set by the operator, and defaults for the others."""
        limits = HostLimits()
        for name, value in self._rows("SELECT name, value FROM limits"):
            try:
                limits = limits.changed(name, value)
            except BadLimit:  # of another version of the program
                continue
        return limits

    def set_limits(self, name: str, value: str) -> HostLimits:
        """Set a limit; an empty ``value`` restores its default. Return all limits after that.

        Raises:
            BadLimit: the name is unknown, or the value is invalid.
        """
        wanted = value or HostLimits().texts().get(name, "")
        self.limits().changed(name, wanted)
        with self._change() as db:
            db.execute("DELETE FROM limits WHERE name = ?", (name,))
            if value:
                db.execute("INSERT INTO limits (name, value) VALUES (?, ?)", (name, value))
        return self.limits()
