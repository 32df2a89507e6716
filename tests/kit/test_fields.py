"""Distance fields against a naive search."""

from __future__ import annotations

import heapq
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.kit.fields import FAR, CostGrid, descend, distances
from engine.kit.grid import STEPS, Place, Ways, is_beside
from engine.kit.move_graph import CLOSED, MoveGraph, flat, place, rimmed, spread, way

EXAMPLES = settings().max_examples
"""Default number of examples of a test. The boards here are small and of many kinds."""


class Board(NamedTuple):
    """A small random map of kinds of squares, in the form that both searches need."""

    kinds: tuple[tuple[int, ...], ...]
    leave: tuple[int, ...]
    enter: tuple[int, ...]
    shut: frozenset[int]
    corners: frozenset[int]
    ways: Ways
    starts: tuple[Place, ...]
    zone: frozenset[int] = frozenset()
    toll: int = 0

    @property
    def size(self) -> Place:
        return len(self.kinds[0]), len(self.kinds)

    def kind(self, at: Place) -> int:
        return self.kinds[at[1]][at[0]]

    def steps(self, here: Place) -> list[tuple[Place, int]]:
        """Return the legal steps from a square and their costs."""
        found = []
        for dx, dy in STEPS[self.ways]:
            x, y = here[0] + dx, here[1] + dy
            if not (0 <= x < self.size[0] and 0 <= y < self.size[1]):
                continue
            if self.kind((x, y)) in self.shut:
                continue
            sides = {self.kind((x, here[1])), self.kind((here[0], y))}
            if dx and dy and sides <= self.corners:
                continue
            toll = self.toll if sides_of(self, here, (x, y)) == (False, True) else 0
            price = self.leave[self.kind(here)] + self.enter[self.kind((x, y))] + toll
            found.append(((x, y), price))
        return found

    def ground(self) -> CostGrid:
        cells = np.array(self.kinds)
        return CostGrid(
            np.array(self.leave)[cells],
            np.array(self.enter)[cells],
            np.isin(cells, sorted(self.shut)),
            self.ways,
            np.isin(cells, sorted(self.corners)) if self.corners else None,
            np.isin(cells, sorted(self.zone)) if self.zone else None,
            self.toll,
        )


def sides_of(board: Board, here: Place, there: Place) -> tuple[bool, bool]:
    """Return whether each of two squares is in the zone."""
    return board.kind(here) in board.zone, board.kind(there) in board.zone


@st.composite
def boards(draw: st.DrawFn) -> Board:
    width, height = draw(st.integers(1, 8)), draw(st.integers(1, 7))
    row = st.tuples(*[st.integers(0, 4)] * width)
    kinds = draw(st.tuples(*[row] * height))
    spot = st.tuples(st.integers(0, width - 1), st.integers(0, height - 1))
    return Board(
        kinds,
        draw(st.tuples(*[st.integers(1, 5)] * 5)),
        draw(st.tuples(*[st.integers(0, 4)] * 5)),
        frozenset({3, 4}),
        draw(st.sampled_from([frozenset({4}), frozenset()])),
        draw(st.sampled_from([4, 8])),
        tuple(draw(st.lists(spot, min_size=1, max_size=3))),
        draw(st.sampled_from([frozenset(), frozenset({1, 3})])),
        draw(st.sampled_from([0, 1, 5, 2500])),
    )


def naive(board: Board, starts: tuple[Place, ...], limit: int = FAR) -> dict[Place, int]:
    """Search with plain Dijkstra."""
    best: dict[Place, int] = {}
    queue = [(0, start) for start in starts]
    while queue:
        cost, here = heapq.heappop(queue)
        if here in best:
            continue
        best[here] = cost
        if cost > limit:
            continue
        for there, price in board.steps(here):
            heapq.heappush(queue, (cost + price, there))
    return best


def table(field: np.ndarray[tuple[int, ...], np.dtype[np.int32]]) -> dict[Place, int]:
    return {(int(x), int(y)): int(field[y, x]) for y, x in np.argwhere(field < FAR)}


@given(boards(), st.sampled_from([0, 1, 2, 20]), st.sampled_from([0, 3, 9, FAR]))
@settings(max_examples=5 * EXAMPLES)
def test_a_field_has_the_distances_of_a_naive_search(board: Board, sweeps: int, limit: int) -> None:
    field = distances(board.ground(), board.starts, limit=limit, sweeps=sweeps)
    assert table(field) == naive(board, board.starts, limit)


@given(boards(), st.sampled_from([0, 20]))
@settings(max_examples=3 * EXAMPLES)
def test_field_toward_its_sources_measures_paths_to_them(board: Board, sweeps: int) -> None:
    goal = board.starts[:1]
    field = distances(board.ground(), goal, toward=True, sweeps=sweeps)
    for y in range(board.size[1]):
        for x in range(board.size[0]):
            assert field[y, x] == _to_goal(board, (x, y), goal[0])


def _to_goal(board: Board, start: Place, goal: Place) -> int:
    """Return the cost from ``start`` to ``goal``. The goal may be entered even if it is shut."""
    best: dict[Place, int] = {}
    queue = [(0, start)]
    while queue:
        cost, here = heapq.heappop(queue)
        if here == goal:
            return cost
        if here in best:
            continue
        best[here] = cost
        for there, price in _steps_with(board, here, goal):
            heapq.heappush(queue, (cost + price, there))
    return FAR


def _steps_with(board: Board, here: Place, goal: Place) -> list[tuple[Place, int]]:
    steps = board.steps(here)
    if board.kind(goal) in board.shut and is_beside(here, goal, board.ways):
        bare = board._replace(shut=frozenset())
        steps += [step for step in bare.steps(here) if step[0] == goal]
    return steps


