"""How fair and how quick new maps are: fifty seeds of several sizes.

``spread`` is what the best start is worth in percent of the worst, a start being worth the income
of all cities that light infantry reaches from the capital in four turns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import mean, median
from time import perf_counter
from typing import NamedTuple

from engine.core.dice import Seeded
from engine.rulesets.warlords2.generator import attempt
from engine.rulesets.warlords2.ground_plan import recipe
from engine.rulesets.warlords2.scene import Map, NewMap

SEEDS = 50
SIZES = ((2, 28, 28), (2, 40, 40), (4, 40, 40), (4, 64, 80), (8, 60, 60), (8, 112, 156))


class Found(NamedTuple):
    """A map: its scenario, its spread in percent, how many were tried, seconds."""

    scene: Map
    spread: int
    tries: int
    seconds: float


def found(new: NewMap) -> Found | None:
    """The map of a seed, chosen as the generator does."""
    begun = perf_counter()
    best: tuple[Map, int] | None = None
    for number in range(recipe().tries):
        made = attempt(Seeded(str(new.seed).encode(), number, "map"), new)
        if made is not None and (best is None or made[1] < best[1]):
            best = made
        if best is not None and best[1] <= recipe().cities.spread:
            return Found(*best, number + 1, perf_counter() - begun)
    return None if best is None else Found(*best, recipe().tries, perf_counter() - begun)


def apart(scene: Map) -> int:
    """Tiles between the two capitals that are nearest to each other."""
    places = [side.capital for side in scene.sides if side.capital is not None]
    return min(
        max(abs(a - x), abs(b - y)) for a, b in places for x, y in places if (a, b) != (x, y)
    )


def lines(sizes: Sequence[tuple[int, int, int]]) -> Iterator[str]:
    """A row for each size."""
    yield "| sides | tiles | cities | spread: median, mean, worst | tries | nearest capitals | s |"
    yield "|---|---|---|---|---|---|---|"
    for sides, width, height in sizes:
        made = [
            found(NewMap(seed=seed, sides=sides, width=width, height=height))
            for seed in range(1, SEEDS + 1)
        ]
        maps = [one for one in made if one is not None]
        spreads = [one.spread for one in maps]
        near = [apart(one.scene) for one in maps]
        yield (
            f"| {sides} | {width} x {height} | {len(maps[0].scene.cities)}"
            f" | {median(spreads):.0f}, {mean(spreads):.0f}, {max(spreads)} %"
            f" | {mean(one.tries for one in maps):.1f}, at most {max(one.tries for one in maps)}"
            f" | {min(near)} to {max(near)} | {median(one.seconds for one in maps):.2f} |"
        )
        if len(maps) < SEEDS:
            yield f"{SEEDS - len(maps)} seeds gave no map"


if __name__ == "__main__":
    for line in lines(SIZES):
        print(line)
