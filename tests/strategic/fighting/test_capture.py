"""Cities that change hands."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.containers import Roster
from engine.core.record import replace
from engine.core.refused import Refused
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.rulesets.warlords2.state import State
from engine.rulesets.warlords2.tables import Terrain, city_art, razed_art
from engine.strategic import aftermath
from engine.strategic.commands import Raze, Settle
from engine.strategic.decision import Decision
from engine.strategic.events import CitySettled, CityTaken, RatingChanged
from engine.strategic.pieces import NOBODY, NONE, Question, Transit
from engine.strategic.refusal import Refusal
from tests.strategic.ground import (
    ARCHERS,
    DRAGONS,
    HEAVY,
    LIGHT,
    army,
    city,
    desk,
    side,
    slot,
    world,
)

BOOK = settings_of(Options())
TREATIES = Options(diplomacy="on")
ROWS = ["........"] * 6
SLOTS = (slot(LIGHT), slot(ARCHERS), slot(DRAGONS))
Stay = Literal["occupy", "pillage", "sack"]


def realm(owner: int = 1, *, gold: tuple[int, int] = (100, 1000), **more: Any) -> State:
    """Return a position with city 1 about to be taken; side 1 also has cities 2 and 3."""
    target = city(1, 0, 0, owner, **({"slots": SLOTS, "defence": 2} | more))
    others = [city(2, 2, 0, 1, vector=1), city(3, 4, 0, 1, vector=2), city(4, 6, 0, 0)]
    sides = [side(0, gold=gold[0]), side(1, gold=gold[1])]
    return world(ROWS, cities=[target, *others], sides=sides)


def taken(state: State, options: Options | None = None) -> Decision:
    decision: Decision = desk(state)
    aftermath.take_city(decision, settings_of(options or Options()), 1, 0)
    return decision


@pytest.mark.rule("W2-9.2")
@pytest.mark.parametrize(
    ("gold", "others", "loot"),
    [(1000, 3, 166), (1000, 1, 500), (1001, 1, 500), (7, 2, 1), (1, 1, 0), (0, 1, 0)],
)
def test_loot_is_half_of_a_share_of_the_losers_purse(gold: int, others: int, loot: int) -> None:
    cities = [city(k + 1, 2 * k, 0, 1) for k in range(others)]
    state = world(ROWS, cities=cities, sides=[side(0, gold=100), side(1, gold=gold)])
    after = taken(state).state.sides
    assert after[0].gold == 100 + loot
    assert after[1].gold == gold - 2 * loot


@pytest.mark.rule("W2-9.2", "W2-1.4")
def test_loot_fills_the_purse_to_its_maximum_and_neutrals_have_none() -> None:
    after = taken(realm(gold=(29_990, 30_000))).state.sides
    assert (after[0].gold, after[1].gold) == (30_000, 20_000)
    neutral = taken(realm(NOBODY)).state.sides
    assert (neutral[0].gold, neutral[1].gold) == (100, 1000)


@pytest.mark.rule("W2-9.2")
@given(st.integers(0, 30_000), st.integers(0, 30_000), st.integers(1, 4))
def test_gold_never_grows_by_a_capture(winner: int, loser: int, others: int) -> None:
    cities = [city(k + 1, 2 * k, 0, 1) for k in range(others)]
    state = world(ROWS, cities=cities, sides=[side(0, gold=winner), side(1, gold=loser)])
    decision = taken(state)
    event = next(event for event in decision.events if isinstance(event, CityTaken))
    purses = [one.gold for one in decision.state.sides.values()]
    assert loser - purses[1] == 2 * event.loot
    assert sum(purses) <= winner + loser
    assert all(0 <= gold <= 30_000 for gold in purses)


@pytest.mark.rule("W2-9.2", "W2-3.4")
def test_taken_city_is_idle_and_notes_its_former_owner() -> None:
    decision = taken(realm(making=1, left=2, vector=3))
    town = decision.state.cities[1]
    assert (town.owner, town.making, town.left, town.vector) == (0, NONE, 0, NONE)
    assert town.original == 1
    assert town.attacked_by == 1
    assert tuple(decision.state.art[y, x] for x, y in town.tiles) == city_art(0)
    assert decision.state.sides[0].deeds.cities_won == 1
    assert decision.state.question == Question("fate", 0, city=1)


@pytest.mark.rule("W2-9.2")
@pytest.mark.parametrize(
    ("owner", "original", "now"),
    [(1, NOBODY, 1), (NOBODY, NOBODY, NOBODY), (1, 0, NOBODY), (NOBODY, 1, 1), (1, 2, 2)],
)
def test_city_keeps_its_original_owner(owner: int, original: int, now: int) -> None:
    assert taken(realm(owner, original=original)).state.cities[1].original == now


@pytest.mark.rule("W2-9.2", "W2-9.5")
def test_capture_ends_vectors_and_transits_to_the_city() -> None:
    transits = [
        Transit(id=8, army=army(8, 0, 0, owner=1), target=1, due=3),
        Transit(id=9, army=army(9, 0, 0, owner=1), target=2, due=3),
        Transit(id=10, army=army(10, 0, 0, owner=1, home=1), target=1, due=3, homeward=True),
    ]
    decision = taken(replace(realm(), transits=Roster(transits)))
    assert list(decision.state.transits) == [9]
    assert decision.state.cities[2].vector == NONE
    assert decision.state.cities[3].vector == 2


# -- fates -------------------------------------------------------------------------------------


def settled(fate: Any, *dice: int, options: Options = TREATIES, **more: Any) -> Decision:
    state = taken(realm(**more), options).state
    assert isinstance(state, State)
    decision: Decision = desk(state, dice)
    aftermath.settle_city(decision, settings_of(options), 0, Settle(fate))
    return decision


@pytest.mark.rule("W2-9.2", "W2-12.3")
@pytest.mark.parametrize(
    ("fate", "dice", "kept", "gain", "rating", "defence"),
    [
        ("occupy", (), 3, 0, 0, 2),
        ("pillage", (4,), 2, 1500, 4, 1),
        ("sack", (7,), 1, 200 + 1500, 12, 1),
    ],
)
def test_fates_of_a_city_yield_half_the_prices(
    fate: Stay, dice: tuple[int, ...], kept: int, gain: int, rating: int, defence: int
) -> None:
    decision = settled(fate, *dice, gold=(0, 0))
    town = decision.state.cities[1]
    assert town.slots == SLOTS[:kept]
    assert town.defence == defence
    assert decision.state.sides[0].gold == gain
    assert decision.state.sides[0].rating == rating
    assert decision.state.question is None


@pytest.mark.rule("W2-9.2", "W2-1.4")
def test_pillage_never_overfills_a_purse() -> None:
    assert settled("pillage", 1, gold=(29_000, 0)).state.sides[0].gold == 30_000


@pytest.mark.rule("W2-9.2", "W2-9.1")
def test_razed_city_is_a_permanent_ruin() -> None:
    decision = settled("raze", 15)
    town = decision.state.cities[1]
    assert town.razed
    assert (town.owner, town.slots, town.defence) == (NOBODY, (), 0)
    assert tuple(decision.state.art[y, x] for x, y in town.tiles) == razed_art(0)
    assert {decision.state.terrain[y, x] for x, y in town.tiles} == {Terrain.SITE}
    assert decision.state.sides[0].rating == 25


@pytest.mark.rule("W2-12.3")
def test_ratings_do_not_change_without_diplomacy() -> None:
    decision = settled("sack", options=Options())
    assert not [event for event in decision.events if isinstance(event, RatingChanged)]


@pytest.mark.rule("W2-9.2")
@pytest.mark.parametrize(
    ("slots", "raze_allowed", "expected"),
    [
        (0, "off", ("occupy",)),
        (1, "off", ("occupy", "pillage")),
        (2, "off", ("occupy", "pillage", "sack")),
        (0, "on", ("occupy", "raze")),
        (4, "on", ("occupy", "pillage", "sack", "raze")),
    ],
)
def test_possible_fates_depend_on_slots_and_options(
    slots: int, raze_allowed: Literal["on", "off"], expected: tuple[str, ...]
) -> None:
    options = Options(raze_allowed=raze_allowed)
    state = realm(slots=(slot(HEAVY),) * slots)
    assert aftermath.fates(state, settings_of(options), 1) == expected
    decision = taken(state, options)
    if expected == ("occupy",):
        assert decision.state.question is None
        assert [e.fate for e in decision.events if isinstance(e, CitySettled)] == ["occupy"]
        return
    for fate in ("pillage", "sack", "raze"):
        if fate not in expected:
            with pytest.raises(Refused) as refusal:
                aftermath.settle_city(decision, settings_of(options), 0, Settle(fate))
            assert refusal.value.code == Refusal.NOT_ALLOWED


@pytest.mark.rule("W2-9.2")
def test_only_the_captor_decides_the_fate() -> None:
    decision = taken(realm())
    with pytest.raises(Refused) as refusal:
        aftermath.settle_city(decision, BOOK, 1, Settle("occupy"))
    assert refusal.value.code == Refusal.NO_QUESTION
    untouched: Decision = desk(realm())
    with pytest.raises(Refused):
        aftermath.settle_city(untouched, BOOK, 0, Settle("occupy"))


@pytest.mark.rule("W2-17", "W2-12.3")
def test_side_may_raze_only_its_own_cities_if_allowed() -> None:
    state = realm()
    decision: Decision = desk(state, [3])
    aftermath.raze_city(decision, settings_of(TREATIES), 0, Raze(4))
    assert decision.state.cities[4].razed
    assert decision.state.sides[0].rating == 13
    for number in (4, 1, 99):
        with pytest.raises(Refused) as refusal:
            aftermath.raze_city(decision, BOOK, 0, Raze(number))
        assert refusal.value.code == Refusal.NO_SUCH_CITY
    with pytest.raises(Refused) as refusal:
        aftermath.raze_city(desk(state), settings_of(Options(raze_allowed="off")), 0, Raze(4))
    assert refusal.value.code == Refusal.NOT_ALLOWED
