"""Maps as cells: the raster, labels, kinds of cells, sea routes."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

import numpy as np
import pytest

from engine.core.record import replace
from engine.rulesets.gd6 import raster, world
from engine.rulesets.gd6.raster import FULL, SMALL, CellKind, CellSize
from engine.rulesets.gd6.state import Land, World

NAMES = world.names()
SIZES = pytest.mark.parametrize("size", [FULL, SMALL], ids=["full", "overview"])


def rows_of(name: str) -> list[dict[str, Any]]:
    """Return the raw territory rows of a map file."""
    file = files("engine.rulesets.gd6").joinpath("maps", f"{name}.toml")
    rows: list[dict[str, Any]] = tomllib.loads(file.read_text(encoding="utf-8"))["territory"]
    return rows


def unlabelled(name: str) -> World:
    """Return a map without its own labels."""
    made = world.shipped(name)
    lands = tuple(replace(land, label=None, small_label=None) for land in made.lands)
    return replace(made, lands=lands)


def sheet(
    *polygons: tuple[tuple[int, int], ...], borders: tuple[tuple[int, int], ...] = ()
) -> World:
    """Return a map of 80 x 80 units with these territories."""
    beside = {
        at: [b for pair in borders for b in pair if at in pair and b != at] for at in range(9)
    }
    lands = tuple(
        Land(at, "", tuple(sorted(beside[at])), polygon=polygon)
        for at, polygon in enumerate(polygons, 1)
    )
    return World("sheet", "Sheet", lands, canvas=(80, 80), sea_routes=borders)


def box(left: int, top: int, right: int, bottom: int) -> tuple[tuple[int, int], ...]:
    """Return a rectangular polygon."""
    return (left, top), (right, top), (right, bottom), (left, bottom)


@pytest.mark.rule("GD-RASTER-1")
@SIZES
@pytest.mark.parametrize("name", NAMES)
def test_every_territory_has_the_cells_given_in_the_file(name: str, size: CellSize) -> None:
    drawn = raster.cells(world.shipped(name), size).cells
    found = np.bincount(drawn.ravel())[1:].tolist()
    assert found == [row[f"cells_{size[0]}x{size[1]}"] for row in rows_of(name)]


@pytest.mark.rule("GD-RASTER-1")
def test_sizes_of_the_default_map() -> None:
    made = world.shipped("world64")
    large, small = raster.cells(made, FULL), raster.cells(made, SMALL)
    assert (large.width, large.height, np.bincount(large.cells.ravel()).min()) == (260, 60, 45)
    assert (small.width, small.height, np.bincount(small.cells.ravel()).min()) == (130, 30, 10)


@pytest.mark.rule("GD-RASTER-1")
def test_cell_in_two_polygons_goes_to_the_first_territory() -> None:
    drawn = raster.cells(sheet(box(0, 0, 40, 40), box(20, 0, 80, 40)), FULL)
    assert drawn.cells[0].tolist() == [1, 1, 1, 1, 2, 2, 2, 2]


@pytest.mark.rule("GD-RASTER-1")
def test_cell_middle_on_an_edge_belongs_to_the_east_and_south() -> None:
    drawn = raster.cells(sheet(box(0, 0, 15, 10), box(15, 0, 40, 30)), FULL)
    assert drawn.cells[:2].tolist() == [[0, 2, 2, 2, 0, 0, 0, 0], [0] * 8]
    assert raster.cells(sheet(box(0, 0, 15, 11)), FULL).cells[0, :2].tolist() == [1, 0]


@pytest.mark.rule("GD-RASTER-1")
def test_cell_in_two_loops_of_a_polygon_is_sea() -> None:
    twice = (*box(0, 0, 80, 80), (0, 0), *box(20, 20, 40, 60), (20, 20))
    drawn = raster.cells(sheet(twice), FULL)
    assert drawn.cells[1].tolist() == [1, 1, 0, 0, 1, 1, 1, 1]


@pytest.mark.rule("GD-RASTER-1")
def test_cells_of_odd_size_are_measured_at_their_exact_middle() -> None:
    drawn = raster.cells(sheet(box(0, 0, 8, 80)), (5, 5))
    assert drawn.cells[0, :3].tolist() == [1, 1, 0]


@pytest.mark.rule("GD-RASTER-2")
@SIZES
@pytest.mark.parametrize("name", NAMES)
def test_label_rule_finds_the_labels_of_the_file(name: str, size: CellSize) -> None:
    told = tuple(tuple(row[f"label_{size[0]}x{size[1]}"]) for row in rows_of(name))
    assert raster.labels(world.shipped(name), size) == told
    assert raster.labels(unlabelled(name), size) == told


@pytest.mark.rule("GD-RASTER-2")
def test_label_of_the_map_is_kept() -> None:
    made = sheet(box(0, 0, 80, 80))
    own = replace(made, lands=(replace(made.lands[0], label=(7, 3)),))
    assert raster.labels(own, FULL) == ((7, 3),)
    assert raster.labels(own, SMALL) == raster.labels(made, SMALL)


@pytest.mark.rule("GD-RASTER-2")
def test_territory_without_cells_has_no_label() -> None:
    assert raster.labels(sheet(box(0, 0, 80, 80), box(1, 1, 2, 2)), FULL)[1] is None
    assert raster.labels(sheet(()), FULL) == (None,)


@pytest.mark.rule("GD-RASTER-3")
def test_edges_seams_and_interiors() -> None:
    made = sheet(
        box(0, 0, 30, 80), box(30, 0, 60, 40), box(30, 40, 60, 80), borders=((1, 2), (1, 3))
    )
    assert raster.kinds(made, FULL).cells[:2].tolist() == [
        [CellKind.INTERIOR] * 2
        + [CellKind.EDGE] * 2
        + [CellKind.INTERIOR] * 2
        + [CellKind.SEA] * 2,
        [CellKind.INTERIOR] * 2 + [CellKind.EDGE] + [CellKind.SEAM] * 3 + [CellKind.SEA] * 2,
    ]


@pytest.mark.rule("GD-RASTER-3")
@SIZES
def test_only_seam_of_the_default_map_is_its_ridge(size: CellSize) -> None:
    made = world.shipped("world64")
    drawn, kinds = raster.cells(made, size).cells, raster.kinds(made, size).cells
    assert set(drawn[kinds == CellKind.SEAM].tolist()) == {42, 43}
    assert ((kinds == CellKind.SEA) == (drawn == 0)).all()


@pytest.mark.rule("GD-RASTER-4")
def test_route_joins_the_nearest_shores_and_stays_at_sea() -> None:
    made = sheet(box(0, 0, 20, 80), box(60, 20, 80, 40), borders=((1, 2),))
    (route,) = raster.routes(made, FULL)
    assert route.shores == ((1, 1), (6, 1))
    assert route.dots == ((2, 1), (3, 1), (4, 1), (5, 1))
    blocked = replace(made, lands=(*made.lands, Land(3, "", (), polygon=box(30, 0, 40, 80))))
    assert raster.routes(blocked, FULL)[0].dots == ((2, 1), (4, 1), (5, 1))


@pytest.mark.rule("GD-RASTER-4")
@SIZES
@pytest.mark.parametrize("name", NAMES)
def test_routes_begin_and_end_on_their_shores(name: str, size: CellSize) -> None:
    made = world.shipped(name)
    drawn = raster.cells(made, size)
    found = raster.routes(made, size)
    assert tuple(route.pair for route in found) == made.sea_routes
    for route in found:
        assert tuple(drawn[y, x] for x, y in route.shores) == route.pair
        assert {drawn[y, x] for x, y in route.dots} <= {0}


@pytest.mark.rule("GD-RASTER-4")
@SIZES
def test_routes_round_the_world_are_marked_at_both_edges(size: CellSize) -> None:
    made = world.shipped("world64")
    drawn = raster.cells(made, size)
    marks = raster.wrap_marks(made, size)
    assert [mark.text for mark in marks[:4]] == [">64", ">1", ">64", ">2"]
    assert len({(mark.x, mark.y) for mark in marks}) == 8
    for mark in marks:
        edge = 0 if mark.source < mark.target else drawn.width - len(mark.text)
        assert mark.x == edge
        assert {drawn[mark.y, mark.x + place] for place in range(len(mark.text))} == {0}


@pytest.mark.rule("GD-RASTER-4")
def test_territories_without_cells_have_no_routes() -> None:
    made = sheet(box(0, 0, 20, 80), (), borders=((1, 2),))
    round_trip = replace(made, wrap_routes=((1, 2),))
    assert raster.routes(made, FULL) == ()
    assert raster.wrap_marks(round_trip, FULL) == ()
