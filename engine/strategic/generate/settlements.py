"""Settlements of a new map: places for cities and sites, roads, and fair starts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from engine.core.dice import Dice
from engine.core.record import Record
from engine.kit.fields import FAR, CostGrid, Mask, distances
from engine.kit.grid import Place, distance, neighbours
from engine.strategic.generate.shapes import around
from engine.strategic.generate.terrain import draw

S = TypeVar("S")

# -- places ----------------------------------------------------------------------------------------


def blocks(free: Mask, margin: int) -> Mask:
    """Return the mask of top left tiles of free 2x2 blocks, ``margin`` tiles from the edge."""
    room = np.zeros_like(free)
    room[:-1, :-1] = free[:-1, :-1] & free[1:, :-1] & free[:-1, 1:] & free[1:, 1:]
    inside = np.zeros_like(free)
    height, width = free.shape
    inside[margin : height - margin - 1, margin : width - margin - 1] = True
    return np.asarray(room & inside)


def beside(mask: Mask) -> Mask:
    """Return the mask of top left tiles of 2x2 blocks that touch a mask with a side or a corner."""
    near = around(mask) > 0
    touching = near.copy()
    touching[:-1] |= near[1:]
    touching[:, :-1] |= near[:, 1:]
    touching[:-1, :-1] |= near[1:, 1:]
    return touching


def towns(dice: Dice, room: Mask, coast: Mask, count: int, gap: int) -> tuple[Place, ...]:
    """Return the top left tiles of up to ``count`` cities, at least ``gap`` tiles apart.

    Every third city lies at the coast if possible. Each city takes the most remote of three random
    places, so that cities spread over the whole land.
    """
    left = room.copy()
    found: list[Place] = []
    for number in range(count):
        wanted = left & coast if number % 3 == 0 else left
        at = _loneliest(dice, wanted if wanted.any() else left, found)
        if at is None:
            break
        found.append(at)
        clear(left, at, gap + 1)
    return tuple(found)


def clear(left: Mask, at: Place, reach: int) -> None:
    """Clear a mask up to ``reach`` tiles around a place."""
    x, y = at
    left[max(y - reach, 0) : y + reach + 1, max(x - reach, 0) : x + reach + 1] = False


def _loneliest(dice: Dice, mask: Mask, others: list[Place]) -> Place | None:
    """Draw three tiles of a mask and return the most remote one, or None if it is empty."""
    drawn = [at for _ in range(3 if others else 1) if (at := draw(dice, mask)) is not None]
    return max(
        drawn,
        key=lambda at: min((distance(at, other, 8) for other in others), default=0),
        default=None,
    )


def by_sectors(dice: Dice, free: Mask, count: int, across: int, gap: int) -> tuple[Place, ...]:
    """Draw up to ``count`` free tiles in turn from ``across`` times ``across`` sectors.

    Each tile removes the free tiles up to ``gap`` around it; sectors without room are skipped.
    """
    left = free.copy()
    found: list[Place] = []
    height, width = free.shape
    empty = 0
    number = 0
    while len(found) < count and empty < across * across:
        row, column = divmod(number % (across * across), across)
        number += 1
        sector = np.zeros_like(left)
        sector[
            row * height // across : (row + 1) * height // across,
            column * width // across : (column + 1) * width // across,
        ] = True
        at = draw(dice, left & sector)
        if at is None:
            empty += 1
            continue
        empty = 0
        found.append(at)
        clear(left, at, gap)
    return tuple(found)


# -- roads -----------------------------------------------------------------------------------------


class Planner:
    """Roads built so far, and the prices of more roads.

    ``price`` is the price of a road on each tile, 0 if closed to roads. ``water`` marks tiles that
    need a bridge. ``roads`` and ``bridges`` are masks of those built.
    """

    def __init__(self, price: npt.NDArray[Any], water: Mask) -> None:
        self.price = price.astype(np.int32)
        self.water = water.copy()
        self.roads = np.zeros_like(water)
        self.bridges = np.zeros_like(water)

    def join(self, cities: Sequence[Place], reach: int, longest: int) -> None:
        """Join pairs of 2x2 cities by roads, nearest first, unless roads already join them.

        Skip pairs more than ``reach`` apart in a straight line, and pairs whose cheapest path needs
        a bridge of more than ``longest`` tiles.
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
        """Return the cheapest path over tile sides between two cities, without their tiles."""
        price = np.where(self.roads | self.bridges, 1, self.price)
        ground = CostGrid(np.zeros_like(price), price, price == 0)
        limit = 12 * (abs(start[0] - goal[0]) + abs(start[1] - goal[1]) + 4)
        field = distances(ground, tiles(goal), toward=True, limit=limit)
        here = min(tiles(start), key=lambda at: (field[at[1], at[0]], at))
        if field[here[1], here[0]] >= FAR:
            return []
        way, size = [], (price.shape[1], price.shape[0])
        while field[here[1], here[0]] > 0:
            here = min(neighbours(*here, size), key=lambda at: (field[at[1], at[0]], at))
            way.append(here)
        inside = {*tiles(start), *tiles(goal)}
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
    """Return the pairs of cities at most ``reach`` apart, nearest first."""
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


