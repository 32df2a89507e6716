"""The terrain codes, and what the rule book's table says about each (section 3.1)."""

from __future__ import annotations

from enum import IntEnum
from functools import cache
from typing import Final, Literal

from engine.core.record import Record
from engine.kit.tables import load
from engine.strategic.pieces import BattleClass

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
"""Where only boats, who is aboard and who flies can be. Rules: W2-6.6."""


class TerrainRow(Record, frozen=True):
    """A category of tiles. ``seed`` and ``classic`` are prices on foot, 0: closed.

    Rules: W2-3.1, W2-4.1.
    """

    key: str
    name: str
    sign: str
    seed: int
    classic: int
    boat: bool
    fight: BattleClass
    source: str


class _Table(Record, frozen=True):
    terrain: tuple[TerrainRow, ...]


@cache
def rows() -> tuple[TerrainRow, ...]:
    """The table; the place in it is the code."""
    return load(PACKAGE, "terrain", _Table).terrain


@cache
def signs() -> dict[str, Terrain]:
    """The terrain of each sign in a map's rows."""
    return {row.sign: Terrain(code) for code, row in enumerate(rows())}


def on_foot(table: Literal["seed", "classic"]) -> tuple[int, ...]:
    """What entering each category costs on foot, 0 where it is closed. Rules: W2-4.1."""
    return tuple(row.seed if table == "seed" else row.classic for row in rows())


def flying() -> tuple[int, ...]:
    """The flying table: 0 for what does not exist, else 1. Rules: W2-4.1."""
    return tuple(int(code != Terrain.VOID) for code in range(len(rows())))
