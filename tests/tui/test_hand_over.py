"""Hand-over at one keyboard: the next person finds nothing of the one before."""

from __future__ import annotations

from pathlib import Path

from tests.tui.desk import desk
from tests.tui.scenes import STACKS, orders


async def test_everybody_has_a_cursor_of_their_own_where_there_are_secrets(tmp_path: Path) -> None:
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


async def test_who_was_not_there_is_told_of_what_was_carried_out(tmp_path: Path) -> None:
    async with desk(tmp_path, start=orders()) as at:
        await at.press("s", "enter", "enter")
        assert "A seals its orders." in at.text
        assert "10 of 16" not in at.text
        await at.press("s", "enter", "enter")
        assert "A: income " in "\n".join(line.text for line in at.game.log_view.lines)
        assert "B: income " not in "\n".join(line.text for line in at.game.log_view.lines)
        assert "Press R to see how the orders were carried out" in at.text


async def test_what_one_person_left_open_is_closed_before_the_next_looks(tmp_path: Path) -> None:
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
