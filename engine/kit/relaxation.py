"""Sweeps over a whole map at once, the fast part of ``engine.kit.fields``.

A sweep relaxes all steps once, so that distances spread by one square in all directions. Maps are
flat int16 arrays with a rim of closed squares, a column at the sides and two rows above and below.
So steps need no range checks. Costs and distances are small enough that no sum overflows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Short: TypeAlias = npt.NDArray[np.int16]
Sweep: TypeAlias = Callable[[], Any]
"""Function that relaxes a range of squares once."""

CLOSED: Final = 10_000
"""Distance of unreached squares and cost of closed ones; adding two more costs does not
overflow."""

_EVERY: Final = 6
"""Number of sweeps between two checks for changed squares."""

_FEW: Final = 8
_SHARE: Final = 1000
"""A sweep that changes fewer squares than ``_FEW``, plus one for each ``_SHARE`` squares that it
covers, is not faster than a queue."""

_PATIENCE: Final = 5
"""Maximum number of such sweeps in a row, which occur when the field is nearly settled."""


class Pass(NamedTuple):
    """One kind of step: the cost of leaving a square and of entering one."""

    out: Short
    into: Short


class Relaxation:
    """Field of distances, and the sweeps that relax it."""

    def __init__(self, field: Short, stride: int) -> None:
        self.field = field
        self.stride = stride

    def over(self, first: int, end: int) -> Sweep:
        """Return a sweep over the squares from ``first`` to below ``end``."""
        raise NotImplementedError


class Boxes(Relaxation):
    """Steps to all neighbours, with the minimum over several kinds of step.

    All kinds are relaxed at once: the layers are the field and, below it, the field as each further
    kind sees it. If there are several kinds, leaving a square must be free for the first.
    """

    def __init__(
        self, field: Short, stride: int, passes: tuple[Pass, ...], *, corners: bool
    ) -> None:
        shape = len(passes), len(field)
        self._layers = np.empty(shape, dtype=np.int16)
        self._layers[0] = field
        super().__init__(self._layers[0], stride)
        self._free = not passes[0].out.any()
        self._out = np.stack([kind.out for kind in passes])
        self._into = np.stack([kind.into for kind in passes])
        self._seen = self._layers if self._free else np.empty(shape, dtype=np.int16)
        self._row, self._best = (np.empty(shape, dtype=np.int16) for _ in range(2))
        self._corners = corners

    def over(self, first: int, end: int) -> Sweep:
        """Return a sweep over the squares from ``first`` to below ``end``."""
        leave = self._leave(first - self.stride - 1, end + self.stride + 1)
        gather = (self._square if self._corners else self._plus)(first, end)
        here = self._best[:, first:end]
        into, field = self._into[:, first:end], self.field[first:end]
        others = [here[kind] for kind in range(1, len(here))]
        least = here[0]

        def sweep() -> None:
            leave()
            for one, other, found in gather:
                np.minimum(one, other, out=found)
            np.add(here, into, out=here)
            for other in others:
                np.minimum(least, other, out=least)
            np.minimum(field, least, out=field)

        return sweep

    def _leave(self, first: int, end: int) -> Sweep:
        """Return a function that computes the layers of the further kinds from the field."""
        start = 1 if self._free else 0
        if start == len(self._out):
            return _nothing
        field, out = self.field[first:end], self._out[start:, first:end]
        seen = self._seen[start:, first:end]
        return lambda: np.add(field, out, out=seen)

    def _square(self, first: int, end: int) -> list[tuple[Short, Short, Short]]:
        """Return the steps of the minimum over 3 x 3 squares, as (one, other, result)."""
        up, seen, row = self.stride, self._seen, self._row
        wide = row[:, first - up : end + up]
        left, right = seen[:, first - up - 1 : end + up - 1], seen[:, first - up + 1 : end + up + 1]
        here = self._best[:, first:end]
        above, below = row[:, first - up : end - up], row[:, first + up : end + up]
        return [
            (left, right, wide),
            (wide, seen[:, first - up : end + up], wide),
            (above, below, here),
            (here, row[:, first:end], here),
        ]

    def _plus(self, first: int, end: int) -> list[tuple[Short, Short, Short]]:
        """Return the steps of the minimum over the four neighbours, as (one, other, result)."""
        up, seen = self.stride, self._seen
        here = self._best[:, first:end]
        return [
            (seen[:, first - 1 : end - 1], seen[:, first + 1 : end + 1], here),
            (here, seen[:, first - up : end - up], here),
            (here, seen[:, first + up : end + up], here),
        ]


class Edges(Relaxation):
    """Steps with their own costs: (offset, cost of arriving by it at each square)."""

    def __init__(self, field: Short, stride: int, edges: tuple[tuple[int, Short], ...]) -> None:
        super().__init__(field, stride)
        self._edges = edges
        self._before, self._found = (np.empty(len(field), dtype=np.int16) for _ in range(2))

    def over(self, first: int, end: int) -> Sweep:
        """Return a sweep over the squares from ``first`` to below ``end``."""
        up = self.stride + 1
        field, before = self.field[first - up : end + up], self._before[first - up : end + up]
        here, found = self.field[first:end], self._found[first:end]
        steps = [
            (self._before[first - offset : end - offset], price[first:end])
            for offset, price in self._edges
        ]

        def sweep() -> None:
            np.copyto(before, field)
            for since, price in steps:
                np.add(since, price, out=found)
                np.minimum(here, found, out=here)

        return sweep


def _nothing() -> None:
    """Sweep no squares."""


def settle(relaxation: Relaxation, sweeps: int, limit: int) -> npt.NDArray[np.intp]:
    """Sweep until nothing changes within ``limit``, or until a queue is faster.

    Only rows that the last changes can affect are swept.

    Args:
        relaxation: distances, CLOSED where unknown; they are lowered in place.
        sweeps: maximum number of sweeps.
        limit: distances above it may be too high.

    Returns:
        Squares from which a queue must continue; empty if the field is settled.
    """
    field, stride = relaxation.field, relaxation.stride
    changed, few, done = np.flatnonzero(field < CLOSED), 0, 0
    while changed.size and done < sweeps and few <= _PATIENCE:
        count = min(_EVERY, sweeps - done)
        top = max(2, int(changed[0]) // stride - count)
        bottom = min(len(field) // stride - 3, int(changed[-1]) // stride + count)
        first, end = top * stride, (bottom + 1) * stride
        sweep = relaxation.over(first, end)
        for _ in range(count - 1):
            sweep()
        before = field[first:end].copy()
        sweep()
        changed = first + np.flatnonzero(before != field[first:end])
        if limit < CLOSED:
            changed = changed[field[changed] <= limit]
        few = few + 1 if changed.size < _FEW + (end - first) // _SHARE else 0
        done += count
    return changed
