"""Output makes any terminal show exactly the composed cells."""

from __future__ import annotations

import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from tui.terminal.capabilities import Depth
from tui.terminal.cells import DEFAULT, RowPatch, ScreenCell, TerminalPen, cells_of, change, pen_of
from tui.terminal.output import ShownCells

WIDTH, HEIGHT = 24, 9
STYLES = (
    Style(),
    Style(bold=True),
    Style(dim=True),
    Style(bold=True, underline=True, color="color(3)"),
    Style(reverse=True, bgcolor="color(12)"),
    Style(italic=True, color="#102030", bgcolor="#a0b0c0"),
    Style(color="#102030", bgcolor="color(200)"),
)
LETTERS = "ab ≈♠漢語é"

texts = st.text(LETTERS, min_size=1, max_size=WIDTH)
segments = st.lists(
    st.tuples(texts, st.sampled_from(STYLES)).map(lambda pair: Segment(*pair)),
    min_size=1,
    max_size=4,
).map(Strip)


@st.composite
def patches(draw: st.DrawFn) -> list[RowPatch]:
    """Draw an update: some rows below one another, or a few spans anywhere."""
    if draw(st.booleans()):
        x, top = draw(st.integers(0, 8)), draw(st.integers(0, 2))
        strips = draw(st.lists(segments, min_size=5, max_size=HEIGHT - top))
        return [RowPatch(y, x, cut(strip, x)) for y, strip in enumerate(strips, top)]
    spans = draw(
        st.lists(st.tuples(st.integers(0, HEIGHT - 1), st.integers(0, WIDTH - 1), segments))
    )
    return [RowPatch(y, x, cut(strip, x)) for y, x, strip in spans]


def cut(strip: Strip, x: int) -> list[ScreenCell]:
    return cells_of((strip.crop(0, WIDTH - x),), "truecolor")


class Terminal:
    """A terminal that interprets the output."""

    def __init__(self) -> None:
        self.screen = pyte.Screen(WIDTH, HEIGHT)
        self.stream = pyte.Stream(self.screen)

    def cells(self) -> list[list[tuple[object, ...]]]:
        """Return each cell as text, colours and attributes."""
        rows = (self.screen.buffer[y] for y in range(HEIGHT))
        return [[tuple(row[x]) for x in range(WIDTH)] for row in rows]


def written_plainly(shown: ShownCells) -> Terminal:
    """Return a terminal to which the rows were written in full, each from its start."""
    terminal = Terminal()
    for y, row in enumerate(shown._rows):
        terminal.stream.feed(f"\x1b[{y + 1};1H")
        for text, pen in row:
            if text:
                terminal.stream.feed(change(None, pen) + text)
    return terminal


@given(st.lists(patches(), min_size=1, max_size=6))
def test_terminal_shows_the_painted_cells(updates: list[list[RowPatch]]) -> None:
    shown, terminal = ShownCells(), Terminal()
    shown.resize(WIDTH, HEIGHT)
    blank: list[ScreenCell] = [(" ", DEFAULT)] * WIDTH
    first = [RowPatch(y, 0, blank) for y in range(HEIGHT)]
    for update in (first, *updates):
        terminal.stream.feed(shown.paint(update))
    assert terminal.cells() == written_plainly(shown).cells()


@given(patches())
def test_repeated_update_sends_nothing(update: list[RowPatch]) -> None:
    shown = ShownCells()
    shown.resize(WIDTH, HEIGHT)
    single = {patch.y: patch for patch in update}
    shown.paint(list(single.values()))
    assert shown.paint(list(single.values())) == ""


