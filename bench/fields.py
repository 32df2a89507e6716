"""Fields of distance, reach and previews of routes: ``python -m bench.fields``.

On a map of 112x156 tiles with foes everywhere, a whole field with zones of control, including its
prices, should be faster after a change of position than scipy's Dijkstra including its graph and
than tcod's graph. It should take at most 8 times the time of a bucket queue in C (45 times in a
maze). The reach of a group with 20 points should take at most 0.5 ms, the route to the cursor at
most 3 ms. scipy and tcod are skipped if they are not installed.
"""

from __future__ import annotations

import ctypes
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from itertools import cycle
from pathlib import Path
from statistics import median, quantiles
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.core.record import replace
from engine.kit.fields import FAR, CostGrid, distances
from engine.kit.grid import Place
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.rulesets.warlords2.state import State
from engine.strategic import costs, reach, routes
from engine.strategic.costs import Mover
from engine.strategic.pieces import Army
from engine.strategic.routes import RouteRequest
from tests.strategic.ground import LIGHT, army, world

WIDTH, HEIGHT = 112, 156
ROUNDS = 31
POINTS = 20
MOST_OPEN = 8.0
MOST_MAZE = 45.0
MOST_REACH = 0.0005
MOST_WAY = 0.003
BOOK: Final = settings_of(Options())
ANEW = "field after a change, prices and all"
FAR_ANEW = "the same from a corner of the map"
_SOURCE = Path(__file__).with_name("buckets.c")
_NEIGHBOURS = [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy]

Grid = npt.NDArray[Any]
Work = Callable[[], object]


class Scene(NamedTuple):
    """A position, the moving group, and the costs of its steps.

    The grids have a rim, which the other programs need.
    """

    state: State
    group: tuple[Army, ...]
    who: Mover
    steps: Grid
    zone: Grid

    @property
    def start(self) -> int:
        """Tile of the group in a grid with a rim."""
        return (self.group[0].y + 1) * (WIDTH + 2) + self.group[0].x + 1


def open_rows() -> list[str]:
    """Return land in patches: plains, forest, hills, mountains, a tenth of it closed."""
    noise: Grid = np.random.default_rng(7).random((HEIGHT, WIDTH))
    for _ in range(2):
        noise = np.mean([np.roll(noise, way, (0, 1)) for way in _NEIGHBOURS], axis=0)
    rank = np.argsort(np.argsort(noise.ravel())).reshape(noise.shape) / noise.size
    signs = np.array(list("....ffhhsm~"))[(rank * 11).astype(int)]
    signs[::17, :] = np.where(signs[::17, :] == "~", "~", "#")
    signs[:, ::23] = np.where(signs[:, ::23] == "~", "~", "#")
    return ["".join(row) for row in signs.tolist()]


