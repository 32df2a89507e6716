"""Panel lines as cards: bars of every width and in every set of signs, headings, layouts."""

from __future__ import annotations

from typing import Literal

import pytest
from rich.cells import cell_len

from engine.tabletop.board import Gauge, GlyphSet, Line
from engine.tabletop.panel import gauge, heading
from engine.tabletop.roles import Tone
from tui.style.palette import FULL, Palette, chosen
from tui.widgets.cards import CardSpacing, bar_parts, cards, chart_rows, parted
from tui.widgets.panels import AnyRow, PartsRow

GRAY = chosen("none")
LOW = chosen("16")


def text_of(row: AnyRow) -> str:
    return "".join(part.text for part in row.parts) if isinstance(row, PartsRow) else row[0]


def drawn(
    lines: list[Line],
    width: int,
    *,
    palette: Palette = FULL,
    signs: GlyphSet = "rich",
    layout: CardSpacing = "close",
) -> list[str]:
    return [text_of(row) for row in cards(lines, width, palette, signs, layout)]


@pytest.mark.parametrize(
    ("value", "most", "palette", "signs", "bar"),
    [
        (0, 10, FULL, "rich", "        "),
        (1, 1000, FULL, "rich", "▏       "),
        (5, 10, FULL, "rich", "████    "),
        (9, 16, FULL, "rich", "████▌   "),
        (999, 1000, FULL, "rich", "███████▉"),
        (10, 10, FULL, "rich", "████████"),
        (0, 0, FULL, "rich", "        "),
        (0, 10, FULL, "box", "░░░░░░░░"),
        (9, 16, FULL, "box", "████▌░░░"),
        (10, 10, FULL, "box", "████████"),
        (9, 16, LOW, "rich", "████▌░░░"),
        (9, 16, GRAY, "rich", "████▌░░░"),
        (0, 10, FULL, "ascii", "[......]"),
        (1, 1000, FULL, "ascii", "[#.....]"),
        (5, 10, GRAY, "ascii", "[###...]"),
        (999, 1000, FULL, "ascii", "[#####.]"),
        (10, 10, FULL, "ascii", "[######]"),
    ],
)
def test_bar_is_never_rounded_to_empty_or_full(
    value: int, most: int, palette: Palette, signs: GlyphSet, bar: str
) -> None:
    parts = bar_parts(Gauge(value, most, "life"), 8, palette, signs)
    assert "".join(part.text for part in parts) == bar


@pytest.mark.parametrize(
    ("value", "tone"), [(100, Tone.GOOD), (67, Tone.GOOD), (66, Tone.TITLE), (33, Tone.BAD)]
)
def test_bars_of_life_and_chance_change_their_colour(value: int, tone: Tone) -> None:
    kinds: tuple[Literal["life", "chance"], ...] = ("life", "chance")
    for kind in kinds:
        (part,) = bar_parts(Gauge(value, 100, kind), 8, FULL, "rich")
        assert part.style is not None
        assert part.style.color is not None
        assert part.style.color.name == FULL.tones[tone]


UNIT = [
    Line("Life 12/16", gauge=gauge("life", 12, 16)),
    Line("Moves 10/10", gauge=gauge("moves", 10, 10)),
]


def test_bars_start_and_numbers_end_in_one_column() -> None:
    assert drawn(UNIT, 25, signs="ascii") == [
        "Life  [########...] 12/16",
        "Moves [###########] 10/10",
    ]


def test_bars_have_a_maximum_width() -> None:
    rows = drawn(UNIT, 60, signs="ascii")
    assert len({cell_len(row) for row in rows}) == 1
    assert cell_len(rows[0]) == 46


def test_row_without_space_for_a_bar_keeps_its_number_at_the_right() -> None:
    long = Line("Heavy Cavalry 9 ** def, 20/20", gauge=gauge("moves", 20, 20))
    short = Line("Bats 1, 2/16", gauge=gauge("moves", 2, 16))
    assert drawn([long, short], 29, signs="ascii") == [
        "Heavy Cavalry 9 ** def  20/20",
        "Bats 1         [#.....]  2/16",
    ]
    assert drawn([long], 20) == ["Heavy Cavalry 9 **", "  def, 20/20"]


def test_packed_gauges_of_one_thing_share_a_row() -> None:
    assert drawn(UNIT, 25, layout="packed") == ["Life 12/16  Moves 10/10"]
    table = [Line(f"Side {n}: life 3", seat=n, gauge=gauge("force", 3, 4)) for n in range(3)]
    assert len(drawn(table, 60, layout="packed")) == 3


@pytest.mark.parametrize(
    ("signs", "row"),
    [("rich", "FORCES ──────"), ("box", "FORCES ──────"), ("ascii", "FORCES ------")],
)
def test_heading_is_in_capitals_with_a_rule_to_the_edge(signs: GlyphSet, row: str) -> None:
    assert drawn([heading("Forces")], 13, signs=signs) == [row]
    assert drawn([heading("Forces")], 6, signs=signs) == ["FORCES"]


def test_roomy_headings_have_an_empty_row_above_them() -> None:
    lines = [heading("One"), Line("a"), heading("Two")]
    assert drawn(lines, 5, layout="roomy") == ["ONE ─", "a", "", "TWO ─"]
    assert drawn(lines, 5) == ["ONE ─", "a", "TWO ─"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Life 12/16", ("Life", "12/16")),
        ("Survives all 9 %", ("Survives all", "9 %")),
        ("Archers 3 **, 12/12", ("Archers 3 **", "12/12")),
        ("Eldoin: life 1,689", ("Eldoin: life", "1,689")),
        ("no unit", ("no unit", "")),
        ("12", ("12", "")),
    ],
)
def test_number_of_a_line_is_its_end(text: str, parts: tuple[str, str]) -> None:
    assert parted(text) == parts


def test_chart_is_drawn_in_the_given_size() -> None:
    rows = chart_rows(((1, 2, 3), (3, 2, 1)), ("One", "Two"), (30, 8), FULL, "rich")
    assert len(rows) == 8
    assert all(cell_len(text_of(row)) <= 30 for row in rows)
    assert "One" in text_of(rows[-1])
    assert not chart_rows((), (), (30, 8), FULL, "rich")
