"""Convert the land of a scenario between rows of signs and planes; mark open sea and shore."""

from __future__ import annotations

from enum import IntEnum
from functools import cache
from typing import Final

import numpy as np

from engine.core.containers import Plane
from engine.core.record import Record
from engine.core.ruleset import ScenarioFault
from engine.kit.tables import load
from engine.rulesets.lordsawar.scene import Map
from engine.rulesets.lordsawar.state import HEIGHT, WIDTH
from engine.rulesets.lordsawar.tables import PACKAGE, armyset
from engine.strategic.land_rows import RowRules, plane_of, road_plane, rows_of

RULE: Final = "LW-20"

_RULES: Final = RowRules(size=RULE, sign="LW-1")


class LandCode(IntEnum):
    """Numbers in the terrain plane: terrain, or a building with a cost. See: LW-1, LW-12.2."""

    UNKNOWN = 0
    GRASS = 1
    SHORE = 2
    SEA = 3
    FOREST = 4
    HILLS = 5
    MOUNTAIN = 6
    SWAMP = 7
    CITY = 8
    BRIDGE = 9
    PORT = 10
    SEA_PORT = 11


WATER: Final = frozenset({LandCode.SHORE, LandCode.SEA})
"""Water without a port or bridge: armies that do not fly are aboard there. See: LW-12.4."""

PORTS: Final = frozenset({LandCode.PORT, LandCode.SEA_PORT})
"""Ports at the shore and in the open sea; they cost as much as the water there. See: LW-12.2."""

DOCKS: Final = frozenset({LandCode.CITY, LandCode.BRIDGE, *PORTS})
"""Tiles where armies board and leave ships, razed cities included. Rules: LW-12.4."""

QUAYS: Final = frozenset({LandCode.BRIDGE, *PORTS})
"""Tiles where armies stay as they are: on foot or aboard. Rules: LW-12.4."""


class GroundRow(Record, frozen=True):
    """A row of the terrain table."""

    key: str
    name: str
    sign: str
    source: str


class _Table(Record, frozen=True):
    terrain: tuple[GroundRow, ...]


@cache
def ground_rows() -> tuple[GroundRow, ...]:
    """Return the rows of the terrain table, in order of their numbers."""
    return load(PACKAGE, "terrain", _Table).terrain


@cache
def signs() -> dict[str, LandCode]:
    """Return the terrains by their signs in a map's rows."""
    return {row.sign: LandCode(code) for code, row in enumerate(ground_rows())}


def book_costs() -> tuple[int, ...]:
    """Return the book's costs of grass, water, forest, hills, mountain, swamp. See: LW-12.2."""
    costs = armyset().movement
    return costs.grass, costs.shore, costs.forest, costs.hills, costs.mountain, costs.swamp


class LandPlanes(Record, frozen=True):
    """Planes of a map, uint8 of shape (height, width); roads are 0 or 1."""

    terrain: Plane
    roads: Plane


def land_of(scene: Map) -> LandPlanes:
    """Return the planes of a scenario; mark open sea where only water is around.

    In mid-game the rows themselves say where open sea is. See: LW-12.2, LW-20.

    Raises:
        ScenarioFault: rows differ in size, contain an unknown sign, or make a land of a forbidden
          size.
    """
    known = {sign: int(code) for sign, code in signs().items()}
    terrain = plane_of(scene.rows, "rows", known, _RULES)
    size = terrain.width, terrain.height
    if not (2 <= size[0] <= WIDTH and 2 <= size[1] <= HEIGHT):
        text = f"{size[0]} x {size[1]} tiles; from 2 x 2 to {WIDTH} x {HEIGHT} are possible"
        raise ScenarioFault("rows", text, RULE)
    ground = with_open_sea(terrain) if scene.now is None else terrain
    return LandPlanes(ground, road_plane(scene.roads, _RULES, size))


def with_open_sea(terrain: Plane) -> Plane:
    """Return terrain in which water and ports are divided into shore and open sea.

    Open sea is a water tile whose eight neighbours are all water, ports and bridges included. Tiles
    off the map count as water. Rules: LW-12.2.
    """
    cells = terrain.edit()
    wet = np.isin(cells, tuple(WATER | QUAYS))
    wide = np.pad(wet, 1, constant_values=True)
    height, width = cells.shape
    around = np.ones_like(wet)
    for row in range(3):
        for column in range(3):
            around &= wide[row : row + height, column : column + width]
    water, ports = (np.isin(cells, tuple(kinds)) for kinds in (WATER, PORTS))
    cells[water] = np.where(around, LandCode.SEA, LandCode.SHORE)[water]
    cells[ports] = np.where(around, LandCode.SEA_PORT, LandCode.PORT)[ports]
    return Plane(cells)


def sign_rows(terrain: Plane) -> tuple[str, ...]:
    """Convert a terrain plane to rows of signs."""
    return rows_of(terrain.cells, "".join(row.sign for row in ground_rows()))
