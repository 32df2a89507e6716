"""Path cache: one distance field away from a group, reused for every goal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.kit.fields import FAR, CostGrid, distances
from engine.kit.grid import Place
from engine.strategic import costs, routes
from engine.strategic.costs import Mover
from engine.strategic.pieces import Army
from engine.strategic.routes import AHEAD, DIRECTIONS, UNREACHED, LastStep, Route, RouteRequest
from engine.strategic.settings import RuleSettings
from engine.strategic.sight import has_fog
from engine.strategic.world import World

_BIT: Final = {way: 1 << number for number, way in enumerate(DIRECTIONS)}

_SHUT, _OPEN, _ON_A_WAY = 0, 1, 2
"""State of a tile during the search for the cheapest paths to a goal."""


class _Spread(NamedTuple):
    """Points from a group to each tile, and the steps of the cheapest paths.

    ``spent`` has the shape (height, width), with FAR where no path leads. ``steps`` is flat with a
    rim of one tile and rows of ``stride`` tiles. Each byte has a bit for each of ``DIRECTIONS``
    from which a cheapest path arrives.
    """

    spent: npt.NDArray[np.int32]
    zone: npt.NDArray[np.bool_]
    steps: bytes
    stride: int
    back: tuple[tuple[int, ...], ...]
    """For each byte of ``steps``, the index offsets back to the tiles its steps come from."""

    def number(self, at: Place) -> int:
        """Return the index of a tile in the flat list."""
        return (at[1] + 1) * self.stride + at[0] + 1


class PathCache:
    """Routes of one group to any goal, from one field of distances."""

    def __init__(
        self,
        world: World,
        settings: RuleSettings,
        side: int,
        armies: tuple[Army, ...],
        *,
        human: bool,
    ) -> None:
        """Measure the field; results are those of ``routes.plan``."""
        who = costs.mover(world, settings.moving, armies)
        self._world, self._settings, self._armies, self._human = world, settings, armies, human
        self._who = who if who is not None and who.side == side else None
        self._src = armies[0].at
        if self._who is not None:
            self._spread = _spread(world, settings, self._who, self._src, wary=human)

    def way(self, to: Place) -> Route | None:
        """Return the route to a tile that ``routes.plan`` finds, or None."""
        who, world, settings = self._who, self._world, self._settings
        if who is None or to == self._src:
            return None
        goals = routes.open_goals(world, settings, who, self._src, to, wary=self._human)
        ends = routes.last_steps(world, settings, who, goals, wary=self._human)
        last = self._cheapest(who, to, ends)
        if not last:
            return None
        for radius in routes.windows(settings.moving, human=self._human):
            line = self._down(to, last, radius)
            if line:
                return routes.described(world, settings, who, (self._src, *line))
            request = RouteRequest(who, self._src, to, radius, self._human)
            found = routes.distance_field(world, settings, request)
            if found is not None and found.at(self._src) < UNREACHED:
                # Every cheapest path leaves the window, but another path stays inside.
                return routes.plan(world, settings, who.side, self._armies, to, human=self._human)
        return None

    def _cheapest(self, who: Mover, to: Place, ends: frozenset[LastStep]) -> frozenset[LastStep]:
        """Return the last steps of the cheapest paths to a goal; empty if no path leads there."""
        spread = self._spread
        attack = bool(ends) and costs.is_attack(self._world, self._settings, who.side, to)
        totals = {}
        for (x, y), (goal_x, goal_y) in ends:
            spent = spread.spent.item(y, x)
            if spent < FAR:
                dear = not attack and spread.zone[goal_y, goal_x] and not spread.zone[y, x]
                toll = self._settings.moving.zone_toll if dear else 0
                totals[(x, y), (goal_x, goal_y)] = spent + toll
        least = min(totals.values(), default=0)
        return frozenset(step for step, total in totals.items() if total == least)

    def _down(self, to: Place, last: Iterable[LastStep], radius: int | None) -> list[Place]:
        """Return the tiles to a goal, as straight as possible; empty if a window bars the paths."""
        spread, src = self._spread, self._src
        ends = {(spread.number(at), spread.number(goal)) for at, goal in last}
        goals = {goal for _, goal in ends}
        known = self._within(to, radius)
        for goal in goals:
            known[goal] = _SHUT
        _trace(spread, known, [end for end, _ in ends if known[end]])
        here = spread.number(src)
        if known[here] != _ON_A_WAY:
            return []
        line: list[Place] = []
        x, y = src
        while here not in goals and len(line) < self._settings.moving.longest:
            for dx, dy in AHEAD[(to[0] > x) - (to[0] < x), (to[1] > y) - (to[1] < y)]:
                there = here + dy * spread.stride + dx
                if there in goals:
                    leads = (here, there) in ends
                else:
                    by_this = spread.steps[there] & _BIT[dx, dy] != 0
                    leads = by_this and known[there] == _ON_A_WAY
                if leads:
                    here, x, y = there, x + dx, y + dy
                    break
            line.append((x, y))
        return line

    def _within(self, to: Place, radius: int | None) -> bytearray:
        """Return the state of the tiles, with those of the window around both ends open."""
        spread, world = self._spread, self._world
        if radius is None:
            radius = max(world.width, world.height)
        (ax, ay), (bx, by) = self._src, to
        left, right = max(0, min(ax, bx) - radius), min(world.width, max(ax, bx) + radius + 1)
        known = bytearray(len(spread.steps))
        row = bytes([_OPEN]) * (right - left)
        for y in range(max(0, min(ay, by) - radius), min(world.height, max(ay, by) + radius + 1)):
            first = spread.number((left, y))
            known[first : first + len(row)] = row
        return known


def _trace(spread: _Spread, known: bytearray, ends: list[int]) -> None:
    """Mark the tiles on cheapest paths to the open tiles ``ends``, back to the start."""
    steps, back = spread.steps, spread.back
    for end in ends:
        known[end] = _ON_A_WAY
    while ends:
        here = ends.pop()
        for away in back[steps[here]]:
            there = here - away
            if known[there] == _OPEN:
                known[there] = _ON_A_WAY
                ends.append(there)


def _spread(world: World, settings: RuleSettings, who: Mover, src: Place, *, wary: bool) -> _Spread:
    """Return the cost of the path to each tile, ignoring the group's movement points."""
    prices, toll = costs.prices(world, settings, who), settings.moving.zone_toll
    steps = prices.steps.astype(np.int16)
    blocked = prices.shut | (steps == 0)
    if wary and has_fog(world, settings):
        blocked |= world.discovered.cells >> who.side & 1 == 0
    lie = CostGrid(np.zeros_like(steps), steps, blocked, 8, zone=prices.zone, toll=toll)
    spent = distances(lie, [src])
    height, width = spent.shape
    stride = width + 2
    far = np.full((height + 2, stride), FAR, dtype=np.int32)
    far[1:-1, 1:-1] = spent
    inside = np.ones((height + 2, stride), dtype=np.bool_)
    inside[1:-1, 1:-1] = prices.zone
    # The cost that the tile before must have, if it is outside the zone (dear) or inside (cheap).
    cheap = np.where(spent < FAR, spent - steps, -1)
    dear = np.where(prices.zone, cheap - toll, cheap)
    found = np.zeros((height + 2, stride), dtype=np.uint8)
    for (dx, dy), bit in _BIT.items():
        rows, columns = slice(1 - dy, 1 - dy + height), slice(1 - dx, 1 - dx + width)
        before = far[rows, columns]
        wanted = np.where(inside[rows, columns], cheap, dear)
        found[1:-1, 1:-1] |= (before == wanted) * np.uint8(bit)
    return _Spread(spent, prices.zone, found.tobytes(), stride, _back(stride))


def _back(stride: int) -> tuple[tuple[int, ...], ...]:
    aways = [(dy * stride + dx, bit) for (dx, dy), bit in _BIT.items()]
    return tuple(tuple(away for away, bit in aways if byte & bit) for byte in range(256))
