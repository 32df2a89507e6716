"""The original's maps of pictures and of roads (section 16.2), in and out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from engine.core.containers import Plane
from engine.core.ruleset import ScenarioFault
from engine.kit.grid import Place
from engine.rulesets.warlords2.land import numbers_of
from engine.rulesets.warlords2.scene import Map
from engine.rulesets.warlords2.state import HEIGHT, WIDTH
from engine.rulesets.warlords2.terrain import Terrain

RULE: Final = "W2-16.2"
PORT: Final = 0x80

_BARE: Final = (Terrain.VOID, Terrain.SITE, Terrain.CITY, Terrain.OCEAN, Terrain.SHORE)
"""Where no road runs, whatever the file says. Rules: W2-16.4."""


def read_map(data: bytes, table: bytes) -> tuple[Plane, tuple[Place, ...]]:
    """The pictures of all tiles, and the ports. Rules: W2-16.2.

    Raises:
        ScenarioFault: another size, an unknown flag, or a port that is not on a shore.
    """
    if len(data) != 2 * WIDTH * HEIGHT:
        raise ScenarioFault("MAP", f"{len(data)} bytes, not {2 * WIDTH * HEIGHT}", RULE)
    tiles = np.frombuffer(data, dtype=np.uint8).reshape(HEIGHT, WIDTH, 2)
    art, flags = tiles[:, :, 0], tiles[:, :, 1]
    for y, x in np.argwhere((flags != 0) & (flags != PORT))[:1]:
        raise ScenarioFault("MAP", f"the tile ({x}, {y}) has the flag {flags[y, x]:#04x}", RULE)
    ports = np.argwhere(flags == PORT)
    shore = np.frombuffer(table, dtype=np.uint8)[art] == Terrain.SHORE
    for y, x in ports[~shore[flags == PORT]][:1]:
        raise ScenarioFault("MAP", f"the port ({x}, {y}) is not on a shore", RULE)
    return Plane(art), tuple((int(x), int(y)) for y, x in ports)


def read_roads(data: bytes, terrain: Plane) -> Plane:
    """Where roads are: 1, and elsewhere 0. Rules: W2-16.2, W2-16.4.

    Raises:
        ScenarioFault: another size.
    """
    if len(data) != WIDTH * HEIGHT:
        raise ScenarioFault("RD", f"{len(data)} bytes, not {WIDTH * HEIGHT}", RULE)
    pieces = np.frombuffer(data, dtype=np.uint8).reshape(HEIGHT, WIDTH)
    return Plane(((pieces != 0) & ~np.isin(terrain.cells, _BARE)).astype(np.uint8))


def write_map(scene: Map) -> bytes:
    """A scenario's pictures and ports as the original keeps them. Rules: W2-16.2.

    Raises:
        ScenarioFault: the scenario has no pictures of its own, or another size.
    """
    if (len(scene.rows), len(scene.art)) != (HEIGHT, HEIGHT) or len(scene.rows[0]) != WIDTH:
        text = f"needs rows and art of {WIDTH} x {HEIGHT} tiles"
        raise ScenarioFault("art", text, RULE)
    return map_file(numbers_of(scene.art, "art", (WIDTH, HEIGHT)), scene.ports)


def map_file(art: Plane, ports: Iterable[Place]) -> bytes:
    """Pictures and ports of a map of the original's size as it keeps them. Rules: W2-16.2."""
    tiles = np.zeros((HEIGHT, WIDTH, 2), dtype=np.uint8)
    tiles[:, :, 0] = art.cells
    for x, y in ports:
        tiles[y, x, 1] = PORT
    return tiles.tobytes()
