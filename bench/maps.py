"""Fairness and speed of new maps: fifty seeds of several sizes.

``spread`` compares the best start with the worst, in percent; the value of a start is the income of
all cities that light infantry reaches from the capital in four turns.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from statistics import mean, median
from time import perf_counter
from typing import Any, NamedTuple

from engine.core.dice import Dice, Seeded
from engine.kit.grid import distance
from engine.rulesets.lordsawar import generator as lordsawar
from engine.rulesets.lordsawar.scene import NewMap as LordsawarMap
from engine.rulesets.lordsawar.tables import recipe as lordsawar_recipe
from engine.rulesets.warlords2 import generator as warlords2
from engine.rulesets.warlords2.ground_plan import recipe as warlords2_recipe
from engine.rulesets.warlords2.scene import NewMap as Warlords2Map

SEEDS = 50


class Bench(NamedTuple):
    """A generator to measure: its function, maximum attempts, sufficient spread, and map sizes."""

    attempt: Callable[[Dice, Any], tuple[Any, int] | None]
    tries: int
    enough: int
    maps: tuple[Any, ...]


BENCHES = {
    "warlords2": Bench(
        warlords2.attempt,
        warlords2_recipe().tries,
        warlords2_recipe().cities.spread,
        tuple(
            Warlords2Map(sides=sides, width=width, height=height)
            for sides, width, height in (
                (2, 28, 28),
                (2, 40, 40),
                (4, 40, 40),
                (4, 64, 80),
                (8, 60, 60),
                (8, 112, 156),
            )
        ),
    ),
    "lordsawar": Bench(
        lordsawar.attempt,
        lordsawar_recipe().tries,
        lordsawar_recipe().spread,
        tuple(
            LordsawarMap(sides=sides, width=width, height=height, cities=cities)
            for sides, width, height, cities in (
                (2, 28, 28, 6),
                (3, 40, 40, 12),
                (4, 50, 75, 20),
                (4, 70, 105, 20),
                (8, 70, 105, 40),
                (8, 112, 156, 60),
            )
        ),
    ),
}


class Found(NamedTuple):
    """A generated map: its scenario, its spread in percent, the number of attempts, seconds."""

    scene: Any
    spread: int
    tries: int
    seconds: float


def found(bench: Bench, new: Any, seed: int) -> Found | None:
    """Return the map of a seed, chosen as the generator does, or None if no attempt succeeds."""
    begun = perf_counter()
    best: tuple[Any, int] | None = None
    for number in range(bench.tries):
        made = bench.attempt(Seeded(str(seed).encode(), number, "map"), new)
        if made is not None and (best is None or made[1] < best[1]):
            best = made
        if best is not None and best[1] <= bench.enough:
            return Found(*best, number + 1, perf_counter() - begun)
    return None if best is None else Found(*best, bench.tries, perf_counter() - begun)


def apart(scene: Any) -> int:
    """Return the distance in tiles between the two closest capitals."""
    places = [side.capital for side in scene.sides if side.capital is not None]
    return min(distance(one, other, 8) for one in places for other in places if one != other)


def lines(bench: Bench) -> Iterator[str]:
    """Yield a row for each size."""
    yield "| sides | tiles | cities | spread: median, mean, worst | tries | nearest capitals | s |"
    yield "|---|---|---|---|---|---|---|"
    for new in bench.maps:
        made = [found(bench, new, seed) for seed in range(1, SEEDS + 1)]
        maps = [one for one in made if one is not None]
        spreads = [one.spread for one in maps]
        near = [apart(one.scene) for one in maps]
        yield (
            f"| {new.sides} | {new.width} x {new.height} | {len(maps[0].scene.cities)}"
            f" | {median(spreads):.0f}, {mean(spreads):.0f}, {max(spreads)} %"
            f" | {mean(one.tries for one in maps):.1f}, at most {max(one.tries for one in maps)}"
            f" | {min(near)} to {max(near)} | {median(one.seconds for one in maps):.2f} |"
        )
        if len(maps) < SEEDS:
            yield f"{SEEDS - len(maps)} seeds gave no map"


if __name__ == "__main__":
    for line in lines(BENCHES[sys.argv[1] if len(sys.argv) > 1 else "warlords2"]):
        print(line)
