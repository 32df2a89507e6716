"""Costs of movement: how a group moves, where it boards, and the price of each step."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from engine.core.containers import Plane
from engine.kit.grid import Place
from engine.kit.identity_cache import identity_lru
from engine.strategic.pieces import Army
from engine.strategic.seen import TileMask
from engine.strategic.settings import MovingRules, RuleSettings
from engine.strategic.sight import around, docks, foreign, harbours, is_known_city, one_of, others
from engine.strategic.world import World, armies_at, city_at, flies, is_boat

# -- Groups ----------------------------------------------------------------------------------------


ROADS: Final = 0x01
BRIDGES: Final = 0x02
WOODS: Final = 0x04
HILLS: Final = 0x08
"""Bits of a group's abilities: on roads, on bridges, and from ``WOODS`` on one for each row of
``MovingRules.wise``.
"""

SWIMS: Final = "swim"
"""Trait of armies that never embark although they cannot fly."""


class Mode(IntEnum):
    """Mode of movement."""

    GROUND = 0
    AIR = 1
    WATER = 2


class Mover(NamedTuple):
    """Properties of a group that determine its prices; equal movers have equal routes.

    ``aboard``: a member is embarked. ``boats``: a member is a boat.
    """

    side: int
    mode: Mode
    flags: int
    aboard: bool = False
    boats: bool = False


def is_afloat(world: World, rules: MovingRules, army: Army) -> bool:
    """Return whether an army is embarked, or is on water but neither a boat nor able to fly."""
    if army.aboard:
        return True
    on_water = is_water(world, rules, army.at)
    return on_water and not is_boat(world, army) and not flies(world, army)


def mover(world: World, rules: MovingRules, armies: tuple[Army, ...]) -> Mover | None:
    """Return the mover of a group, or None if its armies cannot move together from their tile."""
    if strands(world, rules, armies):
        return None
    side = armies[0].owner
    walkers = [army for army in armies if not flies(world, army)]
    if _all_fly(world, rules, armies, walkers):
        return Mover(side, Mode.AIR, ROADS | BRIDGES | WOODS | HILLS)
    boats = [army for army in walkers if is_boat(world, army)]
    afloat = [army for army in walkers if is_afloat(world, rules, army)]
    flags = 0 if boats else ROADS | BRIDGES
    flags |= _abilities(world, rules, armies, [army for army in walkers if army not in boats])
    if not boats and not afloat:
        kept = is_shut_in(world, rules, flags, armies[0].at)
        return None if kept else Mover(side, Mode.GROUND, flags)
    strange = (army for army in walkers if army not in boats and army not in afloat)
    if not all(_swims(world, army) for army in strange):
        return None
    return Mover(side, Mode.WATER, flags, bool(afloat), bool(boats))


def strands(world: World, rules: MovingRules, armies: tuple[Army, ...]) -> bool:
    """Return whether a group cannot leave its stack, because one of the parts could not fly.

    This applies only over water and closed land, to stacks that fly together.
    """
    at = armies[0].at
    if rules.lifts is None or not (is_water(world, rules, at) or is_shut(world, rules, at)):
        return False
    stack = [army for army in armies_at(world, at) if not army.aboard]
    parts = [[army for army in stack if (army in armies) == going] for going in (True, False)]
    if not all(parts) or not rules.lifts(world, stack):
        return False
    return not all(rules.lifts(world, part) for part in parts)


def is_shut(world: World, rules: MovingRules, at: Place) -> bool:
    """Return whether armies on a tile are shut in: its terrain is closed and it has no road.

    False if the rules let armies leave closed terrain without a road.
    """
    x, y = at
    return rules.shuts_in and world.terrain[y, x] in rules.opened and not world.roads[y, x]


def is_shut_in(world: World, rules: MovingRules, flags: int, at: Place) -> bool:
    """Return whether walkers with these abilities are shut in on the closed terrain of a tile."""
    code = world.terrain[at[1], at[0]]
    able = any(flags & wise_bit(row) and wise == code for row, (_, wise) in enumerate(rules.wise))
    return is_shut(world, rules, at) and not able


def wise_bit(row: int) -> int:
    """Return the bit for a row of ``MovingRules.wise``."""
    return WOODS << row


def _swims(world: World, army: Army) -> bool:
    return SWIMS in world.types[army.type].traits


def boards(world: World, army: Army) -> bool:
    """Return whether an army embarks when its group does."""
    return not (flies(world, army) or is_boat(world, army) or _swims(world, army))


def _all_fly(
    world: World, rules: MovingRules, armies: tuple[Army, ...], walkers: list[Army]
) -> bool:
    if rules.lifts is not None:
        return rules.lifts(world, armies)
    if not walkers:
        return True
    winged = [army for army in armies if army not in walkers]
    carriers = any("fly" in world.types[army.type].traits for army in winged)
    return rules.riders and carriers and all(army.hero is not None for army in walkers)


def _abilities(
    world: World, rules: MovingRules, armies: tuple[Army, ...], walkers: list[Army]
) -> int:
    """Return the flags of the terrains a group is wise in, by its ``walkers`` or ``wise_of``."""
    if rules.wise_of is not None:
        known = rules.wise_of(world, armies)
        return sum(wise_bit(row) for row, (trait, _) in enumerate(rules.wise) if trait in known)
    enough = all if rules.all_wise else any
    return sum(
        wise_bit(row)
        for row, (trait, _) in enumerate(rules.wise)
        if enough(trait in world.types[army.type].traits for army in walkers)
    )


def points(armies: tuple[Army, ...]) -> int:
    """Return the movement points of a group: the minimum over its members."""
    return min(army.points for army in armies)


# -- Coasts ----------------------------------------------------------------------------------------


def is_water(world: World, rules: MovingRules, at: Place) -> bool:
    """Return whether armies on a tile must be aboard unless they fly."""
    return world.terrain[at[1], at[0]] in rules.water and not is_kept(world, rules, at)


def is_kept(world: World, rules: MovingRules, at: Place) -> bool:
    """Return whether a tile, such as a quay, leaves armies as they come: on foot or aboard."""
    code = world.terrain[at[1], at[0]]
    return code in rules.keeps or (code in rules.quayside and at in world.ports)


@identity_lru(4)
def quays(terrain: Plane, ports: tuple[Place, ...], rules: MovingRules) -> TileMask:
    """Return the mask of the tiles that leave armies as they come, as in ``is_kept``."""
    return one_of(terrain.cells, rules.keeps) | _foot_ports(terrain, ports, rules)


def _ports(world: World, rules: MovingRules) -> tuple[Place, ...]:
    """Return the ports if the rules let some of them be crossed on foot, otherwise ()."""
    return world.ports if rules.quayside else ()


@identity_lru(4)
def _foot_ports(terrain: Plane, ports: tuple[Place, ...], rules: MovingRules) -> TileMask:
    found = np.zeros(terrain.cells.shape, dtype=np.bool_)
    for x, y in ports:
        found[y, x] = terrain[y, x] in rules.quayside
    return found


def embarks(world: World, rules: MovingRules, who: Mover, here: Place, there: Place) -> bool:
    """Return whether a step of a group on foot is one of ``MovingRules.embarks``."""
    if not rules.embarks or who.mode is not Mode.GROUND:
        return False
    terrain = world.terrain
    return (terrain[here[1], here[0]], terrain[there[1], there[0]]) in rules.embarks


def is_coast_step(world: World, rules: MovingRules, who: Mover, at: Place) -> bool:
    """Return whether entering a tile embarks or lands the group."""
    if who.mode is Mode.GROUND:
        return is_water(world, rules, at)
    ends = not is_water(world, rules, at) and not is_kept(world, rules, at)
    return who.mode is Mode.WATER and who.aboard and ends


def aboard_at(world: World, rules: MovingRules, army: Army, mode: Mode, at: Place) -> bool:
    """Return whether an army is embarked after it has entered a tile in ``mode``."""
    if mode is Mode.AIR:
        return False
    if is_kept(world, rules, at):
        return army.aboard or (mode is Mode.WATER and boards(world, army))
    return is_water(world, rules, at) and boards(world, army)


# -- Prices ----------------------------------------------------------------------------------------


PriceGrid = npt.NDArray[np.uint8]

CostMap: TypeAlias = npt.NDArray[np.uint16]
"""Price and flags of each tile, of shape (height, width)."""

PRICE: Final = 0x00FF
ZONE: Final = 0x0100
ROAD: Final = 0x0200
LINKED: Final = 0x0400
BRIDGE: Final = 0x0800
"""Bits of a cost map: ``PRICE`` masks the base price, 0 for closed; the others are flags."""


def _fixed(world: World, rules: MovingRules, mode: Mode) -> CostMap:
    """Return the cost map of the land alone, without armies."""
    return _of_land(world.terrain, world.roads, _ports(world, rules), rules, mode)


@identity_lru(8)
def _of_land(
    terrain: Plane, roads: Plane, ports: tuple[Place, ...], rules: MovingRules, mode: Mode
) -> CostMap:
    cells = terrain.cells
    prices = np.zeros(256, dtype=np.uint16)
    listed = rules.air if mode is Mode.AIR else rules.foot
    prices[: len(listed)] = listed
    road = roads.cells != 0
    linked = road & around(road | one_of(cells, rules.roadside))
    bridge = one_of(cells, rules.bridges)
    fixed: CostMap = prices[cells]
    if rules.opened and mode is not Mode.AIR:
        fixed[road & one_of(cells, rules.opened)] = rules.road_price or rules.cap
    if ports and mode is Mode.GROUND:
        fixed[_foot_ports(terrain, ports, rules)] = rules.cap
    fixed |= road * np.uint16(ROAD) | linked * np.uint16(LINKED) | bridge * np.uint16(BRIDGE)
    return fixed


def passable(world: World, rules: MovingRules, mode: Mode) -> TileMask:
    """Return the mask of the tiles that a mode can enter, ignoring armies and coast steps."""
    if mode is Mode.WATER:
        return _navigable(world.terrain, harbours(world, rules), rules)
    return _walkable(_fixed(world, rules, mode))


@identity_lru(4)
def _navigable(terrain: Plane, harbours: TileMask, rules: MovingRules) -> TileMask:
    return one_of(terrain.cells, rules.boats) | harbours


@identity_lru(8)
def _walkable(fixed: CostMap) -> TileMask:
    able: TileMask = (fixed & PRICE) != 0
    return able


@identity_lru(12)
def cost_map(world: World, settings: RuleSettings, side: int, mode: Mode) -> CostMap:
    """Return a side's cost map for a mode, with the armies that the side sees."""
    known, able = others(world, settings, side), passable(world, settings.moving, mode)
    fixed = _fixed(world, settings.moving, mode)
    return _peopled(fixed, able, known.hostile, known.zone, settings.moving.foe_price)


