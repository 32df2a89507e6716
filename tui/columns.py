"""Reports side by side in columns. Knows no widgets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len, set_cell_size

from engine.tabletop.report import Cell, Report, ReportRow

_APART: Final = 2
"""Blanks between two columns."""

_LEAST: Final = 6
"""Columns of text are not made narrower than this."""


def widths(report: Report, room: int) -> list[int]:
    """How wide each column is; where there is too little room the widest of text give way."""
    cells = [
        [column.heading, *(str(row.cells[at]) for row in report.rows)]
        for at, column in enumerate(report.columns)
    ]
    found = [max(map(cell_len, column)) for column in cells]
    while sum(found) + _APART * (len(found) - 1) > room:
        soft = [at for at, column in enumerate(report.columns) if column.align == "left"]
        widest = max(soft or range(len(found)), key=lambda at: (found[at], -at))
        if found[widest] <= _LEAST:
            break
        found[widest] -= 1
    return found


def heading(report: Report, wide: Sequence[int], sorted_by: int = -1) -> str:
    """The headings above their columns; the one that rows are sorted by in capitals."""
    names = [
        column.heading.upper() if at == sorted_by else column.heading
        for at, column in enumerate(report.columns)
    ]
    return _row(report, names, wide)


def row_text(report: Report, row: ReportRow, wide: Sequence[int]) -> str:
    """The cells of a row below each other's headings."""
    return _row(report, row.cells, wide)


def _row(report: Report, cells: Sequence[Cell], wide: Sequence[int]) -> str:
    parts = [
        _fitted(str(cell), width, right=column.align == "right")
        for cell, width, column in zip(cells, wide, report.columns, strict=True)
    ]
    return (" " * _APART).join(parts).rstrip()


def _fitted(text: str, width: int, *, right: bool) -> str:
    size = cell_len(text)
    if size > width:
        return set_cell_size(text, max(0, width - 1)) + "~"
    return " " * (width - size) + text if right else text + " " * (width - size)
