"""Who comes to a host."""

from __future__ import annotations

from typing import Final

from engine.core.record import Record

GUEST: Final = 0
"""The number of everybody who comes without an account; guests who may play have one below it."""


class Person(Record, frozen=True):
    """Somebody with an account, or a guest."""

    number: int
    """Never given to anybody else, also when the name changes; ``GUEST`` or less for guests."""
    name: str
    is_admin: bool = False
    may_play: bool = True
    """Guests may only watch, if the operator wants it so."""

    @property
    def is_guest(self) -> bool:
        """Whether this is nobody in particular."""
        return self.number <= GUEST


class KeyInfo(Record, frozen=True):
    """What is kept of a public key; never the key itself."""

    fingerprint: str
    """As ``ssh-keygen -l`` writes it: ``SHA256:`` and 43 signs."""
    algorithm: str = ""
    comment: str = ""
    """What its owner wrote behind it; cleaned when it is stored."""


class KeyRow(Record, frozen=True):
    """A key of somebody. Times are seconds since 1970."""

    key: KeyInfo
    person: int
    added: float
    used: float
    """When somebody last came in with it."""


class Account(Record, frozen=True):
    """What the host knows of a person. Times are seconds since 1970."""

    person: Person
    ban: str
    """Why the person may not come; empty for everybody who may."""
    made: float
    seen: float
    """When the person was last here; 0 for never."""
    keys: tuple[KeyRow, ...]


class InviteRow(Record, frozen=True):
    """An invitation that can still be used; its code is known only to who was given it."""

    number: int
    by: int
    """Number of the person who gave it; ``GUEST`` for the operator of the machine."""
    made: float
    expires: float
    is_admin: bool
    """Whether it makes an administrator."""
    person: int | None
    """Whose account it adds a key to; None: it makes a new account."""


class Enrolment(Exception):
    """Somebody cannot be let in with a code; the text is one line for that person."""
