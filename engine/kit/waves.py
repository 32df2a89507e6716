"""Sweeps over a whole map at once, the quick part of ``engine.kit.fields``.

A sweep carries distances one square further in all directions. Maps are flat arrays of int16 with a
rim of closed squares, a column at the sides and two rows above and below, so that no step needs a
check of the edges; prices and distances are so small that no sum overflows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Short: TypeAlias = npt.NDArray[np.int16]
Sweep: TypeAlias = Callable[[], Any]
"""Carries distances on by a square."""

CLOSED: Final = 10_000
"""The distance of what is not reached and the price of what is closed; two prices more fit."""

_EVERY: Final = 6
"""Each so many sweeps it is looked at what has changed."""

_FEW: Final = 8
_SHARE: Final = 1000
"""Where a sweep changes fewer squares than so many, and one more for each so many that it goes
over, a queue would do as much in the time."""

_PATIENCE: Final = 5
"""So often in a row few squares may change, as they do when all is nearly settled."""


class Pass(NamedTuple):
    """One kind of step: what leaving a square and what entering one costs."""

    out: Short
    into: Short


class Waves:
    """A field of distances, and the sweeps that carry them on."""

    def __init__(self, field: Short, stride: int) -> None:
        self.field = field
        self.stride = stride

    def over(self, first: int, end: int) -> Sweep:
        """What sweeps the squares from one number to below another."""
        raise NotImplementedError


class Boxes(Waves):
    """Steps to all neighbours, each square to be had by the cheapest kind of step.

    All kinds are dealt with at once: the field and, below it, the field as each further kind sees
    it. The first kind must cost nothing to leave squares if there are others.
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
        """What sweeps the squares from one number to below another."""
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
        """What makes the layers out of the field: what leaving costs each kind."""
        start = 1 if self._free else 0
        if start == len(self._out):
            return _nothing
        field, out = self.field[first:end], self._out[start:, first:end]
        seen = self._seen[start:, first:end]
        return lambda: np.add(field, out, out=seen)

    def _square(self, first: int, end: int) -> list[tuple[Short, Short, Short]]:
        """The least of nine: along the rows, then over three rows."""
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
        """The least of the four at the sides."""
        up, seen = self.stride, self._seen
        here = self._best[:, first:end]
        return [
            (seen[:, first - 1 : end - 1], seen[:, first + 1 : end + 1], here),
            (here, seen[:, first - up : end - up], here),
            (here, seen[:, first + up : end + up], here),
        ]


class Edges(Waves):
    """Steps each with a price of its own: (offset, price of arriving by it at each square)."""

    def __init__(self, field: Short, stride: int, edges: tuple[tuple[int, Short], ...]) -> None:
        super().__init__(field, stride)
        self._edges = edges
        self._before, self._found = (np.empty(len(field), dtype=np.int16) for _ in range(2))

    def over(self, first: int, end: int) -> Sweep:
        """What sweeps the squares from one number to below another."""
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
    """Nothing to do."""


def settle(waves: Waves, sweeps: int, limit: int) -> npt.NDArray[np.intp]:
    """Sweep until nothing changes any more within ``limit``, or a queue would be quicker.

    Only rows that what has changed last can have an effect on are swept.

    Args:
        waves: distances, CLOSED where nothing is known yet; they are lowered in place.
        sweeps: the most sweeps.
        limit: distances above it need not be right.

    Returns:
        The squares from which a queue has to go on: none if all is settled.
    """
    field, stride = waves.field, waves.stride
    changed, few, done = np.flatnonzero(field < CLOSED), 0, 0
    while changed.size and done < sweeps and few <= _PATIENCE:
        count = min(_EVERY, sweeps - done)
        top = max(2, int(changed[0]) // stride - count)
        bottom = min(len(field) // stride - 3, int(changed[-1]) // stride + count)
        first, end = top * stride, (bottom + 1) * stride
        sweep = waves.over(first, end)
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
