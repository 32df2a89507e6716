"""Maps: shipped maps, map files, checks, distances, sites for headquarters."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from itertools import combinations
from typing import Final, TypeAlias

import msgspec
import numpy as np

from engine.core.codec import convert
from engine.core.containers import Plane
from engine.core.documents import read_toml
from engine.core.record import Record
from engine.core.ruleset import ScenarioFault
from engine.kit.identity_cache import identity_cache
from engine.kit.places import distances_from, neighbours_of
from engine.rulesets.gd6.numbers import numbers
from engine.rulesets.gd6.raster import contacts, outlines
from engine.rulesets.gd6.state import Land, World

Pair: TypeAlias = tuple[int, int]

FAR: Final = -1
"""Distance of territories that are not connected."""

CELL: Final = (10, 20)
"""Size of a grid cell in map units, across and down."""

_FIRST: Final = ("world64", "west16")
"""Names of the shipped maps, the default first."""


class MapTerritory(Record, frozen=True):
    """A territory of a map file. The counts of cells are expected values for a check."""

    id: int
    name: str = ""
    region: str = ""
    polygon: tuple[Pair, ...] = ()
    label_10x20: Pair | None = None
    cells_10x20: int | None = None
    label_20x40: Pair | None = None
    cells_20x40: int | None = None


class MapFile(Record, frozen=True):
    """A map file: territories and borders, and polygons or a grid of cells.

    ``cells`` holds rows of territory numbers, 0 for the sea. Routes and seams that are None are
    derived from the polygons or the cells.
    """

    name: str
    borders: tuple[Pair, ...]
    territory: tuple[MapTerritory, ...] = ()
    title: str = ""
    canvas: Pair = (0, 0)
    sea_routes: tuple[Pair, ...] | None = None
    wrap_routes: tuple[Pair, ...] = ()
    impassable_seams: tuple[Pair, ...] | None = None
    seat_colours: tuple[str, ...] = ()
    hq_suggestions: tuple[int, ...] = ()
    max_seats: int = 0
    cells: tuple[tuple[int, ...], ...] = ()


def names() -> tuple[str, ...]:
    """Return the names of the shipped maps, the default first. See: GD-MAP-1."""
    return _FIRST


@cache
def shipped(name: str) -> World:
    """Return a shipped map. See: GD-MAP-1.

    Raises:
        ScenarioFault: no map has that name.
    """
    if name not in _FIRST:
        known = ", ".join(_FIRST)
        raise ScenarioFault("map", f"there is no map {name!r}; known: {known}", "GD-MAP-1")
    return read(files(__package__).joinpath("maps", f"{name}.toml").read_bytes())


def default_colours() -> tuple[str, ...]:
    """Return the colours of the seats on maps that define none. See: GD-MAP-1."""
    return shipped(_FIRST[0]).colours


def read(data: bytes) -> World:
    """Read a map from the bytes of a map file. See: GD-MAP-3.

    Raises:
        ScenarioFault: the file is not a map; gives the place of the first fault.
    """
    try:
        made = convert(read_toml(data), MapFile)
    except (msgspec.ValidationError, ValueError) as problem:
        raise ScenarioFault("map", str(problem), "GD-MAP-3") from None
    return build(made)


def build(given: MapFile) -> World:
    """Build a map from the record of a map file. See: GD-MAP-3.

    Raises:
        ScenarioFault: with the place of the first fault.
    """
    placed = {row.id: row for row in given.territory}
    numbers_used = set(placed) | {at for row in given.cells for at in row if at}
    count = max(numbers_used, default=0)
    if numbers_used != set(range(1, count + 1)) or len(placed) < len(given.territory):
        fault = "the territories are not numbered 1, 2, 3 and so on"
        raise ScenarioFault("map.territory", fault, "GD-MAP-3")
    rows = [placed.get(at, MapTerritory(at)) for at in range(1, count + 1)]
    drawn = _polygons(given, rows)
    apart, seams = _lie(given, drawn)
    canvas = given.canvas
    if given.cells:
        canvas = CELL[0] * len(given.cells[0]), CELL[1] * len(given.cells)
    world = World(
        name=given.name,
        title=given.title or given.name,
        lands=lands(rows, drawn, given.borders),
        canvas=canvas,
        sea_routes=apart if given.sea_routes is None else tuple(map(ordered, given.sea_routes)),
        wrap_routes=tuple(map(ordered, given.wrap_routes)),
        seams=seams
        if given.impassable_seams is None
        else tuple(map(ordered, given.impassable_seams)),
        colours=given.seat_colours or default_colours(),
        sites=given.hq_suggestions,
        most_seats=given.max_seats,
    )
    check_world(world)
    return world


def lands(
    rows: Iterable[MapTerritory], drawn: Iterable[tuple[Pair, ...]], borders: Iterable[Pair]
) -> tuple[Land, ...]:
    """Return the lands of a map, with their polygons and neighbours. See: GD-MAP-3."""
    beside = neighbours_of(borders)
    return tuple(
        Land(
            id=row.id,
            name=row.name,
            neighbours=beside.get(row.id, ()),
            region=row.region,
            polygon=polygon,
            label=row.label_10x20,
            small_label=row.label_20x40,
        )
        for row, polygon in zip(rows, drawn, strict=True)
    )


def ordered(pair: Pair) -> Pair:
    """Return the pair with the lower number first."""
    return min(pair), max(pair)


def _polygons(given: MapFile, rows: list[MapTerritory]) -> list[tuple[Pair, ...]]:
    if not given.cells:
        return [row.polygon for row in rows]
    if len({len(row) for row in given.cells}) != 1 or not given.cells[0]:
        raise ScenarioFault("map.cells", "the rows have different lengths", "GD-MAP-3")
    return list(outlines(_grid(given), len(rows), CELL))


def _grid(given: MapFile) -> Plane:
    return Plane(np.array(given.cells, dtype=np.int64))


def _lie(
    given: MapFile, drawn: list[tuple[Pair, ...]]
) -> tuple[tuple[Pair, ...], tuple[Pair, ...]]:
    """Return sea routes (borders without contact) and seams (contact without a border).

    Polygons are in contact if they share a corner, and have a seam if they share two.
    """
    if given.cells:
        touching, seam = contacts(_grid(given)), 1
    else:
        touching, seam = _corners_shared(drawn), 2
    joined = {ordered(pair) for pair in given.borders}
    apart = tuple(sorted(pair for pair in joined if pair not in touching))
    along = (pair for pair, count in touching.items() if count >= seam and pair not in joined)
    return apart, tuple(sorted(along))


def _corners_shared(drawn: list[tuple[Pair, ...]]) -> Counter[Pair]:
    """Count shared polygon corners by pair of territories."""
    corners: dict[Pair, set[int]] = {}
    for at, polygon in enumerate(drawn, 1):
        for corner in polygon:
            corners.setdefault(corner, set()).add(at)
    return Counter(
        pair for meeting in corners.values() for pair in combinations(sorted(meeting), 2)
    )


# -- distances -------------------------------------------------------------------------------------


@identity_cache
def distances(world: World) -> Plane:
    """Return distances between all territories in borders crossed; FAR if not connected.

    Indexed by territory number; row and column 0 are unused. Rules: GD-MAP-4.
    """
    count = len(world.lands)
    found = np.full((count + 1, count + 1), FAR, dtype=np.int16)
    for start in range(1, count + 1):
        for at, steps in distances_from(world, (start,)).items():
            found[start, at] = steps
    return Plane(found)


def distance(world: World, one: int, other: int) -> int:
    """Return the distance of two territories in borders; FAR if unconnected. See: GD-MAP-4."""
    return distances(world)[one, other]


def packing(world: World) -> tuple[int, ...]:
    """Return sites for headquarters, found by a greedy search. See: GD-MAP-5.

    Each site excludes the fewest others. Ties go to the lowest number.
    """
    apart = numbers().hq_min_distance.value
    table = distances(world).cells
    close = (table != FAR) & (table < apart)
    left = np.ones(len(table), dtype=bool)
    left[0] = False
    found = []
    while left.any():
        taken = (close & left).sum(axis=1)
        taken[~left] = len(table)
        best = int(taken.argmin())
        found.append(best)
        left &= ~close[best]
    return tuple(found)


def site_count(world: World) -> int:
    """Return the number of headquarters that certainly fit on the map. Rules: GD-MAP-5."""
    return world.most_seats or len(packing(world))


# -- checks ----------------------------------------------------------------------------------------

_WIDEST: Final = 20_000
"""Maximum width or height of a canvas, in map units."""
_COLOUR: Final = re.compile(r"#[0-9a-fA-F]{3}")


def check_world(world: World) -> None:
    """Refuse a map that cannot be played or drawn. Rules: GD-MAP-3.

    Raises:
        ScenarioFault: with the place of the first fault.
    """
    for place, text in _faults(world):
        raise ScenarioFault(place, text, "GD-MAP-3")


def _faults(world: World) -> Iterator[tuple[str, str]]:
    most = numbers().most_territories.value
    if not 1 <= len(world.lands) <= most:
        yield "world.lands", f"there are {len(world.lands)} territories, not 1 to {most}"
        return
    if not (0 <= world.canvas[0] <= _WIDEST and 0 <= world.canvas[1] <= _WIDEST):
        yield "world.canvas", f"a canvas is at most {_WIDEST} units wide and high"
    for place, land in enumerate(world.lands):
        where = f"world.lands[{place}]"
        if land.id != place + 1:
            yield f"{where}.id", f"this is territory {place + 1}, not {land.id}"
        yield from _border_faults(world, land, f"{where}.neighbours")
        yield from _shape_faults(world, land, f"{where}.polygon")
    yield from _pair_faults(world)
    for number, colour in enumerate(world.colours):
        if not _COLOUR.fullmatch(colour):
            yield f"world.colours[{number}]", f"{colour[:20]!r} is no colour such as #f80"


def _border_faults(world: World, land: Land, where: str) -> Iterator[tuple[str, str]]:
    known = range(1, len(world.lands) + 1)
    if list(land.neighbours) != sorted(set(land.neighbours)):
        yield where, "the neighbours are not in order, or one stands twice"
    for other in land.neighbours:
        if other not in known:
            yield where, f"there is no territory {other}"
        elif other == land.id:
            yield where, "a territory does not lie beside itself"
        elif land.id not in world.beside(other):
            yield where, f"{land.id} lies beside {other}, but {other} not beside {land.id}"


def _shape_faults(world: World, land: Land, where: str) -> Iterator[tuple[str, str]]:
    if 0 < len(land.polygon) < 3:
        yield where, "a polygon has at least 3 points"
    width, height = world.canvas
    if any(not (0 <= x <= width and 0 <= y <= height) for x, y in land.polygon):
        yield where, f"a point is not on the canvas of {width} x {height}"


def _pair_faults(world: World) -> Iterator[tuple[str, str]]:
    known = range(1, len(world.lands) + 1)
    for name, pairs in (("sea_routes", world.sea_routes), ("seams", world.seams)):
        for one, other in pairs:
            if one not in known or other not in known:
                yield f"world.{name}", f"{one},{other} is no pair of territories"
            elif (other in world.beside(one)) is (name == "seams"):
                has = "a border" if name == "seams" else "no border"
                yield f"world.{name}", f"there is {has} between {one} and {other}"
    for pair in world.wrap_routes:
        if pair not in world.sea_routes:
            yield "world.wrap_routes", f"{pair[0]},{pair[1]} is no sea route"
    for at in world.sites:
        if at not in known:
            yield "world.sites", f"there is no territory {at}"
