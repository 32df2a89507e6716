"""Fields and paths: worked examples, and properties against a naive implementation."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.kit.grid import Place, is_beside
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.rulesets.warlords2.state import State
from engine.strategic import costs, routes
from engine.strategic.costs import Mover
from engine.strategic.pieces import Army
from engine.strategic.routes import CLOSED, UNREACHED, DistanceField, Route, RouteRequest
from tests.strategic.ground import LIGHT, army, world
from tests.strategic.moving.lands import lands, places
from tests.strategic.moving.naive import Group, Rules

Land = tuple[State, tuple[Army, ...]]


def naive(state: State, who: Mover, *, wary: bool = True) -> Rules:
    group = Group(who.side, int(who.mode), who.flags, who.aboard, who.boats)
    return Rules(state, group, wary=wary)


def field(state: State, request: RouteRequest) -> DistanceField | None:
    return routes.distance_field(state, settings_of(state.options), request)


def plan(state: State, group: tuple[Army, ...], to: Place, *, human: bool = True) -> Route | None:
    return routes.plan(state, settings_of(state.options), 0, group, to, human=human)


EXAMPLES = {
    "the first": (
        ["..f.", ".hh."],
        [],
        [[8, 6, 4, 3], [8, 8, 5, 1]],
        ((1, 0), (2, 0), (3, 1)),
        7,
    ),
    "around a foe": (
        ["...#", "f.#.", ".f.."],
        [army(2, 1, 1, owner=1)],
        [[9, 7, 5, 3], [10, CLOSED, 3, 1], [10, 8, 5, 3]],
        ((1, 0), (2, 1), (3, 1)),
        6,
    ),
}


@pytest.mark.rule("W2-5.7")
@pytest.mark.parametrize("name", list(EXAMPLES))
def test_the_worked_examples_of_the_rule_book(name: str) -> None:
    """Section 5.7."""
    rows, foes, grid, path, spent = EXAMPLES[name]
    mine = army(1, 0, 0, LIGHT)
    state = world(rows, armies=[mine, *foes])
    who = costs.mover(state, settings_of(state.options).moving, (mine,))
    assert who is not None
    found = field(state, RouteRequest(who, (0, 0), (3, 1), 6))
    assert found is not None
    assert found.grid.tolist() == grid
    route = plan(state, (mine,), (3, 1))
    assert route is not None
    assert (route.path, route.cost) == (path, spent)


@given(lands(), st.data(), st.booleans())
@settings(max_examples=30)
def test_field_is_the_fixed_point_of_the_rule_book(
    land: Land, data: st.DataObject, wary: bool
) -> None:
    """Section 19, number 5: D[dst] is 1, and each D is the minimum over its neighbours."""
    state, group = land
    who = costs.mover(state, settings_of(state.options).moving, group)
    assume(who is not None)
    assert who is not None
    dst = data.draw(st.sampled_from(places(state)))
    src = group[0].at
    assume(dst != src)
    plain = naive(state, who, wary=wary)
    found = field(state, RouteRequest(who, src, dst, 50, wary))
    goals = plain.goals(src, dst)
    if not goals:
        assert found is None
        return
    assert found is not None
    wanted = plain.field(src, dst, places(state))
    got = {at: found.at(at) for at in places(state) if found.at(at) < UNREACHED}
    assert got == wanted
    for at in places(state):
        closed = at not in (src, *goals) and not plain.through(at)
        assert (found.at(at) == CLOSED) == closed


@pytest.mark.rule("W2-5.4")
@given(lands(), st.data(), st.booleans())
@settings(max_examples=30)
def test_path_is_legal_and_its_cost_follows_from_the_field(
    land: Land, data: st.DataObject, human: bool
) -> None:
    """The identity of section 5.4, and section 19, number 5."""
    state, group = land
    settings = settings_of(state.options)
    who = costs.mover(state, settings.moving, group)
    assume(who is not None)
    assert who is not None
    src, dst = group[0].at, data.draw(st.sampled_from(places(state)))
    route = plan(state, group, dst, human=human)
    assume(route is not None)
    assert route is not None
    plain = naive(state, who, wary=human)
    line = (src, *route.path)
    end = line[-1]
    assert end in plain.goals(src, dst)
    assert all(is_beside(a, b, 8) for a, b in pairwise(line))
    assert len(route.path) >= max(abs(src[0] - end[0]), abs(src[1] - end[1]))
    assert all(plain.through(at) for at in route.path[:-1])
    found = field(state, RouteRequest(who, src, dst, settings.moving.near, human))
    assert found is not None
    heights = [found.at(at) for at in line]
    assert all(a > b for a, b in pairwise(heights))
    attack = plain.attack(end)
    zone = {at: plain.star_zone(at) and not (at == end and attack) for at in line}
    last = 1 if attack else plain.entry(end)
    tolls = state.options.zoc_penalty * (zone[end] - zone[src])
    assert _spent(route, attack) == found.at(src) - 1 - plain.own(src) + last + tolls


def _spent(route: Route, attack: bool) -> int:
    """Return the cost of the path if an attack costs 1."""
    return route.cost - route.costs[-1] + 1 if attack else route.cost


@given(lands(), st.data())
@settings(max_examples=30)
def test_wider_window_never_makes_a_path_more_expensive(land: Land, data: st.DataObject) -> None:
    """Section 19, number 6."""
    state, group = land
    who = costs.mover(state, settings_of(state.options).moving, group)
    assume(who is not None)
    assert who is not None
    src, dst = group[0].at, data.draw(st.sampled_from(places(state)))
    assume(src != dst)
    last = UNREACHED
    for radius in (1, 2, 6, 20):
        found = field(state, RouteRequest(who, src, dst, radius))
        if found is not None:
            assert found.at(src) <= last
            last = found.at(src)


@pytest.mark.rule("W2-5.5")
def test_near_window_wins_over_a_cheaper_path_outside() -> None:
    """W2-5.5."""
    rows = ["." * 30, *[".." + "m" * 26 + ".."] * 8, ".." + "m" * 26 + ".."]
    state = world(rows, armies=[army(1, 1, 9)])
    near = plan(state, (state.armies[1],), (28, 9))
    assert near is not None
    assert near.cost == 26 * 6 + 2
    assert all(y > 0 for _, y in near.path)
    closed = world([row.replace("m", " ") for row in rows], armies=[army(1, 1, 9)])
    far = plan(closed, (closed.armies[1],), (28, 9))
    assert far is not None
    assert min(y for _, y in far.path) == 0


@pytest.mark.rule("W2-5.5")
@pytest.mark.parametrize(
    ("human", "radius", "found"),
    [(True, 20, True), (True, 10, False), (False, 10, True)],
)
def test_people_search_a_smaller_window_than_computers(
    human: bool, radius: int, found: bool
) -> None:
    """W2-5.5: the wide window is 20 tiles for people, 50 for computers."""
    rows = ["." * 3] + [". ."] * 15
    options = Options(radius_human_far=radius)
    state = world(rows, armies=[army(1, 0, 15)], options=options)
    assert (plan(state, (state.armies[1],), (2, 15), human=human) is not None) == found


@pytest.mark.rule("W2-5.6")
@pytest.mark.parametrize(
    ("src", "dst", "first"),
    [
        ((2, 2), (4, 3), (3, 3)),
        ((2, 2), (4, 1), (3, 1)),
        ((2, 2), (0, 1), (1, 1)),
        ((2, 2), (1, 4), (1, 3)),
        ((2, 2), (2, 0), (2, 1)),
    ],
)
def test_ties_go_straight_ahead_first(src: Place, dst: Place, first: Place) -> None:
    """W2-5.6: straight on first, then one to the left, one to the right, and so on."""
    state = world(["....."] * 5, armies=[army(1, *src)])
    route = plan(state, (state.armies[1],), dst)
    assert route is not None
    assert route.path[0] == first


@pytest.mark.rule("W2-5.6")
def test_path_around_a_hole_prefers_left() -> None:
    """W2-5.6: offsets 0, 7, 1: counter-clockwise first."""
    state = world(["...", ". .", "..."], armies=[army(1, 0, 1)])
    route = plan(state, (state.armies[1],), (2, 1))
    assert route is not None
    assert route.path == ((1, 0), (2, 1))


@pytest.mark.rule("W2-5.6")
def test_very_long_path_is_cut_off() -> None:
    """W2-5.6: at most 198 steps."""
    rows = []
    for number in range(30):
        rows += [
            "." * 12,
            ("." if number % 2 else " ") * 1 + " " * 10 + (" " if number % 2 else "."),
        ]
    state = world(rows, armies=[army(1, 0, 0)])
    route = plan(state, (state.armies[1],), (0, 56), human=False)
    assert route is not None
    assert len(route.path) == 198


@pytest.mark.rule("W2-5.3")
def test_undiscovered_tiles_are_closed_to_people_and_open_to_computers() -> None:
    """W2-5.3."""
    state = world([".....", "....."], armies=[army(1, 0, 0)], hidden=True)
    assert plan(state, (state.armies[1],), (4, 0)) is None
    assert plan(state, (state.armies[1],), (1, 0)) is not None
    assert plan(state, (state.armies[1],), (4, 0), human=False) is not None


@pytest.mark.rule("W2-5.3", "W2-4.2")
def test_armies_at_peace_block_a_path() -> None:
    """W2-5.3, W2-4.2."""
    state = world(["...", "   "], armies=[army(1, 0, 0), army(2, 1, 0, owner=1)], peace=True)
    assert plan(state, (state.armies[1],), (2, 0)) is None
    found = costs.cost_map(state, settings_of(state.options), 0, costs.Mode.GROUND)
    assert found[0].tolist() == [2, 2, 2]


def test_turns_start_with_the_points_left() -> None:
    route = Route(((1, 0), (2, 0), (3, 0), (4, 0)), (2, 3, 3, 1), attack=True)
    assert routes.turns(route, 5, 6) == (0, 0, 1, 1)
    assert routes.turns(route, 0, 6) == (1, 1, 2, 2)
    assert routes.turns(Route(((1, 0),), (9,)), 0, 6) == (1,)


@pytest.mark.rule("W2-5.1")
def test_route_request_has_modes_and_flags_of_the_rule_book() -> None:
    """W2-5.1: modes 0, 1 and 2, and the flags of bonuses and abilities."""
    assert [mode.value for mode in costs.Mode] == [0, 1, 2]
    assert [mode.name for mode in costs.Mode] == ["GROUND", "AIR", "WATER"]
    assert (costs.ROADS, costs.BRIDGES, costs.WOODS, costs.HILLS) == (1, 2, 4, 8)


def test_field_is_cached_while_nothing_changes() -> None:
    """This keeps a preview under the cursor cheap."""
    state = world(["...."], armies=[army(1, 0, 0)])
    who = costs.mover(state, settings_of(state.options).moving, (state.armies[1],))
    assert who is not None
    once = field(state, RouteRequest(who, (0, 0), (3, 0), 6))
    again = field(state, RouteRequest(who, (0, 0), (3, 0), 6))
    assert once is again
    assert once is not None
    assert once.grid.dtype == np.int32
