"""Land and water of a new map."""

from __future__ import annotations

from typing import Final

import numpy as np

from engine.core.dice import Dice
from engine.core.record import Record
from engine.kit.grid import Place
from engine.kit.noise import swell
from engine.strategic.generate.shapes import Mask, Numbers, around, parts, to_line


class Coasts(Record, frozen=True):
    """How a land is shaped.

    ``jitter`` moves the centres of the four quarters, ``radius`` are least and most of the half
    width of corridors. ``meshes`` are (tiles between points, tiles up and down) of the noise that
    ruffles the coast, ``rim`` tiles along the edge that tend to be water; a land of fewer tiles
    than ``speck`` is no island.
    """

    jitter: int
    radius: tuple[int, int]
    meshes: tuple[tuple[int, int], ...]
    rim: int
    speck: int


_LEVEL: Final = 64
"""Levels from one tile to the next."""


def land(dice: Dice, shape: tuple[int, int], percent: int, made: Coasts) -> Mask:
    """Which tiles are land, so many percent of them.

    Corridors run between two places in each quarter of the map and from quarter to quarter; what is
    nearest to them is land.
    """
    level = _corridors(dice, shape, made) + _noise(dice, shape, made) + _edge(shape, made)
    order = np.argsort(level, axis=None, kind="stable")
    ground = np.zeros(level.size, dtype=bool)
    ground[order[: level.size * percent // 100]] = True
    return tidied(ground.reshape(shape), made.speck)


def tidied(ground: Mask, speck: int) -> Mask:
    """The land with its bays filled, and without spikes and specks."""
    ground = ground | (around(ground) >= 5)
    ground = ground & (around(ground) > 1)
    numbers, count = parts(ground)
    sizes = np.bincount(numbers.ravel(), minlength=count + 1)
    return np.asarray(ground & (sizes[numbers] >= speck))


def _corridors(dice: Dice, shape: tuple[int, int], made: Coasts) -> Numbers:
    zones = [_zone(dice, shape, made.jitter, quarter) for quarter in range(4)]
    lines = list(zones)
    lines += [(zones[at][1], zones[(at + 1) % 4][0]) for at in range(4)]
    if dice.roll(2) == 1:
        patch = dice.roll(shape[1]) - 1, dice.roll(shape[0]) - 1
        lines.append((patch, patch))
    level = np.full(shape, 1 << 30, dtype=np.int64)
    for one, other in lines:
        low, high = made.radius
        radius = low + dice.roll(high - low + 1) - 1
        away = np.sqrt(to_line(shape, one, other) * (_LEVEL * _LEVEL // 16)).astype(np.int64)
        level = np.minimum(level, away - radius * _LEVEL)
    return level


def _zone(dice: Dice, shape: tuple[int, int], jitter: int, quarter: int) -> tuple[Place, Place]:
    """Two places in a quarter of the map; the quarters go round it."""
    height, width = shape
    x = width * (1 if quarter in {0, 3} else 3) // 4
    y = height * (1 if quarter < 2 else 3) // 4
    one, other = (
        (
            min(max(x + dice.roll(2 * jitter + 1) - 1 - jitter, 0), width - 1),
            min(max(y + dice.roll(2 * jitter + 1) - 1 - jitter, 0), height - 1),
        )
        for _ in range(2)
    )
    return one, other


def _noise(dice: Dice, shape: tuple[int, int], made: Coasts) -> Numbers:
    height = np.zeros(shape, dtype=np.int64)
    for mesh, weight in made.meshes:
        height += (swell(dice, shape, (mesh, mesh)) >> 13) * weight
    return height


def _edge(shape: tuple[int, int], made: Coasts) -> Numbers:
    y, x = np.indices(shape)
    inside = np.minimum(np.minimum(x, shape[1] - 1 - x), np.minimum(y, shape[0] - 1 - y))
    return np.asarray(np.maximum(made.rim - inside, 0) * _LEVEL)
