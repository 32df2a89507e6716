"""Windows that are too small, and screens that are shrunk while shown.

The walk in ``test_screen_settings`` shrinks every screen.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.tabletop.ask import AskAmount, AskOrder, AskSome, AskText, Choice
from engine.tabletop.board import Line
from host.screens.talk import TalkWindow
from tests.tui.piloted_app import FORD, Desk, desk
from tui.screens.ask import ChooseOne, ChooseSome, Confirm, EnterAmount, EnterText, PutInOrder
from tui.screens.dialog import Dialog, TypeLine
from tui.screens.find import FindScreen
from tui.screens.settings import PressKey
from tui.terminal.capabilities import SMALLEST, USUAL

SIZES = ((79, 23), (40, 16), (40, 15), (20, 5), (1, 1))
"""Sizes to which the scenes are shrunk in turn."""


async def resized(at: Desk, size: tuple[int, int]) -> None:
    """Resize the terminal and wait until all has settled."""
    await at.pilot.resize_terminal(*size)
    await at.rest()


FRAMES = str.maketrans("│╭╮╰╯─", "      ")


def squeezed(text: str) -> str:
    """Return a text without line breaks."""
    return " ".join(text.split())


async def bears(at: Desk, scene: str, size: tuple[int, int]) -> None:
    """Shrink a screen and enlarge it again; check that it fits, and is whole afterwards."""
    await resized(at, size)
    rows = at.rows()
    assert len(rows) == size[1]
    assert all(len(row) <= size[0] for row in rows)
    if size == (40, 15):
        said = squeezed("\n".join(rows))
        assert "40 x 15" in said, f"{scene} at {size}:\n{said}"
        assert f"{SMALLEST[0]} x {SMALLEST[1]}" in said
        assert f"{USUAL[0]} x {USUAL[1]}" in said
    await resized(at, USUAL)
    rows = at.rows()
    assert "Please make it larger" not in squeezed("\n".join(rows)), scene
    assert sum(map(bool, rows)) >= 3, f"{scene} after it was small: {rows}"


# -- windows ---------------------------------------------------------------------------------------

MANY = tuple(
    Choice(
        str(n), f"Choice number {n} in words enough for a second row", "" if n % 3 else "not now"
    )
    for n in range(24)
)
LINES = tuple(Line(f"Line {n} of a forecast that has a great many of them.") for n in range(30))
LONG = "A title that is rather long for so small a window"

WINDOWS: dict[str, Callable[[], Dialog[Any]]] = {
    "one": lambda: ChooseOne(LONG, MANY),
    "some": lambda: ChooseSome(AskSome(LONG, MANY, 1, 3)),
    "order": lambda: PutInOrder(AskOrder(LONG, MANY)),
    "amount": lambda: EnterAmount(AskAmount(LONG, 1, 9, 3)),
    "text": lambda: EnterText(AskText(LONG, 30)),
    "confirm": lambda: Confirm(LONG, LINES, "attack", "leave it"),
    "typed": lambda: TypeLine(LONG, LINES, examples=[choice.label for choice in MANY]),
    "key": lambda: PressKey(LONG),
    "talk": lambda: TalkWindow(lambda: (), lambda _: ""),
}


@pytest.mark.parametrize("size", [(40, 16), (60, 17), (80, 24), (100, 16)])
async def test_windows_show_their_keys_and_the_end_of_their_lists(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with desk(tmp_path, size, start=FORD) as at:
        for name, make in WINDOWS.items():
            window = make()
            at.app.push_screen(window)
            await at.rest()
            if name != "key":
                await at.press("end")
            shown = at.text
            said = squeezed(shown.translate(FRAMES))
            assert squeezed(window.keys_text) in said, name
            assert LONG in said or name == "talk", name
            assert "╮" in shown, name
            assert "╯" in shown, name
            if name in {"one", "some", "order"}:
                assert "number 23" in said, name
            if name == "confirm":
                assert "Line 29" in said
            at.app.pop_screen()


async def test_a_list_says_how_many_of_its_rows_are_out_of_sight(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        choices = [Choice(str(n), f"item {n}") for n in range(30)]
        at.app.push_screen(ChooseOne("Buy a type", choices))
        await at.rest()
        await at.rest()
        assert "item 29" not in at.text
        assert "More rows: 14 below" in at.text
        await at.press("end")
        assert "item 29" in at.text
        assert "More rows: 14 above" in at.text
        await at.press("up")
        assert "above" in at.text
        at.app.pop_screen()
        at.app.push_screen(ChooseOne("Buy a type", choices[:5]))
        await at.rest()
        assert "More rows" not in at.text


async def test_fault_takes_its_row_from_the_list(tmp_path: Path) -> None:
    async with desk(tmp_path, (40, 16), start=FORD) as at:
        window = WINDOWS["some"]()
        at.app.push_screen(window)
        await at.press("enter", "end")
        said = squeezed(at.text.translate(FRAMES))
        assert "Chosen so far: 0." in said
        assert "number 23" in said
        assert squeezed(window.keys_text) in said


async def test_row_of_keys_fits_and_ends_with_the_key_to_leave(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        for size in ((40, 16), (60, 20), (80, 24), (160, 50)):
            await resized(at, size)
            for keys, last in (
                (("s",), "Esc: back"),
                (("escape", "n"), "Esc: back"),
                (("escape",), "h: help"),
            ):
                await at.press(*keys)
                assert at.rows()[-1].rstrip().endswith(last), at.text
        await resized(at, (40, 16))
        await at.press("s")
        assert at.rows()[-1].strip() == "Left, right: change  Esc: back"
        await resized(at, (100, 30))
        assert "U: all usual" in at.rows()[-1]


async def test_finder_opens_in_a_window_of_any_size(tmp_path: Path) -> None:
    async with desk(tmp_path, start=FORD) as at:
        for size in SIZES:
            await at.press("colon")
            window = at.app.screen
            assert isinstance(window, FindScreen)
            title, entries = window._title, window._entries
            await at.press("escape")
            await resized(at, size)
            await at.app.push_screen(FindScreen(title, entries, "e"))
            await at.rest()
            assert len(at.rows()) == size[1]
            await at.press("escape")
            await resized(at, USUAL)
