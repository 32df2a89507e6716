"""Masks, lines, blobs, places and roads of new lands."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.dice import Seeded
from engine.kit.fields import CostGrid
from engine.strategic.generate import settlements, shapes, terrain
from engine.strategic.generate.settlements import Planner
from engine.strategic.generate.terrain import Coasts, land

Mask = npt.NDArray[np.bool_]
COASTS = Coasts(jitter=4, radius=(4, 6), meshes=((10, 5), (5, 2)), rim=3, speck=6)
SEEDS = st.integers(0, 9999).map(lambda number: Seeded(b"parts", number, "t"))


def mask(*rows: str) -> Mask:
    """Build a mask from rows of text; ``#`` is in it."""
    return np.array([[sign == "#" for sign in row] for row in rows])


def test_neighbours_are_counted_up_to_the_edge() -> None:
    assert shapes.around(mask("#.", ".#")).tolist() == [[1, 2], [2, 1]]
    assert shapes.around(mask("#.", ".#"), 4).tolist() == [[0, 2], [2, 0]]
    assert shapes.wider(mask("#...")).tolist() == [[True, True, False, False]]


def test_parts_join_over_corners_and_are_numbered_in_order() -> None:
    numbers, count = shapes.parts(mask("#..#", ".#..", "...#", "##.#"))
    assert count == 4
    assert numbers.tolist() == [[1, 0, 0, 2], [0, 1, 0, 0], [0, 0, 0, 3], [4, 4, 0, 3]]


def test_winding_part_counts_as_one() -> None:
    _, count = shapes.parts(mask("#####", "....#", "#####", "#....", "#####"))
    assert count == 1


def test_line_has_the_given_width() -> None:
    thin = shapes.line((5, 7), (0, 2), (6, 2), 1)
    assert thin.tolist() == mask(".......", ".......", "#######", ".......", ".......").tolist()
    assert shapes.line((5, 7), (0, 2), (6, 2), 2).sum() == 21
    assert shapes.disc((5, 5), (2, 2), 1).sum() == 5


