"""Positions that look alike to a seat: no order, refusal or undo distinguishes them.

``python -m tests.contract.lookalikes`` tries any number of orders.
"""

from __future__ import annotations

from itertools import chain

import pytest

from engine.core.game import Game
from engine.core.ruleset import AnyRuleset
from tests.contract.aids import aids_of
from tests.contract.lookalikes import search
from tests.contract.walks import SEED, AnyGame, begun, numbers, offered, walk


def test_no_order_tells_apart_what_looks_alike_and_can_be_taken_back(rules: AnyRuleset) -> None:
    if not rules.traits.hidden:
        pytest.skip("nothing is hidden in this game")
    found = search(rules, aids_of(rules).secret_tries, seed=77)
    assert not found.faults, "\n".join(found.faults)
    assert min(found.pairs, found.refused, found.lasting, found.undone) > 0


def test_where_all_act_at_once_each_takes_back_its_own(rules: AnyRuleset) -> None:
    """An undo keeps the orders of other seats and does not reveal them."""
    if not rules.traits.simultaneous or not rules.traits.undo:
        pytest.skip("one acts after the other, or nothing is taken back")
    tried = 0
    walks = (walk(begun(rules, [n]), numbers(f"at once {n}", 12)) for n in range(12))
    for step in chain.from_iterable(walks):
        if not step.game.can_undo(step.seat):
            continue
        alone = _copy(step.game)
        alone.undo(step.seat)
        for other in sorted(rules.owes(step.game.state) - {step.seat}):
            crowded = _copy(step.game)
            offers = offered(crowded, other)
            crowded.submit(other, offers[step.entry.seq % len(offers)])
            if crowded.view(step.seat) != step.game.view(step.seat):
                continue
            kept = crowded.view(other)
            crowded.undo(step.seat)
            assert crowded.view(step.seat) == alone.view(step.seat)
            assert crowded.view(other) == kept
            tried += 1
    assert tried > 20


def _copy(game: AnyGame) -> AnyGame:
    """Return a copy of a game that can be continued differently."""
    log = type(game.log)()
    for entry in game.log.entries:
        log.append(entry)
    log.go(game.head)
    return Game(game.rules, SEED, log)
