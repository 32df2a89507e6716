"""The protocol of a ruleset, and the ports that belong to it: bots, importers, exporters, tools."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeAlias, TypeVar, cast

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
"""Function that converts a raw entry of one schema to the next schema."""


class Offers(Protocol[C_co]):
    """Commands that a bot's seat may give now."""

    def __call__(self, about: int | None = None) -> Iterator[C_co]:
        """Yield the commands; with ``about``, the id of a piece, only those of that piece."""
        ...


FieldMeaning: TypeAlias = Literal[
    "place", "strength", "wounds", "owner", "kind", "left", "wealth", "turn"
]
"""Meaning of a field of a state's records: the place of something, its strength, lost strength,
owner or kind, its remaining actions, its wealth, or its time."""


class Traits(Record, frozen=True):
    """Properties of a game as data; the contract tests check them."""

    seats: tuple[int, int]
    """Minimum and maximum number of players."""
    seat_names: tuple[str, ...]
    chance: bool = False
    """True if anything is drawn by chance."""
    hidden: bool = False
    """True if a seat does not see everything."""
    simultaneous: bool = False
    """True if several seats can owe a command at the same time."""
    orthogonal: bool = False
    """True if the cursor and the pieces move in four directions only."""
    undo: bool = True
    """True if a command can be taken back as long as it revealed nothing."""


class ScenarioFault(ValueError):
    """Raised if a scenario is invalid: path of the field, reason, rule id."""

    def __init__(self, place: str, text: str, rule: str = "") -> None:
        super().__init__(f"{place}: {text}" if place else text)
        self.place = place
        self.text = text
        self.rule = rule


class Outcome(Record, frozen=True):
    """End of a game: the reason as a word of the ruleset, and the seats that won."""

    reason: str
    winners: tuple[Seat, ...]


class Imported(Record, frozen=True):
    """Result of an importer: a scenario, and remarks, one line each."""

    scenario: Scenario
    remarks: tuple[str, ...] = ()
    play: tuple[tuple[Seat, Command], ...] = ()
    """Commands played from there, in order; empty if the file holds a position only."""


class Importer(Protocol):
    """Reader of one kind of foreign file."""

    @property
    def name(self) -> str:
        """Kind of file, in a few words."""
        ...

    @property
    def companion(self) -> str:
        """Kind of second file that ``read`` can use, in a few words; empty if none."""
        ...

    def sniff(self, data: bytes) -> bool:
        """Return whether the data looks like such a file."""
        ...

    def read(self, data: bytes, companion: bytes | None = None) -> Imported:
        """Decode the scenario in a file; ``companion`` holds the second file, if one is given.

        Raises:
            ScenarioFault: with the first fault of the file.
        """
        ...


class Exporter(Protocol):
    """Writer of a game as a foreign file."""

    @property
    def name(self) -> str:
        """Word that selects it on the command line."""
        ...

    @property
    def text(self) -> str:
        """Description of the file, in a line."""
        ...

    def content(self, entries: Iterable[AnyEntry]) -> bytes:
        """Encode the whole file, from the entries of a line of play.

        Raises:
            ScenarioFault: the format cannot hold that game.
        """
        ...


class ToolReport(Record, frozen=True):
    """Answer of a tool: a table, and remarks below it."""

    columns: tuple[str, ...]
    rows: tuple[tuple[int | float | str | None, ...], ...]
    remarks: tuple[str, ...] = ()


class Argument(Record, frozen=True):
    """Argument of a tool: a number, a place ``x,y``, a path ``x,y>x,y`` or a word."""

    name: str
    kind: str
    text: str
    required: bool = True


class Tool(Protocol):
    """A question about a position, for ``calc``."""

    @property
    def name(self) -> str:
        """Word that selects it on the command line."""
        ...

    @property
    def text(self) -> str:
        """Description of the answer, in a line."""
        ...

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """The arguments it takes."""
        ...

    def run(self, state: Any, arguments: Mapping[str, str]) -> ToolReport:
        """Return the answer for a position.

        Raises:
            ValueError: an argument is invalid; the text is one line.
        """
        ...


class Bot(Protocol[V_contra, C]):
    """A computer player: a deterministic function of view, offers and dice, without memory.

    ``plan`` returns a few commands at a time. They are played until one is refused or something
    unexpected becomes visible. No command may be refused for a reason that the view shows. Budgets
    are counts, never time.
    """

    def plan(self, view: V_contra, offers: Offers[C], dice: Dice) -> Sequence[C]:
        """Return the next commands; never empty while the seat owes an answer."""
        ...

    def rest(self, view: V_contra, offers: Offers[C]) -> Sequence[C]:
        """Return a minimal answer if plans lead nowhere: to the question, or the end of the turn.

        Never empty while the seat owes an answer, and never refused.
        """
        ...


