"""Differences between two rosters."""

from __future__ import annotations

from engine.core.containers import Roster
from engine.core.record import Record
from engine.kit.changes import changed_rows


class Man(Record, frozen=True):
    """Somebody with a name."""

    id: int
    name: str


MEN = Roster([Man(3, "c"), Man(1, "a"), Man(2, "b")])


def test_those_who_have_become_others_are_told_with_what_they_were() -> None:
    changed = MEN.put(Man(3, "z"), Man(1, "x"))
    assert changed_rows(MEN, changed, 2) == ((MEN[1], changed[1]), (MEN[3], changed[3]))
    assert changed_rows(MEN, MEN, 0) == ()


def test_nothing_is_told_of_many_changes() -> None:
    assert changed_rows(MEN, MEN.put(Man(3, "z"), Man(1, "x")), 1) is None


def test_nothing_is_told_where_somebody_has_come_or_gone() -> None:
    assert changed_rows(MEN, MEN.drop(1), 3) is None
    assert changed_rows(MEN, MEN.put(Man(4, "d")), 3) is None
    assert changed_rows(MEN, MEN.drop(2).put(Man(4, "d")), 3) is None
