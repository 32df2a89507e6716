"""Generate new maps (section 20): always playable, with starts of about equal worth.

For each seed, several maps are tried, each with its own dice, until one is sound and fair.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from engine.core.containers import Plane
from engine.core.dice import Dice, shuffle
from engine.core.record import replace
from engine.kit.fields import CostGrid, Mask
from engine.kit.grid import Place
from engine.rulesets.lordsawar.checks import CHECKS
from engine.rulesets.lordsawar.land import PORTS, WATER, LandCode, sign_rows, with_open_sea
from engine.rulesets.lordsawar.moving import prices
from engine.rulesets.lordsawar.options import LEAST_SIDE
from engine.rulesets.lordsawar.pieces import book_types
from engine.rulesets.lordsawar.scenario_codec import SIDE_NAMES
from engine.rulesets.lordsawar.scene import CityPlaced, Map, NewMap, SidePlaced, SitePlaced
from engine.rulesets.lordsawar.state import HEIGHT, MOST_CITIES, MOST_SLOTS, WIDTH
from engine.rulesets.lordsawar.tables import DrawRange, armyset, recipe
from engine.strategic.generate import settlements, terrain, wording
from engine.strategic.generate.harbours import WaterPlan, joining_ports
from engine.strategic.generate.new_maps import (
    LandPlan,
    check_request,
    fairest,
    measure,
    seated,
)
from engine.strategic.generate.settlements import Planner
from engine.strategic.generate.shapes import around
from engine.strategic.land_rows import road_rows
from engine.strategic.pieces import NOBODY, NONE, City, Sign, UnitType

_ROUND_SITES: Final = 30
"""Price of a road over a site, so high that roads go around it."""

_ALIKE: Final = 20
"""Number of draws of a capital's slots; the one closest in worth to a common model is kept."""


def generated(scene: Map, new: NewMap) -> Map:
    """Return the scenario with the new map that ``new`` asks for. Rules: LW-20.3.

    Raises:
        ScenarioFault: the numbers are impossible, or no sound map was found.
    """
    check_request(CHECKS, new, LEAST_SIDE, (WIDTH, HEIGHT), "LW-20")
    return seated(scene, new, _made(replace(new, people=())))


@lru_cache(maxsize=8)
def _made(new: NewMap) -> Map:
    return fairest(new, recipe().tries, recipe().spread, attempt, "LW-20")


def attempt(dice: Dice, new: NewMap) -> tuple[Map, int] | None:
    """Return a map and its unfairness in percent (``measure``), or None if it is unplayable.

    Rules: LW-20.4.
    """
    plan = planned(dice, new)
    if plan is None or len(plan.cities) < 2 * new.sides:
        return None
    ports = harbours(plan.terrain.cells, plan.roads.cells > 0, plan.cities)
    if ports is None:
        return None
    reach = settlements.reachable(priced(plan), plan.cities, recipe().turns * recipe().points)
    numbers = armyset().new_maps
    incomes = [_spanned(dice, numbers.income) for _ in plan.cities]
    value = [worth.income for worth in settlements.worths(reach, incomes)]
    chosen = settlements.capitals(plan.cities, value, new.sides, recipe().apart)
    if not chosen or min(len(reach[city]) for city in chosen) < recipe().neighbours:
        return None
    for city in chosen:
        incomes[city] = _spanned(dice, numbers.capital_income)
    even = settlements.evened(reach, chosen, incomes, numbers.income)
    scene = _written(dice, plan, ports, chosen, even)
    return scene, measure(reach, chosen, even)


def priced(plan: LandPlan) -> CostGrid:
    """Return the step costs on foot, for distance fields on a map with roads.

    See: LW-12.2, LW-12.4.
    """
    cost = step_costs(plan.terrain.cells, np.asarray(plan.roads.cells > 0))
    return CostGrid(np.zeros_like(cost), cost, cost == 0, ways=8)


