"""Hand-over at one keyboard: the next person sees nothing of the previous one."""

from __future__ import annotations

from pathlib import Path

from tests.tui.piloted_app import desk
from tests.tui.scenes import STACKS, orders


async def test_each_person_has_a_separate_cursor_in_secret_games(tmp_path: Path) -> None:
    async with desk(tmp_path, start=orders()) as at:
        await at.press("right", "right", "down")
        left = at.cursor
        await at.press("s", "enter", "enter")
        session = at.game.session
        start = session.presenter.start(session.view)
        assert at.cursor == (start.x, start.y) != left
        await at.press("s", "enter", "enter")
        assert session.viewer == 0
        assert at.cursor == left


async def test_hand_over_shows_the_executed_orders(tmp_path: Path) -> None:
    async with desk(tmp_path, start=orders()) as at:
        await at.press("s", "enter", "enter")
        assert "A seals its orders." in at.text
        assert "10 of 16" not in at.text
        await at.press("s", "enter", "enter")
        assert "A: income " in "\n".join(line.text for line in at.game.log_view.lines)
        assert "B: income " not in "\n".join(line.text for line in at.game.log_view.lines)
        assert "Press R to see how the orders were carried out" in at.text


async def test_open_pages_close_before_the_next_person_looks(tmp_path: Path) -> None:
    async with desk(tmp_path, start=STACKS) as at:
        await at.press("J")
        assert "[Cities]" in at.text
        assert at.table.submit(0, "end-turn").ok
        at.game.turns.after()
        await at.rest()
        assert "look away" in at.text
        await at.press("enter")
        assert at.app.screen is at.game
        assert "[Cities]" not in at.text
        assert at.game.session.viewer == 1
