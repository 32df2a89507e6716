"""The log is the game: folding and verifying it gives the game that was played."""

from __future__ import annotations

from typing import Any

from hypothesis import given

from engine.core.codec import decoder, digest, encode
from engine.core.game import Game
from engine.core.log import AnyEntry, EventLog
from engine.core.replay import Cursor, Keyframes, fold, verify
from engine.core.ruleset import AnyRuleset, entry_type
from tests.contract.walks import SEED, WALKS, begun, examples, long_walk, numbers, walk, wander


def reread(rules: AnyRuleset, log: EventLog[Any, Any]) -> EventLog[Any, Any]:
    """Encode a log and return the decoded copy."""
    kind: Any = list[entry_type(rules)]  # type: ignore[misc]  # a type made at run time
    read: EventLog[Any, Any] = EventLog()
    for entry in decoder(kind).decode(encode(log.entries)):
        read.append(entry)
    read.go(log.head)
    return read


@examples(25)
@given(choices=WALKS)
def test_folding_the_events_gives_the_state_that_was_played(
    rules: AnyRuleset, choices: list[int]
) -> None:
    game = begun(rules, choices)
    for step in walk(game, choices):
        assert fold(rules, [step.entry], step.before) == game.state
    assert fold(rules, game.log.line()) == game.state


@examples(25)
@given(choices=WALKS)
def test_a_log_read_from_bytes_gives_the_same_game(rules: AnyRuleset, choices: list[int]) -> None:
    game = begun(rules, choices)
    wander(game, choices)
    read = reread(rules, game.log)
    assert read.entries == game.log.entries
    assert Game(rules, SEED, read).state == game.state
    assert encode(read.entries) == encode(game.log.entries)


@examples(25)
@given(choices=WALKS)
def test_every_closing_entry_carries_the_mark_of_its_state(
    rules: AnyRuleset, choices: list[int]
) -> None:
    for step in walk(begun(rules, choices), choices):
        closing = any(event.ends_phase for event in step.entry.events)
        assert (step.entry.mark is not None) == closing
        if step.entry.mark is not None:
            assert step.entry.mark.digest == digest(step.game.state)


@examples(25)
@given(choices=WALKS)
def test_verifying_finds_nothing_even_after_undo_and_branches(
    rules: AnyRuleset, choices: list[int]
) -> None:
    game = begun(rules, choices)
    wander(game, choices)
    verdict = verify(rules, reread(rules, game.log))
    assert verdict.divergence is None
    assert verdict.entries == len(game.log)
    assert verdict.marks == sum(entry.mark is not None for entry in game.log.entries)


def test_seeking_anywhere_in_a_long_game_gives_the_folded_state(rules: AnyRuleset) -> None:
    game = begun(rules)
    states = [game.state]
    for _ in walk(game, long_walk(150)):
        states.append(game.state)  # noqa: PERF401 - the walk must go on step by step
    line: list[AnyEntry] = game.log.line()
    cursor: Cursor[Any, Any, Any] = Cursor(rules, line, Keyframes(every=7))
    for place in [number % len(line) for number in numbers("seek there", 200)]:
        assert cursor.seek(place) == states[place]
    assert cursor.seek(-5) == rules.empty()
    assert cursor.seek(10_000) == game.state
