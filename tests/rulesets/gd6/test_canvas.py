"""The map as cells at all zooms: regions, borders, routes and labels, also without polygons."""

from __future__ import annotations

import pytest

from engine.core.game import Game
from engine.core.record import replace
from engine.kit.box_raster import DOWN, LEFT, RIGHT, UP
from engine.rulesets.gd6 import RULES, canvas, raster
from engine.rulesets.gd6.canvas import spot, territory_at
from engine.rulesets.gd6.state import NOBODY, Territory, View
from engine.rulesets.gd6.world import names as world_names
from engine.rulesets.gd6.world import shipped
from engine.tabletop.board import Board
from tests.rulesets.gd6.table import begin

RING = """
borders = [[1, 2], [2, 3], [1, 3], [3, 4]]
seats = 2
"""
WEST = 'map = "west16"\nseats = 2\n'


def seen(text: str, *lands: Territory) -> View:
    """Return the public view of a map with some lands replaced."""
    view = begin(text).view(-1)
    return replace(view, territories=view.territories.put(*lands))


def written(board: Board, y: int) -> str:
    """Return the text of a row."""
    found = [int(number) for number in board.piece.cells[y]]
    return "".join(canvas.SYMBOLS[number].ascii if number else " " for number in found).strip()


def grounds(board: Board, view: View, at: int, size: raster.CellSize) -> set[int]:
    """Return the ground symbols of a territory."""
    inside = raster.cells(canvas.drawable(view.world), size).cells == at
    return set(board.ground.cells[inside].tolist())


@pytest.mark.rule("GD-CELL-1")
@pytest.mark.parametrize("zoom", canvas.ZOOMS)
def test_sea_is_blank_except_for_routes(zoom: str) -> None:
    view = seen(WEST)
    size = canvas.cell_size(view.world, zoom)
    board = canvas.board(view, zoom)
    sea = raster.cells(view.world, size).cells == 0
    dots = {at for route in raster.routes(view.world, size) for at in route.dots}
    assert dots
    for y, x in zip(*sea.nonzero(), strict=True):
        wanted = canvas.ROUTE if (int(x), int(y)) in dots else canvas.SEA
        assert board.ground[y, x] == wanted


@pytest.mark.rule("GD-CELL-2")
def test_owned_land_shows_its_letter_and_neutral_land_none() -> None:
    view = seen(WEST, Territory(6, owner=1, army=3))
    board = canvas.board(view, "map")
    letter = canvas.FIRST_LETTER + 1
    assert canvas.SYMBOLS[letter].ascii == "B"
    assert letter in grounds(board, view, 6, raster.FULL)
    assert not any(
        canvas.FIRST_LETTER <= found < canvas.FIRST_SIGN
        for found in grounds(board, view, 7, raster.FULL)
    )
    inside = raster.cells(view.world, raster.FULL).cells == 6
    plain = inside & (board.ground.cells != canvas.SEAM)
    assert set(board.owner.cells[plain].tolist()) == {1}


@pytest.mark.rule("GD-CELL-3")
def test_owned_edges_are_fences_and_seams_are_walls() -> None:
    view = seen(WEST, Territory(6, owner=0, army=1))
    board = canvas.board(view, "map")
    fences, borders = (
        set(range(canvas.FENCE, canvas.FIRST_LETTER)),
        set(range(canvas.BORDER, canvas.FENCE)),
    )
    assert fences & grounds(board, view, 6, raster.FULL)
    assert not borders & grounds(board, view, 6, raster.FULL)
    assert borders & grounds(board, view, 11, raster.FULL)
    world = shipped("world64")
    kinds = raster.kinds(world, raster.FULL).cells
    board = canvas.board(begin('map = "world64"\nseats = 2\n').view(-1), "map")
    assert (kinds == raster.CellKind.SEAM).any()
    assert ((board.ground.cells == canvas.SEAM) == (kinds == raster.CellKind.SEAM)).all()


@pytest.mark.rule("GD-CELL-4")
def test_label_has_number_name_units_and_marks() -> None:
    land = Territory(
        6, owner=0, army=12, heavy=2, construct="watchtower", hq=0, wasteland=True, mines=3
    )
    view = seen(WEST, land)
    board = canvas.board(view, "map")
    _, y = spot(view.world, 6)
    assert "6 Oxhill" in written(board, y)
    assert "12 2h *T!m3" in written(board, y + 1)
    assert canvas.WASTE not in grounds(board, view, 6, raster.FULL)
    barren = seen(WEST, Territory(6, wasteland=True))
    assert canvas.WASTE in grounds(canvas.board(barren, "map"), barren, 6, raster.FULL)


@pytest.mark.rule("GD-CELL-4")
def test_overview_shows_the_number_of_every_territory() -> None:
    view = begin('map = "world64"\nseats = 2\n').view(-1)
    board = canvas.board(view, "overview")
    assert (board.width, board.height, board.scale) == (130, 30, 2)
    labels = raster.labels(view.world, raster.SMALL)
    for at, cell in enumerate(labels, 1):
        assert cell is not None
        assert str(at) in written(board, cell[1])


# -- whole maps ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RULES.scenarios())
def test_every_map_fills_a_large_window_and_fits_smaller_ones(name: str) -> None:
    view = Game.begin(RULES, RULES.scenarios()[name], {}, b"map").view(0)
    for zoom, (columns, rows) in {
        "large window": (150, 52),
        "window": (132, 42),
        "small window": (92, 32),
    }.items():
        board = canvas.board(view, zoom)
        assert board.width <= columns
        assert board.height <= rows
        assert board.width * board.height >= 0.65 * columns * rows


