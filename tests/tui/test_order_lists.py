"""Import and export of lists of orders."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual import events

from tests.tui.piloted_app import Desk, desk
from tests.tui.test_game import middle
from tests.tui.test_toy import toy

GOOD = "order band=1 path=1,0"
"""A march that can be ordered at the start."""


async def paste(at: Desk, text: str) -> None:
    """Paste a text, as a terminal sends it."""
    at.app.post_message(events.Paste(text))
    await at.rest()


async def test_pasted_list_skips_refused_lines(tmp_path: Path) -> None:
    async with desk(tmp_path, start=toy()) as at:
        await paste(at, f"{GOOD}\n\nnonsense\norder band=99 path=1,1\n")
        assert "Add 3 lines to your list?" in at.text
        await at.press("enter")
        assert "1 line added, 2 refused." in at.text
        assert "Line 3, nonsense: " in at.text
        assert "Line 4, order band=99 path=1,1: There is no band 99.\n" in at.text
        await at.press("escape")
        assert at.lines == [GOOD]


async def test_paste_changes_nothing_until_confirmed(tmp_path: Path) -> None:
    async with desk(tmp_path, start=toy()) as at:
        await paste(at, GOOD)
        await at.press("escape")
        assert at.lines == []
        await paste(at, "\n \n")
        assert "There is no line of a list in that." in at.note


async def test_list_is_saved_to_a_file_and_loaded_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    async with desk(tmp_path / "saves", start=toy()) as at:
        await at.press("I")
        assert "marching orders" in at.text
        assert "It is empty." in at.text
        await at.press("escape")
        await paste(at, GOOD)
        await at.press("enter", "I", "down", "down", "enter", *"a.txt", "enter")
        assert "1 line saved as a.txt." in at.note
        assert (work / "a.txt").read_text() == f"{GOOD}\n"
        await at.press("I", "down", "down", "enter", *"a.txt", "enter")
        assert "There is a file of that name already." in at.text
        await at.press("escape", "z", "I", "enter")
        assert "a.txt" in at.text
        await at.press("o", "enter")
        assert "There is no file o." in at.text
        await at.press("down", "enter")
        assert "Add 1 line to your list?" in at.text
        await at.press("enter")
        assert at.lines == [GOOD]


async def test_list_is_copied(tmp_path: Path) -> None:
    async with desk(tmp_path, start=toy()) as at:
        await paste(at, GOOD)
        await at.press("enter", "I", "down", "enter")
        assert at.app.clipboard == f"{GOOD}\n"
        assert "1 line copied" in at.note


async def test_game_without_lists_says_so(tmp_path: Path) -> None:
    async with desk(tmp_path, start=middle()) as at:
        await at.press("I")
        assert "This game has no lists of orders." in at.note
        await paste(at, GOOD)
        assert at.lines == []
