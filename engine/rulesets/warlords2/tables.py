"""Pictures of tiles and their categories (sections 3.2 to 3.4)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from engine.core.record import Record
from engine.kit.tables import load
from engine.rulesets.warlords2.terrain import Terrain
from engine.strategic.pieces import NOBODY

PACKAGE: Final = "engine.rulesets.warlords2"

PICTURES: Final = 256

Block = tuple[int, int, int, int]
"""The pictures of the four tiles of a city: top left, top right, bottom left, bottom right."""

PLAINS_ART: Final = 0x1F
"""The picture of plains in maps of our own: 0x09 counts as hills (section 3.2)."""

_NEUTRAL_CITY: Final = 0x60
_CITY: Final = 0x62
_LATE_CITY: Final = 0x80
_LATE_SIDE: Final = 6
_RAZED_CITY: Final = 0xA0
_ROW: Final = 16


class _Tiles(Record, frozen=True):
    categories: tuple[int, ...]
    spare: tuple[tuple[int, int], ...]


@cache
def _tiles() -> _Tiles:
    return load(PACKAGE, "tiles", _Tiles)


@cache
def book_table() -> bytes:
    """The category of each of the 256 pictures. Rules: W2-3.2."""
    return bytes(_tiles().categories)


@cache
def native_table() -> bytes:
    """The same with pictures for the terrains that original maps lack: our own maps use it."""
    table = bytearray(book_table())
    for art, category in _tiles().spare:
        table[art] = category
    return bytes(table)


@cache
def pictures_of(table: bytes) -> Mapping[Terrain, tuple[int, ...]]:
    """The pictures to choose from for each terrain, in order. Rules: W2-3.2, W2-15.10.

    Plains have one only, cities and razed cities are drawn by their owner (``city_art``), so they
    are left out here.
    """
    block = range(_RAZED_CITY, _RAZED_CITY + 2 * _ROW)
    found: dict[Terrain, list[int]] = {terrain: [] for terrain in Terrain}
    for art, category in enumerate(table):
        if category != Terrain.CITY and art not in block:
            found[Terrain(category)].append(art)
    if PLAINS_ART in found[Terrain.PLAINS]:
        found[Terrain.PLAINS] = [PLAINS_ART]
    return {terrain: tuple(arts) for terrain, arts in found.items()}


SEATS: Final = 8
"""Sides there can be; they are numbered from 0. Rules: W2-1.3."""


def city_art(owner: int) -> Block:
    """The pictures of a city. Rules: W2-3.4."""
    if owner == NOBODY:
        return _block(_NEUTRAL_CITY)
    late = owner >= _LATE_SIDE
    return _block(_LATE_CITY + 2 * (owner - _LATE_SIDE) if late else _CITY + 2 * owner)


def razed_art(owner: int) -> Block:
    """The pictures of a city razed by ``owner``, who had it then. Rules: W2-3.4."""
    return _block(_RAZED_CITY + 2 * owner)


def _block(first: int) -> Block:
    return first, first + 1, first + _ROW, first + _ROW + 1


ORIGINAL: Final[Mapping[int, Terrain]] = {
    0: Terrain.VOID,
    1: Terrain.BRIDGE,
    2: Terrain.OCEAN,
    3: Terrain.SHORE,
    4: Terrain.FOREST,
    5: Terrain.HILLS,
    6: Terrain.MOUNTAINS,
    7: Terrain.PLAINS,
    8: Terrain.MARSH,
    9: Terrain.SITE,
    10: Terrain.CITY,
    11: Terrain.SITE,
}
"""What the numbers of original files mean; any other is void. Rules: W2-3.3, W2-3.1."""

RUIN_GROUND: Final = 11
"""The original number of the ground of ruins and temples. Rules: W2-3.3, W2-16.4."""


def translated(table: bytes) -> bytes:
    """An original table of categories in those of this game; 256 bytes. Rules: W2-3.3."""
    return bytes(ORIGINAL.get(number, Terrain.VOID) for number in table[:PICTURES]).ljust(
        PICTURES, b"\0"
    )
