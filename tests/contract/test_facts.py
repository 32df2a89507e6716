"""Facts: what clients count, search and draw, in every game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from hypothesis import given

from engine.core.ids import REFEREE, Viewer
from engine.core.ruleset import AnyRuleset
from engine.tabletop.board import NOBODY, Line
from engine.tabletop.fact import Fact
from engine.tabletop.presenter import presenter_of
from tests.contract.aids import is_large
from tests.contract.test_pictures import assert_on, assert_readable
from tests.contract.walks import WALKS, begun, examples, long_walk, seats, viewers, walk


class Told(NamedTuple):
    """An event as one viewer sees it, with the views around it and its facts."""

    viewer: Viewer
    event: Any
    before: Any
    after: Any
    facts: tuple[Fact, ...]


def told(
    rules: AnyRuleset, choices: list[int], listeners: tuple[Viewer, ...] | None = None
) -> Iterator[Told]:
    """Yield the feed of some viewers, or of all, during a walk, including the set-up."""
    game, presenter = begun(rules, choices), presenter_of(rules)
    list(walk(game, choices))
    state = rules.empty()
    last: dict[Viewer, tuple[Any, Any]] = {}
    for entry in game.log.line():
        for event in entry.events:
            after = rules.evolve(state, event)
            for viewer in listeners or viewers(rules):
                seen = rules.redact(event, state, after, viewer)
                if seen is not None:
                    known, view = last.get(viewer, (None, None))
                    before = view if known is state else rules.view(state, viewer)
                    last[viewer] = after, rules.view(after, viewer)
                    views = before, last[viewer][1]
                    yield Told(viewer, seen, *views, presenter.facts(seen, *views))
            state = after


@examples(10)
@given(choices=WALKS)
def test_facts_name_seats_and_cells_that_exist(rules: AnyRuleset, choices: list[int]) -> None:
    presenter = presenter_of(rules)
    known = {NOBODY, *seats(rules)}
    for each in told(rules, choices):
        attackers = {fact.seat for fact in each.facts if fact.kind == "attack"}
        assert len(attackers) <= 1 or rules.traits.simultaneous
        for fact in each.facts:
            assert {fact.seat, fact.other} <= known
            for cell in (fact.at, fact.source):
                if cell is not None:
                    assert_on(presenter.board(each.after, presenter.zooms[0]), *cell)
            if fact.kind == "move":
                assert fact.at != fact.source
                assert fact.piece


@examples(10)
@given(choices=WALKS)
def test_what_happened_is_among_what_could_happen(rules: AnyRuleset, choices: list[int]) -> None:
    for each in told(rules, choices):
        for fact in each.facts:
            if fact.odds is not None:
                assert all(weight > 0 for _, weight in fact.odds.values)
                assert fact.amount in {value for value, _ in fact.odds.values}
            if fact.chance is not None:
                won, of = fact.chance
                assert 0 <= won <= of
                assert of > 0
                assert fact.won is not None
                assert won > 0 if fact.won else won < of


@examples(10)
@given(choices=WALKS)
def test_a_secret_order_is_a_fact_for_its_own_seat_only(
    rules: AnyRuleset, choices: list[int]
) -> None:
    for each in told(rules, choices):
        if each.viewer != REFEREE:
            assert all(fact.seat == each.viewer for fact in each.facts if fact.kind == "order")


def test_facts_of_a_long_walk_name_each_new_round_and_one_end_at_most(rules: AnyRuleset) -> None:
    presenter = presenter_of(rules)
    found = list(told(rules, list(long_walk(100)), (REFEREE,)))
    kinds = {fact.kind for each in found for fact in each.facts}
    rounds = {presenter.status(each.after).round for each in found[1:]}
    stages = {presenter.status(each.after).stage for each in found[1:]}
    assert kinds >= ({"move", "phase", "round"} if is_large(rules) else set())
    assert "round" in kinds or len(rounds) == 1
    assert "phase" in kinds or len(stages) == 1
    ends = [each for each in found if any(fact.kind == "end" for fact in each.facts)]
    assert len(ends) <= 1
    assert all(presenter_of(rules).status(each.after).over for each in ends)


@examples(10)
@given(choices=WALKS)
def test_the_table_of_losses_has_each_piece_that_is_lost_once(
    rules: AnyRuleset, choices: list[int]
) -> None:
    presenter, known = presenter_of(rules), set(seats(rules))
    for each in told(rules, choices):
        losses = presenter.losses(each.event, each.before, each.after)
        lost = [fact for fact in each.facts if fact.kind == "loss"]
        for seat in known:
            pieces = sum(loss.pieces for loss in losses if loss.seat == seat)
            assert pieces == sum(fact.amount or 1 for fact in lost if fact.seat == seat)
        for loss in losses:
            assert loss.seat in known
            assert loss.other in {NOBODY, *known} - {loss.seat}
            assert loss.what
            assert loss.cause
            assert_readable((Line(f"{loss.place} {loss.what} {loss.cause}", rule=loss.rule),))
            if loss.at is not None:
                assert_on(presenter.board(each.after, presenter.zooms[0]), *loss.at)
