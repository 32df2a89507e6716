"""The original's overlay: a byte a tile for one viewer (section 2.3)."""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.kit.grid import Place
from engine.rulesets.warlords2.state import HEIGHT, WIDTH
from engine.strategic.world import World, armies_at, has_discovered

STRIDE: Final = WIDTH
SIZE: Final = STRIDE * HEIGHT
"""Bytes of a row and of the whole layer. Rules: W2-2.1."""

MOST: Final = 31


class Overlay(NamedTuple):
    """The fields of an overlay byte. Rules: W2-2.3."""

    occupied: bool = False
    flag: bool = False
    discovered: bool = False
    armies: int = 0

    def packed(self) -> int:
        """The byte.

        Raises:
            ValueError: the count does not fit.
        """
        if not 0 <= self.armies <= MOST:
            raise ValueError(f"{self.armies} does not fit into 5 bits")
        return self.occupied << 7 | self.flag << 6 | self.discovered << 5 | self.armies


def overlay(byte: int) -> Overlay:
    """The fields of a byte. Rules: W2-2.3.

    Raises:
        ValueError: it is none.
    """
    if not 0 <= byte <= 0xFF:
        raise ValueError(f"{byte} does not fit into 8 bits")
    return Overlay(bool(byte >> 7 & 1), bool(byte >> 6 & 1), bool(byte >> 5 & 1), byte & MOST)


def overlay_of(world: World, viewer: int, at: Place) -> Overlay:
    """The overlay of a tile for a side, from what is in ``world``: give a view to hide armies.

    Rules: W2-2.3, W2-2.4.
    """
    count = min(MOST, len(armies_at(world, at)))
    flagged = any(side.flag == at for side in world.sides.values())
    return Overlay(count > 0, flagged, has_discovered(world, viewer, at), count)


def overlay_bytes(world: World, viewer: int) -> bytes:
    """The whole layer for a side, row by row. Rules: W2-2.1, W2-2.3."""
    places = ((x, y) for y in range(world.height) for x in range(world.width))
    return bytes(overlay_of(world, viewer, at).packed() for at in places)


def raw_read32(buffer: bytes, x: int, y: int) -> int:
    """The four bytes at a tile's address, big-endian; only the first is the tile's own.

    Raises:
        ValueError: there is no such tile.

    Rules: W2-2.3.
    """
    if not (0 <= x < WIDTH and 0 <= y < HEIGHT):
        raise ValueError(f"there is no tile {x},{y}")
    start = y * STRIDE + x
    return int.from_bytes(buffer[start : start + 4].ljust(4, b"\0"), "big")
