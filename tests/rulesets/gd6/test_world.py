"""Maps: the shipped ones, map files, distances, and room for headquarters."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.codec import decoder, encode
from engine.core.containers import Plane
from engine.core.record import replace
from engine.core.ruleset import ScenarioFault
from engine.rulesets.gd6 import raster, world
from engine.rulesets.gd6.raster import outlines
from engine.rulesets.gd6.state import World
from engine.rulesets.gd6.world import MapFile, MapTerritory, check_world

SQUARE = ((0, 0), (100, 0), (100, 100), (0, 100))
BESIDE = ((100, 0), (200, 0), (200, 100), (100, 100))
TWO = MapFile(
    name="two",
    canvas=(200, 100),
    borders=((1, 2),),
    territory=(MapTerritory(1, polygon=SQUARE), MapTerritory(2, polygon=BESIDE)),
)


def borders(of: World) -> int:
    """Return the number of borders of a map."""
    return sum(len(land.neighbours) for land in of.lands) // 2


@pytest.mark.rule("GD-MAP-1")
@pytest.mark.parametrize(
    ("name", "lands", "count", "widest", "seats", "routes", "colours"),
    [("world64", 64, 121, 9, 13, 34, 13), ("west16", 16, 25, 7, 4, 7, 4)],
)
def test_shipped_maps_match_the_rule_book(
    name: str, lands: int, count: int, widest: int, seats: int, routes: int, colours: int
) -> None:
    made = world.shipped(name)
    assert (made.name, len(made.lands), borders(made)) == (name, lands, count)
    assert world.distances(made).cells[1:, 1:].max() == widest
    assert world.distances(made).cells[1:, 1:].min() == 0
    assert world.site_count(made) == seats
    assert len(made.sea_routes) == routes
    assert len(set(made.colours)) == colours
    assert all(land.name and land.region for land in made.lands)
    assert len({land.name for land in made.lands}) == lands


@pytest.mark.rule("GD-MAP-1")
def test_world_wraps_and_has_a_ridge() -> None:
    made = world.shipped("world64")
    assert made.wrap_routes == ((1, 64), (2, 64), (5, 62), (12, 52))
    assert made.seams == ((42, 43),)
    assert made.colours[:2] == ("#608", "#00f")
    assert made.colours[7:] == ("#f80", "#f0f", "#840", "#084", "#8bf", "#fbc")


@pytest.mark.rule("GD-MAP-1")
def test_default_map_is_first_and_unknown_map_is_refused() -> None:
    assert world.names()[0] == "world64"
    with pytest.raises(ScenarioFault, match="there is no map 'moon'; known: world64, west16"):
        world.shipped("moon")


@pytest.mark.rule("GD-MAP-2")
@pytest.mark.parametrize("name", world.names())
def test_map_can_be_stored_in_a_log(name: str) -> None:
    made = world.shipped(name)
    assert decoder(World).decode(encode(made)) == made


@pytest.mark.rule("GD-MAP-1")
@pytest.mark.parametrize("name", world.names())
def test_suggested_sites_are_far_enough_apart(name: str) -> None:
    made = world.shipped(name)
    assert made.sites
    assert min(world.distance(made, *pair) for pair in combinations(made.sites, 2)) >= 3


@pytest.mark.rule("GD-MAP-4")
def test_distance_is_the_number_of_borders_crossed() -> None:
    made = world.shipped("west16")
    assert world.distance(made, 1, 1) == 0
    assert world.distance(made, 1, 3) == 1
    assert world.distance(made, 3, 7) == 2
    assert world.distance(made, 1, 13) == 7


@pytest.mark.rule("GD-MAP-4")
def test_unconnected_lands_are_far_apart() -> None:
    made = world.build(replace(TWO, borders=()))
    assert world.distance(made, 1, 2) == world.FAR


@pytest.mark.rule("GD-MAP-5")
@pytest.mark.parametrize("name", world.names())
def test_packed_sites_are_far_enough_apart_and_leave_no_room(name: str) -> None:
    made = world.shipped(name)
    sites = world.packing(made)
    assert len(sites) <= world.site_count(made)
    assert min(world.distance(made, *pair) for pair in combinations(sites, 2)) >= 3
    for land in made.lands:
        assert min(world.distance(made, land.id, site) for site in sites) <= 2


@pytest.mark.rule("GD-MAP-3")
def test_routes_and_seams_follow_from_polygons() -> None:
    made = world.build(TWO)
    assert (made.sea_routes, made.seams) == ((), ())
    assert world.build(replace(TWO, borders=())).seams == ((1, 2),)
    islands = (
        MapTerritory(1, polygon=SQUARE),
        MapTerritory(2, polygon=((150, 0), (200, 0), (200, 100))),
    )
    assert world.build(replace(TWO, territory=islands)).sea_routes == ((1, 2),)


@pytest.mark.rule("GD-MAP-3")
def test_map_file_can_hold_a_grid_of_cells() -> None:
    data = b"""
