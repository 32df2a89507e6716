"""How fast a large land with many armies is shown: boards, panels, ways, layers.

    python -m bench.picture [--rounds N]

A made-up land of 112 x 156 tiles with 8 sides, 90 cities and 400 armies, as its first side sees it,
with and without a hidden map. Every bar that is missed is marked, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable
from itertools import product
from statistics import median, quantiles
from time import perf_counter
from typing import Any

import numpy as np

from engine.core.containers import Plane, Roster
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.picture import PRESENTER
from engine.rulesets.warlords2.state import HEIGHT, WIDTH, State, View
from engine.rulesets.warlords2.terrain import Terrain
from engine.rulesets.warlords2.units import slot_of, types, usual_order
from engine.rulesets.warlords2.view import view
from engine.strategic.pieces import NOBODY, Army, City, Hero, Side
from engine.tabletop.focus import Focus

SIDES = 8
ARMIES = 400
BARS = {
    "board": 5.0,
    "board from afar": 5.0,
    "a step, nothing held": 1.0,
    "a step, a stack held": 1.0,
    "the way to a tile near by": 3.0,
    "what may be wanted": 1.0,
}
"""Milliseconds, for the median."""


def land(*, hidden: bool) -> State:
    """The position, always the same."""
    lots = random.Random(5)  # noqa: S311 - a made-up land
    ground = _ground(lots)
    cities = _cities()
    for city in cities:
        ground[city.y : city.y + 2, city.x : city.x + 2] = Terrain.CITY
    roads = np.zeros_like(ground)
    for city in cities:
        roads[city.y + 1, city.x + 2 : city.x + 11] = 1
    roads[ground == Terrain.OCEAN] = 0
    sides = tuple(Side(k, f"Side {k}", 500, usual_order(types().values())) for k in range(SIDES))
    return State(
        terrain=Plane(ground),
        roads=Plane(roads),
        art=Plane(np.zeros_like(ground)),
        discovered=Plane(np.full(ground.shape, 255, dtype=np.uint8)),
        types=types(),
        sides=Roster(sides),
        cities=Roster(cities),
        armies=Roster(_armies(lots, ground, cities)),
        treaties=tuple(tuple(0 if a == b else 2 for b in range(SIDES)) for a in range(SIDES)),
        order=tuple(range(SIDES)),
        options=Options(hidden_map="on" if hidden else "off"),
    )


def _ground(lots: random.Random) -> np.ndarray[Any, np.dtype[np.uint8]]:
    ground = np.full((HEIGHT, WIDTH), Terrain.OCEAN, dtype=np.uint8)
    listed = (Terrain.PLAINS, Terrain.FOREST, Terrain.HILLS, Terrain.MOUNTAINS, Terrain.MARSH)
    for y, x in product(range(HEIGHT), range(WIDTH)):
        if (2 * x / WIDTH - 1) ** 2 + (2 * y / HEIGHT - 1) ** 2 < 0.95:
            ground[y, x] = lots.choices(listed, (60, 20, 12, 4, 4))[0]
    return ground


def _cities() -> list[City]:
    places = product(range(10, HEIGHT - 10, 13), range(14, WIDTH - 14, 11))
    usual = slot_of(types()[2])
    return [
        City(k, x, y, f"City {k}", k % 9 if k % 9 < SIDES else NOBODY, 20, (usual,))
        for k, (y, x) in enumerate(places)
    ][:90]


def _armies(
    lots: random.Random, ground: np.ndarray[Any, np.dtype[np.uint8]], cities: list[City]
) -> list[Army]:
    places = {(city.x, city.y): city.owner for city in cities}
    while len(places) < ARMIES // 2:
        x, y = lots.randrange(WIDTH), lots.randrange(HEIGHT)
        if ground[y, x] not in {Terrain.OCEAN, Terrain.CITY}:
            places.setdefault((x, y), lots.randrange(SIDES))
    stacks = list(places.items())
    found = []
    for number in range(1, ARMIES + 1):
        (x, y), owner = stacks[number % len(stacks)]
        kind = types()[lots.choice((1, 2, 6, 13, 0, 25, 28))]
        hero = Hero(f"hero {number}") if kind.id == 28 else None
        found.append(
            Army(
                number,
                owner,
                kind.id,
                x,
                y,
                kind.strength,
                kind.move,
                kind.move,
                kind.cost // 2,
                hero=hero,
            )
        )
    return found


def timed(work: Callable[[int], object], rounds: int) -> list[float]:
    """Milliseconds of each round."""
    found = []
    for number in range(rounds):
        begun = perf_counter()
        work(number)
        found.append(1000 * (perf_counter() - begun))
    return found


def measured(state: State, rounds: int) -> dict[str, list[float]]:
    """All that is measured of a position."""
    views: list[View] = [view(state, 0) for _ in range(max(rounds, 10))]
    seen = views[0]
    group = next(a for a in state.armies.values() if a.owner == 0 and a.hero is None)
    held = PRESENTER.fire(seen, Focus(group.x, group.y)).focus
    around = [(dx, dy) for dx in range(-6, 7) for dy in range(-6, 7) if dx or dy]
    near = [Focus(held.x + dx, held.y + dy, held.held) for dx, dy in around]
    near = [focus for focus in near if PRESENTER.route(seen, held, focus.x, focus.y)]
    PRESENTER.overlay(seen, held)
    return {
        "board": timed(lambda n: PRESENTER.board(views[n], "map"), rounds),
        "board from afar": timed(lambda n: PRESENTER.board(views[n], "world"), rounds),
        "a step, nothing held": timed(
            lambda n: PRESENTER.overlay(seen, Focus(20 + n % 60, 60)), rounds
        ),
        "what may be wanted": timed(
            lambda n: PRESENTER.intents(seen, Focus(20 + n % 60, 60)), rounds
        ),
        "a step, a stack held": timed(
            lambda n: PRESENTER.overlay(views[1], near[n % len(near)]), min(rounds, len(near))
        )[1:],
        "the way to a tile near by": timed(
            lambda n: PRESENTER.route(views[2], held, near[n % len(near)].x, near[n % len(near)].y),
            min(rounds, len(near)),
        ),
        "layer of danger": timed(lambda n: PRESENTER.layer(views[n], held, "danger"), 3),
    }


def main() -> int:
    """Measure and print; 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=60)
    rounds = parser.parse_args().rounds
    missed = 0
    for hidden in (False, True):
        print("hidden map" if hidden else "open map")
        for name, found in measured(land(hidden=hidden), rounds).items():
            worst = quantiles(found, n=20)[-1] if len(found) > 1 else found[0]
            bar = BARS.get(name)
            late = bar is not None and median(found) > bar
            missed += late
            wanted = f"  bar {bar:.1f}{'  MISSED' if late else ''}" if bar is not None else ""
            print(f"  {name:28} median {median(found):7.2f} ms  p95 {worst:7.2f} ms{wanted}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
