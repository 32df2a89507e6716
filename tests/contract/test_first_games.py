"""First scenarios: a careful player wins the one offered first against easy opponents."""

from __future__ import annotations

from typing import Final

import pytest

from engine.core.game import Game
from engine.core.ruleset import AnyRuleset
from engine.core.scenarios import fitted
from engine.tabletop.presenter import presenter_of
from tests.contract.plans import carry_out, plan
from tests.contract.walks import AnyGame

GAMES: Final = 12
WON: Final = 7
"""Minimum number of wins of the second level, which represents a careful beginner."""

LONGEST: Final = 4000
"""Number of entries after which a game counts as not won."""


def won(rules: AnyRuleset, seed: int) -> bool:
    """Return whether the first seat wins a game of the first scenario against the easiest level."""
    easy, careful = list(rules.bots)[:2]
    scenario = rules.scenarios()[presenter_of(rules).new_game.first]
    scenario = fitted(rules, scenario, rules.default_seats(scenario))
    game: AnyGame = Game.begin(rules, scenario, {}, b"%d" % seed)
    while rules.owes(game.state) and len(game.log) < LONGEST:
        seat = min(rules.owes(game.state))
        level = careful if seat == 0 else easy
        carry_out(game, seat, plan(rules, level, game.view(seat), seat, len(game.log)))
    outcome = rules.outcome(game.state)
    return outcome is not None and outcome.winners == (0,)


@pytest.mark.slow
def test_the_scenario_to_begin_with_is_won_by_a_careful_player(rules: AnyRuleset) -> None:
    if len(rules.bots) < 2:
        pytest.skip("has one level only")
    assert sum(won(rules, seed) for seed in range(1, GAMES + 1)) >= WON
