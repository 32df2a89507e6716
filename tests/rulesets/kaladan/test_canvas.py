"""The board as boxes: every layout fills a window, and boxes show all that is known of a tile."""

from __future__ import annotations

import pytest

from engine.core.record import replace
from engine.kit.box_raster import COMPACT
from engine.rulesets.kaladan import canvas
from engine.rulesets.kaladan.board import capacity, controller, layouts, standing
from engine.rulesets.kaladan.boxes import ZOOMS, raster, step
from engine.rulesets.kaladan.state import Tile, View
from engine.rulesets.kaladan.view import view
from engine.rulesets.kaladan.words import unit_name
from engine.tabletop.board import Board
from engine.tabletop.roles import Role
from tests.rulesets.kaladan.positions import position

WAR = """
FF WFM FF
A1 0 # crown sword+ sword*
B2 0 general
C2 1 # crown shield
"""
WINDOWS = {"large window": (150, 50), "window": (132, 42), "small window": (92, 32)}


def written(board: Board, shown: View, zoom: str, tile: int) -> list[str]:
    """Return the texts in the box of a tile, row by row."""
    cells = raster(shown.layout, zoom)
    (x, y), (wide, high) = cells.label(tile - 1), cells.room
    return [
        "".join(
            canvas.SYMBOLS[number].ascii if number else " "
            for number in board.piece.cells[row, x : x + wide].tolist()
        ).strip()
        for row in range(y, y + high)
    ]


@pytest.mark.rule("KA-19")
@pytest.mark.parametrize("layout", layouts())
@pytest.mark.parametrize("zoom", WINDOWS)
def test_every_layout_fills_a_window(layout: int, zoom: str) -> None:
    cells, (columns, rows) = raster(layout, zoom), WINDOWS[zoom]
    assert cells.width <= columns
    assert cells.height <= rows
    assert cells.width * cells.height >= 0.7 * columns * rows


@pytest.mark.rule("KA-19")
def test_boxes_are_never_smaller_than_the_compact_ones() -> None:
    for layout in layouts():
        for zoom in ZOOMS:
            across, down = step(layout, zoom)
            assert across >= COMPACT[0]
            assert down >= COMPACT[1]


@pytest.mark.rule("KA-19")
@pytest.mark.parametrize("zoom", WINDOWS)
def test_large_box_names_terrain_owner_magic_and_every_unit(zoom: str) -> None:
    shown = view(position(WAR), 1)
    board = canvas.board(shown, zoom)
    texts = written(board, shown, zoom, 1)
    assert texts[0].startswith("A1 Field [#] Castle")
    assert texts[0].count("*") == 3
    assert texts[0].count("*") + texts[0].count("-") == capacity(shown.tiles[1])
    assert "1 Magic card" in texts[2]
    units = [text for text in texts[3:] if text]
    assert units[0] == "K Crown"
    assert {text.split(" ", 1)[1].removesuffix(", no step") for text in units} == {
        unit_name(shown, unit) for unit in standing(shown, 1)
    }
    assert sum(text.endswith(", no step") for text in units) == 1
    free = written(board, shown, zoom, 2)
    assert free[0].startswith("A2 Field")
    assert not any(free[1:])


@pytest.mark.rule("KA-19")
@pytest.mark.parametrize("zoom", ZOOMS)
def test_box_has_the_colour_of_the_controlling_seat(zoom: str) -> None:
    shown = view(position(WAR), 0)
    board = canvas.board(shown, zoom)
    cells = raster(shown.layout, zoom)
    for tile in shown.tiles:
        x, y = cells.label(tile - 1)
        wide, high = cells.room
        inside = board.owner.cells[y : y + high, x : x + wide]
        assert set(inside[-1].tolist()) == {controller(shown, tile)}
        assert set(inside[0].tolist()) == {-1}


@pytest.mark.rule("KA-19")
def test_terrain_signs_never_touch_texts() -> None:
    shown = view(position(WAR), 0)
    forest = replace(shown, tiles=shown.tiles.put(Tile(2, "forest"), Tile(3, "mountain")))
    board = canvas.board(forest, "large window")
    cells = raster(7, "large window")
    for tile, name in ((2, "trees"), (3, "rocks"), (1, "grass")):
        inside = cells.inside.cells == tile - 1
        names = [canvas.SYMBOLS[n].name for n in board.ground.cells[inside].tolist()]
        assert names.count(name) > 5, name
    strewn = [number for number, one in enumerate(canvas.SYMBOLS) if one.name in {"grass", "trees"}]
    for y, x in zip(*(board.piece.cells > 0).nonzero(), strict=True):
        assert not {*board.ground.cells[y, x - 1 : x + 2].tolist()} & {*strewn}


@pytest.mark.rule("KA-19")
def test_done_units_have_their_own_role() -> None:
    shown = view(position(WAR), 0)
    board = canvas.board(shown, "large window")
    roles = [canvas.SYMBOLS[n].role for n in board.piece.cells.ravel().tolist() if n]
    assert roles.count(Role.SPENT) == 1
    assert roles.count(Role.LEADER) == 3
