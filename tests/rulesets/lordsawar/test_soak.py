"""Games by lot keep the invariants of section 22, and are the same ones when replayed."""

from __future__ import annotations

import pytest

from engine.core.codec import encode
from tests.rulesets.lordsawar.soak import played


@pytest.mark.parametrize("seed", range(1, 5))
@pytest.mark.rule("LW-22")
def test_the_invariants_hold_in_games_by_lot(seed: int) -> None:
    game = played(seed, 15, cells=2_000)
    assert len(game.log) > 1


@pytest.mark.rule("LW-22")
def test_a_game_of_a_seed_is_always_the_same() -> None:
    one, other = (played(3, 4, cells=2_000) for _ in range(2))
    assert encode(one.state) == encode(other.state)
