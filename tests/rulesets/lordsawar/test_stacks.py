"""Stacks on the move: boarding, splitting, attacks from quays, room, rest and invariants."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.containers import Plane, Roster
from engine.core.decision import BaseDecision
from engine.core.dice import Scripted, Seeded
from engine.core.record import replace
from engine.core.refused import Refused
from engine.kit.grid import Place
from engine.rulesets.lordsawar.commands import Park
from engine.rulesets.lordsawar.evolve import evolve
from engine.rulesets.lordsawar.options import Options
from engine.rulesets.lordsawar.rule_settings import settings_in, settings_of
from engine.rulesets.lordsawar.rules import RULES
from engine.rulesets.lordsawar.state import Condition, State
from engine.rulesets.lordsawar.tables import armyset
from engine.rulesets.lordsawar.view import offers, view
from engine.strategic import costs, crossings, movement, routes
from engine.strategic.commands import GoOn, March, SetGoal, Walk
from engine.strategic.events import BattleFought
from engine.strategic.path_cache import PathCache
from engine.strategic.picture.moving import way_to
from engine.strategic.pieces import Army, UnitType
from engine.strategic.reach import reach
from engine.strategic.refusal import Refusal
from engine.strategic.routes import DIRECTIONS
from engine.strategic.world import armies_at
from tests.rulesets.lordsawar.fields import army, bearing, city, field, played

GIANTS: Final = "giants"


def with_swimmers(state: State, *ids: int) -> State:
    """Return the position with some armies of a type that swims, as army sets may have."""
    kind = state.types[state.armies[ids[0]].type]
    swims = UnitType(90, "swimmers", "Swimmers", 3, 1, 1, 12, 0, 90, traits=("swim",), sight=1)
    types = Roster((*state.types.values(), swims))
    assert kind.id != swims.id
    changed = (replace(state.armies[number], type=90) for number in ids)
    return replace(state, types=types, armies=state.armies.put(*changed))


# -- aboard ----------------------------------------------------------------------------------------


@pytest.mark.rule("LW-12.4")
def test_flyers_and_swimmers_do_not_board_but_pay() -> None:
    armies = army(1, 1, 0, GIANTS), army(2, 1, 0, "pegasi"), army(3, 1, 0, GIANTS)
    state = with_swimmers(field((".p~w", "...."), *armies), 3)
    sea, _ = played(state, (0, Walk((1, 2, 3), ((2, 0),))))
    assert [sea.armies[number].aboard for number in (1, 2, 3)] == [True, False, False]
    assert [sea.armies[number].points for number in (1, 2, 3)] == [0, 0, 0]
    rested = (replace(one, points=12) for one in sea.armies.values())
    back, _ = played(
        replace(sea, armies=sea.armies.put(*rested)), (0, Walk((1, 2, 3), ((1, 0), (0, 0))))
    )
    assert [back.armies[number].at for number in (1, 2, 3)] == [(0, 0)] * 3
    assert not any(one.aboard for one in back.armies.values())


@pytest.mark.rule("LW-12.4")
def test_flyer_does_not_board_from_a_city_into_its_port() -> None:
    armies = army(1, 2, 0, GIANTS), army(2, 2, 0, "pegasi")
    state = field((".ccp", ".cc.", "...."), *armies, cities=[city(0, 1, 0, 0)])
    port, _ = played(state, (0, Walk((1, 2), ((3, 0),))))
    assert [port.armies[number].aboard for number in (1, 2)] == [True, False]
    assert [port.armies[number].points for number in (1, 2)] == [0, 0]


@pytest.mark.rule("LW-12.4")
def test_boarding_and_landing_need_the_cost_of_the_tile() -> None:
    for points, arrives in ((1, False), (2, True)):
        state = field((".pw", "..."), army(1, 1, 0, GIANTS, points=points))
        after, _ = played(state, (0, Walk((1,), ((2, 0),))))
        assert (after.armies[1].at == (2, 0)) == arrives
    for points, arrives in ((3, False), (4, True)):
        ship = army(1, 1, 0, "archers", points=points, aboard=True)
        after, _ = played(field(("hpw", "..."), ship), (0, Walk((1,), ((0, 0),))))
        assert (after.armies[1].at == (0, 0)) == arrives


@pytest.mark.rule("LW-12.4")
def test_flying_hero_is_no_longer_aboard() -> None:
    armies = army(1, 1, 0, "hero", aboard=True), army(2, 1, 0, "pegasi")
    after, _ = played(field(("pww.", "...."), *armies), (0, Walk((1, 2), ((0, 0), (0, 1)))))
    assert not after.armies[1].aboard
    assert after.armies[1].points == 14 - 4


# -- flight by an item -----------------------------------------------------------------------------

SEA: Final = ("wwww", "wwww", ".mm.")
WINGS: Final = [bearing(1, 1, "flight")]


@pytest.mark.rule("LW-12.3", "LW-12.4")
@pytest.mark.parametrize("at", [(1, 0), (1, 2)])
def test_stack_lifted_by_an_item_cannot_split_over_closed_ground(
    at: tuple[int, int],
) -> None:
    armies = army(1, *at, "hero"), army(2, *at, GIANTS), army(3, *at, "pegasi")
    state = field(SEA, *armies, items=WINGS)
    goal = ((at[0] + 1, at[1]),)
    split: tuple[tuple[int, ...], ...] = ((1,), (2,), (1, 3), (2, 3))
    for ids in split:
        with pytest.raises(Refused) as refused:
            played(state, (0, Walk(ids, goal)))
        assert refused.value.code == Refusal.MIXED_GROUP
        assert "part" in refused.value.text
    for ids in ((1, 2, 3), (1, 2), (3,)):  # nobody is left who cannot fly
        assert played(state, (0, Walk(ids, goal)))[0].armies[ids[0]].at == goal[0]


@pytest.mark.rule("LW-12.3")
def test_stack_lifted_by_an_item_can_split_on_land() -> None:
    armies = army(1, 0, 2, "hero"), army(2, 0, 2, GIANTS)
    state = field(SEA, *armies, items=WINGS)
    with pytest.raises(Refused):
        played(state, (0, Walk((2,), ((1, 2),))))
    assert played(state, (0, Walk((1,), ((1, 2),))))[0].armies[1].points == 14 - 2


# -- attacks ---------------------------------------------------------------------------------------


@pytest.mark.rule("LW-2.1", "LW-12.4")
def test_winner_against_ships_from_a_quay_boards() -> None:
    foe = army(9, 2, 0, "scouts", owner=1, aboard=True)
    state = field((".pw", "..."), army(1, 1, 0, "dragons"), army(2, 1, 0, "elephants"), foe)
    after, events = played(state, (0, Walk((2,), ((2, 0),))))
    assert any(isinstance(event, BattleFought) and event.won for event in events)
    assert after.armies[2].at == (2, 0)
    assert (after.armies[2].aboard, after.armies[2].points) == (True, 0)
    flown, _ = played(state, (0, Walk((1,), ((2, 0),))))
    assert (flown.armies[1].aboard, flown.armies[1].points) == (False, 22 - 2)


@pytest.mark.rule("LW-2.1")
@pytest.mark.parametrize(("points", "fights"), [(3, False), (4, True)])
def test_attack_needs_and_takes_the_cost_of_the_tile(points: int, *, fights: bool) -> None:
    foe = army(9, 1, 0, "scouts", owner=1)
    state = field((".h", ".."), army(1, 0, 0, "elephants", points=points), foe)
    after, events = played(state, (0, Walk((1,), ((1, 0),))))
    assert any(isinstance(event, BattleFought) for event in events) == fights
    if fights:
        assert (after.armies[1].at, after.armies[1].points) == ((1, 0), 0)


# -- paths -----------------------------------------------------------------------------------------


@pytest.mark.rule("LW-12.5")
def test_path_is_the_cheapest_and_uses_diagonals() -> None:
    state = field(("......", ".ssss.", "......"), army(1, 0, 1, GIANTS))
    settings, group = settings_of(state.options), (state.armies[1],)
    route = routes.ordered(state, settings, 0, group, (5, 1))
    assert route is not None
    assert (len(route.path), route.cost) == (5, 10)
    assert all((x, y) not in {(1, 1), (2, 1), (3, 1), (4, 1)} for x, y in route.path)
    across = field((".....",) * 5, army(1, 0, 0, GIANTS))
    route = routes.ordered(across, settings, 0, (across.armies[1],), (3, 4))
    assert route is not None
    assert route.path == ((1, 1), (2, 2), (3, 3), (3, 4))


@pytest.mark.rule("LW-12.5")
def test_paths_lead_around_enemies_and_their_cities() -> None:
    foes = army(9, 2, 1, owner=1)
    state = field(("......",) * 4, army(1, 0, 1, GIANTS), foes, cities=[city(0, 3, 2, 1)])
    settings, group = settings_of(state.options), (state.armies[1],)
    route = routes.ordered(state, settings, 0, group, (5, 1))
    assert route is not None
    assert not {(2, 1), (3, 2), (4, 2), (3, 3), (4, 3)} & set(route.path)
    attack = routes.ordered(state, settings, 0, group, (2, 1))
    assert attack is not None
    assert attack.attack


@pytest.mark.rule("LW-12.5", "LW-1")
def test_stack_passes_a_full_tile_but_cannot_stop_there() -> None:
    crowd = [army(number, 1, 0) for number in range(2, 9)]
    pair = army(20, 0, 0, GIANTS), army(21, 0, 0, GIANTS)
    state = field(("...", "mmm"), *pair, *crowd)
    through, _ = played(state, (0, March((20, 21), (2, 0))))
    assert through.armies[20].at == through.armies[21].at == (2, 0)
    stays, _ = played(state, (0, March((20, 21), (1, 0))))
    assert stays.armies[20].at == (0, 0)
    alone, _ = played(state, (0, March((20,), (1, 0))))
    assert len(armies_at(alone, (1, 0))) == 8


@pytest.mark.rule("LW-12.5", "LW-17")
def test_march_stops_before_an_unseen_enemy() -> None:
    hidden = Options(hidden_map="on")
    seen = field(("......",) * 3, army(1, 0, 1, GIANTS), army(9, 3, 1, owner=1)).discovered.edit()
    seen[:] = 2
    seen[:, :2] = 3
    state = field(("......",) * 3, army(1, 0, 1, GIANTS), army(9, 3, 1, owner=1), options=hidden)
    state = replace(state, discovered=type(state.discovered)(seen))
    order = Walk((1,), tuple((x, 1) for x in range(1, 6)))
    after, events = played(state, (0, order))
    assert after.armies[1].at == (2, 1)
    assert not any(isinstance(event, BattleFought) for event in events)


# -- orders ----------------------------------------------------------------------------------------


@pytest.mark.rule("LW-12.5")
def test_stacks_on_a_tile_have_separate_goals() -> None:
    pair = army(1, 0, 0, GIANTS), army(2, 0, 0, "dwarves")
    state = field(("......",) * 4, *pair)
    aimed, _ = played(state, (0, SetGoal((1,), (5, 0))), (0, SetGoal((2,), (0, 3))))
    after, _ = played(aimed, (0, GoOn()))
    assert (after.armies[1].at, after.armies[2].at) == ((5, 0), (0, 3))


@pytest.mark.rule("LW-1", "LW-12.5")
def test_a_parked_stack_is_not_offered_until_it_moves() -> None:
    state = field(("....",) * 3, army(1, 0, 0, GIANTS), army(2, 3, 2, GIANTS))
    assert Park((1,)) in set(offers(view(state, 0)))
    parked, _ = played(state, (0, Park((1,))))
    picture = RULES.presenter
    assert picture.context(view(state, 0)).idle_stacks == ((0, 0), (3, 2))
    assert picture.context(view(parked, 0)).idle_stacks == ((3, 2),)
    with pytest.raises(Refused) as refused:
        played(parked, (0, Park((1,))))
    assert refused.value.code == Refusal.NOTHING_TO_DO
    moved, _ = played(parked, (0, Walk((1,), ((1, 0),))))
    assert not moved.condition(1).parked


@pytest.mark.rule("LW-12.5")
def test_moving_ends_defending_and_fortification() -> None:
    state = field(("....",) * 3, army(1, 0, 0, GIANTS, defends=True))
    state = replace(state, conditions=Roster((Condition(1, fortified=True, tower=True),)))
    after, _ = played(state, (0, Walk((1,), ((1, 0),))))
    assert not after.armies[1].defends
    assert after.condition(1) == Condition(1)


# -- reach of mixed stacks -------------------------------------------------------------------------


def reached(state: State, ids: tuple[int, ...]) -> dict[Place, int]:
    """Return the tiles reached by single steps this turn, with the maximum points left there."""
    best: dict[Place, list[tuple[int, ...]]] = {}
    waiting = [state]
    while waiting:
        now = waiting.pop()
        x, y = now.armies[ids[0]].at
        for dx, dy in DIRECTIONS:
            there = x + dx, y + dy
            if any(one.owner != 0 for one in armies_at(now, there)):
                continue
            try:
                after, _ = played(now, (0, Walk(ids, (there,))))
            except Refused:
                continue
            left = tuple(after.armies[number].points for number in ids)
            others = best.setdefault(there, [])
            if after.armies[ids[0]].at != there:
                continue
            if not any(all(a >= b for a, b in zip(one, left, strict=True)) for one in others):
                others.append(left)
                waiting.append(after)
    return {at: max(map(min, found)) for at, found in best.items() if found}


@pytest.mark.rule("LW-12.2", "LW-12.3")
def test_mixed_stack_gets_as_far_as_each_member_can() -> None:
    dwarves, riders = army(1, 0, 0, "dwarves"), army(2, 0, 0, "light_cavalry")
    state = field((".hhhhh", "wwwwww"), dwarves, riders)
    settings = settings_in(state)
    # Hills cost 4, but the dwarves pay 2 of their 8: after three hills they have 2 left.
    assert reach(state, settings, 0, (dwarves, riders)).stops == {(1, 0): 2, (2, 0): 4, (3, 0): 6}
    after, _ = played(state, (0, March((1, 2), (3, 0))))
    assert (after.armies[1].at, after.armies[1].points, after.armies[2].points) == ((3, 0), 2, 8)


@pytest.mark.rule("LW-12.5")
def test_march_prefers_a_path_that_all_members_finish_this_turn() -> None:
    dwarves, riders = army(1, 0, 0, "dwarves", points=8), army(2, 0, 0, "light_cavalry")
    state = field((".hhh.", "fmmmf", ".fff."), dwarves, riders)
    assert (4, 0) in reach(state, settings_in(state), 0, (dwarves, riders)).stops
    after, _ = played(state, (0, March((1, 2), (4, 0))))
    assert after.armies[1].at == (4, 0)


@pytest.mark.rule("LW-12.4")
def test_march_ends_in_the_port_of_its_city() -> None:
    giants = army(1, 1, 0, GIANTS)
    state = field((".ccp=.", ".cc~~."), giants, cities=[city(0, 1, 0, 0)])
    stops = reach(state, settings_in(state), 0, (giants,)).stops
    assert ((3, 0) in stops, (4, 0) in stops, (5, 0) in stops) == (True, False, False)
    around = field((".ccp=.", "..cc..", "......"), giants, cities=[city(0, 1, 0, 0)])
    stops = reach(around, settings_in(around), 0, (giants,)).stops
    assert {(4, 0), (5, 0)} <= set(stops)
    after, _ = played(around, (0, March((1,), (5, 0))))
    assert after.armies[1].at == (5, 0)


# -- over the coast -------------------------------------------------------------------------------


SEAS: Final = ("..p~~~p.", "..~~~~~.", "..~~~~~.")
"""Rows of land, port, water, port and land."""


def rested(state: State) -> State:
    """Return the position with eighteen points for all armies."""
    rows = (replace(one, points=18) for one in state.armies.values())
    return replace(state, armies=state.armies.put(*rows))


@pytest.mark.rule("LW-12.5", "LW-12.4")
def test_one_order_crosses_the_sea_over_several_turns() -> None:
    state = field(SEAS, army(1, 0, 1, GIANTS), army(2, 0, 1, "pegasi"))
    state, _ = played(state, (0, March((1, 2), (7, 2))))
    seen = [[(one.aboard, one.points, one.goal) for one in state.armies.values()]]
    while state.armies[1].at != (7, 2):
        state, _ = played(rested(state), (0, GoOn()))
        seen.append([(one.aboard, one.points, one.goal) for one in state.armies.values()])
    assert seen == [
        [(True, 0, (7, 2)), (False, 0, (7, 2))],
        [(False, 0, (7, 2)), (False, 0, (7, 2))],
        [(False, 16, None), (False, 16, None)],
    ]


@pytest.mark.rule("LW-12.5")
def test_path_over_the_sea_shows_its_turns() -> None:
    state = field((*SEAS[:2], *SEAS[1:], "..~~~~~."), army(1, 0, 1, GIANTS))
    context, group = RULES.presenter.context(view(state, 0)), (state.armies[1],)
    boarding, landing, walk = crossings.legs(state, settings_in(state), 0, group, (7, 4))
    assert (boarding.coast, landing.coast, walk.coast) == (True, True, False)
    assert (boarding.path[-2], landing.path[-2], walk.path[-1]) == ((2, 0), (6, 0), (7, 4))
    stops = way_to(context, group, (7, 4))
    assert [stop.at for stop in stops] == [*boarding.path, *landing.path, *walk.path]
    ends = (len(boarding.path), len(boarding.path) + len(landing.path))
    assert [stops[end].turn - stops[end - 1].turn for end in ends] == [1, 1]


@pytest.mark.rule("LW-12.5")
def test_stack_without_a_dock_has_no_path_over_the_sea() -> None:
    state = field((".~~.", ".~~."), army(1, 0, 0, GIANTS))
    with pytest.raises(Refused) as refused:
        played(state, (0, March((1,), (3, 0))))
    assert refused.value.code == Refusal.NO_WAY


@pytest.mark.rule("LW-12.5")
def test_unseen_enemy_at_the_dock_is_not_attacked() -> None:
    state = field(("..p~p.", "..~~~."), army(1, 0, 1, GIANTS), army(2, 3, 0, "pegasi", owner=1))
    known = np.full((2, 6), 255, dtype=np.uint8)
    state = replace(state, discovered=Plane(known), options=Options(hidden_map="on"))
    legs = crossings.legs(state, settings_in(state), 0, (state.armies[1],), (5, 1))
    assert all((3, 0) not in leg.path for leg in legs)
    orders = movement.MarchOrders((1,), ((1, 0), (2, 0), (3, 0)), to=(5, 1))
    decision: BaseDecision[Any, Any] = BaseDecision(state, evolve, Scripted(()))
    who = costs.mover(state, settings_in(state).moving, (state.armies[1],))
    assert who is not None
    movement.go(decision, settings_in(state), who, orders)
    assert len(decision.state.armies) == 2
    assert decision.state.armies[1].goal == (5, 1)


# -- invariants ------------------------------------------------------------------------------------

KEYS: Final = [row.key for row in armyset().units]
SIGNS: Final = ".fhmsw~p="


@st.composite
def grounds(draw: st.DrawFn) -> State:
    """Draw a small land with stacks of two sides."""
    rows = [
        "".join(draw(st.lists(st.sampled_from(SIGNS), min_size=7, max_size=7))) for _ in "_" * 6
    ]
    armies: list[Army] = []
    for number in range(1, 1 + draw(st.integers(2, 14))):
        x, y = draw(st.integers(0, 6)), draw(st.integers(0, 5))
        there = [one for one in armies if one.at == (x, y)]
        owner = there[0].owner if there else number % 2
        key = draw(st.sampled_from(KEYS))
        if len(there) < 8:
            armies.append(army(number, x, y, key, owner=owner, points=draw(st.integers(0, 30))))
    towns = [city(0, 2, 2, 0)] if draw(st.booleans()) else []
    inside = {at for town in towns for at in town.tiles}
    armies = [one for one in armies if one.at not in inside or one.owner == 0]
    roads = draw(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 5)), max_size=8))
    hidden = Options(hidden_map=draw(st.sampled_from(("off", "on"))))
    return field(rows, *armies, roads=roads, cities=towns, options=hidden)


@pytest.mark.rule("LW-22", "LW-12.2", "LW-12.5")
@given(grounds(), st.data())
def test_invariants_hold_after_every_march(state: State, data: st.DataObject) -> None:
    """Invariants 24, 25 and 27.

    At most 8 armies of one side are on a tile, points are not negative, and each stop of a reach is
    reached for at most its cost.
    """
    own = [one for one in state.armies.values() if one.owner == 0]
    if not own:
        return
    leader = data.draw(st.sampled_from(own))
    stack = [one for one in own if one.at == leader.at]
    picked = data.draw(st.sets(st.sampled_from(stack), min_size=1))
    group = tuple(sorted(picked, key=lambda one: one.id))
    settings = settings_of(state.options)
    if costs.mover(state, settings.moving, group) is None:
        return
    found = reach(state, settings, 0, group)
    goals = sorted({*found.stops, *found.targets}) or [(0, 0)]
    goal = data.draw(st.sampled_from(goals))
    ids = tuple(one.id for one in group)
    try:
        after, _ = played(state, (0, March(ids, goal)), dice=Seeded(b"march", 0, "test"))
    except Refused:
        assert goal == group[0].at or goal not in found.stops
        return
    for tile in {one.at for one in after.armies.values()}:
        there = armies_at(after, tile)
        assert len(there) <= 8
        assert len({one.owner for one in there}) == 1
    assert all(one.points >= 0 for one in after.armies.values())
    alive = [after.armies[number] for number in ids if number in after.armies]
    assert len({one.at for one in alive}) <= 1
    if goal in found.stops and state.options.hidden_map == "off":
        assert alive[0].at == goal or any(one.aboard for one in alive)


@pytest.mark.rule("LW-22", "LW-12.2", "LW-12.3", "LW-12.4")
@given(grounds(), st.data())
def test_reach_equals_single_steps_and_marches_arrive(state: State, data: st.DataObject) -> None:
    state = replace(state, options=Options())
    own = [one for one in state.armies.values() if one.owner == 0]
    if not own:
        return
    leader = data.draw(st.sampled_from(own))
    group = tuple(one for one in own if one.at == leader.at)
    settings = settings_in(state)
    if costs.mover(state, settings.moving, group) is None:
        return
    found, ids = reach(state, settings, 0, group), tuple(one.id for one in group)
    if found.crowded:
        return
    steps = reached(state, ids)
    assert set(found.stops) == set(steps) - {leader.at}
    for at in found.stops:
        after, _ = played(state, (0, March(ids, at)))
        assert after.armies[ids[0]].at == at


@pytest.mark.rule("LW-22", "LW-12.4", "LW-12.5")
@given(grounds(), st.data())
def test_path_over_the_coast_arrives_eventually(state: State, data: st.DataObject) -> None:
    own = next((one for one in state.armies.values() if one.owner == 0), None)
    if own is None:
        return
    state = replace(state, options=Options(), armies=Roster((own,)))
    settings = settings_in(state)
    goal = data.draw(st.tuples(st.integers(0, 6), st.integers(0, 5)))
    if not crossings.legs(state, settings, 0, (own,), goal) or own.at == goal:
        return
    state = rested(state)
    state, _ = played(state, (0, March((own.id,), goal)))
    for _ in range(20):
        if state.armies[own.id].at == goal:
            break
        state, _ = played(rested(state), (0, GoOn()))
    assert state.armies[own.id].at == goal


@pytest.mark.rule("LW-12.5")
@given(grounds())
def test_cached_paths_equal_planned_ones(state: State) -> None:
    """LW-12.5: the path on the screen is the path of the march."""
    settings = settings_of(state.options)
    group = next(((one,) for one in state.armies.values() if one.owner == 0), ())
    if not group or costs.mover(state, settings.moving, group) is None:
        return
    field_of = PathCache(state, settings, 0, group, human=True)
    for y in range(state.height):
        for x in range(state.width):
            planned = routes.plan(state, settings, 0, group, (x, y), human=True)
            found = field_of.way((x, y))
            assert (found is None) == (planned is None), (x, y)
            if found is not None and planned is not None:
                assert found.cost == planned.cost, (x, y)
