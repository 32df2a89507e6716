"""Going from one thing on the board to the nearest of its kind, each once, and back the same way.

Knows no widgets.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.tabletop.board import Board

Cell = tuple[int, int]


class Tour:
    """The cells gone to so far, in order.

    On, the tour goes to the nearest cell that is not in it, and begins again when all are; back,
    it goes as it came. It begins anew where the cursor was moved away by hand: unlike after an
    order, what was gone to last is then still there.
    """

    def __init__(self, board: Board) -> None:
        """Begin a tour of a board, which says how far its cells are from each other."""
        self._wraps = board.width * board.scale if board.wraps else 0
        self._high = 2 if board.narrow else 1
        self._gone: list[Cell] = []
        self._last: Cell | None = None

    def go(self, cells: Iterable[Cell], here: Cell, by: int) -> Cell:
        """The cell to go to from ``here``: on (``by`` is 1) or back (-1).

        Raises:
            ValueError: there are no cells.
        """
        found = set(cells)
        if here != self._last and self._last in found:
            self._gone = []
        self._gone = [cell for cell in self._gone if cell in found]
        if here in found and here not in self._gone:
            self._gone.append(here)
        self._last = self._next(found, here, by)
        return self._last

    def _next(self, found: set[Cell], here: Cell, by: int) -> Cell:
        gone = self._gone
        if here in gone:
            at = gone.index(here) + by
        elif by > 0:
            at = len(gone)
        else:
            at = len(gone) - 1
        if 0 <= at < len(gone):
            return gone[at]
        if left := found.difference(gone):
            nearest = min(left, key=lambda cell: self._far(cell, here))
            gone.insert(max(at, 0), nearest)
            return nearest
        return gone[0 if by > 0 else -1]

    def _far(self, cell: Cell, here: Cell) -> tuple[int, int, int]:
        """How far a cell is; of those equally far the first in reading order goes before."""
        across, down = abs(cell[0] - here[0]), abs(cell[1] - here[1]) * self._high
        if self._wraps:
            across = min(across, self._wraps - across)
        return across * across + down * down, cell[1], cell[0]
