"""Squares and their neighbours: steps, directions and distances on a grid; y grows downwards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

Place: TypeAlias = tuple[int, int]
"""(x, y)."""

Ways: TypeAlias = Literal[4, 8]
"""Number of neighbours: the four at the sides, or all eight."""

STEPS: Final[dict[Ways, tuple[Place, ...]]] = {
    4: ((0, -1), (0, 1), (-1, 0), (1, 0)),
    8: ((0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (1, -1), (-1, 1), (1, 1)),
}
"""(dx, dy) of each step, in the order that breaks ties: up, down, left, right, corners."""


def neighbours(x: int, y: int, size: Place, ways: Ways = 4) -> Iterator[Place]:
    """Yield neighbours of (x, y) on a grid of ``size`` (width, height), in the order of STEPS.

    >>> list(neighbours(0, 0, (3, 3)))
    [(0, 1), (1, 0)]
    """
    for dx, dy in STEPS[ways]:
        if 0 <= x + dx < size[0] and 0 <= y + dy < size[1]:
            yield x + dx, y + dy


def is_beside(here: Place, there: Place, ways: Ways = 4) -> bool:
    """Return whether one step leads from ``here`` to ``there``."""
    return (there[0] - here[0], there[1] - here[1]) in STEPS[ways]


def distance(here: Place, there: Place, ways: Ways = 4) -> int:
    """Return the number of steps between two places on an empty board.

    >>> distance((0, 0), (3, 2)), distance((0, 0), (3, 2), 8)
    (5, 3)
    """
    dx, dy = abs(here[0] - there[0]), abs(here[1] - there[1])
    return dx + dy if ways == 4 else max(dx, dy)


def square(here: Place) -> int:
    """Return the squared Euclidean length of an offset (dx, dy)."""
    return here[0] * here[0] + here[1] * here[1]


def disc(below: int) -> tuple[Place, ...]:
    """Return the offsets, without (0, 0), whose squared length is below ``below``, row by row.

    >>> len(disc(4)), disc(2)
    (8, ((0, -1), (-1, 0), (1, 0), (0, 1)))
    """
    most = 0
    while most * most < below:
        most += 1
    span = range(-most, most + 1)
    return tuple((dx, dy) for dy in span for dx in span if 0 < square((dx, dy)) < below)