@identity_lru(12)
def _peopled(
    fixed: CostMap, able: TileMask, hostile: TileMask, zone: TileMask, foe_price: int | None
) -> CostMap:
    """Add hostile armies and their zones to a cost map."""
    found = fixed.copy()
    if foe_price is not None:
        meeting = hostile & able
        found[meeting] = found[meeting] & ~np.uint16(PRICE) | foe_price
    found |= zone * np.uint16(ZONE)
    return found


def base(found: CostMap) -> PriceGrid:
    """Return the base prices in a cost map, of the same shape; 0 for closed."""
    return (found & PRICE).astype(np.uint8)


class StepPrices(NamedTuple):
    """Prices of steps for a mover, of shape (height, width).

    ``steps`` is the price of entering a tile, 0 if the mode cannot. In a ``zone`` tile, entering
    from outside the zone also costs the toll. A path can end on a ``shut`` tile but not cross it.
    """

    steps: PriceGrid
    zone: TileMask
    shut: TileMask


@identity_lru(12)
def prices(world: World, settings: RuleSettings, who: Mover) -> StepPrices:
    """Return the step prices of a mover."""
    havens = harbours(world, settings.moving) if who.mode is Mode.WATER else None
    known, cities = others(world, settings, who.side), foreign(world, who.side)
    fixed = _fixed(world, settings.moving, who.mode)
    return _priced(who, *known, cities, world.terrain, fixed, havens, settings.moving)


