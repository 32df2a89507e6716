"""Reach of units: tiles in this phase, journeys of several rounds, and layers over the map.

Units other than the moving one are assumed to stay.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from engine.core.containers import Plane
from engine.kit.fields import FAR, CostGrid
from engine.kit.grid import Place, disc
from engine.kit.identity_cache import keyed_identity_cache
from engine.kit.move_graph import (
    CLOSED,
    Arrival,
    Journeys,
    MoveBudget,
    MoveGraph,
    flat,
    journeys,
    place,
    rimmed,
    spread,
    way,
)
from engine.rulesets.weltendaemmerung.fighting import squared_range
from engine.rulesets.weltendaemmerung.lookup import unit_at, unit_side
from engine.rulesets.weltendaemmerung.moving import pay, step_directions
from engine.rulesets.weltendaemmerung.state import (
    ATTACK,
    DAILOR,
    ELDOIN,
    MOVE,
    Options,
    Position,
    Terrain,
    Unit,
    View,
)
from engine.rulesets.weltendaemmerung.tables import enterable, prices
from engine.tabletop.board import BoardMark, Layer
from engine.tabletop.english import many
from engine.tabletop.focus import Focus
from engine.tabletop.roles import MarkSign
from engine.tabletop.spoken import SpokenMark

StrikeCounts: TypeAlias = npt.NDArray[np.int16]
"""Number of units that can strike each tile, of shape (height, width)."""

UnitTiles: TypeAlias = npt.NDArray[np.bool_]
"""Sets of tiles, one for each of several units, of shape (units, height, width)."""

LAYERS: Final = (
    Layer("danger", "enemies that can strike here next"),
    Layer("mine", "own units that can strike here next"),
    Layer("turns", "turns until the unit is there", of_piece=True),
    Layer("prices", "prices of the ground for the unit", of_piece=True),
)
"""Layers of the map. The first two count units; the others show the unit held or at the cursor."""

_MOST: Final = 9
"""Maximum number of units that is shown exactly."""

_DEAREST = 99
"""Highest price that fits into a mark."""

_RIM: Final = len(Terrain)
"""Tile kind of the rim around the map."""

_GOAL: Final = _RIM + 1
"""Added to the kind of tiles on which the game ends, so that no path continues from them."""


# -- reach in this phase -----------------------------------------------------------------


@dataclass(frozen=True)
class UnitReach:
    """Tiles that a unit can reach with its points, by flat index, and the paths there."""

    unit: Unit
    stride: int
    found: dict[int, Arrival]

    def prices(self) -> dict[Place, int]:
        """Return the total price of the steps to each reachable tile, from north to south."""
        start = flat(self.unit.x, self.unit.y, self.stride)
        return {
            place(at, self.stride): self.found[at].cost for at in sorted(self.found) if at != start
        }

    def left(self, x: int, y: int) -> int:
        """Return the points left after the cheapest path to a reachable tile. See: WD-NUM-3."""
        return pay(self.unit.b, self.found[flat(x, y, self.stride)].cost)

    def path(self, x: int, y: int) -> tuple[Place, ...]:
        """Return the cheapest path to a tile, without the unit's own; empty if out of reach."""
        start, goal = flat(self.unit.x, self.unit.y, self.stride), flat(x, y, self.stride)
        if goal not in self.found:
            return ()
        return tuple(place(at, self.stride) for at in way(self.found, start, goal))


def reach(board: Position, unit: Unit) -> UnitReach:
    """Return the tiles that a unit can reach in this phase.

    The steps before the last may cost at most one point less than the unit has. The last may cost
    any price, unless the option ``must_afford`` is on. No path leads through another unit, nor on
    from a tile where the game ends.

    See: WD-MOVE-2, WD-MOVE-3, WD-MOVE-6 to WD-MOVE-8.
    """
    stride = board.terrain.width + 2
    start = flat(unit.x, unit.y, stride)
    if unit.b < 1 or not unit.alive:
        return UnitReach(unit, stride, {start: Arrival(0, start)})
    return UnitReach(unit, stride, arrivals(patch(board, unit), start, unit.b, board.options))