name = "grid"
borders = [[2,1], [1,3]]
cells = [
  [1, 1, 1, 0, 0, 0],
  [1, 0, 1, 2, 0, 3],
  [1, 1, 1, 2, 0, 3],
]
[[territory]]
id = 2
name = "Beta"
"""
    made = world.read(data)
    assert made.canvas == (60, 60)
    assert [land.name for land in made.lands] == ["", "Beta", ""]
    assert made.lands[0].neighbours == (2, 3)
    assert (made.sea_routes, made.seams) == (((1, 3),), ())
    assert made.colours == world.default_colours()
    drawn = raster.cells(made, raster.FULL)
    assert drawn.cells.tolist() == [[1, 1, 1, 0, 0, 0], [1, 0, 1, 2, 0, 3], [1, 1, 1, 2, 0, 3]]


@pytest.mark.rule("GD-MAP-3")
def test_map_file_needs_only_territories_and_borders() -> None:
    made = world.read(b'name = "bare"\nborders = [[1,2]]\nterritory = [{id = 1}, {id = 2}]')
    assert [land.neighbours for land in made.lands] == [(2,), (1,)]
    assert made.canvas == (0, 0)


@pytest.mark.rule("GD-MAP-3")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name = ", "neither TOML nor JSON"),
        ('name = "x"', "missing required field `borders`"),
        ('name = "x"\nborders = [[1,2]]\nterritory = [{id = 2}]', "not numbered 1, 2, 3"),
        ('name = "x"\nborders = []', "there are 0 territories"),
        ('name = "x"\nborders = [[1,2]]\nterritory = [{id = 1}]', "there is no territory 2"),
        ('name = "x"\nborders = [[1,1]]\nterritory = [{id = 1}]', "does not lie beside itself"),
        ('name = "x"\nborders = []\ncells = [[1],[1,1]]', "different lengths"),
        ('name = "x"\nborders = []\ncells = [[-1, 1]]', "not numbered 1, 2, 3"),
        ('name = "x"\nborders = []\nterritory = [{id = 1}]\nsea_routes = [[1,1]]', "no border"),
        (
            'name = "x"\nborders = []\nterritory = [{id = 1, polygon = [[0,0],[1,1]]}]',
            "at least 3 points",
        ),
        (
            'name = "x"\nborders = []\nterritory = [{id = 1, polygon = [[0,0],[1,1],[2,0]]}]',
            "not on the canvas",
        ),
        ('name = "x"\nborders = []\ncells = [[1]]\nseat_colours = ["red"]', "no colour"),
        ('name = "x"\nborders = []\ncells = [[1]]\nhq_suggestions = [2]', "no territory 2"),
    ],
)
def test_broken_map_file_is_refused_in_one_line(text: str, said: str) -> None:
    with pytest.raises(ScenarioFault, match=said) as caught:
        world.read(text.encode())
    assert "\n" not in str(caught.value)


@pytest.mark.rule("GD-MAP-3")
def test_one_way_border_is_refused() -> None:
    made = world.build(TWO)
    lone = replace(made.lands[1], neighbours=())
    with pytest.raises(ScenarioFault, match="1 lies beside 2, but 2 not beside 1"):
        check_world(replace(made, lands=(made.lands[0], lone)))


@pytest.mark.rule("GD-MAP-3")
@given(st.lists(st.lists(st.integers(0, 3), min_size=5, max_size=5), min_size=1, max_size=5))
def test_outlines_drawn_as_cells_give_the_same_cells(rows: list[list[int]]) -> None:
    drawn = Plane(np.array(rows))
    made = world.build(TWO)
    lands = tuple(
        replace(made.lands[0], id=at, polygon=polygon)
        for at, polygon in enumerate(outlines(drawn, 3, world.CELL), 1)
    )
    sheet = replace(made, lands=lands, canvas=(50, 20 * len(rows)))
    assert raster.cells(sheet, raster.FULL).cells.tolist() == rows
