"""The ground of a new map, phase by phase (sections 15.1 to 15.6)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from engine.core.dice import Dice
from engine.core.record import replace
from engine.rulesets.warlords2.recipe import recipe
from engine.rulesets.warlords2.scene import NewMap
from engine.rulesets.warlords2.terrain import WATER, Terrain
from engine.strategic.generate import terrain
from engine.strategic.generate.shapes import Mask, around, wider
from engine.strategic.generate.terrain import land

Ground = npt.NDArray[Any]
"""Terrain codes, uint8 of shape (height, width)."""


def ground(dice: Dice, new: NewMap) -> Ground:
    """The terrain without cities, sites and bridges. Rules: W2-15.1 to W2-15.6."""
    made = np.full((new.height, new.width), Terrain.OCEAN, dtype=np.uint8)
    low, step = recipe().land
    made[land(dice, made.shape, low + step * (6 - new.water), _coasts(new))] = Terrain.PLAINS
    shored(made)
    _heights(dice, made, new)
    _rivers(dice, made, new)
    shored(made)
    _woods(dice, made, new)
    _marsh(dice, made, new)
    return made


def scaled(count: int, new: NewMap) -> int:
    """A count of the full map on a map of this size."""
    full = recipe().full
    return count * new.width * new.height // (full[0] * full[1])


def _coasts(new: NewMap) -> Any:
    """The shape of coasts on a map of this size. Rules: W2-15.1."""
    made = recipe().coasts
    short = min(new.width * 100 // recipe().full[0], 100)
    low, high = made.radius
    return replace(
        made,
        jitter=max(2, made.jitter * short // 100),
        radius=(max(3, low * short // 100), max(4, high * short // 100)),
        rim=max(3, made.rim * short // 100),
    )


def is_water(made: Ground) -> Mask:
    """Ocean and shore."""
    return np.asarray(np.isin(made, [int(code) for code in WATER]))


def shored(made: Ground) -> None:
    """Turn water beside land into shore, and all other water into ocean. Rules: W2-15.2."""
    water = is_water(made)
    firm = ~water & (made != Terrain.BRIDGE)
    near = around(firm) > 0
    made[water & near] = Terrain.SHORE
    made[water & ~near] = Terrain.OCEAN


def _heights(dice: Dice, made: Ground, new: NewMap) -> None:
    """Mountains and hills; no mountain stands beside the shore. Rules: W2-15.3."""
    table = recipe().heights
    seeds = max(2, scaled(table.seeds[0] + table.seeds[1] * new.hills, new))
    dry = made == Terrain.PLAINS
    mountains = terrain.ridges(dice, dry, seeds, table.reach)
    hills = terrain.ridges(dice, dry, seeds, table.reach) | (around(mountains) > 0)
    made[hills & dry] = Terrain.HILLS
    coastal = around(is_water(made)) > 0
    made[mountains & ~coastal] = Terrain.MOUNTAINS
    made[mountains & coastal] = Terrain.HILLS


def _rivers(dice: Dice, made: Ground, new: NewMap) -> None:
    """Rivers from high ground to the sea, and arms of the sea. Rules: W2-15.4."""
    table = recipe().rivers
    full = recipe().full
    large = 2 * new.width * new.height >= full[0] * full[1]
    count = max(1, scaled(table.count[0] + new.water // table.count[1], new))
    for number in range(count):
        start = terrain.draw(dice, (made == Terrain.MOUNTAINS) | (made == Terrain.HILLS))
        goal = terrain.nearest(is_water(made), start) if start else None
        if start is None or goal is None:
            return
        way = terrain.course(dice, start, goal, (new.width, new.height))
        channel = large and number < table.channels
        tiles = np.zeros(made.shape, dtype=bool)
        for x, y in way[len(way) // 2 if channel else 1 :]:
            if is_water(made)[y, x] and not channel:
                break
            tiles[y, x] = True
        made[(wider(tiles) if channel else tiles) & ~is_water(made)] = (
            Terrain.OCEAN if channel else Terrain.RIVER
        )
    spikes = ~is_water(made) & (around(is_water(made)) >= 7)
    made[spikes] = Terrain.OCEAN


def _woods(dice: Dice, made: Ground, new: NewMap) -> None:
    """Forest on the plains. Rules: W2-15.5."""
    low, step = recipe().woods.percent
    made[terrain.woods(dice, made == Terrain.PLAINS, low + step * new.forest)] = Terrain.FOREST


def _marsh(dice: Dice, made: Ground, new: NewMap) -> None:
    """Marsh away from the shore. Rules: W2-15.6."""
    dry = (made == Terrain.PLAINS) & (around(is_water(made)) == 0)
    clusters = max(1, scaled(dice.roll(recipe().marsh.clusters), new))
    made[terrain.scattered(dice, dry, clusters)] = Terrain.MARSH
