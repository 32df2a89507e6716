"""The original's tile formats (sections 2 and 16.2): words, overlay bytes, map files.

The game itself stores nothing in them. They serve exchange, tools and comparison with the original.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np

from engine.core.containers import Plane
from engine.core.ruleset import ScenarioFault
from engine.kit.grid import Place
from engine.rulesets.warlords2.state import HEIGHT, WIDTH, State
from engine.rulesets.warlords2.tables import WATER, Terrain
from engine.strategic.pieces import NOBODY
from engine.strategic.world import (
    World,
    armies_at,
    city_at,
    has_discovered,
    is_on_map,
    site_at,
    tower_at,
)

# -- two bytes per tile, and the 32-bit words read from them (section 2.2) -------------------------


STRIDE: Final = 224
SIZE: Final = STRIDE * HEIGHT
"""Bytes of a row and of the whole map. Rules: W2-2.1."""

_VOID: Final = frozenset({Terrain.VOID, *WATER})
_JOINED: Final = frozenset({Terrain.CITY, Terrain.BRIDGE})
_SIDES: Final = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""North, east, south, west: the bits of a road's pieces. See: W2-2.2b."""


class MapTile16(NamedTuple):
    """A tile in two bytes. See: W2-2.2a."""

    graphic: int
    road: bool = False
    explored: bool = False
    special: bool = False
    fortified: bool = False
    owner: int = NOBODY

    def packed(self) -> int:
        """Return the two bytes as a number, the picture's first.

        Raises:
            ValueError: a field is too large.
        """
        flags = self.road << 7 | self.explored << 6 | self.special << 5 | self.fortified << 4
        return _fit(self.graphic, 8) << 8 | flags | _fit(self.owner, 4)


def tile16(number: int) -> MapTile16:
    """Decode a tile from two bytes, given as a number. Rules: W2-2.2a.

    Raises:
        ValueError: the number has more than 16 bits.
    """
    flags = _fit(number, 16) & 0xFF
    return MapTile16(
        graphic=number >> 8,
        road=bool(flags >> 7 & 1),
        explored=bool(flags >> 6 & 1),
        special=bool(flags >> 5 & 1),
        fortified=bool(flags >> 4 & 1),
        owner=flags & 15,
    )


class TileWord32(NamedTuple):
    """Fields of a 32-bit word. See: W2-2.2b."""

    tile: MapTile16
    army_group: int = 0
    army_player: int = NOBODY
    banner: bool = False
    variant: int = 0
    shore: bool = False
    structure: bool = False

    def packed(self) -> int:
        """Return the fields as a 32-bit number, the word of the tile.

        Raises:
            ValueError: a field is too large.
        """
        armies = _fit(self.army_group, 5) << 11 | _fit(self.army_player, 4) << 7
        marks = self.banner << 6 | _fit(self.variant, 4) << 2 | self.shore << 1 | self.structure
        return self.tile.packed() << 16 | armies | marks


def word32(number: int) -> TileWord32:
    """Decode a tile from a 32-bit word. See: W2-2.2b.

    Raises:
        ValueError: the number has more than 32 bits.
    """
    low = _fit(number, 32) & 0xFFFF
    return TileWord32(
        tile=tile16(number >> 16),
        army_group=low >> 11,
        army_player=low >> 7 & 15,
        banner=bool(low >> 6 & 1),
        variant=low >> 2 & 15,
        shore=bool(low >> 1 & 1),
        structure=bool(low & 1),
    )


def _fit(number: int, bits: int) -> int:
    if not 0 <= number < 1 << bits:
        raise ValueError(f"{number} does not fit into {bits} bits")
    return number


def address(x: int, y: int) -> int:
    """Return the offset of a tile's bytes in the map. Rules: W2-2.1."""
    return y * STRIDE + x * 2


def map_tile(world: World, at: Place) -> MapTile16:
    """Return the two-byte form of a tile. Rules: W2-2.2a, W2-2.5. See: W2-2.1, W2-2.4."""
    x, y = at
    site, city, tower = site_at(world, at), city_at(world, at), tower_at(world, at)
    return MapTile16(
        graphic=world.art[y, x],
        road=bool(world.roads[y, x]),
        explored=site is not None and site.searched,
        special=site is not None and not site.searched,
        fortified=(city is not None and city.defence >= 1) or tower is not None,
        owner=_owner(world, at),
    )


def _owner(world: World, at: Place) -> int:
    """Return the owner of a tile's city, else of the armies on it. See: W2-2.4."""
    city, stack = city_at(world, at), armies_at(world, at)
    if city is not None:
        return city.owner
    return stack[0].owner if stack else NOBODY


def tile_word(state: State, x: int, y: int) -> TileWord32:
    """Return the word of a tile, with its lower half computed from the position.

    Raises:
        ValueError: the tile is off the map.

    Rules: W2-2.2b, W2-2.4.
    """
    at = x, y
    if not is_on_map(state, at):
        raise ValueError(f"there is no tile {x},{y}")
    stack, city = armies_at(state, at), city_at(state, at)
    return TileWord32(
        tile=map_tile(state, at),
        army_group=min(31, len(stack)),
        army_player=stack[0].owner if stack else NOBODY,
        banner=city is not None,
        variant=road_piece(state, at),
        shore=_is_shore(state, at),
        structure=city is not None or site_at(state, at) is not None,
    )


