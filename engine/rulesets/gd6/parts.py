"""Parts of a map that hang together, and the sea routes that join them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from engine.core.containers import Plane
from engine.rulesets.gd6.routes import nearest_cells, shore

Grid: TypeAlias = npt.NDArray[Any]
Pair: TypeAlias = tuple[int, int]


def largest_part(inside: Grid) -> Grid:
    """The largest part of a mask that hangs together over edges; of equals the northernmost.

    Rules: GD-NEWMAP-3.
    """
    best, left = np.zeros_like(inside), inside.copy()
    while left.any():
        start = int(np.flatnonzero(left)[0])
        part = _flood(left, divmod(start, inside.shape[1]))
        left &= ~part
        if part.sum() > best.sum():
            best = part
    return best


def _flood(inside: Grid, start: tuple[int, int]) -> Grid:
    """All cells of a mask that can be reached from one over edges."""
    found = np.zeros_like(inside)
    found[start] = True
    ahead = [start]
    height, width = inside.shape
    while ahead:
        row, column = ahead.pop()
        for y, x in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            if 0 <= y < height and 0 <= x < width and inside[y, x] and not found[y, x]:
                found[y, x] = True
                ahead.append((y, x))
    return found


def join_parts(drawn: Plane, borders: Iterable[Pair]) -> tuple[Pair, ...]:
    """The borders that must be added until all territories hang together. Rules: GD-NEWMAP-4.

    Each joins the two nearest territories of different parts, the lowest numbers first.
    """
    count = int(drawn.cells.max())
    part = list(range(count + 1))
    for pair in borders:
        _merge(part, pair)
    shores = [shore(drawn, at) for at in range(count + 1)]
    gaps = sorted(
        (nearest_cells(shores[one], shores[other])[0], one, other)
        for one in range(1, count + 1)
        for other in range(one + 1, count + 1)
        if part[one] != part[other]
    )
    added = []
    for _, one, other in gaps:
        if part[one] != part[other]:
            added.append((one, other))
            _merge(part, (one, other))
    return tuple(sorted(added))


def _merge(part: list[int], pair: Pair) -> None:
    """Make the parts of two territories one."""
    kept, gone = sorted((part[pair[0]], part[pair[1]]))
    part[:] = [kept if one == gone else one for one in part]
