"""Routes: the distance field towards a goal, the path down it, and the turns it takes."""

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
"""Marks in the grid of a field: no path from here, and closed tile."""

DIRECTIONS: Final = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""Directions in clockwise order, north first."""

_TRIED: Final = (0, 7, 1, 6, 2, 5, 3, 4)
"""Turns from the direction of the goal, in the order in which a path tries its next step."""

_AT_FIRST: Final = 6
"""Radius of the first search if the rules set no windows."""

AHEAD: Final = {
    way: tuple(DIRECTIONS[(ahead + turn) % 8] for turn in _TRIED)
    for ahead, way in enumerate(DIRECTIONS)
}
"""Directions in the order of ``_TRIED``, by the direction of the goal."""


class RouteRequest(NamedTuple):
    """Search for routes from ``src`` to ``dst`` within ``radius`` tiles around both.

    With ``radius`` None, it covers the whole map; else it is at least 1, so that the window holds
    all tiles of a city. ``wary`` keeps paths off undiscovered tiles, as for human players.
    """

    who: Mover
    src: Place
    dst: Place
    radius: int | None
    wary: bool = True


LastStep: TypeAlias = tuple[Place, Place]
"""Step onto a goal: the tile before, and the goal."""


class DistanceField(NamedTuple):
    """Distances to a goal, as ``grid[y - top, x - left]``.

    It is 1 at the goal, and each step adds the price of the tile left. UNREACHED and CLOSED mark
    tiles without a distance. The points of a march differ from the distance only by the prices of
    its two ends.

    ``steps`` are the prices used, and ``zone`` marks where the toll counts. ``goals`` are the tiles
    where paths end; ``ends`` are the last steps onto them.
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
        """Return the price that the step between two tiles adds to the distance of the far one."""
        inner = far[1] - self.top, far[0] - self.left
        outer = near[1] - self.top, near[0] - self.left
        entering = self.zone.item(inner) and not self.zone.item(outer)
        return self.steps.item(inner) + (self.toll if entering else 0)

    def has(self, at: Place) -> bool:
        """Return whether a tile is inside the window."""
        height, width = self.grid.shape
        column, row = at[0] - self.left, at[1] - self.top
        return 0 <= column < int(width) and 0 <= row < int(height)

    def at(self, at: Place) -> int:
        """Return the distance of a tile inside the window."""
        return self.grid.item(at[1] - self.top, at[0] - self.left)


class Route(NamedTuple):
    """Path of a group: its tiles without the first, and the price of entering each.

    ``attack``: the last step is an attack, as far as the side sees. ``coast``: the last step
    embarks or lands, which ends the turn's march. ``needs`` is the number of points that must be
    left for the last step.
    """

    path: tuple[Place, ...]
    costs: tuple[int, ...]
    attack: bool = False
    coast: bool = False
    needs: int = 1

    @property
    def cost(self) -> int:
        """Total price of the route in points."""
        return sum(self.costs)


def open_goals(
    world: World, settings: RuleSettings, who: Mover, src: Place, to: Place, *, wary: bool
) -> tuple[Place, ...]:
    """Return the goals of a path from ``src`` to ``to`` that can be entered.

    A goal that a human player has not discovered always counts as open: its content is seen from
    the tile before it.
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
    """Return the steps by which a path can end at one of the goals."""
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
    """Return the minimum prices of all paths to a goal in a window, or None if it is closed."""
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
    """Return the grid of a field with its distances and marks."""
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
    """Return the rows and columns of the window."""
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
    """Return the path of a group to a tile, or None if there is none or they cannot move together.

    If the rule book has windows, the near one is searched first. Its result is taken even if a
    wider window has a cheaper path.

    Args:
        world: The position, or what the side sees of it.
        settings: The rule settings.
        side: The owner of the armies.
        armies: The group, all on one tile.
        to: The goal.
        human: True to avoid undiscovered tiles and use the wide window of human players.
    """
    who = costs.mover(world, settings.moving, armies)
    if who is None or who.side != side:
        return None
    request = RouteRequest(who, armies[0].at, to, None, human)
    return _way(world, settings, request, windows(settings.moving, human=human))


def ordered(
    world: World, settings: RuleSettings, side: int, armies: tuple[Army, ...], to: Place
) -> Route | None:
    """Return the path of a group that is ordered to a tile, as far as its side knows the map.

    None if no path leads there. Only its last tile can be undiscovered, for human and computer
    players alike.
    """
    who = costs.mover(world, settings.moving, armies)
    if who is None or who.side != side:
        return None
    request = RouteRequest(who, armies[0].at, to, None)
    margins = windows(settings.moving, human=world.sides[side].human)
    return _way(world, settings, request, margins)


def windows(rules: MovingRules, *, human: bool) -> tuple[int | None, ...]:
    """Return the margins of the search windows in search order; None is the whole map."""
    if rules.near is None:
        return (None,)
    return rules.near, rules.far_human if human else rules.far_computer


def _way(
    world: World, settings: RuleSettings, request: RouteRequest, margins: tuple[int | None, ...]
) -> Route | None:
    """Return the path in the first window that has one, or None."""
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
    """Return the field of a request; without a radius, search only where a cheapest path can be.

    Every step costs at least 1. A path that leaves a window needs more steps than its radius to get
    out and nearly as many to return. So it cannot be as cheap as a short path inside.
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
    """Return the tiles from ``src`` to a goal, straight towards ``dst`` where that is as cheap."""
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
    """Yield the neighbours of a tile in the order in which a path tries its next step."""
    x, y = here
    for dx, dy in AHEAD[(dst[0] > x) - (dst[0] < x), (dst[1] > y) - (dst[1] < y)]:
        yield x + dx, y + dy


def described(world: World, settings: RuleSettings, who: Mover, line: tuple[Place, ...]) -> Route:
    """Return the route along given tiles, the first included, with the price of each step."""
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
    """Return the turn in which each tile of a route is reached: 0 is now, with ``points`` left.

    ``full`` is the group's points in each later turn, without points carried over. Armies that
    could bar the way by then are not foreseen.
    """
    left, turn, found = points, 0, []
    for number, cost in enumerate(route.costs, 1):
        last = route.attack and number == len(route.costs)
        if left < (route.needs if last else cost):
            left, turn = max(full, cost), turn + 1
        left = max(0, left - cost)
        found.append(turn)
    return tuple(found)