def road_piece(world: World, at: Place) -> int:
    """Return a road tile's connected sides: N=1, E=2, S=4, W=8; 0 if no road. Rules: W2-2.2b."""
    if not world.roads[at[1], at[0]]:
        return 0
    return sum(1 << bit for bit, near in _near(world, at) if _joins(world, near))


def _joins(world: World, at: Place) -> bool:
    return bool(world.roads[at[1], at[0]]) or world.terrain[at[1], at[0]] in _JOINED


def _is_shore(world: World, at: Place) -> bool:
    """Return whether a tile is land with water at one of its sides. Rules: W2-2.2b."""
    if world.terrain[at[1], at[0]] in _VOID:
        return False
    return any(world.terrain[y, x] in WATER for _, (x, y) in _near(world, at))


def _near(world: World, at: Place) -> list[tuple[int, Place]]:
    """Return the four neighbours on the map, each with the bit number of its direction."""
    places = ((bit, (at[0] + dx, at[1] + dy)) for bit, (dx, dy) in enumerate(_SIDES))
    return [(bit, near) for bit, near in places if is_on_map(world, near)]


# -- the overlay: one byte per tile for one viewer (section 2.3) -----------------------------------


MOST_COUNTED: Final = 31


class OverlayFields(NamedTuple):
    """Fields of an overlay byte. See: W2-2.3."""

    occupied: bool = False
    flag: bool = False
    discovered: bool = False
    armies: int = 0

    def packed(self) -> int:
        """Return the fields as an overlay byte.

        Raises:
            ValueError: the count is too large.
        """
        flags = self.occupied << 7 | self.flag << 6 | self.discovered << 5
        return flags | _fit(self.armies, 5)


def overlay_of(world: World, viewer: int, at: Place) -> OverlayFields:
    """Return the overlay of a tile for a side; pass a view as ``world`` to hide armies.

    Rules: W2-2.3. See: W2-2.1, W2-2.4.
    """
    count = min(MOST_COUNTED, len(armies_at(world, at)))
    flagged = any(side.flag == at for side in world.sides.values())
    return OverlayFields(count > 0, flagged, has_discovered(world, viewer, at), count)


# -- resources MAP and RD (section 16.2) -----------------------------------------------------------


FILE_RULE: Final = "W2-16.2"
PORT: Final = 0x80

_BARE: Final = (Terrain.VOID, Terrain.SITE, Terrain.CITY, Terrain.OCEAN, Terrain.SHORE)
"""Terrains without roads, whatever the file says. See: W2-16.4."""


def read_map(data: bytes, table: bytes) -> tuple[Plane, tuple[Place, ...]]:
    """Decode the pictures of all tiles, and the ports. Rules: W2-16.2.

    Raises:
        ScenarioFault: the size is wrong, a flag is unknown, or a port is not on a shore.
    """
    if len(data) != 2 * WIDTH * HEIGHT:
        raise ScenarioFault("MAP", f"{len(data)} bytes, not {2 * WIDTH * HEIGHT}", FILE_RULE)
    tiles = np.frombuffer(data, dtype=np.uint8).reshape(HEIGHT, WIDTH, 2)
    art, flags = tiles[:, :, 0], tiles[:, :, 1]
    for y, x in np.argwhere((flags != 0) & (flags != PORT))[:1]:
        raise ScenarioFault(
            "MAP", f"the tile ({x}, {y}) has the flag {flags[y, x]:#04x}", FILE_RULE
        )
    ports = np.argwhere(flags == PORT)
    shore = np.frombuffer(table, dtype=np.uint8)[art] == Terrain.SHORE
    for y, x in ports[~shore[flags == PORT]][:1]:
        raise ScenarioFault("MAP", f"the port ({x}, {y}) is not on a shore", FILE_RULE)
    return Plane(art), tuple((int(x), int(y)) for y, x in ports)


def read_roads(data: bytes, terrain: Plane) -> Plane:
    """Decode the plane of roads: 1 on a road, else 0. Rules: W2-16.2. See: W2-16.4.

    Raises:
        ScenarioFault: the size is wrong.
    """
    if len(data) != WIDTH * HEIGHT:
        raise ScenarioFault("RD", f"{len(data)} bytes, not {WIDTH * HEIGHT}", FILE_RULE)
    pieces = np.frombuffer(data, dtype=np.uint8).reshape(HEIGHT, WIDTH)
    return Plane(((pieces != 0) & ~np.isin(terrain.cells, _BARE)).astype(np.uint8))


def map_file(art: Plane, ports: Iterable[Place]) -> bytes:
    """Encode pictures and ports of a map of the original's size in its format. See: W2-16.2."""
    tiles = np.zeros((HEIGHT, WIDTH, 2), dtype=np.uint8)
    tiles[:, :, 0] = art.cells
    for x, y in ports:
        tiles[y, x, 1] = PORT
    return tiles.tobytes()
