"""Reports: tables of a viewer's possessions and knowledge, such as cities, armies and gold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from engine.core.ids import Seat
from engine.core.record import Record
from engine.tabletop.board import NOBODY
from engine.tabletop.roles import Tone

ReportCell: TypeAlias = int | str
"""Content of a cell; integers are sorted as numbers."""

UNKNOWN = "?"
"""Content of a cell that the viewer does not know."""

SeatNumbers: TypeAlias = Mapping[str, tuple[int | None, ...]]
"""Number of each seat by name; None if the viewer cannot know it."""


class Column(Record, frozen=True):
    """Heading and alignment of a column."""

    heading: str
    align: Literal["left", "right"] = "left"


class ReportRow(Record, frozen=True):
    """Row with a cell for each column; ``at`` is the cell of the map that it is about."""

    cells: tuple[ReportCell, ...]
    tone: Tone = Tone.NORMAL
    at: tuple[int, int] | None = None
    seat: Seat = NOBODY


class Report(Record, frozen=True):
    """Table under a title; ``name`` is one word, unique among the reports of a game.

    ``notes`` are sentences below the table.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[ReportRow, ...] = ()
    notes: tuple[str, ...] = ()


def columns(*headings: str) -> tuple[Column, ...]:
    """Build columns from their headings; ``>`` in front of a heading aligns it to the right.

    >>> [(column.heading, column.align) for column in columns("City", ">Income")]
    [('City', 'left'), ('Income', 'right')]
    """
    return tuple(
        Column(heading.removeprefix(">"), "right" if heading.startswith(">") else "left")
        for heading in headings
    )
