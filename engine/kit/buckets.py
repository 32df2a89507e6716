"""Queues of squares by distance over flat lists, the patient part of ``engine.kit.fields``.

Both go on from squares whose neighbours have not been looked at yet and lower what they find.
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
    """What steps cost on a map with a rim, as flat lists; very much where it is closed.

    ``out`` is for leaving a square, empty where that costs nothing; ``outside`` and ``inside`` are
    for entering one from a square outside a zone and from one inside, ``zone`` says which those
    are.
    """

    out: list[int]
    outside: list[int]
    inside: list[int]
    zone: bytes


def star(field: Field, ends: Squares, stride: int, prices: Prices, most: int, limit: int) -> Field:
    """Steps to all eight neighbours; ways end at the first square beyond ``limit``.

    No step costs ``most``. Closed squares should have a distance below 0 in ``field``: then nobody
    looks at their price. The neighbours of every square are listed once for maps of a size, because
    this is where all the time goes.
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
    """The numbers of the eight neighbours of each square that is not on the rim."""
    number = list(range(squares))
    offsets = (-stride, stride, -1, 1, -stride - 1, -stride + 1, stride - 1, stride + 1)
    inner = range(stride + 1, squares - stride - 1)
    rim: tuple[tuple[int, ...], ...] = ((),) * (stride + 1)
    return (*rim, *(tuple(number[at + step] for step in offsets) for at in inner), *rim)


def edgewise(
    field: Field, ends: Squares, edges: Sequence[tuple[int, list[int]]], limit: int
) -> Field:
    """Steps each with prices of its own: (offset, price of arriving by it at each square)."""
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
