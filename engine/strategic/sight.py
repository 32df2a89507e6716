"""Masks of tiles: discovered, in sight, held by other sides, and ports."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from engine.core.containers import Plane
from engine.core.record import replace
from engine.kit.grid import Place
from engine.kit.identity_cache import identity_lru
from engine.strategic.decision import Decision
from engine.strategic.events.movement import FogLifted, GroundSighted, TilesFound
from engine.strategic.pieces import UNKNOWN_TYPE, Army, City, side_bit
from engine.strategic.seen import TileMask, veiled
from engine.strategic.settings import MovingRules, RuleSettings
from engine.strategic.world import (
    Enemies,
    Held,
    World,
    armies_of,
    city_at,
    city_places,
    enemies,
    flies,
    foreign_cities,
    has_discovered,
    is_on_map,
    strangers,
    tower_at,
)

W = TypeVar("W", bound=World)


def has_fog(world: World, settings: RuleSettings) -> bool:
    """Return whether fog hides anything."""
    return settings.moving.fog and not world.lifted


def is_unknown(world: World, settings: RuleSettings, side: int, at: Place) -> bool:
    """Return whether a side has not discovered a tile, so that its content must not matter."""
    return has_fog(world, settings) and not has_discovered(world, side, at)


def is_known_city(world: World, settings: RuleSettings, side: int, city: City) -> bool:
    """Return whether a side knows a city, which takes one discovered tile of it."""
    return not has_fog(world, settings) or bool(_known_to(world, city) & side_bit(side))


def goal_tiles(world: World, settings: RuleSettings, side: int, to: Place) -> tuple[Place, ...]:
    """Return the tiles on the map where a path to ``to`` can end.

    In a known city of another side, these are all four of its tiles: a group goes straight in and
    attacks at the first tile that it meets.
    """
    if not is_on_map(world, to):
        return ()
    city = city_at(world, to)
    if city is None or city.owner == side or not is_known_city(world, settings, side, city):
        return (to,)
    return city.tiles


def span(
    world: World, rules: MovingRules, armies: Sequence[Army], at: Place, *, flying: bool
) -> int:
    """Return the distance that a group sees from a tile, in tiles."""
    if rules.army_sight is not None:
        return max(rules.army_sight(world, army) for army in armies)
    side = armies[0].owner
    tower, city = tower_at(world, at), city_at(world, at)
    high = (tower is not None and tower.owner == side) or (city is not None and city.owner == side)
    return rules.far_sight if flying or high else rules.sight


@identity_lru(12)
def visible(world: World, settings: RuleSettings, side: int) -> TileMask:
    """Return the mask of the tiles where a side sees armies now, of shape (height, width).

    Without fog, that is every tile. Otherwise it is each discovered tile around the side's armies,
    or with ``lasting_sight`` every discovered tile.
    """
    if not has_fog(world, settings):
        return np.ones(world.terrain.cells.shape, dtype=np.bool_)
    known = (world.discovered.cells >> side & 1).astype(np.bool_)
    if settings.moving.lasting_sight:
        return known
    return surroundings(world, settings, armies_of(world, side)) & known


def surroundings(world: World, settings: RuleSettings, armies: Iterable[Army]) -> TileMask:
    """Return the mask of the tiles that any of the armies sees, of shape (height, width)."""
    seen = np.zeros(world.terrain.cells.shape, dtype=np.bool_)
    for army in armies:
        flying = flies(world, army)
        _uncover(seen, army.at, span(world, settings.moving, (army,), army.at, flying=flying))
    return seen


def _uncover(seen: TileMask, at: Place, radius: int) -> None:
    x, y = at
    seen[max(0, y - radius) : y + radius + 1, max(0, x - radius) : x + radius + 1] = True


@identity_lru(4)
def as_known(world: World, settings: RuleSettings, side: int) -> World:
    """Return the world as a side knows it, so that its orders reveal nothing hidden."""
    if not has_fog(world, settings):
        return world
    secrecy = settings.moving.secrecy
    seen = visible(world, settings, side)
    return veiled(world, frozenset({side}), seen, fog=True, secrecy=secrecy)


@identity_lru(8)
def reckoned(world: W, settings: RuleSettings) -> W:
    """Return the world with the ruleset's guesses in place of the armies of unknown type."""
    guess = settings.moving.guess
    if guess is None or UNKNOWN_TYPE.id not in world.types:
        return world
    known = replace(world, types=world.types.drop(UNKNOWN_TYPE.id))
    strange = (army for army in world.armies.values() if army.type == UNKNOWN_TYPE.id)
    return replace(known, armies=known.armies.put(*(guess(known, army) for army in strange)))


