"""The fate of a captured city is asked automatically, of the person who captured it."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.registry import find
from tests.tui.piloted_app import Desk, desk
from tests.tui.test_lesson_weltendaemmerung import go
from tui.play.lessons import lessons_of
from tui.screens.ask import ChooseOne

GAMES = ("warlords2", "lordsawar")


async def taken(at: Desk, name: str) -> None:
    """Take the lesson of a game until its first city is captured."""
    rules = find(name)
    at.app.take_lesson(rules, lessons_of(rules)[0], anew=True)
    await at.rest()
    await at.press("space", "space", "space")
    await go(at, 3, 5)
    await at.press("space")
    await go(at, 9, 5)
    await at.press("space", "space")
    await go(at, 10, 5)
    await at.press("space")
    while at.lines[-1:] != ["march armies=1>2>3 to=10,5"]:
        await at.press("y" if at.app.screen is not at.game else "space")


def is_asked(at: Desk) -> bool:
    """Return whether a choice covers the map."""
    return isinstance(at.app.screen, ChooseOne)


@pytest.mark.parametrize("name", GAMES)
async def test_fate_of_a_city_is_asked_once_and_then_only_by_key(tmp_path: Path, name: str) -> None:
    async with desk(tmp_path) as at:
        await taken(at, name)
        assert is_asked(at)
        await at.press("escape")
        assert not is_asked(at)
        await at.press("left", "right")
        assert not is_asked(at)
        await at.press("a")
        assert is_asked(at)
        await at.press("enter")
        assert at.lines[-1] == "settle fate=occupy"
        assert not is_asked(at)
