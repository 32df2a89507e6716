"""Reports: tables of what a viewer owns and knows, such as cities, armies, gold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from engine.core.ids import Seat
from engine.core.record import Record
from engine.tabletop.board import NOBODY
from engine.tabletop.roles import Tone

Cell: TypeAlias = int | str
"""What stands in a column of a row: numbers are compared as numbers when rows are sorted."""

UNKNOWN = "?"
"""In place of what the viewer does not know."""

Numbers: TypeAlias = Mapping[str, tuple[int | None, ...]]
"""By name a number for each seat; None where the viewer cannot know it."""


class Column(Record, frozen=True):
    """A column: what stands above it, and to which side its cells keep."""

    heading: str
    align: Literal["left", "right"] = "left"


class ReportRow(Record, frozen=True):
    """A row: a cell for each column; ``at`` is the cell of the map that it speaks of."""

    cells: tuple[Cell, ...]
    tone: Tone = Tone.NORMAL
    at: tuple[int, int] | None = None
    seat: Seat = NOBODY


class Report(Record, frozen=True):
    """A table under a title; ``name`` is one word, told from those of the other reports.

    ``notes`` are sentences below it.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[ReportRow, ...] = ()
    notes: tuple[str, ...] = ()


def columns(*headings: str) -> tuple[Column, ...]:
    """Columns by their headings; those that begin with ``>`` keep to the right, as numbers do.

    >>> [(column.heading, column.align) for column in columns("City", ">Income")]
    [('City', 'left'), ('Income', 'right')]
    """
    return tuple(
        Column(heading.removeprefix(">"), "right" if heading.startswith(">") else "left")
        for heading in headings
    )
