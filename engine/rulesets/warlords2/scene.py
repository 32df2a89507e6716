"""The records of a scenario file: a land, its sides and pieces, and optionally a mid-game moment.

The map consists of rows of the signs of ``data/terrain.toml``. Sides, cities, sites and items are
numbered from 0 by their position in the list. Omitted values are drawn when the game begins. With
``now`` nothing is drawn, because it defines everything.
"""

from __future__ import annotations

from typing import Annotated, Final

from engine.core.record import Range, Record, Scenario, field
from engine.kit.grid import Place
from engine.rulesets.warlords2.state import MOST_GOLD, MOST_POINTS, MOST_SLOTS, MOST_STRENGTH, SIDES
from engine.strategic.pieces import (
    NOBODY,
    NONE,
    Army,
    Deeds,
    Guardian,
    Item,
    Quest,
    Question,
    Sign,
    SiteKind,
    Tower,
    Transit,
    UnitType,
)
from engine.strategic.world import GameEnd, Stage

LARGE: Final = 30000
"""Bound of numbers that no rule limits."""

MOST_NUMBER: Final = 1 << 31
"""Exclusive upper bound of army numbers."""

_SOME: Final = Range(1, MOST_POINTS, "W2-9.1")
_COST: Final = Range(0, LARGE, "W2-9.1")
_DIAL: Final = Range(0, 6, "W2-15", "is not from {low} to {high}")


class Made(Record, frozen=True):
    """Production of a city: a type by its key, and the numbers that differ from its defaults."""

    unit: str
    strength: Annotated[int | None, Range(1, MOST_STRENGTH, "W2-9.1")] = None
    turns: Annotated[int | None, _SOME] = None
    move: Annotated[int | None, _SOME] = None
    cost: Annotated[int | None, _COST] = None


class CityPlaced(Record, frozen=True):
    """A city by its top left tile. See: W2-9.1.

    ``slots`` are keys of types, or records. ``owner`` is a side, or 15 for neutral; a city at a
    side's capital always belongs to that side.
    """

    x: int
    y: int
    name: str = ""
    income: Annotated[int, _COST] = 20
    slots: tuple[str | Made, ...] = ()
    owner: int = NOBODY
    about: str = ""
    original: int | None = None
    making: int = NONE
    left: Annotated[int, Range(0, MOST_POINTS, "W2-9.1")] = 0
    vector: int = NONE
    attacked_by: Annotated[int, Range(0, (1 << NOBODY + 1) - 1, "W2-9.1")] = 0
    tier: Annotated[int, Range(NONE, MOST_SLOTS, "W2-9.1")] = NONE
    razed: bool = False


class SitePlaced(Record, frozen=True):
    """A site; what is ``unknown`` is drawn when the game begins. See: W2-10.4."""

    x: int
    y: int
    name: str = ""
    kind: SiteKind = "unknown"
    about: str = ""
    rich: bool = False
    searched: bool = False
    guardian: int = 0
    ally: int = NONE
    known_to: Annotated[int, Range(0, 255, "W2-10.4", "is not from {low} to {high}")] = 0
    hidden: bool = False


class SidePlaced(Record, frozen=True):
    """A side; its gold is drawn if omitted. ``capital`` is a city's top left tile.

    ``order`` is the position of each type in the line of battle, by type id. See: W2-8.4, W2-15.7.
    """

    name: str = ""
    capital: Place | None = None
    gold: Annotated[int | None, Range(0, MOST_GOLD, "W2-1.4")] = None
    human: bool = True
    level: Annotated[int, Range(0, 3, "W2-1.4")] = 0
    enhanced: bool = False
    order: tuple[int, ...] = ()
    alive: bool = True
    flag: Place | None = None
    rating: Annotated[int, Range(0, 10**6, "W2-1.4")] = 0
    stances: tuple[int, ...] = ()
    quest: Quest | None = None
    deeds: Deeds = Deeds()


class Now(Record, frozen=True):
    """A moment in the middle of a game.

    ``discovered`` has rows of two hexadecimal digits for each tile, a bit for each side; without
    rows, every side has discovered everything. ``treaties``: 0 peace, 1 hostile, 2 war, the same
    both ways. ``trail`` is the path of the last group of the side ``trail_of``.
    """

    order: tuple[int, ...]
    treaties: tuple[tuple[int, ...], ...]
    turn: Annotated[int, Range(1, 100_000, "W2-13.1", "is not from {low} to {high}")] = 1
    at: int = 0
    stage: Stage = "orders"
    armies: tuple[Army, ...] = ()
    transits: tuple[Transit, ...] = ()
    towers: tuple[Tower, ...] = ()
    discovered: tuple[str, ...] = ()
    question: Question | None = None
    trail: tuple[Place, ...] = ()
    trail_of: int = NOBODY
    lifted: bool = False
    next_id: Annotated[int, Range(1, MOST_NUMBER - 1, "W2-1.8")] = 1
    key: Annotated[int, Range(0, 1 << 32, "W2-1.7", "is too high or too low")] = 0
    secret: str = ""
    origin: str = ""
    winners: tuple[int, ...] = ()
    reason: GameEnd | None = None


class NewMap(Record, frozen=True):
    """A land that is generated when the game begins. See: W2-15.

    The dials go from 0 (little) to 6 (much). ``sides`` is the number of sides in play. ``people``
    is True for each human side; empty means that all are human. ``drawn`` is the part of the seed
    that is drawn at the start if the map is hidden, 32 hexadecimal digits. It is revealed when the
    game is over, and recreates the map for an open game.
    """

    seed: Annotated[int, Range(-(10**9), 10**9, "W2-15", "has more than nine digits")] = 1
    sides: Annotated[int, Range(*SIDES, "W2-1.3", "is not from {low} to {high}")] = 4
    width: int = 112
    height: int = 156
    water: Annotated[int, _DIAL] = 3
    hills: Annotated[int, _DIAL] = 3
    forest: Annotated[int, _DIAL] = 3
    cities: Annotated[int, _DIAL] = 3
    people: tuple[bool, ...] = ()
    drawn: str = ""


class Map(Scenario, frozen=True):
    """A scenario: either ``rows`` with everything in them, or ``new``.

    ``art`` has rows of two hexadecimal digits for each tile, its picture; if empty, pictures are
    chosen by the tile's position (section 15.10). ``table`` has 512 hexadecimal digits, the
    category of each picture; if empty, the game's own applies. ``options`` are the switches and
    options of this scenario; a player's choice overrides them. ``units`` replaces the types of
    section 7. ``neutral_order`` is the line of battle of neutral armies (W2-8.4). Without
    ``items``, those of the game are drawn, from ``pool`` if it is not empty; if both are given, the
    pool completes them (W2-10.3). ``meant_for`` is the default number of sides; 0: all.
    """

    rows: tuple[str, ...] = ()
    roads: tuple[str, ...] = ()
    sides: tuple[SidePlaced, ...] = ()
    cities: tuple[CityPlaced, ...] = ()
    sites: tuple[SitePlaced, ...] = ()
    ports: tuple[Place, ...] = ()
    signs: tuple[Sign, ...] = ()
    items: tuple[Item, ...] = ()
    pool: tuple[Item, ...] = ()
    guardians: tuple[Guardian, ...] = ()
    units: tuple[UnitType, ...] = ()
    neutral_order: tuple[int, ...] = ()
    options: dict[str, int | str] = field(default_factory=dict)
    art: tuple[str, ...] = ()
    table: str = ""
    new: NewMap | None = None
    now: Now | None = None
    meant_for: int = 0
