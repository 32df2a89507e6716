"""Routes: the distance field towards a goal, the way down it, and the turns it takes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from engine.kit.fields import FAR, CostGrid, distances
from engine.kit.grid import Place
from engine.kit.identity_cache import identity_lru
from engine.strategic import costs
from engine.strategic.costs import Mode, Mover
from engine.strategic.pieces import Army
from engine.strategic.settings import MovingRules, RuleSettings
from engine.strategic.sight import goal_tiles, has_fog, is_unknown
from engine.strategic.world import World, is_on_map

UNREACHED: Final = 30000
CLOSED: Final = 30001
"""In the grid of a field."""

DIRECTIONS: Final = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""North and on clockwise."""

_TRIED: Final = (0, 7, 1, 6, 2, 5, 3, 4)
"""The order in which a way looks for its next step, from the direction of the goal on."""

_AT_FIRST: Final = 6
"""Radius in which a way is looked for first where there are no windows."""

AHEAD: Final = {
    way: tuple(DIRECTIONS[(ahead + turn) % 8] for turn in _TRIED)
    for ahead, way in enumerate(DIRECTIONS)
}
"""The same for each direction of the goal."""


class RouteRequest(NamedTuple):
    """Search for routes from ``src`` to ``dst`` within ``radius`` tiles around both.

    ``radius`` None: on the whole map. ``wary``: no way leads over undiscovered tiles, as for human
    players.
    """

    who: Mover
    src: Place
    dst: Place
    radius: int | None
    wary: bool = True


LastStep: TypeAlias = tuple[Place, Place]
"""Step onto a goal: the tile before, and the goal."""


class DistanceField(NamedTuple):
    """Distances to a goal, ``grid[y - top, x - left]``: 1 at the goal, charged for each tile left.

    UNREACHED and CLOSED mark tiles without one. The points of a march differ from the distance
    only by what both ends cost.

    ``steps`` are the prices used and ``zone`` where the toll counts. ``goals`` are the tiles at
    which ways end; ``ends`` are the last steps onto them: from where, and to where.
    """

    left: int
    top: int
    grid: npt.NDArray[np.int32]
    steps: npt.NDArray[np.int16]
    zone: npt.NDArray[np.bool_]
    toll: int
    goals: frozenset[Place]
    ends: frozenset[LastStep]

    def charge(self, near: Place, far: Place) -> int:
        """Price that the step between two tiles adds to the distance of the far one."""
        inner = far[1] - self.top, far[0] - self.left
        outer = near[1] - self.top, near[0] - self.left
        entering = self.zone.item(inner) and not self.zone.item(outer)
        return self.steps.item(inner) + (self.toll if entering else 0)

    def has(self, at: Place) -> bool:
        """True if a tile is inside the window."""
        height, width = self.grid.shape
        column, row = at[0] - self.left, at[1] - self.top
        return 0 <= column < int(width) and 0 <= row < int(height)

    def at(self, at: Place) -> int:
        """Distance of a tile inside the window."""
        return self.grid.item(at[1] - self.top, at[0] - self.left)


class Route(NamedTuple):
    """Route: its tiles without the first, and the price of entering each.

    ``attack``: the last step is an attack, as far as is seen. ``coast``: it leads aboard or ashore,
    which ends the turn's march. ``needs`` are the points that must be left for the last step.
    """

    path: tuple[Place, ...]
    costs: tuple[int, ...]
    attack: bool = False
    coast: bool = False
    needs: int = 1

    @property
    def cost(self) -> int:
        """Points for the whole way."""
        return sum(self.costs)


def open_goals(
    world: World, settings: RuleSettings, who: Mover, src: Place, to: Place, *, wary: bool
) -> tuple[Place, ...]:
    """Goals of a way from one tile to another that can be entered.

    What is on a goal that a human player has not discovered plays no part: it will be seen from
    beside it whether it can be entered.
    """
    return tuple(
        at
        for at in goal_tiles(world, settings, who.side, to)
        if at != src
        and (
            (wary and is_unknown(world, settings, who.side, at))
            or costs.entry(world, settings, who, at)
        )
    )


