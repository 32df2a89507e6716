"""Of adjacent lines in the same group only the last is shown."""

from __future__ import annotations

from engine.tabletop.board import Line, condensed


def line(text: str, group: str = "") -> Line:
    return Line(text, group=group)


def test_only_the_last_of_adjacent_lines_in_a_group_is_kept() -> None:
    told = [line("a1", "a"), line("a2", "a"), line("b"), line("a3", "a"), line("c", "c")]
    assert [kept.text for kept in condensed(told)] == ["a2", "b", "a3", "c"]


def test_lines_without_a_group_are_all_kept() -> None:
    told = [line("a"), line("a")]
    assert condensed(told) == told
