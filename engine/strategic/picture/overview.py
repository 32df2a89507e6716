"""The board from afar: a cell stands for a square of tiles, so that the world fits a screen."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from engine.core.containers import Plane
from engine.strategic.picture.scene import Scene, seat_of
from engine.tabletop.board import NOBODY, NOWHERE, Board

Grid = npt.NDArray[Any]

ROWS: Final = {"lands": 40, "world": 20}
"""At most so many rows, for each zoom."""


def scale(scene: Scene, zoom: str) -> int:
    """How many tiles, each way, a cell of a zoom stands for."""
    world = scene.world
    return max(1, -(-world.height // ROWS[zoom]), -(-world.width // (2 * ROWS[zoom])))


def overview(scene: Scene, zoom: str) -> Board:
    """The most frequent terrain of each square, with its city or its armies above."""
    size = scale(scene, zoom)
    ground = _ground(scene, size)
    piece = np.zeros(ground.shape, dtype=np.int16)
    owner = np.full(ground.shape, NOBODY, dtype=np.int8)
    signs = scene.signs.overview
    capitals = {side.capital: side.id for side in scene.world.sides.values()}
    for (x, y), stack in scene.stacks.items():
        _put(piece, owner, (x // size, y // size), signs["army"], stack[0].owner)
    ranked = sorted(
        (city for city in scene.world.cities.values() if not city.razed),
        key=lambda city: ((city.x, city.y) in capitals, city.owner == scene.viewer, -city.id),
    )
    for city in ranked:
        is_capital = capitals.get((city.x, city.y), NOBODY) == city.owner
        sign = signs["capital" if is_capital else "city"]
        _put(piece, owner, (city.x // size, city.y // size), sign, city.owner)
    nowhere = np.full(ground.shape, NOWHERE, dtype=np.int16)
    return Board(Plane(ground), Plane(piece), Plane(owner), Plane(nowhere), scale=size)


def _put(piece: Grid, owner: Grid, at: tuple[int, int], sign: int, whose: int) -> None:
    piece[at[1], at[0]], owner[at[1], at[0]] = sign, seat_of(whose)


def _ground(scene: Scene, size: int) -> Grid:
    """The symbol of the most frequent known terrain of each square; ties: the lower code.

    The ground of cities counts only where there is nothing else: cities have a sign above it.
    """
    terrain = scene.world.terrain.cells
    height, width = terrain.shape
    high, wide = -(-height // size), -(-width // size)
    whole = np.zeros((high * size, wide * size), dtype=np.int16)
    whole[:height, :width] = terrain
    blocks = whole.reshape(high, size, wide, size)
    codes = len(scene.style.grounds)
    counts = np.stack([(blocks == code).sum(axis=(1, 3)) for code in range(codes)])
    counts[0] = 0
    counts[scene.style.city] = np.minimum(counts[scene.style.city], 1)
    most = counts.argmax(axis=0)
    most[counts.max(axis=0) == 0] = 0
    found: Grid = scene.signs.ground[0][most]
    return found
