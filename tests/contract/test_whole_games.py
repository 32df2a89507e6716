"""A whole game between computer players, checked at the ends of its turns."""

from __future__ import annotations

import pytest

from engine.core import registry, scenarios
from engine.core.codec import encode
from engine.core.dice import Scripted, Seeded
from engine.core.game import Game
from engine.core.replay import apply, verify
from engine.core.ruleset import AnyRuleset
from engine.tabletop.presenter import presenter_of
from tests.contract.chosen import names
from tests.contract.plans import whole_game
from tests.contract.test_log import reread
from tests.contract.test_pictures import assert_readable, assert_sound
from tests.contract.test_reports import assert_tables
from tests.contract.walks import SEED, grounds, viewers

MOST_ENDS = 5
"""Number of turn ends of a game that are checked, in addition to the last."""


def cases() -> list[tuple[str, int]]:
    """Return (ruleset, index of the scenario) for every small scenario."""
    listed = [(name, registry.find(name)) for name in names()]
    return [(name, ground) for name, rules in listed for ground in range(len(grounds(rules)))]


@pytest.mark.parametrize(("name", "ground"), cases())
def test_a_whole_game_keeps_every_promise_to_its_end(name: str, ground: int) -> None:
    rules = registry.find(name)
    game = whole_game(name, ground).game
    assert verify(rules, game.log).divergence is None
    assert Game(rules, SEED, reread(rules, game.log)).state == game.state
    state = rules.empty()
    line = list(game.log.line())
    ends = [number for number, entry in enumerate(line) if entry.mark is not None]
    looked_at = {*ends[:: -(-len(ends) // MOST_ENDS)], ends[-1]}
    for number, entry in enumerate(line):
        state = apply(rules, state, entry)
        if number in looked_at:
            assert_again(rules, state)
    assert encode(state) == encode(game.state)
    assert rules.outcome(state) is not None


def assert_again(rules: AnyRuleset, state: object) -> None:
    """Check that a position survives a file, and can be imagined, drawn and summarised."""
    position = scenarios.parse(rules, scenarios.dump(rules.position(state)).encode())
    again = rules.empty()
    for event in rules.begin(position, {}, Scripted()):
        again = rules.evolve(again, event)
    presenter = presenter_of(rules)
    for viewer in viewers(rules):
        view = rules.view(state, viewer)
        assert rules.view(again, viewer) == view
        assert rules.view(rules.imagine(view, Seeded(SEED, 1, "imagine")), viewer) == view
        board = presenter.board(view, presenter.zooms[0])
        assert_sound(rules, board)
        assert_readable(presenter.summary(view))
        assert_tables(presenter.reports(view), board)
