"""Generated maps for quick games, identical on every machine for the same seed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import product
from math import isqrt

import numpy as np

from engine.core.containers import Plane
from engine.core.dice import Dice, Seeded, shuffle
from engine.core.record import Record, replace
from engine.core.ruleset import ScenarioFault
from engine.kit.grid import neighbours
from engine.kit.noise import swell
from engine.kit.tables import load
from engine.rulesets.gd6.numbers import numbers
from engine.rulesets.gd6.raster import CellArray, contacts, nearest_cells, outlines, shore
from engine.rulesets.gd6.state import World
from engine.rulesets.gd6.world import CELL, MapTerritory, default_colours, lands, packing


class MapRecipe(Record, frozen=True):
    """The table ``data/generator.toml``, which explains its fields."""

    least_cells: int
    border_edges: int
    row_weight: int
    tries: int
    fewest_territories: int
    most_territories: int
    territories_per_seat: int
    cells_per_territory: int
    shape: tuple[int, int]
    sea_percent: int
    swells: tuple[tuple[int, int, int], ...]
    rim: int
    spread_percent: int
    spread_step: int
    openings: tuple[str, ...]
    endings: tuple[str, ...]


@cache
def recipe() -> MapRecipe:
    """Return the recipe of the map generator; its file is read once."""
    return load("engine.rulesets.gd6", "generator", MapRecipe)


@lru_cache(maxsize=8)
def generated(seed: str, territories: int, seats: int) -> World:
    """Return the map of ``generate``, cached: a scenario is asked for its map many times."""
    return generate(seed, territories, seats)


def generate(seed: str, territories: int, seats: int) -> World:
    """Return a new map with ``territories`` and room for a headquarters of each seat.

    Equal arguments give equal maps on every machine and in every version.
    Rules: GD-NEWMAP-1, GD-NEWMAP-6.

    Raises:
        ScenarioFault: a number is out of range, or no map was found within the allowed tries.
    """
    made = recipe()
    low, high = made.fewest_territories, made.most_territories
    if not low <= territories <= high:
        fault = f"a new map has {low} to {high} territories, not {territories}"
        raise ScenarioFault("map", fault, "GD-NEWMAP-1")
    fewest, most = numbers().fewest_seats.value, numbers().most_seats.value
    if not fewest <= seats <= most:
        fault = f"a new map is for {fewest} to {most} seats, not {seats}"
        raise ScenarioFault("map", fault, "GD-NEWMAP-1")
    for number in range(made.tries):
        dice = Seeded(seed.encode("utf-8", "surrogatepass"), number, f"map {territories} {seats}")
        world = attempt(dice, territories)
        if world is not None and world.most_seats >= seats:
            return replace(world, name=f"new-{territories}", title=f"New map {seed}".rstrip())
    fault = (
        f"{made.tries} maps of {territories} territories had no room for {seats} headquarters;"
        " more territories or fewer seats would help"
    )
    raise ScenarioFault("map", fault, "GD-NEWMAP-6")


def attempt(dice: Dice, territories: int) -> World | None:
    """Return a new map, or None if the attempt leaves a territory too small.

    Rules: GD-NEWMAP-5. See: GD-NEWMAP-2 to GD-NEWMAP-4.
    """
    made = recipe()
    land = coast(dice, territories)
    sites = scatter(dice, land, territories)
    if len(sites) < territories:
        return None
    drawn = trim(claim(land, sites))
    count = int(drawn.cells.max())
    if count < territories:
        return None
    shared = contacts(drawn)
    borders = [pair for pair, edges in shared.items() if edges >= made.border_edges]
    bridges = join_parts(drawn, borders)
    rows = [MapTerritory(at, name) for at, name in enumerate(_names(dice, count), 1)]
    joined = (*borders, *bridges)
    world = World(
        name="new",
        title="New map",
        lands=lands(rows, outlines(drawn, count, CELL), joined),
        canvas=(drawn.width * CELL[0], drawn.height * CELL[1]),
        sea_routes=tuple(pair for pair in bridges if pair not in shared),
        seams=tuple(pair for pair in shared if pair not in joined),
        colours=default_colours(),
    )
    sites_for_hq = packing(world)
    return replace(world, sites=sites_for_hq, most_seats=len(sites_for_hq))


def coast(dice: Dice, territories: int) -> CellArray:
    """Return a mask of the land of a new map. Rules: GD-NEWMAP-2.

    The land is the highest part of smooth noise that is lowered along the edge of the map.
    """
    made = recipe()
    across, down = made.shape
    rows = isqrt(territories * made.cells_per_territory * down // across)
    columns = rows * across // down
    height = np.zeros((rows, columns), dtype=np.int64)
    for wide, high, weight in made.swells:
        height += weight * swell(dice, (rows, columns), (wide, high))
    x, y = np.arange(columns), np.arange(rows)[:, None] * made.row_weight
    edge = np.minimum(
        np.minimum(x, columns - 1 - x), np.minimum(y, (rows - 1) * made.row_weight - y)
    )
    height += np.maximum(made.rim - edge, 0) * (int(height.max()) // made.rim)
    order = np.argsort(-height, axis=None, kind="stable")
    land = np.ones(rows * columns, dtype=bool)
    land[order[: rows * columns * made.sea_percent // 100]] = False
    return land.reshape(rows, columns)


def scatter(dice: Dice, land: CellArray, count: int) -> tuple[tuple[int, int], ...]:
    """Draw ``count`` sites (row, column) on land, far apart, and return them from west to east.

    The distance shrinks until all fit. Empty if they never do. Rules: GD-NEWMAP-3.
    """
    made = recipe()
    even = int(land.sum()) * made.row_weight // count
    square = even * made.spread_percent**2 // 100**2 * 2
    while square > 1:
        found = _scattered(dice, land, count, square)
        if len(found) == count:
            return tuple(sorted(found, key=lambda site: (site[1], site[0])))
        square = square * made.spread_step**2 // 100**2
    return ()


def _scattered(dice: Dice, land: CellArray, count: int, square: int) -> list[tuple[int, int]]:
    free = land.copy()
    found: list[tuple[int, int]] = []
    while len(found) < count and free.any():
        open_cells = np.flatnonzero(free)
        row, column = divmod(int(open_cells[dice.roll(len(open_cells)) - 1]), land.shape[1])
        found.append((row, column))
        free &= _square(land, (row, column)) >= square
    return found


def _square(land: CellArray, site: tuple[int, int]) -> CellArray:
    """Return the squared distance of each cell from a site; rows count double."""
    down = (np.arange(land.shape[0])[:, None] - site[0]) * recipe().row_weight
    across = np.arange(land.shape[1]) - site[1]
    return np.asarray(down**2 + across**2)


def claim(land: CellArray, sites: tuple[tuple[int, int], ...]) -> CellArray:
    """Return the number of each cell's nearest site, from 1; 0 for the sea. Rules: GD-NEWMAP-3."""
    away = np.stack([_square(land, site) for site in sites])
    return np.where(land, away.argmin(axis=0) + 1, 0)