def arrivals(ground: MoveGraph, start: int, points: int, options: Options) -> dict[int, Arrival]:
    """Return the tiles in reach of ``points`` (at least one), with their costs and the start.

    A path that would continue from a tile where the game ends costs FAR and is dropped.

    See: WD-MOVE-3, WD-MOVE-7.
    """
    most = points if options.last_step == "must_afford" else FAR - 1
    found = spread(ground, start, points - 1)
    return {at: arrival for at, arrival in found.items() if arrival.cost <= most}


# -- journeys of several rounds ----------------------------------------------------------


def focused_unit(view: View, focus: Focus) -> Unit | None:
    """Return the unit of either side that is held, or else the one at the focus, or None."""
    held = view.units.get(focus.held)
    return held if held is not None and held.alive else unit_at(view, focus.x, focus.y)


def route(view: View, focus: Focus, x: int, y: int) -> tuple[BoardMark, ...]:
    """Return marks on the quickest path of the held or focused unit to a tile, with prices so far.

    See: WD-MOVE-2 to WD-MOVE-4, WD-MOVE-6, WD-MOVE-8.
    """
    unit = focused_unit(view, focus)
    if unit is None or not view.terrain.has(x, y):
        return ()
    stride, points = view.terrain.width + 2, points_first(view, unit)
    line = unit_journeys(view, unit.id).way(flat(x, y, stride))
    return tuple(
        SpokenMark(
            *place(stop.at, stride),
            MarkSign.PATH,
            priced(stop.cost),
            stop.turn,
            words=_price_words(stop.cost, over=stop.turn == 0 and stop.cost > points),
        )
        for stop in line
    )


def _price_words(cost: int, *, over: bool) -> str:
    """Return a price in words; a last step may cost more than what is left. See: WD-MOVE-3."""
    return f"{many(cost, 'move')}{'; the last step may overdraw' if over else ''}"


def turns(view: View, focus: Focus) -> tuple[BoardMark, ...]:
    """Return marks with the turn of arrival of the held or focused unit at each tile; 1 is now."""
    unit = focused_unit(view, focus)
    if unit is None:
        return ()
    found, stride = unit_journeys(view, unit.id), view.terrain.width + 2
    stops = [found.stop(at) for at in sorted(found.known) if at != found.start]
    return tuple(
        BoardMark(*place(stop.at, stride), MarkSign.REACH, priced(stop.turn + 1), stop.turn)
        for stop in stops
    )


def priced(cost: int) -> str:
    """Return a price in at most two characters; ``++`` above the maximum."""
    return str(cost) if cost <= _DEAREST else "++"


@keyed_identity_cache
def unit_journeys(view: View, number: int) -> Journeys:
    """Return the journeys of a unit, by id, from its position."""
    unit, stride = view.units[number], view.terrain.width + 2
    start = flat(unit.x, unit.y, stride)
    return journeys(patch(view, unit), start, move_budget(view, unit))


def move_budget(view: View, unit: Unit) -> MoveBudget:
    """Return the points that a unit has now, or will have when its side moves next.

    After its side's movement phase a unit has its full points again in the next round.
    See: WD-TURN-1.
    """
    moves = view.phase == MOVE and view.player <= unit_side(unit)
    spent = unit.b_max - unit.b if moves else unit.b_max
    return MoveBudget(unit.b_max, spent, strict=view.options.last_step == "must_afford")


# -- step costs --------------------------------------------------------------------------


