"""Records: pieces, seats, battles, the state of a game, views of it, and scenarios."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

from engine.core.containers import Roster
from engine.core.record import Range, Record, Scenario

NOBODY: Final = -1
"""Owner of a tile without a castle, and seat of what has none."""

NOWHERE: Final = 0
"""Tile of a unit that is not on the board."""

HIDDEN: Final = "?"
"""A card or terrain tile as one sees it who may not know it."""

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
"""Types of units, in the order of their numbers. Rules: KA-2.1."""

BasicKind: TypeAlias = Literal["sword", "archer", "shield"]
BASIC: Final[tuple[BasicKind, ...]] = ("sword", "archer", "shield")

UnitPlace: TypeAlias = Literal["reserve", "board", "removed", "dead", "fallen", "out"]
"""Whereabouts of a unit: ``removed`` waits for the end of a battle, ``fallen`` is a Special Unit
that may come back, ``out`` has left the game. Rules: KA-1."""

Phase: TypeAlias = Literal[
    "world", "realms", "castles", "deployment",
    "event", "income", "spawn", "action", "purchase", "reinforcement",
]  # fmt: skip
"""Steps of the set-up, then the six phases of a turn. Rules: KA-5, KA-6."""

SETUP_PHASES: Final[tuple[Phase, ...]] = ("world", "realms", "castles", "deployment")
TURN_PHASES: Final[tuple[Phase, ...]] = (
    *("event", "income", "spawn", "action", "purchase", "reinforcement"),
)

BattleStep: TypeAlias = Literal["magic", "aim", "losses", "after", "invasion"]
"""Decision that a battle waits for. Rules: KA-7.1."""

Statement: TypeAlias = Literal["", "in", "out"]
"""Statement about Magic; empty before it is made."""

BattleVerdict: TypeAlias = Literal[
    "", "attacker_wins", "defender_wins", "defender_holds", "both_destroyed", "abandoned"
]
"""Outcome of a battle; ``abandoned`` if a side resigned in it. Rules: KA-7.9, KA-8.4."""

End: TypeAlias = Literal["", "last_crown", "no_crown", "round_limit"]
"""Reason for the end of a game; empty while it goes on. Rules: KA-17."""


class Options(Record, frozen=True):
    """Options of a game. Rules: KA-0."""

    world_building: Literal["dealt", "drawn"] = "dealt"
    castle_die: Literal["none", "d8"] = "none"
    magic: Literal["on", "off"] = "on"
    events: Literal["on", "off"] = "on"
    start_gold: int = 3
    round_limit: int = 0


class Choices(Record, frozen=True):
    """Options that a scenario sets; None leaves them to the defaults."""

    world_building: Literal["dealt", "drawn"] | None = None
    castle_die: Literal["none", "d8"] | None = None
    magic: Literal["on", "off"] | None = None
    events: Literal["on", "off"] | None = None
    start_gold: Annotated[int | None, Range(0, 20, "KA-0")] = None
    round_limit: Annotated[int | None, Range(0, 999, "KA-0")] = None


class Tile(Record, frozen=True):
    """A hex by its number from 1, row by row. ``terrain`` is empty before a tile is placed.

    ``castle`` is the seat that built the Castle on it, or NOBODY. Rules: KA-1, KA-3.1.
    """

    id: int
    terrain: Terrain | Literal[""] = ""
    castle: int = NOBODY


class Unit(Record, frozen=True):
    """A unit. The id is 100 for each seat, 10 for the type's number, and a number from 1.

    So 213 is the third Sword of seat 2. ``owner`` changes only for a Special Unit that is
    transferred; ``gained`` counts the transfers of its owner. Rules: KA-1, KA-2.1, KA-8.3.
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
    """A seat. Hidden cards of ``hand`` and ``deck`` are HIDDEN in views, so counts stay public.

    ``hand`` is in the order in which cards came, ``deck`` from the top. The counts are of battles
    fought and won, of dice thrown, their sum, and twice the sum to be expected.
    Rules: KA-1, KA-15.
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
    """An event card that is being resolved; the first of ``asked`` must answer. Rules: KA-11."""

    card: str
    asked: tuple[int, ...] = ()


class Die(Record, frozen=True):
    """A die of a battle. ``side`` is 0 for the attacker, 1 for the defender.

    ``unit`` is the id of the unit it belongs to, 0 for dice of terrain, castle or card, which
    ``source`` tells apart. ``first`` is the value before a new throw, 0 if it was thrown once.
    Rules: KA-7.5, KA-7.6.
    """

    side: int
    unit: int
    source: Literal["unit", "terrain", "castle", "card"]
    sides: int
    value: int
    first: int = 0


class BattleSide(Record, frozen=True):
    """One side of a battle.

    ``card`` is the committed card, HIDDEN in views of others until both statements are made and
    empty if none. ``applied`` once its effect is done, ``cancelled`` if a negation struck it.
    ``losses`` is the number of casualties its owner has to choose, ``lost`` those of the dice.
    ``after`` is the statement about an after-battle card. Rules: KA-7.
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
    """A battle in progress: its step, who is asked now, and both sides.

    ``sides`` are attacker and defender. ``arrivals`` are Special Units that will appear on the
    battle tile, the one with the kept place first. ``invaders`` is the number of units that must
    move in. Rules: KA-7, KA-8.3.
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
    """Fields of a position that states, views and scenarios have in common.

    ``first`` is the First Player, by the (seat, value) rolls of ``order_rolls``, ``active`` the
    seat that acts in set-up or turn. ``spawned`` are castle tiles whose free spawn is used,
    ``drawn`` the terrain that waits to be placed. ``bag`` and ``event_deck`` are from the top,
    HIDDEN in views. Rules: KA-1, KA-5, KA-6.
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
    """A position. ``layout`` is the number of tiles, which names the layout. Rules: KA-3.1.1."""

    layout: int
    tiles: Roster[Tile]
    players: Roster[Player]
    units: Roster[Unit]
    options: Options
    name: str = ""
    title: str = ""
    about: str = ""


