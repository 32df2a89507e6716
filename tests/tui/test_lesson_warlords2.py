"""The lesson of Warlords II, played with the keys it names."""

from __future__ import annotations

from pathlib import Path

from engine.rulesets.warlords2 import RULES
from engine.tabletop.presenter import presenter_of
from tests.tui.piloted_app import Desk, desk
from tests.tui.test_lesson_weltendaemmerung import go
from tui.screens.lesson import LessonTurns

LESSON = presenter_of(RULES).lessons[0]


async def send(at: Desk, stack: tuple[int, int], to: tuple[int, int]) -> None:
    """Pick up a stack and send it to a tile."""
    await go(at, *stack)
    await at.press("space")
    await go(at, *to)
    await at.press("space")


async def make(at: Desk, city: tuple[int, int], downs: int) -> None:
    """Let a city produce the army ``downs`` rows down its list."""
    await go(at, *city)
    await at.press("r", *["down"] * downs, "enter")


async def step(at: Desk, number: int) -> None:
    """Check the step of the lesson."""
    assert f"step {number} of {len(LESSON.steps)}" in at.text, at.text


async def test_lesson_is_won_with_the_keys_it_names(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        at.app.take_lesson(RULES, LESSON, anew=True)
        await at.rest()
        assert isinstance(at.game.turns, LessonTurns)
        await at.press("space", "space", "space")
        await step(at, 4)
        await send(at, (3, 5), (9, 5))
        await at.press("space")
        await step(at, 6)
        await go(at, 10, 5)
        await at.press("space")
        assert "Esc or n: hold back" in at.text
        await at.press("y")
        await step(at, 7)
        await at.press("a", "enter", "space")
        await step(at, 9)
        await make(at, (2, 4), 0)
        await at.press("i", "A")
        await go(at, 10, 4)
        await at.press("space")
        await step(at, 11)
        await send(at, (2, 5), (3, 7))
        await at.press("s")
        await step(at, 13)
        await at.press("space")
        await go(at, 10, 4)
        await at.press("space")
        await step(at, 15)
        await at.press("e")
        assert "Millrace" in at.text
        await at.press("y", "space", "c")
        await step(at, 18)
        await make(at, (10, 4), 1)
        await send(at, (10, 5), (15, 5))
        await at.press("y", "space")
        await step(at, 21)
        await at.press("e", "y", "space")
        await step(at, 23)
        await send(at, (15, 5), (19, 5))
        await at.press("y", "a", "enter")
        await step(at, 25)
        await at.press("e", "y")
        await step(at, 26)
        await at.press("space")
        await step(at, 27)
        await at.press("space")
        assert "What next?" in at.text
