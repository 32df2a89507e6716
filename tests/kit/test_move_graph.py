"""Paths of several turns."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.kit.fields import FAR
from engine.kit.move_graph import CLOSED, MoveBudget, MoveGraph, flat, journeys, place, spread


def patch(rows: tuple[str, ...], taken: tuple[tuple[int, int], ...] = ()) -> MoveGraph:
    """Digits are prices for leaving, # cannot be entered, ! is never left."""
    stride = len(rows[0]) + 2
    rim = "#" * stride
    signs = [rim, *(f"#{row}#" for row in rows), rim]
    kinds = [11 if s == "#" else 10 if s == "!" else int(s) for s in "".join(signs)]
    leave, enter = (*range(10), FAR, 0), (*(0,) * 11, CLOSED)
    return MoveGraph(kinds, stride, leave, enter, {flat(x, y, stride) for x, y in taken})


def stops(rows: tuple[str, ...], goal: tuple[int, int], purse: MoveBudget) -> list[tuple[int, int]]:
    """(turn, cost) of each step from the north-western corner."""
    ground = patch(rows)
    found = journeys(ground, flat(0, 0, ground.stride), purse)
    return [(stop.turn, stop.cost) for stop in found.way(flat(*goal, ground.stride))]


def test_points_come_back_with_the_next_turn() -> None:
    assert stops(("1111",), (3, 0), MoveBudget(2)) == [(0, 1), (0, 2), (1, 3)]


def test_a_way_begins_in_the_next_turn_when_all_points_are_spent() -> None:
    assert stops(("11",), (1, 0), MoveBudget(4, clock=4)) == [(1, 1)]


def test_one_point_is_enough_for_any_step_and_what_is_missing_is_not_owed() -> None:
    assert stops(("1911",), (3, 0), MoveBudget(2)) == [(0, 1), (0, 10), (1, 11)]


def test_the_strict_wait_for_a_turn_in_which_they_can_pay() -> None:
    strict = MoveBudget(5, strict=True)
    assert stops(("3411",), (3, 0), strict) == [(0, 3), (1, 7), (1, 8)]
    assert stops(("161",), (2, 0), strict) == []


def test_the_strict_make_a_step_that_costs_all_the_points_of_a_turn() -> None:
    assert stops(("251",), (2, 0), MoveBudget(5, strict=True)) == [(0, 2), (1, 7)]


def test_the_soonest_way_is_not_always_the_cheapest() -> None:
    """Over the 9 in one turn: its last step is bought with a single point."""
    rows = ("191", "111")
    assert stops(rows, (2, 0), MoveBudget(2)) == [(0, 1), (0, 10)]


def test_no_way_leads_on_from_what_is_never_left_nor_through_what_is_taken() -> None:
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
def test_within_a_turn_the_ways_are_those_of_spread(rows: list[str], full: int, spent: int) -> None:
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