def patch(board: Position, unit: Unit) -> MoveGraph:
    """Return the step costs of a unit around all others, for ``spread`` and ``journeys``."""
    goals = unit_side(unit) == DAILOR and board.options.west_edge_win == "on"
    kinds = _kinds(board.terrain, goals)
    stride = board.terrain.width + 2
    if goals and unit.x == 0:
        own = flat(unit.x, unit.y, stride)
        kinds = (*kinds[:own], kinds[own] - _GOAL, *kinds[own + 1 :])
    taken = {flat(other.x, other.y, stride) for other in board.units.values() if other.alive}
    costs = _costs(unit.type, board.options)
    ways = step_directions(board)
    return MoveGraph(kinds, stride, costs.leave, costs.enter, taken, ways, costs.corners)


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
    """Return costs by tile kind: terrains, the rim, then terrains where the game ends."""
    price, open_to = prices()[kind], enterable()[kind]
    origin = options.price_tile == "origin"
    leave = price if origin else (0,) * len(Terrain)
    paid = (0,) * len(Terrain) if origin else price
    enter = [cost if free else CLOSED for cost, free in zip(paid, open_to, strict=True)]
    shut = {code for code, free in enumerate(open_to) if not free}
    corners = shut | {code + _GOAL for code in shut}
    no_way_on = (FAR,) * len(Terrain)
    return _Costs((*leave, 0, *no_way_on), (*enter, CLOSED, *enter), frozenset(corners))


def ground(board: Position, kind: int) -> CostGrid:
    """Return a type's step costs on the whole map, ignoring units, for distance fields.

    See: WD-TERR-2, WD-TERR-4, WD-MOVE-2, WD-MOVE-8.
    """
    cells = board.terrain.cells
    price = np.array(prices()[kind], dtype=np.int16)[cells]
    shut = ~np.array(enterable()[kind])[cells]
    nothing = np.zeros_like(price)
    leave, enter = price, nothing
    if board.options.price_tile == "destination":
        leave, enter = enter, leave
    return CostGrid(leave, enter, shut, step_directions(board), shut)


# -- layers over the whole map -----------------------------------------------------------


def layer(view: View, focus: Focus, name: str) -> tuple[BoardMark, ...]:
    """Return the marks of one of ``LAYERS``.

    Raises:
        ValueError: the layer is unknown.
    """
    mine = shown_side(view)
    match name:
        case "danger":
            return _counted(view, ELDOIN + DAILOR - mine, MarkSign.DANGER)
        case "mine":
            return _counted(view, mine, MarkSign.STRIKE)
        case "turns":
            return turns(view, focus)
        case "prices":
            return _prices(view, focus)
        case _:
            raise ValueError(f"there is no layer {name!r}")


def _prices(view: View, focus: Focus) -> tuple[BoardMark, ...]:
    """Mark the price of each tile open to the held or focused unit. See: WD-TERR-2, WD-TERR-4."""
    unit = focused_unit(view, focus)
    if unit is None:
        return ()
    cells = view.terrain.cells
    price = np.array(prices()[unit.type])[cells]
    rows, columns = np.nonzero(np.array(enterable()[unit.type])[cells])
    costs: Iterable[int] = price[rows, columns].tolist()
    found = zip(columns.tolist(), rows.tolist(), costs, strict=True)
    return tuple(BoardMark(x, y, MarkSign.REACH, str(cost)) for x, y, cost in found)


def _counted(view: View, side: int, sign: MarkSign) -> tuple[BoardMark, ...]:
    """Mark tiles with the number of a side's units that can strike them, except its own tiles."""
    counts = strikers(view, side)
    numbers = np.array(["", *map(str, range(1, _MOST + 1)), "+"])[counts.clip(0, _MOST + 1)]
    for unit in units_of(view, side):
        numbers[unit.y, unit.x] = ""
    rows, columns = np.nonzero(counts)
    texts = numbers[rows, columns].tolist()
    cells = zip(columns.tolist(), rows.tolist(), texts, strict=True)
    return tuple(BoardMark(x, y, sign, text) for x, y, text in cells)


