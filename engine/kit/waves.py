"""Sweeps over a whole map at once, the quick part of ``engine.kit.fields``.

A sweep carries distances one square further in all directions. Maps are flat arrays of int16 with a
rim of closed squares, a column at the sides and two rows above and below, so that no step needs a
check of the edges; prices and distances are so small that no sum overflows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Short: TypeAlias = npt.NDArray[np.int16]
Sweep: TypeAlias = Callable[[Short, int, int], None]
"""Carries the distances of a field on into the squares from one number to below another."""

CLOSED: Final = 10_000
"""The distance of what is not reached and the price of what is closed; two prices more fit."""

_EVERY: Final = 4
"""Each so many sweeps it is looked at what has changed."""

_FEW: Final = 24
"""Where a sweep changes fewer squares than this, a queue would do as much in the time."""

_PATIENCE: Final = 12
"""So often in a row few squares may change, as they do when all is nearly settled."""


class Pass(NamedTuple):
    """One kind of step: what leaving a square and what entering one costs (None: nothing)."""

    out: Short | None
    into: Short


def star(passes: tuple[Pass, ...], stride: int) -> Sweep:
    """Steps in eight directions, each square to be had by the cheapest kind of step."""
    length = len(passes[0].into)
    left, row, best = (np.empty(length, dtype=np.int16) for _ in range(3))

    def sweep(field: Short, first: int, end: int) -> None:
        wide = slice(first - stride, end + stride)
        for number, (out, into) in enumerate(passes):
            since = field
            if out is not None:
                around = slice(first - stride - 1, end + stride + 1)
                np.add(field[around], out[around], out=left[around])
                since = left
            np.minimum(since[first - stride - 1 : end + stride - 1], since[wide], out=row[wide])
            np.minimum(row[wide], since[first - stride + 1 : end + stride + 1], out=row[wide])
            here = best[first:end] if number == 0 else left[first:end]
            np.minimum(row[first - stride : end - stride], row[first:end], out=here)
            np.minimum(here, row[first + stride : end + stride], out=here)
            np.add(here, into[first:end], out=here)
            if number:
                np.minimum(best[first:end], here, out=best[first:end])
        np.minimum(field[first:end], best[first:end], out=field[first:end])

    return sweep


def cross(passes: tuple[Pass, ...], stride: int) -> Sweep:
    """Steps in four directions, each square to be had by the cheapest kind of step."""
    length = len(passes[0].into)
    left, row, best = (np.empty(length, dtype=np.int16) for _ in range(3))

    def sweep(field: Short, first: int, end: int) -> None:
        for number, (out, into) in enumerate(passes):
            since = field
            if out is not None:
                around = slice(first - stride, end + stride)
                np.add(field[around], out[around], out=left[around])
                since = left
            here = best[first:end] if number == 0 else row[first:end]
            np.minimum(since[first - 1 : end - 1], since[first + 1 : end + 1], out=here)
            np.minimum(here, since[first - stride : end - stride], out=here)
            np.minimum(here, since[first + stride : end + stride], out=here)
            np.add(here, into[first:end], out=here)
            if number:
                np.minimum(best[first:end], here, out=best[first:end])
        np.minimum(field[first:end], best[first:end], out=field[first:end])

    return sweep


def edgewise(edges: tuple[tuple[int, Short], ...]) -> Sweep:
    """Steps each with a price of its own: (offset, price of arriving by it at each square)."""
    length = len(edges[0][1])
    found = np.empty(length, dtype=np.int16)

    def sweep(field: Short, first: int, end: int) -> None:
        here, since = found[first:end], field.copy()
        for offset, price in edges:
            np.add(since[first - offset : end - offset], price[first:end], out=here)
            np.minimum(field[first:end], here, out=field[first:end])

    return sweep


def settle(
    field: Short, sweep: Sweep, stride: int, sweeps: int, limit: int
) -> npt.NDArray[np.intp]:
    """Sweep until nothing changes any more within ``limit``, or a queue would be quicker.

    Args:
        field: distances, CLOSED where nothing is known yet; they are lowered in place.
        sweep: the steps.
        stride: squares of a row with its rim.
        sweeps: the most sweeps.
        limit: distances above it need not be right.

    Returns:
        The squares from which a queue has to go on: none if all is settled.
    """
    known = np.flatnonzero(field < CLOSED)
    if not known.size:
        return known
    last = len(field) // stride - 3
    top, bottom = int(known[0]) // stride, int(known[-1]) // stride
    few = 0
    for number in range(1, sweeps + 1):
        top, bottom = max(2, top - 1), min(last, bottom + 1)
        looked = number % _EVERY == 0 or number == sweeps
        before = field.copy() if looked else field
        sweep(field, top * stride, (bottom + 1) * stride)
        if looked:
            changed = np.flatnonzero(before != field)
            known = changed[field[changed] <= limit]
            few = few + 1 if known.size < _FEW else 0
            if not known.size or few > _PATIENCE:
                return known
    return known