def _spanned(dice: Dice, span: DrawRange) -> int:
    return span[0] - 1 + dice.roll(span[1] - span[0] + 1)


# -- places ----------------------------------------------------------------------------------------


def planned(dice: Dice, new: NewMap) -> LandPlan | None:
    """Plan ground, cities, sites and roads of a map; None if fewer than two cities fit."""
    made = ground(dice, new)
    cities = _cities(dice, made, new)
    if len(cities) < 2:
        return None
    for at in cities:
        for x, y in settlements.tiles(at):
            made[y, x] = LandCode.CITY
    sites = _sites(dice, made, cities, new)
    roads = _roads(made, cities, sites)
    return LandPlan(with_open_sea(Plane(made)), Plane(roads.astype(np.uint8)), cities, sites)


def _cities(dice: Dice, made: LandArray, new: NewMap) -> tuple[Place, ...]:
    """Return the top left tiles of the cities; every third one is at the water if possible."""
    table = recipe()
    room = settlements.blocks(made == LandCode.GRASS, min(table.margin, new.width // 16))
    count = min(max(new.cities, table.per_side * new.sides), MOST_CITIES)
    return settlements.towns(dice, room, settlements.beside(is_water(made)), count, table.gap + 1)


def _sites(dice: Dice, made: LandArray, cities: Sequence[Place], new: NewMap) -> tuple[Place, ...]:
    """Return the tiles of the temples and then of the ruins, on land that armies can walk on."""
    table = recipe()
    free = np.isin(made, (LandCode.GRASS, LandCode.FOREST, LandCode.HILLS, LandCode.SWAMP))
    for at in cities:
        for tile in settlements.tiles(at):
            settlements.clear(free, tile, table.gap)
    count = max(_share(len(cities), table.ruins), new.sides) + _temples(len(cities))
    return settlements.by_sectors(dice, free, count, 4, table.gap)


def _share(cities: int, part: DrawRange) -> int:
    return cities * part[0] // part[1]


def _temples(cities: int) -> int:
    return max(1, _share(cities, recipe().temples))


def _roads(made: LandArray, cities: Sequence[Place], sites: Sequence[Place]) -> Mask:
    """Plan roads and return their mask; put bridges into ``made``. See: LW-12.2."""
    table = recipe()
    price = np.array(table.price, dtype=np.int32)[made]
    for x, y in sites:
        price[y, x] = _ROUND_SITES
    planner = Planner(price, is_water(made))
    planner.join(cities, table.road_reach, table.bridge)
    made[planner.bridges] = LandCode.BRIDGE
    bare = np.isin(made, (LandCode.CITY, LandCode.BRIDGE))
    for x, y in sites:
        bare[y, x] = True
    return np.asarray(planner.roads & ~bare)


# -- the scenario ----------------------------------------------------------------------------------


def _written(
    dice: Dice,
    plan: LandPlan,
    ports: Sequence[Place],
    chosen: Sequence[int],
    incomes: Sequence[int],
) -> Map:
    words, seats = recipe().names, shuffle(dice, chosen)
    names = wording.city_names(dice, words.first, words.second, len(plan.cities))
    made = plan.terrain.edit()
    for x, y in ports:
        made[y, x] = LandCode.PORT
    slots = _slots(dice, len(plan.cities), seats)
    bare = [City(n, x, y, names[n], NOBODY, incomes[n], ()) for n, (x, y) in enumerate(plan.cities)]
    return Map(
        name="new",
        title="New map",
        about="",
        rows=sign_rows(Plane(made)),
        roads=road_rows(plan.roads),
        sides=tuple(
            SidePlaced(name=SIDE_NAMES[seat], capital=plan.cities[city])
            for seat, city in enumerate(seats)
        ),
        cities=tuple(
            CityPlaced(city.x, city.y, city.name, city.income, slots[city.id]) for city in bare
        ),
        sites=_named_sites(dice, plan.sites, _temples(len(plan.cities))),
        signs=_signs(dice, plan, bare),
    )


def _slots(dice: Dice, cities: int, capitals: Sequence[int]) -> tuple[tuple[str, ...], ...]:
    """Draw the slots of all cities; those of capitals are worth about the same. Rules: LW-20.4."""
    found = [_drawn_slots(dice, dice.roll(MOST_SLOTS)) for _ in range(cities)]
    count = 1 + dice.roll(MOST_SLOTS - 1)
    model = _drawn_slots(dice, count)
    for city in capitals:
        drawn = [_drawn_slots(dice, count) for _ in range(_ALIKE)]
        found[city] = min(drawn, key=lambda slots: abs(_worth(slots) - _worth(model)))
    return tuple(tuple(kind.key for kind in slots) for slots in found)


def _worth(slots: Sequence[UnitType]) -> int:
    return sum(kind.price for kind in slots)


def _drawn_slots(dice: Dice, count: int) -> list[UnitType]:
    """Draw ``count`` different types that can be bought, cheapest first.

    Rules: LW-20.4. See: LW-9.
    """
    kinds = [kind for kind in book_types().values() if kind.price > 0]
    return sorted(shuffle(dice, kinds)[:count], key=lambda kind: (kind.price, kind.id))


def _named_sites(dice: Dice, places: Sequence[Place], temples: int) -> tuple[SitePlaced, ...]:
    """Draw kinds, keepers and names of the sites; temples come first. See: LW-20."""
    table, words = armyset().ruins, recipe().names
    kinds, keepers = [], []
    for number in range(len(places)):
        if number < temples:
            kinds.append("temple")
        elif dice.roll(table.sage_one_in) == 1:
            kinds.append("sage")
        else:
            kinds.append("stronghold" if dice.roll(table.stronghold_one_in) == 1 else "ruin")
        unguarded = number >= temples and dice.roll(table.unguarded_one_in) == 1
        keepers.append(NONE if unguarded else 0)
    listed = {"temple": words.temples, "sage": words.sages, "ruin": words.ruins}
    listed["stronghold"] = words.strongholds
    names = {kind: iter(wording.numbered(dice, listed[kind], kinds.count(kind))) for kind in listed}
    rows = zip(places, kinds, keepers, strict=True)
    return tuple(
        SitePlaced(x, y, next(names[kind]), kind, guardian=keeper) for (x, y), kind, keeper in rows
    )


def _signs(dice: Dice, plan: LandPlan, cities: Sequence[City]) -> tuple[Sign, ...]:
    """Place signposts on grass beside roads, each with the two nearest cities."""
    paved = plan.roads.cells > 0
    free = np.asarray((plan.terrain.cells == LandCode.GRASS) & ~paved & (around(paved) > 0))
    for x, y in plan.sites:
        free[y, x] = False
    count = _share(len(cities), recipe().signs)
    return wording.signposts(dice, free, cities, recipe().signs_away, count)


# -- terrain, phase by phase -----------------------------------------------------------------------


LandArray = npt.NDArray[Any]
"""Terrain codes, uint8 of shape (height, width)."""


def ground(dice: Dice, new: NewMap) -> LandArray:
    """Return the terrain codes of a new map in the requested shares, without buildings.

    Rules: LW-20.3.
    """
    made = np.full((new.height, new.width), LandCode.SHORE, dtype=np.uint8)
    river_tiles = made.size * new.water // 100 // recipe().rivers
    land = 100 - new.water + (100 * river_tiles // made.size)
    made[terrain.land(dice, made.shape, land, _coasts(new))] = LandCode.GRASS
    _heights(dice, made, made.size * new.hills // 100)
    _rivers(dice, made, river_tiles)
    _woods(dice, made, made.size * new.forest // 100)
    _patches(dice, made, made.size * new.swamp // 100, LandCode.SWAMP)
    return made


def _coasts(new: NewMap) -> Any:
    """Scale the parameters of coasts to the size of the map."""
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
    """Return the mask of water, without bridges and ports."""
    return np.asarray(np.isin(made, [int(code) for code in WATER]))


def _heights(dice: Dice, made: LandArray, wanted: int) -> None:
    """Add ridges, of hills and of mountains in turn, up to ``wanted`` tiles."""
    for number in range(wanted):
        missing = wanted - int(np.isin(made, (LandCode.HILLS, LandCode.MOUNTAIN)).sum())
        if missing <= 0:
            return
        dry = np.asarray(made == LandCode.GRASS)
        ridge = terrain.ridges(dice, dry, 2, recipe().ridge)
        made[_some(ridge, missing)] = LandCode.MOUNTAIN if number % 2 else LandCode.HILLS


def _some(mask: Mask, most: int) -> Mask:
    """Keep only the first ``most`` tiles of a mask, in reading order."""
    kept = np.zeros(mask.size, dtype=bool)
    kept[np.flatnonzero(mask)[:most]] = True
    return kept.reshape(mask.shape)


def _rivers(dice: Dice, made: LandArray, wanted: int) -> None:
    """Add rivers from high ground, or from grass without any, to water or to the map's edge."""
    size = made.shape[1], made.shape[0]
    for _ in range(wanted):
        heights = np.isin(made, (LandCode.MOUNTAIN, LandCode.HILLS))
        start = terrain.draw(dice, heights if heights.any() else made == LandCode.GRASS)
        if wanted < min(size) // 2 or start is None:
            return
        goal = terrain.nearest(is_water(made), start) or (dice.roll(size[0]) - 1, size[1] - 1)
        for x, y in terrain.course(dice, start, goal, size)[1:]:
            if made[y, x] == LandCode.SHORE:
                break
            made[y, x] = LandCode.SHORE
            wanted -= 1


def _woods(dice: Dice, made: LandArray, wanted: int) -> None:
    """Add forest: large woods if much is wanted, then clusters."""
    free = np.asarray(made == LandCode.GRASS)
    large = wanted - recipe().wood
    if large > 0 and free.any():
        made[terrain.woods(dice, free, 100 * large // int(free.sum()))] = LandCode.FOREST
    _patches(dice, made, wanted - int((made == LandCode.FOREST).sum()), LandCode.FOREST)


def _patches(dice: Dice, made: LandArray, wanted: int, code: LandCode) -> None:
    """Add clusters of a terrain on grass, up to ``wanted`` tiles."""
    for _ in range(wanted):
        free = np.asarray(made == LandCode.GRASS)
        if wanted <= 0 or not free.any():
            return
        found = _some(terrain.scattered(dice, free, 1), wanted)
        made[found] = code
        wanted -= int(found.sum())


# -- ports that join lands and seas ----------------------------------------------------------------


def walkable(made: LandArray, roads: Mask) -> Mask:
    """Return the mask of the tiles that armies on foot can enter; mountains only by road.

    See: LW-12.4.
    """
    closed = is_water(made) | ((made == LandCode.MOUNTAIN) & ~roads) | np.isin(made, tuple(PORTS))
    return np.asarray(~closed)


def harbours(made: LandArray, roads: Mask, cities: Sequence[Place]) -> tuple[Place, ...] | None:
    """Return ports for lands without a dock; None if a city is unreachable. See: LW-12.4."""
    bridges = np.asarray(made == LandCode.BRIDGE)
    water = is_water(made)
    plan = WaterPlan(walkable(made, roads), np.asarray(water | bridges), bridges, water)
    return joining_ports(plan, cities)


def step_costs(made: LandArray, roads: Mask) -> LandArray:
    """Return the cost of entering each tile on foot, in the map's shape; 0 if closed.

    See: LW-12.2, LW-12.4.
    """
    costs = prices()
    price = np.array([costs[code] for code in LandCode], dtype=np.int32)[made]
    price = np.where(roads, armyset().movement.road, price)
    return np.where(walkable(made, roads), price, 0)
