"""Costs of movement: how a group moves, where it boards, and the price of each step."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from engine.core.containers import Plane
from engine.kit.grid import Place
from engine.kit.memo import recent_few
from engine.strategic.pieces import Army
from engine.strategic.seen import TileMask
from engine.strategic.settings import MovingRules, RuleSettings
from engine.strategic.sight import around, foreign, is_unknown, others
from engine.strategic.world import World, armies_at, city_at, city_places, flies, is_boat

# -- Groups ----------------------------------------------------------------------------------------


ROADS: Final = 0x01
BRIDGES: Final = 0x02
WOODS: Final = 0x04
HILLS: Final = 0x08
"""The flags of a group: its bonuses and abilities."""

WISE: Final = {"woods": WOODS, "hills": HILLS}


class Mode(IntEnum):
    """Mode of movement."""

    GROUND = 0
    AIR = 1
    WATER = 2


class Mover(NamedTuple):
    """Properties of a group that prices depend on; equal movers have equal routes.

    ``aboard``: some member is embarked. ``boats``: some member is a boat.
    """

    side: int
    mode: Mode
    flags: int
    aboard: bool = False
    boats: bool = False


def is_afloat(world: World, rules: MovingRules, army: Army) -> bool:
    """True if an army is embarked, or on water without anything to fly with any more."""
    if army.aboard:
        return True
    on_water = is_water(world, rules, army.at)
    return on_water and not is_boat(world, army) and not flies(world, army)


def mover(world: World, rules: MovingRules, armies: tuple[Army, ...]) -> Mover | None:
    """Mover of a group; None if its armies cannot move together."""
    side = armies[0].owner
    winged = [army for army in armies if flies(world, army)]
    walkers = [army for army in armies if not flies(world, army)]
    if _all_fly(world, rules, winged, walkers):
        return Mover(side, Mode.AIR, ROADS | BRIDGES | WOODS | HILLS)
    boats = [army for army in walkers if is_boat(world, army)]
    afloat = [army for army in walkers if is_afloat(world, rules, army)]
    flags = 0 if boats else ROADS | BRIDGES
    flags |= _abilities(world, rules, [army for army in walkers if army not in boats])
    if len(boats) + len(afloat) == len(walkers):
        return Mover(side, Mode.WATER, flags, bool(afloat), bool(boats))
    return None if boats or afloat else Mover(side, Mode.GROUND, flags)


def _all_fly(world: World, rules: MovingRules, winged: list[Army], walkers: list[Army]) -> bool:
    if not walkers:
        return True
    carriers = any("fly" in world.types[army.type].traits for army in winged)
    return rules.riders and carriers and all(army.hero is not None for army in walkers)


def _abilities(world: World, rules: MovingRules, walkers: list[Army]) -> int:
    """Terrains that a group is wise in; flyers do not count."""
    enough = all if rules.all_wise else any
    return sum(
        WISE[trait]
        for trait, _ in rules.wise
        if enough(trait in world.types[army.type].traits for army in walkers)
    )


def points(armies: tuple[Army, ...]) -> int:
    """Movement points of a group: the least of its members."""
    return min(army.points for army in armies)


# -- Ports -----------------------------------------------------------------------------------------


def one_of(cells: npt.NDArray[np.uint8], codes: frozenset[int]) -> TileMask:
    """Mask of the cells that hold one of some codes."""
    table = np.zeros(256, dtype=np.bool_)
    table[list(codes)] = True
    found: TileMask = table[cells]
    return found


def coastal(cities: tuple[Place, ...], terrain: Plane, codes: frozenset[int]) -> list[Place]:
    """Cities beside water: one of the 12 tiles around is of these codes."""
    wet = np.pad(one_of(terrain.cells, codes), 1)
    return [(x, y) for x, y in cities if wet[y : y + 4, x : x + 4].any()]


@recent_few(8)
def _havens(
    cities: tuple[Place, ...], terrain: Plane, ports: tuple[Place, ...], rules: MovingRules
) -> tuple[TileMask, TileMask]:
    """Tiles of port cities, and all ports."""
    harbours = np.zeros(terrain.cells.shape, dtype=np.bool_)
    for x, y in coastal(cities, terrain, rules.seaside):
        harbours[y : y + 2, x : x + 2] = True
    docks = harbours | one_of(terrain.cells, rules.bridges)
    for x, y in ports:
        docks[y, x] = True
    return harbours, docks


def harbours(world: World, rules: MovingRules) -> TileMask:
    """Tiles of port cities."""
    return _havens(city_places(world.cities), world.terrain, world.ports, rules)[0]


def docks(world: World, rules: MovingRules) -> TileMask:
    """Ports: tiles of port cities, tiles in the set of ports, bridges."""
    return _havens(city_places(world.cities), world.terrain, world.ports, rules)[1]


def is_water(world: World, rules: MovingRules, at: Place) -> bool:
    """True if armies that do not fly must be aboard there."""
    code = world.terrain[at[1], at[0]]
    return code in rules.water and code not in rules.keeps


def is_kept(world: World, rules: MovingRules, at: Place) -> bool:
    """True if armies stay there as they came, aboard or on foot."""
    return world.terrain[at[1], at[0]] in rules.keeps


def embarks(world: World, rules: MovingRules, who: Mover, here: Place, there: Place) -> bool:
    """True if a group goes aboard by a step although the tile keeps others on foot."""
    if not rules.embarks or who.mode is not Mode.GROUND:
        return False
    terrain = world.terrain
    return (terrain[here[1], here[0]], terrain[there[1], there[0]]) in rules.embarks


def is_coast_step(world: World, rules: MovingRules, who: Mover, at: Place) -> bool:
    """True if entering a tile means going aboard or ashore."""
    if who.mode is Mode.GROUND:
        return is_water(world, rules, at)
    ends = not is_water(world, rules, at) and not is_kept(world, rules, at)
    return who.mode is Mode.WATER and who.aboard and ends


def aboard_at(world: World, rules: MovingRules, army: Army, mode: Mode, at: Place) -> bool:
    """True if an army that has come to a tile in some way is embarked there."""
    if is_kept(world, rules, at):
        return army.aboard
    if mode is Mode.AIR or not is_water(world, rules, at):
        return False
    return not flies(world, army) and not is_boat(world, army)


# -- Prices ----------------------------------------------------------------------------------------


PriceGrid = npt.NDArray[np.uint8]

CostMap: TypeAlias = npt.NDArray[np.uint16]
"""Price of each tile and its flags, of shape (height, width)."""

PRICE: Final = 0x00FF
ZONE: Final = 0x0100
ROAD: Final = 0x0200
LINKED: Final = 0x0400
BRIDGE: Final = 0x0800
"""Bits of a cost map: the base price, 0 for closed, and flags."""


@recent_few(8)
def _fixed(terrain: Plane, roads: Plane, rules: MovingRules, mode: Mode) -> CostMap:
    """Cost map without armies."""
    cells = terrain.cells
    prices = np.zeros(256, dtype=np.uint16)
    listed = rules.air if mode is Mode.AIR else rules.foot
    prices[: len(listed)] = listed
    road = roads.cells != 0
    linked = road & around(road | one_of(cells, rules.roadside))
    bridge = one_of(cells, rules.bridges)
    fixed: CostMap = prices[cells]
    fixed |= road * np.uint16(ROAD) | linked * np.uint16(LINKED) | bridge * np.uint16(BRIDGE)
    return fixed


def passable(world: World, rules: MovingRules, mode: Mode) -> TileMask:
    """Tiles a mode may enter, whoever stands there, coast steps left aside."""
    if mode is Mode.WATER:
        return _navigable(world.terrain, harbours(world, rules), rules)
    return _walkable(_fixed(world.terrain, world.roads, rules, mode))


@recent_few(4)
def _navigable(terrain: Plane, harbours: TileMask, rules: MovingRules) -> TileMask:
    return one_of(terrain.cells, rules.boats) | harbours


@recent_few(8)
def _walkable(fixed: CostMap) -> TileMask:
    able: TileMask = (fixed & PRICE) != 0
    return able


@recent_few(12)
def cost_map(world: World, settings: RuleSettings, side: int, mode: Mode) -> CostMap:
    """Cost map of a side for a mode, with the armies that it sees."""
    known, able = others(world, settings, side), passable(world, settings.moving, mode)
    fixed = _fixed(world.terrain, world.roads, settings.moving, mode)
    return _peopled(fixed, able, known.hostile, known.zone, settings.moving.foe_price)


@recent_few(12)
def _peopled(
    fixed: CostMap, able: TileMask, hostile: TileMask, zone: TileMask, foe_price: int | None
) -> CostMap:
    """Cost map with hostile armies and zones."""
    found = fixed.copy()
    if foe_price is not None:
        meeting = hostile & able
        found[meeting] = found[meeting] & ~np.uint16(PRICE) | foe_price
    found |= zone * np.uint16(ZONE)
    return found


def base(found: CostMap) -> PriceGrid:
    """Base prices in a cost map, 0 for closed."""
    return (found & PRICE).astype(np.uint8)


class StepPrices(NamedTuple):
    """Prices of steps for a mover, of shape (height, width).

    ``steps`` is what entering a tile costs, 0 where the mode cannot; ``zone`` where entering costs
    the toll besides for who comes from outside; ``shut`` tiles can only be the end of a way.
    """

    steps: PriceGrid
    zone: TileMask
    shut: TileMask


@recent_few(12)
def prices(world: World, settings: RuleSettings, who: Mover) -> StepPrices:
    """Step prices of a mover."""
    return _priced(
        world.terrain,
        settings.moving,
        who,
        cost_map(world, settings, who.side, who.mode),
        passable(world, settings.moving, who.mode),
        _taken(others(world, settings, who.side).anyone, foreign(world, who.side)),
    )


@recent_few(16)
def _priced(
    terrain: Plane, rules: MovingRules, who: Mover, found: CostMap, able: TileMask, taken: TileMask
) -> StepPrices:
    """Prices by a cost map; ``taken`` are the tiles of others, ``able`` those the mode enters.

    This is remembered by what it is made of and not by the world: most of what happens changes
    nothing about it.
    """
    zone = (found & ZONE != 0) & (found & ROAD == 0)
    steps, cap = base(found), np.uint8(rules.cap)
    if who.mode is Mode.WATER:
        steps = np.where(steps == 0, cap, np.minimum(steps, cap))
        steps[zone] = cap
    lowered = _lower(terrain, rules, who, found, steps)
    lowered[~able] = 0
    shut = taken
    if who.mode is Mode.WATER and who.aboard:
        shut = taken | ~one_of(terrain.cells, rules.water | rules.keeps)
    return StepPrices(lowered, zone, shut)


@recent_few(12)
def _taken(armies: TileMask, cities: TileMask) -> TileMask:
    return armies | cities


def _lower(
    terrain: Plane, rules: MovingRules, who: Mover, found: CostMap, steps: PriceGrid
) -> PriceGrid:
    """Prices with the discounts for roads, bridges and abilities; closed tiles stay closed."""
    capped = np.zeros(steps.shape, dtype=np.bool_)
    if who.flags & ROADS and rules.road_price is None:
        capped |= found & LINKED != 0
    if who.flags & BRIDGES:
        capped |= found & BRIDGE != 0
    for trait, code in rules.wise:
        if who.flags & WISE[trait]:
            capped |= terrain.cells == code
    lowered = np.where(capped, np.minimum(steps, np.uint8(rules.cap)), steps)
    if rules.road_price is not None and who.mode is not Mode.AIR:
        lowered[(found & ROAD != 0) & (steps != 0)] = rules.road_price
    return lowered


@recent_few(12)
def ashore(world: World, settings: RuleSettings, who: Mover) -> PriceGrid:
    """Cost of landing for a fleet with armies aboard, 0 where it is impossible."""
    rules = settings.moving
    found = cost_map(world, settings, who.side, Mode.GROUND)
    landing = _lower(world.terrain, rules, who._replace(mode=Mode.GROUND), found, base(found))
    if who.boats:
        landing[:] = 0
    native = prices(world, settings, who).steps
    dry = ~one_of(world.terrain.cells, rules.water | rules.keeps)
    return np.where(dry, np.where(native != 0, native, landing), 0).astype(np.uint8)


def entry(world: World, settings: RuleSettings, who: Mover, at: Place) -> int:
    """Cost of entering a tile as the end of a way, without the toll; 0 if impossible.

    Going aboard and ashore count; whoever may stand there does not, but nobody goes aboard where
    somebody else is seen.
    """
    x, y = at
    if not is_coast_step(world, settings.moving, who, at):
        return int(prices(world, settings, who).steps[y, x])
    if who.mode is Mode.GROUND:
        return 0 if others(world, settings, who.side).anyone[y, x] else settings.moving.boarding
    return int(ashore(world, settings, who)[y, x])


def links(world: World, settings: RuleSettings, who: Mover, here: Place, there: Place) -> bool:
    """True if the coast bars no step: one that leads aboard or ashore touches a port."""
    if not is_coast_step(world, settings.moving, who, there):
        return True
    havens = docks(world, settings.moving)
    return bool(havens[here[1], here[0]] or havens[there[1], there[0]])


def toll(world: World, settings: RuleSettings, who: Mover, here: Place, there: Place) -> int:
    """Toll for a step into the zone of armies at war with the side."""
    return _toll(prices(world, settings, who), settings.moving, here, there)


def _toll(known: StepPrices, rules: MovingRules, here: Place, there: Place) -> int:
    enters = known.zone[there[1], there[0]] and not known.zone[here[1], here[0]]
    return rules.zone_toll if enters else 0


def step(world: World, settings: RuleSettings, who: Mover, here: Place, there: Place) -> int:
    """Points for a step that is no attack, the toll included; 0: it cannot be made."""
    known = prices(world, settings, who)
    if not is_coast_step(world, settings.moving, who, there):
        price = known.steps.item(there[1], there[0])
    elif links(world, settings, who, here, there):
        price = entry(world, settings, who, there)
    else:
        return 0
    return price + _toll(known, settings.moving, here, there) if price else 0


def attack_price(rules: MovingRules, step: int) -> int:
    """Points for an attack on a tile whose entry costs so much."""
    return max(rules.attack, step) if rules.attack_as_terrain else rules.attack


def attack_need(world: World, settings: RuleSettings, who: Mover, at: Place) -> int:
    """Points that a group must have left to attack a tile."""
    rules = settings.moving
    return attack_price(rules, entry(world, settings, who, at)) if rules.attack_in_full else 1


def is_attack(world: World, settings: RuleSettings, side: int, at: Place) -> bool:
    """True if a move there is an attack, as far as the side sees."""
    city = city_at(world, at)
    if city is not None and not is_unknown(world, settings, side, at):
        return city.owner != side
    return bool(others(world, settings, side).anyone[at[1], at[0]])


def is_held(world: World, side: int, at: Place) -> bool:
    """True if a move there is an attack, seen or not."""
    city, stack = city_at(world, at), armies_at(world, at)
    return (city is not None and city.owner != side) or any(a.owner != side for a in stack)
