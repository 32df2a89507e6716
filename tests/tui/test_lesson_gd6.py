"""The lesson of Global Domination, played with the keys it names."""

from __future__ import annotations

from pathlib import Path

from engine.rulesets.gd6 import RULES
from engine.tabletop.presenter import presenter_of
from tests.tui.piloted_app import Desk, desk
from tests.tui.test_lesson_weltendaemmerung import go
from tui.screens.lesson import LessonTurns

LESSON = presenter_of(RULES).lessons[0]
FIRST, SECOND, FOURTH = (4, 2), (14, 2), (4, 8)
"""Cells of territories 1, 2 and 4."""


async def step(at: Desk, number: int) -> None:
    """Check the step of the lesson."""
    assert f"step {number} of {len(LESSON.steps)}" in at.text, at.text


async def test_lesson_is_won_with_the_keys_it_names(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        at.app.take_lesson(RULES, LESSON, anew=True)
        await at.rest()
        assert isinstance(at.game.turns, LessonTurns)
        await at.press("space", "space")
        await step(at, 3)
        await go(at, *FIRST)
        await at.press("space")
        await go(at, *SECOND)
        await at.press("space")
        await step(at, 4)
        await go(at, *FIRST)
        await at.press("r", "enter", "space")
        await step(at, 6)
        await at.press("s", "y", "space", "space")
        await step(at, 9)
        await go(at, *SECOND)
        await at.press("space")
        await go(at, *FOURTH)
        await at.press("space", "s", "y", "space")
        await step(at, 12)
        await at.press("space")
        assert "What next?" in at.text
