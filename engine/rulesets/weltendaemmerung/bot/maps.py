"""Arithmetic on whole maps: discs of reach stamped, widened and summed."""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Grid: TypeAlias = npt.NDArray[np.float64]
Mask: TypeAlias = npt.NDArray[np.bool_]
Window: TypeAlias = tuple[slice, slice]


@cache
def halves(reach: int, *, exact: bool) -> tuple[int, ...]:
    """Half the width of each row of the disc that a range covers, from its top row down.

    Rules: WD-ATT-2.

    >>> halves(1, exact=False), halves(1, exact=True)
    ((1, 1, 1), (0, 1, 0))
    """
    limit = reach * reach if exact else (reach + 1) * (reach + 1) - 1
    return tuple(
        max(x for x in range(reach + 1) if x * x + y * y <= limit) for y in range(-reach, reach + 1)
    )


@cache
def disc(reach: int, *, exact: bool) -> Mask:
    """The disc that a range covers, as a square of truth."""
    rows = halves(reach, exact=exact)
    columns = np.abs(np.arange(-reach, reach + 1))
    made: Mask = columns[None, :] <= np.array(rows)[:, None]
    return made


def _clip(centre: int, reach: int, size: int) -> tuple[slice, slice]:
    """The part of a line that a disc covers, and the part of the disc that is on the line."""
    low, high = max(0, centre - reach), min(size, centre + reach + 1)
    return slice(low, high), slice(low - centre + reach, high - centre + reach)


def stamp(grid: Grid, row: int, column: int, mask: Mask, value: float) -> None:
    """Add a value all over a disc."""
    reach = mask.shape[0] // 2
    rows, mask_rows = _clip(row, reach, grid.shape[0])
    columns, mask_columns = _clip(column, reach, grid.shape[1])
    grid[rows, columns] += value * mask[mask_rows, mask_columns]


def raise_to(grid: Grid, row: int, column: int, mask: Mask, value: float) -> None:
    """Raise a disc to a value where it is lower."""
    reach = mask.shape[0] // 2
    rows, mask_rows = _clip(row, reach, grid.shape[0])
    columns, mask_columns = _clip(column, reach, grid.shape[1])
    part = grid[rows, columns]
    np.maximum(part, value * mask[mask_rows, mask_columns], out=part)


def summed(grid: Grid, reach: int, *, exact: bool) -> Grid:
    """For each tile the sum over the disc round it."""
    height, width = grid.shape
    running = np.zeros((height, width + 1))
    np.cumsum(grid, axis=1, out=running[:, 1:])
    columns = np.arange(width)
    out = np.zeros_like(grid)
    known: dict[int, Grid] = {}
    for shift, half in enumerate(halves(reach, exact=exact), start=-reach):
        if half not in known:
            high = np.minimum(columns + half + 1, width)
            low = np.maximum(columns - half, 0)
            known[half] = running[:, high] - running[:, low]
        if abs(shift) >= height:
            continue
        source, target = (
            slice(max(0, shift), height + min(0, shift)),
            slice(max(0, -shift), height + min(0, -shift)),
        )
        out[target] += known[half][source]
    return out


def widened(
    tiles: npt.NDArray[np.int64], stride: int, height: int, discs: tuple[int, ...]
) -> tuple[Window, Mask]:
    """The tiles that can be struck from any of ``tiles``: a window of the map, and a mask on it.

    ``discs`` is what ``halves`` gives.
    """
    reach = len(discs) // 2
    rows, columns = tiles // stride, tiles % stride
    top, left = int(rows.min()) - reach, int(columns.min()) - reach
    tall, wide = int(rows.max()) - top + reach + 1, int(columns.max()) - left + reach + 1
    count = np.zeros((tall, wide + 1), dtype=np.int32)
    count[rows - top, columns - left + 1] = 1
    np.cumsum(count, axis=1, out=count)
    out = np.zeros((tall, wide), dtype=np.bool_)
    places = np.arange(wide)
    inner = slice(reach, tall - reach)
    for half in set(discs):
        high = np.minimum(places + half + 1, wide)
        low = np.maximum(places - half, 0)
        hit = count[inner, high] > count[inner, low]
        for shift, its in enumerate(discs, start=-reach):
            if its == half:
                out[reach + shift : tall - reach + shift] |= hit
    low_row, low_column = max(0, top), max(0, left)
    high_row, high_column = min(height, top + tall), min(stride, left + wide)
    window = (slice(low_row, high_row), slice(low_column, high_column))
    return window, out[
        low_row - top : high_row - top,
        low_column - left : high_column - left,
    ]
