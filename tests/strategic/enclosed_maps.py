"""Games of computer players on maps with cities that no army can reach on foot.

``python -m tests.strategic.enclosed_maps --maps 20 [--seed 1] [--ruleset lordsawar]``

Each side and some neutral cities lie in a plain, a ring of mountains, a moat, a mountain valley
barely larger than the city, or on an island without a port. The games run under both columns of
Warlords II, at each level, with and without fog, treaties and flyers for sale.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from time import process_time
from typing import Any, Final, NamedTuple

from engine.core import registry
from engine.core.codec import encode_json
from engine.core.dice import Seeded
from engine.core.options import Value
from engine.core.record import replace
from engine.core.ruleset import AnyRuleset, Scenario
from engine.core.scenarios import fitted, parse
from engine.rulesets.warlords2.options import CLASSIC
from study.lab.simulate import SimulatedGame, Task, play

SHAPES: Final = ("plain", "plain", "ring", "moat", "valley", "island")
_CELL: Final = 10
_LONGEST: Final = 2500
_MAKES: Final = (
    ("light_infantry", "giants"),
    ("heavy_infantry", "light_cavalry"),
    ("scouts", "archers"),
    ("light_infantry", "griffins", "giants"),
    ("giant_bats", "heavy_infantry"),
)

_UNSOLD: Final = {"warlords2": -1, "lordsawar": 0}
"""Price that marks a type as not for sale."""

COLUMNS: Final[Mapping[str, tuple[Mapping[str, Value], ...]]] = {
    "warlords2": ({}, CLASSIC),
    "lordsawar": ({},),
}


_LANDS: Final = {
    "plain": (3, 4, ".", "."),
    "ring": (2, 3, ".", "m"),
    "moat": (2, 3, ".", "~"),
    "valley": (0, 3, "m", "m"),
    "island": (1, 3, ".", "~"),
}
"""Distances from the city to the ends of the inner and the outer land; signs of their tiles."""


class _Cell(NamedTuple):
    """A square of the map with one city, its shape, and its owner if any."""

    x: int
    y: int
    shape: str
    owner: int | None


def enclosed(ruleset: str, seed: int, *, flyers: bool = True) -> Scenario:
    """Build the map of a seed. Without ``flyers`` no city makes or sells any."""
    chance = random.Random(f"enclosed {seed}")  # noqa: S311 - a map of a test
    columns, rows, sides = chance.choice((2, 3, 3)), chance.choice((1, 2)), chance.choice((2, 2, 3))
    sides = min(sides, columns * rows)
    spots = [(x, y) for y in range(rows) for x in range(columns)]
    chance.shuffle(spots)
    base = chance.choice("..~")
    land = [[base] * (columns * _CELL) for _ in range(rows * _CELL)]
    shapes = chance.choice((SHAPES, ("ring", "valley"), ("island", "moat")))
    cells = [
        _Cell(x, y, chance.choice(shapes), number if number < sides else None)
        for number, (x, y) in enumerate(spots)
    ]
    cities, ports = list[dict[str, Any]](), list[tuple[int, int]]()
    for cell in cells:
        _draw(land, cell)
        left, top = cell.x * _CELL + 4, cell.y * _CELL + 4
        makes = chance.choice(_MAKES)
        slots = [key for key in makes if flyers or key not in {"griffins", "giant_bats"}]
        named = {"x": left, "y": top, "name": f"City {len(cities)}", "income": 25, "slots": slots}
        cities.append(named)
        if base == "~" and cell.shape == "plain" and chance.random() < 0.5:
            ports.append((left + 2, top))
            if ruleset == "lordsawar":
                land[top][left + 2] = "p"
    owned = {cell.owner: (c["x"], c["y"]) for cell, c in zip(cells, cities, strict=True)}
    document: dict[str, Any] = {
        "name": "enclosed",
        "title": "Enclosed",
        "about": "",
        "rows": ["".join(row) for row in land],
        "cities": cities,
        "sides": [
            {"name": "ABC"[side], "capital": owned[side], "gold": 300} for side in range(sides)
        ],
    }
    if ruleset == "warlords2":
        document["ports"] = ports
    rules = registry.find(ruleset)
    found: Any = parse(rules, encode_json(document))
    if not flyers:
        found = without_flyers(rules, found)
    computers = frozenset(range(sides))
    return fitted(rules, found, sides, computers)


def without_flyers(rules: AnyRuleset, scenario: Any) -> Any:
    """Return the scenario with no flyers for sale."""
    state: Any = rules.empty()
    for event in rules.begin(scenario, {}, Seeded(b"", 0, "decide")):
        state = rules.evolve(state, event)
    unsold = [
        replace(kind, price=_UNSOLD[rules.name]) if "fly" in kind.traits else kind
        for kind in state.types.values()
    ]
    return replace(scenario, units=tuple(unsold))


def _draw(land: list[list[str]], cell: _Cell) -> None:
    """Draw a shape and its city into a square."""
    inner, outer, middle, rim = _LANDS[cell.shape]
    left, top = cell.x * _CELL, cell.y * _CELL
    for y, x in product(range(_CELL), repeat=2):
        apart = max(4 - x, x - 5, 4 - y, y - 5, 0)
        if apart <= inner:
            land[top + y][left + x] = middle
        elif apart <= outer or cell.shape == "island":
            land[top + y][left + x] = rim
    for y, x in product((4, 5), repeat=2):
        land[top + y][left + x] = "c"


def games(ruleset: str, seeds: Sequence[int]) -> Iterator[tuple[str, SimulatedGame, float]]:
    """Play games on the maps of some seeds; yield name, result and seconds of each."""
    rules = registry.find(ruleset)
    for seed, flyers in product(seeds, (True, False)):
        scenario: Any = enclosed(ruleset, seed, flyers=flyers)
        switches = {"hidden_map": seed % 2, "diplomacy": seed // 2 % 2}
        secret: dict[str, Value] = {name: ("off", "on")[on] for name, on in switches.items()}
        for number, column in enumerate(COLUMNS[ruleset]):
            for level in rules.bots:
                began = process_time()
                task = Task((level,) * len(scenario.sides), seed)
                result = play(rules, scenario, {**secret, **column}, task, longest=_LONGEST)
                name = f"{ruleset} map {seed} flyers {flyers} column {number} {level} {secret}"
                yield name, result, process_time() - began


def main() -> int:
    """Play the games; return 1 if one of them did not end."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--maps", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ruleset", default="warlords2", choices=tuple(COLUMNS))
    args = parser.parse_args()
    stuck = played = 0
    for name, result, seconds in games(args.ruleset, range(args.seed, args.seed + args.maps)):
        played, stuck = played + 1, stuck + bool(result.stuck)
        how = result.stuck or f"{result.reason}, won by {result.winners}"
        sys.stdout.write(f"{name}: {how}, {result.closed} turns, {result.refused} refused, ")
        sys.stdout.write(f"{seconds:.1f} s\n")
        sys.stdout.flush()
    sys.stdout.write(f"{played} games, {stuck} without an end\n")
    return int(bool(stuck))


if __name__ == "__main__":
    sys.exit(main())
