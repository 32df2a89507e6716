"""Maps as cells: raster of the polygons, sea routes, and polygons around the cells of a grid."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from engine.core.containers import Plane
from engine.core.record import Record
from engine.kit.box_raster import DOWN, LEFT, RIGHT, UP
from engine.kit.identity_cache import keyed_identity_cache
from engine.rulesets.gd6.state import World

# -- cells -----------------------------------------------------------------------------------------

CellSize: TypeAlias = tuple[int, int]
"""Map units that a cell covers, across and down."""

FULL: Final[CellSize] = (10, 20)
SMALL: Final[CellSize] = (20, 40)
"""Size of a cell in the overview."""


def fitting(world: World, columns: int, rows: int) -> CellSize:
    """Return the cell size at which a map fills, but never exceeds, ``columns`` and ``rows``."""
    return _part(world.canvas[0], columns), _part(world.canvas[1], rows)


def _part(length: int, most: int) -> int:
    """Return the smallest size that divides ``length`` into at most ``most`` parts.

    The middle of the last part must be within ``length``.
    """
    part = max(1, -(-length // most))
    while 0 < length % part * 2 <= part:
        part += 1
    return part


_RUN_BESIDE: Final = 5
_RUN_ABOVE: Final = 2

CellArray: TypeAlias = npt.NDArray[Any]
"""An array with an item for each cell of a map, or a list of cells."""

Point: TypeAlias = tuple[int, int]
"""Column and row of a cell, or x and y in map units."""


class CellKind(IntEnum):
    """Kinds of cells. See: GD-RASTER-3."""

    SEA = 0
    INTERIOR = 1
    EDGE = 2
    """Next to another territory."""
    SEAM = 3
    """Next to a territory, but without a border that can be crossed."""


@keyed_identity_cache
def cells(world: World, size: CellSize) -> Plane:
    """Return the territory of each cell, 0 for the sea. Rules: GD-RASTER-1.

    A cell belongs to the first territory whose polygon contains its centre. Coordinates are doubled
    integers, so that points on an edge give the same result on every machine.
    """
    across, down = size
    columns, rows = -(-world.canvas[0] // across), -(-world.canvas[1] // down)
    found = np.zeros((rows, columns), dtype=np.uint16)
    for land in reversed(world.lands):
        if land.polygon:
            _fill(found, land.id, np.array(land.polygon, dtype=np.int64) * 2, size)
    return Plane(found)


def _fill(found: CellArray, at: int, corners: CellArray, size: CellSize) -> None:
    """Assign the cells whose centres are in a polygon; ``corners`` are doubled coordinates."""
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


@keyed_identity_cache
def kinds(world: World, size: CellSize) -> Plane:
    """Return the CellKind of each cell. Rules: GD-RASTER-3."""
    territory = cells(world, size).cells
    joined = np.zeros((len(world.lands) + 1,) * 2, dtype=bool)
    for land in world.lands:
        joined[land.id, list(land.neighbours)] = True
    found = np.where(territory > 0, CellKind.INTERIOR, CellKind.SEA).astype(np.uint8)
    around = np.pad(territory, 1)
    height, width = territory.shape
    for down, across in ((0, 1), (2, 1), (1, 0), (1, 2)):
        other = around[down : down + height, across : across + width]
        meets = (territory > 0) & (other > 0) & (territory != other)
        found[meets] = np.maximum(
            found[meets], np.where(joined[territory, other][meets], CellKind.EDGE, CellKind.SEAM)
        )
    return Plane(found)


@keyed_identity_cache
def borders(world: World, size: CellSize) -> Plane:
    """Return the directions in which a border continues from each cell, as box raster bits.

    A border runs between cells and is drawn half a cell up and to the left, as a single line of
    cells that is closed or ends at the sea. See: GD-RASTER-3.
    """
    around = np.pad(cells(world, size).cells, ((0, 1), (0, 1)))
    one, right, below, beyond = (
        around[:-1, :-1],
        around[:-1, 1:],
        around[1:, :-1],
        around[1:, 1:],
    )
    found = np.zeros(one.shape, dtype=np.uint8)
    for bit, here, there in (
        (UP, one, right),
        (LEFT, one, below),
        (DOWN, below, beyond),
        (RIGHT, right, beyond),
    ):
        found[(here > 0) & (there > 0) & (here != there)] |= bit
    found[one == 0] = 0
    return Plane(found)


@keyed_identity_cache
def labels(world: World, size: CellSize) -> tuple[tuple[int, int] | None, ...]:
    """Return the cell (column, row) of each territory's label; None if it has no cells.

    The map gives the cells at two sizes. Otherwise a label stays where it is at full size, if it
    fits there, or goes to the cell with the most room for a text. Rules: GD-RASTER-2.
    """
    drawn = cells(world, size)
    beside, above = _free(drawn.cells, 1, _RUN_BESIDE), _free(drawn.cells, 0, _RUN_ABOVE)
    given: list[Point | None]
    if size == FULL:
        given = [land.label for land in world.lands]
    elif size == SMALL:
        given = [land.small_label for land in world.lands]
    else:
        full = enumerate(labels(world, FULL), 1)
        given = [_scaled(drawn, beside, at, label, size) for at, label in full]
    return tuple(
        label if label is not None else _roomiest(drawn.cells == at, beside, above)
        for at, label in enumerate(given, 1)
    )


def _scaled(
    drawn: Plane, beside: CellArray, at: int, label: Point | None, size: CellSize
) -> Point | None:
    """Convert a label's cell at full size; None if it is outside the territory or too cramped."""
    if label is None:
        return None
    x, y = label[0] * FULL[0] // size[0], label[1] * FULL[1] // size[1]
    return (x, y) if drawn.has(x, y) and drawn[y, x] == at and beside[y, x] else None


