"""Who lost what and why: one walk through a log, and its rows as a table. Knows no widgets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from engine.core.feed import changes
from engine.core.ids import Seat, Viewer
from engine.core.log import AnyEntry
from engine.core.replay import BrokenLog
from engine.core.ruleset import AnyRuleset
from engine.tabletop.board import NOBODY, Line
from engine.tabletop.presenter import presenter_of
from engine.tabletop.roles import Tone
from engine.tabletop.toll import Toll

_WHERE: Final = 24
_WHO: Final = 10
_WHAT: Final = 20
"""Columns that places, seats and what they lost take at most; the rest is for the cause."""


NO_ENTRY: Final = -1
"""In place of numbers of entries where those would tell too much."""


class Booked(NamedTuple):
    """A row, the entry of the log that it comes from, and the round in which it was lost."""

    toll: Toll
    entry: int
    round: int


class Reckoning:
    """The rows of one line of a log for one viewer; it grows while ``walk`` is iterated."""

    def __init__(
        self, rules: AnyRuleset, line: Sequence[AnyEntry], viewer: Viewer, *, numbered: bool = True
    ) -> None:
        """Make an empty one; rows know their entries where those are ``numbered``."""
        self.rules = rules
        self.line = tuple(line)
        self.viewer = viewer
        self._numbered = numbered
        self.rows: list[Booked] = []
        self.fault = ""

    def walk(self) -> Iterator[int]:
        """Go on, entry by entry: yields how many are done, and may be left at any time."""
        presenter = presenter_of(self.rules)
        number, walked = 0, changes(self.rules, self.line)
        for done, entry in enumerate(self.line, 1):
            try:
                change = next(walked)
                found = [
                    toll
                    for told in change.events(self.viewer)
                    for toll in presenter.tolls(told.event, told.before, told.after)
                ]
            except BrokenLog as broken:
                self.fault = str(broken)
                return
            seq = entry.seq if self._numbered else NO_ENTRY
            self.rows += [Booked(toll, seq, number) for toll in found]
            if done == 1 or any(event.closing for event in entry.events):
                number = presenter.status(change.view(self.viewer)).round
            yield done


def concerned(rows: Iterable[Booked], seat: Seat) -> list[Booked]:
    """The rows of what a seat lost, or took from others."""
    return [row for row in rows if seat in (row.toll.seat, row.toll.other)]


def by_rounds(rows: Sequence[Booked], names: Sequence[str]) -> list[Line]:
    """A table for each round in which somebody lost something, and the sums of all of them."""
    lines: list[Line] = []
    for number in sorted({row.round for row in rows}):
        own = [row for row in rows if row.round == number]
        lines += [Line(f"Round {number}", Tone.TITLE), *_table(own, names), Line("")]
    return [*lines, *_sums(rows, names)]


def lines(rows: Sequence[Booked], names: Sequence[str]) -> list[Line]:
    """A table of some rows, and their sums; each line leads to its place and its entry."""
    return [*_table(rows, names), *([Line("")] if rows else []), *_sums(rows, names)]


def tally(tolls: Sequence[Toll], names: Sequence[str]) -> list[Line]:
    """What was lost so far, the last first, in lines for a narrow panel; nothing if it is none."""
    if not tolls:
        return []
    told = [
        Line(f"{_name(toll.seat, names)}: {toll.what}, {toll.cause}", seat=toll.seat)
        for toll in reversed(tolls)
    ]
    return [Line(""), Line("Lost so far", Tone.TITLE), *told]


def _table(rows: Sequence[Booked], names: Sequence[str]) -> list[Line]:
    if not rows:
        return []
    cells = [("Where", "Who", "Lost", "By what")]
    cells += [_cells(row.toll, names) for row in rows]
    most = (_WHERE, _WHO, _WHAT)
    widths = [
        min(wide, max(len(cell[column]) for cell in cells)) for column, wide in enumerate(most)
    ]
    if not any(row.toll.place for row in rows):
        cells, widths = [("", *cell[1:]) for cell in cells], [0, *widths[1:]]
    head, *others = (_row(cell, widths) for cell in cells)
    return [
        Line(head, Tone.QUIET),
        *(
            Line(text, seat=row.toll.seat, rule=row.toll.rule, at=row.toll.at, entry=row.entry)
            for text, row in zip(others, rows, strict=True)
        ),
    ]


def _cells(toll: Toll, names: Sequence[str]) -> tuple[str, str, str, str]:
    by = f"{toll.cause}, {_name(toll.other, names)}" if toll.other != NOBODY else toll.cause
    return toll.place, _name(toll.seat, names), toll.what, by


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    parts = [cell.ljust(wide) for cell, wide in zip(cells, widths, strict=False) if wide]
    return "  ".join([*parts, cells[-1]])


def _sums(rows: Sequence[Booked], names: Sequence[str]) -> list[Line]:
    """How many pieces each seat lost."""
    counts: Counter[Seat] = Counter()
    for row in rows:
        counts[row.toll.seat] += row.toll.pieces
    if not rows:
        return [Line("Nobody has lost anything.", Tone.QUIET)]
    told = [f"{_name(seat, names)} {counts[seat]}" for seat in sorted(counts) if counts[seat]]
    return [Line(f"Pieces lost in all: {', '.join(told)}.", Tone.STRONG)] if told else []


def _name(seat: Seat, names: Sequence[str]) -> str:
    if seat == NOBODY:
        return "nobody"
    return names[seat] if seat < len(names) else f"seat {seat}"
