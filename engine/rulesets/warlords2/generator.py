"""New maps (section 15): always playable, with starts of about equal value.

Several maps are tried for a seed, each with its own dice, until one is sound and fair.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from engine.core.containers import Plane
from engine.core.dice import Dice, shuffle
from engine.core.record import replace
from engine.kit.fields import CostGrid, Mask
from engine.kit.grid import Place
from engine.rulesets.warlords2.checks import CHECKS
from engine.rulesets.warlords2.ground_plan import (
    TerrainArray,
    ground,
    harbours,
    is_water,
    recipe,
    scaled,
    shored,
)
from engine.rulesets.warlords2.land import chosen_art, sign_rows
from engine.rulesets.warlords2.scenario_codec import SIDE_NAMES
from engine.rulesets.warlords2.scene import CityPlaced, Map, NewMap, SidePlaced, SitePlaced
from engine.rulesets.warlords2.tables import Terrain, native_table, on_foot
from engine.strategic.generate import settlements, wording
from engine.strategic.generate.new_maps import (
    LandPlan,
    check_request,
    fairest,
    measure,
    seated,
)
from engine.strategic.generate.settlements import Planner
from engine.strategic.generate.shapes import around
from engine.strategic.land_rows import hex_rows, road_rows
from engine.strategic.pieces import City, Sign

_LEAST: Final = 28
"""Minimum width and height of a new map."""


def generated(scene: Map, new: NewMap) -> Map:
    """Return the scenario with the new map that ``new`` asks for. Rules: W2-15.

    Raises:
        ScenarioFault: the numbers are impossible, or no map was sound.
    """
    check_request(CHECKS, new, _LEAST, recipe().full, "W2-1.1")
    return seated(scene, new, _made(replace(new, people=())))


@lru_cache(maxsize=8)
def _made(new: NewMap) -> Map:
    table = recipe()
    return fairest(new, table.tries, table.cities.spread, attempt, "W2-15.12")


def attempt(dice: Dice, new: NewMap) -> tuple[Map, int] | None:
    """Return a new map and its unfairness in percent (``measure``), or None if unplayable."""
    plan = planned(dice, new)
    if plan is None or len(plan.cities) < 2 * new.sides:
        return None
    ports = harbours(plan.terrain, plan.cities)
    if ports is None:
        return None
    table = recipe().cities
    reach = settlements.reachable(priced(plan), plan.cities, table.turns * table.points)
    low, die = table.income
    incomes = [low + dice.roll(die) for _ in plan.cities]
    value = [worth.income for worth in settlements.worths(reach, incomes)]
    chosen = settlements.capitals(plan.cities, value, new.sides, table.apart)
    if not chosen or min(len(reach[city]) for city in chosen) < table.neighbours:
        return None
    for city in chosen:
        incomes[city] = table.capital_income
    bounds = (low + 1, table.most_income)
    even = settlements.evened(reach, chosen, incomes, bounds)
    scene = _written(dice, new, plan, ports, chosen, even)
    return scene, measure(reach, chosen, even)


def priced(plan: LandPlan) -> CostGrid:
    """Return the step costs on foot, for distance fields on a map with roads.

    See: W2-4.1, W2-4.4.
    """
    price = np.array(on_foot("seed"), dtype=np.int32)[plan.terrain.cells]
    paved = (plan.roads.cells > 0) | (plan.terrain.cells == Terrain.BRIDGE)
    cost = np.where(paved, np.minimum(price, 2), price)
    return CostGrid(np.zeros_like(cost), cost, cost == 0, ways=8)


def planned(dice: Dice, new: NewMap) -> LandPlan | None:
    """Plan ground, cities, sites and roads of a map; None if it has no room for cities."""
    made = ground(dice, new)
    cities = _cities(dice, made, new)
    if len(cities) < 2:
        return None
    for at in cities:
        for x, y in settlements.tiles(at):
            made[y, x] = Terrain.CITY
    sites = _sites(dice, made, cities, new)
    for x, y in sites:
        made[y, x] = Terrain.SITE
    roads = _roads(made, cities)
    return LandPlan(Plane(made), Plane(roads.astype(np.uint8)), cities, sites)


def _cities(dice: Dice, made: TerrainArray, new: NewMap) -> tuple[Place, ...]:
    """Choose the top left tiles of the cities. Rules: W2-15.7."""
    table = recipe().cities
    count = scaled(table.count[0] + table.count[1] * new.cities, new)
    margin = min(table.margin, new.width // 16)
    room = settlements.blocks(made == Terrain.PLAINS, margin)
    coast = settlements.beside(made == Terrain.SHORE)
    return settlements.towns(
        dice, room, coast, min(max(count, table.per_side * new.sides), 100), table.gap + 1
    )


def _sites(
    dice: Dice, made: TerrainArray, cities: Sequence[Place], new: NewMap
) -> tuple[Place, ...]:
    """Choose the tiles of the sites. Rules: W2-15.8."""
    table = recipe().sites
    free = made == Terrain.PLAINS
    for at in cities:
        for tile in settlements.tiles(at):
            settlements.clear(free, tile, table.gap)
    count = max(scaled(table.count, new), new.sides)
    return settlements.by_sectors(dice, free, count, table.across, table.gap)


def _roads(made: TerrainArray, cities: Sequence[Place]) -> Mask:
    """Plan roads, put bridges over water, and return the mask of the roads. Rules: W2-15.9."""
    table = recipe().roads
    price = np.array(table.price, dtype=np.int32)[made]
    water = is_water(made) | (made == Terrain.RIVER)
    planner = Planner(price, water)
    planner.join(cities, table.reach, table.bridge)
    made[planner.bridges] = Terrain.BRIDGE
    shored(made)
    bare = np.isin(made, (Terrain.CITY, Terrain.SITE, Terrain.BRIDGE))
    return np.asarray(planner.roads & ~bare)


def _written(
    dice: Dice,
    new: NewMap,
    plan: LandPlan,
    ports: Sequence[Place],
    chosen: Sequence[int],
    incomes: Sequence[int],
) -> Map:
    words = recipe().names
    names = wording.city_names(dice, words.first, words.second, len(plan.cities))
    coast = settlements.beside(is_water(plan.terrain.cells))
    cities = tuple(
        CityPlaced(
            x=x,
            y=y,
            name=names[number],
            income=incomes[number],
            slots=_slots(dice, number in chosen, bool(coast[y, x])),
        )
        for number, (x, y) in enumerate(plan.cities)
    )
    seats = shuffle(dice, chosen)
    bare = [City(n, c.x, c.y, c.name, 15, c.income, ()) for n, c in enumerate(cities)]
    art = chosen_art(plan.terrain, native_table(), bare, new.seed)
    for seat, city in enumerate(seats):
        bare[city] = replace(bare[city], owner=seat)
    return Map(
        name="new",
        title="New map",
        about="",
        rows=sign_rows(plan.terrain),
        roads=road_rows(plan.roads),
        sides=tuple(
            SidePlaced(name=SIDE_NAMES[seat], capital=plan.cities[city])
            for seat, city in enumerate(seats)
        ),
        cities=cities,
        sites=_named_sites(dice, plan.sites),
        ports=tuple(ports),
        signs=signposts(dice, plan.terrain, plan.roads, bare, scaled(recipe().signs.count, new)),
        art=hex_rows(art),
    )


def _slots(dice: Dice, capital: bool, coastal: bool) -> tuple[str, ...]:  # noqa: FBT001 - facts
    """Draw the slots of a city: one to four types, the weakest first. See: W2-15.7."""
    table = recipe().cities
    lists = table.capital_slots if capital else table.slots[: dice.roll(4)]
    drawn = tuple(words[dice.roll(len(words)) - 1] for words in lists)
    ships = coastal and len(drawn) < 4 and dice.roll(3) == 1
    return (*drawn, "navy") if ships else drawn


def _named_sites(dice: Dice, places: Sequence[Place]) -> tuple[SitePlaced, ...]:
    """Name the sites; one in ten is a temple, and at least one. See: W2-15.8, W2-10.4."""
    words = recipe().names
    table = recipe().sites
    temples = max(1, len(places) * table.temples // table.count)
    ruins = wording.numbered(dice, words.sites, len(places))
    shrines = wording.numbered(dice, words.temples, temples)
    every = len(places) // temples if places else 1
    made = []
    for number, (x, y) in enumerate(places):
        rank, rest = divmod(number, every)
        if rest == 0 and rank < temples:
            made.append(SitePlaced(x, y, shrines[rank], "temple"))
        else:
            made.append(SitePlaced(x, y, ruins[number]))
    return tuple(made)


# -- signposts beside roads (section 15.11) --------------------------------------------------------


def signposts(
    dice: Dice, terrain: Plane, roads: Plane, cities: Sequence[City], count: int
) -> tuple[Sign, ...]:
    """Return up to ``count`` signs on plains beside roads, each with the two nearest cities.

    Rules: W2-15.11.
    """
    paved = roads.cells > 0
    free = np.asarray((terrain.cells == Terrain.PLAINS) & ~paved & (around(paved) > 0))
    return wording.signposts(dice, free, cities, recipe().signs.from_cities, count)
