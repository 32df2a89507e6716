"""The ground of a new map (sections 15.1 to 15.6 and 15.12): numbers, terrain, harbours.

The numbers and words of the whole generator come first; ``recipe`` reads them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.core.containers import Plane
from engine.core.dice import Dice
from engine.core.record import Record, replace
from engine.kit.fields import Mask
from engine.kit.grid import Place
from engine.kit.tables import load
from engine.rulesets.warlords2.scene import NewMap
from engine.rulesets.warlords2.tables import PACKAGE, WATER, Terrain, on_foot
from engine.strategic.generate import terrain
from engine.strategic.generate.harbours import WaterPlan, joining_ports
from engine.strategic.generate.shapes import around, wider
from engine.strategic.generate.terrain import Coasts, land

# -- numbers and words of the generator ------------------------------------------------------------


Dial = tuple[int, int]
"""Minimum, and the increase for each step of a dial."""


class Heights(Record, frozen=True):
    """Settings of ridges. See: W2-15.3."""

    seeds: Dial
    reach: int


class Rivers(Record, frozen=True):
    """Settings of rivers and arms of the sea. See: W2-15.4."""

    count: Dial
    channels: int


class Woods(Record, frozen=True):
    """Settings of forest. See: W2-15.5."""

    percent: Dial


class Marsh(Record, frozen=True):
    """Settings of marsh. See: W2-15.6."""

    clusters: int


class Cities(Record, frozen=True):
    """Settings of cities and capitals. See: W2-15.7."""

    count: Dial
    per_side: int
    margin: int
    gap: int
    income: tuple[int, int]
    most_income: int
    capital_income: int
    apart: int
    turns: int
    points: int
    neighbours: int
    spread: int
    slots: tuple[tuple[str, ...], ...]
    capital_slots: tuple[tuple[str, ...], ...]


class Sites(Record, frozen=True):
    """Settings of sites. See: W2-15.8."""

    count: int
    temples: int
    across: int
    gap: int


class Roads(Record, frozen=True):
    """Settings of roads and bridges. See: W2-15.9."""

    reach: int
    bridge: int
    price: tuple[int, ...]


class Signs(Record, frozen=True):
    """Settings of signposts. See: W2-15.11."""

    count: int
    from_cities: int


class Names(Record, frozen=True):
    """Words from which names are built."""

    first: tuple[str, ...]
    second: tuple[str, ...]
    sites: tuple[str, ...]
    temples: tuple[str, ...]


class Recipe(Record, frozen=True):
    """The whole table of the generator."""

    full: Place
    land: Dial
    tries: int
    coasts: Coasts
    heights: Heights
    rivers: Rivers
    woods: Woods
    marsh: Marsh
    cities: Cities
    sites: Sites
    roads: Roads
    signs: Signs
    names: Names


@cache
def recipe() -> Recipe:
    """Return the numbers and words of the generator. See: W2-15."""
    return load(PACKAGE, "generator", Recipe)


# -- terrain, phase by phase -----------------------------------------------------------------------


TerrainArray = npt.NDArray[Any]
"""Terrain codes, uint8 of shape (height, width)."""


def ground(dice: Dice, new: NewMap) -> TerrainArray:
    """Return the terrain codes of a new map, without cities, sites and bridges.

    Rules: W2-15.1. See: W2-15.2 to W2-15.6.
    """
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
    """Return a count for the full-size map of the table, scaled by area to this map."""
    full = recipe().full
    return count * new.width * new.height // (full[0] * full[1])


def _coasts(new: NewMap) -> Any:
    """Return the parameters of coasts, scaled to the width of this map. Rules: W2-15.1."""
    made = recipe().coasts
    short = min(new.width * 100 // recipe().full[0], 100)
    low, high = made.radius
    return replace(
        made,
        jitter=max(2, made.jitter * short // 100),
        radius=(max(3, low * short // 100), max(4, high * short // 100)),
        rim=max(3, made.rim * short // 100),
    )


def is_water(made: TerrainArray) -> Mask:
    """Return the mask of ocean and shore."""
    return np.asarray(np.isin(made, [int(code) for code in WATER]))


def shored(made: TerrainArray) -> None:
    """Turn water beside land into shore, and all other water into ocean. Rules: W2-15.2."""
    water = is_water(made)
    firm = ~water & (made != Terrain.BRIDGE)
    near = around(firm) > 0
    made[water & near] = Terrain.SHORE
    made[water & ~near] = Terrain.OCEAN


def _heights(dice: Dice, made: TerrainArray, new: NewMap) -> None:
    """Add mountains and hills; mountains beside the shore become hills. Rules: W2-15.3."""
    table = recipe().heights
    seeds = max(2, scaled(table.seeds[0] + table.seeds[1] * new.hills, new))
    dry = made == Terrain.PLAINS
    mountains = terrain.ridges(dice, dry, seeds, table.reach)
    hills = terrain.ridges(dice, dry, seeds, table.reach) | (around(mountains) > 0)
    made[hills & dry] = Terrain.HILLS
    coastal = around(is_water(made)) > 0
    made[mountains & ~coastal] = Terrain.MOUNTAINS
    made[mountains & coastal] = Terrain.HILLS


def _rivers(dice: Dice, made: TerrainArray, new: NewMap) -> None:
    """Add rivers from high ground to the sea, and arms of the sea. Rules: W2-15.4."""
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


def _woods(dice: Dice, made: TerrainArray, new: NewMap) -> None:
    """Add forest on the plains. Rules: W2-15.5."""
    low, step = recipe().woods.percent
    made[terrain.woods(dice, made == Terrain.PLAINS, low + step * new.forest)] = Terrain.FOREST


def _marsh(dice: Dice, made: TerrainArray, new: NewMap) -> None:
    """Add marsh away from the shore. Rules: W2-15.6."""
    dry = (made == Terrain.PLAINS) & (around(is_water(made)) == 0)
    clusters = max(1, scaled(dice.roll(recipe().marsh.clusters), new))
    made[terrain.scattered(dice, dry, clusters)] = Terrain.MARSH


# -- ports that join lands and seas (section 15.12) ------------------------------------------------


def harbours(terrain: Plane, cities: Sequence[Place]) -> tuple[Place, ...] | None:
    """Return ports on shores for lands without a port city; None if a city cannot be reached.

    Mountains count as closed, as in the classic table of costs.
    Rules: W2-15.12. See: W2-6.6, W2-15.10.
    """
    ground = terrain.cells
    bridges = np.asarray(ground == Terrain.BRIDGE)
    walked = np.asarray(np.array(on_foot("classic"))[ground] > 0)
    afloat = np.asarray(is_water(ground) | bridges)
    shore = np.asarray(ground == Terrain.SHORE)
    return joining_ports(WaterPlan(walked, afloat, bridges, shore), cities)
