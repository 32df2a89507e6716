"""Boards: cells of a zoom, and the cells of the default zoom that they show."""

from __future__ import annotations

import numpy as np
import pytest

from engine.core.containers import Plane
from engine.tabletop.board import Board


def board(width: int, height: int, **more: object) -> Board:
    """Return an empty board."""
    empty = Plane(np.zeros((height, width), dtype=np.int16))
    return Board(empty, empty, empty, empty, **more)  # type: ignore[arg-type]


def test_cells_without_scale_and_ratio_equal_the_default_zoom() -> None:
    plain = board(7, 5)
    assert plain.spans == ((1, 1), (1, 1))
    assert plain.usual_size == (7, 5)
    assert plain.zoomed(6, 4) == plain.unzoomed(6, 4) == (6, 4)


def test_cell_of_a_small_zoom_shows_several_default_cells() -> None:
    small = board(4, 3, scale=2)
    assert small.spans == ((1, 2), (1, 2))
    assert small.usual_size == (8, 6)
    assert small.zoomed(5, 4) == (2, 2)
    assert small.unzoomed(2, 2) == (5, 5)


def test_several_cells_of_a_large_zoom_show_one_default_cell() -> None:
    large = board(16, 6, ratio=((16, 12), (6, 4)))
    assert large.zoomed(0, 0) == (0, 0)
    assert large.zoomed(6, 2) == (8, 3)
    assert large.unzoomed(15, 5) == (11, 3)
    assert large.usual_size == (12, 4)


@pytest.mark.parametrize("ratio", [((8, 12), (3, 4)), ((16, 12), (6, 4)), ((1, 1), (1, 1))])
def test_cell_shows_the_middle_of_its_own_area(
    ratio: tuple[tuple[int, int], tuple[int, int]],
) -> None:
    """Converting there and back gives the same cell, except in a zoom that enlarges cells."""
    (own, usual), (own_down, usual_down) = ratio
    zoomed = board(own * 5, own_down * 5, ratio=ratio)
    for x in range(usual * 5):
        for y in range(usual_down * 5):
            at = zoomed.zoomed(x, y)
            assert 0 <= at[0] < zoomed.width
            assert 0 <= at[1] < zoomed.height
            if own <= usual and own_down <= usual_down:
                assert zoomed.zoomed(*zoomed.unzoomed(*at)) == at
