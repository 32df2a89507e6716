"""Smooth noise in integers."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from engine.core.dice import Dice

_HEIGHTS = 256
"""Number of heights that a lattice point can have."""
_FINE = 4096
"""Number of heights between two of these."""


def swell(dice: Dice, shape: tuple[int, int], mesh: tuple[int, int]) -> npt.NDArray[Any]:
    """Return heights of shape (rows, columns), interpolated between the points of a lattice.

    ``mesh`` is the number of columns and of rows between neighbouring points. Heights are integers
    below 256 * 4096, rounded down.
    """
    (rows, columns), (wide, high) = shape, mesh
    points = np.array(
        [
            [dice.roll(_HEIGHTS) - 1 for _ in range(columns // wide + 2)]
            for _ in range(rows // high + 2)
        ],
        dtype=np.int64,
    )
    left, x = np.divmod(np.arange(columns), wide)
    top, y = np.divmod(np.arange(rows), high)
    across = _ease(x, wide)
    beside = points[:, left] * (wide**3 - across) + points[:, left + 1] * across
    down = _ease(y, high)[:, None]
    heights = beside[top] * (high**3 - down) + beside[top + 1] * down
    return np.asarray(heights * _FINE // (wide**3 * high**3))


def _ease(place: npt.NDArray[Any], size: int) -> npt.NDArray[Any]:
    """Return a smooth step from 0 at 0 to size**3 at ``size``, flat at both ends."""
    return np.asarray(3 * size * place**2 - 2 * place**3)
