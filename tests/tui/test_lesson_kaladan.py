"""The lesson of Generals of Kaladan, played with the keys it names."""

from __future__ import annotations

from pathlib import Path

from engine.rulesets.kaladan import RULES
from engine.tabletop.presenter import presenter_of
from tests.tui.piloted_app import Desk, desk
from tui.screens.lesson import LessonTurns

LESSON = presenter_of(RULES).lessons[0]


async def step(at: Desk, number: int) -> None:
    """Check the step of the lesson."""
    assert f"step {number} of {len(LESSON.steps)}" in at.text, at.text


async def test_lesson_is_won_with_the_keys_it_names(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        at.app.take_lesson(RULES, LESSON, anew=True)
        await at.rest()
        assert isinstance(at.game.turns, LessonTurns)
        await at.press(*["space"] * 4)
        await step(at, 5)
        await at.press("c", "down", "enter")
        await step(at, 6)
        await at.press("r", "down", "enter")
        await step(at, 7)
        await at.press("e", "y", "space", "space")
        await step(at, 10)
        await at.press("b", "space", "l", "space", "y")
        await step(at, 11)
        await at.press("c", "down", "enter", "space")
        await step(at, 13)
        await at.press("c", "space", "enter", "space")
        await step(at, 15)
        await at.press("e", "y")
        await step(at, 16)
        await at.press("g", *["down"] * 4, "enter")
        assert "The shop: you have 2 gold" in at.text
        await at.press("escape")
        await step(at, 17)
        await at.press("e", "y")
        await step(at, 18)
        await at.press("y", "space", "n", "space", "down", "down", "space", "enter", "y")
        await step(at, 19)
        await at.press("space", "r", "down", "down", "enter")
        await step(at, 21)
        await at.press("e")
        await step(at, 22)
        await at.press("space", "n", "space", "y")
        await step(at, 23)
        await at.press("space", "space")
        assert "What next?" in at.text
