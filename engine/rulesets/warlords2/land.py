"""Land of a scenario: rows of signs to planes and back, pictures of tiles."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from engine.core.containers import Plane
from engine.core.record import Record
from engine.core.ruleset import ScenarioFault
from engine.rulesets.warlords2.scene import Map
from engine.rulesets.warlords2.state import HEIGHT, WIDTH
from engine.rulesets.warlords2.tables import (
    PICTURES,
    Terrain,
    city_art,
    native_table,
    pictures_of,
    razed_art,
    signs,
    terrain_rows,
)
from engine.strategic.land_rows import (
    RowRules,
    hex_bytes,
    numbers_of,
    plane_of,
    road_plane,
    rows_of,
)
from engine.strategic.pieces import NOBODY, City

RULE: Final = "W2-1.1"

_RULES: Final = RowRules(size=RULE, sign="W2-3.1")


class LandPlanes(Record, frozen=True):
    """Planes of a map, uint8 of shape (height, width), and the category of each picture.

    ``art`` is None if the scenario leaves the pictures to the game.
    """

    terrain: Plane
    roads: Plane
    table: bytes
    art: Plane | None


def land_of(scene: Map) -> LandPlanes:
    """Convert a scenario's rows into planes. Rules: W2-1.1, W2-3.2.

    Raises:
        ScenarioFault: rows differ in size, or contain an unknown sign or picture.
    """
    known = {sign: int(code) for sign, code in signs().items()}
    terrain = plane_of(scene.rows, "rows", known, _RULES)
    size = (terrain.width, terrain.height)
    if not (2 <= size[0] <= WIDTH and 2 <= size[1] <= HEIGHT):
        text = f"{size[0]} x {size[1]} tiles; from 2 x 2 to {WIDTH} x {HEIGHT} are possible"
        raise ScenarioFault("rows", text, RULE)
    roads = road_plane(scene.roads, _RULES, size)
    table = _table(scene.table)
    art = numbers_of(scene.art, "art", size, RULE) if scene.art else None
    if art is not None:
        wrong = np.argwhere(np.frombuffer(table, dtype=np.uint8)[art.cells] != terrain.cells)
        for y, x in wrong[:1]:
            text = f"the picture at ({x}, {y}) is of another terrain than the sign there"
            raise ScenarioFault(f"art[{y}]", text, "W2-3.2")
    return LandPlanes(terrain, roads, table, art)


def _table(text: str) -> bytes:
    if not text:
        return native_table()
    table = hex_bytes(text, "table", PICTURES, RULE)
    if max(table) >= len(Terrain):
        raise ScenarioFault("table", f"there is no terrain {max(table)}", "W2-3.1")
    for owner in (*range(8), NOBODY):
        if any(table[picture] != Terrain.CITY for picture in city_art(owner)):
            raise ScenarioFault("table", f"the cities of {owner} are no cities", "W2-3.4")
    return table


def sign_rows(terrain: Plane) -> tuple[str, ...]:
    """Convert terrain into rows of signs."""
    return rows_of(terrain.cells, "".join(row.sign for row in terrain_rows()))


def chosen_art(terrain: Plane, table: bytes, cities: Iterable[City], seed: int = 0) -> Plane:
    """Choose the pictures of all tiles by terrain and a hash of the position. Rules: W2-15.10.

    Cities have those of their owners (W2-3.4).
    """
    height, width = terrain.cells.shape
    y, x = np.indices((height, width), dtype=np.uint64)
    start = seed % 2**31 * 0xC2B2AE35
    mixed = (x * 0x9E3779B1 + y * 0x85EBCA6B + start) & 0xFFFFFFFF
    mixed = (mixed ^ mixed >> 15) * 0x2C1B3C6D & 0xFFFFFFFF
    drawn = (mixed ^ mixed >> 12) >> 8
    art = np.zeros((height, width), dtype=np.uint8)
    for code, pictures in pictures_of(table).items():
        if pictures:
            here = terrain.cells == code
            art[here] = np.array(pictures, dtype=np.uint8)[drawn[here] % len(pictures)]
    for city in cities:
        owner = 0 if city.razed and city.owner == NOBODY else city.owner
        block = razed_art(owner) if city.razed else city_art(owner)
        for (column, row), picture in zip(city.tiles, block, strict=True):
            art[row, column] = picture
    return Plane(art)
