"""Accounts, production, placement, arrivals and neutral cities (sections 13.1, 13.2, 13.4, 17)."""

from __future__ import annotations

from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.containers import Roster
from engine.core.dice import Seeded
from engine.core.record import replace
from engine.core.refused import Refused
from engine.rulesets.lordsawar import cities, turns
from engine.rulesets.lordsawar.cities import journey_to
from engine.rulesets.lordsawar.events import NeutralGoldSet, ProductionStopped
from engine.rulesets.lordsawar.options import Options
from engine.rulesets.lordsawar.state import State
from engine.rulesets.lordsawar.tables import units_by_key
from engine.rulesets.lordsawar.view import redact, view
from engine.strategic import commands as do
from engine.strategic.events import ArmyArrived, ArmyMade, ArmySent, IncomeCame, TransitsLost
from engine.strategic.pieces import NOBODY, NONE, TO_FLAG, Army, HitPoints, Item
from tests.rulesets.lordsawar.realm import army, away, city, desk, ordered, realm, slot

DICE: Final = Seeded(b"economy", 0, "test")


def upkeep(state: State, side: int = 0) -> tuple[State, list[object]]:
    """Return the position after the upkeep phase of a side, and the events."""
    work, settings = desk(state)
    turns.upkeep_phase(work, settings, side)
    assert isinstance(work.state, State)
    return work.state, list(work.events)


# -- accounts --------------------------------------------------------------------------------------


@pytest.mark.rule("LW-13.1")
def test_cities_earn_gold_and_armies_not_in_transit_cost_it() -> None:
    state = realm(
        [city(0, 0, 0), city(1, 4, 0, income=7), city(2, 8, 0, NOBODY, razed=True)],
        [army(1, 3, 3, "archers"), army(2, 3, 4, "spiders"), army(3, 5, 5, owner=1)],
        transits=[away(9, 0, 1, 5)],
    )
    after, events = upkeep(state)
    assert IncomeCame(side=0, income=27, upkeep=19, gold=108) in events
    assert after.sides[0].gold == 108


@pytest.mark.rule("LW-13.1", "LW-22")
def test_treasury_stops_at_zero_and_no_army_deserts() -> None:
    state = realm([city(0, 0, 0, income=1)], [army(1, 3, 3, "spiders")], gold=(5, 5))
    after, _ = upkeep(state)
    assert after.sides[0].gold == 0
    assert list(after.armies) == [1]


@pytest.mark.rule("LW-13.1", "LW-17")
def test_neutral_side_has_its_own_purse() -> None:
    state = realm(
        [city(0, 0, 0, NOBODY), city(1, 4, 0)],
        [army(1, 0, 0, "archers", owner=NOBODY)],
        neutral_gold=3,
    )
    after, events = upkeep(state, NOBODY)
    assert NeutralGoldSet(16) in events
    assert after.neutral_gold == 16
    assert [side.gold for side in after.sides.values()] == [100, 100]


@pytest.mark.rule("LW-13.1")
def test_upkeep_refills_and_heals_before_arrivals_and_production() -> None:
    hurt = army(1, 3, 3, points=5, hp=HitPoints(5760, 5000))
    state = realm(
        [city(0, 0, 0, 0, "archers", making="archers", left=1)], [hurt], transits=[away(9, 0, 0, 1)]
    )
    after, events = upkeep(state)
    names = [type(event).__name__ for event in events]
    order = ["IncomeCame", "PointsRefilled", "ArmiesHealed", "ArmyArrived", "GoldChanged"]
    assert names == [*order, "ArmyMade"]
    assert after.armies[1].points == hurt.max_move + 2
    assert after.armies[1].hp == HitPoints(5760, 2120)


@pytest.mark.rule("LW-13.1", "LW-17")
def test_accounts_follow_the_turn_order_with_neutrals_last() -> None:
    state = realm([city(0, 0, 0), city(1, 4, 0, 1), city(2, 8, 0, NOBODY)], order=(1, 0), at=1)
    _, events = ordered(state, 0, do.EndTurn(), DICE)
    booked = [e.side if isinstance(e, IncomeCame) else NOBODY for e in events if _is_account(e)]
    assert booked == [1, 0, NOBODY]


