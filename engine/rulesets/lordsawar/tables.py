"""Tables of the rule book: flags, unit types, items and numbers of the default army set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import IntEnum, IntFlag
from functools import cache, reduce
from typing import Final, Literal, TypeAlias

from engine.core.containers import Roster
from engine.core.record import Record
from engine.kit.tables import load

PACKAGE: Final = "engine.rulesets.lordsawar"

Span: TypeAlias = tuple[int, int]
"""Least and greatest value of a draw."""


class UnitFlag(IntFlag):
    """Abilities of a unit, with the bits that files of the original use. Rules: LW-1."""

    ADD1STRINOPEN = 1
    ADD2STRINOPEN = 2
    ADD1STRINFOREST = 4
    ADD1STRINHILLS = 8
    ADD1STRINCITY = 16
    ADD2STRINCITY = 32
    ADD1STACKINHILLS = 64
    SUBALLCITYBONUS = 128
    SUB1ENEMYSTACK = 256
    ADD1STACK = 512
    ADD2STACK = 1024
    SUBALLNONHEROBONUS = 2048
    SUBALLHEROBONUS = 4096
    FORTIFY = 8192
    ADD2STRINFOREST = 16384
    ADD2STRINHILLS = 32768
    SUB2ENEMYSTACK = 65536
    CONFER_MOVE_BONUS = 131072


UnitFlagName: TypeAlias = Literal[
    "ADD1STRINOPEN",
    "ADD2STRINOPEN",
    "ADD1STRINFOREST",
    "ADD1STRINHILLS",
    "ADD1STRINCITY",
    "ADD2STRINCITY",
    "ADD1STACKINHILLS",
    "SUBALLCITYBONUS",
    "SUB1ENEMYSTACK",
    "ADD1STACK",
    "ADD2STACK",
    "SUBALLNONHEROBONUS",
    "SUBALLHEROBONUS",
    "FORTIFY",
    "ADD2STRINFOREST",
    "ADD2STRINHILLS",
    "SUB2ENEMYSTACK",
    "CONFER_MOVE_BONUS",
]
"""Names of ``UnitFlag`` as tables write them."""

ItemFlag: TypeAlias = Literal[
    "ADD1STR",
    "ADD2STR",
    "ADD3STR",
    "ADD1STACK",
    "ADD2STACK",
    "ADD3STACK",
    "FLYSTACK",
    "DOUBLEMOVESTACK",
    "ADD2GOLDPERCITY",
    "ADD3GOLDPERCITY",
    "ADD4GOLDPERCITY",
    "ADD5GOLDPERCITY",
    "STEAL_GOLD",
    "SINK_SHIPS",
    "PICK_UP_BAGS",
    "ADD_2MP_STACK",
    "BANISH_WORMS",
    "BURN_BRIDGE",
    "CAPTURE_KEEPER",
    "SUMMON_MONSTER",
    "DISEASE_CITY",
    "RAISE_DEFENDERS",
    "PERSUADE_NEUTRALS",
    "TELEPORT_TO_CITY",
    "PLANT_TO_VECTOR",
]
"""Powers of items, worn ones first. Rules: LW-11."""

MoveBonus: TypeAlias = Literal["water", "forest", "hills", "mountain", "swamp"]
"""Terrains that a unit may cross easily; all five: it flies. Rules: LW-9."""

_PERSONAL: Final[Mapping[str, int]] = {"ADD1STR": 1, "ADD2STR": 2, "ADD3STR": 3}
_COMMANDING: Final[Mapping[str, int]] = {"ADD1STACK": 1, "ADD2STACK": 2, "ADD3STACK": 3}


class Terrain(IntEnum):
    """Kinds of land, with the digits that files of the original use. Rules: LW-1."""

    GRASS = 0
    WATER = 1
    FOREST = 2
    HILLS = 3
    MOUNTAIN = 4
    SWAMP = 5


class Building(IntEnum):
    """Constructions on a tile, at most one on each. Rules: LW-1."""

    NONE = 0
    CITY = 1
    RUIN = 2
    TEMPLE = 3
    SIGNPOST = 4
    ROAD = 5
    PORT = 6
    BRIDGE = 7
    STONE = 8


# -- rows ------------------------------------------------------------------------------------------


class ArmysetUnit(Record, frozen=True):
    """A type of unit. ``price`` 0: its production cannot be bought; ``value``: when killed.

    Rules: LW-9.
    """

    id: int
    key: str
    name: str
    source: str
    strength: int
    max_hp: int
    moves: int
    sight: int
    turns: int
    cost: int
    price: int
    upkeep: int
    value: int
    move_bonus: tuple[MoveBonus, ...] = ()
    bonus: tuple[UnitFlagName, ...] = ()
    awardable: bool = False
    guards_ruins: bool = False
    hero: bool = False

    @property
    def flags(self) -> int:
        """The abilities as bits of ``UnitFlag``."""
        return flag_bits(self.bonus)

    @property
    def flies(self) -> bool:
        """Flight: a move bonus on all terrains but grass."""
        return len(self.move_bonus) == len(Terrain) - 1


class ArmysetItem(Record, frozen=True):
    """An item. ``charges`` 0: worn; otherwise uses, with their ``unit``, ``amount``, ``percent``.

    Rules: LW-11.
    """

    id: int
    name: str
    source: str
    bonus: tuple[ItemFlag, ...]
    charges: int = 0
    unit: int = -1
    amount: int = 0
    percent: int = 0
    site: str = ""


class QuestRow(Record, frozen=True):
    """A kind of quest, with the least and greatest count of its goal."""

    kind: str
    source: str
    range: Span = (0, 0)


class CombatNumbers(Record, frozen=True):
    """Numbers of strength and damage. Rules: LW-3.1 to LW-3.6, LW-4.1."""

    source: str
    most_strength: int
    ship_strength: int
    most_bonus: int
    site_bonus: int
    fortify_bonus: int
    command_from: tuple[int, ...]
    sides: int
    sides_intense: int
    damage_factor: int
    least_damage_tenths: int
    trials: int


class HealingNumbers(Record, frozen=True):
    """Numbers of healing. Rules: LW-6.5."""

    source: str
    share: int
    plain_up_to: int
    plain_gain: int
    large_extra: int


class MedalNumbers(Record, frozen=True):
    """Thresholds and gains of medals. Rules: LW-6.4."""

    source: str
    battles_above: int
    dealt_above: int
    taken_below: int
    strength_gain: int
    value_gain: int


class LevelNumbers(Record, frozen=True):
    """Thresholds and gains of a hero's levels. Rules: LW-10."""

    source: str
    experience_each: int
    strength_gain: int
    moves_gain: int
    sight_gain: int
    hit_points_gain: int
    value_growth_percent: int


