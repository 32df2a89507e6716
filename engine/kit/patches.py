"""How far a small budget goes: kinds of squares in flat lists, searched from one square on.

A step from one square to the next costs ``leave`` of the first plus ``enter`` of the second, at
least 1. Only squares near the start are looked at. Ties are broken by the order of ``grid.STEPS``.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.kit.grid import STEPS, Place, Ways

CLOSED: Final = -1
"""In ``Patch.enter``: a kind of square that cannot be entered."""


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


def rimmed(cells: npt.NDArray[Any], rim: int) -> list[int]:
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
