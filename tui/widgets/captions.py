"""Captions of places: names and numbers on the row below them, where they hide no piece."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from rich.segment import Segment

from engine.core.ids import Seat
from engine.tabletop.board import Board
from tui.style.palette import Palette


class PlacedCaption(NamedTuple):
    """Caption of a row; ``start`` is a column of the screen, from the board's left end."""

    start: int
    text: str
    seat: Seat


class Captions:
    """Captions of a board as they are drawn; none lies over another."""

    def __init__(self) -> None:
        """No captions yet."""
        self.rows: dict[int, list[PlacedCaption]] = {}
        """Captions by the row of the board whose first row of the screen they stand on."""
        self._columns = 1

    def place(self, board: Board | None, columns: int) -> None:
        """Place the captions of a board whose cells take some columns of the screen.

        Those that would touch an earlier one are left out.
        """
        self.rows, self._columns = {}, columns
        for caption in board.captions if board is not None else ():
            if board is None or caption.y + 1 >= board.height:
                continue
            room = board.width * columns
            text = caption.text[:room]
            middle = (2 * caption.x + caption.width) * columns // 2
            start = max(0, min(middle - len(text) // 2, room - len(text)))
            row = self.rows.setdefault(caption.y + 1, [])
            if all(_are_apart(start, text, other) for other in row):
                row.append(PlacedCaption(start, text, caption.seat))

    def over(
        self,
        runs: Sequence[Segment],
        at: tuple[int, int],
        board: Board,
        cursor: tuple[int, int] | None,
        palette: Palette,
    ) -> list[Segment]:
        """A row of the screen with its captions, but for those over a piece or the cursor.

        ``at``: first column of the board that is in the window, and the row of the board.
        """
        cells = [(sign, run.style) for run in runs for sign in run.text]
        first, y = at[0] * self._columns, at[1]
        for start, text, seat in self.rows[y]:
            left, stop = start // self._columns, (start + len(text) - 1) // self._columns + 1
            is_under = cursor is not None and cursor[1] == y and left <= cursor[0] < stop
            if is_under or board.piece.cells[y, left:stop].any():
                continue
            for column, sign in enumerate(text, start - first):
                if 0 <= column < len(cells):
                    cells[column] = sign, palette.caption(cells[column][1], seat)
        grouped = groupby(cells, key=lambda cell: cell[1])
        return [Segment("".join(sign for sign, _ in group), style) for style, group in grouped]


def _are_apart(start: int, text: str, other: PlacedCaption) -> bool:
    """True if a column at least lies between two captions of a row."""
    return start > other.start + len(other.text) or start + len(text) < other.start
