"""The properties of section 19 of the rule book, and the tests that guard each of them.

Random games (``tests.strategic.soak``) check every property as well, if a game can show it.
``PROPERTIES`` is the table of numbers and tests; tests without a module are in this one.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.core.containers import Roster
from engine.core.dice import Seeded
from engine.core.record import replace
from engine.core.refused import Refused
from engine.kit.grid import Place
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.rulesets.warlords2.state import State
from engine.strategic import cities, costs, routes
from engine.strategic import commands as do
from engine.strategic.costs import BRIDGES, ROADS, Mover
from engine.strategic.dispatch import decide
from engine.strategic.events import AnyEvent, ArmiesRemoved, BattleFought
from engine.strategic.pieces import Army
from engine.strategic.routes import DIRECTIONS, UNREACHED, DistanceField, RouteRequest
from tests.strategic.ground import LIGHT, TYPES, army, city, desk, slot, world
from tests.strategic.moving.lands import lands, places
from tests.strategic.moving.naive import Group, Rules

RULEBOOK = "tests.rulesets.warlords2"
MOVING = "tests.strategic.moving"
FIGHTING = "tests.strategic.fighting"
TURNS = "tests.strategic.turns"
VECTORS = "tests.strategic.cities.test_vectoring"
SIGHT = "tests.strategic.moving.test_sight"
SOAK = "tests.strategic.test_soak:test_random_games_keep_the_invariants"

PROPERTIES: dict[int, tuple[str, ...]] = {
    1: (
        f"{RULEBOOK}.test_tiles:test_every_word_survives_unpacking_and_packing",
        f"{RULEBOOK}.test_tiles:test_a_raw_read_overlaps_with_the_next_tile",
        f"{RULEBOOK}.test_tiles:test_the_last_tile_reads_zeros_past_the_end",
    ),
    2: (f"{RULEBOOK}.test_tiles:test_a_new_owner_changes_four_bits",),
    3: (
        f"{MOVING}.test_costs:test_cost_maps_equal_the_naive_implementation",
        f"{MOVING}.test_costs:test_tile_of_a_foe_is_outside_the_zone_of_control",
        "test_tiles_of_cost_zero_cannot_be_entered_on_foot",
    ),
    4: (
        f"{MOVING}.test_costs:test_flying_costs_one_except_over_the_void",
        f"{MOVING}.test_costs:test_boats_stay_on_water_and_in_ports_and_pay_at_most_two",
        "test_roads_bridges_and_abilities_never_raise_a_cost",
    ),
    5: (
        f"{MOVING}.test_routes:test_field_is_the_fixed_point_of_the_rule_book",
        f"{MOVING}.test_routes:test_path_is_legal_and_its_cost_follows_from_the_field",
        "test_return_path_costs_the_same_except_at_the_ends",
    ),
    6: (f"{MOVING}.test_routes:test_wider_window_never_makes_a_path_more_expensive",),
    7: (
        "test_path_is_the_one_that_the_rule_book_chooses",
        "tests.contract.test_processes:test_hash_seed_and_locale_change_no_byte",
    ),
    8: (
        f"{MOVING}.test_invariants:test_position_stays_sound_after_any_order",
        f"{TURNS}.test_walks:test_cities_purses_and_armies_stay_in_bounds",
        SOAK,
    ),
    9: (
        f"{MOVING}.test_invariants:test_position_stays_sound_after_any_order",
        f"{MOVING}.test_reach:test_march_reaches_every_stop_at_its_cost",
        f"{TURNS}.test_refill:test_refill_without_items_has_three_results",
        SOAK,
    ),
    10: (
        f"{FIGHTING}.test_strength:test_strengths_stay_in_bounds_and_their_reasons_add_up",
        f"{FIGHTING}.test_strength:test_cap_applies_before_the_foes_malus",
        f"{FIGHTING}.test_duels:test_battle_leaves_one_side_and_its_hits_add_up",
        f"{FIGHTING}.test_battle:test_casualties_and_survivors_are_the_participants",
    ),
    11: (
        f"{FIGHTING}.test_duels:test_share_of_won_duels_follows_the_formula",
        f"{FIGHTING}.test_odds:test_a_single_duel_follows_the_formula",
        f"{FIGHTING}.test_odds:test_strength_added_never_lowers_the_chance",
    ),
    12: (
        f"{FIGHTING}.test_capture:test_loot_is_half_of_a_share_of_the_losers_purse",
        f"{FIGHTING}.test_capture:test_gold_never_grows_by_a_capture",
        "tests.strategic.cities.test_economy:test_purse_stays_from_zero_to_its_maximum",
        SOAK,
    ),
    13: (
        f"{TURNS}.test_walks:test_cities_purses_and_armies_stay_in_bounds",
        f"{FIGHTING}.test_capture:test_fates_of_a_city_yield_half_the_prices",
        "test_a_razed_city_never_changes_again",
        "test_sacked_city_keeps_its_first_slot",
    ),
    14: (
        f"{VECTORS}:test_army_arrives_two_turn_starts_after_departure",
        f"{VECTORS}:test_army_arrives_in_two_turns_or_returns_in_four_or_is_lost",
        f"{VECTORS}:test_at_most_four_cities_send_armies_to_one_target",
    ),
    15: (
        f"{SIGHT}:test_discoveries_last_but_armies_are_seen_only_nearby",
        f"{MOVING}.test_invariants:test_position_stays_sound_after_any_order",
        "test_fog_does_not_affect_a_battle",
    ),
    16: (
        "tests.contract.test_log:test_folding_the_events_gives_the_state_that_was_played",
        "tests.contract.test_log:test_a_log_read_from_bytes_gives_the_same_game",
        "tests.contract.test_log:test_verifying_finds_nothing_even_after_undo_and_branches",
    ),
    17: (
        f"{RULEBOOK}.test_imports:test_any_exported_map_equals_the_imported_one",
        f"{RULEBOOK}.test_imports:test_a_broken_file_is_refused_in_one_line",
    ),
}
"""Tests by number of the property, as ``module:function``."""

Land = tuple[State, tuple[Army, ...]]


@pytest.mark.parametrize("number", range(1, 18))
def test_every_property_has_existing_tests(number: int) -> None:
    for name in PROPERTIES[number]:
        module, _, function = name.rpartition(":")
        assert callable(getattr(import_module(module or __name__), function))


def mover(land: Land) -> tuple[State, Mover]:
    state, group = land
    who = costs.mover(state, settings_of(state.options).moving, group)
    assume(who is not None)
    assert who is not None
    return state, who


def told(state: State, who: Mover) -> Rules:
    group = Group(who.side, int(who.mode), who.flags, who.aboard, who.boats)
    return Rules(state, group, wary=False)


# -- steps and paths -------------------------------------------------------------------------------


@pytest.mark.rule("W2-4.3", "W2-5.2")
@given(lands())
@settings(max_examples=20)
def test_tiles_of_cost_zero_cannot_be_entered_on_foot(land: Land) -> None:
    """Number 3."""
    state = land[0]
    settings = settings_of(state.options)
    found = costs.cost_map(state, settings, 0, costs.Mode.GROUND)
    steps = costs.prices(state, settings, Mover(0, costs.Mode.GROUND, 15)).steps
    assert not steps[(found & 7) == 0].any()


@pytest.mark.rule("W2-4.4", "W2-5.2")
@given(lands())
@settings(max_examples=30)
def test_roads_bridges_and_abilities_never_raise_a_cost(land: Land) -> None:
    """Number 4: caps never raise a cost, and bonuses never make a step more expensive."""
    state, who = mover(land)
    settings = settings_of(state.options)
    bare = costs.prices(state, settings, who._replace(flags=0)).steps
    for flags in (ROADS, BRIDGES, ROADS | BRIDGES, who.flags, 15):
        helped = costs.prices(state, settings, who._replace(flags=flags)).steps
        assert (helped <= bare).all()
        assert ((helped == 0) == (bare == 0)).all()


@pytest.mark.rule("W2-5.4")
@given(lands(), st.data())
@settings(max_examples=40)
def test_return_path_costs_the_same_except_at_the_ends(land: Land, data: st.DataObject) -> None:
    """Number 5: the differences are the tile that is paid for, and the zone at one end."""
    state, who = mover(land)
    plain, settings = told(state, who), settings_of(state.options)
    there = [at for at in places(state) if plain.through(at)]
    assume(len(there) > 1)
    a, b = data.draw(st.lists(st.sampled_from(there), min_size=2, max_size=2, unique=True))
    forth = routes.distance_field(state, settings, RouteRequest(who, a, b, 50))
    back = routes.distance_field(state, settings, RouteRequest(who, b, a, 50))
    assert forth is not None
    assert back is not None
    assert (forth.at(a) < UNREACHED) == (back.at(b) < UNREACHED)
    if forth.at(a) < UNREACHED:
        tolls = state.options.zoc_penalty * (plain.star_zone(b) - plain.star_zone(a))
        assert back.at(b) - forth.at(a) == plain.own(b) - plain.own(a) + tolls


def descent(found: DistanceField, src: Place, dst: Place) -> list[Place]:
    """Follow section 5.6 literally: straight on, then by turns left and right of it."""
    line = [src]
    while line[-1] not in found.goals:
        x, y = line[-1]
        ahead = ((dst[0] > x) - (dst[0] < x), (dst[1] > y) - (dst[1] < y))
        base = DIRECTIONS.index(ahead)
        for offset in (0, 7, 1, 6, 2, 5, 3, 4):
            dx, dy = DIRECTIONS[(base + offset) % 8]
            near = (x + dx, y + dy)
            is_open = near not in found.goals or (line[-1], near) in found.ends
            usable = found.has(near) and is_open
            if usable and found.at(near) + found.charge(near, line[-1]) == found.at(line[-1]):
                line.append(near)
                break
    return line[1:]


@pytest.mark.rule("W2-5.6")
@given(lands(), st.data())
@settings(max_examples=40)
def test_path_is_the_one_that_the_rule_book_chooses(land: Land, data: st.DataObject) -> None:
    """Number 7: one of all paths with the lowest cost, for any order of the armies."""
    state, who = mover(land)
    group, settings = land[1], settings_of(state.options)
    dst = data.draw(st.sampled_from(places(state)))
    route = routes.plan(state, settings, 0, group, dst, human=False)
    assume(route is not None)
    assert route is not None
    found = routes.distance_field(
        state, settings, RouteRequest(who, group[0].at, dst, settings.moving.near, wary=False)
    )
    assert found is not None
    assert list(route.path) == descent(found, group[0].at, dst)
    turned = replace(
        state,
        armies=Roster(reversed(list(state.armies.values()))),
        cities=Roster(reversed(list(state.cities.values()))),
    )
    assert routes.plan(turned, settings, 0, group, dst, human=False) == route


# -- battles and cities ----------------------------------------------------------------------------


KINDS = st.lists(st.sampled_from(sorted(TYPES)), min_size=1, max_size=4)


@pytest.mark.rule("W2-8.3", "W2-11")
@given(KINDS, KINDS, st.integers(0, 99))
@settings(max_examples=40)
def test_fog_does_not_affect_a_battle(mine: list[int], theirs: list[int], seed: int) -> None:
    """Number 15: the same dice give the same battle on known and unknown land."""
    attackers = [army(k, 0, 0, kind) for k, kind in enumerate(mine, 1)]
    defenders = [army(k, 1, 0, kind, owner=1) for k, kind in enumerate(theirs, 11)]
    order = do.March(tuple(one.id for one in attackers), (1, 0))
    fought: list[tuple[AnyEvent, ...]] = []
    for hidden in (False, True):
        state = world(["f...", "...."], armies=[*attackers, *defenders], hidden=hidden)
        work = desk(state, Seeded(b"fog", seed, "decide"))
        try:
            decide(work, settings_of(state.options), 0, order)
        except Refused:  # ships and others do not go together
            fought.append(())
            continue
        told = (BattleFought, ArmiesRemoved)
        fought.append(tuple(event for event in work.events if isinstance(event, told)))
    assert fought[0] == fought[1]


ORDERS: dict[str, Any] = {
    "produce": do.Produce(1, 0),
    "stop": do.StopProduction(1),
    "buy": do.BuySlot(1, 0, LIGHT),
    "vector": do.SetVector(1, 2),
    "vector to it": do.SetVector(2, 1),
    "raze": do.Raze(1),
    "rename": do.RenameCity(1, "New"),
}


@pytest.mark.rule("W2-9.2")
def test_a_razed_city_never_changes_again() -> None:
    """Number 13: no order affects it, it makes nothing, and walking in takes nothing."""
    ruin = city(1, 0, 0, slots=(), defence=0, razed=True)
    home = city(2, 4, 0, 0)
    options = Options(neutral_strength="active")
    state = world(["......"] * 3, armies=[army(1, 2, 0)], cities=[ruin, home], options=options)
    settings = settings_of(options)
    for order in ORDERS.values():
        with pytest.raises(Refused):
            decide(desk(state), settings, 0, order)
    work = desk(state)
    decide(work, settings, 0, do.March((1,), (1, 0)))
    cities.refill_neutrals(work, settings)
    cities.pass_turn(work, settings, 0)
    assert work.state.armies[1].at == (1, 0)
    assert work.state.cities[1] == ruin


@pytest.mark.rule("W2-9.2")
@given(st.lists(st.sampled_from(sorted(TYPES)[:20]), min_size=2, max_size=4))
def test_sacked_city_keeps_its_first_slot(kinds: list[int]) -> None:
    """Number 13."""
    slots = tuple(slot(kind) for kind in kinds)
    foreign = city(1, 2, 0, 1, slots=slots, defence=2 if len(slots) > 2 else 1)
    state = world(["....", "...."], armies=[army(1, 1, 0)], cities=[foreign, city(2, 0, 0, 0)])
    work = desk(state)
    settings = settings_of(state.options)
    decide(work, settings, 0, do.March((1,), (2, 0)))
    decide(work, settings, 0, do.Settle("sack"))
    assert work.state.cities[1].slots == slots[:1]
    assert work.state.cities[1].defence == 1