class HeroOfferNumbers(Record, frozen=True):
    """Chance, price and allies of heroes that offer their service, and their standard."""

    source: str
    one_in: int
    price: Span
    divisor_without_hero: int
    allies_above: tuple[int, ...]
    standard: tuple[ItemFlag, ...]


class LimitNumbers(Record, frozen=True):
    """Greatest numbers of armies, slots and turns."""

    source: str
    stack: int
    armies_on_tile: int
    slots: int
    production_turns: int
    vector_sources: int
    vector_turns: int
    active_neutral_garrison: int


class MovementNumbers(Record, frozen=True):
    """Costs of tiles and points of movement."""

    source: str
    grass: int
    shore: int
    open_sea: int
    forest: int
    hills: int
    mountain: int
    swamp: int
    road: int
    bridge: int
    city: int
    eased: int
    ship_points: int
    most_rest: int


class RewardNumbers(Record, frozen=True):
    """Draws of rewards."""

    source: str
    gold: Span
    sage_gold: Span
    allies: Span
    allies_upkeep: int


class RuinNumbers(Record, frozen=True):
    """Odds of searches, and the kinds of ruins on new maps."""

    source: str
    fail_hundredths: int
    hard_from: int
    medium_from: int
    halves: tuple[int, int, int]
    sage_one_in: int
    unguarded_one_in: int
    stronghold_one_in: int


class NewMapNumbers(Record, frozen=True):
    """Incomes of cities and sizes of new maps, width by height."""

    source: str
    income: Span
    capital_income: Span
    tiny: Span
    small: Span
    normal: Span


class Armyset(Record, frozen=True):
    """An army set with the numbers that go with it."""

    id: int
    name: str
    combat: CombatNumbers
    healing: HealingNumbers
    medals: MedalNumbers
    levels: LevelNumbers
    offers: HeroOfferNumbers
    limits: LimitNumbers
    movement: MovementNumbers
    rewards: RewardNumbers
    ruins: RuinNumbers
    new_maps: NewMapNumbers
    units: tuple[ArmysetUnit, ...]
    items: tuple[ArmysetItem, ...]
    quests: tuple[QuestRow, ...]


# -- look-up ---------------------------------------------------------------------------------------


@cache
def armyset() -> Armyset:
    """The default army set."""
    return load(PACKAGE, "armyset", Armyset)


@cache
def unit_types() -> Roster[ArmysetUnit]:
    """The types of unit by id. Rules: LW-9."""
    return Roster(armyset().units)


@cache
def units_by_key() -> Mapping[str, ArmysetUnit]:
    """The types of unit by the word that files and tools use."""
    return {row.key: row for row in armyset().units}


@cache
def default_fight_order() -> tuple[int, ...]:
    """Unit types in the order of the table: the first one fights first. Rules: LW-2.2."""
    return tuple(row.id for row in armyset().units)


@cache
def flag_bits(names: tuple[str, ...]) -> int:
    """Bits of abilities by their names. Rules: LW-1.

    >>> flag_bits(("ADD1STACK", "SUBALLHEROBONUS"))
    4608
    """
    return reduce(lambda bits, name: bits | int(UnitFlag[name]), names, 0)


def flag_names(bits: int) -> tuple[str, ...]:
    """Names of abilities by their bits, in the order of the bits. Rules: LW-1.

    >>> flag_names(4608)
    ('ADD1STACK', 'SUBALLHEROBONUS')
    """
    return tuple(flag.name or "" for flag in UnitFlag if flag & bits)


def personal_strength(flags: Iterable[str]) -> int:
    """Gain of a hero's own strength by the powers of all its items. Rules: LW-3.1, LW-11.

    >>> personal_strength(["ADD3STR", "ADD1STR", "ADD2STACK"])
    4
    """
    return sum(_PERSONAL.get(flag, 0) for flag in flags)


def command_items(flags: Iterable[str]) -> int:
    """Gain of a hero's side by the powers of all its items. Rules: LW-3.3, LW-11.

    >>> command_items(["ADD3STR", "ADD1STACK", "ADD2STACK"])
    3
    """
    return sum(_COMMANDING.get(flag, 0) for flag in flags)
