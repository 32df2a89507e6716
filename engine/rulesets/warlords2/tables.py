"""Tables of the rule book: terrains, pictures of tiles, types of unit (sections 3 and 7)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from functools import cache
from typing import Final, Literal

from engine.core.containers import Roster
from engine.core.record import Record
from engine.kit.tables import load, load_rows
from engine.strategic.pieces import NOBODY, BattleClass, Slot, UnitType

# -- terrain (sections 3.1 and 4.1) ----------------------------------------------------------------


PACKAGE: Final = "engine.rulesets.warlords2"


class Terrain(IntEnum):
    """The categories of tiles, as in the terrain plane. Rules: W2-3.1."""

    VOID = 0
    PLAINS = 1
    FOREST = 2
    HILLS = 3
    MOUNTAINS = 4
    MARSH = 5
    DESERT = 6
    TUNDRA = 7
    SITE = 8
    CITY = 9
    OCEAN = 10
    SHORE = 11
    BRIDGE = 12
    RIVER = 13


WATER: Final = frozenset({Terrain.OCEAN, Terrain.SHORE})
"""Terrains for boats, embarked and flying armies only. Rules: W2-6.6."""


class TerrainRow(Record, frozen=True):
    """A category of tiles. ``seed`` and ``classic`` are prices on foot; 0 means closed.

    ``classic_afloat`` is the price for boats and armies aboard on the terrains open to them.

    Rules: W2-3.1. See: W2-4.1.
    """

    key: str
    name: str
    sign: str
    seed: int
    classic: int
    boat: bool
    fight: BattleClass
    source: str
    classic_afloat: int = 0


@cache
def terrain_rows() -> tuple[TerrainRow, ...]:
    """Return the rows of the terrain table, by terrain code."""
    return load_rows(PACKAGE, "terrain", TerrainRow)


@cache
def signs() -> dict[str, Terrain]:
    """Return each terrain by its sign in a map's rows."""
    return {row.sign: Terrain(code) for code, row in enumerate(terrain_rows())}


def on_foot(table: Literal["seed", "classic"]) -> tuple[int, ...]:
    """Return the cost of entering each terrain on foot; 0 if closed. Rules: W2-4.1."""
    return tuple(row.seed if table == "seed" else row.classic for row in terrain_rows())


def afloat(table: Literal["seed", "classic"]) -> tuple[int, ...]:
    """Return the cost of entering each terrain by water; empty: as on foot, up to the cap.

    Rules: W2-4.1, W2-5.2.
    """
    return () if table == "seed" else tuple(row.classic_afloat for row in terrain_rows())


def opened(table: Literal["seed", "classic"]) -> frozenset[int]:
    """Return the land terrains that are closed on foot without a road.

    Rules: W2-4.4. See: W2-4.1.
    """
    closed = {code for code, price in enumerate(on_foot(table)) if not price}
    return frozenset(closed - WATER - {Terrain.VOID})


def flying() -> tuple[int, ...]:
    """Return the cost of entering each terrain by air: 1, and 0 for the void. Rules: W2-4.1."""
    return tuple(int(code != Terrain.VOID) for code in range(len(terrain_rows())))


# -- pictures of tiles (sections 3.2 to 3.4) -------------------------------------------------------


PICTURES: Final = 256

CityBlock = tuple[int, int, int, int]
"""Pictures of the four tiles of a city: top left, top right, bottom left, bottom right."""

PLAINS_ART: Final = 0x1F
"""The picture of plains in our own maps, because 0x09 counts as hills (section 3.2)."""

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
    """Return the terrain code of each of the 256 pictures in the book. Rules: W2-3.2."""
    return bytes(_tiles().categories)


@cache
def native_table() -> bytes:
    """Return ``book_table`` with pictures for the terrains that original maps lack."""
    table = bytearray(book_table())
    for art, category in _tiles().spare:
        table[art] = category
    return bytes(table)


@cache
def pictures_of(table: bytes) -> Mapping[Terrain, tuple[int, ...]]:
    """Return the pictures of each terrain, in order. See: W2-3.2, W2-15.10.

    Plains have a single one. Pictures of cities and razed cities are left out, because they depend
    on the owner (``city_art``).
    """
    block = range(_RAZED_CITY, _RAZED_CITY + 2 * _ROW)
    found: dict[Terrain, list[int]] = {terrain: [] for terrain in Terrain}
    for art, category in enumerate(table):
        if category != Terrain.CITY and art not in block:
            found[Terrain(category)].append(art)
    if PLAINS_ART in found[Terrain.PLAINS]:
        found[Terrain.PLAINS] = [PLAINS_ART]
    return {terrain: tuple(arts) for terrain, arts in found.items()}


def city_art(owner: int) -> CityBlock:
    """Return the pictures of a city by its owner. Rules: W2-3.4."""
    if owner == NOBODY:
        return _block(_NEUTRAL_CITY)
    late = owner >= _LATE_SIDE
    return _block(_LATE_CITY + 2 * (owner - _LATE_SIDE) if late else _CITY + 2 * owner)


def razed_art(owner: int) -> CityBlock:
    """Return the pictures of a city razed by ``owner``, its last owner. Rules: W2-3.4."""
    return _block(_RAZED_CITY + 2 * owner)


def _block(first: int) -> CityBlock:
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
"""Terrains by their numbers in original files; others are void. See: W2-3.3, W2-3.1."""

RUIN_GROUND: Final = 11
"""The original number of the ground of ruins and temples. See: W2-3.3, W2-16.4."""


def translated(table: bytes) -> bytes:
    """Convert an original table of categories into terrain codes, 256 bytes. Rules: W2-3.3."""
    return bytes(ORIGINAL.get(number, Terrain.VOID) for number in table[:PICTURES]).ljust(
        PICTURES, b"\0"
    )


# -- types of unit (section 7) ---------------------------------------------------------------------


HERO: Final = 28
SCOUTS: Final = 11
"""Ids of types that rules name. See: W2-7, W2-9.1, W2-9.7."""


@cache
def unit_rows() -> tuple[UnitType, ...]:
    """Return the 29 types, in the order of the book's table, which breaks ties. Rules: W2-7."""
    return load_rows(PACKAGE, "units", UnitType)


@cache
def unit_types() -> Roster[UnitType]:
    """Return the types by id. See: W2-7."""
    return Roster(unit_rows())


@cache
def _places() -> Mapping[int, int]:
    return {row.id: place for place, row in enumerate(unit_rows())}


def type_order(kind: int) -> tuple[int, int]:
    """Return the sort key that breaks ties among types: row of the book, then id. See: W2-9.1."""
    return _places().get(kind, len(unit_rows())), kind


def slot_of(kind: UnitType) -> Slot:
    """Return the slot of a type with its default numbers. Rules: W2-9.4."""
    return Slot(kind.id, kind.strength, kind.turns, kind.move, kind.cost)