def maze_rows() -> list[str]:
    """Return one long corridor that winds over the whole map, with water between."""
    rows = []
    for number in range(HEIGHT):
        wall = "~" * (WIDTH - 2)
        if number % 4 != 3:
            rows.append(".f.h" * (WIDTH // 4))
        else:
            rows.append(f"{wall}.." if number % 8 == 3 else f"..{wall}")
    return rows


def scene(rows: list[str], spots: str) -> Scene:
    """Return a position with 190 foes on tiles of the given signs, and a group in the middle."""
    chance = random.Random(3)  # noqa: S311 - places on a map
    land = [(x, y) for y in range(HEIGHT) for x in range(WIDTH) if rows[y][x] not in "~ "]
    start = min(land, key=lambda at: abs(at[0] - WIDTH // 2) + abs(at[1] - HEIGHT // 2))
    places = [(x, y) for y in range(HEIGHT) for x in range(WIDTH) if rows[y][x] in spots]
    taken = chance.sample([at for at in places if at != start], 190)
    foes = [army(10 + number, *at, owner=1) for number, at in enumerate(taken)]
    group = (army(1, *start, LIGHT, points=POINTS),)
    state = world(rows, armies=[*group, *foes])
    who = costs.mover(state, BOOK.moving, group)
    if who is None:
        raise SystemExit("the group cannot move")
    known = costs.prices(state, BOOK, who)
    steps = np.pad(np.where(known.shut, 0, known.steps), 1).astype(np.uint8)
    return Scene(state, group, who, steps, np.pad(known.zone, 1).astype(np.uint8))


def changes(state: State) -> Iterator[State]:
    """Yield the position after a foe has joined each of the other foes in turn."""
    for other in cycle(range(11, 200)):
        x, y = state.armies[other].at
        yield replace(state, armies=state.armies.put(replace(state.armies[10], x=x, y=y)))


def compiled(folder: Path, lie: Scene, limit: int = -1) -> Callable[[], Grid]:
    """Return a function that runs the bucket queue in C over ready prices."""
    built = folder / "buckets.so"
    if not built.exists():
        flags = ("-O3", "-march=native", "-shared", "-fPIC")
        subprocess.run(("gcc", *flags, "-o", built, _SOURCE), check=True)  # noqa: S607
    run = ctypes.CDLL(str(built)).field
    size = lie.steps.size
    room = [np.empty(size * count, dtype=np.int32) for count in (1, 16, 16)]
    numbers = [ctypes.c_void_p(cells.ctypes.data) for cells in (lie.steps, lie.zone)]
    rest = [ctypes.c_void_p(cells.ctypes.data) for cells in room]
    toll = BOOK.moving.zone_toll

    def work() -> Grid:
        run(WIDTH + 2, size, *numbers, toll, lie.start, limit, *rest)
        return room[0]

    return work


def scipy_field(lie: Scene) -> Callable[[], Grid]:
    """Return a function that runs scipy's Dijkstra, and builds its matrix."""
    matrix = import_module("scipy.sparse").csr_matrix
    search = import_module("scipy.sparse.csgraph").dijkstra
    stride = WIDTH + 2
    offsets = np.array([dy * stride + dx for dy, dx in _NEIGHBOURS])

    def work() -> Grid:
        steps, zone = lie.steps.ravel(), lie.zone.ravel() != 0
        price = np.stack([np.roll(steps, -offset) for offset in offsets], 1).astype(np.int32)
        inner = np.stack([np.roll(zone, -offset) for offset in offsets], 1)
        ways = price > 0
        price += BOOK.moving.zone_toll * (inner & ~zone[:, None])
        there = (np.arange(steps.size)[:, None] + offsets)[ways].astype(np.int32)
        rows = np.zeros(steps.size + 1, dtype=np.int32)
        np.cumsum(ways.sum(1), out=rows[1:])
        graph = matrix((price[ways].astype(np.float64), there, rows), (steps.size, steps.size))
        return np.asarray(search(graph, indices=lie.start))

    return work


def tcod_field(lie: Scene) -> Callable[[], Grid]:
    """Return a function that searches tcod's graph, and builds it with zone conditions."""
    path = import_module("tcod.path")

    def work() -> Grid:
        graph = path.CustomGraph(lie.steps.shape, order="C")
        steps, zone = lie.steps.astype(np.int32), lie.zone != 0
        dear = np.where(zone & (steps > 0), steps + BOOK.moving.zone_toll, steps)
        for inside in (False, True):
            cost = steps if inside else dear
            for dy, dx in _NEIGHBOURS:
                graph.add_edge((dy, dx), 1, cost=cost, condition=(zone == inside).astype(np.int32))
        finder = path.Pathfinder(graph)
        finder.add_root(divmod(lie.start, WIDTH + 2))
        finder.resolve()
        return np.asarray(finder.distance)

    return work


def ours(lie: Scene) -> Callable[[], Grid]:
    """Return a function that computes our field over ready prices."""
    inner = slice(1, -1), slice(1, -1)
    steps, zone = lie.steps[inner], lie.zone[inner] != 0
    at = lie.group[0].at

    def work() -> Grid:
        toll = BOOK.moving.zone_toll
        ground = CostGrid(np.zeros_like(steps), steps, steps == 0, 8, zone=zone, toll=toll)
        return distances(ground, [at])

    return work


def afresh(lie: Scene, goal: Place) -> Work:
    """Return a function that changes the position, then computes prices and field to a goal."""
    states = changes(lie.state)

    def work() -> object:
        return routes.distance_field(
            next(states), BOOK, RouteRequest(lie.who, lie.group[0].at, goal, HEIGHT)
        )

    return work


def near_and_far(lie: Scene) -> tuple[Place, Place]:
    """Return an open tile next to the group, and one in a corner."""
    x, y = lie.group[0].at
    places = [(a, b) for b in range(HEIGHT) for a in range(WIDTH) if lie.steps[b + 1, a + 1]]
    near = min(
        (at for at in places if at != (x, y)), key=lambda at: abs(at[0] - x) + abs(at[1] - y)
    )
    return near, places[-1]


def same(one: Grid, other: Grid) -> bool:
    """Return whether two fields have equal distances, ignoring their values for far tiles."""
    first, second = (_plain(cells) for cells in (one, other))
    return bool(np.array_equal(first, second))


def _plain(cells: Grid) -> Grid:
    cells = np.asarray(cells, dtype=np.float64).reshape(-1, cells.shape[-1])
    if cells.size == (WIDTH + 2) * (HEIGHT + 2):
        cells = cells.reshape(HEIGHT + 2, WIDTH + 2)[1:-1, 1:-1]
    return np.where(cells < FAR // 2, cells, -1)


def timed(table: Mapping[str, Work], times: int = 1) -> dict[str, list[float]]:
    """Return the seconds of processor time of each work per call, in shuffled turns.

    ``times`` is the number of calls per measurement.
    """
    chance = random.Random(1)  # noqa: S311 - an order
    took: dict[str, list[float]] = {name: [] for name in table}
    for _ in range(ROUNDS):
        for name in chance.sample(list(table), len(table)):
            began = time.process_time()
            for _ in range(times):
                table[name]()
            took[name].append((time.process_time() - began) / times)
    return took


def told(name: str, took: Mapping[str, list[float]], unit: str) -> float:
    """Print the median time and its ratio to that of ``unit``; return the ratio."""
    ratio = median(a / b for a, b in zip(took[name], took[unit], strict=True))
    print(f"  {name:52}{ratio:8.2f}   {1000 * median(took[name]):.3f} ms")
    return ratio


def whole_maps(folder: Path) -> bool:
    """Measure whole fields; return whether the bars are met."""
    held = True
    for name, lie, most in (
        ("open", scene(open_rows(), ".fhsm#"), MOST_OPEN),
        ("maze", scene(maze_rows(), "~"), MOST_MAZE),
    ):
        fields: dict[str, Callable[[], Grid]] = {"C": compiled(folder, lie), "field": ours(lie)}
        if find_spec("scipy"):
            fields["scipy with its graph"] = scipy_field(lie)
        if find_spec("tcod"):
            fields["tcod with its graph"] = tcod_field(lie)
        wanted = fields["C"]().copy()
        wrong = [key for key, work in fields.items() if not same(work(), wanted)]
        if wrong:
            raise SystemExit(f"{name}: other distances: {', '.join(wrong)}")
        goals = near_and_far(lie)
        took = timed({**fields, ANEW: afresh(lie, goals[0]), FAR_ANEW: afresh(lie, goals[1])})
        print(f"whole field, {name} map (ratio to C, at most {most:.0f})")
        ratios = {key: told(key, took, "C") for key in took}
        mine = ratios[ANEW]
        held = held and mine <= most
        if name == "open":
            held = held and all(mine < ratio for key, ratio in ratios.items() if "graph" in key)
    return held


def short_ways(folder: Path) -> bool:
    """Measure reach and previews on the open map; return whether the bars are met."""
    lie = scene(open_rows(), ".fhsm#")
    states = changes(lie.state)

    def anew() -> object:
        return reach.reach(next(states), BOOK, 0, lie.group)

    took = timed(
        {
            "C": compiled(folder, lie, POINTS),
            "reach": lambda: reach.reach(lie.state, BOOK, 0, lie.group),
            "reach after a change": anew,
        },
        times=10,
    )
    print(f"reach with {POINTS} points (ratio to C)")
    for key in took:
        told(key, took, "C")
    chance = random.Random(5)  # noqa: S311 - places on a map
    goals = [(chance.randrange(WIDTH), chance.randrange(HEIGHT)) for _ in range(200)]
    ways = []
    for goal in goals:
        began = time.process_time()
        routes.plan(lie.state, BOOK, 0, lie.group, goal, human=True)
        ways.append(time.process_time() - began)
    late = quantiles(ways, n=20)[-1]
    print(
        f"way to the cursor: median {1000 * median(ways):.2f} ms, p95 {1000 * late:.2f} ms"
        f" (at most {1000 * MOST_WAY:.0f} ms)"
    )
    return median(took["reach"]) <= MOST_REACH and late <= MOST_WAY


def main() -> int:
    """Measure in turns, print ratios; return 1 if a bar is missed."""
    with tempfile.TemporaryDirectory() as name:
        held = whole_maps(Path(name))
        held = short_ways(Path(name)) and held
    return int(not held)


if __name__ == "__main__":
    sys.exit(main())
