"""Reach: where a group can stop this turn, and what it can attack."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.kit.fields import CostGrid, distances
from engine.kit.grid import Place
from engine.strategic import costs, sight
from engine.strategic.costs import Mode, Mover
from engine.strategic.pieces import STACK, Army
from engine.strategic.routes import DIRECTIONS
from engine.strategic.seen import TileMask
from engine.strategic.settings import RuleSettings
from engine.strategic.sight import has_fog
from engine.strategic.world import World, stacks

PointGrid = npt.NDArray[np.int32]


_NEVER: Final = 1 << 20

_MANY: Final = 800
"""On fewer tiles than this a queue is quicker than sweeps."""


class Reach(NamedTuple):
    """Tiles where a group can stop this turn with their cost; targets with the tile to attack from.

    ``crowded``: tiles it gets to but cannot stop on, for lack of room.
    """

    stops: Mapping[Place, int]
    targets: Mapping[Place, Place]
    crowded: frozenset[Place] = frozenset()


class _Around(NamedTuple):
    """Window around a group, as far as its points could carry it."""

    rows: slice
    columns: slice
    here: Place

    def places(self, cells: TileMask) -> list[Place]:
        """Tiles that are set."""
        left, top = self.columns.start, self.rows.start
        return [(x + left, y + top) for y, x in np.argwhere(cells).tolist()]


def reach(world: World, settings: RuleSettings, side: int, armies: tuple[Army, ...]) -> Reach:
    """Reach of a group this turn, as far as its side can tell."""
    who = costs.mover(world, settings.moving, armies)
    points = costs.points(armies)
    if who is None or points < 1:
        return Reach({}, {})
    lie = _lie(world, settings, who, armies[0].at, points)
    spent = _spent(world, settings, who, points, lie)
    coast = _coast(world, settings, who, points, lie, spent)
    full = _full(world, side, armies, lie)
    price = np.minimum(spent, coast)
    stops = (price <= points) & ~full
    stops[lie.here] = False
    crowded = frozenset(lie.places((spent <= points) & full)) if full.any() else frozenset()
    return Reach(
        dict(zip(lie.places(stops), price[stops].tolist(), strict=True)),
        _targets(world, settings, who, points, lie, np.where(full, _NEVER, spent)),
        crowded,
    )


def _lie(world: World, settings: RuleSettings, who: Mover, at: Place, points: int) -> _Around:
    """Window of the tiles that the points could reach, and one more on each side."""
    known = costs.prices(world, settings, who)
    whole = _square(at, points + 1)
    steps = known.steps[whole.rows, whole.columns]
    open_to = steps[(steps > 0) & ~known.shut[whole.rows, whole.columns]]
    cheapest = int(open_to.min()) if open_to.size else points
    return _square(at, points // cheapest + 1)


def _square(at: Place, wide: int) -> _Around:
    x, y = at
    rows = slice(max(0, y - wide), y + wide + 1)
    columns = slice(max(0, x - wide), x + wide + 1)
    return _Around(rows, columns, (y - rows.start, x - columns.start))


def _spent(
    world: World, settings: RuleSettings, who: Mover, points: int, lie: _Around
) -> PointGrid:
    """Points to each tile that does not end the way; more than there are where there is none.

    The price of a step is that of the tile it leads to, so the field runs away from the group.
    """
    window = lie.rows, lie.columns
    known = costs.prices(world, settings, who)
    steps = known.steps[window].astype(np.int16)
    blocked = known.shut[window] | (steps == 0)
    if has_fog(world, settings) and world.sides[who.side].human:
        blocked |= world.discovered.cells[window] >> who.side & 1 == 0
    toll = settings.moving.zone_toll
    ground = CostGrid(np.zeros_like(steps), steps, blocked, 8, zone=known.zone[window], toll=toll)
    start = lie.here[1], lie.here[0]
    if steps.size > _MANY:
        found = distances(ground, [start], limit=points)
    else:
        found = distances(ground, [start], limit=points, sweeps=0)
    return np.where(found <= points, found, _NEVER).astype(np.int32)


def _coast(
    world: World, settings: RuleSettings, who: Mover, points: int, lie: _Around, spent: PointGrid
) -> PointGrid:
    """Points to each tile where the group would go aboard or ashore."""
    rules, window = settings.moving, (lie.rows, lie.columns)
    best = np.full(spent.shape, _NEVER, dtype=np.int32)
    wet = sight.one_of(world.terrain.cells[window], rules.water - rules.keeps)
    if who.mode is Mode.GROUND:
        entry = np.where(wet, costs.afloat(world.terrain, rules)[window], 0).astype(np.int32)
    elif who.mode is Mode.WATER and who.aboard:
        entry = costs.ashore(world, settings, who)[window].astype(np.int32)
    else:
        return best
    docks = sight.docks(world, rules)[window]
    if not docks.any():
        return best
    taken = sight.others(world, settings, who.side).anyone | sight.foreign(world, who.side)
    entry = np.where(taken[window], 0, entry)
    zone = costs.prices(world, settings, who).zone[window]
    for near, far in _shifts(spent.shape):
        toll = np.where(zone[far] & ~zone[near], rules.zone_toll, 0)
        price = spent[near] + entry[far] + toll
        price[(entry[far] == 0) | ~(docks[near] | docks[far])] = _NEVER
        np.minimum(best[far], price, out=best[far])
    best[best > points] = _NEVER
    return best


def _shifts(shape: tuple[int, ...]) -> list[tuple[tuple[slice, slice], tuple[slice, slice]]]:
    """For each direction the tiles that have a neighbour there, and those neighbours."""
    height, width = shape
    found = []
    for dx, dy in DIRECTIONS:
        rows, columns = (
            slice(max(0, -dy), height - max(0, dy)),
            slice(max(0, -dx), width - max(0, dx)),
        )
        beyond = slice(max(0, dy), height - max(0, -dy)), slice(max(0, dx), width - max(0, -dx))
        found.append(((rows, columns), beyond))
    return found


def _full(world: World, side: int, armies: tuple[Army, ...], lie: _Around) -> TileMask:
    """Tiles on which the group finds no room beside others of its side."""
    shape = world.terrain.cells.shape
    full = np.zeros(shape, dtype=np.bool_)
    room = STACK - len(armies)
    for (x, y), stack in stacks(world.armies).items():
        if len(stack) > room and stack[0].owner == side and (x, y) != armies[0].at:
            full[y, x] = True
    return full[lie.rows, lie.columns]


def _targets(
    world: World, settings: RuleSettings, who: Mover, points: int, lie: _Around, spent: PointGrid
) -> dict[Place, Place]:
    """Tiles of others that can be attacked, and the cheapest tile to do it from."""
    window = lie.rows, lie.columns
    taken = sight.others(world, settings, who.side).anyone[window]
    taken = taken | sight.foreign(world, who.side)[window]
    left, top = lie.columns.start, lie.rows.start
    height, width = spent.shape
    found = {}
    for x, y in lie.places(taken & sight.around(spent < points)):
        beside = ((x + dx, y + dy) for dx, dy in DIRECTIONS)
        inside = [(a, b) for a, b in beside if 0 <= a - left < width and 0 <= b - top < height]
        paid = [(spent.item(b - top, a - left), number) for number, (a, b) in enumerate(inside)]
        most = points - costs.attack_need(world, settings, who, (x, y))
        for price, number in sorted(paid):
            if price > most or not costs.entry(world, settings, who, (x, y)):
                break
            if costs.links(world, settings, who, inside[number], (x, y)):
                found[x, y] = inside[number]
                break
    return found
