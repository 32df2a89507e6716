"""Small lands for tests: two sides, two cities, two sites."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from engine.core.codec import convert
from engine.core.dice import Seeded
from engine.rulesets.lordsawar import setup
from engine.rulesets.lordsawar.events import GameSet
from engine.rulesets.lordsawar.scene import Map
from engine.rulesets.lordsawar.state import State

SMALL: Final[dict[str, Any]] = {
    "name": "t",
    "title": "T",
    "about": "",
    "rows": ["cc....w", "cc....p", "...ccww", "f..cc~~"],
    "roads": [".......", "..+....", ".......", "......."],
    "sides": [{"capital": [0, 0]}, {"capital": [3, 2]}],
    "cities": [
        {"x": 0, "y": 0, "slots": ["scouts", "heavy_infantry"]},
        {"x": 3, "y": 2, "slots": ["archers"]},
    ],
    "sites": [{"x": 3, "y": 1}, {"x": 0, "y": 3, "kind": "temple"}],
}


def scene(**changes: Any) -> Map:
    """Return the small scenario with changed fields."""
    made = convert(SMALL | changes, Map)
    assert isinstance(made, Map)
    return made


def start(of: Map, seed: bytes = b"start", **options: int | str) -> State:
    """Return the state in the first event of a game."""
    first = setup.begin(of, options, Seeded(seed, 0, "t"))[0]
    assert isinstance(first, GameSet)
    return first.start


_ACROSS: Final = 25


def towns(count: int) -> Map:
    """Return a map with two sides and ``count`` cities in rows of 25, capitals first and last."""
    places = [(4 * (number % _ACROSS), 3 * (number // _ACROSS)) for number in range(count)]
    width, height = 4 * min(count, _ACROSS), 3 * -(-count // _ACROSS)
    tiles = {(x + dx, y + dy) for x, y in places for dx in (0, 1) for dy in (0, 1)}
    slots = ["scouts", "heavy_infantry", "light_cavalry"]
    return scene(
        rows=["".join(".c"[(x, y) in tiles] for x in range(width)) for y in range(height)],
        roads=[],
        sides=[{"capital": places[0]}, {"capital": places[-1]}],
        cities=[{"x": x, "y": y, "slots": slots} for x, y in places],
        sites=[],
    )


def plain_rows(state: State) -> Iterator[str]:
    """Yield a line for each army with its place."""
    for army in state.armies.values():
        yield f"{army.owner} {state.types[army.type].key} {army.x},{army.y}"