class View(Progress, frozen=True, weakref=True, kw_only=True):
    """View of one viewer: hands, committed cards and orders of decks are HIDDEN. Rules: KA-15."""

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
"""Argument of queries that need nothing hidden."""

_HEADER: Final = ("name", "title", "about", *Progress.__struct_fields__)


def header(record: Any) -> dict[str, Any]:
    """Common fields of states and views, by name."""
    return {name: getattr(record, name) for name in _HEADER}


# -- scenarios -------------------------------------------------------------------------------------


class Stack(Record, frozen=True):
    """Units of a seat on a tile in a scenario, by type; a plus sign follows an upgraded one.

    The seat that a Special Unit was made for may follow after a colon, as in ``special:2``. Those
    of other seats were gained in the order in which they are listed, ``stacks`` before ``dead``.
    """

    at: str
    seat: Annotated[int, Range(0, MOST_SEATS - 1, "KA-1")]
    units: tuple[str, ...]
    done: tuple[str, ...] = ()


class Now(Progress, frozen=True, kw_only=True):
    """A moment in the middle of a game: nothing is drawn or asked any more.

    Positions that were taken from a game list all ``units``; in files written by hand ``stacks``
    say what stands where, and what they leave of an army is in the reserve or among the ``dead``.
    """

    players: tuple[Player, ...]
    units: tuple[Unit, ...] = ()
    stacks: tuple[Stack, ...] = ()
    dead: tuple[Stack, ...] = ()
    phase: Phase = "action"


class War(Scenario, frozen=True):
    """A scenario: the number of seats, and as much of the world as is fixed.

    ``tiles`` is the number of tiles, 0 for the layout of that many seats. ``rows`` are letters
    F, W and M (field, wood, mountain), one string a row, or nothing where the world is built in
    the game. ``realms`` by seat and ``castles`` by seat (ids of tiles such as A2) leave nothing
    to choose where they are given. Rules: KA-3.1, KA-5.
    """

    seats: Annotated[int, Range(2, MOST_SEATS, "KA-3.1")] = 2
    tiles: int = 0
    rows: tuple[str, ...] = ()
    realms: tuple[str, ...] = ()
    castles: tuple[str, ...] = ()
    options: Choices = Choices()
    now: Now | None = None