def _is_account(event: object) -> bool:
    return isinstance(event, IncomeCame | NeutralGoldSet)


@pytest.mark.rule("LW-13.1")
def test_option_moves_upkeep_to_each_sides_turn_start() -> None:
    state = realm(
        [city(0, 0, 0), city(1, 4, 0, 1), city(2, 8, 0, NOBODY)],
        [army(1, 0, 0, "hero"), army(2, 4, 0, "hero", owner=1)],
        options=Options(upkeep_phase="turn_start"),
    )
    state, first = ordered(state, 0, do.EndTurn(), DICE)
    assert not any(_is_account(event) for event in first)
    state, second = ordered(state, 1, do.EndTurn(), DICE)
    booked = [e.side if isinstance(e, IncomeCame) else NOBODY for e in second if _is_account(e)]
    assert booked == [NOBODY, 0]


# -- production ------------------------------------------------------------------------------------


@pytest.mark.rule("LW-13.2")
def test_turns_left_fall_and_the_army_is_paid_when_made() -> None:
    state = realm([city(0, 0, 0, 0, "archers", making="archers", income=0)])
    state, events = upkeep(state)
    assert (state.cities[0].left, state.sides[0].gold) == (1, 100)
    state, events = upkeep(state)
    made = next(event for event in events if isinstance(event, ArmyMade))
    assert (state.cities[0].left, state.sides[0].gold, made.army.at) == (2, 93, (0, 0))
    assert made.army.points == made.army.max_move


SHORT = [
    # gold; which of three cities (7+7 archers, 12+12 spiders, 7+7) still produce; gold left
    (52, (True, True, True), 26),
    (51, (False, True, True), 32),
    (37, (False, False, True), 30),
    (13, (False, False, False), 13),
]


@pytest.mark.rule("LW-13.2")
@pytest.mark.parametrize(("gold", "made", "left"), SHORT)
def test_cities_stop_in_order_until_the_rest_is_affordable(
    gold: int, made: tuple[bool, ...], left: int
) -> None:
    keys = ("archers", "spiders", "archers")
    towns = [city(k, 3 * k, 0, 0, key, making=key, left=1, income=0) for k, key in enumerate(keys)]
    after, events = upkeep(realm(towns, gold=(gold, 0)))
    assert tuple(town.making != NONE for town in after.cities.values()) == made
    assert after.sides[0].gold == left
    told = [event.city.id for event in events if isinstance(event, ProductionStopped)]
    assert told == [k for k in range(3) if not made[k]]
    assert all(len(town.slots) == 1 for town in after.cities.values())


@pytest.mark.rule("LW-13.2", "LW-22")
@given(
    gold=st.integers(0, 90),
    keys=st.lists(st.sampled_from(["scouts", "archers", "spiders", "dragons"]), max_size=5),
)
def test_as_few_cities_as_possible_stop_producing(gold: int, keys: list[str]) -> None:
    towns = [city(k, 2 * k, 0, 0, key, making=key, left=1, income=0) for k, key in enumerate(keys)]
    after, _ = upkeep(realm(towns, gold=(gold, 0)))
    rows = [units_by_key()[key] for key in keys]
    bills = [row.cost + row.upkeep for row in rows]
    first = next(k for k in range(len(keys) + 1) if sum(bills[k:]) <= gold)
    busy = [town.id for town in after.cities.values() if town.making != NONE]
    assert busy == (list(range(first, len(keys))) if gold else [])
    assert after.sides[0].gold == gold - sum(rows[k].cost for k in busy) >= 0


@pytest.mark.rule("LW-13.2")
def test_only_cities_that_are_due_are_stopped() -> None:
    towns = [
        city(0, 0, 0, 0, "archers", making="archers", left=2, income=0),
        city(1, 3, 0, 0, "archers", making="archers", left=1, income=0),
    ]
    after, _ = upkeep(realm(towns, gold=(1, 0)))
    assert [town.making for town in after.cities.values()] == [0, NONE]


@pytest.mark.rule("LW-13.2")
def test_vectoring_stops_only_without_any_gold() -> None:
    towns = [
        city(0, 0, 0, 0, "archers", making="archers", left=1, income=0, vector=1),
        city(1, 3, 0, income=0),
    ]
    poor, _ = upkeep(realm(towns, gold=(0, 0)))
    assert (poor.cities[0].making, poor.cities[0].vector) == (NONE, NONE)
    short, _ = upkeep(realm(towns, gold=(1, 0)))
    assert (short.cities[0].making, short.cities[0].vector) == (NONE, 1)