class Ruleset(Protocol[S, C, E, V]):
    """A game as pure functions over its own states, commands, events and views."""

    @property
    def name(self) -> str:
        """Name in files and on the command line."""
        ...

    @property
    def title(self) -> str:
        """Name for people."""
        ...

    @property
    def traits(self) -> Traits:
        """Properties of the game."""
        ...

    @property
    def schema(self) -> int:
        """Version number of the form of commands and events."""
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
        """Settings that can be chosen before the game."""
        ...

    def options_of(self, scenario: Scenario) -> tuple[Option, ...]:
        """Return the settings available for a scenario.

        Their defaults are the scenario's, if these are known before the game is set up.
        """
        ...

    @property
    def upcasts(self) -> Mapping[int, Upcast]:
        """For each old schema, the function that converts a raw entry to the next one."""
        ...

    @property
    def importers(self) -> tuple[Importer, ...]:
        """Readers of foreign files."""
        ...

    @property
    def exporters(self) -> tuple[Exporter, ...]:
        """Writers of foreign files."""
        ...

    @property
    def tools(self) -> tuple[Tool, ...]:
        """Questions that ``calc`` offers."""
        ...

    @property
    def field_meanings(self) -> Mapping[str, FieldMeaning]:
        """Meanings of fields of the state's records by their names, for questions about a game."""
        ...

    @property
    def bots(self) -> Mapping[str, Bot[V, C]]:
        """Computer players by level, weakest first."""
        ...

    def scenarios(self) -> Mapping[str, Scenario]:
        """Return the shipped scenarios by name; the first is the default."""
        ...

    def check(self, scenario: Scenario, /) -> None:
        """Refuse an invalid scenario.

        Raises:
            ScenarioFault: with the path of the first fault.
        """
        ...

    def seat_range(self, scenario: Scenario) -> tuple[int, int]:
        """Return the minimum and maximum number of players of a scenario, within the traits."""
        ...

    def seat_names(self, scenario: Scenario) -> tuple[str, ...]:
        """Return the names of the seats in a scenario, for its maximum number of players."""
        ...

    def default_seats(self, scenario: Scenario) -> int:
        """Return the default number of players of a scenario."""
        ...

    def with_seats(self, scenario: Scenario, seats: int, computers: frozenset[Seat]) -> Scenario:
        """Return the scenario for a number of players that ``seat_range`` allows.

        ``computers`` are the seats that start with computer players, for rules that treat people
        differently.
        """
        ...

    def position(self, state: S, /) -> Scenario:
        """Return any state as a scenario that begins there."""
        ...

    def empty(self) -> S:
        """Return the state before the first event."""
        ...

    def begin(
        self, scenario: Scenario, options: Mapping[str, Value], dice: Dice, /
    ) -> tuple[E, ...]:
        """Return the events that set the game up; the first holds the scenario and the options.

        Options not given are those of the scenario, then the defaults.

        Raises:
            ScenarioFault: the scenario is invalid.
            OptionFault: an option is unknown or invalid.
        """
        ...

    def setup(self, first: E, /) -> tuple[Scenario, Mapping[str, Value]]:
        """Return the scenario and options of a game, from the first event of its log.

        Raises:
            ValueError: that is not a first event.
        """
        ...

    def owes(self, state: S, /) -> frozenset[Seat]:
        """Return the seats that must act; empty when the game is over."""
        ...

    def may(self, state: S, seat: Seat) -> bool:
        """Return whether commands of the seat are accepted now."""
        ...

    def decide(self, state: S, seat: Seat, command: C, dice: Dice, /) -> tuple[E, ...]:
        """Return the events that a command leads to.

        Raises:
            Refused: the rules do not allow it.
        """
        ...

    def evolve(self, state: S, event: E, /) -> S:
        """Return the state after the event."""
        ...

    def outcome(self, state: S, /) -> Outcome | None:
        """Return the end of the game, or None before it."""
        ...

    def statistics(self, state: S, /) -> Mapping[str, tuple[int, ...]]:
        """Return numbers per seat, for charts and summaries."""
        ...

    def view(self, state: S, viewer: Viewer, /) -> V:
        """Return a viewer's knowledge, built from scratch (never the state minus secrets)."""
        ...

    def redact(self, event: E, before: S, after: S, viewer: Viewer, /) -> E | None:
        """Return the event as the viewer may know it, or None.

        The states are those just before and just after this one event.
        """
        ...

    def offers(self, view: V, about: int | None = None) -> Iterator[C]:
        """Yield commands that will not be refused; with ``about`` only those of one piece."""
        ...

    def imagine(self, view: V, dice: Dice, /) -> S:
        """Return a full state that gives this view; hidden parts are sampled or omitted."""
        ...


AnyRuleset: TypeAlias = Ruleset[Any, Any, Any, Any]


def entry_type(rules: AnyRuleset) -> Any:
    """Return the entry type of this ruleset's logs, for decoders."""
    kinds: Any = (rules.command_type, rules.event_type)
    return cast("Any", Entry)[kinds]
