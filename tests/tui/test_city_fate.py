"""What follows from the player's turn is asked automatically: a city's fate, a surrender."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.archive import SeatPlayer
from engine.core.record import replace
from engine.core.registry import find
from engine.rulesets.warlords2 import RULES
from engine.strategic.pieces import Question
from tests.strategic import ground
from tests.tui.piloted_app import Desk, desk
from tests.tui.test_lesson_weltendaemmerung import go
from tui.play.lessons import lessons_of
from tui.play.setup import NewGame
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


def surrender() -> NewGame:
    """Return a game in which the computers have just offered to surrender."""
    armies = [ground.army(1, 1, 1, ground.LIGHT), ground.army(2, 25, 1, ground.LIGHT, owner=1)]
    cities = [ground.city(1, 0, 3, 0), ground.city(2, 25, 3, 1)]
    asked = Question("yield", 0)
    state = ground.world(["." * 30] * 5, armies=armies, cities=cities, question=asked)
    people = (SeatPlayer(0, "Ash"), SeatPlayer(1, "Birch", "easy"))
    scene = replace(RULES.position(state), art=())
    return NewGame("warlords2", scene, players=people, seed=b"1", name="surrender")


async def test_a_surrender_is_asked_automatically(tmp_path: Path) -> None:
    async with desk(tmp_path, start=surrender()) as at:
        await at.rest()
        assert is_asked(at)
        assert "Your enemies offer to surrender." in at.text
        await at.press("enter")
        assert at.lines == ["yield"]
