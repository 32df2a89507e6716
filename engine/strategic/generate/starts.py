"""Fair starts: which cities are capitals, and what is worth how much around them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Final

from engine.core.record import Record
from engine.kit.fields import Ground, distances
from engine.kit.grid import Place

_BANDS: Final = (120, 150)
"""The highest values of bands, in percent of their lowest."""


class Worth(Record, frozen=True):
    """What can be reached from a city: the cities, itself among them, and all their income."""

    cities: tuple[int, ...]
    income: int


def reachable(ground: Ground, cities: Sequence[Place], points: int) -> tuple[tuple[int, ...], ...]:
    """For each 2x2 city the cities, itself among them, that so many points lead to."""
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
    """The four tiles of a city."""
    return tuple((at[0] + column, at[1] + row) for row in (0, 1) for column in (0, 1))


def worths(reach: Sequence[Sequence[int]], incomes: Sequence[int]) -> tuple[Worth, ...]:
    """What each city can reach, with the incomes of now."""
    return tuple(Worth(tuple(near), sum(incomes[city] for city in near)) for near in reach)


def capitals(
    cities: Sequence[Place], value: Sequence[int], count: int, apart: int
) -> tuple[int, ...]:
    """Cities that lie far from each other and are worth about the same.

    For every band of values (from v to a fifth or a half more) the cities in it are spread out: the
    first is the one farthest from the middle of all, then always the one farthest from those
    chosen. Of all bands the one wins whose closest pair is at least ``apart`` and, among these,
    whose values differ least; if none has such a pair, the one whose closest pair is farthest
    apart.
    """
    best: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    for low, percent in product(sorted(set(value)), _BANDS):
        high = low * percent // 100
        band = [city for city, worth in enumerate(value) if low <= worth <= high]
        if len(band) < count:
            continue
        chosen = _spread(cities, band, count)
        closest = min(_away(cities[a], cities[b]) for a in chosen for b in chosen if a != b)
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
    chosen = [max(band, key=lambda city: (_away(cities[city], middle), -city))]
    while len(chosen) < count:
        rest = [city for city in band if city not in chosen]
        chosen.append(max(rest, key=lambda city: (_lonely(cities, city, chosen), -city)))
    return tuple(sorted(chosen))


def _lonely(cities: Sequence[Place], city: int, others: Sequence[int]) -> int:
    return min(_away(cities[city], cities[other]) for other in others)


def _away(one: Place, other: Place) -> int:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def evened(
    reach: Sequence[Sequence[int]],
    chosen: Sequence[int],
    incomes: Sequence[int],
    bounds: tuple[int, int],
) -> tuple[int, ...]:
    """The incomes, changed within bounds until all capitals can reach about the same.

    One after the other the poorest capital's own cities gain and the richest one's lose, a point at
    a time; capitals keep what they have. Stops when nothing more can be done.
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
    """The largest of some values in percent of the smallest."""
    ordered = sorted(values)
    return 100 * ordered[-1] // max(ordered[0], 1)
