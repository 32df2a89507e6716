"""What a ruleset is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar, cast

from engine.core.dice import Dice
from engine.core.ids import Seat, Viewer
from engine.core.log import AnyEntry, Entry
from engine.core.options import Option, Value
from engine.core.record import Command, Event, Raw, Record
from engine.core.record import Scenario as Scenario  # noqa: PLC0414 - belongs to the protocol too

S = TypeVar("S")
C = TypeVar("C", bound=Command)
E = TypeVar("E", bound=Event)
V = TypeVar("V")
C_co = TypeVar("C_co", bound=Command, covariant=True)
V_contra = TypeVar("V_contra", contravariant=True)

Upcast: TypeAlias = Callable[[Raw], Raw]
"""A raw entry of one schema as a raw entry of the next."""


class Offers(Protocol[C_co]):
    """The commands that the bot's seat may give now, all or those about one piece."""

    def __call__(self, about: int | None = None) -> Iterator[C_co]:
        """List them."""
        ...


class Traits(Record, frozen=True):
    """The game described as data; the contract tests hold it to this."""

    seats: tuple[int, int]
    """Fewest and most players."""
    seat_names: tuple[str, ...]
    chance: bool
    hidden: bool
    simultaneous: bool
    orthogonal: bool
    """The cursor and the pieces go in four directions only."""
    undo: bool


class ScenarioFault(ValueError):
    """A scenario cannot be played: where it is wrong, why, and by which rule."""

    def __init__(self, place: str, text: str, rule: str = "") -> None:
        super().__init__(f"{place}: {text}" if place else text)
        self.place = place
        self.text = text
        self.rule = rule


class Outcome(Record, frozen=True):
    """How a game ended: the reason as a word of the ruleset, and the seats that won."""

    reason: str
    winners: tuple[Seat, ...]


class Imported(Record, frozen=True):
    """What an importer made of a foreign file: a scenario, and remarks, one line each."""

    scenario: Scenario
    remarks: tuple[str, ...] = ()
    play: tuple[tuple[Seat, Command], ...] = ()
    """What was played from there, in order; empty if the file is about a position alone."""


class Importer(Protocol):
    """Reads one kind of foreign file."""

    @property
    def name(self) -> str:
        """The kind of file in a few words."""
        ...

    @property
    def companion(self) -> str:
        """The second file it needs, in a few words; empty if it needs none."""
        ...

    def sniff(self, data: bytes) -> bool:
        """Whether this looks like such a file."""
        ...

    def read(self, data: bytes, companion: bytes | None = None) -> Imported:
        """The scenario in it.

        Raises:
            ScenarioFault: it is broken, with the first fault found.
        """
        ...


class Exporter(Protocol):
    """Writes a game as a foreign file."""

    @property
    def name(self) -> str:
        """The word that selects it."""
        ...

    @property
    def text(self) -> str:
        """What the file is, in a line."""
        ...

    def content(self, entries: Iterable[AnyEntry]) -> bytes:
        """The whole file: out of the line of a game from its first entry on.

        Raises:
            ScenarioFault: the format cannot hold that game.
        """
        ...


class Report(Record, frozen=True):
    """The answer of a tool: a table, and remarks below it."""

    columns: tuple[str, ...]
    rows: tuple[tuple[int | float | str | None, ...], ...]
    remarks: tuple[str, ...] = ()


class Argument(Record, frozen=True):
    """One argument of a tool: a number, a place ``x,y``, a path ``x,y>x,y`` or a word."""

    name: str
    kind: str
    text: str
    required: bool = True


class Tool(Protocol):
    """A question about a position that ``calc`` can ask."""

    @property
    def name(self) -> str:
        """The word that selects it."""
        ...

    @property
    def text(self) -> str:
        """What it tells, in a line."""
        ...

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """What it wants to know."""
        ...

    def run(self, state: Any, arguments: Mapping[str, str]) -> Report:
        """The answer for a position.

        Raises:
            ValueError: an argument does not fit; the text is one line.
        """
        ...


class Bot(Protocol[V_contra, C]):
    """A computer player: from a view and offers to commands, deterministic, without memory.

    ``plan`` gives a few commands at a time; they are played until one is refused or something
    unforeseen is seen. None of them is refused for something that the view told. Budgets are
    counts, never time.
    """

    def plan(self, view: V_contra, offers: Offers[C], dice: Dice) -> Sequence[C]:
        """What to do now; never empty while the seat owes an answer."""
        ...

    def rest(self, view: V_contra, offers: Offers[C]) -> Sequence[C]:
        """The end of a turn in which no plan gets on: an answer to what is asked, or the end.

        Never empty while the seat owes an answer, and never refused.
        """
        ...


