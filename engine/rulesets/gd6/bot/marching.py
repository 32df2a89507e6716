"""Moves by what they gain for the units they take: expansions, invasions, then to the front."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heapify, heappop, heappush
from typing import Final

from engine.rulesets.gd6.bot.board import Board
from engine.rulesets.gd6.bot.sketch import Going, Sketch
from engine.rulesets.gd6.bot.style import Style
from engine.rulesets.gd6.orders import UNITS
from engine.rulesets.gd6.state import NOBODY

ARMY: Final = UNITS.index("army")
CAVALRY: Final = UNITS.index("cavalry")
HEAVY: Final = UNITS.index("heavy")
SPY: Final = UNITS.index("spy")

GAIN_STEP: Final = 1000
"""The number of territories that a way takes weighs more than any worth."""

WALKERS: Final = (ARMY, CAVALRY)
"""Types that go two borders at least and count one each."""


class March:
    """The moves of one seat in the making, on a board on which its spawns stand already."""

    def __init__(self, board: Board, seat: int, style: Style, worth: list[int]) -> None:
        self.board = board
        self.seat = seat
        self.style = style
        self.worth = worth
        self.free = {at: board.units[at].copy() for at in board.lands(seat)}
        """Units by territory that have no order yet."""
        self.gone: set[int] = set()
        """Territories somebody is sent to take."""
        self.fodder: list[Going] = []
        self.moves: list[Going] = []
        self._keep_guards()

    def _keep_guards(self) -> None:
        for at, units in self.free.items():
            needed = self._guard(at)
            for unit in (HEAVY, ARMY, CAVALRY):
                kept = min(units[unit], needed)
                units[unit] -= kept
                needed -= kept * (2 if unit == HEAVY else 1)
                if needed <= 0:
                    break

    def _guard(self, at: int) -> int:
        """How many stay here whatever happens."""
        board, style = self.board, self.style
        dear = board.hq[at] or board.construct[at] == "bivouac"
        percent = style.guard if dear else style.cover
        if not percent:
            return 0
        danger = board.threat(self.seat, at) - board.entry_cost(at)
        if danger <= 0 or (not dear and danger > sum(board.units[at])):
            return 0
        return (danger * percent + 99) // 100

    def take(self, path: tuple[int, ...], unit: int, count: int, *, first: bool = False) -> None:
        """Send units along a path; those who go first die first."""
        self.free[path[0]][unit] -= count
        (self.fodder if first else self.moves).append((path, unit, count))

    def keep_spies(self, start: int) -> None:
        """Let spies stay at and beside a place from which an invasion starts. Rules: GD-INTEL-1."""
        for at in (start, *self.board.geo.near[start]):
            if at in self.free:
                self.free[at][SPY] = 0

    def walkers(self, at: int) -> int:
        """Units here that have no order and can go two borders."""
        units = self.free[at]
        return units[ARMY] + units[CAVALRY]

    def send(self, path: tuple[int, ...], count: int, *, first: bool = False) -> None:
        """Send so many walkers, armies before cavalry."""
        for unit in WALKERS:
            part = min(count, self.free[path[0]][unit])
            if part:
                self.take(path, unit, part, first=first)
                count -= part

    def spread(self) -> None:
        """Take neutral land: most territories for each unit first, then most worth.

        Through mines go so many more as they kill. Rules: GD-MINE-2.
        """
        heap = [(-gain, path) for gain, path in self._ways()]
        heapify(heap)
        while heap:
            hoped, path = heappop(heap)
            start = path[0]
            if not self.walkers(start):
                continue
            fresh = [at for at in path[1:] if self._is_open(at)]
            gain = sum(GAIN_STEP + self.worth[at] for at in fresh)
            if gain < -hoped:
                if gain:
                    heappush(heap, (-gain, path))
                continue
            lost = sum(self.board.losses(self.seat, at) for at in fresh)
            if lost < self.walkers(start):
                self.send(path, min(lost + self._wanted(fresh[0]), self.walkers(start)))
                self.gone.update(fresh)

    def _wanted(self, at: int) -> int:
        """How many go to neutral land. Rules: GD-SKIRMISH-2."""
        contest = self.style.contest
        return 1 + contest if contest and self.board.is_contested(self.seat, at) else 1

    def _is_open(self, at: int) -> bool:
        return self.board.owner[at] == NOBODY and at not in self.gone

    def _ways(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Ways of one or two borders to neutral land, and what they gain."""
        near, owner = self.board.geo.near, self.board.owner
        for start in self.free:
            if not self.walkers(start):
                continue
            for one in near[start]:
                gain = 0
                if owner[one] == NOBODY:
                    gain = GAIN_STEP + self.worth[one]
                    yield gain, (start, one)
                elif owner[one] != self.seat:
                    continue
                for two in near[one]:
                    if two != start and owner[two] == NOBODY:
                        yield gain + GAIN_STEP + self.worth[two], (start, one, two)

    def finish(self, sketch: Sketch) -> Sketch:
        """Put the moves on the list, the fodder first."""
        sketch.moves = [*self.fodder, *self.moves]
        return sketch
