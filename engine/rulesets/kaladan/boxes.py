"""Geometry of the board: sizes of the boxes by zoom, and the cells of each tile. See: KA-19."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from engine.kit.box_raster import COMPACT, LARGE, NORMAL, BoxRaster, BoxStep, box_raster
from engine.rulesets.kaladan.board import coordinates

STEPS: Final[Mapping[str, BoxStep]] = {"normal": NORMAL, "compact": COMPACT, "large": LARGE}
"""Width and height in cells from one box to the next, by zoom; the first is the default."""

_WINDOWS: Final = {"large window": (150, 50), "window": (132, 42), "small window": (92, 32)}
"""Columns and rows beside a panel, by the zoom that fills them."""

ZOOMS: Final = (*STEPS, *_WINDOWS)
"""Names of the zooms; cursor and marks use cells of the first."""


@cache
def step(layout: int, zoom: str) -> BoxStep:
    """Return the distance in cells from the box of a tile to the next, across and down."""
    if zoom in STEPS:
        return STEPS[zoom]
    (columns, rows), places = _WINDOWS[zoom], coordinates(layout)
    half, down = max(x for _, x in places) + 2, max(row for row, _ in places) + 1
    across, high = 2 * ((columns - 1) // half), (rows - 1) // down
    return max(across, COMPACT[0]), max(high, COMPACT[1])


@cache
def raster(layout: int, zoom: str = "normal") -> BoxRaster:
    """Return the cells of a layout at a zoom."""
    return box_raster(coordinates(layout), step(layout, zoom))


def spot(layout: int, tile: int) -> tuple[int, int]:
    """Return the middle cell of a tile at the default zoom."""
    return raster(layout).centre(tile - 1)


def tile_at(layout: int, x: int, y: int) -> int:
    """Return the tile of a cell at the default zoom; 0 outside all tiles."""
    return raster(layout).box_at(x, y) + 1


def size(layout: int) -> tuple[int, int]:
    """Return the columns and rows of a layout at the default zoom."""
    cells = raster(layout)
    return cells.width, cells.height


@cache
def inside(layout: int, tile: int) -> tuple[tuple[int, int], ...]:
    """Return the cells inside the borders of a tile at the default zoom, row by row."""
    cells = raster(layout)
    (x, y), (wide, high) = cells.label(tile - 1), cells.room
    return tuple((x + dx, y + dy) for dy in range(high) for dx in range(wide))


@cache
def border(layout: int, tile: int) -> tuple[tuple[int, int], ...]:
    """Return the cells of the border of a tile at the default zoom."""
    return tuple((x, y) for x, y, _ in raster(layout).border(tile - 1))
