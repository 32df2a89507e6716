"""Bounded search: squares that a small budget reaches from one square, on flat lists.

A step from one square to the next costs ``leave`` of the first plus ``enter`` of the second, at
least 1. Only squares near the start are visited. Ties are broken by the order of ``grid.STEPS``.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.kit.grid import STEPS, Place, Ways

CLOSED: Final = -1
"""Cost in ``MoveGraph.enter`` of a kind of square that cannot be entered."""


class MoveGraph(NamedTuple):
    """Map for ``spread``: kinds of squares in one flat list with a rim around it.

    ``kinds`` has ``stride`` = width + 2 numbers a row, the rim included, whose kind must be CLOSED
    in ``enter``. ``leave`` and ``enter`` are costs by kind. ``taken`` squares (flat numbers) cannot
    be entered. A diagonal step is closed if both squares beside it are of kinds in ``corners``.
    """

    kinds: Sequence[int]
    stride: int
    leave: Sequence[int]
    enter: Sequence[int]
    taken: Collection[int]
    ways: Ways = 4
    corners: Collection[int] = ()


class Arrival(NamedTuple):
    """Least cost of getting to a square, and the square before it."""

    cost: int
    before: int


def flat(x: int, y: int, stride: int) -> int:
    """Number of a square in a flat list with a rim."""
    return (y + 1) * stride + x + 1


def place(at: int, stride: int) -> Place:
    """Inverse of ``flat``: (x, y) of a square."""
    row, column = divmod(at, stride)
    return column - 1, row - 1


def rimmed(cells: npt.NDArray[Any], rim: int) -> list[int]:
    """Plane of numbers as a flat list with a rim of ``rim`` around it."""
    listed: list[int] = np.pad(cells.astype(np.int32), 1, constant_values=rim).ravel().tolist()
    return listed


def spread(patch: MoveGraph, start: int, budget: int) -> dict[int, Arrival]:
    """Squares that can be reached from ``start``, by flat number, ``start`` included.

    Paths lead on only from squares whose cost is at most ``budget``, so that the last step may cost
    any price; a caller that must pay it in full drops the squares above its budget. The rim makes
    range checks unnecessary.
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
    """Squares from ``start`` to ``goal``, without ``start``.

    Raises:
        KeyError: ``goal`` was not reached.
    """
    squares = []
    while goal != start:
        squares.append(goal)
        goal = found[goal].before
    return tuple(reversed(squares))
