"""Warnings before sealing: headquarters in danger, and idle units."""

from __future__ import annotations

import pytest

from engine.rulesets.gd6.dialogues import ask
from engine.tabletop.ask import AskConfirm
from engine.tabletop.roles import Tone
from tests.rulesets.gd6.table import Play, begin, say

LANDS = """
borders = [[1, 2], [2, 3], [3, 4], [4, 5], [1, 6]]
players = [{{ id = 0, hq_built = true }}, {{ id = 1, hq_built = true }}]
territories = [
  {{ id = 1, owner = 0, army = {home}, hq = 0 }},
  {{ id = 2, owner = {middle}, army = {there} }},
  {{ id = 5, owner = 1, army = 1, hq = 1 }},
]
"""


def game_of(home: int, there: int, middle: int = 1) -> Play:
    """Begin a game with two headquarters, and armies of one side in between."""
    return begin(LANDS.format(home=home, there=there, middle=middle))


def warned(game: Play) -> list[str]:
    """Return the texts of the question before seat 0 seals; [] if there is no question."""
    asked = ask(game.view(0), 1, "seal", [])
    if not isinstance(asked, AskConfirm):
        assert asked == "seal"
        return []
    assert ask(game.view(0), 1, "seal", ["yes"]) == "seal"
    return [line.text for line in asked.lines]


@pytest.mark.rule("GD-HQ-3", "GD-INVADE-5")
def test_endangered_headquarters_is_named_first_in_red() -> None:
    game = game_of(home=2, there=9)
    asked = ask(game.view(0), 1, "seal", [])
    assert isinstance(asked, AskConfirm)
    first = asked.lines[0]
    assert first.text == "Headquarters at territory 1 can fall: 9 armies could come, 5 take it."
    assert first.tone is Tone.BAD


@pytest.mark.rule("GD-HQ-3", "GD-INVADE-5")
def test_strong_garrison_gives_no_warning_until_it_leaves() -> None:
    game = game_of(home=7, there=9)
    assert not any("can fall" in text for text in warned(game))
    say(game, 0, "move path=1>6 count=6")
    assert any("can fall" in text for text in warned(game))


@pytest.mark.rule("GD-LIST-3", "GD-SPAWN-1")
def test_idle_units_and_armies_to_raise_are_counted() -> None:
    game = game_of(home=3, there=4, middle=0)
    texts = warned(game)
    assert "7 units without an order." in texts
    assert any(text.startswith("You can still raise ") for text in texts)
    say(game, 0, "move path=2>3 count=4", "move path=1>2 count=2")
    assert "1 unit without an order." in warned(game)


@pytest.mark.rule("GD-LIST-3")
def test_seat_without_headquarters_is_warned() -> None:
    game = begin("borders = [[1, 2], [2, 3], [3, 4], [4, 5]]\nseats = 2")
    assert "Without a headquarters you do nothing this turn." in warned(game)
    say(game, 0, "hq at=2")
    texts = warned(game)
    assert "You can still raise 2 armies." in texts
    assert any("can march in the same turn" in text for text in texts)
    say(game, 0, "spawn at=2 count=2", "move path=2>1 count=1", "move path=2>3 count=1")
    assert warned(game) == []
