"""The reach of groups, and marches that agree with it."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.kit.grid import Place
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.rulesets.warlords2.state import State
from engine.strategic import costs, movement
from engine.strategic.commands import March
from engine.strategic.pieces import Army
from engine.strategic.reach import Reach, reach
from tests.strategic.ground import BATS, NAVY, army, city, desk, world
from tests.strategic.moving.lands import lands
from tests.strategic.moving.naive import Group, Rules

Land = tuple[State, tuple[Army, ...]]


def reached(state: State, *group: Army) -> Reach:
    return reach(state, settings_of(state.options), 0, group or (state.armies[1],))


@pytest.mark.rule("W2-5.5")
def test_stops_cost_the_sum_of_the_entered_tiles() -> None:
    """W2-5.5: the points needed are those of the tiles on the path, without the start."""
    state = world(["f.h.."], armies=[army(1, 0, 0, points=8)])
    assert reached(state).stops == {(1, 0): 2, (2, 0): 6, (3, 0): 8}


@pytest.mark.rule("W2-6.4")
def test_full_tiles_can_be_passed_but_are_no_stops() -> None:
    """W2-6.4."""
    crowd = [army(20 + k, 1, 0) for k in range(8)]
    state = world(["..."], armies=[army(1, 0, 0, points=4), *crowd])
    found = reached(state)
    assert found.stops == {(2, 0): 4}
    assert found.crowded == {(1, 0)}


@pytest.mark.rule("W2-6.4")
def test_targets_need_a_point_left() -> None:
    """W2-6.4."""
    foe = army(9, 2, 0, owner=1)
    near = world(["...", "   "], armies=[army(1, 0, 0, points=5), foe])
    assert reached(near).targets == {(2, 0): (1, 0)}
    far = world(["...", "   "], armies=[army(1, 0, 0, points=4), foe])
    assert reached(far).targets == {}


@pytest.mark.rule("W2-5.3")
def test_city_tiles_are_targets_from_the_nearest_adjacent_tile() -> None:
    """W2-5.3."""
    state = world(["....", "...."], armies=[army(1, 0, 0)], cities=[city(0, 2, 0, 1)])
    assert reached(state).targets == dict.fromkeys(state.cities[0].tiles, (1, 1))


@pytest.mark.rule("W2-6.6")
def test_reach_from_a_harbour_ends_on_the_first_water_tile() -> None:
    """W2-6.6."""
    state = world(["....", "....", "w~~~"], armies=[army(1, 0, 1)], cities=[city(0, 0, 0, 0)])
    wet = {at for at in reached(state).stops if at[1] == 2}
    assert wet == {(0, 2), (1, 2), (2, 2)}


def test_reach_is_empty_without_points_or_with_mixed_boats() -> None:
    state = world(["..."], armies=[army(1, 0, 0, points=0), army(2, 1, 0), army(3, 1, 0, NAVY)])
    assert reached(state).stops == {}
    assert reached(state, state.armies[2], state.armies[3]).stops == {}


def test_flyers_get_as_far_as_their_points() -> None:
    state = world(["." * 9] * 9, armies=[army(1, 4, 4, BATS, points=3)], options=Options())
    found = reached(state)
    assert len(found.stops) == 48
    assert max(found.stops.values()) == 3


@pytest.mark.rule("W2-5.2", "W2-6.4", "W2-6.6")
@given(lands(7))
@settings(max_examples=30)
def test_stops_equal_those_of_a_naive_search(land: Land) -> None:
    """Sections 4.5, 5.2, 6.4 and 6.6 by iteration until nothing changes."""
    state, group = land
    who = costs.mover(state, settings_of(state.options).moving, group)
    assume(who is not None)
    assert who is not None
    plain = Rules(
        state, Group(who.side, int(who.mode), who.flags, who.aboard, who.boats), wary=True
    )
    points = costs.points(group)
    found = reached(state, *group)
    spent = _spent(plain, group[0].at, points)
    wanted = {
        at: cost
        for at, cost in spent.items()
        if at != group[0].at and _room(state, group, at) and cost <= points
    }
    assert dict(found.stops) == (wanted if points else {})


def _spent(plain: Rules, src: Place, points: int) -> dict[Place, int]:
    """Return the cost of getting to every tile; paths end after boarding or landing."""
    best, ends = {src: 0}, dict[Place, int]()
    changed = True
    while changed:
        changed = False
        for here, paid in list(best.items()):
            for there in plain.beside(here):
                enters = plain.star_zone(there) and not plain.star_zone(here)
                toll = plain.options.zoc_penalty if enters else 0
                if plain.through(there):
                    cost = paid + plain.step(there, plain.group.mode) + toll
                    if cost <= points and cost < best.get(there, 1 << 20):
                        best[there] = cost
                        changed = True
                elif plain.coast(there) and plain.allowed(here, there) and plain.entry(there):
                    cost = paid + plain.entry(there) + toll
                    if not plain.attack(there):
                        ends[there] = min(ends.get(there, 1 << 20), cost)
    return {at: min(best.get(at, 1 << 20), ends.get(at, 1 << 20)) for at in {*best, *ends}}


def _room(state: State, group: tuple[Army, ...], at: Place) -> bool:
    there = [one for one in state.armies.values() if one.at == at and one.owner == 0]
    return len(there) + len(group) <= 8


@pytest.mark.rule("W2-5.4", "W2-6.2", "W2-6.4")
@given(lands(7), st.data())
@settings(max_examples=30)
def test_march_reaches_every_stop_at_its_cost(land: Land, data: st.DataObject) -> None:
    """W2-5.4: the minimum distance is the minimum cost; section 19, number 9: all pay the same."""
    state, group = land
    assume(state.options.hidden_map == "off")
    found = reached(state, *group)
    assume(found.stops)
    there = data.draw(st.sampled_from(sorted(found.stops)))
    work = desk(state)
    order = March(tuple(one.id for one in group), there)
    movement.march(work, settings_of(state.options), 0, order)
    who = costs.mover(state, settings_of(state.options).moving, group)
    assert who is not None
    coast = costs.is_coast_step(state, settings_of(state.options).moving, who, there)
    for before in group:
        after = work.state.armies[before.id]
        assert after.at == there
        assert after.points == (0 if coast else before.points - found.stops[there])
