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