def trim(claimed: CellArray) -> Plane:
    """Return the large enough territories, renumbered from 1; 0 elsewhere. Rules: GD-NEWMAP-3.

    Only the largest connected part of a territory is kept; the rest becomes sea.
    """
    kept = np.zeros_like(claimed)
    count = 0
    for at in range(1, int(claimed.max()) + 1):
        part = largest_part(claimed == at)
        if part.sum() >= recipe().least_cells:
            count += 1
            kept[part] = count
    return Plane(kept)


def _names(dice: Dice, count: int) -> Iterator[str]:
    """Yield distinct names of two syllables. Rules: GD-NEWMAP-5."""
    made = recipe()
    yield from shuffle(dice, map("".join, product(made.openings, made.endings)))[:count]


# -- connected parts -------------------------------------------------------------------------------


def largest_part(inside: CellArray) -> CellArray:
    """Return the largest 4-connected part of a mask; northernmost in a tie. See: GD-NEWMAP-3."""
    best, left = np.zeros_like(inside), inside.copy()
    while left.any():
        start = int(np.flatnonzero(left)[0])
        part = _flood(left, divmod(start, inside.shape[1]))
        left &= ~part
        if part.sum() > best.sum():
            best = part
    return best


def _flood(inside: CellArray, start: tuple[int, int]) -> CellArray:
    """Return the 4-connected part of a mask around a cell."""
    found = np.zeros_like(inside)
    found[start] = True
    ahead = [start]
    while ahead:
        for cell in neighbours(*ahead.pop(), inside.shape):
            if inside[cell] and not found[cell]:
                found[cell] = True
                ahead.append(cell)
    return found


def join_parts(drawn: Plane, borders: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return the borders to add until all territories are connected. Rules: GD-NEWMAP-4.

    Each joins the nearest two territories of different parts. Ties go to the lowest numbers.
    """
    count = int(drawn.cells.max())
    part = list(range(count + 1))
    for pair in borders:
        _merge(part, pair)
    shores = [shore(drawn, at) for at in range(count + 1)]
    gaps = sorted(
        (nearest_cells(shores[one], shores[other])[0], one, other)
        for one in range(1, count + 1)
        for other in range(one + 1, count + 1)
        if part[one] != part[other]
    )
    added = []
    for _, one, other in gaps:
        if part[one] != part[other]:
            added.append((one, other))
            _merge(part, (one, other))
    return tuple(sorted(added))


def _merge(part: list[int], pair: tuple[int, int]) -> None:
    kept, gone = sorted((part[pair[0]], part[pair[1]]))
    part[:] = [kept if one == gone else one for one in part]
