"""Distance fields: what it costs to get from some places to every other, and the way there.

A step from one square to the next costs ``leave`` of the first plus ``enter`` of the second.
``distances`` fills a whole map; ``spread`` looks only as far as a small budget goes and touches
nothing else. Every step costs a whole number of at least 1. Ties between ways are broken by the
order of ``grid.STEPS``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from engine.kit.grid import STEPS, Place, Ways

Numbers: TypeAlias = npt.NDArray[Any]

FAR: Final = 1 << 28
"""The distance of what cannot be reached."""

CLOSED: Final = -1
"""In ``Patch.enter``: a kind of square that cannot be entered."""

_SWEEPS: Final = 20
"""After so many sweeps over the map a queue is faster: the ways wind too much."""


@dataclass(frozen=True, eq=False)
class Ground:
    """What steps cost on a map, as arrays of shape (height, width).

    ``blocked`` squares cannot be entered. Of ``corners`` two side by side stop a diagonal step
    between them; None: nothing does.
    """

    leave: Numbers
    enter: Numbers
    blocked: npt.NDArray[np.bool_]
    ways: Ways = 4
    corners: npt.NDArray[np.bool_] | None = None

    @property
    def size(self) -> Place:
        """(width, height)."""
        return int(self.blocked.shape[1]), int(self.blocked.shape[0])


def distances(
    ground: Ground,
    sources: Iterable[Place],
    *,
    toward: bool = False,
    limit: int = FAR,
    sweeps: int = _SWEEPS,
) -> npt.NDArray[np.int32]:
    """The least cost from the nearest of ``sources`` to every square, FAR where no way leads.

    Args:
        ground: what steps cost.
        sources: where ways begin; they may be blocked.
        toward: count the ways that lead *to* the sources instead. A blocked square then has a
            distance too (somebody may stand there and leave), but no way leads through it.
        limit: ways end at the first square whose distance is above this.
        sweeps: how often the map is swept before a queue takes over; the result is the same.
    """
    starts = list(sources)
    stride = ground.size[0] + 2
    edges = _edges(ground, starts, toward=toward)
    field = np.full(stride * (ground.size[1] + 2) + stride + 1, FAR, dtype=np.int64)
    for x, y in starts:
        field[flat(x, y, stride)] = 0
    if not _sweep(field, edges, sweeps):
        field = _queue(field, edges, limit)
    if limit < FAR:
        field = _clipped(field, edges, limit)
    whole = field[: stride * (ground.size[1] + 2)].reshape(-1, stride)
    return whole[1:-1, 1:-1].astype(np.int32)


class _Edge(NamedTuple):
    """One of the steps on a map with a rim, as a flat list with a row and a square to spare.

    ``cost`` is what arriving at each square by this step costs, FAR where it cannot be made.
    """

    way: Place
    step: int
    cost: npt.NDArray[np.int64]


def _edges(ground: Ground, starts: list[Place], *, toward: bool) -> list[_Edge]:
    (width, height), stride = ground.size, ground.size[0] + 2
    shut, out, into = ground.blocked, ground.leave, ground.enter
    if toward:
        out, into = into, out
        shut = shut.copy()
        for x, y in starts:
            shut[y, x] = False
    edges = []
    for dx, dy in STEPS[ground.ways]:
        rows, columns = _span(dy, height), _span(dx, width)
        before, after = (rows[0], columns[0]), (rows[1], columns[1])
        cost = out[before].astype(np.int64) + into[after]
        cost[shut[before if toward else after]] = FAR
        if ground.corners is not None and dx and dy:
            pinched = ground.corners[rows[0], columns[1]] & ground.corners[rows[1], columns[0]]
            cost[pinched] = FAR
        listed = np.full(stride * (height + 2) + stride + 1, FAR, dtype=np.int64)
        listed[: stride * (height + 2)].reshape(-1, stride)[1:-1, 1:-1][after] = cost
        edges.append(_Edge((dx, dy), dy * stride + dx, listed))
    return edges


def _span(delta: int, length: int) -> tuple[slice, slice]:
    """The squares that a step of ``delta`` can start from, and those it ends on."""
    if delta > 0:
        return slice(0, max(0, length - delta)), slice(delta, length)
    return slice(min(length, -delta), length), slice(0, max(0, length + delta))


def _sweep(field: npt.NDArray[np.int64], edges: list[_Edge], sweeps: int) -> bool:
    """Carry distances along whole lines at once; False if that did not settle in time.

    With rows as long as a step is far, a line of such steps is a column. What a step costs is the
    difference of running totals along it, so the least way along a line is a running minimum.
    """
    lines = []
    for edge in edges:
        rows = len(field) // abs(edge.step)
        shape = slice(0, rows * abs(edge.step)), (rows, -1), 1 if edge.step > 0 else -1
        column = field[shape[0]].reshape(shape[1])[:: shape[2]]
        total = np.cumsum(edge.cost[shape[0]].reshape(shape[1])[:: shape[2]], axis=0)
        lines.append((column, total))
    for _ in range(sweeps):
        before = field.copy()
        for column, total in lines:
            least = column - total
            np.minimum.accumulate(least, axis=0, out=least)
            np.add(least, total, out=column)
        if np.array_equal(before, field):
            return True
    return False


def _queue(field: npt.NDArray[np.int64], edges: list[_Edge], limit: int) -> npt.NDArray[np.int64]:
    """Dial's buckets over flat lists; goes on from what the sweeps found."""
    known: list[int] = field.tolist()
    steps: list[tuple[int, list[int]]] = [(edge.step, edge.cost.tolist()) for edge in edges]
    buckets: dict[int, list[int]] = {}
    for at in np.flatnonzero(field < FAR).tolist():
        buckets.setdefault(known[at], []).append(at)
    order = sorted(buckets)
    while order and (reached := heappop(order)) <= limit:
        for at in buckets.pop(reached):
            if known[at] != reached:
                continue
            for step, costs in steps:
                there = at + step
                found = reached + costs[there]
                if found < known[there]:
                    known[there] = found
                    if found not in buckets:
                        buckets[found] = []
                        heappush(order, found)
                    buckets[found].append(there)
    return np.array(known, dtype=np.int64)


