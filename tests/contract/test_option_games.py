"""Short walks under every value of every option; ``tests.contract.option_soak`` walks further."""

from __future__ import annotations

import pytest

from engine.core import registry
from tests.contract.option_games import left_out, option_games, play

NEW_MAPS = {
    "warlords2": {"map_seed", "map_width", "map_height", "water", "hills", "forest", "cities"},
    "lordsawar": {"map_size", "map_seed", "map_width", "map_height"}
    | {"water", "swamp", "hills", "forest", "cities"},
    "gd6": {"map_seed", "map_size"},
}
"""Options for making maps, which no small scenario has; games by lot and the makers' tests do."""


def cases() -> list[tuple[str, int]]:
    """Every game of every ruleset."""
    return [
        (name, number) for name in registry.names() for number in range(len(option_games(name)))
    ]


@pytest.mark.parametrize("name", registry.names())
def test_every_value_of_every_option_is_in_a_game(name: str) -> None:
    assert left_out(name) == NEW_MAPS.get(name, set())


@pytest.mark.parametrize(("name", "number"), cases())
def test_every_promise_is_kept_whatever_the_options(name: str, number: int) -> None:
    levels = list(registry.find(name).bots)[:2]
    assert len(play(name, number, 6, [levels[number % len(levels)]]).log) > 1
