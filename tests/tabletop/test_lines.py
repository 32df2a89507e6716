"""Lines in a row that belong together are shown as the last of them."""

from __future__ import annotations

from engine.tabletop.board import Line, condensed


def line(text: str, group: str = "") -> Line:
    return Line(text, group=group)


def test_of_a_group_in_a_row_only_the_last_line_stays() -> None:
    told = [line("a1", "a"), line("a2", "a"), line("b"), line("a3", "a"), line("c", "c")]
    assert [kept.text for kept in condensed(told)] == ["a2", "b", "a3", "c"]


def test_lines_without_a_group_all_stay() -> None:
    told = [line("a"), line("a")]
    assert condensed(told) == told
