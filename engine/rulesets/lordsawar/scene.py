"""Records of a scenario file: a land, its sides, and optionally a moment in mid-game.

The map is rows of the signs of ``data/terrain.toml``. Sides, cities, sites and items are numbered
from 0 by their place in the list. What a scenario leaves out is drawn when the game begins; with
``now`` nothing is drawn, because it defines everything.
"""

from __future__ import annotations

from typing import Annotated, Final

from engine.core.record import Range, Record, Scenario, field
from engine.kit.grid import Place
from engine.rulesets.lordsawar.state import (
    MOST_GOLD,
    MOST_POINTS,
    MOST_STRENGTH,
    SIDES,
    Condition,
    HeroQuest,
    NamedHero,
    Reward,
)
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
    Transit,
    UnitType,
)
from engine.strategic.world import GameEnd, Stage

LARGE: Final = 1_000_000
"""Bound of numbers that no rule limits."""

MOST_NUMBER: Final = 1 << 31
"""Bound above every army id that a game can assign."""

_COST: Final = Range(0, LARGE, "LW-9")
_TURNS: Final = Range(1, 99, "LW-9")


class Made(Record, frozen=True):
    """A production slot of a city: a type's key, and changes of its defaults. See: LW-9."""

    unit: str
    strength: Annotated[int | None, Range(1, MOST_STRENGTH, "LW-9")] = None
    turns: Annotated[int | None, _TURNS] = None
    move: Annotated[int | None, Range(1, MOST_POINTS, "LW-9")] = None
    cost: Annotated[int | None, _COST] = None
    upkeep: Annotated[int | None, _COST] = None


class CityPlaced(Record, frozen=True):
    """A city by its top left tile.

    ``slots`` are keys of types, or records. ``owner`` is a side, or 15 for none; a city at a side's
    capital always belongs to that side. ``buys``: new types can be bought. See: LW-1, LW-13.2.
    """

    x: int
    y: int
    name: str = ""
    income: Annotated[int, _COST] = 20
    slots: tuple[str | Made, ...] = ()
    owner: int = NOBODY
    about: str = ""
    buys: bool = True
    original: int | None = None
    making: int = NONE
    left: Annotated[int, Range(0, 99, "LW-13.2")] = 0
    vector: int = NONE
    attacked_by: Annotated[int, Range(0, (1 << NOBODY + 1) - 1, "LW-17")] = 0
    tier: Annotated[int, Range(NONE, 4, "LW-17")] = NONE
    razed: bool = False


SITE_SORTS: Final = ("ruin", "stronghold", "sage", "temple")
"""Kinds of sites; strongholds are ruins that are hidden when the game begins. See: LW-14."""


class SitePlaced(Record, frozen=True):
    """A ruin, stronghold, sage or temple; an ``unknown`` one becomes a ruin.

    ``guardian`` is the keeper's type plus one, or 0 for none. When the game begins, 0 means that a
    keeper is drawn, and -1 means none. See: LW-14, LW-19.5.
    """

    x: int
    y: int
    name: str = ""
    kind: str = "unknown"
    about: str = ""
    rich: bool = False
    searched: bool = False
    guardian: int = 0
    ally: int = NONE
    known_to: Annotated[int, Range(0, 255, "LW-14")] = 0
    hidden: bool = False


class SidePlaced(Record, frozen=True):
    """A side; its gold is drawn if it is left out. ``capital`` is a city's top left tile.

    ``order`` is the place in the fight order of each type, by type id. See: LW-2.2, LW-20.
    """

    name: str = ""
    capital: Place | None = None
    gold: Annotated[int | None, Range(0, MOST_GOLD, "LW-13.1")] = None
    human: bool = True
    level: Annotated[int, Range(0, 3, "LW-18")] = 0
    order: tuple[int, ...] = ()
    alive: bool = True
    flag: Place | None = None
    stances: tuple[int, ...] = ()
    rating: int = 0
    quest: Quest | None = None
    deeds: Deeds = Deeds()


