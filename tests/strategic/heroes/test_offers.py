"""Heroes that offer their service (section 10.1)."""

from __future__ import annotations

import pytest

from engine.core.dice import Scripted, Throw
from engine.core.refused import Refused
from engine.rulesets.warlords2.heroes import companions, hero_names, most_heroes, offer_price
from engine.rulesets.warlords2.state import State
from engine.strategic import heroes
from engine.strategic.commands import Hire
from engine.strategic.events import Answered, Asked, HeroHired
from engine.strategic.pieces import Army, Item, Question
from engine.strategic.refusal import Refusal
from tests.strategic.ground import DRAGONS, HERO, army, city, desk, side, world
from tests.strategic.heroes.deeds import BOOK, of_kind, unused_dice

ROWS = ["." * 12] * 6
NAMES = len(hero_names())
SPECIALS = 8


def later(*armies: Army, gold: int = 2000, human: bool = True, cities: int = 1) -> State:
    """Return a position in turn 2 with cities of side 0 side by side."""
    towns = [city(number, 2 * number, 0, 0) for number in range(cities)]
    sides = (side(0, gold=gold, human=human, capital=(0, 0)), side(1))
    return world(ROWS, armies=armies, cities=towns, sides=sides, turn=2)


def crowd(x: int, y: int, first: int, count: int) -> list[Army]:
    return [army(first + n, x, y) for n in range(count)]


@pytest.mark.rule("W2-10.1", "W2-10.3")
def test_turn_one_brings_a_free_hero_with_the_standard() -> None:
    flags = [Item(k, "standard", 1, f"Flag {k}", side=k) for k in range(2)]
    towns = [city(1, 0, 0, 0), city(2, 4, 2, 0)]
    seats = (side(0, capital=(4, 2)), side(1))
    work = desk(world(ROWS, cities=towns, items=flags, sides=seats), [(NAMES, 3)])
    heroes.offer(work, BOOK, 0)
    (hired,) = work.events
    assert isinstance(hired, HeroHired)
    name, female = hero_names()[2]
    hero = hired.hero
    assert (hero.at, hero.owner, hero.type) == ((4, 2), 0, HERO)
    assert (hero.strength, hero.max_move, hero.points, hero.upkeep) == (5, 14, 14, 0)
    assert (hero.xp, hero.level) == (0, 0)
    assert hero.hero is not None
    assert (hero.hero.name, hero.hero.female) == (name, female)
    assert (hired.price, hired.gold, hired.allies) == (0, 100, ())
    standard = work.state.items[0]
    assert (standard.where, standard.holder) == ("carried", hero.id)
    assert work.state.items[1].where == "unused"
    assert work.state.next_id == 2


@pytest.mark.rule("W2-10.1")
def test_free_hero_comes_to_another_city_if_the_capital_is_unfit() -> None:
    full = [
        one
        for k, (x, y) in enumerate([(0, 0), (1, 0), (0, 1), (1, 1)])
        for one in crowd(x, y, 1 + 8 * k, 8)
    ]
    towns = [city(1, 0, 0, 0), city(2, 4, 2, 0)]
    seats = (side(0, capital=(0, 0)), side(1))
    work = desk(world(ROWS, armies=full, cities=towns, sides=seats), [1])
    heroes.offer(work, BOOK, 0)
    assert of_kind(work, HeroHired)[0].hero.at == (4, 2)
    lost = [city(1, 0, 0, 1), city(2, 4, 2, 0)]
    work = desk(world(ROWS, cities=lost, sides=seats), [1])
    heroes.offer(work, BOOK, 0)
    assert of_kind(work, HeroHired)[0].hero.at == (4, 2)


@pytest.mark.rule("W2-10.1")
def test_side_without_a_city_gets_no_hero_offer() -> None:
    for turn in (1, 2):
        work = desk(world(ROWS, sides=(side(0, gold=9999), side(1)), turn=turn), [400, 6])
        heroes.offer(work, BOOK, 0)
        assert work.events == ()


@pytest.mark.rule("W2-10.1")
@pytest.mark.parametrize(("throw", "price"), [((400, 1), 301), ((400, 400), 700)])
def test_a_first_hero_is_cheap(throw: Throw, price: int) -> None:
    assert offer_price(Scripted([throw]), False) == price


@pytest.mark.rule("W2-10.1")
@pytest.mark.parametrize(("throw", "price"), [((600, 1), 1001), ((600, 600), 1600)])
def test_further_hero_is_expensive(throw: Throw, price: int) -> None:
    assert offer_price(Scripted([throw]), True) == price


@pytest.mark.rule("W2-10.1")
@pytest.mark.parametrize(("gold", "die", "asked"), [(350, 6, True), (350, 7, False)])
def test_human_side_is_asked_about_an_affordable_hero(gold: int, die: int, asked: bool) -> None:
    dice = [(400, 50), (30, die), (100, 70), (SPECIALS, 1), (NAMES, 1)]
    work = desk(later(gold=gold), dice)
    heroes.offer(work, BOOK, 0)
    assert [event.question for event in of_kind(work, Asked)] == (
        [
            Question(
                "hero",
                0,
                city=0,
                price=350,
                name=hero_names()[0][0],
                female=hero_names()[0][1],
                ally=19,
                allies=2,
            )
        ]
        if asked
        else []
    )
    assert unused_dice(work) == (0 if asked else 3)


