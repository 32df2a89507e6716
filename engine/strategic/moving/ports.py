"""Where land meets water: ports, going aboard and ashore."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engine.core.containers import Plane
from engine.kit.grid import Place
from engine.kit.memo import recent_few
from engine.strategic.moving.groups import Mode, Mover, flies, is_boat
from engine.strategic.moving.rules import MovingRules
from engine.strategic.pieces import Army
from engine.strategic.world import World, city_places

Mask = npt.NDArray[np.bool_]


def one_of(cells: npt.NDArray[np.uint8], codes: frozenset[int]) -> Mask:
    """Where a plane holds one of some codes."""
    table = np.zeros(256, dtype=np.bool_)
    table[list(codes)] = True
    found: Mask = table[cells]
    return found


def coastal(cities: tuple[Place, ...], terrain: Plane, codes: frozenset[int]) -> list[Place]:
    """Of some cities those beside water: one of the 12 tiles around is of those codes.

    Rules: W2-6.6.
    """
    wet = np.pad(one_of(terrain.cells, codes), 1)
    return [(x, y) for x, y in cities if wet[y : y + 4, x : x + 4].any()]


@recent_few(8)
def _havens(
    cities: tuple[Place, ...], terrain: Plane, ports: tuple[Place, ...], rules: MovingRules
) -> tuple[Mask, Mask]:
    """The tiles of port cities, and all ports."""
    harbours = np.zeros(terrain.cells.shape, dtype=np.bool_)
    for x, y in coastal(cities, terrain, rules.seaside):
        harbours[y : y + 2, x : x + 2] = True
    docks = harbours | one_of(terrain.cells, rules.bridges)
    for x, y in ports:
        docks[y, x] = True
    return harbours, docks


def harbours(world: World, rules: MovingRules) -> Mask:
    """The tiles of port cities. Rules: W2-6.6."""
    return _havens(city_places(world.cities), world.terrain, world.ports, rules)[0]


def docks(world: World, rules: MovingRules) -> Mask:
    """All ports: tiles of port cities, tiles in the set of ports, bridges. Rules: W2-6.6."""
    return _havens(city_places(world.cities), world.terrain, world.ports, rules)[1]


def is_water(world: World, rules: MovingRules, at: Place) -> bool:
    """Whether who does not fly must be aboard there. Rules: W2-6.6."""
    return world.terrain[at[1], at[0]] in rules.water


def is_coast_step(world: World, rules: MovingRules, who: Mover, at: Place) -> bool:
    """Whether entering a tile means going aboard or ashore. Rules: W2-6.6."""
    if who.mode is Mode.GROUND:
        return is_water(world, rules, at)
    return who.mode is Mode.WATER and who.aboard and not is_water(world, rules, at)


def aboard_at(world: World, rules: MovingRules, army: Army, mode: Mode, at: Place) -> bool:
    """Whether an army that has come to a tile in some way is embarked there. Rules: W2-6.6."""
    if mode is Mode.AIR or not is_water(world, rules, at):
        return False
    return not flies(world, army) and not is_boat(world, army)