class Now(Record, frozen=True):
    """A moment in the middle of a game.

    ``discovered`` are rows of two hexadecimal digits for each tile, a bit for each side; empty
    means that all sides know everything. ``treaties``: 0 peace, 1 war in the field, 2 war.
    """

    order: tuple[int, ...]
    treaties: tuple[tuple[int, ...], ...]
    turn: Annotated[int, Range(1, 100_000, "LW-17")] = 1
    at: int = 0
    stage: Stage = "orders"
    armies: tuple[Army, ...] = ()
    conditions: tuple[Condition, ...] = ()
    transits: tuple[Transit, ...] = ()
    proposals: tuple[tuple[int, ...], ...] = ()
    opinions: tuple[tuple[int, ...], ...] = ()
    scores: tuple[int, ...] = ()
    discovered: tuple[str, ...] = ()
    question: Question | None = None
    trail: tuple[Place, ...] = ()
    trail_of: int = NOBODY
    rewards: tuple[Reward, ...] = ()
    quests: tuple[HeroQuest, ...] = ()
    lifted: bool = False
    next_id: Annotated[int, Range(1, MOST_NUMBER - 1, "LW-1")] = 1
    secret: str = ""
    origin: str = ""
    winners: tuple[int, ...] = ()
    reason: GameEnd | None = None


class NewMap(Record, frozen=True):
    """A land that is generated when the game begins; shares of terrain are in percent.

    ``sides`` is set to the number of players, and ``people`` to which of them are human (empty:
    all). ``drawn`` is the part of the seed that is drawn when the game begins and the map is
    hidden, 32 hexadecimal digits. See: LW-20.
    """

    seed: Annotated[int, Range(-(10**9), 10**9, "LW-20")] = 1
    sides: Annotated[int, Range(*SIDES, "LW-19.3")] = 4
    width: int = 70
    height: int = 105
    water: Annotated[int, Range(0, 60, "LW-20")] = 7
    hills: Annotated[int, Range(0, 40, "LW-20")] = 10
    forest: Annotated[int, Range(0, 40, "LW-20")] = 3
    swamp: Annotated[int, Range(0, 20, "LW-20")] = 2
    cities: Annotated[int, Range(4, 100, "LW-20")] = 20
    people: tuple[bool, ...] = ()
    drawn: str = ""


class Map(Scenario, frozen=True):
    """A scenario: either ``rows`` with everything in them, or ``new``.

    ``options`` are the scenario's defaults; a player's choice overrides them. ``units`` replaces
    the types of the default army set; ``guardians`` are the keepers of sites. Without ``items`` the
    game uses its own pool. ``rewards`` are those of sites; missing ones are drawn. ``neutral_gold``
    is the treasury of the neutral side. ``heroes`` are offered before any others. ``ground_costs``
    are the costs of grass, water, forest, hills, mountain and swamp, if they differ from the
    book's. ``meant_for`` is the usual number of sides; 0 means all.
    """

    rows: tuple[str, ...] = ()
    roads: tuple[str, ...] = ()
    sides: tuple[SidePlaced, ...] = ()
    cities: tuple[CityPlaced, ...] = ()
    sites: tuple[SitePlaced, ...] = ()
    signs: tuple[Sign, ...] = ()
    items: tuple[Item, ...] = ()
    rewards: tuple[Reward, ...] = ()
    guardians: tuple[Guardian, ...] = ()
    units: tuple[UnitType, ...] = ()
    neutral_order: tuple[int, ...] = ()
    neutral_gold: Annotated[int, Range(0, MOST_GOLD, "LW-13.1")] = 0
    heroes: tuple[NamedHero, ...] = ()
    ground_costs: tuple[int, ...] = ()
    options: dict[str, int | str] = field(default_factory=dict)
    new: NewMap | None = None
    now: Now | None = None
    meant_for: int = 0
