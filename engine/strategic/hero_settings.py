"""Rule settings of heroes, items, sites and quests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from engine.core.dice import Dice
from engine.kit.grid import Place
from engine.strategic.decision import Decision, roll
from engine.strategic.pieces import Army, Guardian, Item, Site, SiteKind, UnitType
from engine.strategic.world import World


class DiceSum(NamedTuple):
    """Sum of ``times`` dice of so many sides, and ``plus``."""

    times: int
    sides: int
    plus: int = 0

    def made(self, dice: Dice) -> int:
        """Result of one throw."""
        return roll(dice, self.times, self.sides, self.plus)


@dataclass(frozen=True, eq=False)
class OfferRules:
    """Offers of heroes: price, chance, number and companions.

    ``names``: (name, whether it is a woman's). ``price`` gets the dice and whether the side has a
    hero; ``comes`` the dice, the purse and the price; ``most`` the number of the side's cities;
    ``companions`` the dice and the price. ``may_join`` tells which types come along.
    """

    names: tuple[tuple[str, bool], ...]
    price: Callable[[Dice, bool], int]
    comes: Callable[[Dice, int, int], bool]
    most: Callable[[int], int]
    most_in_world: int
    companions: Callable[[Dice, int], int]
    may_join: Callable[[UnitType], bool]


@dataclass(frozen=True, eq=False)
class LevelRules:
    """Levels of heroes.

    ``thresholds[n]`` is the experience that a hero of level n needs for the next level, and
    ``titles`` and ``titles_female`` are what heroes of each level are called from ``first`` on,
    the level of a new hero.
    """

    thresholds: tuple[int, ...]
    strength: int
    move: int
    most_strength: int
    most_xp: int
    titles: tuple[str, ...]
    titles_female: tuple[str, ...]
    first: int = 0


@dataclass(frozen=True, eq=False)
class ItemRules:
    """Terrains where items cannot lie, and how they are taken up and count.

    ``sinks`` are terrains where they are lost when their hero dies, ``afloat`` those where none can
    be laid down. ``picked_up``: heroes take up what lies where they go. ``most_speed`` is how many
    speed items of a hero count.
    """

    sinks: frozenset[int]
    afloat: frozenset[int]
    picked_up: bool = True
    most_speed: int = 1


@dataclass(frozen=True, eq=False)
class SearchRules:
    """Searches of sites, sages and blessings.

    ``survives`` gets the strength of the hero with its weapons, that of the guardian and the number
    of armies there, and gives the most that a die of ``guardian_die`` sides may show. ``gold`` and
    ``allies`` are the finds of poor and rich sites. A sage's map begins ``map_offset`` before the
    site and has ``map_size`` columns and rows, both thrown for x and y.
    """

    guardian_die: int
    survives: Callable[[int, int, int], int]
    xp: int
    gold: tuple[DiceSum, DiceSum]
    allies: tuple[DiceSum, DiceSum]
    sage_gold: DiceSum
    map_offset: DiceSum
    map_size: DiceSum
    blessing_xp: int
    most_strength: int
    finds: Mapping[SiteKind, Callable[[Decision, Any, Army, Site], None]] = field(
        default_factory=dict
    )
    """Finds at sites of kinds that the ruleset adds, or treats otherwise than the layer; they get
    the decision, the rule settings, the hero and the site."""

    blessing_points: int = 0
    """Least movement points of armies that are blessed."""


@dataclass(frozen=True, eq=False)
class QuestRules:
    """Quests of temples: if there are any, their sizes and rewards.

    ``item_die`` and ``site_die`` give an item and the place of a site when they show 1.
    ``may_take`` tells whether a hero can be sent out, from the position, the rule settings and the
    hero; None: if its side has no quest and there is one.
    """

    on: bool
    may_raze: bool
    kills: DiceSum
    plunder: DiceSum
    item_die: int
    site_die: int
    allies: DiceSum
    gold: DiceSum
    may_take: Callable[[Any, Any, Army], bool] | None = None


@dataclass(frozen=True, eq=False)
class FillRules:
    """Contents of sites at the start of a game.

    ``items`` are in play: ``standards``, which are given by name, and some of the ``pool``.
    ``rich`` is the share of sites that are rich, as a fraction, and ``hide_rich`` whether those are
    hidden. ``relics`` gets the number of sites and the dice. Sites at least ``far`` from every
    capital are far. ``kinds_*`` are the kinds of what is left, each as likely as it is listed. The
    creatures that ``may_join`` are sorted by ``ally_rank``, lowest first, and rich, far and near
    sites choose from these parts of the list. ``guardians`` are the usual ones.
    """

    items: int
    standards: tuple[str, ...]
    pool: tuple[Item, ...]
    guardians: tuple[Guardian, ...]
    rich: tuple[int, int]
    hide_rich: bool
    relics: Callable[[int, Dice], int]
    far: int
    kinds_rich: tuple[SiteKind, ...]
    kinds_far: tuple[SiteKind, ...]
    kinds_near: tuple[SiteKind, ...]
    may_join: Callable[[UnitType], bool]
    ally_rank: Callable[[UnitType], tuple[int, ...]]
    ally_rich: slice
    ally_far: slice
    ally_near: slice


@dataclass(frozen=True, eq=False)
class HeroRules:
    """Values, tables and policies.

    ``may_stand`` tells whether a type can be set down on a tile, as far as its terrain goes;
    ``most_armies`` is the most there may be in the world.
    """

    offers: OfferRules
    levels: LevelRules
    items: ItemRules
    search: SearchRules
    quests: QuestRules
    fill: FillRules
    may_stand: Callable[[World, UnitType, Place], bool]
    most_armies: int
