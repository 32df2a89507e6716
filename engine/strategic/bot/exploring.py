"""Exploration of the hidden map: the edges of the known land, their promise, and scouts.

Scouts go to the edge of the known land and straight on into the dark with the points left. The next
plan of the same turn sees their discoveries.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from engine.kit.fields import Numbers
from engine.kit.grid import Place, distance
from engine.strategic import sight
from engine.strategic.bot.atlas import PlaceIndex
from engine.strategic.bot.force import army_value
from engine.strategic.bot.marching import (
    TURNS_ADDED,
    Aim,
    Band,
    band_of,
    checked_walk,
    exposes_hero,
    walk_toward,
)
from engine.strategic.bot.situation import Situation
from engine.strategic.commands import Walk
from engine.strategic.pieces import Army
from engine.strategic.routes import DIRECTIONS
from engine.strategic.sight import around
from engine.strategic.world import flies as can_fly
from engine.strategic.world import is_on_map

_REACH: Final = 3
"""Radius in tiles, around an edge of the known land, that counts for its promise."""

_PROMISE: Final = 26.0
"""Value of an edge with only unknown land beyond it, equal to that of a site to search."""

_ROAD: Final = 1.0
"""Added to the promise if a road leads into unknown land, because roads lead to cities."""

_LEAST: Final = 0.12
"""Minimum promise for which a scout goes."""

_LOOKED_AT: Final = 8
"""Number of nearest edges that each band compares."""

_TURNS: Final = 2
"""Turns after this one within which a scout must reach its edge."""

_LOST_AT: Final = 40
_LOST_TURNS: Final = 40
"""The same two numbers if the side knows no city that it can attack."""

_APART: Final = 5
"""Minimum distance in tiles between the edges of two scouts in one plan."""

_BLOCK: Final = 3
"""Side length in tiles of the blocks from which only the best edge is considered."""


class _Edges(NamedTuple):
    """Edges of the known land: tiles, their promise (0 to 1, more with a road), an index."""

    places: list[Place]
    promise: list[float]
    spots: PlaceIndex


class Exploration:
    """Edges of the known land that scouts could go to in one plan."""

    def __init__(self, here: Situation) -> None:
        self.here = here
        self._taken: list[Place] = []
        self._resting: set[tuple[int, ...]] = set()
        """Scouts that cannot move on this turn, by army ids."""

    @cached_property
    def _unknown(self) -> Numbers:
        """Mask of unknown land, of shape (height, width)."""
        unknown: Numbers = self.here.view.discovered.cells >> self.here.side & 1 == 0
        return unknown

    @cached_property
    def _dark(self) -> Numbers:
        """Number of unknown tiles up to ``_REACH`` tiles from each tile."""
        return _summed(self._unknown, _REACH)

    @cached_property
    def _edges(self) -> _Edges:
        """Best edge of each block, in reading order."""
        view, unknown = self.here.view, self._unknown
        edge = ~unknown & around(unknown)
        land = ~unknown & ~sight.one_of(view.terrain.cells, self.here.settings.moving.water)
        known = _summed(~unknown, _REACH)
        size = (2 * _REACH + 1) ** 2
        promise = self._dark / size
        if not self.here.lost:
            promise = promise * (_summed(land, _REACH) / np.maximum(1, known))
        promise = np.where(edge & (promise > 0), promise + _ROAD * (view.roads.cells != 0), 0.0)
        best: dict[Place, tuple[float, Place]] = {}
        ys, xs = np.nonzero((promise > 0) if self.here.lost else (promise >= _LEAST))
        for x, y in zip(xs.tolist(), ys.tolist(), strict=True):
            block, found = (x // _BLOCK, y // _BLOCK), (promise.item(y, x), (x, y))
            if block not in best or found[0] > best[block][0]:
                best[block] = found
        places = [at for _, at in best.values()]
        return _Edges(places, [value for value, _ in best.values()], PlaceIndex(places))

    @property
    def edges(self) -> tuple[Place, ...]:
        """Tiles at the edge of the known land to which scouts may go."""
        return tuple(self._edges.places)

    def aims(self, one: Band) -> Iterator[Aim]:
        """Yield the edges to which a band could send a scout."""
        if not self.here.fog or not self._edges.places:
            return
        scout = self._scout(one)
        if scout is None or scout.ids in self._resting:
            return
        lost = self.here.lost
        near = self._edges.spots.nearest(one.at, _LOST_AT if lost else _LOOKED_AT)
        open_still = [number for number in near if not self.is_taken(self._edges.places[number])]
        if not open_still:
            return
        costs, far = self._near(scout), self._far(scout)
        risk = 0.0 if lost else army_value(scout.armies[0]) / 10
        for number in open_still:
            at = x, y = self._edges.places[number]
            cost = costs.item(y, x)
            if cost <= far and at != one.at:
                value = _PROMISE * self._edges.promise[number]
                score = value / (scout.turns(cost) + TURNS_ADDED) - risk
                yield Aim(score, scout.armies, (at,), at)

    def _scout(self, one: Band) -> Band | None:
        """Return the army of a band that explores most in a turn, preferably not a hero."""
        if len(one.armies) == 1:
            return one
        view = self.here.view

        def use(army: Army) -> tuple[bool, bool, int, float, int]:
            flies = can_fly(view, army)
            return army.hero is None, flies, army.points, -army_value(army), -army.id

        return band_of(self.here, [max(one.armies, key=use)])

    def is_edge(self, at: Place) -> bool:
        """Return whether a tile is an edge to which scouts go."""
        return self.here.fog and at in self._edges.places

    def is_taken(self, at: Place) -> bool:
        """Return whether a scout already goes to a tile or nearby."""
        return any(distance(at, other, 8) < _APART for other in self._taken)

    def take(self, at: Place) -> None:
        """Record that a scout goes to a tile."""
        self._taken.append(at)

    def note(self, walk: Walk) -> None:
        """Treat the tiles seen along a walk as known for the following orders."""
        reach = self.here.settings.moving.far_sight
        for x, y in walk.path if self.here.fog else ():
            columns = slice(max(0, x - reach), x + reach + 1)
            self._dark_still[max(0, y - reach) : y + reach + 1, columns] = False

    @cached_property
    def _dark_still(self) -> Numbers:
        """Mask of the land that stays unknown after all orders so far."""
        return self._unknown.copy()

    def order(self, scout: Band, at: Place) -> Walk | None:
        """Return the walk to an edge and on into unknown land; None if no walk is possible now.

        If the edge has a road, the walk ends there and the next plan follows the road.
        """
        path = self._way(scout, at)
        beyond: list[Place] = []
        if not self.here.view.roads[at[1], at[0]]:
            before = (scout.at, *path)[-2]
            beyond = self._beyond(at, (at[0] - before[0], at[1] - before[1]), scout.points)
        found = checked_walk(self.here, scout, (*path, *beyond))
        seeks = self.here.level.seeks or self.here.lost
        if found is None and seeks:
            found = walk_toward(self.here, scout, (at,))
        if found is None or exposes_hero(self.here, found):
            if not seeks:
                self._resting.add(scout.ids)
            return None
        return found

    def _way(self, scout: Band, at: Place) -> list[Place]:
        """Return the tiles to an edge, traced back in the scout's cached distance field."""
        atlas, costs, line = self.here.atlas(scout.who), self._near(scout), [at]
        if costs.item(at[1], at[0]) > self._far(scout):
            costs = atlas.to((scout.at,))
        while (step := atlas.ahead(line[-1], costs)) is not None:
            line.append(step.at)
        return line[-2::-1]

    def _far(self, scout: Band) -> int:
        """Return the distance within which a scout looks for edges."""
        return scout.points + (_LOST_TURNS if self.here.lost else _TURNS) * scout.pace

    def _near(self, scout: Band) -> Numbers:
        """Return the scout's distance field as far as it may be sent."""
        return self.here.atlas(scout.who).near(scout.at, self._far(scout))

    def _beyond(self, at: Place, ahead: Place, steps: int) -> list[Place]:
        """Return a chain of unknown tiles through the darkest land, straight on among equals.

        The chain may be longer than the points allow, because a walk into unknown land never
        attacks.
        """
        world, line, gone = self.here.view, list[Place](), {at}
        for _ in range(steps + 2):
            near = [
                ((self._dark.item(y, x), -distance(ahead, (dx, dy), 8)), (x, y), (dx, dy))
                for dx, dy in DIRECTIONS
                if is_on_map(world, (x := at[0] + dx, y := at[1] + dy))
                and self._dark_still[y, x]
                and (x, y) not in gone
            ]
            if not near:
                break
            _, at, ahead = max(near)
            line.append(at)
            gone.add(at)
        return line


def _summed(cells: Numbers, reach: int) -> Numbers:
    """Count the set cells up to ``reach`` away from each cell."""
    height, width = cells.shape
    sums = np.zeros((height + 2 * reach + 1, width + 2 * reach + 1), dtype=np.int32)
    padded = np.pad(cells.astype(np.int32), reach)
    sums[1:, 1:] = padded.cumsum(axis=0).cumsum(axis=1)
    span = 2 * reach + 1
    found: Numbers = sums[span:, span:] - sums[:-span, span:] - sums[span:, :-span]
    return found + sums[:-span, :-span]