@identity_lru(24)
def _priced(  # noqa: PLR0913, PLR0917 - a key of all that prices are made of
    who: Mover,
    hostile: TileMask,
    anyone: TileMask,
    guarded: TileMask,
    cities: TileMask,
    terrain: Plane,
    fixed: CostMap,
    harbours: TileMask | None,
    rules: MovingRules,
) -> StepPrices:
    """Build the prices from the visible armies of others, their zones, their cities and the land.

    ``harbours`` is given for movers on water only. The result is cached by these inputs, not by the
    world: most events leave them unchanged.
    """
    able = _walkable(fixed) if harbours is None else _navigable(terrain, harbours, rules)
    found = _peopled(fixed, able, hostile, guarded, rules.foe_price)
    taken = _taken(anyone, cities)
    zone = (found & ZONE != 0) & (found & ROAD == 0)
    steps, cap = base(found), np.uint8(rules.cap)
    if who.mode is Mode.WATER and rules.afloat:
        steps = afloat(terrain, rules)
    elif who.mode is Mode.WATER:
        steps = np.where(steps == 0, cap, np.minimum(steps, cap))
        steps[zone] = cap
    lowered = _lower(terrain, rules, who, found, steps)
    if who.mode is not Mode.GROUND:
        lowered[~able] = 0
    shut = taken
    if who.mode is Mode.WATER and who.aboard:
        shut = taken | ~one_of(terrain.cells, rules.water | rules.keeps)
    return StepPrices(lowered, zone, shut)


