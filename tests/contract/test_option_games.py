"""Short walks with every value of every option; ``tests.contract.option_soak`` walks further."""

from __future__ import annotations

import pytest

from engine.core import registry
from tests.contract.aids import aids_of
from tests.contract.chosen import names
from tests.contract.option_games import left_out, option_games, play


def cases() -> list[tuple[str, int]]:
    """Return (ruleset, index of the game) for every option game."""
    return [(name, number) for name in names() for number in range(len(option_games(name)))]


@pytest.mark.parametrize("name", names())
def test_every_value_of_every_option_is_in_a_game(name: str) -> None:
    assert left_out(name) == aids_of(registry.find(name)).options_of_makers


@pytest.mark.parametrize(("name", "number"), cases())
def test_every_promise_is_kept_whatever_the_options(name: str, number: int) -> None:
    levels = list(registry.find(name).bots)[:2]
    assert len(play(name, number, 6, [levels[number % len(levels)]]).log) > 1
