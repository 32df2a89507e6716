"""Queries of a position that are derived from earlier answers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.core.containers import Roster
from engine.core.record import replace
from engine.kit.grid import Place
from engine.strategic.pieces import Army
from engine.strategic.world import armies_at, stacks, strangers
from tests.strategic.ground import army, world

SIZE = 4
MEN = Roster(
    army(number, number % SIZE, number // 2 % SIZE, owner=number % 3) for number in range(40)
)

spots = st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1))
marches = st.lists(st.tuples(st.integers(0, 39), spots), min_size=1, max_size=12)


def _gone(armies: Roster[Army], number: int, at: Place) -> Roster[Army]:
    """Move an army to a place and return the roster; a move to (0, 0) removes the army."""
    if number not in armies:
        return armies
    if at == (0, 0):
        return armies.drop(number)
    return armies.put(replace(armies[number], x=at[0], y=at[1]))


@given(marches)
def test_armies_are_found_at_their_new_tiles(orders: list[tuple[int, Place]]) -> None:
    armies = MEN
    for number, at in orders:
        armies = _gone(armies, number, at)
        position = world(["." * SIZE] * SIZE, armies=armies.values())
        found = stacks(Roster(armies.values()))
        for tile in ((x, y) for x in range(SIZE) for y in range(SIZE)):
            assert armies_at(replace(position, armies=armies), tile) == found.get(tile, ())


@given(marches)
def test_strangers_are_armies_of_other_sides(orders: list[tuple[int, Place]]) -> None:
    armies = MEN
    for number, at in orders:
        armies = _gone(armies, number, at)
        told = {tile for tile, _ in strangers(armies, 1)}
        assert told == {one.at for one in armies.values() if one.owner != 1}


def test_strangers_are_reused_while_they_do_not_move() -> None:
    own = next(one for one in MEN.values() if one.owner == 1)
    other = next(one for one in MEN.values() if one.owner == 2)
    first = strangers(MEN, 1)
    assert strangers(MEN.put(replace(own, x=3, y=3)), 1) is first
    assert strangers(MEN.put(replace(other, x=3, y=3)), 1) is not first
