"""Masks of tiles: neighbour counts, lines, discs and connected parts."""

from __future__ import annotations

import numpy as np

from engine.kit.fields import Mask, Numbers
from engine.kit.grid import STEPS, Place, Ways

_FINE = 16
"""Factor on squared distances, so that thin lines have a width."""


def around(mask: Mask, ways: Ways = 8) -> Numbers:
    """Return the number of neighbours of each tile in the mask, as int8 of the same shape."""
    framed = np.pad(mask, 1).astype(np.int8)
    height, width = mask.shape
    counts = np.zeros(mask.shape, dtype=np.int8)
    for dx, dy in STEPS[ways]:
        counts += framed[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width]
    return counts


def wider(mask: Mask, steps: int = 1) -> Mask:
    """Return a mask grown by all tiles up to ``steps`` steps away."""
    for _ in range(steps):
        mask = mask | (around(mask) > 0)
    return mask


def to_line(shape: tuple[int, int], one: Place, other: Place) -> Numbers:
    """Return 16 times the squared distance of each tile to a line between two places.

    The result has the given shape (height, width).
    """
    y, x = np.indices(shape, dtype=np.int64)
    run, rise = other[0] - one[0], other[1] - one[1]
    length = run * run + rise * rise
    if not length:
        return np.asarray(((x - one[0]) ** 2 + (y - one[1]) ** 2) * _FINE)
    along = np.clip((x - one[0]) * run + (y - one[1]) * rise, 0, length)
    across = (x - one[0]) * length - along * run, (y - one[1]) * length - along * rise
    return np.asarray((across[0] ** 2 + across[1] ** 2) * _FINE // (length * length))


def line(shape: tuple[int, int], one: Place, other: Place, width: int) -> Mask:
    """Return the mask of a line ``width`` tiles wide."""
    return np.asarray(to_line(shape, one, other) <= width * width * _FINE // 4)


def disc(shape: tuple[int, int], at: Place, radius: int) -> Mask:
    """Return the mask of the tiles within a radius of a place."""
    return np.asarray(to_line(shape, at, at) <= radius * radius * _FINE)


def parts(mask: Mask) -> tuple[Numbers, int]:
    """Return the number of each tile's connected part, 0 outside the mask, and the count of parts.

    Tiles connect over sides and corners. Parts are numbered from 1 in reading order.
    """
    labels = np.where(mask, np.arange(1, mask.size + 1).reshape(mask.shape), 0)
    while True:
        least = np.where(mask, labels, mask.size + 1)
        framed = np.pad(least, 1, constant_values=mask.size + 1)
        height, width = mask.shape
        for dx, dy in STEPS[8]:
            beside = framed[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width]
            least = np.minimum(least, beside)
        spread = np.where(mask, least, 0)
        spread = np.where(mask, spread.reshape(-1)[np.maximum(spread - 1, 0)], 0)
        if np.array_equal(spread, labels):
            break
        labels = spread
    names = np.unique(labels[mask])
    numbers = np.searchsorted(names, labels) + 1
    return np.where(mask, numbers, 0), len(names)