@pytest.mark.rule("GD-CELL-3")
@pytest.mark.parametrize("zoom", canvas.ZOOMS)
@pytest.mark.parametrize("name", world_names())
def test_borders_are_closed(name: str, zoom: str) -> None:
    """Neighbouring cells of two territories always have a border cell between them."""
    world = shipped(name)
    territory = raster.cells(world, canvas.cell_size(world, zoom)).cells
    lines = raster.borders(world, canvas.cell_size(world, zoom)).cells
    assert lines.any()
    for one, other, marked in (
        (territory[:, :-1], territory[:, 1:], lines[:, :-1]),
        (territory[:-1], territory[1:], lines[:-1]),
    ):
        meets = (one != other) & (one > 0) & (other > 0)
        assert (marked[meets] > 0).all()
    # A border that continues does so into a border or the sea, so that lines have no gaps.
    ahead = (lines[:, :-1] & RIGHT > 0) & (territory[:, 1:] > 0)
    assert (lines[:, 1:][ahead] & LEFT > 0).all()
    below = (lines[:-1] & DOWN > 0) & (territory[1:] > 0)
    assert (lines[1:][below] & UP > 0).all()


@pytest.mark.rule("GD-CELL-2")
@pytest.mark.parametrize("zoom", canvas.ZOOMS)
def test_every_cell_belongs_to_the_owner_in_the_view(zoom: str) -> None:
    view = seen(WEST, Territory(6, owner=1, army=3), Territory(2, owner=0, army=1))
    board = canvas.board(view, zoom)
    territory = raster.cells(view.world, canvas.cell_size(view.world, zoom)).cells
    for here in view.territories.values():
        inside = (territory == here.id) & (
            (board.ground.cells != canvas.SEAM) | (board.piece.cells > 0)
        )
        assert set(board.owner.cells[inside].tolist()) == {here.owner}
    assert set(board.owner.cells[territory == 0].tolist()) == {NOBODY}


@pytest.mark.rule("GD-CELL-2")
@pytest.mark.parametrize("zoom", canvas.ZOOMS)
def test_owner_letters_are_never_next_to_numbers(zoom: str) -> None:
    view = seen(WEST, *(Territory(at, owner=0, army=11) for at in range(1, 17)))
    board = canvas.board(view, zoom)
    lettered = (board.ground.cells >= canvas.FIRST_LETTER) & (
        board.ground.cells < canvas.FIRST_SIGN
    )
    lettered &= board.piece.cells == 0
    assert lettered.any()
    assert not (lettered[:, 1:] & (board.piece.cells[:, :-1] > 0)).any()
    assert not (lettered[:, :-1] & (board.piece.cells[:, 1:] > 0)).any()


@pytest.mark.rule("GD-HQ-1")
def test_free_good_sites_are_shown_to_settling_seats() -> None:
    view = begin('map = "world64"\nseats = 2\n').view(0)
    good = [canvas.SYMBOLS[int(n)].name for n in canvas.board(view, "map").piece.cells.ravel()]
    assert good.count("good site for a headquarters") == len(view.world.sites) > 1
    first = view.world.sites[0]
    taken = replace(view, territories=view.territories.put(Territory(first, owner=1, hq=1)))
    left = [canvas.SYMBOLS[int(n)].name for n in canvas.board(taken, "map").piece.cells.ravel()]
    assert left.count("good site for a headquarters") < good.count("good site for a headquarters")
    watcher = begin('map = "world64"\nseats = 2\n').view(-1)
    seen_by_all = canvas.board(watcher, "map").piece.cells.ravel()
    assert all("good site" not in canvas.SYMBOLS[int(n)].name for n in seen_by_all)


@pytest.mark.rule("GD-RASTER-2")
@pytest.mark.parametrize("zoom", canvas.ZOOMS)
@pytest.mark.parametrize("name", world_names())
def test_spot_is_on_its_territory_at_every_zoom(name: str, zoom: str) -> None:
    """In thin land, the spot may be on a cell next to the territory."""
    view = begin(f'map = "{name}"\nseats = 2\n').view(-1)
    board = canvas.board(view, zoom)
    for at in view.territories:
        x, y = board.zoomed(*spot(view.world, at))
        around = board.place.cells[max(0, y - 1) : y + 2, max(0, x - 1) : x + 2]
        assert at in around


@pytest.mark.rule("GD-MAP-3")
def test_map_without_polygons_is_drawn_as_blocks() -> None:
    view = seen(RING, Territory(4, owner=1, army=2))
    board = canvas.board(view, "map")
    assert {territory_at(view.world, *spot(view.world, at)) for at in range(1, 5)} == {1, 2, 3, 4}
    assert territory_at(view.world, 0, 0) == 0
    assert territory_at(view.world, -1, 0) == territory_at(view.world, 9999, 0) == 0
    x, y = spot(view.world, 4)
    assert board.owner[y, x] == 1
    assert (board.owner.cells == NOBODY).any()
    assert {route.pair for route in raster.routes(canvas.drawable(view.world), raster.FULL)} == {
        (1, 2), (1, 3), (2, 3), (3, 4),
    }  # fmt: skip


def test_outline_of_a_territory_is_its_rim() -> None:
    world = shipped("west16")
    inside = {
        (x, y)
        for y, x in zip(*(raster.cells(world, raster.FULL).cells == 6).nonzero(), strict=True)
    }
    rim = set(canvas.outline(world, 6))
    assert rim < {(int(x), int(y)) for x, y in inside}
    assert spot(world, 6) not in rim
