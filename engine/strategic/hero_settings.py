"""Settings by which each ruleset shapes heroes, items, sites and quests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from engine.core.dice import Dice
from engine.kit.grid import Place
from engine.strategic.decision import Decision, roll
from engine.strategic.pieces import Army, Site, SiteKind, UnitType
from engine.strategic.world import World


class DiceSum(NamedTuple):
    """``times`` dice with ``sides`` sides, plus a constant."""

    times: int
    sides: int
    plus: int = 0

    def made(self, dice: Dice) -> int:
        """Roll once and return the sum."""
        return roll(dice, self.times, self.sides, self.plus)


@dataclass(frozen=True, eq=False)
class OfferRules:
    """Rules for the offers of heroes at the start of a turn."""

    names: tuple[tuple[str, bool], ...]
    """Names of heroes, each as (name, True for a woman's name)."""

    price: Callable[[Dice, bool], int]
    """Price in gold, from the dice and whether the side already has a hero."""

    comes: Callable[[Dice, int, int], bool]
    """True if a hero comes, from the dice, the treasury and the price."""

    most: Callable[[int], int]
    """Maximum number of heroes of a side, from its number of cities."""

    most_in_world: int
    companions: Callable[[Dice, int], int]
    """Number of companions, from the dice and the price."""

    may_join: Callable[[UnitType], bool]
    """True for unit types that come as companions or as the reward of a quest."""


@dataclass(frozen=True, eq=False)
class LevelRules:
    """Experience, levels and titles of heroes."""

    thresholds: tuple[int, ...]
    """``thresholds[n]`` is the experience a hero of level n needs to rise."""

    strength: int
    """Strength gained with each level."""

    move: int
    """Movement gained with each level."""

    most_strength: int
    most_xp: int
    titles: tuple[str, ...]
    """Titles by level, starting at ``first``; above the last, the last one stays."""

    titles_female: tuple[str, ...]
    first: int = 0
    """Level of a new hero."""


@dataclass(frozen=True, eq=False)
class ItemRules:
    """Rules for carrying, dropping and losing items."""

    sinks: frozenset[int]
    """Terrain codes where the items of a dying hero are lost."""

    afloat: frozenset[int]
    """Terrain codes where no item can be put down."""

    picked_up: bool = True
    """True if heroes pick up the items on the tile where they march to."""

    most_speed: int = 1
    """Maximum number of speed items that count for one hero."""


@dataclass(frozen=True, eq=False)
class SearchRules:
    """Rules for searching sites, asking sages and receiving blessings."""

    guardian_die: int
    """Number of sides of the die rolled against a guardian."""

    survives: Callable[[int, int, int], int]
    """Highest roll that the hero survives.

    Called with the hero's strength including weapons, the guardian's strength and the number of
    armies on the tile."""

    xp: int
    """Experience for surviving a search."""

    gold: tuple[DiceSum, DiceSum]
    """Gold found at a poor and at a rich site."""

    allies: tuple[DiceSum, DiceSum]
    """Number of allies found at a poor and at a rich site."""

    sage_gold: DiceSum
    map_offset: DiceSum
    """Distance from the site to the left, and to the top, edge of a sage's map; rolled for each."""

    map_size: DiceSum
    """Width and height of a sage's map in tiles; rolled for each."""

    blessing_xp: int
    most_strength: int
    """Maximum strength that a blessing can give."""

    finds: Mapping[SiteKind, Callable[[Decision, Any, Army, Site], None]] = field(
        default_factory=dict
    )
    """Functions by site kind that replace or extend the shared layer's finds.

    Called with the decision, the rule settings, the hero and the site."""

    blessing_points: int = 0
    """Minimum movement points that every army needs to be blessed."""


@dataclass(frozen=True, eq=False)
class QuestRules:
    """Sizes and rewards of the quests that temples give."""

    on: bool
    may_raze: bool
    kills: DiceSum
    plunder: DiceSum
    item_die: int
    """Sides of the die that awards an item on a 1."""

    site_die: int
    """Sides of the die that reveals a site on a 1, if no item was awarded."""

    allies: DiceSum
    gold: DiceSum
    may_take: Callable[[Any, Any, Army], bool] | None = None
    """True if a hero may take a quest, from the position, the rule settings and the hero.

    None selects the shared rule: the side has no quest, and at least one is possible."""


@dataclass(frozen=True, eq=False)
class HeroRules:
    """All settings about heroes, and the ground where new armies can be placed."""

    offers: OfferRules
    levels: LevelRules
    items: ItemRules
    search: SearchRules
    quests: QuestRules
    may_stand: Callable[[World, UnitType, Place], bool]
    """True if the terrain of a tile lets a new army of this type be placed there."""
