"""What the ways in need of the games on a host, and of the program around it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from engine.core.archive import Archive, Header, Opened, Player
from engine.core.ids import Seat, Viewer
from engine.core.link import Link, Reply
from engine.core.record import Record
from engine.core.ruleset import AnyRuleset
from tui.host.clocks import Terms
from tui.host.people import Person
from tui.host.rate_limits import HostLimits
from tui.play.players import PlanWorkers
from tui.play.setup import NewGame

GameStage = Literal["open", "running", "finished"]
"""Of a game: seats are free, everybody is there, or it is over."""


class SeatInfo(Record, frozen=True):
    """A seat in a list of games."""

    seat: Seat
    name: str
    """Of the seat in the ruleset."""
    person: str = ""
    """Name of who has it; empty if nobody has."""
    bot: str = ""
    """The level of the computer player that has it, for good or in place of somebody."""
    owes: bool = False
    """Whether the game waits for this seat."""
    is_here: bool = False
    """Whether who has it is connected now."""


class GameInfo(Record, frozen=True):
    """A game in a list. Holds nothing that anybody must not know."""

    number: int
    name: str
    ruleset: str
    title: str
    stage: GameStage
    status: str
    """Round and phase in words, or who has won."""
    seats: tuple[SeatInfo, ...]
    watchers: int = 0
    clock: str = ""
    """How much time there is, in words; empty without a clock."""


class Said(Record, frozen=True):
    """A line of talk in a game; ``text`` holds nothing that could steer a terminal."""

    name: str
    text: str
    when: float
    """Seconds since 1970."""


class ChroniclePort(Protocol):
    """What one viewer may know of how a game went: everything is redacted for that viewer."""

    def as_text(self) -> Iterator[str]:
        """The whole game in lines, as ``banneret dump`` prints it for a seat."""
        ...

    def as_json(self) -> Iterator[str]:
        """The same as JSON lines."""
        ...


class ParticipantPort(Protocol):
    """What one person has of one game: seats to play, or a chair to watch from.

    Has the members of ``Table`` that screens and line mode use, as far as they can be had without
    knowing what is hidden.
    """

    rules: AnyRuleset
    number: int
    """Of the game."""

    @property
    def header(self) -> Header:
        """What the log is the log of."""
        ...

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Those this person plays; empty for who only watches."""
        ...

    @property
    def players(self) -> tuple[Player, ...]:
        """Who sits where now."""
        ...

    def to_act(self) -> Seat | None:
        """One of this person's seats that owes something, else the lowest that does; None: over."""
        ...

    def link(self, viewer: Viewer) -> Link:
        """An end of the game.

        Raises:
            PermissionError: this person may not look with these eyes.
        """
        ...

    def chronicle(self, viewer: Viewer) -> ChroniclePort:
        """How the game went.

        Raises:
            PermissionError: this person may not look with these eyes.
        """
        ...

    @property
    def is_over(self) -> bool:
        """Whether the game is over, so that everything may be known."""
        ...

    def leave(self) -> None:
        """Go away: whoever does not is counted among those who watch."""
        ...


class HostedGamePort(Protocol):
    """A game on a host."""

    number: int
    rules: AnyRuleset
    header: Header

    @property
    def info(self) -> GameInfo:
        """How it stands."""
        ...

    async def sit(self, person: Person, seat: Seat) -> str:
        """Take a free seat, or one's own back from the computer; why not, if not."""
        ...

    async def stand(self, person: Person, seat: Seat, bot: str = "") -> str:
        """Give a seat up, to a computer player of a level or to whoever comes; why not, if not."""
        ...

    def may_watch(self, person: Person) -> str:
        """Why somebody may not watch; empty for those who may, and for all who play."""
        ...

    async def prepare(self, viewer: Viewer) -> None:
        """Make ready what takes a while before a place links with this viewer."""
        ...

    def place(self, person: Person) -> ParticipantPort:
        """What this person has of the game now."""
        ...

    async def submit(self, person: Person, seat: Seat, line: str) -> Reply:
        """Carry out a line of notation for a seat that the person has."""
        ...

    def say(self, person: Person, text: str) -> str:
        """Say something to all who play and watch; why not, if not."""
        ...

    def talk(self) -> tuple[Said, ...]:
        """What was said, earliest first."""
        ...

    def on_change(self, told: Callable[[], None]) -> Callable[[], None]:
        """Call after anything in ``info`` or ``talk`` has changed; the answer stops it."""
        ...

    def opened(self) -> Opened:
        """The whole save, for games that are over.

        Raises:
            PermissionError: it is not over.
        """
        ...


class GameServerPort(Protocol):
    """All games of a host."""

    def games(self) -> tuple[GameInfo, ...]:
        """All games, latest first."""
        ...

    async def game(self, number: int) -> HostedGamePort:
        """A game, opened if it is not.

        Raises:
            LookupError: there is none of that number.
            SaveFault: its save cannot be opened.
        """
        ...

    async def begin(
        self, person: Person, start: NewGame, terms: Terms | None = None
    ) -> HostedGamePort:
        """Begin a game; who begins it sits on the first seat for a person.

        Raises:
            SaveFault, ScenarioFault, OptionFault, LookupError, Refused: it cannot be begun.
        """
        ...

    async def agree(self, number: int, person: Person, turn: int, bank: int) -> str:
        """Play a game by other times, in seconds, from each one's next turn on; why not, if not.

        Raises:
            LookupError: there is none of that number.
            SaveFault: its save cannot be opened.
        """
        ...

    async def close(self) -> None:
        """Close every save; nothing that was acknowledged is lost."""
        ...


@dataclass(frozen=True)
class Ports:
    """What the program plugs in: saves are none of the host's business."""

    archive: Archive
    dump: Callable[[Opened, Viewer], Iterator[str]]
    dump_json: Callable[[Opened, Viewer], Iterator[str]]
    raw: Callable[[str], bytes]
    """The bytes of a save by its name."""
    on_bug: Callable[[Any], None]
    versions: Mapping[str, str]


class Services(Protocol):
    """Of all games together."""

    @property
    def ports(self) -> Ports:
        """What the program plugs in."""
        ...

    @property
    def plan_workers(self) -> PlanWorkers:
        """Processes in which computer players plan."""
        ...

    @property
    def limits(self) -> Callable[[], HostLimits]:
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
