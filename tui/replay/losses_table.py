"""Losses of each side with their causes: one walk through a log, and its rows as a table."""

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
from engine.tabletop.fact import LossRow
from engine.tabletop.presenter import presenter_of
from engine.tabletop.roles import Tone

_WHERE: Final = 24
_WHO: Final = 10
_WHAT: Final = 20
"""Maximum columns for places, seats and losses; the rest is for the cause."""


NO_ENTRY: Final = -1
"""Replaces the number of an entry if that would reveal too much."""


class Booked(NamedTuple):
    """Row of the table: a loss, and its entry and round."""

    loss: LossRow
    entry: int
    round: int


class Reckoning:
    """Losses on one line of a log, as a viewer knows them; they grow while ``walk`` is iterated."""

    def __init__(
        self, rules: AnyRuleset, line: Sequence[AnyEntry], viewer: Viewer, *, numbered: bool = True
    ) -> None:
        """Start without rows; with ``numbered`` they have the numbers of their entries."""
        self.rules = rules
        self.line = tuple(line)
        self.viewer = viewer
        self._numbered = numbered
        self.rows: list[Booked] = []
        self.fault = ""

    def walk(self) -> Iterator[int]:
        """Read the log entry by entry; yield the number of entries read so far.

        The caller may stop iterating at any time.
        """
        presenter = presenter_of(self.rules)
        number, walked = 0, changes(self.rules, self.line)
        for done, entry in enumerate(self.line, 1):
            try:
                change = next(walked)
                found = [
                    loss
                    for told in change.events(self.viewer)
                    for loss in presenter.losses(told.event, told.before, told.after)
                ]
            except BrokenLog as broken:
                self.fault = str(broken)
                return
            seq = entry.seq if self._numbered else NO_ENTRY
            self.rows += [Booked(loss, seq, number) for loss in found]
            if done == 1 or any(event.ends_phase for event in entry.events):
                number = presenter.status(change.view(self.viewer)).round
            yield done


def concerned(rows: Iterable[Booked], seat: Seat) -> list[Booked]:
    """Return the rows of a seat's losses, and of its captures from others."""
    return [row for row in rows if seat in (row.loss.seat, row.loss.other)]


def by_rounds(rows: Sequence[Booked], names: Sequence[str], word: str = "round") -> list[Line]:
    """Return a table for each round with losses, then the sums.

    ``word`` is the game's word for a round.
    """
    lines: list[Line] = []
    for number in sorted({row.round for row in rows}):
        own = [row for row in rows if row.round == number]
        lines += [Line(f"{word.capitalize()} {number}", Tone.TITLE), *_table(own, names), Line("")]
    return [*lines, *_sums(rows, names)]


def lines(rows: Sequence[Booked], names: Sequence[str]) -> list[Line]:
    """Return rows of losses and their sums as lines; each row leads to its cell and its entry."""
    return [*_table(rows, names), *([Line("")] if rows else []), *_sums(rows, names)]


def tally(losses: Sequence[LossRow], names: Sequence[str]) -> list[Line]:
    """Return losses in lines for a narrow panel, latest first; empty if there are none."""
    if not losses:
        return []
    told = [
        Line(f"{_name(loss.seat, names)}: {loss.what}, {loss.cause}", seat=loss.seat)
        for loss in reversed(losses)
    ]
    return [Line(""), Line("Lost so far", Tone.TITLE), *told]


def _table(rows: Sequence[Booked], names: Sequence[str]) -> list[Line]:
    if not rows:
        return []
    cells = [("Where", "Who", "Lost", "By what")]
    cells += [_cells(row.loss, names) for row in rows]
    most = (_WHERE, _WHO, _WHAT)
    widths = [
        min(wide, max(len(cell[column]) for cell in cells)) for column, wide in enumerate(most)
    ]
    if not any(row.loss.place for row in rows):
        cells, widths = [("", *cell[1:]) for cell in cells], [0, *widths[1:]]
    head, *others = (_row(cell, widths) for cell in cells)
    return [
        Line(head, Tone.QUIET),
        *(
            Line(text, seat=row.loss.seat, rule=row.loss.rule, at=row.loss.at, entry=row.entry)
            for text, row in zip(others, rows, strict=True)
        ),
    ]


def _cells(loss: LossRow, names: Sequence[str]) -> tuple[str, str, str, str]:
    by = f"{loss.cause}, {_name(loss.other, names)}" if loss.other != NOBODY else loss.cause
    return loss.place, _name(loss.seat, names), loss.what, by


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    parts = [cell.ljust(wide) for cell, wide in zip(cells, widths, strict=False) if wide]
    return "  ".join([*parts, cells[-1]])


def _sums(rows: Sequence[Booked], names: Sequence[str]) -> list[Line]:
    """Return how many pieces each seat lost."""
    counts: Counter[Seat] = Counter()
    for row in rows:
        counts[row.loss.seat] += row.loss.pieces
    if not rows:
        return [Line("Nobody has lost anything.", Tone.QUIET)]
    told = [f"{_name(seat, names)} {counts[seat]}" for seat in sorted(counts) if counts[seat]]
    return [Line(f"Pieces lost in all: {', '.join(told)}.", Tone.STRONG)] if told else []


def _name(seat: Seat, names: Sequence[str]) -> str:
    if seat == NOBODY:
        return "nobody"
    return names[seat] if seat < len(names) else f"seat {seat}"