@given(st.integers(-5, 5), st.lists(segments, min_size=HEIGHT * 2, max_size=HEIGHT * 2))
def test_moved_rows_are_scrolled(by: int, strips: list[Strip]) -> None:
    shown, terminal = ShownCells(), Terminal()
    shown.resize(WIDTH, HEIGHT)
    rows = [cells_of((strip.adjust_cell_length(WIDTH - 6),), "truecolor") for strip in strips]
    beside = cells_of((Strip([Segment("panel ", STYLES[4])]),), "truecolor")
    start = HEIGHT // 2
    for at in (start, start + by):
        update = [RowPatch(y, 0, rows[at + y]) for y in range(HEIGHT)]
        if at == start:
            update += [RowPatch(y, WIDTH - 6, beside) for y in range(HEIGHT)]
        terminal.stream.feed(shown.paint(update))
    expected = [rows[start + by + y] + beside for y in range(HEIGHT)]
    assert shown._rows == expected
    assert terminal.cells() == written_plainly(shown).cells()


def test_scrolling_by_a_row_costs_little_more_than_that_row() -> None:
    shown = ShownCells()
    shown.resize(80, 24)
    rows = [
        cells_of((Strip([Segment(f"{n:>3} {chr(97 + n % 26) * 76}")]),), "16") for n in range(60)
    ]
    shown.paint([RowPatch(y, 0, rows[y]) for y in range(24)])
    assert len(shown.paint([RowPatch(y, 0, rows[y + 1]) for y in range(24)])) < 150


def test_cursor_is_moved_only_when_necessary() -> None:
    shown = ShownCells()
    shown.resize(WIDTH, HEIGHT)
    assert shown.point((3, 4)) == "\x1b[5;4H\x1b[?25h"
    assert shown.point((3, 4)) == ""
    assert shown.point(None) == "\x1b[?25l"
    shown.forget()
    assert shown.point(None) == "\x1b[?25l"


@pytest.mark.parametrize("beyond", [(-1, 0), (0, -2), (WIDTH, 0), (0, HEIGHT)])
def test_cursor_beyond_the_edge_is_hidden(beyond: tuple[int, int]) -> None:
    shown = ShownCells()
    shown.resize(WIDTH, HEIGHT)
    assert shown.point(beyond) == "\x1b[?25l"


def test_resize_forgets_the_shown_cells() -> None:
    shown = ShownCells()
    shown.resize(WIDTH, HEIGHT)
    update = [RowPatch(0, 0, cells_of((Strip([Segment("abc")]),), "16"))]
    assert shown.paint(update)
    assert not shown.paint(update)
    shown.resize(WIDTH, HEIGHT + 1)
    assert shown.paint(update)


@pytest.mark.parametrize(
    ("color", "depth", "ink"),
    [
        ("#ff0000", "truecolor", "38;2;255;0;0"),
        ("#ff0000", "256", "38;5;196"),
        ("color(200)", "256", "38;5;200"),
        ("color(200)", "truecolor", "38;5;200"),
        ("color(12)", "16", "94"),
        ("color(12)", "8", "34"),
        ("color(3)", "8", "33"),
        ("color(3)", "none", "39"),
        ("default", "truecolor", "39"),
    ],
)
def test_colours_are_written_at_the_depth_of_the_terminal(
    color: str, depth: Depth, ink: str
) -> None:
    assert pen_of(Style(color=Color.parse(color)), depth).ink == ink


@pytest.mark.parametrize(
    ("old", "new", "sent"),
    [
        (TerminalPen(0, "31", "49"), TerminalPen(0, "32", "49"), "\x1b[32m"),
        (TerminalPen(1, "31", "49"), TerminalPen(0, "31", "49"), "\x1b[22m"),
        (TerminalPen(0b11, "31", "49"), TerminalPen(0b10, "31", "49"), "\x1b[22;2m"),
        (TerminalPen(0b1000, "31", "44"), DEFAULT, "\x1b[m"),
        (None, TerminalPen(1, "39", "44"), "\x1b[0m\x1b[1;44m"),
        (TerminalPen(1, "39", "44"), TerminalPen(1, "39", "44"), ""),
    ],
)
def test_only_differences_between_two_pens_are_sent(
    old: TerminalPen | None, new: TerminalPen, sent: str
) -> None:
    assert change(old, new) == sent
