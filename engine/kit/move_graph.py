"""Search on flat lists: squares that a small budget reaches, and journeys of several turns.

A step from one square to the next costs ``leave`` of the first plus ``enter`` of the second, at
least 1. Ties are broken by the order of ``grid.STEPS``.

``spread`` visits only squares near the start. ``journeys`` continues in later turns: a piece has a
number of points in each, spends them step by step, and may end a turn early. Time and points are
one integer, the *clock*: ``turn * full + spent``. All points spent is the same clock as the next
turn with none spent.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from heapq import heappop, heappush
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.kit.fields import FAR
from engine.kit.grid import STEPS, Place, Ways

CLOSED: Final = -1
"""Cost in ``MoveGraph.enter`` of a kind of square that cannot be entered."""


class MoveGraph(NamedTuple):
    """Map for ``spread`` and ``journeys``: kinds of squares in one flat list with a rim around it.

    ``kinds`` has ``stride`` = width + 2 numbers per row, the rim included, whose kind must be
    CLOSED in ``enter``. ``leave`` and ``enter`` are costs by kind. ``taken`` squares (flat numbers)
    cannot be entered. A diagonal step is closed if both squares beside it are of kinds in
    ``corners``.
    """

    kinds: Sequence[int]
    stride: int
    leave: Sequence[int]
    enter: Sequence[int]
    taken: Collection[int]
    ways: Ways = 4
    corners: Collection[int] = ()


class Arrival(NamedTuple):
    """Least cost of reaching a square, and the square before it."""

    cost: int
    before: int


def flat(x: int, y: int, stride: int) -> int:
    """Return the number of a square in a flat list with a rim."""
    return (y + 1) * stride + x + 1


def place(at: int, stride: int) -> Place:
    """Return (x, y) of a square; the inverse of ``flat``."""
    row, column = divmod(at, stride)
    return column - 1, row - 1


def rimmed(cells: npt.NDArray[Any], rim: int) -> list[int]:
    """Return a plane as one flat list, row by row, with a rim of the number ``rim`` around it."""
    listed: list[int] = np.pad(cells.astype(np.int32), 1, constant_values=rim).ravel().tolist()
    return listed


def spread(patch: MoveGraph, start: int, budget: int) -> dict[int, Arrival]:
    """Return the squares that can be reached from ``start``, by flat number, ``start`` included.

    Paths continue only from squares whose cost is at most ``budget``, so the last step may cost any
    price. A caller that must pay it in full drops the squares above its budget. The rim makes range
    checks unnecessary.
    """
    kinds, leave, enter, taken = patch.kinds, patch.leave, patch.enter, patch.taken
    steps = [(dy * patch.stride + dx, dx, dy * patch.stride) for dx, dy in STEPS[patch.ways]]
    found = {start: Arrival(0, start)}
    buckets: dict[int, list[int]] = {0: [start]}
    for reached in range(budget + 1):
        bucket = buckets.pop(reached, [])
        for at in bucket:
            if found[at].cost != reached:
                continue
            out = leave[kinds[at]]
            for step, aside, along in steps:
                there = at + step
                into = enter[kinds[there]]
                if into < 0 or there in taken:
                    continue
                if aside and along and _pinched(patch, at + aside, at + along):
                    continue
                cost = reached + out + into
                if there not in found or cost < found[there].cost:
                    found[there] = Arrival(cost, at)
                    buckets.setdefault(cost, []).append(there)
    return found


def _pinched(patch: MoveGraph, one: int, other: int) -> bool:
    return patch.kinds[one] in patch.corners and patch.kinds[other] in patch.corners


def way(found: dict[int, Arrival], start: int, goal: int) -> tuple[int, ...]:
    """Return the squares from ``start`` to ``goal``, without ``start``.

    Raises:
        KeyError: ``goal`` was not reached.
    """
    squares = []
    while goal != start:
        squares.append(goal)
        goal = found[goal].before
    return tuple(reversed(squares))


# -- journeys of several turns ---------------------------------------------------------------------


class MoveBudget(NamedTuple):
    """Points of a piece: ``full`` at the start of a turn, and the clock it begins with.

    A ``strict`` piece cannot make a step that costs more than it has left. For others one point is
    enough for any step, and the unpaid rest of the cost is forgiven.
    """

    full: int
    clock: int = 0
    strict: bool = False

    def after(self, clock: int, price: int) -> int:
        """Return the clock after a step; FAR if it can never be paid.

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
"""Clock, cost and square are packed into one integer, in this order, because queues sort it
fastest."""


class Journeys(NamedTuple):
    """Quickest paths of a piece from ``start`` to every square in reach, by flat number."""

    start: int
    full: int
    known: dict[int, int]
    """Clock and cost of each square, packed into one integer."""
    before: dict[int, int]

    def stop(self, at: int) -> Stop:
        """Return the turn and the cost at a square in reach.

        An arrival that spends all points counts in the turn that it ends.
        """
        number = self.known[at]
        return Stop(at, ((number >> _BITS) - 1) // self.full, number & _COST)

    def way(self, goal: int) -> list[Stop]:
        """Return the path to ``goal`` in order, without the start; empty if no path leads there."""
        line = []
        while goal != self.start and goal in self.known:
            line.append(self.stop(goal))
            goal = self.before[goal]
        return line[::-1]


def journeys(patch: MoveGraph, start: int, purse: MoveBudget) -> Journeys:
    """Return the quickest paths to all squares; the cheaper of equally quick ones."""
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
            if aside and along and _pinched(patch, at + aside, at + along):
                continue
            price = out + into
            then = purse.after(clock, price) << _BITS | cost + price
            if then < known.get(there, FAR << _BITS):
                known[there], before[there] = then, at
                heappush(queue, then << _BITS | there)
    return Journeys(start, purse.full, known, before)