@pytest.mark.rule("LW-13.2")
@pytest.mark.parametrize(("gold", "making", "left"), [(0, NONE, 0), (3, 0, 1), (7, 0, 2)])
def test_unaffordable_army_waits_or_stops_production(gold: int, making: int, left: int) -> None:
    town = city(0, 0, 0, 0, "archers", making="archers", left=0)
    work, settings = desk(realm([town], gold=(gold, 0)))
    cities.finish(work, settings, town)
    assert (work.state.cities[0].making, work.state.cities[0].left) == (making, left)


@pytest.mark.rule("LW-13.2")
def test_restarted_production_takes_all_its_turns() -> None:
    state = realm([city(0, 0, 0, 0, "catapults")])
    state, _ = ordered(state, 0, do.Produce(0, 0))
    assert (state.cities[0].making, state.cities[0].left) == (0, 4)


def full(x: int, y: int, first: int, owner: int = 0) -> list[Army]:
    """Return eight armies on a tile."""
    return [army(first + k, x, y, "scouts", owner=owner, upkeep=0) for k in range(8)]


@pytest.mark.rule("LW-13.2", "LW-22")
def test_new_army_appears_on_the_first_or_nearest_tile_with_room() -> None:
    town = city(0, 4, 4, 0, "scouts", making="scouts")
    tiles = town.tiles
    stacks = [full(x, y, 1 + 8 * k) for k, (x, y) in enumerate(tiles)]
    for count in range(4):
        armies = [one for stack in stacks[:count] for one in stack]
        _, events = upkeep(realm([town], armies))
        assert _made(events).at == tiles[count]
    crowd = [one for stack in stacks for one in stack]
    _, events = upkeep(realm([town], crowd))
    assert _made(events).at == (3, 3)
    _, events = upkeep(realm([town], [*crowd, army(90, 3, 3, owner=1), *full(4, 3, 91)]))
    assert _made(events).at == (5, 3)


@pytest.mark.rule("LW-13.2")
def test_no_new_army_appears_on_water_mountains_or_foreign_cities() -> None:
    rows = ("wwwwww", "wccccm", "wccccm", "wwwww.")
    town, foreign = city(0, 1, 1, 0, "scouts", making="scouts"), city(1, 3, 1, 1)
    crowd = [one for k, (x, y) in enumerate(town.tiles) for one in full(x, y, 1 + 8 * k)]
    _, events = upkeep(realm([town, foreign], crowd, rows=rows))
    assert _made(events).at == (5, 3)


def _made(events: list[object]) -> Army:
    return next(event.army for event in events if isinstance(event, ArmyMade))


# -- purchases -------------------------------------------------------------------------------------


@pytest.mark.rule("LW-13.2")
def test_bought_type_fills_a_slot_and_updates_the_level() -> None:
    state = realm([city(0, 0, 0, 0, "scouts", "archers", making="scouts")], gold=(500, 0))
    state, _ = ordered(state, 0, do.BuySlot(0, 2, 2))
    assert state.cities[0].slots[2] == slot("orcish_mob")
    assert (state.cities[0].defence, state.sides[0].gold) == (3, 400)
    state, _ = ordered(state, 0, do.BuySlot(0, 0, 1))
    assert (state.cities[0].slots[0], state.cities[0].making) == (slot("light_infantry"), NONE)


@pytest.mark.rule("LW-13.2", "LW-20")
@pytest.mark.parametrize(
    ("kind", "barred"), [(1, False), (18, False), (27, False), (2, True)], ids=str
)
def test_impossible_purchase_is_refused(kind: int, barred: bool) -> None:
    town = city(0, 0, 0, 0, "light_infantry")
    state = realm([town], gold=(5000, 0), no_buying=(0,) if barred else ())
    with pytest.raises(Refused) as refused:
        ordered(state, 0, do.BuySlot(0, 1, kind))
    assert (refused.value.code, refused.value.rule) == ("NOT_FOR_SALE", "LW-13.2")


