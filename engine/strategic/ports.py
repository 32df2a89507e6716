"""Ports: the cities beside water, and all tiles where armies go aboard and ashore."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engine.core.containers import Plane
from engine.kit.grid import Place
from engine.kit.memo import recent_few
from engine.strategic.seen import TileMask
from engine.strategic.settings import MovingRules
from engine.strategic.world import World, city_places


def one_of(cells: npt.NDArray[np.uint8], codes: frozenset[int]) -> TileMask:
    """Mask of the cells that hold one of some codes."""
    table = np.zeros(256, dtype=np.bool_)
    table[list(codes)] = True
    found: TileMask = table[cells]
    return found


def coastal(cities: tuple[Place, ...], terrain: Plane, codes: frozenset[int]) -> list[Place]:
    """Cities beside water: one of the 12 tiles around is of these codes."""
    wet = np.pad(one_of(terrain.cells, codes), 1)
    return [(x, y) for x, y in cities if wet[y : y + 4, x : x + 4].any()]


@recent_few(8)
def _havens(
    cities: tuple[Place, ...], terrain: Plane, ports: tuple[Place, ...], rules: MovingRules
) -> tuple[TileMask, TileMask]:
    """Tiles of port cities, and all ports."""
    harbours = np.zeros(terrain.cells.shape, dtype=np.bool_)
    for x, y in coastal(cities, terrain, rules.seaside):
        harbours[y : y + 2, x : x + 2] = True
    docks = harbours | one_of(terrain.cells, rules.bridges)
    for x, y in ports:
        docks[y, x] = True
    return harbours, docks


def harbours(world: World, rules: MovingRules) -> TileMask:
    """Tiles of port cities."""
    return _havens(city_places(world.cities), world.terrain, world.ports, rules)[0]


def docks(world: World, rules: MovingRules) -> TileMask:
    """Ports: tiles of port cities, tiles in the set of ports, bridges."""
    return _havens(city_places(world.cities), world.terrain, world.ports, rules)[1]
