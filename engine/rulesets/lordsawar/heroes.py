"""Heroes, items, sites and quests (sections 10, 11, 14 and 15) as settings of the layer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from engine.core.dice import Dice
from engine.core.record import Record, replace
from engine.kit.grid import Place
from engine.kit.tables import load
from engine.rulesets.lordsawar import quests
from engine.rulesets.lordsawar.commands import ChooseGain, HireAs, OwnCommand
from engine.rulesets.lordsawar.items import standard_of
from engine.rulesets.lordsawar.land import WATER, LandCode
from engine.rulesets.lordsawar.levels import GAINS, OwnDecision
from engine.rulesets.lordsawar.options import Options
from engine.rulesets.lordsawar.state import (
    MOST_ITEMS,
    MOST_STRENGTH,
    NAME_LENGTH,
    NamedHero,
    State,
)
from engine.rulesets.lordsawar.tables import PACKAGE, armyset
from engine.strategic.commands import Hire
from engine.strategic.decision import answer, ask, asked_of, pick
from engine.strategic.hero_settings import (
    DiceSum,
    HeroRules,
    ItemRules,
    LevelRules,
    OfferRules,
    QuestRules,
    SearchRules,
)
from engine.strategic.heroes import (
    heroes_of,
    join,
    places_in,
    vacancies,
)
from engine.strategic.pieces import NOBODY, NONE, City, Item, Question, UnitType
from engine.strategic.refusal import Refusal, refuse
from engine.strategic.settings import RuleSettings
from engine.strategic.turns import go_on_turn
from engine.strategic.world import World, cities_of

_MOST_DOUBLINGS: Final = 10
"""Maximum number of items that double moves; the factor is at most 1024. See: LW-11."""

_MANY: Final = 1000
"""More heroes than a game can have, as the book has no limit."""


class _HeroNames(Record, frozen=True):
    women: tuple[str, ...]
    men: tuple[str, ...]
    titles: tuple[str, ...]
    titles_female: tuple[str, ...]


@cache
def _heroes() -> _HeroNames:
    return load(PACKAGE, "heroes", _HeroNames)


def hero_names() -> tuple[tuple[str, bool], ...]:
    """Return the names of heroes, each with True for a woman's name."""
    table = _heroes()
    return (*((name, True) for name in table.women), *((name, False) for name in table.men))


# -- offers ----------------------------------------------------------------------------------------


def offer(decision: OwnDecision, settings: RuleSettings, side: int) -> None:
    """Offer a hero at the start of a turn, if one comes.

    In round 1 a hero comes free to a side without one. Human sides are asked, computer players
    accept. Rules: LW-10.1.
    """
    world = decision.state
    homes = [city for city in cities_of(world, side) if places_in(world, city)]
    if not homes or vacancies(world, settings) == 0:
        return
    has_hero = bool(heroes_of(world, side))
    if world.turn == 1 and not has_hero:
        capital = world.sides[side].capital
        home = next((city for city in homes if (city.x, city.y) == capital), homes[0])
        name, female = _name(decision, side)
        question = Question("hero", side, city=home.id, name=name, female=female)
    else:
        priced = _priced(decision, side, homes, has_hero=has_hero)
        if priced is None:
            return
        question = priced
    if world.sides[side].human:
        ask(decision, question)
    else:
        join(decision, settings, question, _brought(decision.state, question))


def _priced(
    decision: OwnDecision, side: int, homes: Sequence[City], *, has_hero: bool
) -> Question | None:
    """Draw the offer of a hero for gold in one of ``homes``; None if none comes. Rules: LW-10.2."""
    world, dice = decision.state, decision.dice
    price = offer_price(dice, has_hero)
    if not offer_comes(dice, world.sides[side].gold, price):
        return None
    home = pick(dice, homes)
    kinds = [kind for kind in world.types.values() if may_join(kind)]
    allies = companions(dice, price) if kinds else 0
    ally = pick(dice, kinds).id if allies else NONE
    name, female = _name(decision, side)
    return Question(
        "hero",
        side,
        city=home.id,
        price=price,
        name=name,
        female=female,
        ally=ally,
        allies=allies,
    )


def hire(decision: OwnDecision, settings: RuleSettings, side: int, order: Hire) -> None:
    """Answer the offer of a hero, then continue the turn. Rules: LW-10.4.

    Raises:
        Refused: no hero has offered to join.
    """
    question = _offered(decision.state, side)
    answer(decision, question, "yes" if order.accept else "no")
    if order.accept:
        join(decision, settings, question, _brought(decision.state, question))
    go_on_turn(decision, settings)


def hire_as(decision: OwnDecision, settings: RuleSettings, side: int, order: HireAs) -> None:
    """Accept a hero under another name. Rules: LW-10.4.

    Raises:
        Refused: no hero has offered to join, or the name is not valid.
    """
    question = _offered(decision.state, side)
    name = order.name.strip()
    if not name or len(name) > NAME_LENGTH or not name.isprintable():
        refuse(Refusal.BAD_NAME, f"A name has 1 to {NAME_LENGTH} letters.", "offer")
    answer(decision, question, "yes")
    brought = _brought(decision.state, question)
    join(decision, settings, replace(question, name=name, female=order.female), brought)
    go_on_turn(decision, settings)


def offered(state: State, side: int, about: int | None) -> Iterator[OwnCommand]:
    """Yield possible answers to the offer or the new level of a hero. See: LW-10."""
    question = state.question
    if question is None or question.side != side or about is not None:
        return
    if question.kind == "level":
        yield from (ChooseGain(gain) for gain in GAINS)
    elif question.kind == "hero":
        yield HireAs(question.name[::-1].title(), female=True)


