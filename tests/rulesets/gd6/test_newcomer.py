"""The first scenario for newcomers: a player who only settles survives for some turns."""

from __future__ import annotations

from typing import Final

import pytest

from engine.core import notation
from engine.core.game import Game
from engine.core.scenarios import fitted
from engine.rulesets.gd6 import RULES
from engine.rulesets.gd6.commands import PlaceHq
from tests.contract.plans import carry_out, first_plan
from tests.rulesets.gd6.table import Play, say

ME: Final = 0
SPARED: Final = 6
"""First turn in which a player who only settles may lose everything."""


def settled_only(seed: int) -> Play:
    """Play a game in which seat 0 only settles and seals, until it is out or turn SPARED."""
    scenario = fitted(RULES, RULES.scenarios()[RULES.presenter.new_game.first], 3)
    game: Play = Game.begin(RULES, scenario, {}, b"%d" % seed)
    asked = 0
    while game.state.turn < SPARED and RULES.owes(game.state):
        if ME not in RULES.owes(game.state):
            carry_out(game, *first_plan(game, "easy"))
            continue
        view = game.view(ME)
        sites = [one for one in RULES.offers(view) if isinstance(one, PlaceHq)]
        if sites and not view.players[ME].orders:
            say(game, ME, notation.write(sites[(7 * seed + asked) % len(sites)]))
            asked += 1
        else:
            say(game, ME, "seal")
    return game


@pytest.mark.parametrize("seed", range(1, 21))
def test_player_who_only_settles_survives_easy_opponents(seed: int) -> None:
    state = settled_only(seed).state
    assert state.turn == SPARED
    assert state.players[ME].status == "active"
    assert not state.reason
