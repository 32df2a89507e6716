"""The ground of a new map (section 20): numbers and words of the generator, terrain, harbours."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.core.dice import Dice
from engine.core.record import Record, replace
from engine.kit.fields import Mask
from engine.kit.grid import Place
from engine.kit.tables import load
from engine.rulesets.lordsawar.land import WATER, Ground
from engine.rulesets.lordsawar.moving import prices
from engine.rulesets.lordsawar.scene import NewMap
from engine.rulesets.lordsawar.tables import PACKAGE, Span, armyset
from engine.strategic.generate import terrain
from engine.strategic.generate.harbours import WaterPlan, joining_ports
from engine.strategic.generate.terrain import Coasts

# -- numbers and words of the generator ------------------------------------------------------------


class NameWords(Record, frozen=True):
    """Words that names are made of."""

    first: tuple[str, ...]
    second: tuple[str, ...]
    ruins: tuple[str, ...]
    strongholds: tuple[str, ...]
    sages: tuple[str, ...]
    temples: tuple[str, ...]


class LandRecipe(Record, frozen=True):
    """The table of the generator. Rules: LW-20."""

    tries: int
    spread: int
    turns: int
    points: int
    neighbours: int
    apart: int
    per_side: int
    margin: int
    gap: int
    ruins: Span
    temples: Span
    signs: Span
    signs_away: int
    road_reach: int
    bridge: int
    ridge: int
    rivers: int
    wood: int
    price: tuple[int, ...]
    coasts: Coasts
    names: NameWords


@cache
def recipe() -> LandRecipe:
    """The numbers and words of the generator. Rules: LW-20."""
    return load(PACKAGE, "generator", LandRecipe)


# -- terrain, phase by phase -----------------------------------------------------------------------


LandArray = npt.NDArray[Any]
"""Terrain codes, uint8 of shape (height, width)."""


def ground(dice: Dice, new: NewMap) -> LandArray:
    """The terrain without cities, roads and bridges, with the shares that are wanted.

    Rules: LW-20.
    """
    made = np.full((new.height, new.width), Ground.SHORE, dtype=np.uint8)
    river_tiles = made.size * new.water // 100 // recipe().rivers
    land = 100 - new.water + (100 * river_tiles // made.size)
    made[terrain.land(dice, made.shape, land, _coasts(new))] = Ground.GRASS
    _heights(dice, made, made.size * new.hills // 100)
    _rivers(dice, made, river_tiles)
    _woods(dice, made, made.size * new.forest // 100)
    _patches(dice, made, made.size * new.swamp // 100, Ground.SWAMP)
    return made


def _coasts(new: NewMap) -> Any:
    """Parameters of coasts on a map of this size."""
    made, full = recipe().coasts, armyset().new_maps.normal
    short = min(new.width * 100 // full[0], 100)
    low, high = made.radius
    return replace(
        made,
        jitter=max(2, made.jitter * short // 100),
        radius=(max(3, low * short // 100), max(4, high * short // 100)),
        rim=max(2, made.rim * short // 100),
    )


def is_water(made: LandArray) -> Mask:
    """Mask of water without bridges and ports."""
    return np.asarray(np.isin(made, [int(code) for code in WATER]))


def _heights(dice: Dice, made: LandArray, wanted: int) -> None:
    """Ridges of mountains with hills around them, and ridges of hills: about half of each."""
    for number in range(wanted):
        missing = wanted - int(np.isin(made, (Ground.HILLS, Ground.MOUNTAIN)).sum())
        if missing <= 0:
            return
        dry = np.asarray(made == Ground.GRASS)
        ridge = terrain.ridges(dice, dry, 2, recipe().ridge)
        made[_some(ridge, missing)] = Ground.MOUNTAIN if number % 2 else Ground.HILLS


def _some(mask: Mask, most: int) -> Mask:
    """The first tiles of a mask, in reading order."""
    kept = np.zeros(mask.size, dtype=bool)
    kept[np.flatnonzero(mask)[:most]] = True
    return kept.reshape(mask.shape)


def _rivers(dice: Dice, made: LandArray, wanted: int) -> None:
    """Rivers from high ground, or from anywhere, to the water or to the edge of the map."""
    size = made.shape[1], made.shape[0]
    for _ in range(wanted):
        heights = np.isin(made, (Ground.MOUNTAIN, Ground.HILLS))
        start = terrain.draw(dice, heights if heights.any() else made == Ground.GRASS)
        if wanted < min(size) // 2 or start is None:
            return
        goal = terrain.nearest(is_water(made), start) or (dice.roll(size[0]) - 1, size[1] - 1)
        for x, y in terrain.course(dice, start, goal, size)[1:]:
            if made[y, x] == Ground.SHORE:
                break
            made[y, x] = Ground.SHORE
            wanted -= 1


def _woods(dice: Dice, made: LandArray, wanted: int) -> None:
    """Forest: large woods where there is much of it, and clusters."""
    free = np.asarray(made == Ground.GRASS)
    large = wanted - recipe().wood
    if large > 0 and free.any():
        made[terrain.woods(dice, free, 100 * large // int(free.sum()))] = Ground.FOREST
    _patches(dice, made, wanted - int((made == Ground.FOREST).sum()), Ground.FOREST)


def _patches(dice: Dice, made: LandArray, wanted: int, code: Ground) -> None:
    """Clusters of a terrain on grass, until there is as much of it as wanted."""
    for _ in range(wanted):
        free = np.asarray(made == Ground.GRASS)
        if wanted <= 0 or not free.any():
            return
        found = _some(terrain.scattered(dice, free, 1), wanted)
        made[found] = code
        wanted -= int(found.sum())


# -- ports that join lands and seas ----------------------------------------------------------------


def walkable(made: LandArray, roads: Mask) -> Mask:
    """Where armies on foot can go: mountains by road only. Rules: LW-12.4."""
    closed = is_water(made) | ((made == Ground.MOUNTAIN) & ~roads) | (made == Ground.PORT)
    return np.asarray(~closed)


def harbours(made: LandArray, roads: Mask, cities: Sequence[Place]) -> tuple[Place, ...] | None:
    """Ports for lands without a dock, or None if a city cannot be reached. Rules: LW-12.4."""
    bridges = np.asarray(made == Ground.BRIDGE)
    water = is_water(made)
    plan = WaterPlan(walkable(made, roads), np.asarray(water | bridges), bridges, water)
    return joining_ports(plan, cities)


def step_costs(made: LandArray, roads: Mask) -> LandArray:
    """Cost of entering each tile on foot, 0 where it is closed. Rules: LW-12.2, LW-12.4."""
    costs = prices()
    price = np.array([costs[code] for code in Ground], dtype=np.int32)[made]
    price = np.where(roads, armyset().movement.road, price)
    return np.where(walkable(made, roads), price, 0)
