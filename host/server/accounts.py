"""Accounts of a host: people, their keys, and the invitation codes for new ones."""

from __future__ import annotations

import hashlib
import secrets
import sqlite3
from typing import Any, Final

from engine.core.record import Record
from host.server.cleaning import MOST_IN_NAME, clean, clean_name, folded
from host.server.database import Database, Missing, expendable
from host.server.people import GUEST, Account, Enrolment, InviteRow, KeyInfo, KeyRow, Person

MOST_IN_REASON: Final = 120
"""Maximum characters of the reason for a ban."""

_PERSON: Final = "SELECT number, name, is_admin FROM people "


class Accounts(Database):
    """Accounts of people, and their keys. People are identified by number."""

    def person_of(self, fingerprint: str) -> Person | None:
        """Return the person who owns a key. None if the key is unknown or its owner is banned."""
        rows = self._rows(
            "SELECT number, name, is_admin FROM people JOIN keys ON person = number"
            " WHERE fingerprint = ? AND ban IS NULL",
            fingerprint,
        )
        return _person(rows[0]) if rows else None

    def ban_of(self, fingerprint: str) -> str:
        """Return the reason why the owner of a key is banned, or an empty text."""
        rows = self._rows(
            "SELECT ban FROM people JOIN keys ON person = number"
            " WHERE fingerprint = ? AND ban IS NOT NULL",
            fingerprint,
        )
        return str(rows[0][0]) if rows else ""

    def person(self, number: int) -> Person | None:
        """Return a person by number, or None."""
        rows = self._rows(_PERSON + "WHERE number = ?", number)
        return _person(rows[0]) if rows else None

    def called(self, name: str) -> Person | None:
        """Return the person with a name or None, ignoring small differences in spelling."""
        rows = self._rows(_PERSON + "WHERE folded = ?", folded(clean(name, 2 * MOST_IN_NAME)))
        return _person(rows[0]) if rows else None

    def people(self) -> tuple[Account, ...]:
        """Return all accounts with their keys, by number."""
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
        """Return all keys, in the order in which they were added."""
        rows = self._rows(
            "SELECT fingerprint, algorithm, comment, person, added, used FROM keys"
            " ORDER BY added, fingerprint"
        )
        return tuple(KeyRow(KeyInfo(*row[:3]), *row[3:]) for row in rows)

    def seen(self, person: int, fingerprint: str = "") -> None:
        """Store that a person has come, with the key ``fingerprint``, or has gone (no fingerprint).

        A full disk locks no person out: a time that cannot be written is skipped and logged.
        """
        with expendable(), self._change() as db:
            now = self._clock()
            db.execute("UPDATE people SET seen = ? WHERE number = ?", (now, person))
            db.execute(
                "UPDATE keys SET used = ? WHERE fingerprint = ? AND person = ?",
                (now, fingerprint, person),
            )

    def rename(self, number: int, name: str) -> Person:
        """Rename a person.

        Raises:
            BadName: the name is invalid or taken.
            Missing: no person has that number.
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
        """Ban a person from now on; open sessions end with the order ``kick``.

        Raises:
            Missing: no person has that number.
        """
        self._set_person(number, "ban", clean(reason, MOST_IN_REASON) or "no reason given")

    def unban(self, number: int) -> None:
        """Lift the ban of a person, if there is one.

        Raises:
            Missing: no person has that number.
        """
        self._set_person(number, "ban", None)

    def set_admin(self, number: int, *, is_admin: bool = True) -> None:
        """Make a person an administrator, or an ordinary person again.

        Raises:
            Missing: no person has that number.
        """
        self._set_person(number, "is_admin", int(is_admin))

    def remove_key(self, fingerprint: str) -> None:
        """Remove a key; to log in with it again, its owner needs another code.

        Raises:
            Missing: the key is unknown.
        """
        with self._change() as db:
            db.execute("DELETE FROM terminals WHERE fingerprint = ?", (fingerprint,))
            gone = db.execute("DELETE FROM keys WHERE fingerprint = ?", (fingerprint,))
            if not gone.rowcount:
                raise Missing("There is no such key.")

    def has_admin(self) -> bool:
        """Return whether any administrator has a key and is not banned."""
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


# -- invitations -----------------------------------------------------------------------------------


MOST_HOURS: Final = 24 * 365
"""Maximum hours for which a code is valid."""

_ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Alphabet of codes: 32 characters that cannot be confused, five bits each."""

_MISTAKEN: Final = str.maketrans("OIL", "011")
_SIGNS: Final = 20
"""Characters of a code: 100 bits, so that a fast hash of it is as good as a slow one."""

_GROUP: Final = 4
_HOUR: Final = 3600

_MOST_IN_COMMENT: Final = 60
_MOST_IN_KEY: Final = 80


class Invited(Record, frozen=True):
    """Content of an invitation."""

    person: Person | None
    """Person whose account gets another key; None for a new account, which needs a name."""
    is_admin: bool
    expires: float
    """Seconds since 1970."""


