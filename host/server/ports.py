"""Ports of a host: its games as the SSH side sees them, and the services for the games."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from engine.core.archive import Archive, Header, Opened, SeatPlayer
from engine.core.ids import Seat, Viewer
from engine.core.link import Link, Reply
from engine.core.record import Record
from engine.core.ruleset import AnyRuleset
from host.server.clocks import Terms
from host.server.people import Person
from host.server.rate_limits import HostLimits
from tui.play.players import PlanWorkers
from tui.play.setup import NewGame

GameStage = Literal["open", "running", "finished"]
"""Stage of a game: seats are free, all are taken, or it is over."""


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
    """When the pause ends, in words: "until Anna is back"; empty if the game is not paused."""
    round: str = ""
    """Round in the game's own word, with the last one if any."""

    def waits_for(self, name: str) -> bool:
        """Return whether the game waits for the person of this name."""
        return self.stage != "finished" and any(
            one.owes and not one.bot and one.person == name for one in self.seats
        )


def until_back(people: Iterable[str]) -> str:
    """Return when a pause ends, in words, from the names of the game's people."""
    return f"until {' or '.join(sorted({*people}))} is back"


class Said(Record, frozen=True):
    """Line of the table log; ``text`` has no control characters."""

    name: str
    text: str
    when: float
    """Seconds since 1970."""


class ChroniclePort(Protocol):
    """Log of a game as one viewer may know it."""

    def as_text(self) -> Iterator[str]:
        """Return a dump of the game in lines, as ``banneret dump`` prints it for a seat."""
        ...

    def as_json(self) -> Iterator[str]:
        """Return a dump of the game as JSON lines."""
        ...

    def recorded(self) -> Opened:
        """Return a copy of the game as far as it may be reported now, for questions about it.

        It contains secrets of other seats; until the game is over it has no seed.
        """
        ...


class ParticipantPort(Protocol):
    """A person at a hosted game, as a player or a spectator.

    It has the members of ``Table`` that screens and line mode use, without secrets.
    """

    rules: AnyRuleset
    number: int
    """Number of the game."""

    @property
    def header(self) -> Header:
        """Header of the log."""
        ...

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Seats that this person plays; empty for a spectator."""
        ...

    @property
    def own_seats(self) -> tuple[Seat, ...]:
        """Seats of this person, even those that a computer plays now."""
        ...

    @property
    def players(self) -> tuple[SeatPlayer, ...]:
        """Players by seat."""
        ...

    def to_act(self) -> Seat | None:
        """Return a seat that must act, this person's if possible; None if the game is over."""
        ...

    def link(self, viewer: Viewer) -> Link:
        """Return a link for a viewer.

        Raises:
            PermissionError: this person may not look as this viewer.
        """
        ...

    def chronicle(self, viewer: Viewer) -> ChroniclePort:
        """Return the game's log as ``viewer`` may know it.

        Raises:
            PermissionError: this person may not look as this viewer.
        """
        ...

    @property
    def is_over(self) -> bool:
        """True if the game is over, so that everything may be known."""
        ...

    def absent_turns(self, *, late_only: bool = False) -> tuple[str, ...]:
        """Return which turns a computer player has played for this person, in sentences.

        ``late_only``: True for those alone in which the person's clock ran out.
        """
        ...

    def look(self) -> None:
        """Count this person as looking; a paused game resumes for a person who has a seat."""
        ...

    def leave(self) -> None:
        """Leave the game; until then the person counts as watching."""
        ...


class HostedGamePort(Protocol):
    """A game on the host."""

    number: int
    rules: AnyRuleset
    header: Header

    @property
    def info(self) -> GameInfo:
        """The game as lists of games show it."""
        ...

    async def sit(self, person: Person, seat: Seat) -> str:
        """Give a person a free seat, or their own seat back from the computer.

        Return why that is refused, or an empty text.
        """
        ...

    async def stand(self, person: Person, seat: Seat, bot: str = "") -> str:
        """Let a computer player of level ``bot`` stand in; without a level, free the seat.

        Return why that is refused, or an empty text.
        """
        ...

    def may_watch(self, person: Person) -> str:
        """Return why a person may not watch; empty if it is allowed, and for all players."""
        ...

    async def prepare(self, viewer: Viewer) -> None:
        """Do slow preparations before a participant links as this viewer."""
        ...

    def place(self, person: Person) -> ParticipantPort:
        """Return a participant: this person at the game, until its ``leave``."""
        ...

    async def submit(self, person: Person, seat: Seat, line: str) -> Reply:
        """Execute a line of notation for a seat of the person."""
        ...

    def say(self, person: Person, text: str) -> str:
        """Say something to all players and spectators; return why that is refused, or ""."""
        ...

    def talk(self) -> tuple[Said, ...]:
        """Return the lines of the table log, earliest first."""
        ...

    def on_change(self, told: Callable[[], None]) -> Callable[[], None]:
        """Call ``told`` after a change of ``info`` or ``talk``. Call the result to unsubscribe."""
        ...

    def opened(self) -> Opened:
        """Return the whole save of a finished game.

        Raises:
            PermissionError: the game is not over.
        """
        ...


class GameServerPort(Protocol):
    """The games of a host."""

    def games(self) -> tuple[GameInfo, ...]:
        """Return all games, latest first."""
        ...

    async def game(self, number: int) -> HostedGamePort:
        """Return a game by number; open it if necessary.

        Raises:
            LookupError: no game has that number.
            SaveFault: its save cannot be opened.
        """
        ...

    async def begin(
        self, person: Person, start: NewGame, terms: Terms | None = None
    ) -> HostedGamePort:
        """Begin a game; its founder gets the first seat for a person.

        Raises:
            SaveFault, ScenarioFault, OptionFault, LookupError, Refused: it cannot be begun.
        """
        ...

    async def agree(self, number: int, person: Person, turn: int, bank: int) -> str:
        """Change the clock of a game from each seat's next turn on; times are in seconds.

        Return why that is not allowed, or an empty text.
        """
        ...

    def current_name(self, person: Person) -> str:
        """Return a person's name now; ``person`` has the one from the start of the session."""
        ...

    def come(self, person: Person) -> None:
        """Count a new connection of a person, who is present until ``go``."""
        ...

    def go(self, person: Person) -> None:
        """Count the end of a connection."""
        ...

    async def close(self) -> None:
        """Close every save; no acknowledged command is lost."""
        ...


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

    @property
    def ports(self) -> Ports:
        """Functions that the program plugs in."""
        ...

    @property
    def plan_workers(self) -> PlanWorkers:
        """Processes in which computer players plan."""
        ...

    @property
    def limits(self) -> Callable[[], HostLimits]:
        """Returns the limits in force."""
        ...

    @property
    def computers_turn(self) -> asyncio.Semaphore:
        """Semaphore: computer players of all games act one after another."""
        ...

    @property
    def threads(self) -> Executor:
        """Threads in which games are decided and written."""
        ...

    def name_of(self, person: int) -> str:
        """Return the name of the person with a number."""
        ...

    def current_name(self, person: Person) -> str:
        """Return a person's name now; ``person`` has the one from the start of the session."""
        ...

    def is_connected(self, person: int) -> bool:
        """Return whether a person is connected."""
        ...

    def was_here(self, person: int) -> bool:
        """Return whether a person is connected, or left so recently that they may return."""
        ...

    async def keep_seat(self, game: int, seat: Seat, person: int | None) -> None:
        """Store which person has a seat; None frees it."""
        ...

    def note_change(self, number: int) -> None:
        """Store the changed status of a game, and call the listeners."""
        ...
