"""A player who is out of a game that goes on learns it from a line that stays."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest

from engine.core.game import Game
from engine.core.ids import PUBLIC
from engine.core.notation import read
from engine.core.registry import find
from engine.rulesets.gd6 import events as domination
from engine.rulesets.kaladan import events as kaladan
from engine.tabletop.presenter import presenter_of
from tests.contract.walks import grounds
from tests.rulesets.kaladan.positions import position
from tui.screens.bars import GameBars


def seats(rules: Any, state: Any) -> range:
    return range(len(next(iter(rules.statistics(state).values()))))


def begun(name: str) -> Any:
    """Return a game of three sides or more."""
    rules = find(name)
    games = (Game.begin(rules, ground, {}, b"out") for ground in grounds(rules))
    return next(game for game in games if len(seats(rules, game.state)) > 2)


def resigned(name: str, line: str) -> tuple[Any, int]:
    game = begun(name)
    seat = min(game.rules.owes(game.state))
    game.submit(seat, read(line, game.rules.command_type))
    return game.state, seat


def without_land() -> tuple[Any, int]:
    game = begun("gd6")
    return game.rules.evolve(game.state, domination.Eliminated(0, "no_land")), 0


def without_crown() -> tuple[Any, int]:
    state = position("FF FFF FF\nA1 0 crown\nB1 1 crown\nC1 2 crown", seats=3)
    return find("kaladan").evolve(state, kaladan.SeatEliminated(0, 1)), 0


@pytest.mark.parametrize(
    ("name", "made", "why"),
    [
        ("kaladan", without_crown, "You are out of the war: your Crown is gone."),
        ("gd6", without_land, "You are out of the game: you have no land left."),
        (
            "warlords2",
            lambda: resigned("warlords2", "resign"),
            "You are out of the game: you have no city left.",
        ),
        (
            "lordsawar",
            lambda: resigned("lordsawar", "resign burn=yes"),
            "You are out of the game: you have no city left.",
        ),
    ],
)
def test_hint_bar_says_that_the_player_is_out_and_what_is_left_to_do(
    name: str, made: Callable[[], tuple[Any, int]], why: str
) -> None:
    rules, (state, seat) = find(name), made()
    presenter = presenter_of(rules)
    others = [one for one in (*seats(rules, state), PUBLIC) if one != seat]
    assert rules.outcome(state) is None
    assert presenter.out(rules.view(state, seat)) == why
    assert not any(presenter.out(rules.view(state, one)) for one in others)
    session = SimpleNamespace(note="", presenter=presenter, view=rules.view(state, seat))
    screen = SimpleNamespace(key_names=lambda: {"game.leave": "q"})
    parts = SimpleNamespace(screen=screen, session=session)
    hint, _ = GameBars(cast("Any", parts), cast("Any", None))._hint()
    assert hint == f"{why} Watch on, or leave with q."