# -- vectors ---------------------------------------------------------------------------------------


@pytest.mark.rule("LW-13.4")
def test_a_vectored_army_arrives_after_two_rounds_with_all_its_points() -> None:
    towns = [
        city(0, 0, 0, 0, "archers", making="archers", left=1, vector=1),
        city(1, 8, 6),
    ]
    state = realm(towns)
    state, events = upkeep(state)
    assert next(event for event in events if isinstance(event, ArmySent)).transit.due == 3
    for turn in (2, 3):
        assert not state.armies
        state, _ = upkeep(replace(state, turn=turn))
    (arrived,) = state.armies.values()
    assert (arrived.at, arrived.points) == ((8, 6), arrived.max_move)


DISTANCES = [
    # target and rounds on a map of 12 by 10: int(4 * d / 12) + 1
    ((2, 0), 1),
    ((3, 0), 2),
    ((4, 4), 2),
    ((6, 0), 3),
    ((6, 6), 3),
    ((9, 0), 4),
    ((10, 8), 5),
]


@pytest.mark.rule("LW-13.4")
@pytest.mark.parametrize(("target", "rounds"), DISTANCES)
def test_option_makes_transit_time_depend_on_distance(target: tuple[int, int], rounds: int) -> None:
    town = city(0, 0, 0, 0, "archers", making="archers", left=1, vector=1)
    options = Options(vectoring_mode="by_distance")
    state = realm([town, city(1, *target)], options=options, turn=7)
    _, events = upkeep(state)
    assert next(event for event in events if isinstance(event, ArmySent)).transit.due == 7 + rounds
    assert journey_to(realm([town]), town, target) == 2


@pytest.mark.rule("LW-13.4")
def test_army_arrives_on_the_nearest_tile_with_room() -> None:
    planted = realm([city(0, 0, 0)], full(8, 6, 1), transits=[away(50, 0, TO_FLAG, 1)])
    flagged = replace(planted.sides[0], flag=(8, 6))
    after, events = upkeep(replace(planted, sides=planted.sides.put(flagged)))
    arrived = next(event.army for event in events if isinstance(event, ArmyArrived))
    assert arrived.at == (7, 5)
    assert not after.transits


@pytest.mark.rule("LW-13.4")
@pytest.mark.parametrize("target", [1, 2, TO_FLAG])
def test_army_in_transit_is_lost_with_its_target(target: int) -> None:
    towns = [city(0, 0, 0), city(1, 4, 0, 1), city(2, 8, 0, NOBODY, razed=True)]
    after, events = upkeep(realm(towns, transits=[away(50, 0, target, 1)]))
    assert TransitsLost((50,)) in events
    assert not after.transits
    assert not after.armies


@pytest.mark.rule("LW-13.4")
def test_picking_up_the_standard_loses_armies_in_transit_to_it() -> None:
    standard = Item(0, "standard", 1, "Standard", "planted", x=8, y=6, side=0)
    towns = [city(0, 0, 0, 0, "scouts", vector=TO_FLAG), city(1, 4, 0)]
    ways = [away(50, 0, TO_FLAG, 3), away(51, 0, 1, 3)]
    state = realm(towns, [army(1, 8, 6, "hero")], transits=ways, items=Roster([standard]))
    state = replace(state, sides=state.sides.put(replace(state.sides[0], flag=(8, 6))))
    after, _ = ordered(state, 0, do.PickUp(1, 0))
    assert (list(after.transits), after.cities[0].vector) == ([51], NONE)


@pytest.mark.rule("LW-13.4")
def test_new_target_applies_to_all_sources_of_the_old_one() -> None:
    towns = [
        *(city(k, 2 * k, 0, 0, "scouts", vector=4) for k in range(3)),
        city(3, 6, 0, 0, "scouts", vector=5),
        city(4, 0, 4, 0, "scouts"),
        city(5, 4, 4, 0, "scouts", vector=4),
    ]
    state, _ = ordered(realm(towns), 0, do.SetVector(0, 5))
    assert [town.vector for town in state.cities.values()] == [5, 5, 5, 5, NONE, NONE]
    state, _ = ordered(state, 0, do.SetVector(0))
    assert [town.vector for town in state.cities.values()] == [NONE, 5, 5, 5, NONE, NONE]


