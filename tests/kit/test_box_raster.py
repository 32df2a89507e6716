"""Tests of rows of boxes as cells: borders, texts, and the box of each cell."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from engine.kit.box_raster import (
    COMPACT,
    LARGE,
    LINES,
    NO_BOX,
    NORMAL,
    STRONG_LINES,
    BoxRaster,
    BoxStep,
    box_raster,
)
from engine.kit.places import HexRows, hex_graph, hex_positions

SEVEN = HexRows((2, 3, 2), (1, 0, 1))
FOURTEEN = HexRows((2, 3, 4, 3, 2), (2, 1, 0, 1, 2))
NINETEEN = HexRows((3, 4, 5, 4, 3), (2, 1, 0, 1, 2))

STEPS = [COMPACT, NORMAL, LARGE]


def drawn(raster: BoxRaster, glyphs: str) -> list[str]:
    """Return rows of text with the borders, and each box's number in its first cell."""
    rows = [
        [getattr(LINES[number], glyphs) for number in line] for line in raster.lines.cells.tolist()
    ]
    for box in range(len(raster.boxes)):
        x, y = raster.label(box)
        rows[y][x] = str(box)
    return ["".join(row).rstrip() for row in rows]


def test_board_of_seven_boxes_is_drawn_in_ascii() -> None:
    assert drawn(box_raster(hex_positions(SEVEN), COMPACT), "ascii") == [
        "    +-------+-------+",
        "    |0      |1      |",
        "    |       |       |",
        "+---+---+---+---+---+---+",
        "|2      |3      |4      |",
        "|       |       |       |",
        "+---+---+---+---+---+---+",
        "    |5      |6      |",
        "    |       |       |",
        "    +-------+-------+",
    ]


@pytest.mark.parametrize(
    ("glyphs", "first", "third"),
    [
        ("rich", "  ╭───┬───╮", "╭─┴─┬─┴─┬─┴─╮"),
        ("box", "  ┌───┬───┐", "┌─┴─┬─┴─┬─┴─┐"),
    ],
)
def test_borders_that_meet_join(glyphs: str, first: str, third: str) -> None:
    rows = drawn(box_raster(hex_positions(SEVEN), (4, 2)), glyphs)
    assert (rows[0], rows[2]) == (first, third)


def test_nineteen_boxes_fit_a_small_terminal() -> None:
    sizes = [box_raster(hex_positions(NINETEEN), step) for step in STEPS]
    assert [(made.width, made.height) for made in sizes] == [(41, 16), (61, 21), (81, 31)]
    assert [made.room for made in sizes] == [(7, 2), (11, 3), (15, 5)]


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("rows", [SEVEN, FOURTEEN, NINETEEN])
def test_boxes_that_share_a_border_are_neighbours(rows: HexRows, step: BoxStep) -> None:
    raster = box_raster(hex_positions(rows), step)
    graph = hex_graph(rows)
    shared: set[tuple[int, int]] = set()
    for y, x in np.argwhere(raster.lines.cells > 0).tolist():
        found = raster.boxes_at(x, y)
        assert 1 <= len(found) <= 3
        assert raster.inside[y, x] == NO_BOX
        assert raster.box_at(x, y) == max(found)
        shared.update(product(found, found))
    beside = {(at, other) for at in range(rows.count) for other in graph.beside(at)}
    assert {pair for pair in shared if pair[0] != pair[1]} == beside


@pytest.mark.parametrize("step", STEPS)
def test_every_box_has_its_inner_area(step: BoxStep) -> None:
    raster = box_raster(hex_positions(NINETEEN), step)
    for box in range(len(raster.boxes)):
        rows, columns = np.nonzero(raster.inside.cells == box)
        columns_free, lines_free = raster.room
        assert len(rows) == columns_free * lines_free
        assert (columns.min(), rows.min()) == raster.label(box)
        assert raster.box_at(*raster.label(box, lines_free - 1)) == box
        x, y = raster.centre(box)
        assert raster.inside[y, x] == box
        assert raster.boxes_at(x, y) == (box,)
    assert raster.box_at(0, 0) == NO_BOX
    assert raster.boxes_at(0, 0) == ()
    assert raster.box_at(-1, 0) == raster.box_at(0, raster.height) == NO_BOX


def test_border_of_a_single_box_has_four_corners() -> None:
    raster = box_raster(hex_positions(SEVEN), (4, 2))
    found = {(x, y): STRONG_LINES[number] for x, y, number in raster.border(3)}
    assert len(found) == 12
    left, top = raster.corner(3)
    corners = [found[x, y] for y in (top, top + 2) for x in (left, left + 4)]
    assert "".join(each.box for each in corners) == "╔╗╚╝"
    assert "".join(each.rich for each in corners) == "┏┓┗┛"
    assert all(
        raster.lines[y, x] | number == raster.lines[y, x] for x, y, number in raster.border(3)
    )


@pytest.mark.parametrize(
    ("boxes", "step"),
    [
        (((0, 0), (0, 1)), NORMAL),
        (((0, 0), (0, 0)), NORMAL),
        (((0, -1),), NORMAL),
        (((0, 0),), (7, 3)),
        (((0, 0),), (8, 1)),
    ],
)
def test_boxes_that_cannot_be_drawn_are_an_error(
    boxes: tuple[tuple[int, int], ...], step: BoxStep
) -> None:
    with pytest.raises(ValueError, match=r"box|overlaps"):
        box_raster(boxes, step)


def test_boxes_may_be_given_in_any_order() -> None:
    one = box_raster(((0, 1), (1, 0), (1, 2)), NORMAL)
    other = box_raster(((1, 2), (0, 1), (1, 0)), NORMAL)
    assert one.lines == other.lines
    renumbered = np.array([2, 0, 1, NO_BOX])[other.nearest.cells]
    assert np.array_equal(renumbered, one.nearest.cells)