@settings(max_examples=15)
@given(dice=SEEDS, percent=st.integers(20, 70))
def test_share_of_land_is_about_the_wanted_one(dice: Seeded, percent: int) -> None:
    found = land(dice, (48, 40), percent, COASTS)
    assert abs(int(found.sum()) - 1920 * percent // 100) <= 1920 * 12 // 100
    numbers, count = shapes.parts(found)
    assert all(int((numbers == part).sum()) >= COASTS.speck for part in range(1, count + 1))


@settings(max_examples=15)
@given(dice=SEEDS, percent=st.integers(5, 40))
def test_woods_cover_the_wanted_share_of_open_land_only(dice: Seeded, percent: int) -> None:
    open_land = np.ones((40, 40), dtype=bool)
    open_land[:, 30:] = False
    found = terrain.woods(dice, open_land, percent)
    assert not found[:, 30:].any()
    assert 0 < int(found.sum()) <= 1200 * percent // 100 + 300


@settings(max_examples=15)
@given(dice=SEEDS)
def test_ridges_and_marsh_stay_on_their_ground(dice: Seeded) -> None:
    ground = shapes.disc((40, 40), (20, 20), 12)
    assert not (terrain.ridges(dice, ground, 5, 15) & ~ground).any()
    assert not (terrain.scattered(dice, ground, 3) & ~ground).any()


@settings(max_examples=25)
@given(dice=SEEDS, goal=st.tuples(st.integers(0, 19), st.integers(0, 9)))
def test_river_has_no_gaps_and_stays_on_the_map(dice: Seeded, goal: tuple[int, int]) -> None:
    way = terrain.course(dice, (3, 3), goal, (20, 10))
    assert way[0] == (3, 3)
    for here, there in pairwise(way):
        assert abs(here[0] - there[0]) + abs(here[1] - there[1]) <= 1
        assert 0 <= there[0] < 20
        assert 0 <= there[1] < 10


def test_the_nearest_tile_is_found() -> None:
    assert terrain.nearest(mask("#....", "....#"), (3, 0)) == (4, 1)
    assert terrain.nearest(mask("..."), (0, 0)) is None


@settings(max_examples=20)
@given(dice=SEEDS, gap=st.integers(1, 5))
def test_cities_keep_their_distance_and_have_room(dice: Seeded, gap: int) -> None:
    free = shapes.disc((40, 40), (20, 20), 15)
    room = settlements.blocks(free, 6)
    found = settlements.towns(dice, room, np.zeros_like(free), 12, gap)
    for number, (x, y) in enumerate(found):
        assert free[y : y + 2, x : x + 2].all()
        assert 6 <= x <= 33
        assert 6 <= y <= 33
        for a, b in found[:number]:
            assert max(abs(a - x), abs(b - y)) >= gap + 2


def test_blocks_beside_water_touch_it() -> None:
    water = mask("#.....", "......", "......")
    assert settlements.beside(water).tolist() == mask("##....", "##....", "......").tolist()


@settings(max_examples=15)
@given(dice=SEEDS)
def test_sites_are_taken_from_all_sectors_in_turn(dice: Seeded) -> None:
    found = settlements.by_sectors(dice, np.ones((40, 40), dtype=bool), 16, 4, 2)
    assert sorted((y // 10, x // 10) for x, y in found) == [
        (row, column) for row in range(4) for column in range(4)
    ]


def test_road_takes_the_cheapest_path_and_bridges_narrow_water() -> None:
    price = np.full((6, 12), 2)
    water = np.zeros((6, 12), dtype=bool)
    water[:, 5] = True
    price[:, 5] = 3
    planner = Planner(price, water)
    planner.join([(0, 2), (10, 2)], 30, 2)
    assert planner.bridges.sum() == 1
    assert not (planner.roads & planner.bridges).any()
    assert int(planner.roads.sum()) == 7


def test_no_road_crosses_wide_water_or_exceeds_the_limit() -> None:
    water = np.zeros((4, 14), dtype=bool)
    water[:, 5:8] = True
    for reach in (30, 5):
        planner = Planner(np.full((4, 14), 2), water if reach == 30 else np.zeros_like(water))
        planner.join([(0, 1), (12, 1)], reach, 2)
        assert not planner.roads.any()


def test_connected_cities_are_not_joined_again() -> None:
    planner = Planner(np.full((3, 30), 2), np.zeros((3, 30), dtype=bool))
    planner.join([(0, 0), (10, 0), (20, 0)], 30, 2)
    assert int(planner.roads.sum()) == 16


def plain_ground(width: int, height: int) -> CostGrid:
    """Return ground where every step costs 2."""
    cost = np.full((height, width), 2)
    return CostGrid(np.zeros_like(cost), cost, np.zeros((height, width), dtype=bool), ways=8)


def test_reachable_cities_cost_at_most_the_points() -> None:
    cities = [(0, 0), (6, 0), (20, 0)]
    assert settlements.reachable(plain_ground(22, 2), cities, 10) == ((0, 1), (0, 1), (2,))
    assert settlements.reachable(plain_ground(22, 2), cities, 26)[1] == (0, 1, 2)


def test_capitals_are_far_apart_and_of_equal_worth() -> None:
    cities = [(0, 0), (5, 0), (30, 0), (60, 0), (62, 0)]
    assert settlements.capitals(cities, [50, 50, 20, 52, 90], 2, 25) == (0, 3)
    assert settlements.capitals(cities, [50, 90, 20, 500, 900], 2, 25) == ()


@settings(max_examples=30)
@given(incomes=st.lists(st.integers(16, 35), min_size=6, max_size=6))
def test_evened_incomes_stay_in_bounds_and_never_widen_the_gap(incomes: list[int]) -> None:
    reach = [(0, 1, 2), (0, 1), (0, 2), (3, 4, 5), (3, 4), (3, 5)]
    even = settlements.evened(reach, (0, 3), incomes, (16, 35))
    worth = settlements.worths(reach, even)
    before = settlements.worths(reach, incomes)
    assert (even[0], even[3]) == (incomes[0], incomes[3])
    assert all(16 <= income <= 35 for income in even)
    gap, was = (abs(one[0].income - one[3].income) for one in (worth, before))
    assert gap <= was
    assert gap <= 1 or abs(incomes[0] - incomes[3]) > 1


@pytest.mark.parametrize(("values", "percent"), [([10, 10], 100), ([10, 15, 12], 150)])
def test_the_spread_is_the_best_in_percent_of_the_worst(values: list[int], percent: int) -> None:
    assert settlements.spread(values) == percent
