"""Outcome of a game in numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.core.archive import SeatPlayer
from engine.core.ruleset import Outcome
from engine.tabletop.board import Line
from engine.tabletop.new_game import NewGameTexts
from engine.tabletop.presenter import AnyPresenter
from engine.tabletop.report import UNKNOWN
from engine.tabletop.roles import Tone

_ENDINGS: Final = 2
"""Maximum sentences about an end, in addition to the status."""

_UNLABELLED: Final = NewGameTexts()


def result_lines(presenter: AnyPresenter, view: Any, names: Sequence[str] = ()) -> list[Line]:
    """Return the status of a position in the game's own words, with the reason if it is over."""
    status = presenter.status(view)
    first = Line(status.text, Tone.STRONG)
    return [first, *endings(presenter, view, names)] if status.over else [first]


def endings(presenter: AnyPresenter, view: Any, names: Sequence[str]) -> list[Line]:
    """Return sentences on how the game ended, without the status and lines about one side."""
    heading, starts = presenter.status(view).text.rstrip("."), tuple(f"{name}:" for name in names)
    lines = [
        line
        for line in dict.fromkeys(presenter.summary(view))
        if line.text.rstrip(".") != heading and not line.text.startswith(starts)
    ]
    strong = [line for line in lines if line.tone not in {Tone.NORMAL, Tone.QUIET}]
    return (strong or lines)[:_ENDINGS]


def numbers(
    values: Mapping[str, Sequence[int | None]],
    players: Sequence[SeatPlayer],
    outcome: Outcome | None,
    width: int = 0,
    texts: NewGameTexts = _UNLABELLED,
) -> list[Line]:
    """Return a table of statistics: a column per side, a row per statistic, winners marked.

    If that does not fit into ``width`` columns (0: no limit), sides are rows and as many statistics
    as fit are columns. None is shown as a question mark. ``texts`` has the labels of the
    statistics.
    """
    if not values:
        return []
    won = outcome.winners if outcome is not None else ()
    names = [("* " if player.seat in won else "") + player.name[:10] for player in players]
    rows = [
        [UNKNOWN if value is None else str(value) for value in row[: len(names)]]
        for row in values.values()
    ]
    labels = [texts.statistic(name) for name in values]
    lines = _table(names, labels, rows)
    if width and len(lines[0].text) > width:
        sides = [list(row) for row in zip(*rows, strict=True)]
        for count in range(len(values), 0, -1):
            lines = _table(labels[:count], names, [row[:count] for row in sides])
            if len(lines[0].text) <= width:
                break
    if won:
        lines.append(Line("* has won", Tone.QUIET))
    return lines


def _table(
    heads: Sequence[str], firsts: Sequence[str], rows: Sequence[Sequence[str]]
) -> list[Line]:
    """Return headings over right-aligned columns, and the label of each row."""
    first = max(map(len, firsts)) + 1
    widths = [
        max(7, len(head) + 2, *(len(row[at]) + 2 for row in rows)) for at, head in enumerate(heads)
    ]
    head = "".join(f"{name:>{width}}" for name, width in zip(heads, widths, strict=True))
    lines = [Line(" " * first + head, Tone.STRONG)]
    for name, row in zip(firsts, rows, strict=True):
        cells = "".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True))
        lines.append(Line(f"{name:<{first}}{cells}"))
    return lines
