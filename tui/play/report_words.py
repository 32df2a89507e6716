"""Reports in words, sorted by a column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.tabletop.board import Line
from engine.tabletop.presenter import presenter_of
from engine.tabletop.report import Report, ReportRow
from engine.tabletop.roles import Tone
from tui.replay.history import History

NOTHING: Final = "Nothing of that kind."

_BAR: Final = frozenset("█▌·")
"""Signs of bars, which repeat a number beside them."""


def ordered(report: Report, column: int, *, downwards: bool) -> tuple[ReportRow, ...]:
    """Return the rows sorted by a column, numbers before texts; equal rows keep their order."""
    numbers = [row for row in report.rows if isinstance(row.cells[column], int)]
    texts = [row for row in report.rows if not isinstance(row.cells[column], int)]
    numbers.sort(key=lambda row: row.cells[column], reverse=downwards)
    texts.sort(key=lambda row: str(row.cells[column]).casefold(), reverse=downwards)
    return (*numbers, *texts)


def is_numeric(report: Report, column: int) -> bool:
    """Return whether a column has numbers, which are sorted in descending order by default."""
    return any(isinstance(row.cells[column], int) for row in report.rows)


def in_words(report: Report, row: ReportRow) -> str:
    """Return a row as a sentence without empty cells: ``Dunlin: at 33,9, income 32``."""
    first, *rest = report.columns
    lead = str(row.cells[0])
    if first.align == "right":
        lead = f"{first.heading} {lead}"
    parts = [
        f"{column.heading.lower()} {cell}"
        for column, cell in zip(rest, row.cells[1:], strict=True)
        if cell != "" and not _BAR.issuperset(str(cell))
    ]
    return f"{lead}: {', '.join(parts)}" if parts else lead


def lines(report: Report, rows: Sequence[ReportRow], texts: Sequence[str]) -> list[Line]:
    """Return a line for each row with the text in ``texts``, then the notes of the report."""
    told = [
        Line(text, row.tone, row.seat, at=row.at) for row, text in zip(rows, texts, strict=True)
    ]
    told = told or [Line(NOTHING, Tone.QUIET)]
    notes = [Line(note, Tone.QUIET) for note in report.notes]
    return [*told, *([Line("")] if notes else []), *notes]


def spoken(report: Report) -> list[Line]:
    """Return a report as sentences, one per row, then its notes."""
    return lines(report, report.rows, [in_words(report, row) for row in report.rows])


def rounds_in_words(
    series: Sequence[Sequence[int]], names: Sequence[str], word: str = "round", first: int = 1
) -> Iterator[str]:
    """Yield a text such as ``round 3: Dailor 5, Eldoin 7`` for each round.

    ``series`` has one value per round for each seat in ``names``; empty sequences are left out. The
    first value belongs to round ``first``.
    """
    known = [(name, curve) for name, curve in zip(names, series, strict=False) if curve]
    for at in range(max((len(curve) for _, curve in known), default=0)):
        told = ", ".join(f"{name} {curve[at]}" for name, curve in known if at < len(curve))
        yield f"{word} {first + at}: {told}"


def history_lines(history: History, names: Sequence[str]) -> list[Line]:
    """Return the statistics of a history in words: a heading for each, then a line per round."""
    lines: list[Line] = []
    word = presenter_of(history.rules).round_word
    for number in history.names:
        lines.append(Line(number.capitalize(), Tone.TITLE))
        lines += map(Line, rounds_in_words(history.of(number), names, word, history.first_round))
    return lines or [Line(history.fault or NOTHING, Tone.QUIET)]