@pytest.mark.rule("W2-10.1")
def test_side_that_cannot_pay_gets_no_offer_and_no_further_roll() -> None:
    work = desk(later(gold=349), [(400, 50), (30, 1)])
    heroes.offer(work, BOOK, 0)
    assert work.events == ()
    assert unused_dice(work) == 1


@pytest.mark.rule("W2-10.1")
def test_computer_hires_the_hero_at_once() -> None:
    dice = [(400, 50), (30, 1), (100, 95), (SPECIALS, 7), (NAMES, 1)]
    work = desk(later(human=False), dice)
    heroes.offer(work, BOOK, 0)
    (hired,) = work.events
    assert isinstance(hired, HeroHired)
    assert (hired.price, hired.gold) == (350, 1650)
    assert [ally.type for ally in hired.allies] == [26] * 3


@pytest.mark.rule("W2-10.1", "W2-9.3")
@pytest.mark.parametrize("accept", [True, False])
def test_answer_decides_about_the_hero(accept: bool) -> None:
    asked = Question("hero", 0, city=0, price=350, name="Ada", female=True, ally=DRAGONS, allies=2)
    garrison = [*crowd(0, 0, 1, 7), *crowd(1, 0, 11, 8)]
    work = desk(_with(garrison, asked))
    heroes.hire(work, BOOK, 0, Hire(accept=accept))
    assert work.events[0] == Answered("hero", 0, "yes" if accept else "no")
    assert work.state.question is None
    hired = of_kind(work, HeroHired)
    assert len(hired) == accept
    assert work.state.sides[0].gold == (1650 if accept else 2000)
    for one in hired:
        assert one.hero.at == (0, 0)
        assert [(ally.at, ally.upkeep, ally.points) for ally in one.allies] == [((0, 1), 0, 22)] * 2
        assert len({one.hero.id, *(ally.id for ally in one.allies)}) == 3


def _with(armies: list[Army], asked: Question) -> State:
    seats = (side(0, gold=2000, capital=(0, 0)), side(1))
    return world(
        ROWS, armies=armies, cities=[city(0, 0, 0, 0)], sides=seats, turn=2, question=asked
    )


@pytest.mark.rule("W2-10.1")
def test_companions_without_room_are_lost() -> None:
    full = [
        one
        for k, (x, y) in enumerate([(0, 0), (1, 0), (0, 1)])
        for one in crowd(x, y, 1 + 8 * k, 8)
    ]
    asked = Question("hero", 0, city=0, price=1, name="Ada", ally=DRAGONS, allies=3)
    work = desk(_with([*full, *crowd(1, 1, 51, 6)], asked))
    heroes.hire(work, BOOK, 0, Hire())
    (hired,) = of_kind(work, HeroHired)
    assert (hired.hero.at, [ally.at for ally in hired.allies]) == ((1, 1), [(1, 1)])


@pytest.mark.rule("W2-10.1")
def test_no_hero_is_offered_without_room_in_a_city() -> None:
    full = [
        one
        for k, (x, y) in enumerate([(0, 0), (1, 0), (0, 1), (1, 1)])
        for one in crowd(x, y, 1 + 8 * k, 8)
    ]
    work = desk(later(*full), [(400, 1), (30, 1)])
    heroes.offer(work, BOOK, 0)
    assert work.events == ()


@pytest.mark.rule("W2-10.1")
def test_only_the_asked_side_can_answer() -> None:
    asked = Question("hero", 0, city=0, price=1, name="Ada")
    with pytest.raises(Refused) as caught:
        heroes.hire(desk(_with([], asked)), BOOK, 1, Hire())
    assert caught.value.code == Refusal.NO_QUESTION
    with pytest.raises(Refused) as caught:
        heroes.hire(desk(later()), BOOK, 0, Hire())
    assert caught.value.code == Refusal.NO_QUESTION


@pytest.mark.rule("W2-10.1")
@pytest.mark.parametrize(("die", "count"), [(1, 1), (69, 1), (70, 2), (94, 2), (95, 3), (100, 3)])
def test_number_of_companions_follows_one_die(die: int, count: int) -> None:
    assert companions(Scripted([(100, die)]), 0) == count


@pytest.mark.rule("W2-10.1")
@pytest.mark.parametrize(("cities", "most"), [(1, 5), (39, 5), (40, 6)])
def test_maximum_of_heroes_depends_on_the_cities(cities: int, most: int) -> None:
    assert most_heroes(cities) == most


@pytest.mark.rule("W2-10.1", "W2-1.8")
@pytest.mark.parametrize(
    ("own", "others", "comes"), [(4, 0, True), (5, 0, False), (4, 35, True), (4, 36, False)]
)
def test_no_hero_is_offered_at_the_limit_of_side_or_world(
    own: int, others: int, comes: bool
) -> None:
    leaders = [army(1 + n, n, 5, HERO) for n in range(own)]
    leaders += [army(101 + n, n % 12, 3 + n // 12, HERO, owner=1) for n in range(others)]
    work = desk(later(*leaders), [(600, 1), (30, 1), (100, 1), (SPECIALS, 1), 1])
    heroes.offer(work, BOOK, 0)
    assert bool(of_kind(work, Asked)) == comes
