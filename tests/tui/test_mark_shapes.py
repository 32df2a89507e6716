"""Marks on boards drawn larger than one cell per square: lines stay thin, areas are filled."""

from __future__ import annotations

import pytest

from engine.core.containers import Plane
from engine.core.record import replace
from engine.tabletop.board import Board, BoardMark, BoardPlace
from engine.tabletop.roles import MarkSign
from tui.widgets.marks import loudest


def large(columns: int, rows: int, across: tuple[int, int], down: tuple[int, int]) -> Board:
    """Return a board drawn at a ratio of the default zoom."""
    nothing = Plane([[0] * columns for _ in range(rows)])
    return Board(nothing, nothing, nothing, nothing, ratio=(across, down), narrow=True)


BOARD = large(35, 16, (7, 2), (4, 1))
"""A cell of the default zoom takes three or four columns and four rows."""


def drawn(*cells: tuple[int, int]) -> set[tuple[int, int]]:
    """Return the drawn cells that have a mark."""
    return {*loudest(BOARD, [BoardMark(x, y, MarkSign.HELD) for x, y in cells])}


def test_frame_is_one_cell_thick_and_closed() -> None:
    frame = [(x, y) for x in range(4) for y in range(4) if x in (0, 3) or y in (0, 3)]
    right, low = 3 * 7 // 2, 3 * 4
    wanted = {(x, y) for x in range(right + 1) for y in (0, low)}
    wanted |= {(x, y) for x in (0, right) for y in range(low + 1)}
    assert drawn(*frame) == wanted


def test_area_is_filled() -> None:
    area = [(x, y) for x in range(2) for y in range(2)]
    assert drawn(*area) == {(x, y) for x in range(7) for y in range(8)}


def test_lone_mark_fills_its_cell() -> None:
    assert drawn((1, 1)) == {(x, y) for x in range(3, 7) for y in range(4, 8)}


def test_sloping_line_has_no_gaps() -> None:
    slope = drawn((0, 0), (1, 0), (2, 1), (3, 1))
    assert slope >= {(x, 0) for x in range(7)} | {(x, 4) for x in range(7, 11)}
    assert all(y in (0, 4) for _, y in slope)


def test_text_is_drawn_once() -> None:
    shown = loudest(BOARD, [BoardMark(1, 1, MarkSign.PATH, "3")])
    assert [at for at, mark in shown.items() if mark.text] == [(3, 4)]
    assert len(shown) > 1


def test_long_text_of_a_path_extends_to_the_right_at_every_zoom() -> None:
    small = large(8, 8, (1, 2), (1, 2))
    usual = large(8, 8, (1, 1), (1, 1))
    for board in (small, usual, BOARD):
        (x, y) = board.zoomed(2, 2)
        shown = loudest(board, [BoardMark(2, 2, MarkSign.PATH, "123")])
        assert [shown[x + place, y].text for place in range(3)] == ["1", "2", "3"]
    edge = loudest(usual, [BoardMark(7, 0, MarkSign.PATH, "45")])
    assert {at: mark.text for at, mark in edge.items()} == {(7, 0): "4"}
    danger = loudest(usual, [BoardMark(1, 0, MarkSign.DANGER, "45")])
    assert {at: mark.text for at, mark in danger.items()} == {(1, 0): "45"}


@pytest.mark.parametrize("across", [(13, 6), (26, 12), (5, 3), (18, 12)])
@pytest.mark.parametrize("down", [(7, 4), (2, 1), (5, 4)])
def test_area_has_no_holes_at_any_fraction(across: tuple[int, int], down: tuple[int, int]) -> None:
    board = large(60, 60, across, down)
    area = [BoardMark(x, y, MarkSign.REACH) for x in range(3, 9) for y in range(2, 8)]
    shown = {*loudest(board, area)}
    columns, rows = {x for x, _ in shown}, {y for _, y in shown}
    assert shown == {(x, y) for x in columns for y in rows}
    assert columns == {*range(min(columns), max(columns) + 1)}
    assert rows == {*range(min(rows), max(rows) + 1)}


def test_area_on_most_of_a_place_covers_it_below_its_name() -> None:
    place = BoardPlace(1, 4, 4, 16, 12, "A1")
    board = replace(large(35, 30, (2, 1), (2, 1)), places=(place,))
    area = [BoardMark(x, y, MarkSign.REACH) for x in range(3, 10) for y in range(4, 8)]
    shown = loudest(board, area)
    assert {*shown} == {(x, y) for x in range(4, 20) for y in range(5, 16)}
    corner = loudest(board, [mark for mark in area if mark.x > 7 and mark.y < 6])
    assert (4, 15) not in corner


def test_text_covers_the_frame_of_a_place() -> None:
    board = large(8, 8, (1, 1), (1, 1))
    frame = [BoardMark(x, 2, MarkSign.HELD) for x in range(8)]
    for marks in ([*frame, TEXT], [TEXT, *frame]):
        shown = loudest(board, marks)
        assert "".join(shown[x, 2].text or "-" for x in range(8)) == "--57%---"


TEXT = BoardMark(2, 2, MarkSign.PATH, "57%")