def _free(drawn: CellArray, axis: int, most: int) -> CellArray:
    """Count cells of the same territory on both sides of each cell on an axis, up to ``most``."""
    free = np.zeros(drawn.shape, dtype=np.int64)
    same = np.ones(drawn.shape, dtype=bool)
    padded = np.pad(drawn, most)
    middle = (slice(most, most + drawn.shape[0]), slice(most, most + drawn.shape[1]))
    for step in range(1, most + 1):
        for shift in (-step, step):
            same &= np.roll(padded, shift, axis=axis)[middle] == drawn
        free += same
    return free


def _roomiest(inside: CellArray, beside: CellArray, above: CellArray) -> tuple[int, int] | None:
    """Return the cell with most room beside it, then above it, then nearest to the centroid."""
    rows, columns = np.nonzero(inside)
    if not len(rows):
        return None
    count = len(rows)
    off_x, off_y = columns * count - columns.sum(), rows * count - rows.sum()
    away = off_x**2 + 4 * off_y**2
    best = np.lexsort((columns, rows, away, -above[inside], -beside[inside]))[0]
    return int(columns[best]), int(rows[best])


def contacts(territory: Plane) -> dict[tuple[int, int], int]:
    """Count the shared cell edges by pair of territories, in pair order. Rules: GD-NEWMAP-4."""
    found: dict[tuple[int, int], int] = {}
    drawn = territory.cells
    for one, other in ((drawn[:, :-1], drawn[:, 1:]), (drawn[:-1], drawn[1:])):
        meets = (one != other) & (one > 0) & (other > 0)
        low, high = np.minimum(one, other)[meets], np.maximum(one, other)[meets]
        for pair in zip(low.tolist(), high.tolist(), strict=True):
            found[pair] = found.get(pair, 0) + 1
    return dict(sorted(found.items()))


# -- sea routes ------------------------------------------------------------------------------------

_DOWN: Final = 2
"""Weight of a row in columns, since terminal cells are about twice as high as wide."""


class SeaRoute(Record, frozen=True):
    """A sea route: its territories, the two shore cells, and the sea cells between in order."""

    pair: tuple[int, int]
    shores: tuple[Point, Point]
    dots: tuple[Point, ...]
    wraps: bool = False


class WrapMark(Record, frozen=True):
    """A text such as ``>64`` at the edge of the map, for a route from ``source`` around the map.

    ``x`` and ``y`` are the cell of its first character.
    """

    x: int
    y: int
    text: str
    source: int
    target: int


@keyed_identity_cache
def routes(world: World, size: CellSize) -> tuple[SeaRoute, ...]:
    """Return the sea routes in the order of the map. Rules: GD-RASTER-4.

    A route to a territory without cells is left out.
    """
    drawn = cells(world, size)
    found = []
    for pair in world.sea_routes:
        wraps = pair in world.wrap_routes
        shores = _nearest(drawn, pair, wraps=wraps)
        if shores is not None:
            way = [(x % drawn.width, y) for x, y in line(*shores)]
            dots = tuple((x, y) for x, y in way if drawn[y, x] == 0)
            here, (x, y) = shores
            found.append(SeaRoute(pair, (here, (x % drawn.width, y)), dots, wraps))
    return tuple(found)


@keyed_identity_cache
def wrap_marks(world: World, size: CellSize) -> tuple[WrapMark, ...]:
    """Return the marks at the edges for routes around the map, two per route. Rules: GD-RASTER-4.

    A mark is on the sea, in the row where the route meets the edge or in the nearest free row.
    """
    drawn = cells(world, size)
    taken = drawn.cells > 0
    found = []
    for pair in world.wrap_routes:
        shores = _nearest(drawn, pair, wraps=True)
        if shores is None:
            continue
        row = _crossing(drawn.width, *shores)
        goes_west = shores[1][0] < 0
        for source, target in (pair, pair[::-1]):
            text = f">{target}"
            x = 0 if (source == pair[0]) is goes_west else max(drawn.width - len(text), 0)
            y = _free_row(taken, x, len(text), row)
            taken[y, x : x + len(text)] = True
            found.append(WrapMark(x, y, text, source, target))
    return tuple(found)


