"""An artificial position on the full map of Warlords II, with the armies of a late game."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import numpy as np

from engine.core.containers import Plane, Roster
from engine.rulesets.warlords2.land import chosen_art
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.state import HEIGHT, WIDTH, State
from engine.rulesets.warlords2.tables import Terrain, native_table, slot_of, unit_types
from engine.strategic.pieces import NOBODY, Army, City, Hero, Side, usual_order

SIDES = 8
ARMIES = 400
HEROES = 40
"""Maximum number of heroes in the position."""


def land(*, hidden: bool) -> State:
    """Return the position, always the same one; ``hidden`` hides the map."""
    lots = random.Random(5)  # noqa: S311 - a made-up land
    ground = _ground(lots)
    cities = _cities()
    for city in cities:
        ground[city.y : city.y + 2, city.x : city.x + 2] = Terrain.CITY
    roads = np.zeros_like(ground)
    for city in cities:
        roads[city.y + 1, city.x + 2 : city.x + 11] = 1
    roads[ground == Terrain.OCEAN] = 0
    sides = tuple(
        Side(k, f"Side {k}", 500, usual_order(unit_types().values())) for k in range(SIDES)
    )
    terrain = Plane(ground)
    return State(
        name="made-up",
        title="A made-up land",
        terrain=terrain,
        roads=Plane(roads),
        art=chosen_art(terrain, native_table(), cities),
        table=native_table(),
        discovered=Plane(np.full(ground.shape, 255, dtype=np.uint8)),
        types=unit_types(),
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
    usual = slot_of(unit_types()[2])
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
    found: list[Army] = []
    heroes = 0
    for number in range(1, ARMIES + 1):
        (x, y), owner = stacks[number % len(stacks)]
        kind = unit_types()[lots.choice((1, 2, 6, 13, 0, 25, 28 if heroes < HEROES else 2))]
        hero = Hero(f"hero {number}") if kind.id == 28 else None
        heroes += hero is not None
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
