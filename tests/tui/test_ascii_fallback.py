"""ASCII replacements of other signs."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.color import Color

from tui.terminal.ascii_fallback import AsciiOnly, in_ascii


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("plain text", "plain text"),
        ("Brücke → Hälfte…", "Brucke > Halfte."),
        ("←→↑↓", "<>^v"),
        ("╭─┬╮│├╰━┃╋", "+-++|++-|+"),
        ("░▒▓█▄", "::##="),
        ("•●■★○", "**#*o"),
        ("\u00d7 \u2013 \u2019 ß", "x - ' s"),
        ("⠤", ":"),
        ("é", "e"),
        ("☃", "?"),
    ],
)
def test_signs_become_ascii(text: str, plain: str) -> None:
    assert in_ascii(text) == plain


@pytest.mark.parametrize("text", ["a漢字b", "e\u0301", "Größe", "🛡 x", "\u00a0|"])
def test_ascii_text_keeps_its_columns(text: str) -> None:
    plain = in_ascii(text)
    assert plain.isascii()
    assert len(plain) == cell_len(text)


def test_line_keeps_its_styles() -> None:
    red = Style(color="red")
    line = AsciiOnly().apply([Segment("→", red), Segment("x")], Color(0, 0, 0))
    assert line == [Segment(">", red), Segment("x")]
