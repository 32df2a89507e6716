"""Distance fields: the least cost from some squares to every other, and the paths.

A step from one square to the next costs ``leave`` of the first plus ``enter`` of the second, and a
toll if it leads into a zone. Every step costs a whole number of at least 1. Open maps are relaxed
in sweeps over the whole map (``relaxation``). Where paths wind, Dial's algorithm does the rest; the
result is the same. Ties between paths are broken by the order of ``grid.STEPS``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import heappop, heappush
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from engine.kit import relaxation
from engine.kit.grid import STEPS, Place, Ways

Numbers: TypeAlias = npt.NDArray[Any]
Mask: TypeAlias = npt.NDArray[np.bool_]
N = TypeVar("N", bound=np.generic)

FAR: Final = 1 << 28
"""Distance of squares that cannot be reached."""

_SWEEPS: Final = 240
"""Number of sweeps over the map after which a queue is faster, because the paths wind."""

_DEAR: Final = 2000
"""Maximum step cost for sweeps; a queue takes over above it."""


@dataclass(frozen=True, eq=False)
class CostGrid:
    """Step costs of a map, as arrays of shape (height, width).

    ``blocked`` squares cannot be entered. A diagonal step is closed if both squares beside it are
    in ``corners``; None: none is closed. A step from outside ``zone`` into it costs ``toll`` more.
    """

    leave: Numbers
    enter: Numbers
    blocked: Mask
    ways: Ways = 4
    corners: Mask | None = None
    zone: Mask | None = None
    toll: int = 0

    @property
    def size(self) -> Place:
        """(width, height) of the map, in squares."""
        return int(self.blocked.shape[1]), int(self.blocked.shape[0])


def distances(
    ground: CostGrid,
    sources: Iterable[Place] | Mapping[Place, int],
    *,
    toward: bool = False,
    limit: int = FAR,
    sweeps: int = _SWEEPS,
) -> npt.NDArray[np.int32]:
    """Return the least cost from the nearest of ``sources`` to every square; FAR without a path.

    Args:
        ground: step costs.
        sources: squares where paths begin, or the cost already paid on each; they may be blocked.
        toward: compute the cost of paths *to* the sources instead. A blocked square then has a
            distance too, because a piece may be there and leave, but no path leads through it.
        limit: paths end at the first square whose distance is above this.
        sweeps: maximum sweeps over the map before a queue takes over; the result is the same.

    Returns:
        int32 of shape (height, width).
    """
    starts = dict(sources) if isinstance(sources, Mapping) else dict.fromkeys(sources, 0)
    stride = ground.size[0] + 2
    patient = not sweeps or _is_dear(ground, starts)
    if patient:
        field = _framed(np.full(ground.blocked.shape, FAR, dtype=np.int32), FAR)
        for at, cost in starts.items():
            field[_number(at[0], at[1], stride)] = cost
        ends = np.flatnonzero(field < FAR)
    else:
        field, ends = _swept(ground, starts, toward, sweeps, limit)
    if ends.size:
        field = _queued(ground, starts, field, ends, toward=toward, limit=limit)
        field[field < 0] = FAR
        if limit < FAR and not patient:
            field = _clipped(field, _edges(ground, starts, toward=toward), limit)
    return field.reshape(-1, stride)[2:-2, 1:-1].copy()


def _is_dear(ground: CostGrid, starts: Mapping[Place, int]) -> bool:
    """Return whether the costs are too large for sweeps."""
    costs = (int(ground.leave.max(initial=0)), int(ground.enter.max(initial=0)), ground.toll)
    return max(*costs, *starts.values(), 0) > _DEAR


def _swept(
    ground: CostGrid,
    starts: Mapping[Place, int],
    toward: bool,  # noqa: FBT001 - passed on
    sweeps: int,
    limit: int,
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.intp]]:
    """Return the field after the sweeps, and the squares from which a queue must continue."""
    stride = ground.size[0] + 2
    begun = np.full(stride * (ground.size[1] + 4), relaxation.CLOSED, dtype=np.int16)
    for at, cost in starts.items():
        begun[_number(at[0], at[1], stride)] = cost
    wave = _wave(ground, starts, begun, toward=toward)
    ends = relaxation.settle(wave, sweeps, limit)
    field = wave.field
    if limit < FAR and not ends.size:
        field[field > limit] = relaxation.CLOSED
        wave.over(2 * stride, len(field) - 2 * stride)()
    elif bool(((field >= relaxation.CLOSED - 3 * _DEAR) & (field < relaxation.CLOSED)).any()):
        ends = np.flatnonzero(field < relaxation.CLOSED)
    found = field.astype(np.int32)
    found[field >= relaxation.CLOSED] = FAR
    return found, ends


class _StepCosts(NamedTuple):
    """Step costs in the direction in which the distances spread.

    ``inside`` is the cost of entering a square from a square of the zone, ``outside`` from any
    other; closed squares are marked in both. Without a zone they are the same.
    """

    out: npt.NDArray[np.int16]
    outside: npt.NDArray[np.int16]
    inside: npt.NDArray[np.int16]


def _costs(ground: CostGrid, starts: Iterable[Place], *, toward: bool) -> _StepCosts:
    out, into = ground.leave.astype(np.int16), ground.enter.astype(np.int16)
    into[ground.blocked] = relaxation.CLOSED
    if toward:
        out, into = into, out
        for x, y in starts:
            out[y, x] = ground.enter[y, x]
    if ground.zone is None or not ground.toll:
        return _StepCosts(out, into, into)
    if toward:
        return _StepCosts(
            out, into, into + np.where(ground.zone, np.int16(0), np.int16(ground.toll))
        )
    dear = into + np.where(ground.zone, np.int16(ground.toll), np.int16(0))
    return _StepCosts(out, dear, into)


def _wave(
    ground: CostGrid, starts: Mapping[Place, int], begun: relaxation.Short, *, toward: bool
) -> relaxation.Relaxation:
    stride = ground.size[0] + 2
    if ground.corners is not None and ground.ways == 8:
        edges = _edges(ground, starts, toward=toward)
        prices = [np.minimum(edge.cost, relaxation.CLOSED).astype(np.int16) for edge in edges]
        listed = tuple((edge.step, price) for edge, price in zip(edges, prices, strict=True))
        return relaxation.Edges(begun, stride, listed)
    cost = _costs(ground, starts, toward=toward)
    passes = [(cost.out, cost.outside)]
    if cost.inside is not cost.outside and ground.zone is not None:
        # The lower of the two costs must be closed to steps from the wrong side of the zone's
        # border. The higher one may be open to all steps, because it never wins against the lower.
        apart = np.where(ground.zone, np.int16(0), np.int16(relaxation.CLOSED))
        cheap = (cost.out + apart, cost.inside)
        if toward:
            apart = relaxation.CLOSED - apart
            passes = [(cost.out, cost.inside), (cost.out + apart, cost.outside)]
        else:
            passes = [(cost.out, cost.outside), cheap]
    framed = tuple(relaxation.Pass(_prices(a), _prices(b)) for a, b in passes)
    return relaxation.Boxes(begun, stride, framed, corners=ground.ways == 8)


def _prices(cells: npt.NDArray[np.int16]) -> relaxation.Short:
    """Return the costs as flat int16 with a rim, for sweeps."""
    return _framed(np.minimum(cells, np.int16(relaxation.CLOSED)), relaxation.CLOSED)


def _framed(cells: npt.NDArray[N], rim: int) -> npt.NDArray[N]:
    """Flatten a plane and add a rim: one column on each side, two rows above and below."""
    height, width = cells.shape
    framed = np.full((height + 4, width + 2), rim, dtype=cells.dtype)
    framed[2:-2, 1:-1] = cells
    return framed.reshape(-1)


def _number(x: int, y: int, stride: int) -> int:
    """Return the number of a square in such an array."""
    return (y + 2) * stride + x + 1


class _Edge(NamedTuple):
    """One of the steps on a map with a rim.

    ``cost`` is the cost of arriving at each square by this step, FAR if it is closed.
    """

    way: Place
    step: int
    cost: npt.NDArray[np.int32]


def _edges(ground: CostGrid, starts: Iterable[Place], *, toward: bool) -> list[_Edge]:
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
        cost = out[before].astype(np.int32) + into[after]
        if ground.zone is not None and ground.toll:
            outer, inner = (after, before) if toward else (before, after)
            cost[ground.zone[inner] & ~ground.zone[outer]] += ground.toll
        cost[shut[before if toward else after]] = FAR
        if ground.corners is not None and dx and dy:
            pinched = ground.corners[rows[0], columns[1]] & ground.corners[rows[1], columns[0]]
            cost[pinched] = FAR
        listed = np.full(ground.blocked.shape, FAR, dtype=np.int32)
        listed[after] = cost
        edges.append(_Edge((dx, dy), dy * stride + dx, _framed(listed, FAR)))
    return edges


def _span(delta: int, length: int) -> tuple[slice, slice]:
    """Return the squares from which a step of ``delta`` along an axis can start, and its ends."""
    if delta > 0:
        return slice(0, max(0, length - delta)), slice(delta, length)
    return slice(min(length, -delta), length), slice(0, max(0, length + delta))


def _queued(
    ground: CostGrid,
    starts: Mapping[Place, int],
    field: npt.NDArray[np.int32],
    ends: npt.NDArray[np.intp],
    *,
    toward: bool,
    limit: int,
) -> npt.NDArray[np.int32]:
    """Return the field after a queue has continued from ``ends``, the squares not relaxed yet."""
    if _is_dear(ground, starts) or ground.ways == 4 or ground.corners is not None:
        edges = _edges(ground, starts, toward=toward)
        steps = [(edge.step, edge.cost.tolist()) for edge in edges]
        return _edgewise(field, ends, steps, limit)
    costs = _costs(ground, starts, toward=toward)
    out, dear, cheap = (_framed(_far(cells), FAR) for cells in costs)
    zone = np.zeros_like(ground.blocked) if ground.zone is None else ground.zone
    prices = _QueueCosts(
        out.tolist() if costs.out.any() else [],
        dear.tolist(),
        cheap.tolist(),
        _framed(zone, rim=False).tobytes(),
    )
    shut = (cheap == FAR) & (field == FAR)
    most = 1 + int(ground.leave.max()) + int(ground.enter.max()) + ground.toll
    return _star(np.where(shut, -1, field), ends, ground.size[0] + 2, prices, most, limit)


def _far(cells: npt.NDArray[np.int16]) -> npt.NDArray[np.int32]:
    """Return the costs for a queue, with FAR on closed squares."""
    found = cells.astype(np.int32)
    found[cells >= relaxation.CLOSED] = FAR
    return found


def _clipped(field: npt.NDArray[np.int32], edges: list[_Edge], limit: int) -> npt.NDArray[np.int32]:
    """Return the field of paths that continue only from squares within the limit."""
    near = np.where(field <= limit, field, FAR)
    last = near.copy()
    for edge in edges:
        found = np.roll(near, edge.step) + edge.cost
        np.minimum(last, found, out=last)
    return last


def descend(
    field: Numbers, ground: CostGrid, start: Place, *, toward: bool = False
) -> tuple[Place, ...]:
    """Return the squares from ``start`` down to a source of ``field``, without ``start`` itself.

    ``toward`` must be that of the field. If it is False, the squares are in the order of the path
    that leads *from* the source: without the source, and ending with ``start``.

    Raises:
        ValueError: no path leads there.
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
    """Return the neighbour through which ``here`` got its distance."""
    at = _number(*here, field.shape[1] + 2)
    for edge in edges:
        x, y = here[0] - edge.way[0], here[1] - edge.way[1]
        cost = int(edge.cost[at])
        if cost < FAR and field[y, x] + cost == field[here[1], here[0]]:
            return x, y
    raise ValueError("the field was not made on this ground")


