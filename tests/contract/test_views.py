"""Views and feeds: what a viewer sees, and what stays hidden."""

from __future__ import annotations

from typing import Any

from hypothesis import example, given

from engine.core import feed
from engine.core.codec import decoder, encode, encode_json, json_decoder
from engine.core.dice import Seeded
from engine.core.game import Game
from engine.core.ids import PUBLIC, REFEREE, Seat, Viewer
from engine.core.record import Command
from engine.core.refused import Refused
from engine.core.ruleset import AnyRuleset
from tests.contract.walks import (
    SEED,
    WALKS,
    begun,
    examples,
    grounds,
    long_walk,
    nudged,
    offered,
    seats,
    viewers,
    walk,
)


@examples(25)
@given(choices=WALKS)
def test_an_imagined_state_looks_like_the_view_it_came_from(
    rules: AnyRuleset, choices: list[int]
) -> None:
    game = begun(rules, choices)
    list(walk(game, choices))
    for viewer in viewers(rules):
        seen = game.view(viewer)
        imagined = rules.imagine(seen, Seeded(SEED, len(choices), "imagine"))
        assert rules.view(imagined, viewer) == seen


@examples(10)
@given(choices=WALKS)
def test_views_survive_their_way_through_bytes(rules: AnyRuleset, choices: list[int]) -> None:
    game = begun(rules, choices)
    list(walk(game, choices))
    kind: Any = rules.view_type
    for viewer in viewers(rules):
        seen = game.view(viewer)
        assert decoder(kind).decode(encode(seen)) == seen
        assert json_decoder(kind).decode(encode_json(seen)) == seen


def told(
    rules: AnyRuleset, state: Any, seat: Seat, command: Command, viewer: Viewer
) -> tuple[Any, tuple[Any, ...]]:
    """Return a viewer's view after a command, and the events as that viewer sees them."""
    events = rules.decide(state, seat, command, Seeded(SEED, 5, "decide"))
    known, seen = feed.told(rules, state, events, viewer)
    return seen, known


@examples(8)
@given(choices=WALKS)
@example(choices=[0, 0, 467229, 234, 1, 36])  # warlords2: a slot is bought that looks like no other
def test_what_looks_the_same_is_told_the_same(rules: AnyRuleset, choices: list[int]) -> None:
    """Equal views give equal feeds, whatever another seat does."""
    game = begun(rules, choices)
    list(walk(game, choices))
    for seat in rules.owes(game.state):
        for viewer in (*seats(rules), PUBLIC):
            feeds: dict[Any, Any] = {}
            for command in offered(game, seat)[:12]:
                seen, feed = told(rules, game.state, seat, command, viewer)
                assert viewer == seat or feeds.setdefault(encode(seen), feed) == feed


@examples(8)
@given(choices=WALKS)
def test_states_that_differ_in_hidden_things_only_answer_alike(
    rules: AnyRuleset, choices: list[int]
) -> None:
    """A seat gains no information from offers, refusals, or events that change no view."""
    game = begun(rules, choices)
    assert_answers_alike(rules, game.state, [])
    stale = [step.command for step in walk(game, choices)]
    assert_answers_alike(rules, game.state, stale[-12:])


def assert_answers_alike(rules: AnyRuleset, state: Any, stale: list[Command]) -> None:
    """Check that a seat with equal views gets equal answers, whatever it tries."""
    for seat in rules.owes(state):
        seen = rules.view(state, seat)
        twin = rules.imagine(seen, Seeded(SEED, len(stale), "imagine"))
        offers = list(rules.offers(seen))[:12]
        wrong = [other for command in offers[:4] for other in nudged(rules, command)]
        for command in [*offers, *stale, *wrong]:
            one = answer(rules, state, seat, command)
            other = answer(rules, twin, seat, command)
            if isinstance(one, str) or isinstance(other, str):
                assert one == other
            elif one[0] == other[0]:
                assert one[1] == other[1]


def answer(rules: AnyRuleset, state: Any, seat: Seat, command: Command) -> Any:
    """Return a seat's view and feed after a command, or the reason for its refusal."""
    try:
        return told(rules, state, seat, command, seat)
    except Refused as refused:
        return f"{refused.code} {refused.text} {refused.rule}"


def test_the_beginning_tells_no_more_than_it_shows(rules: AnyRuleset) -> None:
    """Games that begin differently but look the same have the same feed from the first event on."""
    for scenario in grounds(rules):
        games = [Game.begin(rules, scenario, {}, bytes([seed])) for seed in range(12)]
        for viewer in (*seats(rules), PUBLIC):
            feeds: dict[bytes, Any] = {}
            for game in games:
                state, heard = rules.empty(), []
                for event in game.log[0].events:
                    after = rules.evolve(state, event)
                    heard.append(rules.redact(event, state, after, viewer))
                    state = after
                assert feeds.setdefault(encode(game.view(viewer)), heard) == heard


def test_the_referee_is_told_everything(rules: AnyRuleset) -> None:
    game = begun(rules)
    for step in walk(game, long_walk(40)):
        state = step.before
        for event in step.entry.events:
            after = rules.evolve(state, event)
            assert rules.redact(event, state, after, REFEREE) == event
            state = after


def test_open_games_hide_nothing(rules: AnyRuleset) -> None:
    """The trait ``hidden`` is True exactly if a long walk has an event hidden from some seat."""
    kept = 0
    game = begun(rules)
    for step in walk(game, long_walk(60)):
        state = step.before
        for event in step.entry.events:
            after = rules.evolve(state, event)
            kept += sum(
                rules.redact(event, state, after, viewer) != event for viewer in seats(rules)
            )
            state = after
    assert bool(kept) == rules.traits.hidden


def test_bots_and_offers_need_nothing_but_the_view(rules: AnyRuleset) -> None:
    game = begun(rules)
    kind: Any = rules.view_type
    for step in walk(game, long_walk(20)):
        seen = rules.view(step.before, step.seat)
        read = decoder(kind).decode(encode(seen))
        assert list(rules.offers(read)) == list(rules.offers(seen))
        assert step.command in list(rules.offers(read))
