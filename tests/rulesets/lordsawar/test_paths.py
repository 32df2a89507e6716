"""Paths of marches have the minimum total cost on the whole map, against a plain search."""

from __future__ import annotations

import random
from heapq import heappop, heappush
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.kit.grid import Place
from engine.rulesets.lordsawar.rule_settings import settings_in
from engine.rulesets.lordsawar.state import State
from engine.strategic import routes
from engine.strategic.path_cache import PathCache
from engine.strategic.pieces import Army
from tests.rulesets.lordsawar.fields import army, city, field

COSTS: Final = {".": 2, "f": 3, "h": 4, "m": 6, "s": 8, "c": 1, "=": 1, "~": 1, "w": 2}
"""Costs in section 12.2 of the book."""

STACKS: Final[dict[tuple[str, ...], str]] = {
    ("light_infantry",): "",
    ("scouts",): "fh",
    ("archers",): "f",
    ("dwarves", "giants"): "h",
    ("dwarves", "archers"): "",
    ("scouts", "minotaurs"): "fh",
    ("pegasi",): "air",
    ("pegasi", "hero"): "air",
    ("pegasi", "dwarves"): "h",
}
"""Stacks, and the terrains of their combined bonus (section 12.3)."""


class Book:
    """The steps of a stack by sections 12.2 to 12.5, tile by tile."""

    def __init__(self, rows: list[str], roads: set[Place], bonus: str, *, aboard: bool) -> None:
        self.rows, self.roads, self.bonus, self.aboard = rows, roads, bonus, aboard
        self.barred: set[Place] = set()

    def sign(self, at: Place) -> str:
        return self.rows[at[1]][at[0]]

    def beside(self, at: Place) -> list[Place]:
        steps = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
        near = [(at[0] + dx, at[1] + dy) for dx, dy in steps]
        return [(x, y) for x, y in near if 0 <= x < len(self.rows[0]) and 0 <= y < len(self.rows)]

    def cost(self, at: Place) -> int:
        """Return the cost of a tile; 0 if it is closed."""
        sign, paved = self.sign(at), at in self.roads
        if sign == "w" and all(self.sign(near) in "w=" for near in self.beside(at)):
            sign = "~"
        whole = 1 if paved else COSTS[sign]
        if self.bonus == "air":
            return min(whole, 2)
        if self.aboard:
            return whole if sign in "w~=" else 0
        if sign in "w~" or (sign == "m" and not paved):
            return 0
        return min(whole, 2) if sign in self.bonus else whole

    def least(self, src: Place, goals: set[Place]) -> int | None:
        found, queue = {src: 0}, [(0, src)]
        while queue:
            spent, here = heappop(queue)
            if here in goals:
                return spent
            for there in self.beside(here):
                price = self.cost(there)
                closed = there in self.barred and there not in goals
                if price and not closed and spent + price < found.get(there, 1 << 30):
                    found[there] = spent + price
                    heappush(queue, (spent + price, there))
        return None


def drawn(seed: int) -> tuple[State, tuple[Army, ...], Book]:
    """Draw a land with winding roads, rivers, bridges, foes and cities, and a stack in it."""
    lots = random.Random(seed)  # noqa: S311 - a made-up land
    size = lots.choice((16, 24, 32))
    rows = [lots.choices(".fhms", (4, 2, 2, 2, 4), k=size) for _ in range(size)]
    for _ in range(lots.randrange(3)):
        x = lots.randrange(size)
        for y in range(size):
            rows[y][x] = "=" if lots.random() < 0.1 else "w"
            x = min(size - 1, max(0, x + lots.choice((-1, 0, 0, 1))))
    roads, at = set[Place](), (lots.randrange(size), lots.randrange(size))
    for _ in range(4):
        dx, dy = lots.choice(((1, 0), (0, 1), (-1, 0), (0, -1)))
        for _ in range(lots.randrange(4, size)):
            if rows[at[1]][at[0]] not in "w=":
                roads.add(at)
            at = min(size - 1, max(0, at[0] + dx)), min(size - 1, max(0, at[1] + dy))
    x, y = lots.randrange(size - 1), lots.randrange(size - 1)
    town = city(0, x, y, owner=1)
    roads -= set(town.tiles)
    for x, y in town.tiles:
        rows[y][x] = "c"
    keys, bonus = lots.choice(list(STACKS.items()))
    wet = any("w" in row for row in rows)
    aboard = wet and bonus != "air" and lots.random() < 0.3
    book = Book(["".join(row) for row in rows], roads, bonus, aboard=aboard)
    open_to = [(x, y) for y in range(size) for x in range(size) if book.cost((x, y))]
    lots.shuffle(open_to)
    start, *others = [at for at in open_to if book.sign(at) not in "c="][:8]
    group = tuple(
        army(number, *start, key, aboard=aboard and key != "pegasi")
        for number, key in enumerate(keys, 1)
    )
    foes = [army(20 + number, *at, owner=1) for number, at in enumerate(others)]
    book.barred = {*town.tiles, *others}
    state = field(book.rows, *group, *foes, roads=sorted(roads), cities=[town])
    return state, group, book


@pytest.mark.rule("LW-12.5", "LW-12.2")
@given(st.integers(0, 10**6))
@settings(max_examples=25)
def test_march_takes_the_path_of_minimum_total_cost(seed: int) -> None:
    state, group, book = drawn(seed)
    rules = settings_in(state)
    outlook = PathCache(state, rules, 0, group, human=True)
    places = [(x, y) for y in range(state.height) for x in range(state.width)]
    town = set(state.cities[0].tiles)
    for to in places[seed % 41 :: 41]:
        ends_at_coast = book.bonus != "air" and not book.cost(to)
        if to == group[0].at or ends_at_coast:
            continue
        route = routes.ordered(state, rules, 0, group, to)
        assert route == outlook.way(to)
        goals = town if to in town else {to}
        assert (None if route is None else route.cost) == book.least(group[0].at, goals)
