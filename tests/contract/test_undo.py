"""Undo and branches: exactly the earlier state returns, whatever happened since."""

from __future__ import annotations

import pytest
from hypothesis import given

from engine.core.codec import encode
from engine.core.game import Game
from engine.core.refused import Denied, Refused
from engine.core.ruleset import AnyRuleset
from tests.contract.test_log import reread
from tests.contract.walks import SEED, WALKS, begun, examples, long_walk, seats, walk, wander


@examples(15)
@given(choices=WALKS)
def test_undo_returns_the_very_state(rules: AnyRuleset, choices: list[int]) -> None:
    game = begun(rules, choices)
    for step in walk(game, choices):
        if game.can_undo(step.seat):
            game.undo(step.seat)
            assert game.state is step.before
            assert game.head == step.entry.parent
            again = game.submit(step.seat, step.command)
            assert again.parent == step.entry.parent
            assert again.seq > step.entry.seq


@examples(15)
@given(choices=WALKS)
def test_undo_after_quitting_returns_an_equal_state(rules: AnyRuleset, choices: list[int]) -> None:
    game = begun(rules, choices)
    for step in walk(game, choices):
        resumed = Game(rules, SEED, reread(rules, game.log))
        assert encode(resumed.state) == encode(game.state)
        assert resumed.can_undo(step.seat) == game.can_undo(step.seat)
        if resumed.can_undo(step.seat):
            resumed.undo(step.seat)
            assert resumed.state == step.before


@examples(25)
@given(choices=WALKS)
def test_a_game_that_wandered_is_where_its_line_leads(
    rules: AnyRuleset, choices: list[int]
) -> None:
    game = begun(rules, choices)
    wander(game, choices)
    straight = Game(rules, SEED, reread(rules, game.log))
    assert straight.state == game.state
    assert rules.owes(straight.state) == rules.owes(game.state)


def test_dice_secrets_and_the_moves_of_others_cannot_be_taken_back(rules: AnyRuleset) -> None:
    game = begun(rules)
    undone = kept = 0
    for step in walk(game, long_walk(150)):
        for seat in seats(rules):
            lasting = bool(step.entry.throws) or any(
                event.irreversible for event in step.entry.events
            )
            own = seat == step.seat
            if own:
                assert not (game.can_undo(seat) and lasting)
                assert (
                    game.can_undo(seat) or lasting or rules.traits.hidden or not rules.traits.undo
                )
            elif not rules.traits.simultaneous:
                assert not game.can_undo(seat)
            undone += game.can_undo(seat)
            if not game.can_undo(seat):
                kept += 1
                with pytest.raises(Refused) as caught:
                    game.undo(seat)
                assert caught.value.code is Denied.NO_UNDO
    assert kept
    assert bool(undone) == rules.traits.undo
