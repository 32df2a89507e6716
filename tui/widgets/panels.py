"""Widgets of plain lines: the phase indicator, the side panel, the hint, the keys."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip

from engine.tabletop.board import Line
from engine.tabletop.roles import Tone
from tui.style.palette import FULL, Palette
from tui.terminal.painted import Painted

Row = tuple[str, Style]


class Rows(Painted):
    """Rows of text, each in one style; only those that changed are painted again."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's word
        super().__init__(id=id)
        self.palette: Palette = FULL
        self._rows: list[Row] = []

    def put(self, rows: Sequence[Row]) -> None:
        """Show these rows."""
        old, self._rows = self._rows, list(rows)
        changed = [
            y
            for y in range(max(len(old), len(rows)))
            if y >= len(old) or y >= len(rows) or old[y] != rows[y]
        ]
        width, height = self.size
        regions = [Region(0, y, width, 1) for y in changed if y < height]
        if regions:
            self.refresh(*regions)

    def dress(self, palette: Palette) -> None:
        """Choose colours."""
        self.palette = palette
        self.refresh()

    def wrapped(self, lines: Iterable[Line]) -> list[Row]:
        """Lines as rows that fit."""
        return [row for line in lines for row in wrap(line, self.size.width, self.palette)]

    def fitted(self, lines: Iterable[Line]) -> list[Row]:
        """Lines as rows that fit; where there are too many the last row says how many more."""
        rows, height = self.wrapped(lines), self.size.height
        if len(rows) <= height or height < 2:
            return rows
        more = Line(f"({len(rows) - height + 1} more rows)", Tone.QUIET)
        return [*rows[: height - 1], *wrap(more, self.size.width, self.palette)]

    def render_line(self, y: int) -> Strip:
        """One row of the screen."""
        width = self.size.width
        if y >= len(self._rows):
            return Strip([Segment(" " * width, self.palette.blank)], width)
        text, style = self._rows[y]
        return Strip([Segment(set_cell_size(text, width), style)], width)


def wrap(line: Line, width: int, palette: Palette) -> list[Row]:
    """A line as rows of a width; what does not fit goes on, indented."""
    style = palette.line(line.tone, line.seat)
    text = f"{line.text} [{line.rule}]" if line.rule and width >= 60 else line.text
    if cell_len(text) <= width:
        return [(text, style)]
    parts = textwrap.wrap(text, max(8, width), subsequent_indent="  ", break_on_hyphens=False)
    return [(part, style) for part in parts]


class Bar(Painted):
    """One row: a text at the left, another at the right."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's word
        super().__init__(id=id)
        self._row: tuple[str, str, Style] = ("", "", Style())

    @property
    def text(self) -> str:
        """What stands at the left."""
        return self._row[0]

    def put(self, left: str, right: str, style: Style) -> None:
        """Show these texts."""
        if (left, right, style) != self._row:
            self._row = left, right, style
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """The row; the left text is cut for the right one."""
        left, right, style = self._row
        width = self.size.width
        if y:
            return Strip([Segment(" " * width, style)], width)
        space = width - cell_len(right) - 2 if right else width - 1
        text = set_cell_size(" " + left, max(0, space)) + " " + (right + " " if right else "")
        return Strip([Segment(set_cell_size(text, width), style)], width)