def _clipped(field: npt.NDArray[np.int64], edges: list[_Edge], limit: int) -> npt.NDArray[np.int64]:
    """The field of ways that lead on only from squares within the limit."""
    near = np.where(field <= limit, field, FAR)
    last = near.copy()
    for edge in edges:
        found = np.roll(near, edge.step) + edge.cost
        np.minimum(last, found, out=last)
    return last


def descend(
    field: Numbers, ground: Ground, start: Place, *, toward: bool = False
) -> tuple[Place, ...]:
    """The squares from ``start`` down to a source of ``field``, without ``start`` itself.

    Pass the ``toward`` the field was made with. With False the squares stand in the order of the
    way that leads *from* the source, ending with ``start``, and without the source.

    Raises:
        ValueError: no way leads there.
    """
    if field[start[1], start[0]] >= FAR:
        raise ValueError(f"no way leads to {start[0]},{start[1]}")
    sources = [(int(x), int(y)) for y, x in np.argwhere(field == 0)]
    edges = _edges(ground, sources, toward=toward)
    line, (x, y) = [start], start
    while field[y, x] > 0:
        x, y = _lower(field, edges, (x, y))
        line.append((x, y))
    return tuple(line[1:]) if toward else tuple(reversed(line[:-1]))


def _lower(field: Numbers, edges: list[_Edge], here: Place) -> Place:
    """The neighbour through which ``here`` got its distance."""
    at = flat(*here, field.shape[1] + 2)
    for edge in edges:
        x, y = here[0] - edge.way[0], here[1] - edge.way[1]
        cost = int(edge.cost[at])
        if cost < FAR and field[y, x] + cost == field[here[1], here[0]]:
            return x, y
    raise ValueError("the field was not made on this ground")


class Patch(NamedTuple):
    """A map for ``spread``: kinds of squares in one flat list with a rim of squares around it.

    ``kinds`` has ``stride`` = width + 2 numbers a row, the rim included, which must be of a kind
    that is CLOSED in ``enter``. ``leave`` and ``enter`` are costs by kind. ``taken`` squares (flat
    numbers) cannot be entered. ``corners`` are the kinds of which two stop a diagonal step.
    """

    kinds: Sequence[int]
    stride: int
    leave: Sequence[int]
    enter: Sequence[int]
    taken: Collection[int]
    ways: Ways = 4
    corners: Collection[int] = ()


class Arrival(NamedTuple):
    """How a square is reached: the least cost, and the square before it."""

    cost: int
    before: int


def flat(x: int, y: int, stride: int) -> int:
    """The number of a square in a list with a rim."""
    return (y + 1) * stride + x + 1


def place(at: int, stride: int) -> Place:
    """The reverse of ``flat``."""
    row, column = divmod(at, stride)
    return column - 1, row - 1


def rimmed(cells: Numbers, rim: int) -> list[int]:
    """A plane of numbers as a flat list with a rim of ``rim`` around it."""
    listed: list[int] = np.pad(cells.astype(np.int32), 1, constant_values=rim).ravel().tolist()
    return listed


def spread(patch: Patch, start: int, budget: int) -> dict[int, Arrival]:
    """The squares that can be reached from ``start``, as flat numbers, ``start`` among them.

    Ways lead on only from squares whose cost is at most ``budget``, so the last step of a way may
    cost any price; who cannot pay what is above the budget drops those whose cost is. The rim keeps
    this free of range checks, and only squares near the start are looked at.
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


def _pinched(patch: Patch, one: int, other: int) -> bool:
    return patch.kinds[one] in patch.corners and patch.kinds[other] in patch.corners


def way(found: dict[int, Arrival], start: int, goal: int) -> tuple[int, ...]:
    """The squares from ``start`` to ``goal``, without ``start``.

    Raises:
        KeyError: ``goal`` was not reached.
    """
    squares = []
    while goal != start:
        squares.append(goal)
        goal = found[goal].before
    return tuple(reversed(squares))
