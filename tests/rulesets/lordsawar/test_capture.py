"""Capture of cities: loot, fates, levels and razing (sections 13.3 and 3.4)."""

from __future__ import annotations

import pytest

from engine.core.record import replace
from engine.core.refused import Refused
from engine.rulesets.lordsawar.cities import fates, plunder, seized
from engine.rulesets.lordsawar.land import LandCode
from engine.rulesets.lordsawar.lineup import battle_tile
from engine.rulesets.lordsawar.options import Options
from engine.rulesets.lordsawar.state import HeroQuest, QuestGoal, State
from engine.strategic import commands as do
from engine.strategic.aftermath import take_city
from engine.strategic.events import CitySettled, CityTaken, TransitsLost
from engine.strategic.pieces import NOBODY, NONE
from engine.strategic.settings import Fate
from tests.rulesets.lordsawar.realm import (
    army,
    away,
    city,
    desk,
    levels_hold,
    ordered,
    realm,
    slot,
)


def taken(state: State, number: int = 1) -> tuple[State, CityTaken]:
    """Let the first side take a city; return the position and the event."""
    work, settings = desk(state)
    take_city(work, settings, number, 0)
    assert isinstance(work.state, State)
    return work.state, next(event for event in work.events if isinstance(event, CityTaken))


LOOT = [
    # gold of the loser, number of its cities including the lost one, loot
    (0, 1, 0),
    (1, 1, 0),
    (2, 1, 1),
    (100, 1, 50),
    (101, 3, 16),
    (7, 4, 0),
    (8, 4, 1),
    (1000, 2, 250),
]


@pytest.mark.rule("LW-13.3", "LW-22")
@pytest.mark.parametrize(("gold", "count", "loot"), LOOT)
def test_winner_gains_half_of_the_losers_loss(gold: int, count: int, loot: int) -> None:
    towns = [city(0, 0, 0), *(city(1 + k, 2 * k, 4, 1) for k in range(count))]
    after, event = taken(realm(towns, gold=(5, gold)))
    assert event.loot == loot
    assert after.sides[0].gold == 5 + loot
    assert after.sides[1].gold == gold - 2 * loot >= 0


@pytest.mark.rule("LW-13.3")
def test_neutral_cities_hold_no_loot() -> None:
    state = realm([city(0, 0, 0), city(1, 4, 0, NOBODY)], neutral_gold=500)
    after, event = taken(state)
    assert (event.loot, after.neutral_gold, after.sides[0].gold) == (0, 500, 100)


LEVELS = [(0, NOBODY, 2), (2, NOBODY, 2), (3, NOBODY, 3), (4, 1, 3), (1, 1, 2)]


@pytest.mark.rule("LW-13.3", "LW-3.4")
@pytest.mark.parametrize(("slots", "owner", "level"), LEVELS)
def test_taken_city_produces_its_first_slot_at_its_owners_level(
    slots: int, owner: int, level: int
) -> None:
    keys = ("pikemen", "archers", "scouts", "spiders")[:slots]
    town = city(1, 4, 0, owner, *keys, making="archers" if slots > 1 else "", vector=2)
    after, _ = taken(realm([city(0, 0, 0), town, city(2, 8, 0, owner)]))
    got = after.cities[1]
    assert (got.owner, got.vector, got.defence) == (0, NONE, level)
    assert (got.making, got.left) == ((0, 3) if slots else (NONE, 0))
    assert levels_hold(after)


@pytest.mark.rule("LW-13.3", "LW-13.4")
def test_capture_ends_vectors_and_transits_of_the_city() -> None:
    towns = [city(0, 0, 0, 1, vector=1), city(1, 4, 0, 1), city(2, 8, 0, 1), city(3, 0, 4)]
    ways = [(10, 0, 1), (11, 1, 2), (12, 0, 2)]
    loser = [
        replace(away(k, home, target, 2), army=army(k, 0, 0, owner=1, home=home))
        for k, home, target in ways
    ]
    own = [away(13, 3, 0, 2)]
    work, settings = desk(realm(towns, transits=[*loser, *own]))
    take_city(work, settings, 1, 0)
    assert TransitsLost((10, 11)) in work.events
    assert list(work.state.transits) == [12, 13]
    assert work.state.cities[0].vector == NONE


PLUNDER: list[tuple[tuple[str, ...], Fate, tuple[str, ...], int]] = [
    (("scouts", "elephants", "archers"), "pillage", ("scouts", "archers"), 750),
    (("scouts", "dragons", "elephants"), "pillage", ("scouts", "elephants"), 1500),
    (("archers", "dwarves"), "pillage", ("dwarves",), 200),
    (("ghosts", "dragons"), "pillage", ("dragons",), 1500),
    (("scouts",), "pillage", (), 5),
    (("scouts", "elephants", "archers"), "sack", ("scouts",), 950),
    (("elephants", "dragons"), "sack", ("elephants",), 1500),
    (("scouts", "giant_bats", "light_infantry"), "sack", ("scouts",), 15 + 25),
]


