"""Polygons around the cells of a grid, such that a raster of them gives the same cells again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np

from engine.core.containers import Plane

Point: TypeAlias = tuple[int, int]


def outlines(cells: Plane, count: int, cell: tuple[int, int]) -> Iterator[tuple[Point, ...]]:
    """The polygon of each territory from 1 to ``count``, in map units. Rules: GD-MAP-3.

    ``cell`` is the size of a cell, across and down. A territory without cells has no polygon.
    Islands and holes hang on one another by pairs of edges that cancel out.
    """
    for at in range(1, count + 1):
        path: list[Point] = []
        for loop in _loops(cells, at):
            path += [*path[:1], *loop, loop[0]] if path else loop
        yield tuple((x * cell[0], y * cell[1]) for x, y in path)


def _loops(cells: Plane, at: int) -> Iterator[list[Point]]:
    """The closed lines around the cells of a territory, corners only."""
    ahead = _steps(cells, at)
    while ahead:
        start = min(ahead)
        loop, here = [start], _leave(ahead, start)
        while here != start:
            loop.append(here)
            here = _leave(ahead, here)
        yield _corners(loop)


def _steps(cells: Plane, at: int) -> dict[Point, list[Point]]:
    """From each corner of a cell the corners one can go on to, the territory on the right."""
    inside = np.pad(cells.cells == at, 1)
    ahead: dict[Point, list[Point]] = {}
    for row, column in np.argwhere(inside).tolist():
        x, y = column - 1, row - 1
        if not inside[row - 1, column]:
            ahead.setdefault((x, y), []).append((x + 1, y))
        if not inside[row, column + 1]:
            ahead.setdefault((x + 1, y), []).append((x + 1, y + 1))
        if not inside[row + 1, column]:
            ahead.setdefault((x + 1, y + 1), []).append((x, y + 1))
        if not inside[row, column - 1]:
            ahead.setdefault((x, y + 1), []).append((x, y))
    return ahead


def _leave(ahead: dict[Point, list[Point]], here: Point) -> Point:
    """Take a step that nobody has taken."""
    there = ahead[here].pop(0)
    if not ahead[here]:
        del ahead[here]
    return there


def _corners(loop: list[Point]) -> list[Point]:
    """The points where a closed line turns."""
    around = zip([loop[-1], *loop], loop, [*loop[1:], loop[0]], strict=False)
    return [
        here
        for (x0, y0), here, (x1, y1) in around
        if not (x0 == here[0] == x1 or y0 == here[1] == y1)
    ]