def _offered(world: World, side: int) -> Question:
    question = asked_of(world, side, "hero")
    if question is None:
        refuse(Refusal.NO_QUESTION, "No hero offers to join you.", "offer")
    return question


def _name(decision: OwnDecision, side: int) -> tuple[str, bool]:
    """Pick the name of a new hero: the scenario's names for the side come before the book's.

    Prefer names that no living hero has. Rules: LW-10.3.
    """
    state = decision.state
    borne = {army.hero.name for army in state.armies.values() if army.hero is not None}
    named = [(hero.name, hero.female) for hero in _named(state, side)]
    free = [name for name in named if name[0] not in borne]
    free = free or [name for name in hero_names() if name[0] not in borne]
    return pick(decision.dice, free or hero_names())


def _named(state: State, side: int) -> tuple[NamedHero, ...]:
    """Return the heroes of the scenario that can be offered to a side."""
    return tuple(hero for hero in state.heroes if hero.side in {side, NOBODY})


def _brought(state: State, deal: Question) -> tuple[Item, ...]:
    """Return a new hero's items: its scenario's, and the standard if it is free. Rules: LW-10.3."""
    own = (hero for hero in _named(state, deal.side) if hero.name == deal.name)
    starting = next((hero.items for hero in own), ())
    standard = () if deal.price else (standard_of(state, deal.side),)
    first = max((*state.items, *(item.id for item in standard)), default=NONE) + 1
    room = max(0, MOST_ITEMS - len(state.items) - len(standard))
    copies = (replace(item, id=first + n) for n, item in enumerate(starting[:room]))
    return (*standard, *copies)


def offer_price(dice: Dice, has_hero: bool) -> int:  # noqa: FBT001 - a question put by the rules
    """Draw the price of a hero in gold, lower for a side without one. Rules: LW-10.2."""
    numbers = armyset().offers
    low, high = numbers.price
    price = low - 1 + dice.roll(high - low + 1)
    return price if has_hero else price // numbers.divisor_without_hero


def offer_comes(dice: Dice, gold: int, price: int) -> bool:
    """Return whether a hero is offered; throw no die if the gold is too low. Rules: LW-10.2."""
    return price < gold and dice.roll(armyset().offers.one_in) == 1


def most_heroes(cities: int) -> int:
    """Return the maximum number of heroes of a side; there is no real limit. See: LW-10."""
    del cities
    return _MANY


def companions(dice: Dice, price: int) -> int:
    """Return the number of allies that come with a bought hero, by its price. Rules: LW-10.2."""
    del dice
    return sum(price > above for above in armyset().offers.allies_above)


def may_join(kind: UnitType) -> bool:
    """Return whether a type of unit is awardable: it can join as an ally or a reward.

    See: LW-10, LW-14.
    """
    return kind.special > 0


def may_stand(world: World, kind: UnitType, at: Place) -> bool:
    """Return whether the terrain of a tile allows a type to be placed there. See: LW-12.4."""
    ground = world.terrain[at[1], at[0]]
    if "fly" in kind.traits:
        return ground != LandCode.UNKNOWN
    return ground not in {*WATER, LandCode.MOUNTAIN, LandCode.UNKNOWN}


def survives(strength: int, keeper: int, armies: int) -> int:
    """Return the highest roll of a 100-sided die with which a hero beats a keeper.

    The book draws r from 0 to 99, and the hero wins if r is above a hundred times the risk; the die
    shows 100 less r. ``strength`` is the hero's with its items, ``armies`` the number in its stack.
    Rules: LW-14.1, D18.

    >>> survives(5, 6, 1), survives(9, 9, 8), survives(10, 9, 8), survives(12, 9, 1)
    (71, 98, 99, 100)
    """
    numbers = armyset().ruins
    hard = (keeper >= numbers.medium_from) + (keeper >= numbers.hard_from)
    eightieths = numbers.fail_hundredths * numbers.halves[hard] * (9 - armies) * (10 - strength)
    return min(100, 99 - eightieths // 80)


# -- settings --------------------------------------------------------------------------------------


def hero_rules(options: Options) -> HeroRules:
    """Return the settings of heroes in a game. See: LW-10, LW-11, LW-14, LW-15."""
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
            first=1,
            titles=table.titles,
            titles_female=table.titles_female,
        ),
        items=ItemRules(
            sinks=frozenset(WATER),
            afloat=frozenset(WATER),
            picked_up=False,
            most_speed=_MOST_DOUBLINGS,
        ),
        search=SearchRules(
            guardian_die=100,
            survives=survives,
            xp=0,
            gold=(_span(armyset().rewards.gold),) * 2,
            allies=(_span(armyset().rewards.allies),) * 2,
            sage_gold=_span(armyset().rewards.sage_gold),
            map_offset=DiceSum(1, 5, 8),
            map_size=DiceSum(1, 10, 15),
            blessing_xp=0,
            blessing_points=1,
            most_strength=MOST_STRENGTH,
        ),
        quests=QuestRules(
            on=options.quests != "none",
            may_raze=options.razing_cities != "never",
            kills=_span(quests.span("kill-armies")),
            plunder=_span(quests.span("pillage-gold")),
            item_die=0,
            site_die=0,
            allies=_span(armyset().rewards.allies),
            gold=_span(armyset().rewards.gold),
            may_take=quests.may_take,
        ),
        may_stand=may_stand,
    )


def _span(span: tuple[int, int]) -> DiceSum:
    """Return the dice of a uniform draw from ``span``, both ends included."""
    low, high = span
    return DiceSum(1, high - low + 1, low - 1)
