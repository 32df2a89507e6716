"""How far units come: reachable tiles, ways and their prices, tiles that can be struck."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, NamedTuple

import numpy as np

from engine.core.containers import Plane
from engine.kit.fields import FAR, Ground
from engine.kit.grid import Place, disc, square
from engine.kit.patches import CLOSED, Arrival, Patch, flat, place, rimmed, spread, way
from engine.rulesets.weltendaemmerung import sight
from engine.rulesets.weltendaemmerung.fighting import is_in_reach
from engine.rulesets.weltendaemmerung.lookup import Position
from engine.rulesets.weltendaemmerung.numbers import pay
from engine.rulesets.weltendaemmerung.state import DAILOR, Options, Terrain, Unit
from engine.rulesets.weltendaemmerung.tables import enterable, prices, units_table

_RIM: Final = len(Terrain)
"""The kind of the rim around the map."""

_GOAL: Final = _RIM + 1
"""Added to the terrain of tiles where the game ends, so that no way leads on from them."""


@dataclass(frozen=True)
class Reach:
    """The tiles a unit can get to with its points, and the ways there."""

    unit: Unit
    stride: int
    found: dict[int, Arrival]

    def prices(self) -> dict[Place, int]:
        """For every reachable tile the prices of all steps there, from north to south."""
        start = flat(self.unit.x, self.unit.y, self.stride)
        return {
            place(at, self.stride): self.found[at].cost for at in sorted(self.found) if at != start
        }

    def left(self, x: int, y: int) -> int:
        """The points left after the cheapest way to a reachable tile. Rules: WD-NUM-3."""
        return pay(self.unit.b, self.found[flat(x, y, self.stride)].cost)

    def path(self, x: int, y: int) -> tuple[Place, ...]:
        """The cheapest way to a tile, without the unit's own; empty if it cannot be reached."""
        start, goal = flat(self.unit.x, self.unit.y, self.stride), flat(x, y, self.stride)
        if goal not in self.found:
            return ()
        return tuple(place(at, self.stride) for at in way(self.found, start, goal))


def reach(board: Position, unit: Unit) -> Reach:
    """The tiles that a unit can get to in this phase.

    The prices of all steps before the last may add up to at most one point less than the unit has;
    the last may cost any price, unless the option ``must_afford`` is on. No way leads through
    another unit, nor on from a tile where the game ends.

    Rules: WD-MOVE-2, WD-MOVE-3, WD-MOVE-6, WD-MOVE-7, WD-MOVE-8.
    """
    stride = board.terrain.width + 2
    start = flat(unit.x, unit.y, stride)
    if unit.b < 1 or not unit.alive:
        return Reach(unit, stride, {start: Arrival(0, start)})
    return Reach(unit, stride, arrivals(patch(board, unit), start, unit.b, board.options))


def arrivals(ground: Patch, start: int, points: int, options: Options) -> dict[int, Arrival]:
    """The squares that points, at least one, suffice for, with their costs; the start among them.

    A way that would lead on from a tile where the game ends costs FAR, and is none.

    Rules: WD-MOVE-3, WD-MOVE-7.
    """
    most = points if options.last_step == "must_afford" else FAR - 1
    found = spread(ground, start, points - 1)
    return {at: arrival for at, arrival in found.items() if arrival.cost <= most}


def patch(board: Position, unit: Unit) -> Patch:
    """What steps cost a unit around the others, for ``spread`` and ``journeys``."""
    goals = sight.side(unit) == DAILOR and board.options.west_edge_win == "on"
    kinds = _kinds(board.terrain, goals)
    stride = board.terrain.width + 2
    if goals and unit.x == 0:
        own = flat(unit.x, unit.y, stride)
        kinds = (*kinds[:own], kinds[own] - _GOAL, *kinds[own + 1 :])
    taken = {flat(other.x, other.y, stride) for other in board.units.values() if other.alive}
    costs = _costs(unit.type, board.options)
    ways = sight.ways(board)
    return Patch(kinds, stride, costs.leave, costs.enter, taken, ways, costs.corners)


@lru_cache(maxsize=32)
def _kinds(terrain: Plane, goals: bool) -> tuple[int, ...]:  # noqa: FBT001 - part of the key
    cells = terrain.edit().astype("int16")
    if goals:
        cells[:, 0] += _GOAL
    return tuple(rimmed(cells, _RIM))


class _Costs(NamedTuple):
    leave: tuple[int, ...]
    enter: tuple[int, ...]
    corners: frozenset[int]


@lru_cache(maxsize=256)
def _costs(kind: int, options: Options) -> _Costs:
    """Costs by kind of tile: terrains, the rim, terrains where the game ends."""
    price, open_to = prices()[kind], enterable()[kind]
    origin = options.price_tile == "origin"
    leave = price if origin else (0,) * len(Terrain)
    paid = (0,) * len(Terrain) if origin else price
    enter = [cost if free else CLOSED for cost, free in zip(paid, open_to, strict=True)]
    shut = {code for code, free in enumerate(open_to) if not free}
    corners = shut | {code + _GOAL for code in shut}
    lasting = (FAR,) * len(Terrain)
    return _Costs((*leave, 0, *lasting), (*enter, CLOSED, *enter), frozenset(corners))


def ground(board: Position, kind: int) -> Ground:
    """What steps cost a type on the whole map, units left aside, for fields of distance.

    Rules: WD-TERR-2, WD-TERR-4, WD-MOVE-2, WD-MOVE-8.
    """
    cells = board.terrain.cells
    price = np.array(prices()[kind], dtype=np.int16)[cells]
    shut = ~np.array(enterable()[kind])[cells]
    nothing = np.zeros_like(price)
    leave, enter = price, nothing
    if board.options.price_tile == "destination":
        leave, enter = enter, leave
    return Ground(leave, enter, shut, sight.ways(board), shut)


@cache
def below(kind: int, options: Options) -> int:
    """In a type's reach are the offsets whose square is below this. Rules: WD-ATT-2."""
    span = units_table()[kind].r
    offsets = [(dx, dy) for dx in range(span + 2) for dy in range(span + 2)]
    return 1 + max(square(way) for way in offsets if is_in_reach(options, span, *way))


def strike(board: Position, unit: Unit) -> tuple[Place, ...]:
    """The tiles in reach of a unit's attack, row by row, its own left out. Rules: WD-ATT-2."""
    offsets = disc(below(unit.type, board.options))
    places = ((unit.x + dx, unit.y + dy) for dx, dy in offsets)
    return tuple(there for there in places if board.terrain.has(*there))
