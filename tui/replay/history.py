"""Statistics of a game at the end of each round, as a viewer knew them then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.core.ids import Viewer
from engine.core.log import AnyEntry
from engine.core.replay import BrokenLog, apply
from engine.core.ruleset import AnyRuleset
from engine.tabletop.presenter import presenter_of
from engine.tabletop.report import SeatNumbers


class History:
    """Statistics at the end of each round; the last ones are the present ones.

    They are computed from the viewer's views at those moments, never from states: numbers that were
    hidden then stay hidden. A history is empty at first and grows while ``walk`` is iterated.
    """

    def __init__(self, rules: AnyRuleset, line: Sequence[AnyEntry], viewer: Viewer) -> None:
        self.rules = rules
        self.viewer = viewer
        self.line = tuple(line)
        self.rounds: list[SeatNumbers] = []
        self.first_round = 1
        """Number of the first round in ``rounds``."""
        self.fault = ""

    def walk(self) -> Iterator[int]:
        """Read the game entry by entry; yield the number of entries read so far."""
        before, state, played = self.rules.empty(), self.rules.empty(), 0
        for done, entry in enumerate(self.line, 1):
            before = state
            try:
                state = apply(self.rules, state, entry)
            except BrokenLog as broken:
                self.fault = str(broken)
                break
            if played == 0 or any(event.ends_phase for event in entry.events):
                now = self._round(state)
                self.first_round = self.first_round if played else now
                if played and now != played:
                    self._count(before)
                played = now
            yield done
        if played:
            self._count(state)

    def _round(self, state: Any) -> int:
        """Return the number of the present round, from 1 on."""
        view = self.rules.view(state, self.viewer)
        return max(1, presenter_of(self.rules).status(view).round)

    def _count(self, state: Any) -> None:
        view = self.rules.view(state, self.viewer)
        self.rounds.append(presenter_of(self.rules).numbers(view))

    @property
    def names(self) -> list[str]:
        """Names of the statistics."""
        return list(self.rounds[-1]) if self.rounds else []

    def of(self, name: str) -> list[list[int]]:
        """Return a statistic by seat, one value per round; empty for a seat if ever unknown."""
        return curves_of(self.rounds, name)


def curves_of(rounds: Sequence[SeatNumbers], name: str) -> list[list[int]]:
    """Return a statistic by seat, one value per round; empty for a seat if it was ever unknown."""
    columns = zip(*(numbers[name] for numbers in rounds), strict=True)
    curves: list[list[int]] = []
    for column in columns:
        known = [value for value in column if value is not None]
        curves.append(known if len(known) == len(column) else [])
    return curves
