"""Grid steps and distances."""

from __future__ import annotations

import doctest

import pytest

from engine.kit import grid
from engine.kit.grid import STEPS, Ways, disc, distance, is_beside, neighbours


def test_the_examples_in_the_docstrings_are_true() -> None:
    result = doctest.testmod(grid)
    assert result.attempted >= 3
    assert result.failed == 0


def test_neighbours_are_ordered_up_down_left_right_then_corners() -> None:
    assert list(neighbours(1, 1, (3, 3))) == [(1, 0), (1, 2), (0, 1), (2, 1)]
    assert list(neighbours(1, 1, (3, 3), 8))[4:] == [(0, 0), (2, 0), (0, 2), (2, 2)]


def test_neighbours_stay_on_the_grid() -> None:
    assert list(neighbours(0, 0, (2, 1), 8)) == [(1, 0)]
    assert list(neighbours(0, 0, (1, 1), 8)) == []


@pytest.mark.parametrize("ways", [4, 8])
def test_place_is_beside_its_neighbours_only(ways: Ways) -> None:
    beside = {(x, y) for x in range(5) for y in range(5) if is_beside((2, 2), (x, y), ways)}
    assert beside == set(neighbours(2, 2, (5, 5), ways))
    assert len(beside) == len(STEPS[ways])


def test_distance_uses_diagonals_only_if_they_are_allowed() -> None:
    assert distance((1, 1), (4, 5)) == 7
    assert distance((1, 1), (4, 5), 8) == 4


def test_disc_holds_every_offset_with_a_square_below_the_limit() -> None:
    for below in (1, 2, 4, 9, 81, 82):
        naive = [
            (dx, dy)
            for dy in range(-12, 13)
            for dx in range(-12, 13)
            if 0 < dx * dx + dy * dy < below
        ]
        assert list(disc(below)) == naive
