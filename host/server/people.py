"""Records of people, keys and invitations; the current names and rights of people."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.core.record import Record

GUEST: Final = 0
"""Number of every person without an account; guests who may play have a negative one."""


class Person(Record, frozen=True):
    """Person with an account, or a guest."""

    number: int
    """Number of the account, never reused; 0 or negative for guests."""
    name: str
    is_admin: bool = False
    may_play: bool = True
    """False for guests who may only watch."""

    @property
    def is_guest(self) -> bool:
        """True for guests."""
        return self.number <= GUEST

    @property
    def counted_as(self) -> tuple[str, str]:
        """(address, key) under which rate limits count this person's requests."""
        return "", f"person {self.number}"


GUEST_NAME: Final = "guest"
"""User name that needs no key, if guests are allowed."""


class Guest(Person, frozen=True):
    """Person without an account, who is new at each connection."""

    number: int = GUEST
    name: str = GUEST_NAME
    may_play: bool = False
    origin: str = ""
    """Address of the guest; all guests of a network share its limits."""

    @property
    def counted_as(self) -> tuple[str, str]:
        """(address, empty key) under which rate limits count this guest's requests."""
        return self.origin, ""


class PersonNames:
    """Current names and rights by number of the person; a session may still have older ones."""

    def __init__(self) -> None:
        self._names: dict[int, str] = {}
        self._admins: dict[int, bool] = {}

    def __contains__(self, number: int) -> bool:
        return number in self._names

    def of(self, number: int) -> str:
        """Return the name of the person with a number; guests get a name from their number."""
        if number <= GUEST:
            return f"guest {-number}" if number else "a guest"
        return self._names.get(number, "somebody")

    def current(self, person: Person) -> str:
        """Return a person's current name."""
        return self._names.get(person.number, person.name)

    def is_admin(self, person: Person) -> bool:
        """Return whether a person is an administrator now."""
        return self._admins.get(person.number, person.is_admin)

    def note(self, person: Person) -> None:
        """Store the name of a person who has connected, unless one is known already."""
        self._names.setdefault(person.number, person.name)

    def learn(self, people: Iterable[Person | None]) -> None:
        """Store the names and rights of people as read from the disk; None is skipped."""
        for found in filter(None, people):
            self._names[found.number] = found.name
            self._admins[found.number] = found.is_admin


class KeyInfo(Record, frozen=True):
    """Public key as it is stored: never the key itself."""

    fingerprint: str
    """Fingerprint as ``ssh-keygen -l`` writes it: ``SHA256:`` and 43 characters."""
    algorithm: str = ""
    comment: str = ""
    """Comment of its owner; cleaned when it is stored."""


class KeyRow(Record, frozen=True):
    """Key of a person. Times are seconds since 1970."""

    key: KeyInfo
    person: int
    added: float
    used: float
    """Time of its latest use."""


class Account(Record, frozen=True):
    """Account of a person. Times are seconds since 1970."""

    person: Person
    ban: str
    """Reason for the ban; empty without a ban."""
    made: float
    seen: float
    """Time at which the person was last connected; 0 for never."""
    keys: tuple[KeyRow, ...]


class InviteRow(Record, frozen=True):
    """Invitation that can still be used; its code is not stored."""

    number: int
    by: int
    """Number of the person who made it; ``GUEST`` for the operator of the machine."""
    made: float
    expires: float
    is_admin: bool
    """True if it makes an administrator."""
    person: int | None
    """Account that gets another key; None for a new account."""


class Enrolment(Exception):
    """An invitation code was refused; the text is one line for the person."""


def here_in_words(people: Iterable[str]) -> str:
    """Return the names of connected people, in a line."""
    names = sorted(people)
    if len(names) < 2:
        return "nobody else is here"
    return f"{len(names)} here: {', '.join(names[:6])}{' …' if len(names) > 6 else ''}"