# -- Dial's algorithm on flat lists, for winding maps ---------------------------------------------


class _QueueCosts(NamedTuple):
    """Step costs on a map with a rim, as flat lists; FAR on closed squares.

    ``out`` is the cost of leaving a square, empty if that is free. ``outside`` and ``inside`` are
    the costs of entering one from outside and from inside a zone; ``zone`` is 1 on its squares.
    """

    out: list[int]
    outside: list[int]
    inside: list[int]
    zone: bytes


def _star(
    field: npt.NDArray[np.int32],
    ends: npt.NDArray[np.intp],
    stride: int,
    prices: _QueueCosts,
    most: int,
    limit: int,
) -> npt.NDArray[np.int32]:
    """Relax steps to all eight neighbours from ``ends``, the squares not relaxed yet.

    Paths end at the first square beyond ``limit``. Every step costs less than ``most``. Closed
    squares should have a distance below 0 in ``field``, so that their price is never read. The
    neighbours of all squares are listed once for each map size, because this loop takes nearly all
    of the time.
    """
    out, outside, inside, zone = prices
    known: list[int] = field.tolist()
    around = _around(len(known), stride)
    buckets: list[list[int]] = [[] for _ in range(most)]
    waiting: dict[int, list[int]] = {}
    for at in ends.tolist():
        waiting.setdefault(known[at], []).append(at)
    reached, empty = min(waiting), 0
    while (empty < most or waiting) and reached <= limit:
        bucket = buckets[reached % most]
        if waiting and reached in waiting:
            bucket += waiting.pop(reached)
        empty = 0 if bucket else empty + 1
        for at in bucket:
            if known[at] != reached:
                continue
            left = reached + out[at] if out else reached
            costs = inside if zone[at] else outside
            for there in around[at]:
                if known[there] > left:
                    found = left + costs[there]
                    if found < known[there]:
                        known[there] = found
                        buckets[found % most].append(there)
        bucket.clear()
        reached += 1
    return np.array(known, dtype=np.int32)