@keyed_identity_cache
def strikers(view: View, side: int) -> StrikeCounts:
    """Count a side's units that can strike each tile in its next attack phase.

    A side that moves before it attacks first goes as far as its points allow. Its own units do not
    block each other; those of the other side stay.

    See: WD-TURN-1, WD-MOVE-3, WD-ATT-1, WD-ATT-2.
    """
    total = np.zeros(view.terrain.cells.shape, dtype=np.int16)
    if view.winner >= 0:
        return total
    by_type: dict[int, list[Unit]] = {}
    for unit in units_of(view, side):
        if attacks_next(view, unit):
            by_type.setdefault(unit.type, []).append(unit)
    for kind, units in by_type.items():
        tiles, limit = _standing_tiles(view, units), squared_range(kind, view.options)
        total += _dilated(tiles, limit).sum(axis=0)
    return total


def attacks_next(view: View, unit: Unit) -> bool:
    """Return whether a unit has an attack in its side's next attack phase. See: WD-TURN-4."""
    acting = view.phase == ATTACK and view.player == unit_side(unit)
    return unit.b > 0 if acting else True


def _standing_tiles(view: View, units: list[Unit]) -> UnitTiles:
    """Return the tiles from which units of one type can attack next."""
    side = unit_side(units[0])
    stack = np.zeros((len(units), *view.terrain.cells.shape), dtype=np.bool_)
    stride = view.terrain.width + 2
    foes = places_of(view, ELDOIN + DAILOR - side, stride)
    ground = patch(view, units[0])
    for number, unit in enumerate(units):
        stack[number, unit.y, unit.x] = True
        points = points_first(view, unit)
        if points > 0:
            own = patch(view, unit) if unit.x == 0 or units[0].x == 0 else ground
            start = flat(unit.x, unit.y, stride)
            ends = arrivals(own._replace(taken=foes), start, points, view.options)
            xs, ys = zip(*(place(at, stride) for at in ends), strict=True)
            stack[number, ys, xs] = True
    return stack


def points_first(view: View, unit: Unit) -> int:
    """Return the points that a unit can spend on steps before it attacks next. See: WD-TURN-1."""
    side = unit_side(unit)
    state = 2 * view.phase + view.player
    if side < state <= 2 * ATTACK + side:
        return 0
    return unit.b if state <= side else unit.b_max


def units_of(view: View, side: int) -> list[Unit]:
    """Return the living units of a side."""
    return [unit for unit in view.units.values() if unit.alive and unit_side(unit) == side]


def shown_side(view: View) -> int:
    """Return the viewer's side, or the side to move for viewers without one."""
    return view.viewer if view.viewer in (ELDOIN, DAILOR) else view.player


def places_of(view: View, side: int, stride: int) -> set[int]:
    """Return the tiles of a side's units, by flat index."""
    return {flat(unit.x, unit.y, stride) for unit in units_of(view, side)}


def _dilated(stack: UnitTiles, limit: int) -> UnitTiles:
    """Return the tiles within a disc around any tile of each unit, computed by rows of the disc."""
    count, height, width = stack.shape
    spans = _spans(limit)
    most = max(spans)
    before = np.zeros((count, height, width + 2 * most + 1), dtype=np.int16)
    before[:, :, most + 1 : most + 1 + width] = stack
    sums = np.cumsum(before, axis=2, dtype=np.int16)
    reached = stack.copy()
    for dy, half in spans.items():
        if abs(dy) >= height:
            continue
        left, right = most - half, most + half + 1
        near = sums[:, :, right : right + width] > sums[:, :, left : left + width]
        reached[:, max(0, dy) : height + min(0, dy)] |= near[:, max(0, -dy) : height + min(0, -dy)]
    return reached


def _spans(limit: int) -> dict[int, int]:
    """Return the half width of each row of a disc, by the row's offset."""
    spans = {0: 0}
    for dx, dy in disc(limit):
        spans[dy] = max(spans.get(dy, 0), dx)
    return spans
