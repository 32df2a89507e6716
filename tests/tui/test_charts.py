"""Charts as text."""

from __future__ import annotations

import pytest

from engine.tabletop.board import GlyphSet
from tui.style.palette import FULL, chosen
from tui.widgets.charts import chart, ticks

FALLING = [[100 - 2 * n for n in range(30)], [90 - n for n in range(30)]]
MONO = chosen("none")
NAMES = ["Eldoin", "Dailor"]


@pytest.mark.parametrize("signs", ["rich", "box", "ascii"])
@pytest.mark.parametrize(("width", "height"), [(40, 8), (78, 16), (120, 40)])
def test_chart_fills_exactly_its_space(signs: GlyphSet, width: int, height: int) -> None:
    rows = chart(FALLING, NAMES, width, height, FULL, signs).plain.split("\n")
    assert len(rows) == height
    assert max(map(len, rows)) == width


def test_curves_differ_without_colours() -> None:
    apart = [[1, 1, 1], [9, 9, 9]]
    rows = chart(apart, NAMES, 60, 12, MONO, "ascii").plain.split("\n")
    assert "*****" in rows[-4]
    assert "ooooo" in rows[1]
    assert rows[-1] == "  *** Eldoin  ooo Dailor"
    braille = chart(apart, NAMES, 60, 12, MONO, "box")
    assert all(
        span.style.color is None for span in braille.spans if not isinstance(span.style, str)
    )
    drawn = braille.plain.split("\n")
    solid = sum(0x2800 < ord(char) < 0x2900 for char in drawn[-4])
    dotted = sum(0x2800 < ord(char) < 0x2900 for char in drawn[1])
    assert solid > 40
    assert 3 <= dotted <= solid // 2


def test_chart_in_ascii_is_only_ascii() -> None:
    assert chart(FALLING, NAMES, 78, 16, FULL, "ascii").plain.isascii()


def test_curves_have_the_colours_of_their_seats() -> None:
    text = chart(FALLING, NAMES, 60, 12, FULL)
    inks = {
        span.style.color.name
        for span in text.spans
        if not isinstance(span.style, str) and span.style.color is not None
    }
    assert {FULL.seat(0)[0], FULL.seat(1)[0]} <= inks


def test_chart_without_data_or_space_is_empty() -> None:
    assert chart([], [], 80, 20, FULL).plain == ""
    assert chart([[], []], NAMES, 80, 20, FULL).plain == ""
    assert chart(FALLING, NAMES, 10, 3, FULL).plain == ""


def test_constant_numbers_can_be_drawn() -> None:
    assert "7" in chart([[7, 7, 7]], ["one"], 40, 10, FULL).plain


@pytest.mark.parametrize(
    ("low", "high", "count", "found"),
    [(1, 30, 4, [1, 9, 17, 25, 30]), (0, 1, 4, [0, 1]), (0, 100, 4, [0, 25, 50, 75, 100])],
)
def test_ticks_are_whole_numbers_with_both_ends(
    low: int, high: int, count: int, found: list[int]
) -> None:
    assert ticks(low, high, count) == found


@pytest.mark.parametrize("signs", ["rich", "box", "ascii"])
def test_many_curves_are_all_drawn_differently(signs: GlyphSet) -> None:
    names = list("ABCDEFGH")
    series = [[n, n] for n in range(8)]
    rows = chart(series, names, 60, 40, MONO, signs).plain.split("\n")
    inside = {row.partition("┤")[2][5:20] or row.partition("+")[2][5:20] for row in rows[1:-3]}
    assert len({part for part in inside if part.strip(" │|-")}) == 8
    legend = rows[-1].split()
    assert legend[1::2] == names[: len(legend) // 2]
    assert len({*legend[::2]}) == len(legend[::2])


def test_points_of_a_single_round_have_a_sign_for_each_seat() -> None:
    text = chart([[1], [9]], NAMES, 40, 12, MONO).plain
    assert text.split("\n")[1].count("o") == text.split("\n")[-4].count("*") == 1
    assert text.endswith("  *** Eldoin  ooo Dailor")
