"""Heroes, items, sites and quests as in the rule book (section 10)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from engine.core.dice import Dice
from engine.core.record import Record
from engine.kit.grid import Place
from engine.kit.tables import load
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.state import (
    MOST_HEROES,
    MOST_ITEMS,
    MOST_STRENGTH,
)
from engine.rulesets.warlords2.tables import (
    PACKAGE,
    WATER,
    Terrain,
    on_foot,
    terrain_rows,
    type_order,
)
from engine.strategic.decision import roll
from engine.strategic.hero_settings import (
    DiceSum,
    HeroRules,
    ItemRules,
    LevelRules,
    OfferRules,
    QuestRules,
    SearchRules,
)
from engine.strategic.pieces import Guardian, Item, ItemKind, UnitType
from engine.strategic.site_contents import FillRules
from engine.strategic.world import World


class _Ware(Record, frozen=True):
    kind: ItemKind
    value: int
    name: str


class _Items(Record, frozen=True):
    standards: tuple[str, ...]
    pool: tuple[_Ware, ...]


class _Heroes(Record, frozen=True):
    women: tuple[str, ...]
    men: tuple[str, ...]
    titles: tuple[str, ...]
    titles_female: tuple[str, ...]
    guardians: tuple[Guardian, ...]


@cache
def _items() -> _Items:
    return load(PACKAGE, "items", _Items)


@cache
def _heroes() -> _Heroes:
    return load(PACKAGE, "heroes", _Heroes)


@cache
def item_pool() -> tuple[Item, ...]:
    """Return the 39 items of the book, numbered as listed, all unused. Rules: W2-10.3."""
    return tuple(
        Item(number, ware.kind, ware.value, ware.name) for number, ware in enumerate(_items().pool)
    )


def guardians() -> tuple[Guardian, ...]:
    """Return the guardians of the book; number 1 is the first. See: W2-10.4."""
    return _heroes().guardians


def hero_names() -> tuple[tuple[str, bool], ...]:
    """Return the names of heroes, each with True for a woman's name."""
    table = _heroes()
    return (*((name, True) for name in table.women), *((name, False) for name in table.men))


# -- policies ----------------------------------------------------------------------------------


def offer_price(dice: Dice, has_hero: bool) -> int:  # noqa: FBT001 - a question put by the rules
    """Roll the price of a hero in gold. Rules: W2-10.1."""
    return roll(dice, 1, 600, 1000) if has_hero else roll(dice, 1, 400, 300)


def offer_comes(dice: Dice, gold: int, price: int) -> bool:
    """Return whether a hero offers itself; no dice roll if the side cannot pay. Rules: W2-10.1."""
    return gold >= price and dice.roll(30) <= 6


def most_heroes(cities: int) -> int:
    """Return the maximum number of heroes of a side with ``cities`` cities. See: W2-10.1."""
    return 6 if cities >= 40 else 5


def companions(dice: Dice, _price: int) -> int:
    """Roll the number of creatures that come with a bought hero. Rules: W2-10.1."""
    die = dice.roll(100)
    return 1 if die < 70 else 2 if die < 95 else 3


def may_join(kind: UnitType) -> bool:
    """Return whether a type is a creature that can join heroes. See: W2-10.1, W2-10.4."""
    return kind.special > 0


def ally_rank(kind: UnitType) -> tuple[int, ...]:
    """Return the sort key of creatures as allies: the best first, ties by row of the book.

    See: W2-10.4.
    """
    cancels = any(trait in kind.traits for trait in ("siege", "anti-hero", "anti-pack"))
    flies = "fly" in kind.traits
    worth = kind.strength + 3 * sum(kind.pack) + 2 * cancels + 2 * flies + kind.move // 5
    return -worth, *type_order(kind.id)


def relics(sites: int, dice: Dice) -> int:
    """Return the number of sites, out of ``sites``, that hold an item. See: W2-10.4."""
    return max(0, min(MOST_ITEMS, sites // 3 + roll(dice, 1, 5, -3) + 8) - 8)


def survives(strength: int, guardian: int, armies: int) -> int:
    """Return the highest roll of a 100-sided die with which the hero survives. Rules: W2-10.5."""
    return 90 + 5 * (strength - guardian) + 3 * armies


def may_stand(options: Options) -> Callable[[World, UnitType, Place], bool]:
    """Return a predicate for the tiles where a type can be placed.

    Flyers can be placed anywhere except on void, boats on water, and others where they can walk.

    See: W2-5.2, W2-10.5.
    """
    feet = on_foot(options.cost_table)

    def may(world: World, kind: UnitType, at: Place) -> bool:
        terrain = world.terrain[at[1], at[0]]
        if "fly" in kind.traits:
            return terrain != Terrain.VOID
        return terrain_rows()[terrain].boat if "boat" in kind.traits else feet[terrain] != 0

    return may


# -- the chapter -------------------------------------------------------------------------------


def hero_rules(options: Options) -> HeroRules:
    """Return the settings of heroes under the options of a game. See: W2-10.1 to W2-10.6."""
    table = _heroes()
    return HeroRules(
        offers=OfferRules(
            names=hero_names(),
            price=offer_price,
            comes=offer_comes,
            most=most_heroes,
            most_in_world=MOST_HEROES,
            companions=companions,
            may_join=may_join,
        ),
        levels=LevelRules(
            thresholds=(15, 30, 60),
            strength=1,
            move=2,
            most_strength=MOST_STRENGTH,
            most_xp=60,
            titles=table.titles,
            titles_female=table.titles_female,
        ),
        items=ItemRules(sinks=frozenset({Terrain.OCEAN}), afloat=frozenset(WATER)),
        search=SearchRules(
            guardian_die=100,
            survives=survives,
            xp=3,
            gold=(DiceSum(3, 500, 500), DiceSum(3, 1000, 1000)),
            allies=(DiceSum(1, 2), DiceSum(1, 2, 2)),
            sage_gold=DiceSum(3, 500, 500),
            map_offset=DiceSum(1, 5, 8),
            map_size=DiceSum(1, 10, 15),
            blessing_xp=1,
            most_strength=MOST_STRENGTH,
        ),
        quests=quest_rules(options),
        may_stand=may_stand(options),
    )


def quest_rules(options: Options) -> QuestRules:
    """Return the settings of quests; the amounts are not from the book. Rules: W2-10.6."""
    return QuestRules(
        on=options.quests == "on",
        may_raze=options.raze_allowed == "on",
        kills=DiceSum(1, 7, 7),
        plunder=DiceSum(1, 400, 200),
        item_die=3,
        site_die=3,
        allies=DiceSum(1, 3, 2),
        gold=DiceSum(2, 1000, 1000),
    )


def fill_rules(options: Options) -> FillRules:
    """Return the contents of sites at the start; rich sites are hidden if there are quests.

    Rules: W2-10.4. See: W2-10.3.
    """
    return FillRules(
        items=MOST_ITEMS,
        standards=_items().standards,
        pool=item_pool(),
        guardians=guardians(),
        rich=(3, 10),
        hide_rich=options.quests == "on",
        relics=relics,
        far=15,
        kinds_rich=("allies", "allies", "gold"),
        kinds_far=("sage", "sage", "gold", "gold", "allies"),
        kinds_near=("sage", "gold", "allies"),
        may_join=may_join,
        ally_rank=ally_rank,
        ally_rich=slice(0, 4),
        ally_far=slice(4, 7),
        ally_near=slice(-2, None),
    )
