"""Maps as cells: which territory a cell belongs to, what is drawn there, where labels stand."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from engine.core.containers import Plane
from engine.kit.memo import recent_each
from engine.rulesets.gd6.state import World

Size: TypeAlias = tuple[int, int]
"""Map units that a cell covers, across and down."""

FULL: Final[Size] = (10, 20)
SMALL: Final[Size] = (20, 40)
"""The size for the overview."""

_RUN_BESIDE: Final = 5
_RUN_ABOVE: Final = 2

Grid: TypeAlias = npt.NDArray[Any]


class Kind(IntEnum):
    """What a cell is drawn as. Rules: GD-RASTER-3."""

    SEA = 0
    INTERIOR = 1
    EDGE = 2
    """Another territory lies beside it."""
    SEAM = 3
    """A territory lies beside it without a border."""


@recent_each
def cells(world: World, size: Size) -> Plane:
    """The territory of each cell, 0 for the sea. Rules: GD-RASTER-1.

    A cell belongs to the first territory that holds its middle. Whole numbers only, so that every
    machine agrees about points that lie on an edge: coordinates count twice.
    """
    across, down = size
    columns, rows = world.canvas[0] // across, world.canvas[1] // down
    found = np.zeros((rows, columns), dtype=np.uint16)
    for land in reversed(world.lands):
        if land.polygon:
            _fill(found, land.id, np.array(land.polygon, dtype=np.int64) * 2, size)
    return Plane(found)


def _fill(found: Grid, at: int, corners: Grid, size: Size) -> None:
    """Give a territory the cells whose middles are in its polygon; coordinates count twice."""
    across, down = size
    x = (np.arange(found.shape[1], dtype=np.int64) * 2 + 1) * across
    y = (np.arange(found.shape[0], dtype=np.int64) * 2 + 1) * down
    low, high = corners.min(axis=0), corners.max(axis=0)
    columns = slice(*np.searchsorted(x, (low[0], high[0] + 1)).tolist())
    rows = slice(*np.searchsorted(y, (low[1], high[1] + 1)).tolist())
    x, y = x[columns], y[rows, None]
    inside = np.zeros((len(y), len(x)), dtype=bool)
    for (x1, y1), (x2, y2) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        if y1 == y2:
            continue
        if y1 > y2:
            x1, y1, x2, y2 = x2, y2, x1, y1  # noqa: PLW2901 - so that the product keeps its sign
        crossing = (y1 > y) != (y2 > y)
        inside ^= crossing & ((x - x1) * (y2 - y1) < (x2 - x1) * (y - y1))
    found[rows, columns][inside] = at


@recent_each
def kinds(world: World, size: Size) -> Plane:
    """The Kind of each cell. Rules: GD-RASTER-3."""
    territory = cells(world, size).cells
    joined = np.zeros((len(world.lands) + 1,) * 2, dtype=bool)
    for land in world.lands:
        joined[land.id, list(land.neighbours)] = True
    found = np.where(territory > 0, Kind.INTERIOR, Kind.SEA).astype(np.uint8)
    around = np.pad(territory, 1)
    height, width = territory.shape
    for down, across in ((0, 1), (2, 1), (1, 0), (1, 2)):
        other = around[down : down + height, across : across + width]
        meets = (territory > 0) & (other > 0) & (territory != other)
        found[meets] = np.maximum(
            found[meets], np.where(joined[territory, other][meets], Kind.EDGE, Kind.SEAM)
        )
    return Plane(found)


@recent_each
def labels(world: World, size: Size) -> tuple[tuple[int, int] | None, ...]:
    """The cell (column, row) of each territory's label; None for one that is too small for a cell.

    Rules: GD-RASTER-2. The map's own, or the cell with the most room for a text.
    """
    drawn = cells(world, size)
    beside, above = _free(drawn.cells, 1, _RUN_BESIDE), _free(drawn.cells, 0, _RUN_ABOVE)
    own = {FULL: [land.label for land in world.lands]}
    own[SMALL] = [land.small_label for land in world.lands]
    given = own.get(size, [None] * len(world.lands))
    return tuple(
        label if label is not None else _roomiest(drawn.cells == at, beside, above)
        for at, label in enumerate(given, 1)
    )


def _free(drawn: Grid, axis: int, most: int) -> Grid:
    """How many cells of the same territory lie on both sides of each, ``most`` at the most."""
    free = np.zeros(drawn.shape, dtype=np.int64)
    same = np.ones(drawn.shape, dtype=bool)
    padded = np.pad(drawn, most)
    middle = (slice(most, most + drawn.shape[0]), slice(most, most + drawn.shape[1]))
    for step in range(1, most + 1):
        for shift in (-step, step):
            same &= np.roll(padded, shift, axis=axis)[middle] == drawn
        free += same
    return free


def _roomiest(inside: Grid, beside: Grid, above: Grid) -> tuple[int, int] | None:
    """The cell with the most room beside it, then above, then nearest to the middle."""
    rows, columns = np.nonzero(inside)
    if not len(rows):
        return None
    count = len(rows)
    off_x, off_y = columns * count - columns.sum(), rows * count - rows.sum()
    away = off_x**2 + 4 * off_y**2
    best = np.lexsort((columns, rows, away, -above[inside], -beside[inside]))[0]
    return int(columns[best]), int(rows[best])


def contacts(territory: Plane) -> dict[tuple[int, int], int]:
    """How many edges of cells any two territories share, pairs in order. Rules: GD-NEWMAP-4."""
    found: dict[tuple[int, int], int] = {}
    drawn = territory.cells
    for one, other in ((drawn[:, :-1], drawn[:, 1:]), (drawn[:-1], drawn[1:])):
        meets = (one != other) & (one > 0) & (other > 0)
        low, high = np.minimum(one, other)[meets], np.maximum(one, other)[meets]
        for pair in zip(low.tolist(), high.tolist(), strict=True):
            found[pair] = found.get(pair, 0) + 1
    return dict(sorted(found.items()))
