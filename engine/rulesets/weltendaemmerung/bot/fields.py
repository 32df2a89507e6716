"""Distance fields; and discs of a range: stamped, summed and widened over the map."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from engine.kit.fields import Mask
from engine.rulesets.weltendaemmerung.fighting import WALLS
from engine.rulesets.weltendaemmerung.state import DAILOR, Terrain

FAR: Final = 9999
"""Distance without a path."""

OWN_GATE: Final = 2
"""Surcharge of a shut gate for its own side, which will open it."""

KEPT: Final = 192
"""Maximum number of cached fields; positions with the same terrain share them."""

TileValues: TypeAlias = npt.NDArray[np.float64]
MapWindow: TypeAlias = tuple[slice, slice]


# -- distances ---------------------------------------------------------------------------


class WalkProfile(NamedTuple):
    """Movement of a type over a terrain; equal for types that move alike.

    ``gate`` and ``wall`` are the surcharges of a building that must be broken.
    """

    ground: bytes
    stride: int
    frontier: int
    side: int
    flies: bool
    enter: tuple[bool, ...]
    price: tuple[int, ...]
    gate: int
    wall: int


@lru_cache(maxsize=KEPT)
def surcharges(walk: WalkProfile) -> list[int]:
    """Return the surcharge of each tile for a type, or FAR if it can never enter.

    Only Dailor breaks buildings, and gates only west of the frontier. See: WD-SIEGE-1, WD-SIEGE-4.
    """
    table = [0 if may else FAR for may in (*walk.enter, False)]
    on_foot = not walk.flies and walk.enter[Terrain.MEADOW]
    if on_foot and walk.side == DAILOR:
        for code in WALLS:
            table[code] = walk.wall
    made = [table[code] for code in walk.ground]
    if not on_foot:
        return made
    for tile, code in enumerate(walk.ground):
        if code == Terrain.GATE:
            foreign = (tile % walk.stride - 1 < walk.frontier) == (walk.side == DAILOR)
            made[tile] = (walk.gate if walk.side == DAILOR else FAR) if foreign else OWN_GATE
    return made


@lru_cache(maxsize=KEPT)
def field(walk: WalkProfile, goals: tuple[int, ...]) -> list[int]:
    """Return the points that a type needs from each tile to the nearest goal, ignoring units.

    Prices are those of the tiles left, as in WD-MOVE-2; FAR without a path.
    """
    return flood(walk, goals, surcharges(walk), FAR)


def flood(walk: WalkProfile, goals: tuple[int, ...], extra: list[int], limit: int) -> list[int]:
    """Return a distance field with the surcharges ``extra``, up to ``limit`` points."""
    ground, price = walk.ground, walk.price
    steps = (-walk.stride, walk.stride, -1, 1)
    leaving = [price[code] for code in ground]
    far = [FAR] * len(ground)
    queues: list[list[int]] = [[] for _ in range(64)]
    for goal in goals:
        if far[goal]:
            far[goal] = 0
            queues[0].append(goal)
    spent, left = 0, len(queues[0])
    while left and spent <= limit:
        queue = queues[spent]
        for tile in queue:
            if far[tile] != spent:
                continue
            base = spent + extra[tile]
            for step in steps:
                back = tile + step
                cost = base + leaving[back]
                if cost < far[back] and extra[back] < FAR:
                    far[back] = cost
                    while cost >= len(queues):
                        queues.extend([] for _ in range(64))
                    queues[cost].append(back)
                    left += 1
        left -= len(queue)
        spent += 1
    return far


# -- discs of range ----------------------------------------------------------------------


@cache
def halves(reach: int, *, exact: bool) -> tuple[int, ...]:
    """Return the half width of each row of the disc that a range covers, from its top row down.

    See: WD-ATT-2.

    >>> halves(1, exact=False), halves(1, exact=True)
    ((1, 1, 1), (0, 1, 0))
    """
    limit = reach * reach if exact else (reach + 1) * (reach + 1) - 1
    return tuple(
        max(x for x in range(reach + 1) if x * x + y * y <= limit) for y in range(-reach, reach + 1)
    )


@cache
def disc(reach: int, *, exact: bool) -> Mask:
    """Return the disc that a range covers, as a square mask."""
    rows = halves(reach, exact=exact)
    columns = np.abs(np.arange(-reach, reach + 1))
    made: Mask = columns[None, :] <= np.array(rows)[:, None]
    return made


def _clip(centre: int, reach: int, size: int) -> tuple[slice, slice]:
    """Return the slice of an axis that a disc covers, and the slice of the disc on the axis."""
    low, high = max(0, centre - reach), min(size, centre + reach + 1)
    return slice(low, high), slice(low - centre + reach, high - centre + reach)


def flat(values: TileValues) -> list[float]:
    """Return a map's values as a flat list, by tile number."""
    found: list[float] = values.ravel().tolist()
    return found