def square(world: World, at: Place, radius: int) -> TileMask:
    """Return the mask of the tiles up to ``radius`` from one, of shape (height, width)."""
    seen = np.zeros(world.terrain.cells.shape, dtype=np.bool_)
    _uncover(seen, at, radius)
    return seen


def look_around(
    decision: Decision, settings: RuleSettings, side: int, armies: Iterable[Army]
) -> None:
    """Discover what each of the armies sees, as at the start of a turn."""
    if has_fog(decision.state, settings):
        discover(decision, settings, side, surroundings(decision.state, settings, armies))


def look_from_city(decision: Decision, settings: RuleSettings, side: int, city: City) -> None:
    """Discover what the new owner of a city sees from there."""
    wide = settings.moving.city_sight
    if wide and has_fog(decision.state, settings):
        discover(decision, settings, side, square(decision.state, (city.x, city.y), wide))


def look_along(
    decision: Decision,
    settings: RuleSettings,
    group: Sequence[Army],
    path: Iterable[Place],
    before: TileMask,
    *,
    flying: bool,
) -> None:
    """Discover the surroundings of the tiles on a group's path.

    ``before`` is the mask of the tiles that the side saw at the start. A newly seen tile reveals an
    army or its absence. In both cases the order cannot be undone.
    """
    if not has_fog(decision.state, settings):
        return
    side = group[0].owner
    seen = np.zeros(decision.state.terrain.cells.shape, dtype=np.bool_)
    for at in path:
        _uncover(seen, at, span(decision.state, settings.moving, group, at, flying=flying))
    if (seen & ~before).any():
        decision.emit(GroundSighted(side))
    discover(decision, settings, side, seen)


def note_sighted(decision: Decision, settings: RuleSettings, side: int, before: World) -> None:
    """Emit GroundSighted if a side sees more tiles than before an order, so that undo is barred."""
    world = decision.state
    if not has_fog(world, settings) or any(event.irreversible for event in decision.events):
        return
    parts = ("armies", "items", "towers", "cities", "discovered")
    if all(getattr(world, part) is getattr(before, part) for part in parts):
        return
    if (visible(world, settings, side) & ~visible(before, settings, side)).any():
        decision.emit(GroundSighted(side))


def discover(decision: Decision, settings: RuleSettings, side: int, seen: TileMask) -> None:
    """Let a side discover the tiles of a mask, except those it knows."""
    new = np.flatnonzero(seen & (decision.state.discovered.cells >> side & 1 == 0))
    if new.size:
        decision.emit(TilesFound(side, tuple(new.tolist())))
        lift(decision, settings)


def lift(decision: Decision, settings: RuleSettings) -> None:
    """Lift the fog for good once every living side has discovered every standing city."""
    world = decision.state
    if not settings.moving.lifts_fog or not has_fog(world, settings):
        return
    bits = sum(side_bit(side.id) for side in world.sides.values() if side.alive)
    cities = [city for city in world.cities.values() if not city.razed]
    if cities and all(_known_to(world, city) & bits == bits for city in cities):
        decision.emit(FogLifted())


def _known_to(world: World, city: City) -> int:
    """Return the bit set of the sides that have discovered a tile of a city."""
    known = 0
    for x, y in city.tiles:
        known |= world.discovered[y, x]
    return known


# -- Tiles of others -------------------------------------------------------------------------------


