"""Crossings: paths that embark or land on the way and continue in later turns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.kit.fields import FAR, CostGrid, distances
from engine.kit.grid import Place
from engine.kit.identity_cache import identity_lru
from engine.strategic import costs, sight
from engine.strategic.costs import Mode, Mover
from engine.strategic.pieces import STACK, Army
from engine.strategic.reach import shifts
from engine.strategic.routes import DIRECTIONS, LastStep, Route, described, last_steps, open_goals
from engine.strategic.seen import TileMask
from engine.strategic.settings import RuleSettings
from engine.strategic.world import World, stacks

DistanceGrid = npt.NDArray[np.int32]

_CROSSINGS: Final = 4
"""Maximum number of changes between land and sea on a path."""


class _Layer(NamedTuple):
    """Distances after a number of crossings, for a mover on foot or aboard.

    ``begun`` has the distances of the tiles where the mover last embarked or landed, FAR elsewhere.
    """

    who: Mover
    steps: DistanceGrid
    begun: DistanceGrid
    spent: DistanceGrid


def legs(
    world: World, settings: RuleSettings, side: int, armies: tuple[Army, ...], to: Place
) -> tuple[Route, ...]:
    """Return the legs of a path across the coast; each but the last embarks or lands.

    Return () if the rule book has no such paths or none leads there. Paths of human players avoid
    undiscovered tiles.
    """
    who = costs.mover(world, settings.moving, armies)
    if settings.moving.crossing is None or who is None or who.side != side:
        return ()
    if who.mode is Mode.AIR or who.boats or to == armies[0].at:
        return ()
    layers = _layers(world, settings, who, armies[0].at, len(armies))
    found = min(_ends(world, settings, layers, armies[0].at, to), default=None)
    if found is None:
        return ()
    lines = _lines(world, settings, layers, found[1], found[2])
    rows = zip(layers, lines, strict=False)
    return tuple(described(world, settings, layer.who, line) for layer, line in rows)


@identity_lru(4)
def _layers(
    world: World, settings: RuleSettings, who: Mover, src: Place, size: int
) -> tuple[_Layer, ...]:
    """Return the layers of the paths of a group of ``size`` armies, its present mode first."""
    foot = who._replace(mode=Mode.GROUND, aboard=False)
    ship = who._replace(mode=Mode.WATER, aboard=True)
    order = (foot, ship) if who.mode is Mode.GROUND else (ship, foot)
    grounds = [_ground(world, settings, one) for one in order]
    entries = [
        _entries(world, settings, one, blocked)
        for one, (_, blocked) in zip(order, reversed(grounds), strict=True)
    ]
    for (x, y), stack in stacks(world.armies).items():
        if len(stack) + size > STACK:
            for found in entries:
                found[y, x] = 0
    docks = sight.docks(world, settings.moving)
    begun = np.full(world.terrain.cells.shape, FAR, dtype=np.int32)
    begun[src[1], src[0]] = 0
    made: list[_Layer] = []
    for number in range(_CROSSINGS + 1):
        steps, blocked = grounds[number % 2]
        spent = _spread(steps, blocked, begun)
        made.append(_Layer(order[number % 2], steps, begun, spent))
        begun = _crossed(spent, entries[number % 2], docks, settings.moving.crossing or 0)
        if not (begun < FAR).any():
            break
    return tuple(made)


def _ground(world: World, settings: RuleSettings, who: Mover) -> tuple[DistanceGrid, TileMask]:
    """Return the prices of steps and the tiles that paths cannot cross."""
    known = costs.prices(world, settings, who)
    blocked = known.shut | (known.steps == 0)
    if sight.has_fog(world, settings) and world.sides[who.side].human:
        blocked = blocked | (world.discovered.cells >> who.side & 1 == 0)
    return known.steps.astype(np.int32), blocked


def _entries(world: World, settings: RuleSettings, who: Mover, blocked: TileMask) -> DistanceGrid:
    """Return the prices of embarking or landing on each tile, 0 where ``blocked`` is set."""
    found = costs.coast_prices(world, settings, who).astype(np.int32)
    found[blocked] = 0
    return found


def _spread(steps: DistanceGrid, blocked: TileMask, begun: DistanceGrid) -> DistanceGrid:
    rows, columns = np.nonzero(begun < FAR)
    sources = {
        (x, y): int(begun[y, x]) for y, x in zip(rows.tolist(), columns.tolist(), strict=True)
    }
    return distances(CostGrid(np.zeros_like(steps), steps, blocked, 8), sources)


def _crossed(
    spent: DistanceGrid, entries: DistanceGrid, docks: TileMask, crossing: int
) -> DistanceGrid:
    """Return the distances of the tiles where a path embarks or lands."""
    best = np.full(spent.shape, FAR, dtype=np.int32)
    for near, far in shifts(spent.shape):
        price = spent[near] + entries[far] + crossing
        price[(spent[near] >= FAR) | (entries[far] == 0) | ~(docks[near] | docks[far])] = FAR
        np.minimum(best[far], price, out=best[far])
    return best


def _ends(
    world: World, settings: RuleSettings, layers: tuple[_Layer, ...], src: Place, to: Place
) -> Iterator[tuple[int, int, LastStep]]:
    """Yield the last steps of paths that cross the coast: total distance, layer and step."""
    for number, layer in enumerate(layers[1:], 1):
        goals = open_goals(world, settings, layer.who, src, to, wary=False)
        for at, goal in last_steps(world, settings, layer.who, goals, wary=False):
            spent = int(layer.spent[at[1], at[0]])
            if spent < FAR:
                yield spent + costs.entry(world, settings, layer.who, goal), number, (at, goal)


def _lines(
    world: World,
    settings: RuleSettings,
    layers: tuple[_Layer, ...],
    number: int,
    last: LastStep,
) -> list[tuple[Place, ...]]:
    """Return the tiles of each leg, from its start to its end."""
    docks, crossing = sight.docks(world, settings.moving), settings.moving.crossing or 0
    lines: list[tuple[Place, ...]] = []
    here, end = last
    while True:
        layer = layers[number]
        line = [end, here]
        while layer.begun[here[1], here[0]] != layer.spent[here[1], here[0]]:
            here = _before(layer.spent, here, int(layer.steps[here[1], here[0]]))
            line.append(here)
        lines.append(tuple(reversed(line)))
        if not number:
            return lines[::-1]
        number, end = number - 1, here
        entry = costs.entry(world, settings, layers[number].who, end)
        known = None if docks[end[1], end[0]] else docks
        wanted = int(layer.begun[end[1], end[0]]) - crossing
        here = _before(layers[number].spent, end, entry, known, wanted)


def _before(
    spent: DistanceGrid,
    here: Place,
    price: int,
    docks: TileMask | None = None,
    total: int | None = None,
) -> Place:
    """Return the tile before ``here`` on a cheapest path, among the ``docks`` if given."""
    total = int(spent[here[1], here[0]]) if total is None else total
    height, width = spent.shape
    for dx, dy in DIRECTIONS:
        x, y = here[0] + dx, here[1] + dy
        near = 0 <= x < width and 0 <= y < height and spent[y, x] == total - price
        if near and (docks is None or docks[y, x]):
            return x, y
    raise AssertionError("a distance without a way")