def last_steps(
    world: World, settings: RuleSettings, who: Mover, goals: tuple[Place, ...], *, wary: bool
) -> frozenset[LastStep]:
    """Steps by which a way can end at one of some goals."""
    found = set[LastStep]()
    for goal in goals:
        hidden = wary and is_unknown(world, settings, who.side, goal)
        for at in _beside(world, goal):
            if at not in goals and (hidden or costs.links(world, settings, who, at, goal)):
                found.add((at, goal))
    return frozenset(found)


@identity_lru(8)
def distance_field(
    world: World, settings: RuleSettings, request: RouteRequest
) -> DistanceField | None:
    """Least prices of all ways to a goal inside a window; None: the goal cannot be entered."""
    who, src, dst = request.who, request.src, request.dst
    goals = open_goals(world, settings, who, src, dst, wary=request.wary)
    if not goals:
        return None
    ends = last_steps(world, settings, who, goals, wary=request.wary)
    window = _window(world, request)
    left, top = window[1].start, window[0].start
    known = costs.prices(world, settings, who)
    steps = known.steps[window].astype(np.int16)
    blocked = known.shut[window] | (steps == 0)
    zone = known.zone[window].copy()
    if request.wary and has_fog(world, settings):
        blocked |= world.discovered.cells[window] >> who.side & 1 == 0
    here = src[1] - top, src[0] - left
    if who.mode is Mode.AIR or not steps[here]:
        steps[here] = 1
    blocked[here] = False
    attack = costs.is_attack(world, settings, who.side, dst)
    for x, y in goals:
        blocked[y - top, x - left] = True
        zone[y - top, x - left] &= not attack
    toll = settings.moving.zone_toll
    lie = CostGrid(np.zeros_like(steps), steps, blocked, 8, zone=zone, toll=toll)
    grid, ways = np.zeros_like(steps, np.int32), (frozenset(goals), ends)
    field = DistanceField(left, top, grid, steps, zone, toll, *ways)
    return field._replace(grid=_measured(lie, field))


def _measured(lie: CostGrid, field: DistanceField) -> npt.NDArray[np.int32]:
    """Grid of a field, with its marks."""
    begun = dict[Place, int]()
    for at, goal in field.ends:
        column, row = at[0] - field.left, at[1] - field.top
        if field.has(at) and not lie.blocked[row, column]:
            charge = field.charge(goal, at)
            begun[column, row] = min(charge, begun.get((column, row), charge))
    grid = distances(lie, begun) + 1
    grid[grid > FAR] = UNREACHED
    grid[lie.blocked] = CLOSED
    for x, y in field.goals:
        grid[y - field.top, x - field.left] = 1
    return grid


def _window(world: World, request: RouteRequest) -> tuple[slice, slice]:
    """Rows and columns of the window."""
    (ax, ay), (bx, by), r = request.src, request.dst, request.radius
    if r is None:
        return slice(0, world.height), slice(0, world.width)
    rows = slice(max(0, min(ay, by) - r), min(world.height, max(ay, by) + r + 1))
    return rows, slice(max(0, min(ax, bx) - r), min(world.width, max(ax, bx) + r + 1))


def _beside(world: World, at: Place) -> list[Place]:
    found = ((at[0] + dx, at[1] + dy) for dx, dy in DIRECTIONS)
    return [there for there in found if is_on_map(world, there)]


def plan(
    world: World,
    settings: RuleSettings,
    side: int,
    armies: tuple[Army, ...],
    to: Place,
    *,
    human: bool,
) -> Route | None:
    """Way of a group to a tile; None: there is none, or the armies cannot go together.

    Where the rule book has windows, the near one is tried first; what is found there is taken, even
    if a wider one has a cheaper way.

    Args:
        world: the position, or what the side sees of it.
        settings: of the rule book.
        side: whose armies they are.
        armies: the group; they stand on one tile.
        to: the goal.
        human: no way leads over undiscovered tiles, and the wide window is that of people.
    """
    who = costs.mover(world, settings.moving, armies)
    if who is None or who.side != side:
        return None
    request = RouteRequest(who, armies[0].at, to, None, human)
    return _way(world, settings, request, windows(settings.moving, human=human))


def ordered(
    world: World, settings: RuleSettings, side: int, armies: tuple[Army, ...], to: Place
) -> Route | None:
    """Way that a group takes when it is ordered to a tile, by what its side knows.

    It leads over no undiscovered tile but its last one, whoever gives the order.
    """
    who = costs.mover(world, settings.moving, armies)
    if who is None or who.side != side:
        return None
    request = RouteRequest(who, armies[0].at, to, None)
    margins = windows(settings.moving, human=world.sides[side].human)
    return _way(world, settings, request, margins)