class Others(NamedTuple):
    """Masks of other sides' armies in sight: hostile, any, and the zones of those at war."""

    hostile: TileMask
    anyone: TileMask
    zone: TileMask


@identity_lru(12)
def others(world: World, settings: RuleSettings, side: int) -> Others:
    """Return the masks of the other armies that a side sees."""
    held = strangers(world.armies, side)
    if has_fog(world, settings):
        seen = visible(world, settings, side)
        held = tuple((at, owner) for at, owner in held if seen[at[1], at[0]])
    return _others((world.height, world.width), held, enemies(world, side))


@identity_lru(12)
def _others(shape: tuple[int, int], held: Held, known: Enemies) -> Others:
    """Build the masks from the tiles and owners of visible armies."""
    foes = _marked(shape, (at for at, owner in held if owner in known.hostile))
    fighters = _marked(shape, (at for at, owner in held if owner in known.at_war))
    return Others(foes, _marked(shape, (at for at, _ in held)), around(fighters) & ~foes)


def _marked(shape: tuple[int, int], places: Iterable[Place]) -> TileMask:
    """Return the mask of some tiles, of shape (height, width)."""
    cells = np.zeros(shape, dtype=np.bool_)
    cells.reshape(-1)[[y * shape[1] + x for x, y in places]] = True
    return cells


def around(cells: TileMask) -> TileMask:
    """Return a mask grown by one tile in all eight directions."""
    wide = np.zeros((cells.shape[0] + 2, cells.shape[1] + 2), dtype=np.bool_)
    wide[1:-1, 1:-1] = cells
    rows = wide[:, :-2] | wide[:, 1:-1] | wide[:, 2:]
    sides = wide[1:-1, :-2] | wide[1:-1, 2:]
    found: TileMask = rows[:-2] | rows[2:] | sides
    return found


def foreign(world: World, side: int) -> TileMask:
    """Return the mask of the tiles of cities that the side does not own, neutral ones included."""
    return _covered((world.height, world.width), foreign_cities(world.cities, side))


@identity_lru(12)
def _covered(shape: tuple[int, int], cities: tuple[Place, ...]) -> TileMask:
    cells = np.zeros(shape, dtype=np.bool_)
    for x, y in cities:
        cells[y : y + 2, x : x + 2] = True
    return cells


# -- Ports -----------------------------------------------------------------------------------------


def one_of(cells: npt.NDArray[np.uint8], codes: frozenset[int]) -> TileMask:
    """Return the mask of the cells that contain one of ``codes``."""
    table = np.zeros(256, dtype=np.bool_)
    table[list(codes)] = True
    found: TileMask = table[cells]
    return found


def coastal(cities: tuple[Place, ...], terrain: Plane, codes: frozenset[int]) -> list[Place]:
    """Return the cities with a tile of one of ``codes`` among the 12 tiles around them."""
    wet = np.pad(one_of(terrain.cells, codes), 1)
    return [(x, y) for x, y in cities if wet[y : y + 4, x : x + 4].any()]


@identity_lru(8)
def _havens(
    cities: tuple[Place, ...], terrain: Plane, ports: tuple[Place, ...], rules: MovingRules
) -> tuple[TileMask, TileMask]:
    """Return the masks of the tiles of port cities, and of all ports."""
    harbours = np.zeros(terrain.cells.shape, dtype=np.bool_)
    for x, y in coastal(cities, terrain, rules.seaside):
        harbours[y : y + 2, x : x + 2] = True
    docks = harbours | one_of(terrain.cells, rules.bridges)
    for x, y in ports:
        docks[y, x] = True
    return harbours, docks


def harbours(world: World, rules: MovingRules) -> TileMask:
    """Return the mask of the tiles of port cities."""
    return _havens(city_places(world.cities), world.terrain, world.ports, rules)[0]


def docks(world: World, rules: MovingRules) -> TileMask:
    """Return the mask of the ports: tiles of port cities, tiles in ``World.ports`` and bridges."""
    return _havens(city_places(world.cities), world.terrain, world.ports, rules)[1]
