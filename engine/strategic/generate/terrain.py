"""Terrain of a new map: coasts, ridges, courses of rivers, woods and marshes."""

from __future__ import annotations

from typing import Final

import numpy as np

from engine.core.dice import Dice
from engine.core.record import Record
from engine.kit.fields import Mask, Numbers
from engine.kit.grid import Place, distance
from engine.kit.noise import swell
from engine.strategic.generate.shapes import around, disc, line, parts, to_line

# -- coasts ----------------------------------------------------------------------------------------


class Coasts(Record, frozen=True):
    """Parameters of the coastline.

    ``jitter`` moves the centres of the four quarters. ``radius`` is the minimum and maximum half
    width of corridors. ``meshes`` are pairs (tiles between points, amplitude in tiles) of the noise
    on the coast. ``rim`` is the number of tiles along the edge that tend to be water. Land of fewer
    than ``speck`` tiles is removed.
    """

    jitter: int
    radius: tuple[int, int]
    meshes: tuple[tuple[int, int], ...]
    rim: int
    speck: int


_LEVEL: Final = 64
"""Difference in height that equals one tile of distance."""


def land(dice: Dice, shape: tuple[int, int], percent: int, made: Coasts) -> Mask:
    """Return the mask of the land, which covers ``percent`` of all tiles before tidying.

    Corridors run between two places in each quarter of the map and from quarter to quarter; the
    tiles nearest to them are land.
    """
    level = _corridors(dice, shape, made) + _noise(dice, shape, made) + _edge(shape, made)
    order = np.argsort(level, axis=None, kind="stable")
    ground = np.zeros(level.size, dtype=bool)
    ground[order[: level.size * percent // 100]] = True
    return tidied(ground.reshape(shape), made.speck)


def tidied(ground: Mask, speck: int) -> Mask:
    """Return the mask of land with bays filled, and with spikes and small islands removed.

    Islands of fewer than ``speck`` tiles are removed.
    """
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
    """Draw two places in a quarter of the map; quarters are numbered clockwise."""
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


# -- cover of the land -----------------------------------------------------------------------------


_COMPASS: tuple[Place, ...] = (
    (0, -1),
    (1, -1),
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
)


def draw(dice: Dice, mask: Mask) -> Place | None:
    """Draw a tile of a mask, all equally likely; return None if the mask is empty."""
    found = np.flatnonzero(mask)
    if not found.size:
        return None
    y, x = divmod(int(found[dice.roll(found.size) - 1]), mask.shape[1])
    return x, y


def ridges(dice: Dice, ground: Mask, count: int, reach: int) -> Mask:
    """Return a mask of ridges between ``count`` random places, each joined to up to 3 near ones.

    Places more than ``reach`` apart are not joined. Chains are one to three tiles wide. Tiles with
    three neighbours in the chains are added.
    """
    drawn = [draw(dice, ground) for _ in range(count)]
    places = [at for at in drawn if at is not None]
    high = np.zeros(ground.shape, dtype=bool)
    for at in places:
        high |= disc(ground.shape, at, 1)
        near = sorted(
            (other for other in places if other != at),
            key=lambda other: ((other[0] - at[0]) ** 2 + (other[1] - at[1]) ** 2, other),
        )
        for other in near[: dice.roll(4) - 1]:
            if (other[0] - at[0]) ** 2 + (other[1] - at[1]) ** 2 <= reach * reach:
                high |= _chain(dice, ground, at, other)
    high &= ground
    return np.asarray((high | (around(high) >= 3)) & ground)


def _chain(dice: Dice, ground: Mask, at: Place, other: Place) -> Mask:
    """Return a ridge with a bend in the middle and a disc of rock there."""
    width = dice.roll(3)
    sway = distance(at, other, 8) // 3 + 1
    middle = (
        (at[0] + other[0]) // 2 + dice.roll(2 * sway + 1) - 1 - sway,
        (at[1] + other[1]) // 2 + dice.roll(2 * sway + 1) - 1 - sway,
    )
    drawn = line(ground.shape, at, middle, width) | line(ground.shape, middle, other, width)
    return drawn | disc(ground.shape, middle, dice.roll(2))


def course(dice: Dice, start: Place, goal: Place, size: Place) -> list[Place]:
    """Return a winding course from one place to another, step by step over sides only.

    On average, a quarter of the steps have a random direction. The course ends at the goal, or
    short of it after eight times as many steps as the distance.
    """
    x, y = start
    way = [start]
    for _ in range(8 * (abs(goal[0] - x) + abs(goal[1] - y))):
        dx, dy = goal[0] - x, goal[1] - y
        if not dx and not dy:
            break
        if dice.roll(4) == 1:
            step = ((0, -1), (1, 0), (0, 1), (-1, 0))[dice.roll(4) - 1]
        elif dice.roll(abs(dx) + abs(dy)) <= abs(dx):
            step = (1 if dx > 0 else -1, 0)
        else:
            step = (0, 1 if dy > 0 else -1)
        x = min(max(x + step[0], 0), size[0] - 1)
        y = min(max(y + step[1], 0), size[1] - 1)
        way.append((x, y))
    return way


def woods(dice: Dice, open_land: Mask, percent: int) -> Mask:
    """Return a mask of woods, blobs with arms that cover ``percent`` of the open land.

    About two thirds of the blobs have eight arms of 3 to 10 tiles, the others of 6 to 15. Each arm
    has a shorter side arm. Tiles with three covered neighbours are covered.
    """
    covered = np.zeros(open_land.shape, dtype=bool)
    wanted = int(open_land.sum()) * percent // 100
    for _ in range(wanted):
        if int(covered.sum()) >= wanted:
            break
        at = draw(dice, open_land & ~covered)
        if at is None:
            break
        low, high = (3, 10) if dice.roll(100) <= 64 else (6, 15)
        for way in range(8):
            arm = low + dice.roll(high - low + 1) - 1
            covered |= _arm(dice, open_land, at, way, arm)
        covered |= (around(covered) >= 3) & open_land & disc(open_land.shape, at, high)
    return covered & open_land & (around(covered) > 1)


def _arm(dice: Dice, open_land: Mask, at: Place, way: int, length: int) -> Mask:
    """Return a winding arm of a blob, with a side arm up to half as long."""
    tiles = np.zeros(open_land.shape, dtype=bool)
    fork = dice.roll(length)
    side = _winding(dice, tiles, at, way, length)[:fork]
    turn = way + (1 if dice.roll(2) == 1 else 7)
    _winding(dice, tiles, side[-1] if side else at, turn, (length - fork) // 2)
    return tiles & open_land


def _winding(dice: Dice, tiles: Mask, at: Place, way: int, length: int) -> list[Place]:
    """Set tiles one after the other, straying to a side in one of four steps on average."""
    height, width = tiles.shape
    passed = []
    x, y = at
    for _ in range(length):
        stray = dice.roll(8)
        dx, dy = _COMPASS[(way + (1 if stray == 1 else 7 if stray == 2 else 0)) % 8]
        x, y = x + dx, y + dy
        if not (0 <= x < width and 0 <= y < height):
            break
        tiles[y, x] = True
        passed.append((x, y))
    return passed


def scattered(dice: Dice, open_land: Mask, clusters: int) -> Mask:
    """Return a mask of clusters: a centre and up to five groups of 4 to 8 tiles around it."""
    found = np.zeros(open_land.shape, dtype=bool)
    height, width = open_land.shape
    for _ in range(clusters):
        centre = draw(dice, open_land)
        if centre is None:
            break
        found[centre[1], centre[0]] = True
        for _ in range(dice.roll(5)):
            for _ in range(3 + dice.roll(5)):
                x = centre[0] + dice.roll(7) - 4
                y = centre[1] + dice.roll(7) - 4
                if 0 <= x < width and 0 <= y < height:
                    found[y, x] = True
    return found & open_land


def nearest(mask: Mask, at: Place) -> Place | None:
    """Return the tile of a mask nearest to a place, first in reading order, or None if empty."""
    rows, columns = np.nonzero(mask)
    if not rows.size:
        return None
    away: Numbers = (rows - at[1]) ** 2 + (columns - at[0]) ** 2
    best = int(away.argmin())
    return int(columns[best]), int(rows[best])
