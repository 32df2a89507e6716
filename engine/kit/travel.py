"""Paths over several turns: a piece has a number of points in each turn and goes on in the next.

Within a turn points are spent step by step; a turn may end early. Time and points are one integer,
the *clock*: ``turn * full + spent``. All points spent is the same clock as the next turn with none
spent.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import Final, NamedTuple

from engine.kit.fields import FAR
from engine.kit.grid import STEPS
from engine.kit.move_graph import MoveGraph


class MoveBudget(NamedTuple):
    """Points of a piece: ``full`` at the start of a turn, and the clock it begins with.

    A ``strict`` piece cannot make a step that costs more than it has left. Otherwise one point is
    enough for any step, and the rest of the cost is not owed.
    """

    full: int
    clock: int = 0
    strict: bool = False

    def after(self, clock: int, price: int) -> int:
        """Clock after a step; FAR if it can never be paid.

        >>> MoveBudget(10).after(9, 3), MoveBudget(10, strict=True).after(9, 3)
        (10, 13)
        """
        end = clock - clock % self.full + self.full
        if clock + price <= end:
            return clock + price
        if not self.strict:
            return end
        return end + price if price <= self.full else FAR


class Stop(NamedTuple):
    """Square on a path: the turn of arrival, and the cost of all steps so far."""

    at: int
    turn: int
    cost: int


_BITS: Final = 20
_COST: Final = (1 << _BITS) - 1
"""Clock, cost and square packed into one integer, in this order, which queues sort fastest."""


class Journeys(NamedTuple):
    """Quickest paths of a piece from ``start`` to every square in reach, by flat number."""

    start: int
    full: int
    known: dict[int, int]
    """Clock and cost of each square, packed into one integer."""
    before: dict[int, int]

    def stop(self, at: int) -> Stop:
        """Stop at a square in reach; a clock with all points spent belongs to the turn before."""
        number = self.known[at]
        return Stop(at, ((number >> _BITS) - 1) // self.full, number & _COST)

    def way(self, goal: int) -> list[Stop]:
        """Path to ``goal`` in order, without the start; empty if none leads there."""
        line = []
        while goal != self.start and goal in self.known:
            line.append(self.stop(goal))
            goal = self.before[goal]
        return line[::-1]


def journeys(patch: MoveGraph, start: int, purse: MoveBudget) -> Journeys:
    """Quickest paths to all squares; the cheaper of equally quick ones."""
    kinds, leave, enter, taken = patch.kinds, patch.leave, patch.enter, patch.taken
    steps = [(dy * patch.stride + dx, dx, dy * patch.stride) for dx, dy in STEPS[patch.ways]]
    known, before = {start: purse.clock << _BITS}, {start: start}
    queue = [(known[start] << _BITS) | start]
    while queue:
        number = heappop(queue)
        reached, at = number >> _BITS, number & _COST
        out = leave[kinds[at]]
        if reached != known[at] or out >= FAR:
            continue
        clock, cost = reached >> _BITS, reached & _COST
        for step, aside, along in steps:
            there = at + step
            into = enter[kinds[there]]
            if into < 0 or there in taken:
                continue
            if aside and along and _pinched(patch, (at + aside, at + along)):
                continue
            price = out + into
            then = purse.after(clock, price) << _BITS | cost + price
            if then < known.get(there, FAR << _BITS):
                known[there], before[there] = then, at
                heappush(queue, then << _BITS | there)
    return Journeys(start, purse.full, known, before)


def _pinched(patch: MoveGraph, beside: Sequence[int]) -> bool:
    return all(patch.kinds[at] in patch.corners for at in beside)
