"""Box rasters: boards of boxes in rows with shared borders, as cells of a text screen.

Rows may be shifted by half a box, like bricks: then each box touches six others, as hexagons do.
The position of a box is (row, x) with x in half boxes, so boxes of a row are 2 apart. A presenter
draws the cells whose ``lines`` are not 0 with the character of LINES at that number. It fills
``inside`` with a ground, writes texts from ``label`` on, and uses ``nearest`` as the places of the
board.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from engine.core.containers import Plane
from engine.core.record import Record

BoxPosition: TypeAlias = tuple[int, int]
"""(row, x), both from 0; x in half boxes."""

BoxStep: TypeAlias = tuple[int, int]
"""Columns and lines from a box to the next; the number of columns is even. The inside is one
smaller each way."""

CellPoint: TypeAlias = tuple[int, int]
"""Column and line of a cell."""

COMPACT: Final[BoxStep] = (8, 3)
NORMAL: Final[BoxStep] = (12, 4)
LARGE: Final[BoxStep] = (16, 6)

NO_BOX: Final = -1

# -- lines -----------------------------------------------------------------------------------------

UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8
"""Directions in which a border continues from a cell, as bits of a number from 0 to 15."""


class LineGlyph(Record, frozen=True):
    """Character of a border cell in each set of glyphs."""

    rich: str
    box: str
    ascii: str


_RICH: Final = " ╵╷│╴╯╮┤╶╰╭├─┴┬┼"
_HEAVY: Final = " ╹╻┃╸┛┓┫╺┗┏┣━┻┳╋"
_BOX: Final = " │││─┘┐┤─└┌├─┴┬┼"
_DOUBLE: Final = " ║║║═╝╗╣═╚╔╠═╩╦╬"
_ASCII: Final = " |||-+++-+++-+++"
_ASCII_STRONG: Final = " ###=###=###=###"

LINES: Final = tuple(map(LineGlyph, _RICH, _BOX, _ASCII))
"""Borders by directions: thin lines with round corners, box drawing of code page 437, ASCII."""

STRONG_LINES: Final = tuple(map(LineGlyph, _HEAVY, _DOUBLE, _ASCII_STRONG))
"""Borders that stand out, such as those of a box under the cursor."""


# -- raster ----------------------------------------------------------------------------------------


class BoxRaster(Record, frozen=True, weakref=True):
    """Cells of a board of boxes; boxes are numbered in the given order.

    Planes have the shape (height, width).
    """

    boxes: tuple[BoxPosition, ...]
    step: BoxStep
    inside: Plane
    """Box of each cell within borders; NO_BOX for borders and outside."""
    nearest: Plane
    """Box of each cell; a shared border belongs to the box below or to the right of it."""
    lines: Plane
    """Directions of the borders of each cell; 0 for cells without a border."""

    @property
    def width(self) -> int:
        """Number of columns."""
        return self.lines.width

    @property
    def height(self) -> int:
        """Number of lines."""
        return self.lines.height

    def box_at(self, x: int, y: int) -> int:
        """Return the box of a cell, for the mouse and the cursor; NO_BOX outside all boxes."""
        return self.nearest[y, x] if self.nearest.has(x, y) else NO_BOX

    def boxes_at(self, x: int, y: int) -> tuple[int, ...]:
        """Return the boxes on all sides of a border cell, up to three; inside a box only that."""
        across, down = self.step
        found = []
        for box in range(len(self.boxes)):
            left, top = self.corner(box)
            if left <= x <= left + across and top <= y <= top + down:
                found.append(box)
        return tuple(found)

    def corner(self, box: int) -> CellPoint:
        """Return the top left cell of a box's border."""
        row, x = self.boxes[box]
        return x * self.step[0] // 2, row * self.step[1]

    def label(self, box: int, line: int = 0) -> CellPoint:
        """Return the first cell of a line of text within a box."""
        x, y = self.corner(box)
        return x + 1, y + 1 + line

    def centre(self, box: int) -> CellPoint:
        """Return the cell in the middle of a box."""
        x, y = self.corner(box)
        return x + self.step[0] // 2, y + self.step[1] // 2

    @property
    def room(self) -> tuple[int, int]:
        """Columns and lines of text within a box."""
        return self.step[0] - 1, self.step[1] - 1

    def border(self, box: int) -> tuple[tuple[int, int, int], ...]:
        """Return the border of one box as (x, y, directions), as if it were alone, line by line.

        With STRONG_LINES it highlights the chosen box.
        """
        left, top = self.corner(box)
        outline = _frame(self.step)
        rows, columns = np.nonzero(outline)
        return tuple(
            (left + x, top + y, int(outline[y, x]))
            for y, x in zip(rows.tolist(), columns.tolist(), strict=True)
        )


@lru_cache(maxsize=32)
def box_raster(boxes: tuple[BoxPosition, ...], step: BoxStep) -> BoxRaster:
    """Return the cells of boxes whose distance from one to the next is ``step``; cached.

    Raises:
        ValueError: a box is too small, its width is odd, a position is negative, or two boxes
            overlap.
    """
    across, down = step
    if across < 2 or across % 2 or down < 2:
        raise ValueError(f"steps of {across} x {down} cells make no boxes")
    if any(row < 0 or x < 0 for row, x in boxes):
        raise ValueError("rows and columns of boxes are numbered from 0")
    width = max((x for _, x in boxes), default=0) * across // 2 + across + 1
    height = max((row for row, _ in boxes), default=0) * down + down + 1
    inside = np.full((height, width), NO_BOX, dtype=np.int16)
    nearest = inside.copy()
    lines = np.zeros((height, width), dtype=np.uint8)
    outline = _frame(step)
    for box in sorted(range(len(boxes)), key=lambda number: boxes[number]):
        row, x = boxes[box]
        left, top = x * across // 2, row * down
        here = np.s_[top : top + down + 1, left : left + across + 1]
        within = np.s_[top + 1 : top + down, left + 1 : left + across]
        if (inside[here] != NO_BOX).any() or lines[within].any():
            raise ValueError(f"the box at row {row}, x {x} overlaps another")
        nearest[here] = inside[within] = box
        lines[here] |= outline
    return BoxRaster(boxes, step, Plane(inside), Plane(nearest), Plane(lines))


def _frame(step: BoxStep) -> npt.NDArray[np.uint8]:
    """Return the directions of the border of a box alone, of shape (lines, columns)."""
    across, down = step
    outline = np.zeros((down + 1, across + 1), dtype=np.uint8)
    for line in (0, -1):
        outline[line, :-1] |= RIGHT
        outline[line, 1:] |= LEFT
        outline[:-1, line] |= DOWN
        outline[1:, line] |= UP
    return outline
