"""Tables of the rule book: unit types, items and numbers of the default army set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final, TypeAlias

from engine.core.containers import Roster
from engine.core.record import Record
from engine.kit.tables import load
from engine.rulesets.lordsawar.kinds import ItemFlag, MoveBonus, Terrain, UnitFlagName, flag_bits
from engine.strategic.generate.terrain import Coasts
from engine.strategic.pieces import ItemPowers

PACKAGE: Final = "engine.rulesets.lordsawar"

DrawRange: TypeAlias = tuple[int, int]
"""Minimum and maximum of a draw."""


_PERSONAL: Final[Mapping[str, int]] = {"ADD1STR": 1, "ADD2STR": 2, "ADD3STR": 3}
_COMMANDING: Final[Mapping[str, int]] = {"ADD1STACK": 1, "ADD2STACK": 2, "ADD3STACK": 3}


_LEAST_PURSE: Final = 2
"""Minimum gold for each city that an item can give. See: LW-11."""


# -- rows ------------------------------------------------------------------------------------------


class ArmysetUnit(Record, frozen=True):
    """A type of unit.

    ``price`` 0 means that its production cannot be bought; ``value`` is gained by killing it.
    See: LW-9.
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
        """Abilities as bits of ``UnitFlag``."""
        return flag_bits(self.bonus)

    @property
    def flies(self) -> bool:
        """True if the move bonus covers all terrains but grass."""
        return len(self.move_bonus) == len(Terrain) - 1


class ArmysetItem(Record, frozen=True):
    """An item. ``charges`` 0 means worn; the fields after it describe a use. See: LW-11."""

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
    """A kind of quest, with the minimum and maximum count of its goal."""

    kind: str
    source: str
    range: DrawRange = (0, 0)


class CombatNumbers(Record, frozen=True):
    """Numbers of strength and damage. See: LW-3.1 to LW-3.6, LW-4.1."""

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
    """Numbers of healing. See: LW-6.5."""

    source: str
    share: int
    plain_up_to: int
    plain_gain: int
    large_extra: int


class MedalNumbers(Record, frozen=True):
    """Thresholds and gains of medals. See: LW-6.4."""

    source: str
    battles_above: int
    dealt_above: int
    taken_below: int
    strength_gain: int
    value_gain: int


class LevelNumbers(Record, frozen=True):
    """Thresholds and gains of a hero's levels. See: LW-10."""

    source: str
    experience_each: int
    strength_gain: int
    moves_gain: int
    sight_gain: int
    hit_points_gain: int
    value_growth_percent: int


class HeroOfferNumbers(Record, frozen=True):
    """Chance, price and allies of heroes on offer, and the powers of their standard."""

    source: str
    one_in: int
    price: DrawRange
    divisor_without_hero: int
    allies_above: tuple[int, ...]
    standard: tuple[ItemFlag, ...]


class LimitNumbers(Record, frozen=True):
    """Maximum numbers of armies, slots and turns."""

    source: str
    stack: int
    armies_on_tile: int
    slots: int
    production_turns: int
    vector_sources: int
    vector_turns: int
    active_neutral_garrison: int


class MovementNumbers(Record, frozen=True):
    """Costs of tiles, and movement points."""

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
    """Ranges of random rewards."""

    source: str
    gold: DrawRange
    sage_gold: DrawRange
    allies: DrawRange
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
    income: DrawRange
    capital_income: DrawRange
    tiny: DrawRange
    small: DrawRange
    normal: DrawRange


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
    """Return the default army set."""
    return load(PACKAGE, "armyset", Armyset)


@cache
def unit_types() -> Roster[ArmysetUnit]:
    """Return the types of unit by id. Rules: LW-9.1."""
    return Roster(armyset().units)


@cache
def units_by_key() -> Mapping[str, ArmysetUnit]:
    """Return the types of unit by the key that files and tools use."""
    return {row.key: row for row in armyset().units}


@cache
def default_fight_order() -> tuple[int, ...]:
    """Return the unit types in table order: the first one fights first. See: LW-2.2."""
    return tuple(row.id for row in armyset().units)


def power_names(powers: ItemPowers) -> tuple[str, ...]:
    """Return the names of the powers of an item that is not in the table. See: LW-11.

    >>> power_names(ItemPowers(worn=(("weapon", 4), ("flight", 1)), acts=("SINK_SHIPS",)))
    ('ADD3STR', 'ADD1STR', 'FLYSTACK', 'SINK_SHIPS')
    """
    return (*(name for kind, value in powers.worn for name in _worn(kind, value)), *powers.acts)


def _worn(kind: str, value: int) -> tuple[str, ...]:
    match kind:
        case "weapon" | "command":
            end = "STR" if kind == "weapon" else "STACK"
            rest = (f"ADD{value % 3}{end}",) if value % 3 else ()
            return (*(f"ADD3{end}",) * (value // 3), *rest)
        case "purse":
            most = max(step for step in (2, 3, 4, 5, 0) if step <= value)
            more = _worn(kind, value - most) if value - most >= _LEAST_PURSE else ()
            return (f"ADD{most}GOLDPERCITY", *more) if most else ()
        case "flight":
            return ("FLYSTACK",) * value
        case "speed":
            return ("DOUBLEMOVESTACK",) * value
        case _:
            return ()


def personal_strength(flags: Iterable[str]) -> int:
    """Sum what the powers of a hero's items add to its own strength. Rules: LW-11.1. See: LW-3.1.

    >>> personal_strength(["ADD3STR", "ADD1STR", "ADD2STACK"])
    4
    """
    return sum(_PERSONAL.get(flag, 0) for flag in flags)


def command_items(flags: Iterable[str]) -> int:
    """Sum what the powers of a hero's items add to its side. Rules: LW-11.1. See: LW-3.3.

    >>> command_items(["ADD3STR", "ADD1STACK", "ADD2STACK"])
    3
    """
    return sum(_COMMANDING.get(flag, 0) for flag in flags)


# -- new maps --------------------------------------------------------------------------------------


class NameWords(Record, frozen=True):
    """Words from which names are built."""

    first: tuple[str, ...]
    second: tuple[str, ...]
    ruins: tuple[str, ...]
    strongholds: tuple[str, ...]
    sages: tuple[str, ...]
    temples: tuple[str, ...]


class LandRecipe(Record, frozen=True):
    """Table of the map generator. See: LW-20."""

    tries: int
    spread: int
    turns: int
    points: int
    neighbours: int
    apart: int
    per_side: int
    margin: int
    gap: int
    ruins: DrawRange
    temples: DrawRange
    signs: DrawRange
    signs_away: int
    road_reach: int
    bridge: int
    ridge: int
    rivers: int
    wood: int
    price: tuple[int, ...]
    coasts: Coasts
    names: NameWords


@cache
def recipe() -> LandRecipe:
    """Return the numbers and words of the map generator. See: LW-20."""
    return load(PACKAGE, "generator", LandRecipe)
