"""Records: pieces, seats, battles, the state of a game, views of it, and scenarios."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

from engine.core.containers import Roster
from engine.core.record import Range, Record, Scenario

NOBODY: Final = -1
"""Owner of a tile without a castle, and value for no seat."""

NOWHERE: Final = 0
"""Tile of a unit that is not on the board."""

HIDDEN: Final = "?"
"""A card or terrain tile that the viewer may not know."""

MOST_SEATS: Final = 6
MOST_GOLD: Final = 1_000_000
MOST_ROUNDS: Final = 1_000_000

Terrain: TypeAlias = Literal["field", "forest", "mountain"]

UnitKind: TypeAlias = Literal[
    "sword", "archer", "shield", "catapult", "general", "crown", "special"
]
UNIT_KINDS: Final[tuple[UnitKind, ...]] = (
    *("sword", "archer", "shield", "catapult", "general", "crown", "special"),
)
"""Types of units, in the order of their numbers. See: KA-2.1."""

BasicKind: TypeAlias = Literal["sword", "archer", "shield"]
BASIC: Final[tuple[BasicKind, ...]] = ("sword", "archer", "shield")

UnitPlace: TypeAlias = Literal["reserve", "board", "removed", "dead", "fallen", "out"]
"""Location of a unit.

``removed`` units wait for the end of a battle, ``fallen`` ones are Special Units that can come
back, and ``out`` ones have left the game. See: KA-1.
"""

Phase: TypeAlias = Literal[
    "world", "realms", "castles", "deployment",
    "event", "income", "spawn", "action", "purchase", "reinforcement",
]  # fmt: skip
"""Steps of the set-up, then the six phases of a turn. See: KA-5, KA-6."""

SETUP_PHASES: Final[tuple[Phase, ...]] = ("world", "realms", "castles", "deployment")
TURN_PHASES: Final[tuple[Phase, ...]] = (
    *("event", "income", "spawn", "action", "purchase", "reinforcement"),
)

BattleStep: TypeAlias = Literal["magic", "aim", "losses", "after", "invasion"]
"""Decision that a battle waits for. See: KA-7.1."""

Statement: TypeAlias = Literal["", "in", "out"]
"""Answer about Magic; empty before it is given."""

BattleVerdict: TypeAlias = Literal[
    "", "attacker_wins", "defender_wins", "defender_holds", "both_destroyed", "abandoned"
]
"""Outcome of a battle; ``abandoned`` if a side resigned during it. See: KA-7.9, KA-8.4."""

End: TypeAlias = Literal["", "last_crown", "no_crown", "round_limit"]
"""Reason for the end of a game; empty until then. See: KA-17."""


class Options(Record, frozen=True):
    """Options of a game. See: KA-0."""

    world_building: Literal["dealt", "drawn"] = "dealt"
    castle_die: Literal["none", "d8"] = "none"
    magic: Literal["on", "off"] = "on"
    events: Literal["on", "off"] = "on"
    start_gold: int = 3
    round_limit: int = 0


class Choices(Record, frozen=True):
    """Options that a scenario sets; None means the default."""

    world_building: Literal["dealt", "drawn"] | None = None
    castle_die: Literal["none", "d8"] | None = None
    magic: Literal["on", "off"] | None = None
    events: Literal["on", "off"] | None = None
    start_gold: Annotated[int | None, Range(0, 20, "KA-0")] = None
    round_limit: Annotated[int | None, Range(0, 999, "KA-0")] = None


class Tile(Record, frozen=True):
    """A hex by its number from 1, row by row.

    ``terrain`` is empty until a tile is placed. ``castle`` is the seat that built the Castle on it,
    or NOBODY. See: KA-1, KA-3.1.
    """

    id: int
    terrain: Terrain | Literal[""] = ""
    castle: int = NOBODY


class Unit(Record, frozen=True):
    """A unit; its id is 100 times the seat, plus 10 times the type's number, plus a count from 1.

    So 213 is the third Sword of seat 2. ``owner`` changes only when a Special Unit is transferred;
    ``gained`` is the number of its last transfer in the game, or 0.
    Rules: KA-1. See: KA-2.1, KA-8.3.
    """

    id: int
    owner: int
    kind: UnitKind
    upgraded: bool = False
    place: UnitPlace = "reserve"
    tile: int = NOWHERE
    done: bool = False
    gained: int = 0


class Player(Record, frozen=True):
    """A seat; secret cards in ``hand`` and ``deck`` are HIDDEN in views, but countable.

    ``hand`` is in the order of arrival, ``deck`` starts at the top. The counts are battles fought
    and won, dice thrown, their sum, and twice the expected sum. See: KA-1, KA-15.
    """

    id: int
    realm: str = ""
    gold: int = 0
    alive: bool = True
    hand: tuple[str, ...] = ()
    deck: tuple[str, ...] = ()
    spent: tuple[str, ...] = ()
    battles: int = 0
    battles_won: int = 0
    dice: int = 0
    dice_sum: int = 0
    dice_expected: int = 0


class EventInProgress(Record, frozen=True):
    """An event card in progress; the first seat of ``asked`` must answer. See: KA-11."""

    card: str
    asked: tuple[int, ...] = ()


class Die(Record, frozen=True):
    """A die of a battle; ``side`` is 0 for the attacker, 1 for the defender.

    ``unit`` is the id of its unit, or 0 for dice of terrain, castle or card; ``source`` says which.
    ``first`` is the value before a reroll, 0 if it was thrown once. See: KA-7.5, KA-7.6.
    """

    side: int
    unit: int
    source: Literal["unit", "terrain", "castle", "card"]
    sides: int
    value: int
    first: int = 0


class BattleSide(Record, frozen=True):
    """One side of a battle.

    ``card`` is the committed card: empty if none, and HIDDEN in views of others until both sides
    have answered. ``applied`` is set after its effect, ``cancelled`` if a negation struck it.
    ``losses`` is the number of casualties to choose; ``lost`` are the units chosen.
    ``after`` is the answer about an after-battle card. See: KA-7.
    """

    seat: int
    tile: int
    statement: Statement = ""
    card: str = ""
    applied: bool = False
    cancelled: bool = False
    pairs_lost: int = 0
    losses: int = 0
    lost: tuple[int, ...] = ()
    chosen: bool = False
    after: Statement = ""
    after_card: str = ""
    after_units: tuple[int, ...] = ()


class Battle(Record, frozen=True):
    """A battle in progress: its step, the seat asked now, and both sides.

    ``sides`` are attacker and defender. ``arrivals`` are Special Units that will appear on the
    battle tile; the one with a reserved place comes first. ``invaders`` is the number of units that
    must move in. See: KA-7, KA-8.3.
    """

    sides: tuple[BattleSide, BattleSide]
    step: BattleStep = "magic"
    asked: int = NOBODY
    revealed: bool = False
    dice: tuple[Die, ...] = ()
    pairs: int = 0
    verdict: BattleVerdict = ""
    arrivals: tuple[int, ...] = ()
    invaders: int = 0


class Progress(Record, frozen=True, kw_only=True):
    """Fields that states, views and scenarios share.

    ``first`` is the First Player, decided by the (seat, value) rolls of ``order_rolls``. ``active``
    is the seat that acts in set-up or turn. ``spawned`` are castle tiles whose free spawn is used,
    and ``drawn`` is the terrain to be placed next. ``bag`` and ``event_deck`` start at the top and
    are HIDDEN in views. See: KA-1, KA-5, KA-6.
    """

    first: int = 0
    order_rolls: tuple[tuple[tuple[int, int], ...], ...] = ()
    active: int = 0
    round: int = 1
    phase: Phase = "world"
    battle_used: bool = False
    spawned: tuple[int, ...] = ()
    drawn: Terrain | Literal[""] = ""
    bag: tuple[str, ...] = ()
    event_deck: tuple[str, ...] = ()
    event_discard: tuple[str, ...] = ()
    event: EventInProgress | None = None
    battle: Battle | None = None
    reason: End = ""
    winners: tuple[int, ...] = ()


class State(Progress, frozen=True, weakref=True, kw_only=True):
    """A position; ``layout`` is the number of tiles and identifies the layout. See: KA-3.1."""

    layout: int
    tiles: Roster[Tile]
    players: Roster[Player]
    units: Roster[Unit]
    options: Options
    name: str = ""
    title: str = ""
    about: str = ""


class View(Progress, frozen=True, weakref=True, kw_only=True):
    """A position as one viewer knows it; secret cards and decks are HIDDEN. See: KA-15."""

    viewer: int
    layout: int
    tiles: Roster[Tile]
    players: Roster[Player]
    units: Roster[Unit]
    options: Options
    name: str = ""
    title: str = ""
    about: str = ""


StateOrView: TypeAlias = State | View
"""Argument of queries that need no hidden information."""

_HEADER: Final = ("name", "title", "about", *Progress.__struct_fields__)


def header(record: Any) -> dict[str, Any]:
    """Return the common fields of states and views, by name."""
    return {name: getattr(record, name) for name in _HEADER}


# -- scenarios -------------------------------------------------------------------------------------


class Stack(Record, frozen=True):
    """Units of a seat on a tile in a scenario, by type; a plus sign marks an upgraded one.

    A Special Unit can be followed by a colon and the seat it was made for, as in ``special:2``.
    Those of other seats were gained in the order in which they are listed, ``stacks`` before
    ``dead``.
    """

    at: str
    seat: Annotated[int, Range(0, MOST_SEATS - 1, "KA-1")]
    units: tuple[str, ...]
    done: tuple[str, ...] = ()


class Now(Progress, frozen=True, kw_only=True):
    """A moment in the middle of a game; nothing is drawn or asked any longer.

    Positions saved from a game list all ``units``. Files written by hand list ``stacks``; the rest
    of an army is in the reserve or among the ``dead``.
    """

    players: tuple[Player, ...]
    units: tuple[Unit, ...] = ()
    stacks: tuple[Stack, ...] = ()
    dead: tuple[Stack, ...] = ()
    phase: Phase = "action"


class War(Scenario, frozen=True):
    """A scenario: the number of seats, and the parts of the world that are fixed.

    ``tiles`` is the number of tiles, or 0 for the layout of that many seats. ``rows`` are strings
    of the letters F, W and M (field, wood, mountain), or empty if the world is built in the game.
    ``realms`` and ``castles`` (ids of tiles such as A2) are by seat; what they give is not chosen.
    See: KA-3.1, KA-5.
    """

    seats: Annotated[int, Range(2, MOST_SEATS, "KA-3.1")] = 2
    tiles: int = 0
    rows: tuple[str, ...] = ()
    realms: tuple[str, ...] = ()
    castles: tuple[str, ...] = ()
    options: Choices = Choices()
    now: Now | None = None
