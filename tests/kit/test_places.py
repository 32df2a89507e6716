"""Place graphs and boards of hexagons in rows."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.kit.places import (
    HexRows,
    PlaceGraph,
    distances_from,
    hex_distance,
    hex_graph,
    hex_names,
    hex_number,
    hex_positions,
    neighbours_of,
    paths_from,
    rim,
)

SEVEN = HexRows((2, 3, 2), (1, 0, 1))
BOARDS = {
    SEVEN: 12,
    HexRows((4, 5, 4), (1, 0, 1)): 26,
    HexRows((2, 3, 4, 3, 2), (2, 1, 0, 1, 2)): 29,
    HexRows((3, 4, 5, 4, 3), (2, 1, 0, 1, 2)): 42,
}
"""Boards with the number of their links."""

LINE = PlaceGraph(((1,), (0, 2), (1, 3), (2,), ()))
"""Four places in a row, and a separate one."""

pairs = st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7)).filter(lambda p: p[0] != p[1]))


def graph_of(borders: set[tuple[int, int]]) -> PlaceGraph:
    """Return a graph of eight places with these borders."""
    beside = neighbours_of(borders)
    return PlaceGraph(tuple(beside.get(at, ()) for at in range(8)))


def test_distances_are_steps_from_the_nearest_start() -> None:
    assert distances_from(LINE, [0]) == {0: 0, 1: 1, 2: 2, 3: 3}
    assert distances_from(LINE, [0, 3], most=1) == {0: 0, 3: 0, 1: 1, 2: 1}
    assert distances_from(LINE, [1], allowed={2}) == {1: 0, 2: 1}


def test_cheapest_of_the_shortest_paths_is_taken() -> None:
    ring = PlaceGraph(((1, 2), (0, 3), (0, 3), (1, 2)))
    assert paths_from(ring, 0)[3] == (0, 1, 3)
    assert paths_from(ring, 0, cost=lambda path: 1 in path)[3] == (0, 2, 3)
    assert paths_from(ring, 0, allowed={2, 3})[3] == (0, 2, 3)
    assert paths_from(ring, 0, most=1) == {0: (0,), 1: (0, 1), 2: (0, 2)}


@given(pairs, st.sets(st.integers(0, 7)), st.integers(0, 7), st.integers(0, 4))
def test_paths_are_as_long_as_distances(
    borders: set[tuple[int, int]], allowed: set[int], start: int, most: int
) -> None:
    graph = graph_of(borders)
    paths = paths_from(graph, start, most=most, allowed=allowed)
    found = distances_from(graph, [start], most=most, allowed=allowed)
    assert {goal: len(path) - 1 for goal, path in paths.items()} == found
    for path in paths.values():
        assert allowed.issuperset(path[1:])
        assert all(there in graph.beside(here) for here, there in pairwise(path))


# -- hex rows --------------------------------------------------------------------------------------


@pytest.mark.parametrize("rows", BOARDS)
def test_boards_have_the_known_number_of_links(rows: HexRows) -> None:
    graph = hex_graph(rows)
    assert sum(map(len, graph.neighbours)) == 2 * BOARDS[rows]
    assert all(list(beside) == sorted(beside) for beside in graph.neighbours)
    assert all(at in graph.beside(other) for at in range(rows.count) for other in graph.beside(at))


@pytest.mark.parametrize("rows", BOARDS)
def test_distances_on_convex_boards_equal_the_formula(rows: HexRows) -> None:
    places = hex_positions(rows)
    for at, here in enumerate(places):
        found = distances_from(hex_graph(rows), [at])
        assert found == {other: hex_distance(here, there) for other, there in enumerate(places)}


@pytest.mark.parametrize(
    ("rows", "inner"),
    list(
        zip(BOARDS, ("B2", "B2 B3 B4", "B2 C2 C3 D2", "B2 B3 C2 C3 C4 D2 D3"), strict=True),
    ),
)
def test_rim_is_all_tiles_but_the_inner_ones(rows: HexRows, inner: str) -> None:
    names = hex_names(rows)
    assert [name for at, name in enumerate(names) if at not in rim(rows)] == inner.split()


def test_tiles_have_names_by_row_and_number() -> None:
    beside = hex_graph(SEVEN).beside
    names = hex_names(SEVEN)
    assert [names[at] for at in beside(0)] == ["A2", "B1", "B2"]
    assert [names[at] for at in beside(2)] == ["A1", "B2", "C1"]
    assert len(beside(3)) == 6
    assert hex_number(SEVEN, "b3") == names.index("B3")
    assert hex_number(SEVEN, "D1") is None
