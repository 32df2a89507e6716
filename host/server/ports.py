"""What a host lists of its games, and the services around them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from engine.core.archive import Archive, Opened
from engine.core.ids import Seat, Viewer
from engine.core.record import Record
from host.server.people import Person
from host.server.rate_limits import HostLimits
from tui.play.players import PlanWorkers

GameStage = Literal["open", "running", "finished"]
"""Stage of a game: seats are free, all are taken, or it is over."""


class SeatInfo(Record, frozen=True):
    """Seat in a list of games."""

    seat: Seat
    name: str
    """Name of the seat in the ruleset."""
    person: str = ""
    """Name of its person, or an empty text."""
    bot: str = ""
    """Level of its computer player, permanent or in place of a person."""
    owes: bool = False
    """True if the game waits for this seat."""
    is_here: bool = False
    """True if its person is connected now."""
    left: int | None = None
    """Seconds left to its person, if the game waits for them against a clock."""


class GameInfo(Record, frozen=True):
    """Game in a list. Contains no secrets."""

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
    """End of a pause in words: "until Anna is back"; empty if the game is not paused."""
    round: str = ""
    """Round in the game's own word, with the last one if any."""

    def waits_for(self, name: str) -> bool:
        """Return whether the game waits for the person of this name."""
        return self.stage != "finished" and any(
            one.owes and not one.bot and one.person == name for one in self.seats
        )


def until_back(people: Iterable[str]) -> str:
    """End of a pause in words, by the names of the people of a game."""
    return f"until {' or '.join(sorted({*people}))} is back"


class Said(Record, frozen=True):
    """Line of the table log; ``text`` contains nothing that could control a terminal."""

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
    """Services of the game server for its games."""

    ports: Ports
    plan_workers: PlanWorkers
    limits: Callable[[], HostLimits]
    """Returns the limits in force."""
    computers_turn: asyncio.Semaphore
    """Held by the computer player that acts: those of all games act one after another."""
    threads: Executor
    """Threads in which games are decided and written."""

    def name_of(self, person: int) -> str:
        """Return the name of a person."""

    def current_name(self, person: Person) -> str:
        """Name of a person now; a session keeps the name that its person came with."""

    def is_connected(self, person: int) -> bool:
        """Return whether a person is connected."""

    def was_here(self, person: int) -> bool:
        """Return whether a person is connected, or left so recently that they may return."""

    async def keep_seat(self, game: int, seat: Seat, person: int | None) -> None:
        """Store the person of a seat."""

    def note_change(self, number: int) -> None:
        """Store and announce the changed status of a game."""
