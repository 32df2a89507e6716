"""A screen as text: its rows, and the style of each cell below them."""

from __future__ import annotations

import string
from collections.abc import Iterable
from functools import cache
from itertools import groupby
from typing import NamedTuple

from rich.color import Color, ColorSystem, ColorType
from textual.strip import Strip

from tests.tui.piloted_app import Desk
from tui.terminal.capabilities import Depth
from tui.terminal.cells import ScreenCell, TerminalPen, cells_of

_LETTERS = string.ascii_letters + "".join(chr(n) for n in range(0xC0, 0x250))
_NAMES = ("bold", "dim", "italic", "under", "blink", "blink2", "reverse", "conceal", "strike")


class Shot(NamedTuple):
    """Capture of a screen."""

    rows: list[list[ScreenCell]]
    hardware_cursor: tuple[int, int] | None
    """Column and row of the terminal's own cursor."""
    strips: list[Strip]

    @property
    def lines(self) -> list[str]:
        """Text of each row."""
        return ["".join(text for text, _ in row) for row in self.rows]

    def pens(self) -> Iterable[TerminalPen]:
        """Return the pens of the cells."""
        return (pen for row in self.rows for _, pen in row)


def shot(at: Desk, depth: Depth) -> Shot:
    """Capture the screen for a terminal of a depth."""
    strips = at.strips()
    rows = [cells_of((strip,), depth) for strip in strips]
    return Shot(rows, at.app.hardware_cursor(), strips)


def written(taken: Shot) -> str:
    """Write a shot as the text of a golden file.

    First come the rows. Then follow the styles of each row, as letters with the number of cells
    (``=``: same as the row above), and a legend of the letters.
    """
    letters: dict[TerminalPen, str] = {}
    grid: list[str] = []
    for row in taken.rows:
        runs = [
            (letters.setdefault(pen, _LETTERS[len(letters)]), len(list(run)))
            for pen, run in groupby(pen for _, pen in row)
        ]
        grid.append(" ".join(f"{letter}{count}" for letter, count in runs))
    told = ["=" if at and grid[at - 1] == row else row for at, row in enumerate(grid)]
    legend = [f"{letter}  {_named(pen)}" for pen, letter in letters.items()]
    cursor = (
        "none"
        if taken.hardware_cursor is None
        else f"{taken.hardware_cursor[0]},{taken.hardware_cursor[1]}"
    )
    parts = [f"|{line.rstrip()}" for line in taken.lines]
    parts += ["", *told, "", *legend, "", f"cursor {cursor}"]
    return "\n".join(parts) + "\n"


def _named(pen: TerminalPen) -> str:
    words = [name for bit, name in enumerate(_NAMES) if pen.attributes >> bit & 1]
    return " ".join([pen.ink, "on", pen.back, *words])


# -- checks for every screen ---------------------------------------------------------------------


def faults(taken: Shot, size: tuple[int, int], mode: str) -> list[str]:
    """Return the faults of a shot, in words, whatever it shows."""
    found = []
    if len(taken.rows) != size[1]:
        found.append(f"{len(taken.rows)} rows")
    found += [
        f"row {y} has {len(row)} cells" for y, row in enumerate(taken.rows) if len(row) != size[0]
    ]
    if mode == "ascii":
        text = "".join(taken.lines)
        found += [f"not ASCII: {sign!r}" for sign in sorted({*text}) if not " " <= sign <= "~"]
        found += [f"coloured: {pen}" for pen in {*taken.pens()} if _is_coloured(pen)]
    if mode == "256":
        found += [f"too many colours: {pen}" for pen in {*taken.pens()} if ";2;" in _inks(pen)]
    return found


def _is_coloured(pen: TerminalPen) -> bool:
    return (pen.ink, pen.back) != ("39", "49")


def _inks(pen: TerminalPen) -> str:
    return f";{pen.ink};{pen.back};"


def not_of(strips: Iterable[Strip], depth: Depth) -> list[str]:
    """Return the colours that a depth does not have, in words."""
    return [
        f"not of depth {depth}: {color.name} in {text.strip()[:30]!r}"
        for strip in strips
        for text, style, _ in strip
        for color in ((style.color, style.bgcolor) if style is not None else ())
        if color is not None and not _is_of(color, depth)
    ]


@cache
def _is_of(color: Color, depth: Depth) -> bool:
    """Return whether a colour is sent unchanged at a depth."""
    if color.type is ColorType.DEFAULT:
        return True
    if depth == "256":
        rounded = color.downgrade(ColorSystem.EIGHT_BIT)
        return rounded.get_truecolor() == color.get_truecolor() and (rounded.number or 0) >= 16
    return depth != "none" and color.number is not None and color.number < int(depth)


def map_faults(at: Desk, taken: Shot) -> list[str]:
    """Return the faults of a board and the bars around it, in words."""
    screen = at.map
    found = []
    status = screen.phase.text
    if not status.strip() or status.strip() not in taken.lines[0]:
        found.append(f"row 0 does not tell {status!r}")
    if not {"help", "leave"} & {*taken.lines[-1].split()}:
        found.append(f"the last row tells no keys: {taken.lines[-1]!r}")
    if taken.hardware_cursor is None:
        found.append("the cursor is not to be seen")
        return found
    x, y = taken.hardware_cursor
    beside = [x - 1, x + screen.board.columns]
    pens = [taken.rows[y][at][1] for at in beside if 0 <= at < len(taken.rows[y])]
    if taken.rows[y][x][1] in pens:
        found.append(f"the cursor at {x},{y} looks like its neighbour")
    return found
