"""Records: maps, scenarios, the state of a game, and views of it."""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

from engine.core.containers import Roster
from engine.core.record import Record, Scenario
from engine.rulesets.gd6.commands import AnyOrder, Construct, Unit

NOBODY: Final = -1
"""Owner of neutral land, and ``hq`` of territories without headquarters."""

LETTERS: Final = "ABCDEFGHIJKLM"
"""Letters of the seats, shown on screens without colour."""

Phase: TypeAlias = Literal["natural", "construction", "inventory", "movement", "final"]
"""Phase of a turn; between turns, the phase that comes first when the turn closes."""

Variant: TypeAlias = Literal["base", "advanced"]

UnitCounts: TypeAlias = tuple[int, int, int, int]
"""Numbers of armies, cavalry, heavies, spies."""

SeatStatus: TypeAlias = Literal["unsettled", "active", "eliminated"]

End: TypeAlias = Literal["", "mutual_elimination", "last_standing", "domination", "turn_limit"]
"""Reason for the end of a game; empty as long as it goes on. See: GD-END-2 to GD-END-5."""

DeedKind: TypeAlias = Literal[
    "hq", "promote", "spawn", "build", "crop", "dynamite", "toxic", "move", "mines"
]


class Land(Record, frozen=True):
    """The unchanging part of a territory. ``neighbours`` are ids in order.

    ``polygon`` is in map units. ``label`` is the cell of its name at full size.
    """

    id: int
    name: str
    neighbours: tuple[int, ...]
    region: str = ""
    polygon: tuple[tuple[int, int], ...] = ()
    label: tuple[int, int] | None = None
    small_label: tuple[int, int] | None = None
    """Cell of the label in the overview."""


class World(Record, frozen=True, weakref=True):
    """A map: its lands by number from 1, their borders, and how to draw it, if it can be drawn.

    Routes and seams are pairs of territories. See: GD-MAP-1.
    """

    name: str
    title: str
    lands: tuple[Land, ...]
    canvas: tuple[int, int] = (0, 0)
    sea_routes: tuple[tuple[int, int], ...] = ()
    wrap_routes: tuple[tuple[int, int], ...] = ()
    seams: tuple[tuple[int, int], ...] = ()
    colours: tuple[str, ...] = ()
    sites: tuple[int, ...] = ()
    """Suggested territories for headquarters."""
    most_seats: int = 0
    """Number of headquarters that the map has room for; 0 if unknown."""

    def land(self, at: int) -> Land:
        """Return the land with a territory number."""
        return self.lands[at - 1]

    def beside(self, at: int) -> tuple[int, ...]:
        """Return the numbers of the neighbouring territories, in order."""
        return self.lands[at - 1].neighbours


class Options(Record, frozen=True):
    """Options chosen before the game; 0 means no domination or no limit."""

    variant: Variant = "base"
    domination: int = 0
    """Percentage of all territories needed for domination."""
    turn_limit: int = 0


class Choices(Record, frozen=True):
    """Options given by a scenario. None means the default from the table of numbers."""

    variant: Variant = "base"
    domination: int | None = None
    turn_limit: int | None = None


class Territory(Record, frozen=True):
    """A territory now. ``laid`` are (seat, secret mines); all other ``mines`` are public."""

    id: int
    owner: int = NOBODY
    loyalty: int = 0
    army: int = 0
    cavalry: int = 0
    heavy: int = 0
    spy: int = 0
    construct: Construct | None = None
    hq: int = NOBODY
    """Seat that built a headquarters here, or NOBODY."""
    wasteland: bool = False
    mines: int = 0
    laid: tuple[tuple[int, int], ...] = ()


class Snapshot(Record, frozen=True):
    """Possessions of a seat at the beginning of the turn. See: GD-TURN-2."""

    territories: int = 0
    bivouacs: int = 0
    libraries: int = 0


class SeatRecord(Record, frozen=True):
    """Fields of a seat that scenarios and positions have in common."""

    id: int
    name: str = ""
    colour: str = ""
    ip: int = 0
    crop: int = 0
    dynamite: int = 0
    toxic: int = 0
    hq_built: bool = False
    status: SeatStatus = "unsettled"
    sealed: bool = False
    conceding: bool = False