class Invites(Accounts):
    """Accounts with invitations."""

    def invite(
        self, by: int, hours: float = 48, *, admin: bool = False, person: int | None = None
    ) -> str:
        """Make a code that admits one key, once.

        The code itself is not stored, so it can only be read now.

        Args:
            by: number of the person who invites; ``GUEST`` for the operator of the machine.
            hours: time until it expires.
            admin: True if it makes an administrator.
            person: number of the account that gets a key; None for a new account.

        Raises:
            ValueError: ``hours`` is not positive, or above the maximum.
            Missing: no person has that number.
        """
        if not 0 < hours <= MOST_HOURS:
            raise ValueError(f"An invitation is good for at most {MOST_HOURS} hours.")
        signs = "".join(secrets.choice(_ALPHABET) for _ in range(_SIGNS))
        with self._change() as db:
            now = self._clock()
            if person is not None:
                self._known(person)
            db.execute("DELETE FROM invites WHERE expires <= ? OR uses_left = 0", (now,))
            db.execute(
                "INSERT INTO invites (hash, by, made, expires, is_admin, person)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (_hash(signs), by, now, now + hours * _HOUR, int(admin), person),
            )
        return "-".join(signs[at : at + _GROUP] for at in range(0, _SIGNS, _GROUP))

    def first_invite(self) -> str:
        """Make a code for the first administrator; empty if one can already log in.

        Earlier unused codes of this kind become invalid.
        """
        if self.has_admin():
            return ""
        with self._change() as db:
            db.execute("DELETE FROM invites WHERE by = ? AND is_admin AND person IS NULL", (GUEST,))
        return self.invite(GUEST, admin=True)

    def invites(self) -> tuple[InviteRow, ...]:
        """Return the invitations that are valid now, earliest first, without their codes."""
        rows = self._rows(
            "SELECT number, by, made, expires, is_admin, person FROM invites"
            " WHERE uses_left > 0 AND expires > ? ORDER BY number",
            self._clock(),
        )
        return tuple(
            InviteRow(number, by, made, expires, bool(is_admin), person)
            for number, by, made, expires, is_admin, person in rows
        )

    def withdraw(self, number: int) -> None:
        """Withdraw an invitation.

        Raises:
            Missing: no invitation has that number.
        """
        with self._change() as db:
            if not db.execute("DELETE FROM invites WHERE number = ?", (number,)).rowcount:
                raise Missing("There is no such invitation.")

    def invited(self, code: str) -> Invited:
        """Return the invitation of a code without using it up.

        Raises:
            Enrolment: the code is not valid.
        """
        rows = self._rows(
            "SELECT is_admin, expires, person FROM invites"
            " WHERE hash = ? AND uses_left > 0 AND expires > ?",
            _hash(_signs(code)),
            self._clock(),
        )
        if not rows:
            raise Enrolment(_NO_GOOD)
        is_admin, expires, number = rows[0]
        person = None if number is None else self.person(number)
        return Invited(person, bool(is_admin), expires)

    def enrol(self, code: str, name: str, key: KeyInfo) -> Person:
        """Use up a code to make an account for a new person, who is connected now.

        The code is only used up if everything succeeds and is on the disk.

        Raises:
            Enrolment: the code is invalid, or the key is known.
            BadName: the code is valid, but the name is not, or is taken.
        """
        with self._change() as db:
            is_admin, whose = self._use(db, code)
            if whose is not None:
                raise Enrolment("That code adds a key to an account; it makes no new one.")
            new = clean_name(name, [old for (old,) in db.execute("SELECT name FROM people")])
            now = self._clock()
            number = db.execute(
                "INSERT INTO people (name, folded, is_admin, made, seen) VALUES (?, ?, ?, ?, ?)",
                (new, folded(new), is_admin, now, now),
            ).lastrowid
            self._add(db, key, number or GUEST)
            return self._known(number or GUEST)

    def add_key(self, code: str, key: KeyInfo) -> Person:
        """Use up a code to add a key to the account for which the code was made.

        Raises:
            Enrolment: the code is invalid, it is for a new account, its person is banned, or the
                key is known.
        """
        with self._change() as db:
            is_admin, number = self._use(db, code)
            if number is None:
                raise Enrolment("That code makes a new account; it adds no key to one.")
            banned = db.execute(
                "SELECT 1 FROM people WHERE number = ? AND ban IS NOT NULL", (number,)
            )
            if banned.fetchone():
                raise Enrolment(_NO_GOOD)
            if is_admin:
                db.execute("UPDATE people SET is_admin = 1 WHERE number = ?", (number,))
            self._add(db, key, number)
            return self._known(number)

    def _use(self, db: sqlite3.Connection, code: str) -> tuple[int, int | None]:
        """Use a code up; return whether it makes an administrator, and its account."""
        row = db.execute(
            "SELECT number, is_admin, person FROM invites"
            " WHERE hash = ? AND uses_left > 0 AND expires > ?",
            (_hash(_signs(code)), self._clock()),
        ).fetchone()
        if row is None:
            raise Enrolment(_NO_GOOD)
        number, is_admin, person = row
        db.execute("UPDATE invites SET uses_left = uses_left - 1 WHERE number = ?", (number,))
        return is_admin, person

    def _add(self, db: sqlite3.Connection, key: KeyInfo, person: int) -> None:
        fingerprint = clean(key.fingerprint, _MOST_IN_KEY)
        known = db.execute("SELECT 1 FROM keys WHERE fingerprint = ?", (fingerprint,)).fetchone()
        if known:
            raise Enrolment("That key belongs to an account already.")
        now = self._clock()
        db.execute(
            "INSERT INTO keys (fingerprint, algorithm, comment, person, added, used)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (
                fingerprint,
                clean(key.algorithm, _MOST_IN_KEY),
                clean(key.comment, _MOST_IN_COMMENT),
                person,
                now,
                now,
            ),
        )


_NO_GOOD: Final = "That code is no good: mistyped, used already, or expired."
"""Text for every invalid code, which does not reveal the codes that existed."""


def _signs(code: str) -> str:
    """Return a typed code without blanks and dashes, in upper case."""
    plain = clean(code, 4 * _SIGNS).upper().translate(_MISTAKEN)
    return "".join(sign for sign in plain if sign in _ALPHABET)


def _hash(signs: str) -> bytes:
    return hashlib.sha256(signs.encode()).digest()
