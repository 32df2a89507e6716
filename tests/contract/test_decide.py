"""decide: pure, strict about which seat may act, and never refusing an offer."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice

import pytest
from hypothesis import given

from engine.core.codec import encode
from engine.core.dice import Scripted, Seeded, unpack
from engine.core.feed import AnyChange
from engine.core.game import Game
from engine.core.ids import HOUSE, PUBLIC, REFEREE
from engine.core.notation import command_classes
from engine.core.record import Command, tag
from engine.core.refused import Denied, Refused
from engine.core.ruleset import AnyRuleset
from tests.contract.aids import aids_of, is_large
from tests.contract.plans import whole_game
from tests.contract.walks import (
    RULE_ID,
    SEED,
    WALKS,
    AnyGame,
    begun,
    examples,
    long_walk,
    nudged,
    numbers,
    offered,
    seats,
    some,
    walk,
)


@examples(15)
@given(choices=WALKS)
def test_decide_changes_nothing_and_says_the_same_twice(
    rules: AnyRuleset, choices: list[int]
) -> None:
    for step in walk(begun(rules, choices), choices):
        before = encode(step.before)
        throws = unpack(step.entry.throws)
        again = rules.decide(step.before, step.seat, step.command, Scripted(throws))
        assert again == step.entry.events
        assert encode(step.before) == before


@examples(10)
@given(choices=WALKS)
def test_no_offer_is_refused(rules: AnyRuleset, choices: list[int]) -> None:
    game = begun(rules, choices)
    steps = walk(game, choices)
    while True:
        for seat in seats(rules):
            for command in some(offered(game, seat), 40):
                dice = Seeded(b"any", len(game.log), "decide")
                assert rules.decide(game.state, seat, command, dice)
        if next(steps, None) is None:
            break


@examples(10)
@given(choices=WALKS)
def test_offers_about_one_piece_are_among_all_offers(rules: AnyRuleset, choices: list[int]) -> None:
    game = begun(rules, choices)
    list(walk(game, choices))
    for seat in seats(rules):
        every = offered(game, seat)
        for piece in range(40):
            assert all(command in every for command in rules.offers(game.view(seat), piece))
        assert not list(rules.offers(game.view(seat), 9999)), "there is no such piece"


def _reaching(rules: AnyRuleset, turn: int) -> AnyGame:
    """Return a new game on the scenario number ``turn``, every other time in a late position."""
    late_in_war = aids_of(rules).late
    if not late_in_war:
        return begun(rules, [turn])
    round_, is_late = divmod(turn, 2)
    if not is_late:
        return begun(rules, [round_])
    return Game.begin(rules, late_in_war[round_ % len(late_in_war)](), {}, SEED)


def test_offers_reach_every_kind_of_command(rules: AnyRuleset) -> None:
    wanted = set(command_classes(rules.command_type))
    seen: set[str] = set()
    for turn in (*aids_of(rules).rare_walks, *range(300)):  # short walks see more
        game = _reaching(rules, turn)
        for step in walk(game, numbers(f"reach {turn}", 30)):
            seen |= step.kinds
            if step.seat not in rules.owes(game.state):
                seen.update(tag(command) for command in offered(game, step.seat))
        if seen == wanted:
            break
    assert seen == wanted


@examples(25)
@given(choices=WALKS)
def test_somebody_owes_exactly_while_there_is_no_outcome(
    rules: AnyRuleset, choices: list[int]
) -> None:
    game = begun(rules, choices)
    for _ in walk(game, choices):
        owing = rules.owes(game.state)
        assert bool(owing) == (rules.outcome(game.state) is None)
        assert owing <= set(seats(rules))
        for seat in owing:
            assert rules.may(game.state, seat)
            assert offered(game, seat)


def test_games_end_and_then_all_are_refused(rules: AnyRuleset) -> None:
    """Computer players play the game, since a random walk may take long to end."""
    game, turns = whole_game(rules.name, 0)
    ordered = (entry.command for entry in game.log.entries[:31])
    commands = [command for command in ordered if command is not None]
    for seat, state in turns[:30]:
        commands.extend(islice(rules.offers(rules.view(state, seat)), 3))
    outcome = rules.outcome(game.state)
    assert outcome is not None
    assert set(outcome.winners) <= set(seats(rules))
    for seat in seats(rules):
        assert not offered(game, seat)
        assert not rules.may(game.state, seat)
        for command in set(commands):
            assert_refused(game, seat, command)


@examples(10)
@given(choices=WALKS)
def test_who_may_not_is_refused(rules: AnyRuleset, choices: list[int]) -> None:
    game = begun(rules, choices)
    for step in walk(game, choices):
        strangers = [*seats(rules), PUBLIC, REFEREE, rules.traits.seats[1], 99]
        for seat in strangers:
            if not rules.may(game.state, seat):
                assert_refused(game, seat, step.command)
            elif seat not in rules.owes(game.state):
                assert seat in seats(rules)


def test_commands_that_are_refused_leave_no_trace(rules: AnyRuleset) -> None:
    """Tries orders that were possible earlier, and slightly wrong variants of them."""
    game = begun(rules)
    once: list[Command] = []
    refused = 0
    for step in walk(game, long_walk(40)):
        once.extend([step.command, *nudged(rules, step.command)])
        refused += sum(_is_refused(game, seat, once[-40:]) for seat in rules.owes(game.state))
    assert refused > (100 if is_large(rules) else 0)


def _is_refused(game: AnyGame, seat: int, commands: Iterable[Command]) -> int:
    count = 0
    for command in commands:
        try:
            game.rules.decide(game.state, seat, command, Seeded(b"stale", 1, "decide"))
        except Refused:
            assert_refused(game, seat, command)
            count += 1
    return count


def assert_refused(game: AnyGame, seat: int, command: Command) -> None:
    """Check that a command is refused in plain words and changes nothing."""
    heard: list[AnyChange] = []
    stop = game.listen(heard.append)
    state, head, length = game.state, game.head, len(game.log)
    before = encode(state)
    with pytest.raises(Refused) as caught:
        game.submit(seat, command)
    stop()
    assert game.state is state
    assert encode(state) == before
    assert (game.head, len(game.log)) == (head, length)
    assert heard == []
    assert caught.value.code is not Denied.RULES_BUG
    assert re.fullmatch(r"[A-Z][^\n!]*\.", caught.value.text)
    assert re.fullmatch(RULE_ID, caught.value.rule)


@examples(10)
@given(choices=WALKS)
def test_games_without_chance_throw_no_dice(rules: AnyRuleset, choices: list[int]) -> None:
    game = begun(rules, choices)
    list(walk(game, choices))
    thrown = any(entry.throws for entry in game.log.entries)
    assert rules.traits.chance or not thrown


def test_the_house_is_not_a_player(rules: AnyRuleset) -> None:
    game = begun(rules)
    assert not rules.may(game.state, HOUSE)
    assert HOUSE not in rules.owes(game.state)