def window(grid: TileValues, row: int, column: int, mask: Mask) -> tuple[TileValues, Mask]:
    """Return the part of a map under a disc around a tile, and the part of the disc on it.

    Both are arrays of the same shape; the first shares memory with the map.
    """
    reach = mask.shape[0] // 2
    rows, mask_rows = _clip(row, reach, grid.shape[0])
    columns, mask_columns = _clip(column, reach, grid.shape[1])
    return grid[rows, columns], mask[mask_rows, mask_columns]


def stamp(grid: TileValues, row: int, column: int, mask: Mask, value: float) -> None:
    """Add ``value`` to the tiles of a disc."""
    part, shown = window(grid, row, column, mask)
    part += value * shown


def raise_to(grid: TileValues, row: int, column: int, mask: Mask, value: float) -> None:
    """Raise the tiles of a disc to at least ``value``."""
    part, shown = window(grid, row, column, mask)
    np.maximum(part, value * shown, out=part)


def summed(grid: TileValues, reach: int, *, exact: bool) -> TileValues:
    """Return for each tile the sum of a map's values over the disc around it, in the same shape."""
    height, width = grid.shape
    running = np.zeros((height, width + 1))
    np.cumsum(grid, axis=1, out=running[:, 1:])
    columns = np.arange(width)
    out = np.zeros_like(grid)
    known: dict[int, TileValues] = {}
    for shift, half in enumerate(halves(reach, exact=exact), start=-reach):
        if half not in known:
            high = np.minimum(columns + half + 1, width)
            low = np.maximum(columns - half, 0)
            known[half] = running[:, high] - running[:, low]
        if abs(shift) >= height:
            continue
        source, target = (
            slice(max(0, shift), height + min(0, shift)),
            slice(max(0, -shift), height + min(0, -shift)),
        )
        out[target] += known[half][source]
    return out


def widened(
    tiles: npt.NDArray[np.int64], stride: int, height: int, discs: tuple[int, ...]
) -> tuple[MapWindow, Mask]:
    """Return the tiles within range of any of ``tiles``: a window of the map, and a mask on it.

    ``discs`` is the result of ``halves``.
    """
    reach = len(discs) // 2
    rows, columns = tiles // stride, tiles % stride
    top, left = int(rows.min()) - reach, int(columns.min()) - reach
    tall, wide = int(rows.max()) - top + reach + 1, int(columns.max()) - left + reach + 1
    count = np.zeros((tall, wide + 1), dtype=np.int32)
    count[rows - top, columns - left + 1] = 1
    np.cumsum(count, axis=1, out=count)
    out = np.zeros((tall, wide), dtype=np.bool_)
    places = np.arange(wide)
    inner = slice(reach, tall - reach)
    for half in set(discs):
        high = np.minimum(places + half + 1, wide)
        low = np.maximum(places - half, 0)
        hit = count[inner, high] > count[inner, low]
        for shift, its in enumerate(discs, start=-reach):
            if its == half:
                out[reach + shift : tall - reach + shift] |= hit
    low_row, low_column = max(0, top), max(0, left)
    high_row, high_column = min(height, top + tall), min(stride, left + wide)
    window = (slice(low_row, high_row), slice(low_column, high_column))
    return window, out[
        low_row - top : high_row - top,
        low_column - left : high_column - left,
    ]
