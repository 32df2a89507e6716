"""Measures of a map: paths, regions, waters, walls, strength (section 16.2). Units do not block."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from engine.kit.fields import FAR, CostGrid, distances
from engine.kit.grid import Place, neighbours
from engine.rulesets.weltendaemmerung.fighting import WALLS
from engine.rulesets.weltendaemmerung.lookup import side_of
from engine.rulesets.weltendaemmerung.scenario import grid
from engine.rulesets.weltendaemmerung.state import DAILOR, ELDOIN, Map, Terrain
from engine.rulesets.weltendaemmerung.tables import enterable, prices, type_numbers, units_table

Region: TypeAlias = frozenset[Place]

WALKER: Final = "axe"
"""A unit type on foot; all such types may enter the same terrain (WD-TERR-4)."""

_FALL: Final = 1 << 16
"""Cost of breaking a wall in ``barriers``; exceeds the cost of any path on a map."""


class Strength(NamedTuple):
    """Number of units of a side, their total life and their total attack."""

    units: int
    life: int
    attack: int


def places(scenario: Map, *terrains: int) -> Region:
    """Return the tiles of some terrains."""
    rows, columns = np.nonzero(np.isin(grid(scenario).cells, terrains))
    return frozenset(zip(columns.tolist(), rows.tolist(), strict=True))


def sites(scenario: Map, side: int | None = None) -> Region:
    """Return the gate sites of one side or of both. Rules: WD-GATE-1, WD-GATE-2."""
    return frozenset(
        (site.x, site.y)
        for site in scenario.sites
        if side is None or side == (ELDOIN if site.x < scenario.frontier else DAILOR)
    )


def commander(scenario: Map) -> Place:
    """Return the tile of Eldoin's commander."""
    return next((unit.x, unit.y) for unit in scenario.units if unit.type == "lord_e")


def front(scenario: Map, kind: str) -> Place:
    """Return the tile of the type's westernmost unit nearest to the middle row."""
    middle = len(scenario.rows) // 2
    found = [(unit.x, unit.y) for unit in scenario.units if unit.type == kind]
    return min(found, key=lambda place: (place[0], abs(place[1] - middle), place[1]))


def ground(scenario: Map, kind: str, shut: Collection[Place] = ()) -> CostGrid:
    """Return the step costs of a type with the gates ``shut`` shut and all others open.

    A step costs as much as the tile that it leaves. Rules: WD-MOVE-2, WD-TERR-2, WD-TERR-4.
    """
    cells, number = grid(scenario).cells, type_numbers()[kind]
    leave = np.array(prices()[number])[cells]
    blocked = ~np.array(enterable()[number])[cells]
    for x, y in sites(scenario) - set(shut):
        # An open gate is pavement, closed to ships only.
        blocked[y, x] = not enterable()[number][Terrain.PAVEMENT]
        leave[y, x] = prices()[number][Terrain.PAVEMENT]
    return CostGrid(np.maximum(leave, 1), np.zeros_like(leave), blocked)


def points(
    scenario: Map, kind: str, goals: Iterable[Place], shut: Collection[Place] = ()
) -> int | None:
    """Return the points from a type's front to the nearest of some tiles, or None without a path.

    Rules: WD-MOVE-2.
    """
    return _nearest(ground(scenario, kind, shut), front(scenario, kind), goals)


def _nearest(ground: CostGrid, start: Place, goals: Iterable[Place]) -> int | None:
    field = distances(ground, [start])
    best = min(int(field[y, x]) for x, y in goals)
    return None if best >= FAR else best


def west_edge(scenario: Map) -> Region:
    """Return the westernmost column. Rules: WD-WIN-4."""
    return frozenset((0, y) for y in range(len(scenario.rows)))


def barriers(scenario: Map, goals: Iterable[Place]) -> int | None:
    """Return the number of gates and walls between axe men and the nearest of some tiles.

    Eldoin's gates are shut, Dailor's open. Mountains and hard walls cannot fall. None without a
    path.

    Rules: WD-SIEGE-2, WD-SIEGE-3.
    """
    open_ground = ground(scenario, WALKER, sites(scenario, ELDOIN))
    falls = np.isin(grid(scenario).cells, (Terrain.GATE, *sorted(WALLS))) & open_ground.blocked
    step = np.ones_like(open_ground.leave)
    weighed = CostGrid(step, np.where(falls, _FALL, 0), open_ground.blocked & ~falls)
    cost = _nearest(weighed, front(scenario, WALKER), goals)
    return None if cost is None else cost // _FALL


def parts(tiles: Region) -> tuple[Region, ...]:
    """Return the connected parts of a set of tiles, joined by their sides, the largest first."""
    left, found = set(tiles), []
    while left:
        start = min(left)
        left.remove(start)
        piece, waiting = {start}, [start]
        while waiting:
            x, y = waiting.pop()
            beside = {(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)} & left
            left -= beside
            piece |= beside
            waiting += beside
        found.append(frozenset(piece))
    return tuple(sorted(found, key=lambda piece: (-len(piece), min(piece))))


def regions(scenario: Map, shut: Collection[Place] = ()) -> tuple[Region, ...]:
    """Return the regions for units on foot, without End tiles, with the gates ``shut`` shut."""
    blocked: npt.NDArray[np.bool_] = ground(scenario, WALKER, shut).blocked
    rows, columns = np.nonzero(~blocked)
    walkable = frozenset(zip(columns.tolist(), rows.tolist(), strict=True))
    return parts(walkable - places(scenario, Terrain.END))


def closes(scenario: Map, site: Place) -> bool:
    """Return whether a site's shut gate separates two regions while the others are shut too."""
    size = (len(scenario.rows[0]), len(scenario.rows))
    beside = set(neighbours(*site, size))
    return sum(bool(beside & region) for region in regions(scenario, sites(scenario))) > 1


def walled_in(scenario: Map, tile: Place) -> bool:
    """Return whether no unit on foot can reach a tile, even with all gates open."""
    size = (len(scenario.rows[0]), len(scenario.rows))
    blocked: npt.NDArray[np.bool_] = ground(scenario, WALKER).blocked
    return all(bool(blocked[y, x]) for x, y in neighbours(*tile, size))


def fleets(scenario: Map) -> tuple[int, ...]:
    """Return the number of ships on each of the separate waters, the largest water first."""
    ships = {(unit.x, unit.y) for unit in scenario.units if unit.type == "ship"}
    return tuple(len(ships & water) for water in parts(places(scenario, Terrain.RIVER)))


def river_width(scenario: Map, row: int) -> int:
    """Return the length of the longest stretch of river in a row."""
    strip = frozenset(place for place in places(scenario, Terrain.RIVER) if place[1] == row)
    return max((len(stretch) for stretch in parts(strip)), default=0)


def strength(scenario: Map, side: int) -> Strength:
    """Return the strength of a side at the start. Rules: WD-UNIT-1."""
    numbers = [type_numbers()[unit.type] for unit in scenario.units]
    rows = [units_table()[number] for number in numbers if side_of(number) == side]
    return Strength(len(rows), sum(row.v for row in rows), sum(row.a for row in rows))
