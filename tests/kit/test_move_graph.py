"""Tests of paths of several turns."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.kit.fields import FAR
from engine.kit.move_graph import CLOSED, MoveBudget, MoveGraph, flat, journeys, place, spread


def patch(rows: tuple[str, ...], taken: tuple[tuple[int, int], ...] = ()) -> MoveGraph:
    """Make a graph of signs: digits are costs of leaving; # cannot be entered, ! never left."""
    stride = len(rows[0]) + 2
    rim = "#" * stride
    signs = [rim, *(f"#{row}#" for row in rows), rim]
    kinds = [11 if s == "#" else 10 if s == "!" else int(s) for s in "".join(signs)]
    leave, enter = (*range(10), FAR, 0), (*(0,) * 11, CLOSED)
    return MoveGraph(kinds, stride, leave, enter, {flat(x, y, stride) for x, y in taken})


def stops(rows: tuple[str, ...], goal: tuple[int, int], purse: MoveBudget) -> list[tuple[int, int]]:
    """Return (turn, cost) of each step on the path from the north-western corner."""
    ground = patch(rows)
    found = journeys(ground, flat(0, 0, ground.stride), purse)
    return [(stop.turn, stop.cost) for stop in found.way(flat(*goal, ground.stride))]


def test_next_turn_restores_the_points() -> None:
    assert stops(("1111",), (3, 0), MoveBudget(2)) == [(0, 1), (0, 2), (1, 3)]


def test_path_begins_in_the_next_turn_if_all_points_are_spent() -> None:
    assert stops(("11",), (1, 0), MoveBudget(4, clock=4)) == [(1, 1)]


def test_last_point_buys_any_step_without_debt() -> None:
    assert stops(("1911",), (3, 0), MoveBudget(2)) == [(0, 1), (0, 10), (1, 11)]


def test_strict_budget_waits_for_a_turn_that_can_pay() -> None:
    strict = MoveBudget(5, strict=True)
    assert stops(("3411",), (3, 0), strict) == [(0, 3), (1, 7), (1, 8)]
    assert stops(("161",), (2, 0), strict) == []


def test_strict_budget_buys_a_step_that_costs_a_whole_turn() -> None:
    assert stops(("251",), (2, 0), MoveBudget(5, strict=True)) == [(0, 2), (1, 7)]


def test_fastest_path_is_preferred_to_the_cheapest() -> None:
    """The path crosses the 9 in one turn, because a single point buys its last step."""
    rows = ("191", "111")
    assert stops(rows, (2, 0), MoveBudget(2)) == [(0, 1), (0, 10)]


def test_paths_end_at_squares_never_left_and_avoid_taken_ones() -> None:
    assert stops(("1!1",), (2, 0), MoveBudget(9)) == []
    assert stops(("1!1",), (1, 0), MoveBudget(9)) == [(0, 1)]
    blocked = patch(("111",), taken=((1, 0),))
    found = journeys(blocked, flat(0, 0, blocked.stride), MoveBudget(9))
    assert found.way(flat(2, 0, blocked.stride)) == []


ROWS = st.integers(2, 6).flatmap(
    lambda width: st.lists(
        st.text("1123479#", min_size=width, max_size=width), min_size=1, max_size=5
    )
)


@given(ROWS, st.integers(1, 12), st.integers(0, 11))
def test_paths_within_a_turn_equal_those_of_spread(rows: list[str], full: int, spent: int) -> None:
    ground = patch(("1" + rows[0][1:], *rows[1:]))
    start, left = flat(0, 0, ground.stride), full - min(spent, full - 1)
    found = journeys(ground, start, MoveBudget(full, clock=full - left))
    near = {
        place(at, ground.stride): one.cost for at, one in spread(ground, start, left - 1).items()
    }
    first = {
        place(at, ground.stride): found.stop(at).cost
        for at in found.known
        if at == start or found.stop(at).turn == 0
    }
    assert first == near
