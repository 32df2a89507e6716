"""People and their keys."""

from __future__ import annotations

from typing import Any, Final

from tui.host.cleaning import MOST_IN_NAME, clean, clean_name, folded
from tui.host.database import Database, Missing
from tui.host.people import Account, KeyInfo, KeyRow, Person

MOST_IN_REASON: Final = 120
"""Characters of why somebody is kept out."""

_PERSON: Final = "SELECT number, name, is_admin FROM people "


class Accounts(Database):
    """Who may come. People are given by their numbers."""

    def person_of(self, fingerprint: str) -> Person | None:
        """Who has a key; None if nobody has, or who has it is banned (``ban_of`` tells)."""
        rows = self._rows(
            "SELECT number, name, is_admin FROM people JOIN keys ON person = number"
            " WHERE fingerprint = ? AND ban IS NULL",
            fingerprint,
        )
        return _person(rows[0]) if rows else None

    def ban_of(self, fingerprint: str) -> str:
        """Why who has a key may not come; empty if the person may, or nobody has it."""
        rows = self._rows(
            "SELECT ban FROM people JOIN keys ON person = number"
            " WHERE fingerprint = ? AND ban IS NOT NULL",
            fingerprint,
        )
        return str(rows[0][0]) if rows else ""

    def person(self, number: int) -> Person | None:
        """Somebody by number; None if there is nobody."""
        rows = self._rows(_PERSON + "WHERE number = ?", number)
        return _person(rows[0]) if rows else None

    def called(self, name: str) -> Person | None:
        """Somebody by name, as it is written or nearly so; None if there is nobody."""
        rows = self._rows(_PERSON + "WHERE folded = ?", folded(clean(name, 2 * MOST_IN_NAME)))
        return _person(rows[0]) if rows else None

    def people(self) -> tuple[Account, ...]:
        """Everybody with an account, and their keys; by number."""
        with self._lock:
            keys: dict[int, list[KeyRow]] = {}
            for key in self.keyring():
                keys.setdefault(key.person, []).append(key)
            rows = self._rows(
                "SELECT number, name, is_admin, ban, made, seen FROM people ORDER BY number"
            )
        return tuple(
            Account(
                person=_person(row[:3]),
                ban=row[3] or "",
                made=row[4],
                seen=row[5],
                keys=tuple(keys.get(row[0], ())),
            )
            for row in rows
        )

    def keyring(self) -> tuple[KeyRow, ...]:
        """All keys, in the order in which they were added."""
        rows = self._rows(
            "SELECT fingerprint, algorithm, comment, person, added, used FROM keys"
            " ORDER BY added, fingerprint"
        )
        return tuple(KeyRow(KeyInfo(*row[:3]), *row[3:]) for row in rows)

    def seen(self, person: int, fingerprint: str = "") -> None:
        """Note that somebody is here now, and with which key."""
        with self._change() as db:
            now = self._clock()
            db.execute("UPDATE people SET seen = ? WHERE number = ?", (now, person))
            db.execute(
                "UPDATE keys SET used = ? WHERE fingerprint = ? AND person = ?",
                (now, fingerprint, person),
            )

    def rename(self, number: int, name: str) -> Person:
        """Give somebody another name.

        Raises:
            BadName: it cannot be had.
            Missing: there is nobody of that number.
        """
        with self._change() as db:
            others = db.execute("SELECT name FROM people WHERE number != ?", (number,))
            new = clean_name(name, [other for (other,) in others])
            db.execute(
                "UPDATE people SET name = ?, folded = ? WHERE number = ?",
                (new, folded(new), number),
            )
            return self._known(number)

    def ban(self, number: int, reason: str) -> None:
        """Keep somebody out from now on; who is here is sent away by an order ``kick``.

        Raises:
            Missing: there is nobody of that number.
        """
        self._set_person(number, "ban", clean(reason, MOST_IN_REASON) or "no reason given")

    def unban(self, number: int) -> None:
        """Let somebody in again.

        Raises:
            Missing: there is nobody of that number.
        """
        self._set_person(number, "ban", None)

    def set_admin(self, number: int, *, is_admin: bool = True) -> None:
        """Make somebody an administrator, or no longer one.

        Raises:
            Missing: there is nobody of that number.
        """
        self._set_person(number, "is_admin", int(is_admin))

    def remove_key(self, fingerprint: str) -> None:
        """Forget a key, so that nobody comes in with it without another code.

        Raises:
            Missing: there is no such key.
        """
        with self._change() as db:
            db.execute("DELETE FROM terminals WHERE fingerprint = ?", (fingerprint,))
            gone = db.execute("DELETE FROM keys WHERE fingerprint = ?", (fingerprint,))
            if not gone.rowcount:
                raise Missing("There is no such key.")

    def has_admin(self) -> bool:
        """Whether there is an administrator who can come in."""
        return bool(
            self._rows(
                "SELECT 1 FROM people JOIN keys ON person = number"
                " WHERE is_admin AND ban IS NULL LIMIT 1"
            )
        )

    def _known(self, number: int) -> Person:
        person = self.person(number)
        if person is None:
            raise Missing("There is nobody of that number.")
        return person

    def _set_person(self, number: int, column: str, value: Any) -> None:
        with self._change() as db:
            # The column is one of two names above, never a text from outside.
            changed = db.execute(
                f"UPDATE people SET {column} = ? WHERE number = ?",  # noqa: S608
                (value, number),
            )
            if not changed.rowcount:
                raise Missing("There is nobody of that number.")


def _person(row: tuple[Any, ...]) -> Person:
    return Person(number=row[0], name=row[1], is_admin=bool(row[2]))