@identity_lru(4)
def afloat(terrain: Plane, rules: MovingRules) -> PriceGrid:
    """Return the price of each tile for boats and armies aboard, of shape (height, width)."""
    prices = np.full(256, rules.cap, dtype=np.uint8)
    prices[: len(rules.afloat)] = rules.afloat
    found: PriceGrid = prices[terrain.cells]
    return found


@identity_lru(4)
def boarding_prices(terrain: Plane, ports: tuple[Place, ...], rules: MovingRules) -> PriceGrid:
    """Return the price of embarking on each tile, 0 where that is impossible.

    The result has the shape (height, width).
    """
    wet = one_of(terrain.cells, rules.water) & ~quays(terrain, ports, rules)
    price = afloat(terrain, rules) if rules.boarding is None else rules.boarding
    return np.where(wet, price, 0).astype(np.uint8)


@identity_lru(12)
def _taken(armies: TileMask, cities: TileMask) -> TileMask:
    return armies | cities


def _lower(
    terrain: Plane, rules: MovingRules, who: Mover, found: CostMap, steps: PriceGrid
) -> PriceGrid:
    """Apply the discounts for roads, bridges and abilities.

    Closed tiles stay closed, except for walkers with the trait that opens them.
    """
    capped = np.zeros(steps.shape, dtype=np.bool_)
    if who.flags & ROADS and rules.road_price is None:
        capped |= found & LINKED != 0
    if rules.bridge_cap and who.flags & BRIDGES:
        capped |= found & BRIDGE != 0
    known = frozenset(code for row, (_, code) in enumerate(rules.wise) if who.flags & wise_bit(row))
    if known:
        capped |= one_of(terrain.cells, known)
    lowered = np.where(capped, np.minimum(steps, np.uint8(rules.cap)), steps)
    if who.mode is Mode.GROUND and known & rules.opened:
        lowered[one_of(terrain.cells, known & rules.opened) & (steps == 0)] = rules.cap
    if rules.road_price is not None and (rules.road_aloft or who.mode is not Mode.AIR):
        lowered[(found & ROAD != 0) & (steps != 0)] = rules.road_price
    return lowered


@identity_lru(12)
def ashore(world: World, settings: RuleSettings, who: Mover) -> PriceGrid:
    """Return the price of landing for a fleet with armies aboard, 0 where it cannot land.

    The result has the shape (height, width).
    """
    rules = settings.moving
    found = cost_map(world, settings, who.side, Mode.GROUND)
    landing = _lower(world.terrain, rules, who._replace(mode=Mode.GROUND), found, base(found))
    if who.boats:
        landing[:] = 0
    native = prices(world, settings, who).steps
    dry = ~one_of(world.terrain.cells, rules.water | rules.keeps)
    return np.where(dry, np.where(native != 0, native, landing), 0).astype(np.uint8)