class Player(SeatRecord, frozen=True):
    """A seat. ``orders`` is its list, draft or sealed; ``last`` is the list of the turn before.

    ``forced`` are the referee's orders for it this turn. See: GD-FORCED-1.
    """

    orders: tuple[AnyOrder, ...] = ()
    last: tuple[AnyOrder, ...] = ()
    forced: tuple[AnyOrder, ...] = ()
    opened: Snapshot | None = None


class Squad(Record, frozen=True):
    """The units of one move order.

    ``rank`` is its priority: 0 comes before all others of its seat. ``hop`` is the index in
    ``path`` of the territory that the squad reached last; while ``flying`` it is between that and
    the next.
    """

    id: int
    seat: int
    rank: int
    unit: Unit
    count: int
    path: tuple[int, ...]
    hop: int = 0
    flying: bool = False


class Loss(Record, frozen=True):
    """Losses of a squad in a fight, and the number of units left."""

    squad: int
    seat: int
    unit: Unit
    lost: int
    left: int


class Hop(Record, frozen=True):
    """A squad crossing a border."""

    squad: int
    seat: int
    unit: Unit
    count: int
    source: int
    target: int


class Deed(Record, frozen=True):
    """A public deed of the last turn; deeds of spies are partly hidden."""

    seat: int
    kind: DeedKind
    at: int
    to: int = 0
    what: str = ""
    count: int = 0


class GameProgress(Record, frozen=True, kw_only=True):
    """Public fields of a position: how far the game has progressed."""

    turn: int = 1
    phase: Phase = "natural"
    failed_rounds: int = 0
    """Number of failed settling rounds this turn."""
    choosing: tuple[int, ...] = ()
    """Seats that may write a new list in a settling round."""
    step: int = 0
    squads: Roster[Squad] = Roster()
    deeds: tuple[Deed, ...] = ()
    reason: End = ""
    winners: tuple[int, ...] = ()
    name: str = ""
    title: str = ""
    about: str = ""


class State(GameProgress, frozen=True, weakref=True):
    """A position."""

    world: World
    territories: Roster[Territory]
    players: Roster[Player]
    options: Options


class View(GameProgress, frozen=True, weakref=True):
    """A viewer's view: other seats' drafts, purses, items, spies and secret mines are hidden."""

    viewer: int
    world: World
    territories: Roster[Territory]
    players: Roster[Player]
    options: Options


StateOrView: TypeAlias = State | View
"""Argument of queries that need no hidden information."""


class Seating(SeatRecord, frozen=True):
    """A seat in a scenario: like a Player, but its lists are lines of notation."""

    orders: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    forced: tuple[str, ...] = ()
    opened: Snapshot | None = None


class Setting(Scenario, frozen=True):
    """A scenario: a map, its seats, and what is where.

    Exactly one of these gives the map: ``world``; ``map``, the name of a shipped one; ``borders``,
    a bare graph; or ``new``, the number of territories of a generated map, with ``map_seed``. Seats
    have ids from 0; their number is ``seats``, or that of ``players`` if it is 0. Territories that
    are not listed are neutral and empty. The turn resumes at ``phase``.
    """

    map: str = ""
    world: World | None = None
    borders: tuple[tuple[int, int], ...] = ()
    new: int = 0
    map_seed: int = 0
    seats: int = 0
    players: tuple[Seating, ...] = ()
    territories: tuple[Territory, ...] = ()
    options: Choices = Choices()
    turn: int = 1
    phase: Phase = "natural"
    failed_rounds: int = 0
    choosing: tuple[int, ...] = ()
    deeds: tuple[Deed, ...] = ()
    reason: End = ""
    winners: tuple[int, ...] = ()


_HEADER: Final = (
    *("name", "title", "about", "turn", "phase", "failed_rounds", "choosing"),
    *("deeds", "reason", "winners"),
)


def header(record: Setting | StateOrView) -> dict[str, Any]:
    """Return the common fields of scenarios, states and views, by name."""
    return {name: getattr(record, name) for name in _HEADER}