@pytest.mark.rule("LW-13.3", "LW-3.4")
@pytest.mark.parametrize(("keys", "fate", "left", "gain"), PLUNDER)
def test_plunder_depends_on_the_price_of_the_lost_slots(
    keys: tuple[str, ...], fate: Fate, left: tuple[str, ...], gain: int
) -> None:
    state, _ = taken(realm([city(0, 0, 0), city(1, 4, 0, NOBODY, *keys)], gold=(7, 0)))
    after, events = ordered(state, 0, do.Settle(fate))
    assert after.cities[1].slots == tuple(map(slot, left))
    assert after.sides[0].gold == 7 + gain
    assert any(isinstance(event, CitySettled) and event.gain == gain for event in events)
    assert after.cities[1].making == (0 if left else NONE)
    assert after.cities[1].left == (slot(left[0]).turns if left else 0)
    assert levels_hold(after)


@pytest.mark.rule("LW-13.3")
def test_equal_slots_are_counted_one_by_one() -> None:
    town = seized(city(1, 4, 0, 0, "archers", "archers"))
    left, gain = plunder(realm([town]), town, "pillage")
    assert (left.slots, gain) == ((slot("archers"),), 200)


@pytest.mark.rule("LW-13.3")
def test_occupying_keeps_the_city_unchanged() -> None:
    state, _ = taken(realm([city(0, 0, 0), city(1, 4, 0, NOBODY, "scouts", "archers")]))
    after, _ = ordered(state, 0, do.Settle("occupy"))
    assert after.cities[1] == state.cities[1]


FATES: list[tuple[str, str, tuple[Fate, ...]]] = [
    ("always", "always", ("occupy", "pillage", "sack", "raze")),
    ("on_capture", "on_capture", ("occupy", "pillage", "sack", "raze")),
    ("always", "never", ("occupy", "pillage", "sack")),
    ("on_quest", "always", ("occupy", "raze")),
    ("never", "on_capture", ("occupy", "raze")),
    ("never", "never", ("occupy",)),
]


def chosen(sacking: str, razing: str) -> Options:
    return Options(sacking_mode=sacking, razing_cities=razing)  # type: ignore[arg-type] # of tables


@pytest.mark.rule("LW-13.3", "LW-20")
@pytest.mark.parametrize(("sacking", "razing", "found"), FATES)
def test_fates_depend_on_the_options(sacking: str, razing: str, found: tuple[Fate, ...]) -> None:
    state = realm([city(0, 0, 0, 0, "scouts", "archers")])
    assert fates(chosen(sacking, razing), state, 0) == found


@pytest.mark.rule("LW-13.3")
def test_a_city_with_few_slots_cannot_be_sacked_or_pillaged() -> None:
    state = realm([city(0, 0, 0), city(1, 4, 0, 0, "scouts")])
    assert fates(Options(), state, 0) == ("occupy", "raze")
    assert fates(Options(), state, 1) == ("occupy", "pillage", "raze")


@pytest.mark.rule("LW-13.3", "LW-15.2")
@pytest.mark.parametrize(
    ("hero_at", "kind", "target", "able"),
    [
        ((0, 1), "plunder", NONE, True),
        ((5, 5), "plunder", NONE, False),
        ((0, 1), "sack-city", 0, True),
        ((0, 1), "sack-city", 3, False),
        ((0, 1), "kill-hero", 1, False),
    ],
)
def test_sacking_on_quest_needs_a_hero_with_that_quest(
    hero_at: tuple[int, int], kind: QuestGoal, target: int, able: bool
) -> None:
    state = realm([city(0, 0, 0, 0, "scouts", "archers")], [army(1, *hero_at, "hero")])
    state = replace(state, quests=state.quests.put(HeroQuest(1, kind, target=target)))
    assert ("sack" in fates(chosen("on_quest", "never"), state, 0)) == able


# -- razing ----------------------------------------------------------------------------------------


@pytest.mark.rule("LW-13.3", "LW-22", "LW-3.4", "LW-12.2")
def test_razed_city_has_no_income_but_remains_a_city_tile() -> None:
    towns = [city(0, 0, 0), city(1, 4, 0, 0, "scouts", making="scouts"), city(2, 8, 0, vector=1)]
    state, _ = ordered(realm(towns, transits=[away(9, 2, 1, 3)]), 0, do.Raze(1))
    town = state.cities[1]
    assert (town.razed, town.owner, town.slots, town.making) == (True, NOBODY, (), NONE)
    assert (town.defence, state.cities[2].vector, len(state.transits)) == (0, NONE, 0)
    assert state.terrain[0, 4] == LandCode.CITY
    assert battle_tile(state, (4, 0)).level == 0
    assert levels_hold(state)


@pytest.mark.rule("LW-13.3", "LW-20")
@pytest.mark.parametrize(("razing", "later"), [("always", True), ("on_capture", False)])
def test_razing_after_the_capture_needs_the_option(razing: str, later: bool) -> None:
    state = realm([city(0, 0, 0), city(1, 4, 0)], options=chosen("always", razing))
    if later:
        assert ordered(state, 0, do.Raze(1))[0].cities[1].razed
        return
    with pytest.raises(Refused) as refused:
        ordered(state, 0, do.Raze(1))
    assert (refused.value.code, refused.value.rule) == ("NOT_ALLOWED", "LW-13.3")


@pytest.mark.rule("LW-13.3")
def test_a_city_can_be_razed_when_it_is_taken() -> None:
    options = chosen("always", "on_capture")
    state, _ = taken(realm([city(0, 0, 0), city(1, 4, 0, 1, "scouts")], options=options))
    after, _ = ordered(state, 0, do.Settle("raze"))
    assert after.cities[1].razed
    assert levels_hold(after)
