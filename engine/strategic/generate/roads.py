"""Roads from city to city."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.kit.fields import FAR, Ground, distances
from engine.kit.grid import STEPS, Place
from engine.strategic.generate.shapes import Mask


class Planner:
    """What has been built so far, and what building on costs.

    ``price`` is what a road over each tile costs, 0 where none can go; ``water`` are tiles that a
    road needs a bridge over. ``roads`` and ``bridges`` are masks of what stands.
    """

    def __init__(self, price: npt.NDArray[Any], water: Mask) -> None:
        self.price = price.astype(np.int32)
        self.water = water.copy()
        self.roads = np.zeros_like(water)
        self.bridges = np.zeros_like(water)

    def join(self, cities: Sequence[Place], reach: int, longest: int) -> None:
        """Join pairs of 2x2 cities by roads, the nearest first, where none joins them yet.

        Cities further apart than ``reach`` in a straight line are left alone; so is a pair whose
        cheapest way needs a bridge over more than ``longest`` tiles.
        """
        group = list(range(len(cities)))
        for one, other in _pairs(cities, reach):
            if _root(group, one) == _root(group, other):
                continue
            way = self._way(cities[one], cities[other])
            if way and self._longest_bridge(way) <= longest:
                self._build(way)
                group[_root(group, one)] = _root(group, other)

    def _way(self, start: Place, goal: Place) -> list[Place]:
        """The cheapest way over sides from one city to another, without the cities themselves."""
        price = np.where(self.roads | self.bridges, 1, self.price)
        ground = Ground(np.zeros_like(price), price, price == 0)
        limit = 12 * (abs(start[0] - goal[0]) + abs(start[1] - goal[1]) + 4)
        field = distances(ground, _block(goal), toward=True, limit=limit)
        here = min(_block(start), key=lambda at: (field[at[1], at[0]], at))
        if field[here[1], here[0]] >= FAR:
            return []
        way = []
        while field[here[1], here[0]] > 0:
            here = min(_sides(here, field.shape), key=lambda at: (field[at[1], at[0]], at))
            way.append(here)
        inside = {*_block(start), *_block(goal)}
        return [at for at in way if at not in inside]

    def _longest_bridge(self, way: Sequence[Place]) -> int:
        longest = run = 0
        for x, y in way:
            run = run + 1 if self.water[y, x] else 0
            longest = max(longest, run)
        return longest

    def _build(self, way: Sequence[Place]) -> None:
        for x, y in way:
            if self.water[y, x]:
                self.bridges[y, x] = True
                self.water[y, x] = False
            elif not self.bridges[y, x]:
                self.roads[y, x] = True


def _pairs(cities: Sequence[Place], reach: int) -> Iterator[tuple[int, int]]:
    """Pairs of cities in reach of each other, the nearest first."""
    listed = []
    for one, (x, y) in enumerate(cities):
        for other in range(one + 1, len(cities)):
            square = (cities[other][0] - x) ** 2 + (cities[other][1] - y) ** 2
            if square <= reach * reach:
                listed.append((square, one, other))
    return ((one, other) for _, one, other in sorted(listed))


def _root(group: list[int], city: int) -> int:
    while group[city] != city:
        city = group[city]
    return city


def _block(at: Place) -> tuple[Place, ...]:
    return tuple((at[0] + column, at[1] + row) for row in (0, 1) for column in (0, 1))


def _sides(at: Place, shape: tuple[int, ...]) -> Iterator[Place]:
    for dx, dy in STEPS[4]:
        x, y = at[0] + dx, at[1] + dy
        if 0 <= x < shape[1] and 0 <= y < shape[0]:
            yield x, y
