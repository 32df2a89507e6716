"""The original's tile codecs: two bytes a tile, and the 32-bit words read from them (section 2).

Nothing of the game is kept in these; they are for exchange, for tools and for who wants to compare
with the original.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.kit.grid import Place
from engine.rulesets.warlords2.state import HEIGHT, WIDTH, State
from engine.rulesets.warlords2.terrain import WATER, Terrain
from engine.strategic.pieces import NOBODY
from engine.strategic.world import World, armies_at, city_at, is_on_map, site_at, tower_at

STRIDE: Final = 224
SIZE: Final = STRIDE * HEIGHT
"""Bytes of a row and of the whole map. Rules: W2-2.1."""

OWNER_MASK: Final = 0xFFF0FFFF

_VOID: Final = frozenset({Terrain.VOID, *WATER})
_JOINED: Final = frozenset({Terrain.CITY, Terrain.BRIDGE})
_SIDES: Final = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""North, east, south, west: the bits of a road's pieces. Rules: W2-2.2b."""


class MapTile16(NamedTuple):
    """What is kept of a tile in two bytes. Rules: W2-2.2a."""

    graphic: int
    road: bool = False
    explored: bool = False
    special: bool = False
    fortified: bool = False
    owner: int = NOBODY

    def packed(self) -> int:
        """The two bytes as a number, the picture's first.

        Raises:
            ValueError: a number does not fit.
        """
        flags = self.road << 7 | self.explored << 6 | self.special << 5 | self.fortified << 4
        return _fit(self.graphic, 8) << 8 | flags | _fit(self.owner, 4)


def tile16(number: int) -> MapTile16:
    """The tile that two bytes stand for. Rules: W2-2.2a.

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
    """All fields that a 32-bit word has. Rules: W2-2.2b."""

    tile: MapTile16
    army_group: int = 0
    army_player: int = NOBODY
    banner: bool = False
    variant: int = 0
    shore: bool = False
    structure: bool = False

    def packed(self) -> int:
        """The word as a number.

        Raises:
            ValueError: a number does not fit.
        """
        armies = _fit(self.army_group, 5) << 11 | _fit(self.army_player, 4) << 7
        marks = self.banner << 6 | _fit(self.variant, 4) << 2 | self.shore << 1 | self.structure
        return self.tile.packed() << 16 | armies | marks


def word32(number: int) -> TileWord32:
    """The fields of a word; every word has some. Rules: W2-2.2b.

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


def owned(word: int, player: int) -> int:
    """A word with another owner; nothing else changes. Rules: W2-2.2b."""
    return word & OWNER_MASK | (player & 15) << 16


def address(x: int, y: int) -> int:
    """Where a tile's bytes begin in the map. Rules: W2-2.1."""
    return y * STRIDE + x * 2


def raw_read32(buffer: bytes, x: int, y: int) -> int:
    """The four bytes at a tile's address, big-endian: its own two and those of the next tile.

    Past the end of the buffer there are zeros.

    Raises:
        ValueError: there is no such tile.

    Rules: W2-2.2b, W2-2.1.
    """
    if not (0 <= x < WIDTH and 0 <= y < HEIGHT):
        raise ValueError(f"there is no tile {x},{y}")
    start = address(x, y)
    return int.from_bytes(buffer[start : start + 4].ljust(4, b"\0"), "big")


def map_tile(world: World, at: Place) -> MapTile16:
    """What would be kept of a tile; all else stands beside it.

    Rules: W2-2.2a, W2-2.4, W2-2.5.
    """
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
    """Whose a tile is: the city's owner's, else that of the armies on it. Rules: W2-2.4."""
    city, stack = city_at(world, at), armies_at(world, at)
    if city is not None:
        return city.owner
    return stack[0].owner if stack else NOBODY


def tile_word(state: State, x: int, y: int) -> TileWord32:
    """The word of a tile, its lower half made from the position.

    Raises:
        ValueError: there is no such tile.

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
    """Which sides of a road tile go on: N=1, E=2, S=4, W=8; 0 without a road. Rules: W2-2.2b."""
    if not world.roads[at[1], at[0]]:
        return 0
    return sum(1 << bit for bit, near in _near(world, at) if _joins(world, near))


def _joins(world: World, at: Place) -> bool:
    return bool(world.roads[at[1], at[0]]) or world.terrain[at[1], at[0]] in _JOINED


def _is_shore(world: World, at: Place) -> bool:
    """Whether water lies at a side of what is not water itself. Rules: W2-2.2b."""
    if world.terrain[at[1], at[0]] in _VOID:
        return False
    return any(world.terrain[y, x] in WATER for _, (x, y) in _near(world, at))


def _near(world: World, at: Place) -> list[tuple[int, Place]]:
    """The tiles at the sides that are on the map, with their number from the north on."""
    places = ((bit, (at[0] + dx, at[1] + dy)) for bit, (dx, dy) in enumerate(_SIDES))
    return [(bit, near) for bit, near in places if is_on_map(world, near)]


def map_bytes(world: World) -> bytes:
    """The whole map as the original keeps it, for a map of the original's size.

    Raises:
        ValueError: the map has another size.

    Rules: W2-2.1, W2-2.2a.
    """
    if (world.width, world.height) != (WIDTH, HEIGHT):
        raise ValueError(f"the original's maps are {WIDTH}x{HEIGHT}")
    tiles = (map_tile(world, (x, y)) for y in range(HEIGHT) for x in range(WIDTH))
    return b"".join(tile.packed().to_bytes(2, "big") for tile in tiles)
