"""Heroes, items, sites and quests (sections 10, 11, 14 and 15) as settings of the layer."""

from __future__ import annotations

from functools import cache
from typing import Final

from engine.core.dice import Dice
from engine.core.record import Record
from engine.kit.grid import Place
from engine.kit.tables import load
from engine.rulesets.lordsawar.land import WATER, Ground
from engine.rulesets.lordsawar.options import Options
from engine.rulesets.lordsawar.state import MOST_ARMIES, MOST_STRENGTH
from engine.rulesets.lordsawar.tables import PACKAGE, armyset
from engine.strategic.hero_settings import (
    DiceSum,
    FillRules,
    HeroRules,
    ItemRules,
    LevelRules,
    OfferRules,
    QuestRules,
    SearchRules,
)
from engine.strategic.pieces import Guardian, UnitType
from engine.strategic.world import World

_MANY: Final = 1000
"""More heroes than there can be: the book has no limit."""


class _Heroes(Record, frozen=True):
    women: tuple[str, ...]
    men: tuple[str, ...]
    titles: tuple[str, ...]
    titles_female: tuple[str, ...]


@cache
def _heroes() -> _Heroes:
    return load(PACKAGE, "heroes", _Heroes)


def hero_names() -> tuple[tuple[str, bool], ...]:
    """Names of heroes, each with True if it is a woman's."""
    table = _heroes()
    return (*((name, True) for name in table.women), *((name, False) for name in table.men))


# -- offers ----------------------------------------------------------------------------------------


def offer_price(dice: Dice, has_hero: bool) -> int:  # noqa: FBT001 - a question put by the rules
    """Price of a hero in gold, less for a side without one. Rules: LW-10."""
    numbers = armyset().offers
    low, high = numbers.price
    price = low - 1 + dice.roll(high - low + 1)
    return price if has_hero else price // numbers.divisor_without_hero


def offer_comes(dice: Dice, gold: int, price: int) -> bool:
    """True if a hero offers itself; no throw if it cannot be paid. Rules: LW-10."""
    return price < gold and dice.roll(armyset().offers.one_in) == 1


def most_heroes(cities: int) -> int:
    """Most heroes of a side: there is no limit. Rules: LW-10."""
    del cities
    return _MANY


def companions(dice: Dice, price: int) -> int:
    """Number of allies that come with a bought hero, by its price. Rules: LW-10."""
    del dice
    return sum(price > above for above in armyset().offers.allies_above)


def may_join(kind: UnitType) -> bool:
    """True for awardable types. Rules: LW-10, LW-14."""
    return kind.special > 0


def may_stand(world: World, kind: UnitType, at: Place) -> bool:
    """True if a type can be placed on a tile, as far as its terrain goes. Rules: LW-12.4."""
    ground = world.terrain[at[1], at[0]]
    if "fly" in kind.traits:
        return ground != Ground.UNKNOWN
    return ground not in {*WATER, Ground.MOUNTAIN, Ground.UNKNOWN}


def guardians() -> tuple[Guardian, ...]:
    """Keepers of sites: number n is the type with the id n - 1. Rules: LW-14."""
    return tuple(Guardian(row.name, row.strength) for row in armyset().units)


# -- the chapter -----------------------------------------------------------------------------------


def hero_rules(options: Options) -> HeroRules:
    """Settings of heroes under the options of a game. Rules: LW-10, LW-11, LW-14, LW-15."""
    table = _heroes()
    return HeroRules(
        offers=OfferRules(
            names=hero_names(),
            price=offer_price,
            comes=offer_comes,
            most=most_heroes,
            most_in_world=_MANY,
            companions=companions,
            may_join=may_join,
        ),
        levels=LevelRules(
            thresholds=(),
            strength=0,
            move=0,
            most_strength=MOST_STRENGTH,
            most_xp=0,
            titles=table.titles,
            titles_female=table.titles_female,
        ),
        items=ItemRules(sinks=frozenset(WATER), afloat=frozenset(WATER)),
        search=SearchRules(
            guardian_die=100,
            survives=lambda strength, guardian, armies: 90 + 5 * (strength - guardian) + 3 * armies,
            xp=0,
            gold=(_span(armyset().rewards.gold),) * 2,
            allies=(_span(armyset().rewards.allies),) * 2,
            sage_gold=_span(armyset().rewards.sage_gold),
            map_offset=DiceSum(1, 5, 8),
            map_size=DiceSum(1, 10, 15),
            blessing_xp=0,
            most_strength=MOST_STRENGTH,
        ),
        quests=QuestRules(
            on=False,
            may_raze=options.razing_cities != "never",
            kills=DiceSum(1, 7, 13),
            plunder=DiceSum(1, 630, 849),
            item_die=0,
            site_die=0,
            allies=DiceSum(1, 8),
            gold=DiceSum(1, 1000, 309),
        ),
        fill=FillRules(
            items=0,
            standards=(),
            pool=(),
            guardians=guardians(),
            rich=(0, 1),
            hide_rich=False,
            relics=lambda _sites, _dice: 0,
            far=15,
            kinds_rich=("allies", "gold"),
            kinds_far=("sage", "gold", "allies"),
            kinds_near=("gold", "allies"),
            may_join=may_join,
            ally_rank=lambda kind: (-kind.strength,),
            ally_rich=slice(0, None),
            ally_far=slice(0, None),
            ally_near=slice(0, None),
        ),
        may_stand=may_stand,
        most_armies=MOST_ARMIES,
    )


def _span(span: tuple[int, int]) -> DiceSum:
    """Even draw from a span."""
    low, high = span
    return DiceSum(1, high - low + 1, low - 1)
