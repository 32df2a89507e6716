"""Dial's algorithm on flat lists, the fallback of ``engine.kit.fields`` for winding maps.

Both functions continue from squares whose neighbours have not been relaxed yet, and lower the
distances in place.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Field = npt.NDArray[np.int32]
Squares = npt.NDArray[np.intp]


class Prices(NamedTuple):
    """Step costs on a map with a rim, as flat lists; FAR on closed squares.

    ``out`` is the cost of leaving a square, empty if that is free. ``outside`` and ``inside`` are
    the costs of entering one from outside and from inside a zone; ``zone`` is 1 on its squares.
    """

    out: list[int]
    outside: list[int]
    inside: list[int]
    zone: bytes


def star(field: Field, ends: Squares, stride: int, prices: Prices, most: int, limit: int) -> Field:
    """Relax steps to all eight neighbours; paths end at the first square beyond ``limit``.

    Every step costs less than ``most``. Closed squares should have a distance below 0 in ``field``,
    so that their price is never read. The neighbours of all squares are listed once for each map
    size, as this loop takes nearly all of the time.
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
    """Numbers of the eight neighbours of each square; empty on the rim."""
    number = list(range(squares))
    offsets = (-stride, stride, -1, 1, -stride - 1, -stride + 1, stride - 1, stride + 1)
    inner = range(stride + 1, squares - stride - 1)
    rim: tuple[tuple[int, ...], ...] = ((),) * (stride + 1)
    return (*rim, *(tuple(number[at + step] for step in offsets) for at in inner), *rim)


def edgewise(
    field: Field, ends: Squares, edges: Sequence[tuple[int, list[int]]], limit: int
) -> Field:
    """Relax steps with their own costs: (offset, cost of arriving by it at each square)."""
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
