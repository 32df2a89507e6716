"""Ports of a host: its games as the SSH side sees them, and the services for the games."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol

from engine.core.archive import Archive, Opened
from engine.core.ids import Seat, Viewer
from engine.core.record import Record
from host.server.people import Person
from host.server.rate_limits import HostLimits
from tui.play.players import PlanWorkers

GameStage = Literal["open", "running", "finished"]
"""Stage of a game: seats are free, all are taken, or it is over."""


LOST: Final = "lost"
"""In place of the round, for a game whose save cannot be opened."""


class SeatInfo(Record, frozen=True):
    """Seat in a list of games."""

    seat: Seat
    name: str
    """Name of the seat in the ruleset."""
    person: str = ""
    """Name of the person who has it; empty if none has."""
    bot: str = ""
    """Level of its computer player, permanent or in place of a person."""
    owes: bool = False
    """True if the game waits for this seat."""
    is_here: bool = False
    """True if its person is connected now."""
    left: int | None = None
    """Seconds left to its person; None unless the game waits for them against a clock."""


class GameInfo(Record, frozen=True):
    """A game as lists show it, without secrets."""

    number: int
    name: str
    ruleset: str
    title: str
    stage: GameStage
    status: str
    """Round and phase in words, or the winner."""
    seats: tuple[SeatInfo, ...]
    watchers: int = 0
    clock: str = ""
    """Times in words; empty without a clock."""
    paused: str = ""
    """When the pause ends: "until Anna is back at the table"; empty if the game is not paused."""
    round: str = ""
    """Round in the game's own word, with the last one if any."""

    @property
    def is_lost(self) -> bool:
        """True if the save of the game cannot be opened."""
        return self.round == LOST

    def waits_for(self, name: str) -> bool:
        """Return whether the game waits for the person of this name."""
        return self.stage != "finished" and any(
            one.owes and not one.bot and one.person == name for one in self.seats
        )


def until_back(people: Iterable[str]) -> str:
    """Return when a pause ends, in words, from the names of the game's people."""
    return f"until {' or '.join(sorted({*people}))} is back at the table"


class Said(Record, frozen=True):
    """Line of the table log; ``text`` has no control characters."""

    name: str
    text: str
    when: float
    """Seconds since 1970."""


@dataclass(frozen=True)
class Ports:
    """Functions that the program plugs in, such as those of the save format."""

    archive: Archive
    dump: Callable[[Opened, Viewer], Iterator[str]]
    dump_json: Callable[[Opened, Viewer], Iterator[str]]
    raw: Callable[[str], bytes]
    """Returns the bytes of a save by its name."""
    on_bug: Callable[[Any], None]
    versions: Mapping[str, str]


class Services(Protocol):
    """The game server, as its games use it."""

    ports: Ports
    plan_workers: PlanWorkers
    limits: Callable[[], HostLimits]
    """Returns the limits in force."""
    computers_turn: asyncio.Semaphore
    """Held by the computer player that acts: those of all games act one after another."""
    threads: Executor
    """Threads in which games are decided and written."""

    def name_of(self, person: int) -> str:
        """Return the name of the person with a number."""

    def current_name(self, person: Person) -> str:
        """Return a person's name now; ``person`` has the one from the start of the session."""

    def is_connected(self, person: int) -> bool:
        """Return whether a person is connected."""

    def was_here(self, person: int) -> bool:
        """Return whether a person is connected, or left so recently that they may return."""

    async def keep_seat(self, game: int, seat: Seat, person: int | None) -> None:
        """Store which person has a seat; None frees it."""

    def note_change(self, number: int) -> None:
        """Store the changed status of a game, and call the listeners."""
