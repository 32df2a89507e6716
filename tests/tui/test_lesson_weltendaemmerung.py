"""The first lesson of Weltendämmerung, played with the keys it names."""

from __future__ import annotations

from pathlib import Path

from engine.rulesets.weltendaemmerung import RULES
from engine.tabletop.board import BoardMark
from engine.tabletop.presenter import presenter_of
from engine.tabletop.roles import MarkSign
from tests.tui.piloted_app import Desk, desk
from tests.tui.test_marks import cell
from tui.screens.lesson import LessonTurns


async def go(at: Desk, x: int, y: int) -> None:
    """Move the cursor to a cell, step by step."""
    here = at.cursor
    across = ["right" if x > here[0] else "left"] * abs(x - here[0])
    down = ["down" if y > here[1] else "up"] * abs(y - here[1])
    await at.press(*across, *down)
    assert at.cursor == (x, y)


async def strike(at: Desk, attacker: tuple[int, int], target: tuple[int, int]) -> None:
    """Choose a unit and let it attack."""
    await go(at, *attacker)
    await at.press("space")
    await go(at, *target)
    await at.press("space")


async def move(at: Desk, unit: tuple[int, int], to: tuple[int, int]) -> None:
    """Send a unit over several cells."""
    await go(at, *unit)
    await at.press("m")
    await go(at, *to)
    await at.press("space")


async def end(at: Desk) -> None:
    """End the phase, even if units could still act, and let the other side play."""
    await at.press("e", "y")


def marked(at: Desk, sign: MarkSign) -> list[BoardMark]:
    """Return the marks of a sign for the cursor."""
    return [mark for mark in at.game.session.overlay.marks if mark.sign is sign]


async def step(at: Desk, number: int) -> None:
    """Check the step of the lesson."""
    assert f"step {number} of 26" in at.text, at.text


async def test_first_lesson_is_won_with_its_keys_and_shows_what_it_says(
    tmp_path: Path,
) -> None:
    lesson = presenter_of(RULES).lessons[0]
    async with desk(tmp_path) as at:
        at.app.take_lesson(RULES, lesson, anew=True)
        await at.rest()
        assert isinstance(at.game.turns, LessonTurns)
        await at.press("space", "space", "space")
        await step(at, 4)
        await go(at, 5, 4)
        await at.press("space", "p")
        assert cell(at, 6, 4).strip() == "1"
        await at.press("p", "right", "right", "right")
        await step(at, 7)
        await at.press("z", "space", "escape")
        await step(at, 9)
        await move(at, (3, 5), (6, 5))
        await step(at, 10)
        await at.press("D")
        assert cell(at, 1, 4) == "F1"
        await at.press("escape", "space")
        await end(at)
        await at.press("space")
        await step(at, 13)
        await strike(at, (6, 5), (8, 4))
        await at.press("space")
        await go(at, 7, 4)
        await at.press("space")
        assert cell(at, 8, 4) == "12"
        await at.press("escape")
        await strike(at, (7, 4), (8, 4))
        await step(at, 16)
        await end(at)
        await at.press("space")
        await go(at, 2, 6)
        await at.press("space")
        await step(at, 19)
        await end(at)
        await at.press("space")
        await step(at, 21)
        await move(at, (1, 6), (6, 6))
        await step(at, 22)
        await go(at, 6, 6)
        await at.press("space")
        assert [(mark.x, mark.y) for mark in marked(at, MarkSign.TARGET)] == [(8, 4)]
        await at.press("escape")
        await end(at)
        await at.press("space")
        await step(at, 24)
        await go(at, 6, 6)
        await at.press("space")
        assert "X" in cell(at, 8, 4)
        await at.press("escape")
        await strike(at, (6, 6), (8, 4))
        await strike(at, (6, 5), (14, 2))
        await step(at, 26)
        await at.press("space")
        assert "What next?" in at.text
