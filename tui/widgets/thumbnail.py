"""A board made small enough for a pane. Knows no widgets."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.core.containers import Plane
from engine.core.record import replace
from engine.tabletop.board import Board

Grid = NDArray[np.integer[Any]]


def shrunk(board: Board, columns: int, rows: int, written: Container[int] = ()) -> Board:
    """The board with at most ``columns`` x ``rows`` cells, each for a block of cells.

    A block shows its most frequent ground and whose land it mostly is, and a piece if any stands in
    it: of the side that has most there. What is ``written`` on the board, by the numbers of its
    symbols, places and the like are left out. A board that is small enough comes back as it is.
    """
    size = _size(-(-board.width // max(1, columns)), -(-board.height // max(1, rows)))
    if size == (1, 1):
        return board
    ground = _blocks(board.ground.cells, size, fill=-1)
    pieces = board.piece.cells.copy()
    pieces[np.isin(pieces, [n for n in np.unique(pieces).tolist() if n in written])] = 0
    piece = _blocks(pieces, size, fill=0)
    owner = _blocks(board.owner.cells, size, fill=-1)
    shape = ground.shape[:2]
    small = np.zeros((3, *shape), dtype=np.int64)
    for y, x in np.ndindex(shape):
        small[:, y, x] = _block(ground[y, x], piece[y, x], owner[y, x])
    nowhere = Plane(np.full(shape, -1))
    planes = [Plane(plane) for plane in small]
    return replace(
        board, ground=planes[0], piece=planes[1], owner=planes[2], place=nowhere, places=()
    )


def _size(wide: int, high: int) -> tuple[int, int]:
    """Columns and rows of a block: at most twice as wide as high, or as high as wide."""
    return max(wide, -(-high // 2)), max(high, -(-wide // 2))


def _blocks(cells: Grid, size: tuple[int, int], *, fill: int) -> Grid:
    """(height, width) as (rows, columns, cells of a block); beyond the edge they are ``fill``."""
    height, width = cells.shape
    wide, high = size
    rows, columns = -(-height // high), -(-width // wide)
    whole = np.full((rows * high, columns * wide), fill, dtype=np.int64)
    whole[:height, :width] = cells
    parts = whole.reshape(rows, high, columns, wide).swapaxes(1, 2)
    return parts.reshape(rows, columns, wide * high)


def _block(ground: Grid, piece: Grid, owner: Grid) -> tuple[int, int, int]:
    most = _commonest(ground[ground >= 0])
    standing = piece > 0
    if not standing.any():
        return most, 0, _commonest(owner)
    side = _commonest(owner[standing])
    return most, _commonest(piece[standing & (owner == side)]), side


def _commonest(values: Grid) -> int:
    """The most frequent value, the lowest of several."""
    found, counts = np.unique(values, return_counts=True)
    return int(found[int(counts.argmax())])
