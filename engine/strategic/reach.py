"""Reach: where a group can stop this turn, and what it can attack."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from engine.kit.fields import CostGrid, distances
from engine.kit.grid import Place
from engine.kit.identity_cache import identity_lru
from engine.strategic import costs, sight
from engine.strategic.costs import Mode, Mover
from engine.strategic.pieces import STACK, Army
from engine.strategic.routes import DIRECTIONS, Route, described
from engine.strategic.seen import TileMask
from engine.strategic.settings import MovingRules, RuleSettings
from engine.strategic.sight import goal_tiles, has_fog, is_unknown
from engine.strategic.world import World, stacks

PointGrid = npt.NDArray[np.int32]
CodeGrid = npt.NDArray[np.uint8]


_NEVER: Final = 1 << 20

_MANY: Final = 800
"""Number of tiles below which a queue is faster than sweeps."""


class Reach(NamedTuple):
    """Tiles where a group can stop this turn, with costs; targets, with the tile to attack from.

    ``crowded`` are tiles within reach that lack room for the group.
    """

    stops: Mapping[Place, int]
    targets: Mapping[Place, Place]
    crowded: frozenset[Place] = frozenset()


class _Around(NamedTuple):
    """Window around a group that contains every tile its points could reach."""

    rows: slice
    columns: slice
    here: Place

    def cell(self, at: Place) -> tuple[int, int]:
        """Return the row and column of a tile in the window."""
        return at[1] - self.rows.start, at[0] - self.columns.start

    def holds(self, at: Place) -> bool:
        """Return whether a tile is in the window."""
        (x, y), (left, top) = at, (self.columns.start, self.rows.start)
        return bool(left <= x < self.columns.stop and top <= y < self.rows.stop)

    def place(self, cell: tuple[int, int]) -> Place:
        """Return the tile of a row and column of the window."""
        return cell[1] + self.columns.start, cell[0] + self.rows.start

    def places(self, cells: TileMask) -> list[Place]:
        """Return the tiles that are set in a mask of the window."""
        left, top = self.columns.start, self.rows.start
        return [(x + left, y + top) for y, x in np.argwhere(cells).tolist()]


def reach(world: World, settings: RuleSettings, side: int, armies: tuple[Army, ...]) -> Reach:
    """Return the reach of a group this turn, as far as its side knows the map."""
    who = costs.mover(world, settings.moving, armies)
    points = costs.points(armies)
    if who is None or points < 1:
        return Reach({}, {})
    lie = _lie(world, settings, who, armies)
    spent, aboard = _spent(world, settings, who, armies, lie)
    coast = _coast(world, settings, who, points, lie, spent)
    full = _full(world, side, armies, lie)
    price = np.minimum(np.minimum(spent, coast), aboard)
    stops = (price <= points) & ~full
    stops[lie.here] = False
    crowded = frozenset(lie.places((spent <= points) & full)) if full.any() else frozenset()
    return Reach(
        dict(zip(lie.places(stops), price[stops].tolist(), strict=True)),
        _targets(world, settings, who, points, lie, np.where(full, _NEVER, spent)),
        crowded,
    )


def in_time(world: World, settings: RuleSettings, armies: tuple[Army, ...], route: Route) -> Route:
    """Return the route, or another one that ends this turn where the given one does not.

    The cheapest path for the group is not always the path by which all its members arrive first.
    """
    if settings.moving.member_price is None and not settings.moving.embarks:
        return route
    who = costs.mover(world, settings.moving, armies)
    if who is None or costs.points(armies) < 1:
        return route
    lie, search = _searched(world, settings, who, armies)
    src, end, apart = armies[0].at, route.path[-1], route.attack or route.coast
    ends = [at for at in goal_tiles(world, settings, who.side, end) if lie.holds(at)]
    if search is None or not ends:
        return route
    line = [lie.cell(at) for at in (src, *route.path)]
    need = 0 if not apart else route.needs if route.attack else route.costs[-1]
    told = line[:-1] if apart else line
    if search.left_on(told) >= need or search.explored.left_on(told) >= need:
        return route
    beside = [((x + dx, y + dy), ((x, y),)) for x, y in ends for dx, dy in DIRECTIONS]
    stops = beside if apart else [(at, ()) for at in ends]
    able = [
        (at, last)
        for at, last in stops
        if search.most(lie.cell(at)) >= need
        and all(costs.links(world, settings, who, at, goal) for goal in last)
    ]
    if not able:
        return route
    best, last = max(able, key=lambda stop: search.most(lie.cell(stop[0])))
    path = (*(lie.place(cell) for cell in search.way(lie.cell(best))), *last)
    return described(world, settings, who, (src, *path)) if path else route


@identity_lru(8)
def _searched(
    world: World, settings: RuleSettings, who: Mover, armies: tuple[Army, ...]
) -> tuple[_Around, _Search | None]:
    """Return the window of a group and its path search, cached for queries with many goals."""
    lie = _lie(world, settings, who, armies)
    return lie, _search(world, settings, who, armies, lie, _ground(world, settings, who, lie))


def _lie(world: World, settings: RuleSettings, who: Mover, armies: tuple[Army, ...]) -> _Around:
    """Return the window of the tiles that the points could reach, and one more on each side."""
    known, at, points = costs.prices(world, settings, who), armies[0].at, costs.points(armies)
    whole = _square(at, points + 1)
    steps = known.steps[whole.rows, whole.columns]
    open_to = steps[(steps > 0) & ~known.shut[whole.rows, whole.columns]]
    cheapest = int(open_to.min()) if open_to.size else points
    if settings.moving.member_price is not None and len({army.type for army in armies}) > 1:
        cheapest = 1
    return _square(at, points // cheapest + 1)


def _square(at: Place, wide: int) -> _Around:
    x, y = at
    rows = slice(max(0, y - wide), y + wide + 1)
    columns = slice(max(0, x - wide), x + wide + 1)
    return _Around(rows, columns, (y - rows.start, x - columns.start))


def _spent(
    world: World, settings: RuleSettings, who: Mover, armies: tuple[Army, ...], lie: _Around
) -> tuple[PointGrid, PointGrid]:
    """Return the points to each tile that does not end the path, and to those where a group boards.

    Unreachable tiles hold more than any budget. The price of a step is that of the tile entered, so
    the field runs away from the group.
    """
    ground, points = _ground(world, settings, who, lie), costs.points(armies)
    search = _search(world, settings, who, armies, lie, ground)
    if search is not None:
        return search.explored.grids()
    start = lie.here[1], lie.here[0]
    if ground.blocked.size > _MANY:
        found = distances(ground, [start], limit=points)
    else:
        found = distances(ground, [start], limit=points, sweeps=0)
    nowhere = np.full(ground.blocked.shape, _NEVER, dtype=np.int32)
    return np.where(found <= points, found, _NEVER).astype(np.int32), nowhere


def _ground(world: World, settings: RuleSettings, who: Mover, lie: _Around) -> CostGrid:
    """Return the prices of the steps in a window, as far as the side knows it."""
    window = lie.rows, lie.columns
    known = costs.prices(world, settings, who)
    steps = known.steps[window].astype(np.int16)
    blocked = known.shut[window] | (steps == 0)
    if has_fog(world, settings) and world.sides[who.side].human:
        blocked |= world.discovered.cells[window] >> who.side & 1 == 0
    toll = settings.moving.zone_toll
    return CostGrid(np.zeros_like(steps), steps, blocked, 8, zone=known.zone[window], toll=toll)


def _search(
    world: World,
    settings: RuleSettings,
    who: Mover,
    armies: tuple[Army, ...],
    lie: _Around,
    ground: CostGrid,
) -> _Search | None:
    """Return a step-by-step search if one field of points is not enough, otherwise None."""
    if settings.moving.member_price is None and not settings.moving.embarks:
        return None
    terrain = world.terrain.cells[lie.rows, lie.columns]
    shares = _shares(world, settings.moving, armies, terrain, ground)
    if len(shares) == 1 and not _may_board(settings.moving, who, terrain):
        return None
    return _Search(settings.moving, who, terrain, ground, lie.here, shares)


class _Share(NamedTuple):
    """Members of a group that pay the same prices, with the minimum of their points.

    ``prices`` maps (terrain, price for the group) to the price that they pay.
    """

    points: int
    prices: Mapping[tuple[int, int], int]


def _shares(
    world: World, rules: MovingRules, armies: tuple[Army, ...], terrain: CodeGrid, ground: CostGrid
) -> tuple[_Share, ...]:
    """Return the shares of a group for the steps of a window, one per set of equal prices."""
    cells = np.unique(np.stack([terrain.ravel(), ground.enter.ravel()]), axis=1).T.tolist()
    pairs = [(code, price + toll) for code, price in cells for toll in {0, rules.zone_toll}]
    pays, found = rules.member_price, dict[tuple[int, ...], int]()
    for army in armies:
        alone = tuple(price for _, price in pairs)
        if pays is not None:
            alone = tuple(pays(world, army, code, price) for code, price in pairs)
        found[alone] = min(found.get(alone, army.points), army.points)
    rows = found.items()
    return tuple(_Share(points, dict(zip(pairs, table, strict=True))) for table, points in rows)


def _may_board(rules: MovingRules, who: Mover, terrain: CodeGrid) -> bool:
    """Return whether a step in a window could embark although the tile keeps others on foot."""
    if not rules.embarks or who.mode is not Mode.GROUND:
        return False
    there = {int(code) for code in np.unique(terrain)}
    return any(there.issuperset(pair) for pair in rules.embarks)


_SharedStep: TypeAlias = "tuple[tuple[int, int], tuple[int, ...]]"
"""A (row, column) of a window and the points that each share has left there."""


class _Search:
    """Paths of a group whose members pay different prices, or that could embark on its way.

    Follows the paths step by step with the points that each share has left. Of the paths to a tile,
    drops each one that another path matches or beats for every share.
    """

    def __init__(
        self,
        rules: MovingRules,
        who: Mover,
        terrain: CodeGrid,
        ground: CostGrid,
        here: Place,
        shares: tuple[_Share, ...],
    ) -> None:
        """Prepare the search; ``here`` is a (row, column)."""
        self._rules, self._who, self._ground, self._shares = rules, who, ground, shares
        self._codes, self._closed = terrain.tolist(), ground.blocked.tolist()
        self._prices = ground.enter.tolist()
        self._zone = (terrain * 0 if ground.zone is None else ground.zone).tolist()
        self.start = tuple(share.points for share in shares)
        self.known = {here: [self.start]}
        self.came: dict[_SharedStep, _SharedStep] = {}
        self.aboard: dict[tuple[int, int], int] = {}
        self._here = here

    @cached_property
    def explored(self) -> Self:
        """This search, after all paths have been followed."""
        queue: deque[_SharedStep] = deque([(self._here, self.start)])
        while queue:
            step = queue.popleft()
            if step[1] in self.known[step[0]]:
                queue.extend(self._onward(*step))
        return self

    def _onward(self, here: tuple[int, int], left: tuple[int, ...]) -> Iterator[_SharedStep]:
        """Return the steps to neighbouring tiles that are worth following."""
        for dx, dy in DIRECTIONS:
            there = here[0] + dy, here[1] + dx
            then = self._step(here, there, left)
            others = self.known.setdefault(there, []) if then else []
            if then and not any(_covers(other, then) for other in others):
                others[:] = [other for other in others if not _covers(then, other)] + [then]
                self.came[there, then] = here, left
                yield there, then

    def _step(
        self, here: tuple[int, int], there: tuple[int, int], left: tuple[int, ...]
    ) -> tuple[int, ...] | None:
        """Return the points left after a step, or None if it is impossible or embarks the group."""
        (y, x), (row, column) = here, there
        height, width = len(self._codes), len(self._codes[0])
        if not (0 <= row < height and 0 <= column < width) or self._closed[row][column]:
            return None
        price, code = self._prices[row][column], self._codes[row][column]
        price += self._ground.toll if self._zone[row][column] > self._zone[y][x] else 0
        if price > min(left):
            return None
        if self._who.mode is Mode.GROUND and (self._codes[y][x], code) in self._rules.embarks:
            total = min(self.start) - min(left) + price
            self.aboard[there] = min(self.aboard.get(there, _NEVER), total)
            return None
        rows = zip(self._shares, left, strict=True)
        return tuple(have - share.prices[code, price] for share, have in rows)

    def grids(self) -> tuple[PointGrid, PointGrid]:
        """Return the points to each tile that does not end the path, and to tiles of boarding."""
        shape = self._ground.blocked.shape
        spent, aboard = (np.full(shape, _NEVER, dtype=np.int32) for _ in range(2))
        for at in self.known:
            spent[at] = min(self.start) - self.most(at)
        for at, price in self.aboard.items():
            aboard[at] = price
        return spent, aboard

    def most(self, at: tuple[int, int]) -> int:
        """Return the maximum points that the group can have left on a tile, or -1 out of reach."""
        return max(map(min, self.known.get(at, ())), default=-1)

    def way(self, to: tuple[int, int]) -> list[tuple[int, int]]:
        """Return the path to a tile that leaves the group most points, without its first tile."""
        here = to, max(self.known[to], key=min)
        line = []
        while here in self.came:
            line.append(here[0])
            here = self.came[here]
        return line[::-1]

    def left_on(self, line: Sequence[tuple[int, int]]) -> int:
        """Return the group's points left at the end of a path, or -1 if the path is too long."""
        here, left = line[0], self.start
        for number, there in enumerate(line[1:], 2):
            step = self._step(here, there, left)
            if step is None and (there not in self.aboard or number < len(line)):
                return -1
            here, left = there, step or (0,)
        return min(left)


