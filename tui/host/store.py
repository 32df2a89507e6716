"""Store of a host: accounts, games, terminals, limits, and orders of its operator."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from engine.core.record import Record
from tui.host.accounts import Invites
from tui.host.cleaning import clean
from tui.host.database import expendable
from tui.host.gamebook import Gamebook
from tui.host.rate_limits import BadLimit, HostLimits

OrderKind: TypeAlias = Literal["kick", "rename", "limits", "close", "stop"]
"""Kinds of orders: end a person's sessions, show a person's new name, reload the limits, remove a
game, stop the host."""

MOST_IN_TERM: Final = 64
"""Most characters of a terminal's name."""

_MOST_TERMINALS: Final = 16
"""Most terminals that are kept of one key; their names come from outside."""


class OperatorOrder(Record, frozen=True):
    """Order of the operator to the running host."""

    kind: OrderKind
    number: int
    """Number of the person or the game."""
    made: float
    """Seconds since 1970, so that a host can skip orders meant for another before it."""


class TerminalAnswers(Record, frozen=True):
    """Capabilities of a terminal that were found out by asking it."""

    depth: str
    glyphs: str


class Store(Invites, Gamebook):
    """Everything in one file. Methods may be called from any thread and return when it is written.

    Each of them raises ``StoreFault`` if the file cannot be read or written; nothing has changed
    then. Only notes that nothing depends on (last seen, terminals, places) are skipped and logged.
    """

    def remember_terminal(self, fingerprint: str, term: str, depth: str, glyphs: str) -> None:
        """Store the capabilities of a terminal that is used with a key; skipped on a full disk."""
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
        """Capabilities of a terminal; None if they are not known."""
        rows = self._rows(
            "SELECT depth, glyphs FROM terminals WHERE fingerprint = ? AND term = ?",
            fingerprint,
            clean(term, MOST_IN_TERM),
        )
        return TerminalAnswers(*rows[0]) if rows else None

    def order(self, kind: OrderKind, number: int = 0) -> None:
        """Give an order to the running host."""
        with self._change() as db:
            db.execute(
                "INSERT INTO orders (kind, number, made) VALUES (?, ?, ?)",
                (kind, number, self._clock()),
            )

    def take_orders(self) -> tuple[OperatorOrder, ...]:
        """Orders, earliest first; they are removed."""
        if not self._rows("SELECT 1 FROM orders LIMIT 1"):
            return ()  # asked every second or so: no need to write for it
        with self._change() as db:
            rows = db.execute("SELECT kind, number, made FROM orders ORDER BY place").fetchall()
            db.execute("DELETE FROM orders")
        return tuple(OperatorOrder(*row) for row in rows)

    def limits(self) -> HostLimits:
        """Limits in force: those that the operator has set, else the defaults."""
        limits = HostLimits()
        for name, value in self._rows("SELECT name, value FROM limits"):
            try:
                limits = limits.changed(name, value)
            except BadLimit:  # of another version of the program
                continue
        return limits

    def set_limits(self, name: str, value: str) -> HostLimits:
        """Set a limit, or with an empty value its default; returns all limits as they are then.

        Raises:
            BadLimit: there is no such limit, or it cannot be that.
        """
        wanted = value or HostLimits().texts().get(name, "")
        self.limits().changed(name, wanted)
        with self._change() as db:
            db.execute("DELETE FROM limits WHERE name = ?", (name,))
            if value:
                db.execute("INSERT INTO limits (name, value) VALUES (?, ?)", (name, value))
        return self.limits()
