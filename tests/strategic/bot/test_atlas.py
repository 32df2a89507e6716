"""Distances that computer players plan with, and indices of the nearest places."""

from __future__ import annotations

import numpy as np

from engine.core.containers import Plane
from engine.core.record import replace
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.strategic.bot.atlas import FAR, Atlas, PlaceIndex
from engine.strategic.costs import BRIDGES, ROADS, Mode, Mover
from engine.strategic.world import World
from tests.strategic import ground

LAND = ("....m.....", "..w.......", "..ww..h...", "..........", "...fff....", "..........")
GOALS = (((0, 0),), ((9, 5), (8, 5)))

WALKER = Mover(0, Mode.GROUND, ROADS | BRIDGES)
FLYER = Mover(0, Mode.AIR, 0)


def partly(world: World, columns: int) -> World:
    """Return the world with only the first columns and the last one known."""
    cells = world.terrain.cells.copy()
    cells[:, columns:-1] = 0
    return replace(world, terrain=Plane(cells))


def test_distances_updated_for_new_land_equal_a_full_search() -> None:
    world = ground.world(LAND, armies=[ground.army(1, 0, 0)])
    settings = settings_of(world.options)
    for who in (WALKER, FLYER):
        for goal in GOALS:
            known = Atlas(partly(world, 1), settings, who)
            known.to(goal)
            for columns in (3, 4, 7, 9):
                part = partly(world, columns)
                known = Atlas(part, settings, who, (known,))
                assert known.carries_on(goal)
                assert (known.to(goal) == Atlas(part, settings, who).to(goal)).all()


def test_distances_are_not_reused_if_a_path_became_longer() -> None:
    world = ground.world(LAND, armies=[ground.army(1, 0, 0)])
    settings, goal = settings_of(world.options), GOALS[0]
    known = Atlas(world, settings, WALKER)
    known.to(goal)
    part = Atlas(partly(world, 4), settings, WALKER, (known,))
    assert not part.carries_on(goal)
    assert part.to(goal).item(0, 6) == FAR


def test_distances_nearby_are_exact_up_to_their_limit() -> None:
    world = ground.world(LAND, armies=[ground.army(1, 0, 0)])
    known = Atlas(world, settings_of(world.options), WALKER)
    near = known.near((0, 0), 6).copy()
    whole = known.to(((0, 0),))
    assert (near[whole <= 6] == whole[whole <= 6]).all()
    assert (near >= whole).all()


def test_path_down_a_near_field_equals_that_of_the_whole_field() -> None:
    rows = ("." * 40, *(".f" * 20 for _ in range(4)), "." * 40)
    world = ground.world(rows, armies=[ground.army(1, 0, 0)])
    settings = settings_of(world.options)
    for start in ((39, 5), (12, 3), (5, 2), (1, 0)):
        near, whole = Atlas(world, settings, WALKER), Atlas(world, settings, WALKER)
        field, distances, at = near.toward(((0, 0),), start), whole.to(((0, 0),)), start
        while step := near.ahead(at, field):
            assert step == whole.ahead(at, distances)
            at = step.at
        assert at == (0, 0)


# -- nearest places --------------------------------------------------------------------------------

SPOTS = PlaceIndex([(5, 5), (0, 3), (3, 0), (9, 0), (0, 3)])


def test_nearest_sorts_by_distance_then_by_number() -> None:
    assert SPOTS.nearest((0, 0), 4) == [1, 2, 4, 0]
    assert SPOTS.nearest((9, 1), 2) == [3, 0]
    assert SPOTS.nearest((0, 0), 4) == [1, 2, 4, 0]


def test_nearest_to_any_of_several_tiles_are_found() -> None:
    assert SPOTS.nearest_to_any([(0, 0), (9, 1), (5, 4)], 3) == [0, 3, 1]


def test_within_returns_places_in_order() -> None:
    assert SPOTS.within((0, 0), 3) == [1, 2, 4]
    assert SPOTS.within((0, 0), np.array([5, 2, 3, 8, 3], dtype=np.int32)) == [0, 2, 4]


def test_empty_index_finds_nothing() -> None:
    assert PlaceIndex([]).nearest((1, 1), 3) == []
    assert PlaceIndex([]).within((1, 1), 9) == []