@pytest.mark.rule("LW-13.4")
def test_at_most_four_cities_send_to_one_place() -> None:
    towns = [
        *(city(k, 2 * k, 0, 0, "scouts", vector=5) for k in range(3)),
        *(city(k, 2 * k, 2, 0, "scouts", vector=6) for k in (3, 4)),
        city(5, 0, 4),
        city(6, 4, 4),
    ]
    with pytest.raises(Refused) as refused:
        ordered(realm(towns), 0, do.SetVector(0, 6))
    assert (refused.value.code, refused.value.rule) == ("TOO_MANY", "LW-13.4")


# -- neutral cities --------------------------------------------------------------------------------


def neutral(mode: str, garrison: int, gold: int = 0, **more: Any) -> State:
    """Return a position with a neutral city that can make archers and other types."""
    town = city(0, 4, 4, NOBODY, "scouts", "archers", "catapults", **more)
    keepers = [army(1 + k, 4, 4, "archers", owner=NOBODY) for k in range(garrison)]
    options = Options(neutral_cities=mode)  # type: ignore[arg-type] # words of the tables below
    return realm([town, city(1, 8, 0)], keepers, neutral_gold=gold, options=options)


ACTIVE = [
    # mode, defenders, attacked, slot that is produced
    ("active", 1, True, 1),
    ("active", 4, True, 1),
    ("active", 5, True, NONE),
    ("active", 1, False, NONE),
    ("active", 0, True, 1),
    ("strong", 1, True, NONE),
    ("average", 1, True, NONE),
]


@pytest.mark.rule("LW-17.2")
@pytest.mark.parametrize(("mode", "defenders", "attacked", "making"), ACTIVE)
def test_active_neutral_city_produces_its_strongest_defender(
    mode: str, defenders: int, attacked: bool, making: int
) -> None:
    state = neutral(mode, defenders, attacked_by=int(attacked))
    work, settings = desk(state)
    cities.order_neutrals(work, settings)
    assert work.state.cities[0].making == making


@pytest.mark.rule("LW-17.2")
def test_active_neutral_city_stops_at_five_defenders() -> None:
    state = neutral("active", 5, attacked_by=1, making="archers")
    work, settings = desk(state)
    cities.order_neutrals(work, settings)
    assert work.state.cities[0].making == NONE


@pytest.mark.rule("LW-17.2", "LW-13.2")
def test_the_neutral_side_pays_for_its_armies() -> None:
    state = neutral("active", 1, 21, attacked_by=1, making="archers", left=1, income=0)
    after, _ = upkeep(state, NOBODY)
    assert after.neutral_gold == 21 - 7 - 7
    assert len(after.armies) == 2
    after, _ = upkeep(neutral("active", 1, 10, making="archers", left=1, income=0), NOBODY)
    assert (after.neutral_gold, after.cities[0].making) == (3, NONE)


DEFENSIVE = [
    # defenders, gold, throws, slot that is produced
    (2, 101, (1, 3), 2),
    (2, 101, (1, 1), 0),
    (2, 101, (2,), NONE),
    (2, 100, (), NONE),
    (5, 101, (), NONE),
]


@pytest.mark.rule("LW-17.2")
@pytest.mark.parametrize(("defenders", "gold", "throws", "making"), DEFENSIVE)
def test_defensive_neutral_city_starts_at_random_if_there_is_gold(
    defenders: int, gold: int, throws: tuple[int, ...], making: int
) -> None:
    work, settings = desk(neutral("defensive", defenders, gold), *throws)
    cities.order_neutrals(work, settings)
    assert work.state.cities[0].making == making


@pytest.mark.rule("LW-17.2")
def test_defensive_neutral_cities_stop_after_one_army() -> None:
    after, _ = upkeep(neutral("defensive", 2, 200, making="scouts"), NOBODY)
    assert (len(after.armies), after.cities[0].making) == (3, NONE)


@pytest.mark.rule("LW-17")
def test_neutral_purse_is_hidden_from_all_sides() -> None:
    state = neutral("active", 1, 50)
    assert view(state, 0).neutral_gold == 0
    after, events = upkeep(state, NOBODY)
    told = [redact(event, state, after, 0) for event in events if isinstance(event, NeutralGoldSet)]
    assert told == [None]