@given(boards(), st.booleans())
@settings(max_examples=3 * EXAMPLES)
def test_path_down_a_field_is_legal_and_has_the_cost_of_the_field(
    board: Board, toward: bool
) -> None:
    start = board.starts[0]
    if board.kind(start) in board.shut:
        return
    ground = board.ground()
    field = distances(ground, [start], toward=toward)
    for here, cost in table(field).items():
        steps = descend(field, ground, here, toward=toward)
        line = (here, *steps) if toward else (start, *steps)
        assert line[-1] == (start if toward else here)
        paid = 0
        for before, after in pairwise(line):
            prices = dict(board.steps(before))
            assert after in prices
            paid += prices[after]
        assert paid == cost


def test_unreachable_place_has_no_path_down_the_field() -> None:
    shut = np.array([[False, True, False]])
    ones = np.ones((1, 3), dtype=np.int16)
    ground = CostGrid(ones, ones, shut)
    field = distances(ground, [(0, 0)])
    assert field.tolist() == [[0, FAR, FAR]]
    with pytest.raises(ValueError, match="no way leads to 2,0"):
        descend(field, ground, (2, 0))


def test_ties_go_to_the_first_step() -> None:
    ones, zeros = np.ones((3, 3), dtype=np.int16), np.zeros((3, 3), dtype=np.int16)
    ground = CostGrid(ones, zeros, np.zeros((3, 3), dtype=np.bool_))
    field = distances(ground, [(0, 0)], toward=True)
    assert descend(field, ground, (2, 2), toward=True) == ((2, 1), (2, 0), (1, 0), (0, 0))


@given(boards(), st.lists(st.integers(0, 9), min_size=3, max_size=3), st.sampled_from([0, 20]))
@settings(max_examples=3 * EXAMPLES)
def test_initial_costs_of_the_sources_are_counted(
    board: Board, paid: list[int], sweeps: int
) -> None:
    sources = dict(zip(board.starts, paid, strict=False))
    field = distances(board.ground(), sources, sweeps=sweeps)
    parts = (naive(board, (start,)) for start in sources)
    wanted: dict[Place, int] = {}
    for part, before in zip(parts, sources.values(), strict=True):
        for at, cost in part.items():
            wanted[at] = min(wanted.get(at, FAR), before + cost)
    assert table(field) == wanted


@pytest.mark.parametrize("price", [40, 400, 1900, 2100])
def test_long_and_expensive_paths_are_measured_exactly(price: int) -> None:
    shut = np.zeros((9, 40), dtype=np.bool_)
    for row in range(1, 9, 2):
        shut[row, :] = True
        shut[row, -1 if row % 4 == 1 else 0] = False
    prices = np.full(shut.shape, price, dtype=np.int16)
    ground = CostGrid(np.zeros_like(prices), prices, shut, 4)
    assert int(distances(ground, [(0, 0)])[8, 39]) == price * (39 * 5 + 8)


def test_queue_and_sweeps_agree_on_a_winding_map() -> None:
    shut = np.zeros((41, 40), dtype=np.bool_)
    for row in range(1, 41, 2):
        shut[row, :] = True
        shut[row, -1 if row % 4 == 1 else 0] = False
    ones = np.ones(shut.shape, dtype=np.int16)
    ground = CostGrid(ones, ones, shut)
    queued = distances(ground, [(0, 0)], sweeps=1)
    assert np.array_equal(queued, distances(ground, [(0, 0)], sweeps=10_000))
    assert int(queued[40, 0]) > 1000


def patch(board: Board) -> MoveGraph:
    enter = [CLOSED if kind in board.shut else board.enter[kind] for kind in range(5)]
    kinds = rimmed(np.array(board.kinds), 5)
    stride = board.size[0] + 2
    corners = board.corners | {5} if board.corners else frozenset()
    return MoveGraph(kinds, stride, (*board.leave, 0), (*enter, CLOSED), (), board.ways, corners)


@given(boards(), st.integers(0, 12))
@settings(max_examples=5 * EXAMPLES)
def test_spread_equals_a_naive_search_within_the_budget(board: Board, budget: int) -> None:
    board = board._replace(toll=0)
    (start, *_), stride = board.starts, board.size[0] + 2
    found = spread(patch(board), flat(*start, stride), budget)
    costs = {place(at, stride): arrival.cost for at, arrival in found.items()}
    assert costs == naive(board, (start,), budget)


@given(boards(), st.integers(0, 12))
@settings(max_examples=3 * EXAMPLES)
def test_path_of_a_spread_has_the_cost_of_the_spread(board: Board, budget: int) -> None:
    board = board._replace(toll=0)
    (start, *_), stride = board.starts, board.size[0] + 2
    found = spread(patch(board), flat(*start, stride), budget)
    for goal, arrival in found.items():
        here, paid = start, 0
        for at in way(found, flat(*start, stride), goal):
            prices = dict(board.steps(here))
            here = place(at, stride)
            paid += prices[here]
        assert paid == arrival.cost


def test_a_spread_goes_around_taken_squares() -> None:
    kinds = rimmed(np.zeros((2, 3), dtype=np.int8), 1)
    wide = MoveGraph(kinds, 5, (1, 0), (0, CLOSED), {flat(1, 0, 5)})
    found = spread(wide, flat(0, 0, 5), 9)
    assert found[flat(2, 0, 5)].cost == 4
    assert flat(1, 0, 5) not in found