# -- fair starts -----------------------------------------------------------------------------------


_BANDS: Final = (120, 150)
"""Upper ends of value bands, in percent of their lower ends."""


class Worth(Record, frozen=True):
    """Cities in reach of a city, itself included, and their total income."""

    cities: tuple[int, ...]
    income: int


def reachable(
    ground: CostGrid, cities: Sequence[Place], points: int
) -> tuple[tuple[int, ...], ...]:
    """Return the numbers of the cities within ``points`` of each 2x2 city, itself included."""
    found = []
    for at in cities:
        field = distances(ground, tiles(at), limit=points)
        near = (
            number
            for number, other in enumerate(cities)
            if min(field[y, x] for x, y in tiles(other)) <= points
        )
        found.append(tuple(near))
    return tuple(found)


def tiles(at: Place) -> tuple[Place, ...]:
    """Return the four tiles of a city."""
    return tuple((at[0] + column, at[1] + row) for row in (0, 1) for column in (0, 1))


def worths(reach: Sequence[Sequence[int]], incomes: Sequence[int]) -> tuple[Worth, ...]:
    """Return the cities in reach of each city, with the sum of their incomes."""
    return tuple(Worth(tuple(near), sum(incomes[city] for city in near)) for near in reach)


def capitals(
    cities: Sequence[Place], value: Sequence[int], count: int, apart: int
) -> tuple[int, ...]:
    """Return capitals far from each other and of about the same value.

    Tries bands of values, from v to a fifth or a half more, and spreads the cities of each band
    out. The first is the farthest from the middle of all cities; each next one is the farthest from
    those chosen. Among bands whose closest pair is at least ``apart``, the one with the smallest
    spread of values wins. If no band has that, the one with the farthest closest pair wins.
    """
    best: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    for low, percent in product(sorted(set(value)), _BANDS):
        high = low * percent // 100
        band = [city for city, worth in enumerate(value) if low <= worth <= high]
        if len(band) < count:
            continue
        chosen = _spread(cities, band, count)
        closest = min(distance(cities[a], cities[b], 8) for a in chosen for b in chosen if a != b)
        worth = [value[city] for city in chosen]
        tight = 1000 * max(worth) // max(min(worth), 1)
        score = (min(closest, apart), -tight, closest, low)
        if best is None or score > best[0]:
            best = score, chosen
    return best[1] if best else ()


def _spread(cities: Sequence[Place], band: Sequence[int], count: int) -> tuple[int, ...]:
    middle = (
        sum(x for x, _ in cities) // len(cities),
        sum(y for _, y in cities) // len(cities),
    )
    chosen = [max(band, key=lambda city: (distance(cities[city], middle, 8), -city))]
    while len(chosen) < count:
        rest = [city for city in band if city not in chosen]
        away = {
            city: min(distance(cities[city], cities[other], 8) for other in chosen) for city in rest
        }
        chosen.append(max(rest, key=lambda city: (away[city], -city)))
    return tuple(sorted(chosen))


def evened(
    reach: Sequence[Sequence[int]],
    chosen: Sequence[int],
    incomes: Sequence[int],
    bounds: tuple[int, int],
) -> tuple[int, ...]:
    """Return incomes changed within ``bounds`` so that all capitals reach about the same income.

    Point by point, a city that only the poorest capital reaches gains, and one that only the
    richest reaches loses. Capitals keep their income. Stops when no change is possible.
    """
    made = list(incomes)
    fixed = set(chosen)
    for _ in range(2000):
        sums = [(sum(made[city] for city in reach[seat]), seat) for seat in chosen]
        (low, poor), (high, rich) = min(sums), max(sums)
        if high - low <= 1:
            break
        raised = [c for c in reach[poor] if c not in reach[rich] and c not in fixed]
        cut = [c for c in reach[rich] if c not in reach[poor] and c not in fixed]
        gain = min(
            (c for c in raised if made[c] < bounds[1]), key=lambda c: (made[c], c), default=-1
        )
        loss = max((c for c in cut if made[c] > bounds[0]), key=lambda c: (made[c], -c), default=-1)
        if gain < 0 and loss < 0:
            break
        if gain >= 0:
            made[gain] += 1
        if loss >= 0:
            made[loss] -= 1
    return tuple(made)


def spread(values: Sequence[int]) -> int:
    """Return the largest value in percent of the smallest."""
    ordered = sorted(values)
    return 100 * ordered[-1] // max(ordered[0], 1)


def fairest(tries: int, enough: int, attempt: Callable[[int], tuple[S, int] | None]) -> S | None:
    """Return the first map with a spread of up to ``enough`` percent, else the fairest one tried.

    ``attempt`` takes the number of a map, from 0, and returns the map with its spread, or None if
    it is not playable. Return None if no map is playable.
    """
    best: tuple[S, int] | None = None
    for number in range(tries):
        made = attempt(number)
        if made is not None and (best is None or made[1] < best[1]):
            best = made
        if best is not None and best[1] <= enough:
            break
    return None if best is None else best[0]
