"""Rosters and planes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.containers import Plane, Roster, changed_rows
from tests.core.samples import Man

IDS = st.lists(st.integers(-5, 50), unique=True, max_size=12)


@given(IDS)
def test_roster_iterates_in_id_order(ids: list[int]) -> None:
    at_once = Roster(Man(number) for number in ids)
    one_by_one: Roster[Man] = Roster()
    for number in ids:
        one_by_one = one_by_one.put(Man(number))
    together: Roster[Man] = Roster[Man]().put(*(Man(number) for number in ids))
    for roster in (at_once, one_by_one, together):
        assert list(roster) == sorted(ids)
        assert [man.id for man in roster.rows()] == sorted(ids)
        assert [man.id for man in roster.values()] == sorted(ids)
        assert list(roster.items()) == [(number, Man(number)) for number in sorted(ids)]
        assert roster == at_once
        assert hash(roster) == hash(at_once)


@given(IDS, st.lists(st.tuples(st.booleans(), st.integers(0, 50)), max_size=20))
def test_a_roster_behaves_like_a_sorted_dict(
    ids: list[int], changes: list[tuple[bool, int]]
) -> None:
    roster = Roster(Man(number) for number in ids)
    model = {number: Man(number) for number in ids}
    for adds, number in changes:
        before, rows = roster, roster.rows()
        if adds:
            model[number] = Man(number, "new")
            roster = roster.put(Man(number, "new"))
        elif number in model:
            del model[number]
            roster = roster.drop(number)
        assert dict(roster) == model
        assert roster.get(number) == model.get(number)
        assert list(roster) == sorted(model)
        assert before.rows() == rows


def test_two_rows_of_the_same_id_are_refused() -> None:
    with pytest.raises(ValueError, match="same id"):
        Roster([Man(1), Man(1)])


def test_dropping_a_missing_row_is_an_error() -> None:
    with pytest.raises(KeyError):
        Roster([Man(1)]).drop(2)


def test_rosters_with_different_rows_are_not_equal() -> None:
    assert Roster([Man(1)]) != Roster([Man(1, "a")])
    assert Roster([Man(1)]) != Roster([Man(1), Man(2)])
    assert Roster([Man(1)]) != {1: Man(1)}
    assert repr(Roster([Man(1)])) == "Roster([Man(id=1, name='')])"


def test_plane_is_read_only_and_copies_its_source() -> None:
    source = np.zeros((2, 3), dtype=np.uint8)
    plane = Plane(source)
    source[0, 0] = 9
    assert plane[0, 0] == 0
    with pytest.raises(ValueError, match="read-only"):
        plane.cells[0, 0] = 1
    edited = plane.edit()
    edited[0, 0] = 5
    assert plane[0, 0] == 0


def test_putting_a_cell_changes_one_cell_of_a_new_plane() -> None:
    plane = Plane(np.zeros((2, 3), dtype=np.int8))
    other = plane.put(2, 1, -4)
    assert other[1, 2] == -4
    assert plane[1, 2] == 0
    assert (plane.width, plane.height) == (other.width, other.height) == (3, 2)
    assert other.cells.dtype == plane.cells.dtype


def test_planes_are_equal_by_shape_dtype_and_values() -> None:
    ones = np.ones((2, 3), dtype=np.uint8)
    assert Plane(ones) == Plane(ones.copy())
    assert hash(Plane(ones)) == hash(Plane(ones.copy()))
    assert Plane(ones) != Plane(ones.astype(np.int16))
    assert Plane(ones) != Plane(ones.T)
    assert Plane(ones) != Plane(ones * 2)
    assert Plane(ones) != ones.tolist()


def test_byte_order_and_memory_order_do_not_matter() -> None:
    cells = np.arange(6, dtype="<i4").reshape(2, 3)
    for other in (cells.astype(">i4"), np.asfortranarray(cells), cells[::-1][::-1]):
        assert Plane(other) == Plane(cells)
        assert hash(Plane(other)) == hash(Plane(cells))


@pytest.mark.parametrize("cells", [[1, 2], [[1.5]], [[True]], [["a"]], [[[1]]]])
def test_only_tables_of_whole_numbers_are_planes(cells: list[object]) -> None:
    with pytest.raises(ValueError, match="whole numbers"):
        Plane(cells)  # type: ignore[arg-type]  # the point of the test


def test_plane_has_only_places_within_its_bounds() -> None:
    plane = Plane(np.zeros((2, 3), dtype=np.uint8))
    on = [(x, y) for x in range(-1, 5) for y in range(-1, 4) if plane.has(x, y)]
    assert sorted(on) == [(x, y) for x in range(3) for y in range(2)]
    assert repr(plane) == "Plane(3x2 uint8)"


MEN = Roster([Man(3, "c"), Man(1, "a"), Man(2, "b")])


def test_changed_rows_pairs_old_and_new_rows() -> None:
    changed = MEN.put(Man(3, "z"), Man(1, "x"))
    assert changed_rows(MEN, changed, 2) == ((MEN[1], changed[1]), (MEN[3], changed[3]))
    assert changed_rows(MEN, MEN, 0) == ()


def test_changed_rows_is_none_above_the_limit() -> None:
    assert changed_rows(MEN, MEN.put(Man(3, "z"), Man(1, "x")), 1) is None


def test_changed_rows_is_none_if_rows_were_added_or_removed() -> None:
    assert changed_rows(MEN, MEN.drop(1), 3) is None
    assert changed_rows(MEN, MEN.put(Man(4, "d")), 3) is None
    assert changed_rows(MEN, MEN.drop(2).put(Man(4, "d")), 3) is None
