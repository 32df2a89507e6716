"""Land of a scenario: rows of signs to planes and back, pictures of tiles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from engine.core.containers import Plane
from engine.core.record import Record
from engine.core.ruleset import ScenarioFault
from engine.kit.fields import Numbers
from engine.rulesets.warlords2.scene import BARE, ROAD, Map
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
from engine.strategic.pieces import NOBODY, City

RULE = "W2-1.1"


class LandPlanes(Record, frozen=True):
    """Planes of a map, uint8 of shape (height, width), and the category of each picture.

    ``art`` is None where the scenario leaves the pictures to the game.
    """

    terrain: Plane
    roads: Plane
    table: bytes
    art: Plane | None


def land_of(scene: Map) -> LandPlanes:
    """Planes of a scenario's rows. Rules: W2-1.1, W2-3.2.

    Raises:
        ScenarioFault: rows differ in size, or hold an unknown sign or picture.
    """
    known = {sign: int(code) for sign, code in signs().items()}
    terrain = _plane(scene.rows, "rows", known)
    size = (terrain.width, terrain.height)
    if not (2 <= size[0] <= WIDTH and 2 <= size[1] <= HEIGHT):
        text = f"{size[0]} x {size[1]} tiles; from 2 x 2 to {WIDTH} x {HEIGHT} are possible"
        raise ScenarioFault("rows", text, RULE)
    bare = Plane(np.zeros((size[1], size[0]), dtype=np.uint8))
    roads = _plane(scene.roads, "roads", {BARE: 0, ROAD: 1}, size) if scene.roads else bare
    table = _table(scene.table)
    art = numbers_of(scene.art, "art", size) if scene.art else None
    if art is not None:
        wrong = np.argwhere(np.frombuffer(table, dtype=np.uint8)[art.cells] != terrain.cells)
        for y, x in wrong[:1]:
            text = f"the picture at ({x}, {y}) is of another terrain than the sign there"
            raise ScenarioFault(f"art[{y}]", text, "W2-3.2")
    return LandPlanes(terrain, roads, table, art)


def _plane(
    rows: Sequence[str], field: str, known: dict[str, int], size: tuple[int, int] | None = None
) -> Plane:
    width = size[0] if size else len(rows[0]) if rows else 0
    if not width or (size and len(rows) != size[1]):
        text = f"{len(rows)} rows, the map has {size[1]}" if size else "there are no rows"
        raise ScenarioFault(field, text, RULE)
    values = []
    for number, row in enumerate(rows):
        if len(row) != width:
            text = f"{len(row)} tiles wide, not {width}"
            raise ScenarioFault(f"{field}[{number}]", text, RULE)
        strange = next((sign for sign in row if sign not in known), None)
        if strange is not None:
            text = f"the sign {strange!r} is none of {''.join(known)!r}"
            raise ScenarioFault(f"{field}[{number}]", text, "W2-3.1")
        values.append([known[sign] for sign in row])
    return Plane(np.array(values, dtype=np.uint8))


def _table(text: str) -> bytes:
    if not text:
        return native_table()
    table = _bytes(text, "table", PICTURES)
    if max(table) >= len(Terrain):
        raise ScenarioFault("table", f"there is no terrain {max(table)}", "W2-3.1")
    for owner in (*range(8), NOBODY):
        if any(table[picture] != Terrain.CITY for picture in city_art(owner)):
            raise ScenarioFault("table", f"the cities of {owner} are no cities", "W2-3.4")
    return table


def numbers_of(rows: Sequence[str], field: str, size: tuple[int, int]) -> Plane:
    """Rows of two hexadecimal digits for each tile, as a plane of uint8.

    Raises:
        ScenarioFault: they do not fit the map, or hold other signs.
    """
    width, height = size
    if len(rows) != height:
        raise ScenarioFault(field, f"{len(rows)} rows, the map has {height}", RULE)
    data = b"".join(_bytes(row, f"{field}[{number}]", width) for number, row in enumerate(rows))
    return Plane(np.frombuffer(data, dtype=np.uint8).reshape(height, width))


def _bytes(text: str, place: str, count: int) -> bytes:
    if len(text) != 2 * count:
        raise ScenarioFault(place, f"{len(text)} hexadecimal digits, not {2 * count}", RULE)
    try:
        return bytes(int(text[at : at + 2], 16) for at in range(0, len(text), 2))
    except ValueError:
        raise ScenarioFault(place, "not all are hexadecimal digits", RULE) from None


def hex_rows(plane: Plane) -> tuple[str, ...]:
    """The reverse of ``numbers_of``."""
    return tuple(bytes(row.tolist()).hex() for row in plane.cells)


def sign_rows(terrain: Plane) -> tuple[str, ...]:
    """Terrain as rows of signs."""
    return _rows(terrain.cells, "".join(row.sign for row in terrain_rows()))


def road_rows(roads: Plane) -> tuple[str, ...]:
    """Roads as rows of signs; none where there is no road."""
    return _rows(roads.cells, BARE + ROAD) if roads.cells.any() else ()


def _rows(cells: Numbers, letters: str) -> tuple[str, ...]:
    return tuple("".join(letters[code] for code in row) for row in cells.tolist())


def chosen_art(terrain: Plane, table: bytes, cities: Iterable[City], seed: int = 0) -> Plane:
    """Pictures of all tiles, chosen by terrain and a hash of the place. Rules: W2-15.10.

    Cities have those of their owners (W2-3.4).
    """
    height, width = terrain.cells.shape
    y, x = np.indices((height, width), dtype=np.uint64)
    mixed = (x * 0x9E3779B1 + y * 0x85EBCA6B + np.uint64(seed % 2**31) * 0xC2B2AE35) & 0xFFFFFFFF
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
