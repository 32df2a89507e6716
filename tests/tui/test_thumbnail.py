"""Boards made smaller."""

from __future__ import annotations

import pytest

from engine.core.containers import Plane
from engine.tabletop.board import Board
from tui.widgets.overview import shrunk


def board(ground: list[list[int]], piece: list[list[int]], owner: list[list[int]]) -> Board:
    nowhere = [[-1] * len(row) for row in ground]
    return Board(Plane(ground), Plane(piece), Plane(owner), Plane(nowhere))


PLAIN = board(
    [[1, 1, 2, 2, 2], [1, 3, 2, 2, 2], [4, 4, 5, 5, 5]],
    [[0, 0, 0, 7, 0], [0, 0, 8, 8, 0], [0, 9, 0, 0, 0]],
    [[-1, -1, -1, 0, -1], [-1, -1, 1, 1, -1], [-1, 1, -1, -1, -1]],
)


def test_fitting_board_is_unchanged() -> None:
    assert shrunk(PLAIN, 5, 3) is PLAIN


def test_block_shows_its_commonest_ground_and_strongest_side() -> None:
    small = shrunk(PLAIN, 3, 2)
    assert small.ground.cells.tolist() == [[1, 2, 2], [4, 5, 5]]
    assert small.piece.cells.tolist() == [[0, 8, 0], [9, 0, 0]]
    assert small.owner.cells.tolist() == [[-1, 1, -1], [1, -1, -1]]


@pytest.mark.parametrize("room", [(1, 1), (2, 9), (9, 2), (4, 4)])
def test_board_is_never_larger_than_its_space(room: tuple[int, int]) -> None:
    small = shrunk(PLAIN, *room)
    assert small.width <= room[0]
    assert small.height <= room[1]
