"""Header of a screen with a board."""

from __future__ import annotations

import pytest

from engine.core.record import replace
from engine.tabletop.board import Status
from tui.style.palette import LEAST, READABLE, THEMES, chosen, contrast
from tui.terminal.capabilities import Depth
from tui.widgets.header import _SIGNS, BarContent, fitted

FORD = Status(
    round=2,
    rounds=6,
    phase="Movement",
    seat=0,
    text="Eldoin · Movement · round 2 of 6",
    todo=5,
    track=("Move", "Attack", "Gates"),
    side="Eldoin",
    todo_of=8,
    todo_word="still to move",
)
LORDS = "The Lords of Thainfal"


def row(
    heading: BarContent, width: int, *, ascii_only: bool = False, bracketed: bool = False
) -> str:
    signs = _SIGNS["ascii" if ascii_only else "rich"]
    left, right = fitted(heading, width, signs, bracketed=bracketed)
    text = "".join(piece.text for piece in left)
    return f"{text} | {right}" if right else text


def test_wide_header_has_everything() -> None:
    assert row(BarContent("The Ford", FORD), 120) == (
        "THE FORD   Round 2 of 6 ●●○○○○   Eldoin ►  MOVE  ► attack ► gates | 5 of 8 still to move"
    )


def test_header_has_special_signs_for_ascii_and_no_colours() -> None:
    told = row(BarContent("The Ford", FORD), 120, ascii_only=True, bracketed=True)
    assert told.isascii()
    assert "Round 2 of 6 **....   Eldoin > [MOVE] > attack > gates" in told


@pytest.mark.parametrize(
    ("width", "kept", "gone"),
    [
        (100, ["THE LORDS", "●●○", "5/8 left", "attack"], ["still to move"]),
        (80, ["THE LORDS…", "Round 2 of 6", "Eldoin", "MOVE", "gates", "5/8 left"], ["●"]),
        (64, ["Round 2 of 6", "Eldoin", "MOVE", "gates"], ["THE LORDS"]),
        (40, ["Eldoin ►  MOVE", "5/8 left", "R2/6"], ["attack", "Round"]),
        (24, ["MOVE", "5/8 left", "R2/6"], ["Eldoin"]),
    ],
)
def test_narrow_header_omits_the_least_important_parts(
    width: int, kept: list[str], gone: list[str]
) -> None:
    told = row(BarContent(LORDS, FORD), width)
    assert [word for word in kept if word not in told] == []
    assert [word for word in gone if word in told] == []
    assert len(told) <= width + 1  # the mark between left and right is the test's own


def test_cut_title_has_the_dots_of_its_signs() -> None:
    lords = BarContent(LORDS, FORD)
    assert "THE LORDS…" in row(lords, 80)
    cut = row(lords, 80, ascii_only=True)
    assert "THE LORDS." in cut
    assert cut.isascii()


def test_header_omits_a_missing_last_round_and_phases() -> None:
    status = replace(FORD, track=(), endless=True, rounds=2, stock="160 gold", todo=0)
    assert row(BarContent("", status), 80) == "Round 2   Eldoin   160 gold"


def test_header_of_a_finished_game_shows_the_result() -> None:
    status = replace(FORD, over=True, seat=-1, side="", text="Eldoin has won")
    assert row(BarContent("The Ford", status), 80) == "THE FORD   Eldoin has won"


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("depth", ["truecolor", "256", "16", "8"])
def test_text_in_the_bars_is_readable(theme: str, depth: Depth) -> None:
    palette = chosen(depth, theme)
    sides = [palette.on_bar(seat) for seat in range(len(palette.seats))]
    for style in (palette.key, palette.faint, palette.lit, *sides):
        assert style.color is not None
        assert style.bgcolor is not None
        least = READABLE if palette.is_rich else LEAST  # the first colours are a person's own
        assert contrast(style.color.name, style.bgcolor.name) >= least