def _covers(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Return whether one path leaves every share at least as much as another."""
    return all(a >= b for a, b in zip(one, other, strict=True))


def _coast(
    world: World, settings: RuleSettings, who: Mover, points: int, lie: _Around, spent: PointGrid
) -> PointGrid:
    """Return the points to each tile where the group would embark or land."""
    rules, window = settings.moving, (lie.rows, lie.columns)
    best = np.full(spent.shape, _NEVER, dtype=np.int32)
    entry = costs.coast_prices(world, settings, who)[window].astype(np.int32)
    docks = sight.docks(world, rules)[window]
    if not docks.any():
        return best
    taken = sight.others(world, settings, who.side).anyone | sight.foreign(world, who.side)
    entry = np.where(taken[window], 0, entry)
    zone = costs.prices(world, settings, who).zone[window]
    for near, far in shifts(spent.shape):
        toll = np.where(zone[far] & ~zone[near], rules.zone_toll, 0)
        price = spent[near] + entry[far] + toll
        price[(entry[far] == 0) | ~(docks[near] | docks[far])] = _NEVER
        np.minimum(best[far], price, out=best[far])
    best[best > points] = _NEVER
    return best


def shifts(shape: tuple[int, ...]) -> list[tuple[tuple[slice, slice], tuple[slice, slice]]]:
    """Return slices of a grid of ``shape`` for each of DIRECTIONS, in pairs.

    The first slices have the tiles with a neighbour in that direction, the second those neighbours.
    """
    height, width = shape
    found = []
    for dx, dy in DIRECTIONS:
        rows, columns = (
            slice(max(0, -dy), height - max(0, dy)),
            slice(max(0, -dx), width - max(0, dx)),
        )
        beyond = slice(max(0, dy), height - max(0, -dy)), slice(max(0, dx), width - max(0, -dx))
        found.append(((rows, columns), beyond))
    return found


def _full(world: World, side: int, armies: tuple[Army, ...], lie: _Around) -> TileMask:
    """Return the mask of tiles that lack room for the group beside armies of its side."""
    shape = world.terrain.cells.shape
    full = np.zeros(shape, dtype=np.bool_)
    room = STACK - len(armies)
    for (x, y), stack in stacks(world.armies).items():
        if len(stack) > room and stack[0].owner == side and (x, y) != armies[0].at:
            full[y, x] = True
    return full[lie.rows, lie.columns]


def _targets(
    world: World, settings: RuleSettings, who: Mover, points: int, lie: _Around, spent: PointGrid
) -> dict[Place, Place]:
    """Return the targets in reach of an attack, each with the cheapest tile to attack from."""
    window, side = (lie.rows, lie.columns), who.side
    taken = sight.others(world, settings, side).anyone[window] | sight.foreign(world, side)[window]
    found = dict[Place, Place]()
    for target in lie.places(taken & sight.around(spent < points)):
        if target in found:
            continue
        goals = goal_tiles(world, settings, side, target)
        most = points - costs.attack_need(world, settings, who, target)
        for _, _, at, goal in sorted(_paid_beside(lie, spent, goals, most)):
            unseen = is_unknown(world, settings, side, goal)
            able = unseen or costs.entry(world, settings, who, goal) > 0
            if able and (unseen or costs.links(world, settings, who, at, goal)):
                known = (one for one in goals if not is_unknown(world, settings, side, one))
                found.update(dict.fromkeys(known, at))
                break
    return found


def _paid_beside(
    lie: _Around, spent: PointGrid, goals: tuple[Place, ...], most: int
) -> Iterator[tuple[int, int, Place, Place]]:
    """Yield the tiles beside goals with a cost up to ``most``, as (cost, direction, tile, goal)."""
    left, top = lie.columns.start, lie.rows.start
    height, width = spent.shape
    for goal in goals:
        for turn, (dx, dy) in enumerate(DIRECTIONS):
            column, row = goal[0] + dx - left, goal[1] + dy - top
            if 0 <= column < width and 0 <= row < height:
                price = spent.item(row, column)
                if price <= most:
                    yield price, turn, (goal[0] + dx, goal[1] + dy), goal