def coast_prices(world: World, settings: RuleSettings, who: Mover) -> PriceGrid:
    """Return the price of embarking or landing on each tile, 0 where that is impossible.

    The result has the shape (height, width).
    """
    rules = settings.moving
    if who.mode is Mode.GROUND:
        return boarding_prices(world.terrain, world.ports, rules)
    if who.mode is Mode.WATER and who.aboard:
        return ashore(world, settings, who)
    return np.zeros(world.terrain.cells.shape, dtype=np.uint8)


def entry(world: World, settings: RuleSettings, who: Mover, at: Place) -> int:
    """Return the price of entering a tile as the end of a path, without the toll; 0 if impossible.

    Embarking and landing count. Armies on the tile do not matter, except that a group on foot
    cannot embark where it sees another side's army, unless ``fights_aboard`` is set.
    """
    x, y = at
    if not is_coast_step(world, settings.moving, who, at):
        return int(prices(world, settings, who).steps[y, x])
    if who.mode is Mode.GROUND:
        rules, held = settings.moving, others(world, settings, who.side).anyone[y, x]
        price = afloat(world.terrain, rules)[y, x] if rules.boarding is None else rules.boarding
        return 0 if held and not rules.fights_aboard else int(price)
    return int(ashore(world, settings, who)[y, x])


def links(world: World, settings: RuleSettings, who: Mover, here: Place, there: Place) -> bool:
    """Return whether the coast permits a step: to embark or land, it must touch a port."""
    if not is_coast_step(world, settings.moving, who, there):
        return True
    havens = docks(world, settings.moving)
    return bool(havens[here[1], here[0]] or havens[there[1], there[0]])


def toll(world: World, settings: RuleSettings, who: Mover, here: Place, there: Place) -> int:
    """Return the toll for a step into the zone of armies at war with the side."""
    return _toll(prices(world, settings, who), settings.moving, here, there)


def _toll(known: StepPrices, rules: MovingRules, here: Place, there: Place) -> int:
    enters = known.zone[there[1], there[0]] and not known.zone[here[1], here[0]]
    return rules.zone_toll if enters else 0


def step(world: World, settings: RuleSettings, who: Mover, here: Place, there: Place) -> int:
    """Return the points for a step that is not an attack, toll included; 0 if it is impossible."""
    return priced_step(world, settings, who, prices(world, settings, who), (here, there))


def priced_step(
    world: World, settings: RuleSettings, who: Mover, known: StepPrices, way: tuple[Place, Place]
) -> int:
    """Return the points for a step like ``step``, from known prices."""
    here, there = way
    if not is_coast_step(world, settings.moving, who, there):
        price = known.steps.item(there[1], there[0])
    elif links(world, settings, who, here, there):
        price = entry(world, settings, who, there)
    else:
        return 0
    return price + _toll(known, settings.moving, here, there) if price else 0


def attack_price(rules: MovingRules, step: int) -> int:
    """Return the points for an attack on a tile whose entry costs ``step``."""
    return max(rules.attack, step) if rules.attack_as_terrain else rules.attack


def attack_need(world: World, settings: RuleSettings, who: Mover, at: Place) -> int:
    """Return the points that a group must have left to attack a tile."""
    rules = settings.moving
    return attack_price(rules, entry(world, settings, who, at)) if rules.attack_in_full else 1


def is_attack(world: World, settings: RuleSettings, side: int, at: Place) -> bool:
    """Return whether a move to a tile is an attack, as far as the side sees."""
    city = city_at(world, at)
    if city is not None and is_known_city(world, settings, side, city):
        return city.owner != side
    return bool(others(world, settings, side).anyone[at[1], at[0]])


def is_held(world: World, side: int, at: Place) -> bool:
    """Return whether a move to a tile is an attack, whether the side sees it or not."""
    city = city_at(world, at)
    if city is not None and city.owner != side:
        return True
    stack = armies_at(world, at)
    return bool(stack) and any(army.owner != side for army in stack)
