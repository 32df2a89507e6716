"""What a hosted game needs of the house that it is in."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Protocol

from engine.core.ids import Seat
from tui.host.computers import Thinkers
from tui.host.limits import Limits
from tui.host.ports import Ports


class Services(Protocol):
    """Of all games together."""

    @property
    def ports(self) -> Ports:
        """What the program plugs in."""
        ...

    @property
    def thinkers(self) -> Thinkers:
        """Who thinks for the computer players."""
        ...

    @property
    def limits(self) -> Callable[[], Limits]:
        """What the host puts up with just now."""
        ...

    @property
    def computers_turn(self) -> asyncio.Semaphore:
        """Computer players act one after the other, of all games."""
        ...

    @property
    def threads(self) -> Executor:
        """In which games are decided and written."""
        ...

    def name_of(self, person: int) -> str:
        """The name of somebody with an account."""
        ...

    def is_connected(self, person: int) -> bool:
        """Whether somebody is here."""
        ...

    def was_here(self, person: int) -> bool:
        """Whether somebody is here, or was so lately that they may be on their way back."""
        ...

    async def keep_seat(self, game: int, seat: Seat, person: int | None) -> None:
        """Keep who has a seat."""
        ...

    def note_change(self, number: int) -> None:
        """A game stands otherwise than before."""
        ...