@lru_cache(maxsize=16)
def _around(squares: int, stride: int) -> tuple[tuple[int, ...], ...]:
    """Return the numbers of the eight neighbours of each square; empty on the rim."""
    number = list(range(squares))
    offsets = (-stride, stride, -1, 1, -stride - 1, -stride + 1, stride - 1, stride + 1)
    inner = range(stride + 1, squares - stride - 1)
    rim: tuple[tuple[int, ...], ...] = ((),) * (stride + 1)
    return (*rim, *(tuple(number[at + step] for step in offsets) for at in inner), *rim)


def _edgewise(
    field: npt.NDArray[np.int32],
    ends: npt.NDArray[np.intp],
    edges: Sequence[tuple[int, list[int]]],
    limit: int,
) -> npt.NDArray[np.int32]:
    """Relax steps with their own costs from ``ends``, the squares not relaxed yet.

    ``edges`` are (offset, cost of arriving by it at each square).
    """
    known: list[int] = field.tolist()
    buckets: dict[int, list[int]] = {}
    for at in ends.tolist():
        buckets.setdefault(known[at], []).append(at)
    order = sorted(buckets)
    while order and (reached := heappop(order)) <= limit:
        for at in buckets.pop(reached):
            if known[at] != reached:
                continue
            for step, costs in edges:
                there = at + step
                found = reached + costs[there]
                if found < known[there]:
                    known[there] = found
                    if found not in buckets:
                        buckets[found] = []
                        heappush(order, found)
                    buckets[found].append(there)
    return np.array(known, dtype=np.int32)