def nearest_cells(one: npt.NDArray[Any], other: npt.NDArray[Any]) -> tuple[int, int, int]:
    """Return the nearest pair of two lists of (row, column): squared distance and both indices.

    Rows count double. Ties go to the first in the lists. See: GD-RASTER-4.
    """
    down = (one[:, None, 0] - other[None, :, 0]) * _DOWN
    across = one[:, None, 1] - other[None, :, 1]
    squares = down**2 + across**2
    first, second = divmod(int(squares.argmin()), len(other))
    return int(squares[first, second]), first, second


def shore(drawn: Plane, at: int) -> npt.NDArray[np.int64]:
    """Return the cells (row, column) of a territory that touch its outside."""
    inside = np.pad(drawn.cells == at, 1)
    inner = inside[:-2, 1:-1] & inside[2:, 1:-1] & inside[1:-1, :-2] & inside[1:-1, 2:]
    return np.argwhere(inside[1:-1, 1:-1] & ~inner)


def _nearest(drawn: Plane, pair: tuple[int, int], *, wraps: bool) -> tuple[Point, Point] | None:
    """Return the nearest shore cells, or None; the second is off the map if the route wraps."""
    one, other = shore(drawn, pair[0]), shore(drawn, pair[1])
    if not len(one) or not len(other):
        return None
    best: tuple[int, Point, Point] | None = None
    for shift in (-drawn.width, drawn.width) if wraps else (0,):
        there = other + np.array([0, shift])
        square, first, second = nearest_cells(one, there)
        if best is None or square < best[0]:
            best = square, _column_row(one[first]), _column_row(there[second])
    return best[1:] if best is not None else None


def _column_row(row_column: npt.NDArray[Any]) -> Point:
    row, column = row_column.tolist()
    return column, row


def line(start: Point, end: Point) -> Iterator[Point]:
    """Yield the cells of a line, without its ends."""
    across, down = end[0] - start[0], end[1] - start[1]
    steps = max(abs(across), abs(down))
    for step in range(1, steps):
        yield (
            start[0] + (2 * step * across + steps) // (2 * steps),
            start[1] + (2 * step * down + steps) // (2 * steps),
        )


def _crossing(width: int, start: Point, end: Point) -> int:
    """Return the row in which a line leaves the map."""
    rows = [y for x, y in line(start, end) if 0 <= x < width]
    return rows[-1] if rows else start[1]


def _free_row(taken: npt.NDArray[np.bool_], x: int, length: int, row: int) -> int:
    """Return the free row nearest to ``row``, or ``row`` itself if none is free."""
    nearest = sorted(range(len(taken)), key=lambda y: (abs(y - row), y))
    return next((y for y in nearest if not taken[y, x : x + length].any()), row)


# -- polygons --------------------------------------------------------------------------------------


def outlines(cells: Plane, count: int, cell: tuple[int, int]) -> Iterator[tuple[Point, ...]]:
    """Yield the polygons of the territories 1 to ``count``, in map units. See: GD-MAP-3.

    A raster of these polygons gives the same cells again. ``cell`` is the size of a cell, across
    and down. A territory without cells gets no points. Islands and holes are joined into one
    polygon by pairs of edges that cancel out.
    """
    for at in range(1, count + 1):
        path: list[Point] = []
        for loop in _loops(cells, at):
            path += [*path[:1], *loop, loop[0]] if path else loop
        yield tuple((x * cell[0], y * cell[1]) for x, y in path)


def _loops(cells: Plane, at: int) -> Iterator[list[Point]]:
    """Yield closed loops around the cells of a territory, corners only."""
    ahead = _steps(cells, at)
    while ahead:
        start = min(ahead)
        loop, here = [start], _leave(ahead, start)
        while here != start:
            loop.append(here)
            here = _leave(ahead, here)
        yield _corners(loop)


def _steps(cells: Plane, at: int) -> dict[Point, list[Point]]:
    """Return directed edges around a territory by start corner; the territory is on their right."""
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
    """Remove and follow the first edge from a corner."""
    there = ahead[here].pop(0)
    if not ahead[here]:
        del ahead[here]
    return there


def _corners(loop: list[Point]) -> list[Point]:
    """Return the points at which a closed loop turns."""
    around = zip([loop[-1], *loop], loop, [*loop[1:], loop[0]], strict=False)
    return [
        here
        for (x0, y0), here, (x1, y1) in around
        if not (x0 == here[0] == x1 or y0 == here[1] == y1)
    ]
