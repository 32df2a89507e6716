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


def fits(report: Report, room: int) -> bool:
    """Whether the columns of a report have room beside each other."""
    wide = widths(report, room)
    return sum(wide) + _APART * (len(wide) - 1) <= room


def titles(names: Sequence[str], at: int, room: int) -> str:
    """The titles of pages in a row, one of them in brackets; as many as there is room for.

    >>> titles(["Cities", "Armies", "Gold"], 1, 40)
    'Cities [Armies] Gold'
    >>> titles(["Cities", "Armies", "Gold"], 1, 16)
    '< [Armies] >'
    """
    shown = [f"[{name}]" if number == at else name for number, name in enumerate(names)]
    first, last = 0, len(shown)
    while cell_len(text := _part(shown, first, last)) > room and last - first > 1:
        if at - first > last - 1 - at:
            first += 1
        else:
            last -= 1
    return text


def _part(shown: Sequence[str], first: int, last: int) -> str:
    more = "< " if first else ""
    return more + " ".join(shown[first:last]) + (" >" if last < len(shown) else "")


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