def windows(rules: MovingRules, *, human: bool) -> tuple[int | None, ...]:
    """Margins of the search windows, in the order in which they are tried; None: the map."""
    if rules.near is None:
        return (None,)
    return rules.near, rules.far_human if human else rules.far_computer


def _way(
    world: World, settings: RuleSettings, request: RouteRequest, margins: tuple[int | None, ...]
) -> Route | None:
    """Way in the first window that has one."""
    who, src, to = request.who, request.src, request.dst
    if src == to:
        return None
    for radius in margins:
        found = _searched(world, settings, request._replace(radius=radius))
        if found is None:
            return None
        if found.at(src) < UNREACHED:
            return described(
                world, settings, who, (src, *_down(found, src, to, settings.moving.longest))
            )
    return None


def _searched(world: World, settings: RuleSettings, request: RouteRequest) -> DistanceField | None:
    """Field of a request; without a radius only as much of the map as can have a cheapest way.

    Every step costs at least 1. A way that leaves a window takes more steps than its radius to get
    out and nearly as many to come back, so that it cannot be as cheap as a short one inside.
    """
    if request.radius is not None:
        return distance_field(world, settings, request)
    near = distance_field(world, settings, request._replace(radius=_AT_FIRST))
    if near is None or near.at(request.src) <= 2 * _AT_FIRST + 1:
        return near
    if near.at(request.src) < UNREACHED:
        wide = request._replace(radius=near.at(request.src) // 2 + 1)
        return distance_field(world, settings, wide)
    return distance_field(world, settings, request)


def _down(found: DistanceField, src: Place, dst: Place, longest: int) -> list[Place]:
    """Tiles from ``src`` to a goal, straight on to ``dst`` where that is as cheap."""
    line: list[Place] = []
    here, height = src, found.at(src)
    while here not in found.goals and len(line) < longest:
        for there in _tried(here, dst):
            if not found.has(there):
                continue
            if there in found.goals and (here, there) not in found.ends:
                continue
            lower = found.at(there)
            if lower < height and lower + found.charge(there, here) == height:
                here, height = there, lower
                break
        line.append(here)
    return line


def _tried(here: Place, dst: Place) -> Iterator[Place]:
    """Tiles around one, in the order in which a way looks for its next step."""
    x, y = here
    for dx, dy in AHEAD[(dst[0] > x) - (dst[0] < x), (dst[1] > y) - (dst[1] < y)]:
        yield x + dx, y + dy


def described(world: World, settings: RuleSettings, who: Mover, line: tuple[Place, ...]) -> Route:
    """Route along given tiles, the first included, with the price of each step."""
    end = line[-1]
    attack = costs.is_attack(world, settings, who.side, end)
    coast = costs.is_coast_step(world, settings.moving, who, end)
    known, toll = costs.prices(world, settings, who), settings.moving.zone_toll
    columns, rows = zip(*line, strict=True)
    zone = known.zone[rows, columns]
    paid = known.steps[rows, columns][1:] + toll * (zone[1:] & ~zone[:-1])
    if is_unknown(world, settings, who.side, end) and not attack:
        return Route(line[1:], (*paid[:-1].tolist(), settings.moving.cap))
    last = costs.entry(world, settings, who, end)
    tolled = costs.toll(world, settings, who, line[-2], end)
    ending = costs.attack_price(settings.moving, last) if attack else last + tolled
    needs = costs.attack_need(world, settings, who, end) if attack else ending
    return Route(line[1:], (*paid[:-1].tolist(), ending), attack, coast, needs)


def turns(route: Route, points: int, full: int) -> tuple[int, ...]:
    """In which turn each tile of a way is reached: 0 this turn, with ``points`` left.

    ``full`` is what the group has in later turns, what is kept over left aside. Nobody knows who
    will be in the way then.
    """
    left, turn, found = points, 0, []
    for number, cost in enumerate(route.costs, 1):
        last = route.attack and number == len(route.costs)
        if left < (route.needs if last else cost):
            left, turn = max(full, cost), turn + 1
        left = max(0, left - cost)
        found.append(turn)
    return tuple(found)
