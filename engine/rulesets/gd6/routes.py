"""Sea routes on a raster: dotted lines from shore to shore, and marks where they leave the map."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from engine.core.containers import Plane
from engine.core.record import Record
from engine.kit.memo import recent_each
from engine.rulesets.gd6.raster import Size, cells
from engine.rulesets.gd6.state import World

Cell: TypeAlias = tuple[int, int]
"""Column and row."""

_DOWN: Final = 2
"""How many columns a row counts for, since terminal cells are about twice as high as wide."""


class Route(Record, frozen=True):
    """A sea route: its territories, the shore cells it joins, the sea cells between, in order."""

    pair: tuple[int, int]
    shores: tuple[Cell, Cell]
    dots: tuple[Cell, ...]
    wraps: bool = False


class WrapMark(Record, frozen=True):
    """A text such as ``>64`` at the edge of the map: where the route of ``source`` leads.

    ``x`` and ``y`` are the cell of its first sign.
    """

    x: int
    y: int
    text: str
    source: int
    target: int


@recent_each
def routes(world: World, size: Size) -> tuple[Route, ...]:
    """The sea routes in the order of the map. Rules: GD-RASTER-4.

    A route of territories without cells is left out.
    """
    drawn = cells(world, size)
    found = []
    for pair in world.sea_routes:
        wraps = pair in world.wrap_routes
        shores = _nearest(drawn, pair, wraps=wraps)
        if shores is not None:
            line = [(x % drawn.width, y) for x, y in _line(*shores)]
            dots = tuple((x, y) for x, y in line if drawn[y, x] == 0)
            here, (x, y) = shores
            found.append(Route(pair, (here, (x % drawn.width, y)), dots, wraps))
    return tuple(found)


@recent_each
def wrap_marks(world: World, size: Size) -> tuple[WrapMark, ...]:
    """Where routes leave the map, both ends of each. Rules: GD-RASTER-4.

    A mark stands on the sea in the row where the route meets the edge, or in the nearest free one.
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
    """The nearest two of two lists of (row, column): square of the distance, place in each list.

    Rules: GD-RASTER-4. Rows count double; the first in the lists go before others as near.
    """
    down = (one[:, None, 0] - other[None, :, 0]) * _DOWN
    across = one[:, None, 1] - other[None, :, 1]
    squares = down**2 + across**2
    first, second = divmod(int(squares.argmin()), len(other))
    return int(squares[first, second]), first, second


def shore(drawn: Plane, at: int) -> npt.NDArray[np.int64]:
    """The cells (row, column) of a territory beside which something else lies."""
    inside = np.pad(drawn.cells == at, 1)
    inner = inside[:-2, 1:-1] & inside[2:, 1:-1] & inside[1:-1, :-2] & inside[1:-1, 2:]
    return np.argwhere(inside[1:-1, 1:-1] & ~inner)


def _nearest(drawn: Plane, pair: tuple[int, int], *, wraps: bool) -> tuple[Cell, Cell] | None:
    """The nearest shore cells; of a route that wraps, the second beyond an edge of the map."""
    one, other = shore(drawn, pair[0]), shore(drawn, pair[1])
    if not len(one) or not len(other):
        return None
    best: tuple[int, Cell, Cell] | None = None
    for shift in (-drawn.width, drawn.width) if wraps else (0,):
        there = other + np.array([0, shift])
        square, first, second = nearest_cells(one, there)
        if best is None or square < best[0]:
            best = square, _cell(one[first]), _cell(there[second])
    return best[1:] if best is not None else None


def _cell(row_column: npt.NDArray[Any]) -> Cell:
    row, column = row_column.tolist()
    return column, row


def _line(start: Cell, end: Cell) -> Iterator[Cell]:
    """The cells between two, without them."""
    across, down = end[0] - start[0], end[1] - start[1]
    steps = max(abs(across), abs(down))
    for step in range(1, steps):
        yield (
            start[0] + (2 * step * across + steps) // (2 * steps),
            start[1] + (2 * step * down + steps) // (2 * steps),
        )


def _crossing(width: int, start: Cell, end: Cell) -> int:
    """The row in which a line that wraps leaves the map."""
    rows = [y for x, y in _line(start, end) if 0 <= x < width]
    return rows[-1] if rows else start[1]


def _free_row(taken: npt.NDArray[np.bool_], x: int, length: int, row: int) -> int:
    """The row nearest to this one where nothing is in the way; this one if there is none."""
    nearest = sorted(range(len(taken)), key=lambda y: (abs(y - row), y))
    return next((y for y in nearest if not taken[y, x : x + length].any()), row)
