"""A screen as text: its rows, and below them how each cell is written."""

from __future__ import annotations

import string
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from rich.color import Color, ColorType
from textual.strip import Strip

from tests.tui.desk import Desk
from tui.terminal.capabilities import Depth
from tui.terminal.cells import ScreenCell, TerminalPen, cells_of

_LETTERS = string.ascii_letters + "".join(chr(n) for n in range(0xC0, 0x250))
_NAMES = ("bold", "dim", "italic", "under", "blink", "blink2", "reverse", "conceal", "strike")
_SIXTEEN = {Color.from_ansi(n).get_truecolor() for n in range(16)} | {
    Color.parse(f"#{value:06x}").get_truecolor()
    for value in (
        *(0x000000, 0xAA0000, 0x00AA00, 0xAA5500, 0x0000AA, 0xAA00AA, 0x00AAAA, 0xAAAAAA),
        *(0x555555, 0xFF5555, 0x55FF55, 0xFFFF55, 0x5555FF, 0xFF55FF, 0x55FFFF, 0xFFFFFF),
    )
}
"""The usual sixteen, as they are written in palettes and as Rich knows them."""


class Shot(NamedTuple):
    """Capture of a screen."""

    rows: list[list[ScreenCell]]
    hardware_cursor: tuple[int, int] | None
    """Column and row of the terminal's own cursor."""
    strips: list[Strip]

    @property
    def lines(self) -> list[str]:
        """The text of each row."""
        return ["".join(text for text, _ in row) for row in self.rows]

    def pens(self) -> Iterable[TerminalPen]:
        """Pens of the cells."""
        return (pen for row in self.rows for _, pen in row)


def shot(at: Desk, depth: Depth) -> Shot:
    """The screen as it is now, for a terminal of a depth."""
    strips: list[Any] = at.app.screen._compositor.render_strips()
    rows = [cells_of((strip,), depth) for strip in strips]
    return Shot(rows, at.app.hardware_cursor(), strips)


def written(taken: Shot) -> str:
    """A shot as the text of a golden file.

    The rows; then of each row the styles of its cells, each a letter and how often it comes
    (``=``: the same as the row above); then what the letters stand for.
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


# -- what holds of every screen ------------------------------------------------------------------


def faults(taken: Shot, size: tuple[int, int], mode: str) -> list[str]:
    """Faults of a shot whatever it shows, in words."""
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
    if mode == "16":
        found += [f"rounded to sixteen: {color.name}" for color in _rounded(taken.strips)]
    if mode == "256":
        found += [f"too many colours: {pen}" for pen in {*taken.pens()} if ";2;" in _inks(pen)]
    return found


def _is_coloured(pen: TerminalPen) -> bool:
    return (pen.ink, pen.back) != ("39", "49")


def _inks(pen: TerminalPen) -> str:
    return f";{pen.ink};{pen.back};"


def _rounded(strips: Sequence[Strip]) -> list[Color]:
    """The colours that are not exactly one of the usual sixteen."""
    colors = {
        color
        for strip in strips
        for _, style, _ in strip
        if style is not None
        for color in (style.color, style.bgcolor)
        if color is not None
    }
    return sorted((color for color in colors if not _is_usual(color)), key=lambda color: color.name)


def _is_usual(color: Color) -> bool:
    if color.type in {ColorType.DEFAULT, ColorType.STANDARD}:
        return True
    if color.type is ColorType.EIGHT_BIT:
        return color.number is not None and color.number < 16
    return color.get_truecolor() in _SIXTEEN


def map_faults(at: Desk, taken: Shot) -> list[str]:
    """Faults of a board and the bars around it."""
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
