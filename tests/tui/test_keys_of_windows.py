"""The keys at the foot of a map are those that work now, also while a window is open."""

from __future__ import annotations

from pathlib import Path

from tests.tui.piloted_app import desk
from tests.tui.scenes import STACKS


async def test_the_keys_at_the_foot_are_those_of_the_open_window(tmp_path: Path) -> None:
    async with desk(tmp_path, start=STACKS) as at:
        before = at.rows()
        assert "take up" in before[-1]
        await at.press("i")
        assert "Enter: choose" in at.rows()[-1]
        assert "take up" not in at.text
        await at.press("escape")
        assert [before[-1], at.game.hint.text] == [at.rows()[-1], "Space: take up 2"]


async def test_the_open_window_takes_no_remark_away(tmp_path: Path) -> None:
    async with desk(tmp_path, start=STACKS) as at:
        await at.press("G")
        assert "Signs of the map: " in at.game.hint.text
        await at.press("i", "escape")
        assert "Signs of the map: " in at.game.hint.text