class Ruleset(Protocol[S, C, E, V]):
    """One game: pure functions over its own state, commands, events and views."""

    @property
    def name(self) -> str:
        """The word in files and on the command line."""
        ...

    @property
    def title(self) -> str:
        """The name for people."""
        ...

    @property
    def traits(self) -> Traits:
        """What kind of game this is."""
        ...

    @property
    def schema(self) -> int:
        """The number of the present form of commands and events."""
        ...

    @property
    def command_type(self) -> Any:
        """The tagged union of commands."""
        ...

    @property
    def event_type(self) -> Any:
        """The tagged union of events."""
        ...

    @property
    def state_type(self) -> type[S]:
        """The record of the state."""
        ...

    @property
    def view_type(self) -> type[V]:
        """The record of the view."""
        ...

    @property
    def scenario_type(self) -> type[Scenario]:
        """The record of a scenario, as in scenario files."""
        ...

    @property
    def options(self) -> tuple[Option, ...]:
        """What can be chosen before the game."""
        ...

    @property
    def upcasts(self) -> Mapping[int, Upcast]:
        """For each old schema, how a raw entry becomes one of the next."""
        ...

    @property
    def importers(self) -> tuple[Importer, ...]:
        """Foreign files that can be read."""
        ...

    @property
    def exporters(self) -> tuple[Exporter, ...]:
        """Foreign files that can be written."""
        ...

    @property
    def tools(self) -> tuple[Tool, ...]:
        """What ``calc`` offers."""
        ...

    @property
    def bots(self) -> Mapping[str, Bot[V, C]]:
        """Computer players by level, weakest first."""
        ...

    def scenarios(self) -> Mapping[str, Scenario]:
        """The scenarios that come with the ruleset, by name; the first is the usual one."""
        ...

    def check(self, scenario: Scenario) -> None:
        """Refuse a scenario that cannot be played.

        Raises:
            ScenarioFault: with the place of the first fault.
        """
        ...

    def room(self, scenario: Scenario) -> tuple[int, int]:
        """Fewest and most players of a scenario, within those of the traits."""
        ...

    def seat_names(self, scenario: Scenario) -> tuple[str, ...]:
        """What the seats are called in a scenario, as many as it has room for at most."""
        ...

    def usual_seats(self, scenario: Scenario) -> int:
        """How many players a scenario is meant for, within its room."""
        ...

    def seated(self, scenario: Scenario, seats: int, computers: frozenset[Seat]) -> Scenario:
        """The scenario for a number of players that is within its room.

        ``computers`` are the seats that computer players begin on, for rules that treat people
        otherwise.
        """
        ...

    def position(self, state: S) -> Scenario:
        """The state as a scenario: any position out."""
        ...

    def empty(self) -> S:
        """The state before the first event."""
        ...

    def begin(self, scenario: Scenario, options: Mapping[str, Value], dice: Dice) -> tuple[E, ...]:
        """The events that set the game up; the first holds the scenario and the options.

        Options that are not given come from the scenario, then from the defaults.

        Raises:
            ScenarioFault: the scenario cannot be played.
            OptionFault: an option cannot be set so.
        """
        ...

    def setup(self, first: E) -> tuple[Scenario, Mapping[str, Value]]:
        """What the game was begun from, out of the first event of its log.

        Raises:
            TypeError: that is no first event.
        """
        ...

    def owes(self, state: S) -> frozenset[Seat]:
        """Who must act; empty when the game is over."""
        ...

    def may(self, state: S, seat: Seat) -> bool:
        """Whether the seat is listened to now."""
        ...

    def decide(self, state: S, seat: Seat, command: C, dice: Dice) -> tuple[E, ...]:
        """What happens when the seat wants this.

        Raises:
            Refused: the rules do not allow it.
        """
        ...

    def evolve(self, state: S, event: E) -> S:
        """The state after the event."""
        ...

    def outcome(self, state: S) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        ...

    def statistics(self, state: S) -> Mapping[str, tuple[int, ...]]:
        """Numbers per seat, for charts and summaries."""
        ...

    def view(self, state: S, viewer: Viewer) -> V:
        """What the viewer may know, built from nothing."""
        ...

    def redact(self, event: E, before: S, after: S, viewer: Viewer) -> E | None:
        """The event as the viewer may know it, or None.

        The states are those right before and right after this one event.
        """
        ...

    def offers(self, view: V, about: int | None = None) -> Iterator[C]:
        """Commands that will not be refused, all or those about one piece."""
        ...

    def imagine(self, view: V, dice: Dice) -> S:
        """A full state that this view could come from."""
        ...


AnyRuleset: TypeAlias = Ruleset[Any, Any, Any, Any]


def entry_type(rules: AnyRuleset) -> Any:
    """The type of the entries in this ruleset's logs, for decoders."""
    kinds: Any = (rules.command_type, rules.event_type)
    return cast("Any", Entry)[kinds]
