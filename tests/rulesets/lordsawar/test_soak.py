"""Random games keep the invariants of section 22 and are repeatable."""

from __future__ import annotations

from functools import cache

import pytest

from engine.core.codec import encode
from tests.contract.walks import AnyGame
from tests.rulesets.lordsawar.soak import played

ON_A_NEW_MAP = (3, 4)
"""Seed and rounds of a game of three sides on a new map, the most expensive one."""


@cache
def game_of(seed: int, rounds: int) -> AnyGame:
    """Return a random game, played once for all tests."""
    return played(seed, rounds, cells=2_000)


@pytest.mark.parametrize(("seed", "rounds"), [(1, 15), (2, 15), ON_A_NEW_MAP, (4, 15)])
@pytest.mark.rule("LW-22")
def test_invariants_hold_in_random_games(seed: int, rounds: int) -> None:
    assert len(game_of(seed, rounds).log) > 1


@pytest.mark.rule("LW-22")
def test_a_game_of_a_seed_is_always_the_same() -> None:
    seed, rounds = ON_A_NEW_MAP
    again = played(seed, rounds, cells=2_000)
    assert encode(again.state) == encode(game_of(seed, rounds).state)
