"""Simultaneous orders: the order in which seats seal makes no difference."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engine.core.codec import encode
from engine.core.dice import Seeded
from engine.core.game import Game
from engine.core.record import Command
from engine.core.ruleset import AnyRuleset
from tests.contract.walks import SEED, begun, examples, grounds, long_walk, walk


def orders(rules: AnyRuleset, state: Any, seat: int, choices: list[int]) -> list[Command]:
    """Return a seat's orders until it owes nothing, while the other seats do nothing."""
    commands: list[Command] = []
    for choice in [*choices, *[0] * 40]:
        if seat not in rules.owes(state):
            break
        listed = list(rules.offers(rules.view(state, seat)))
        commands.append(listed[choice % len(listed)])
        for event in rules.decide(state, seat, commands[-1], Seeded(SEED, 0, "orders")):
            state = rules.evolve(state, event)
    assert seat not in rules.owes(state)
    return commands


@examples(25)
@given(
    ground=st.integers(0, 9),
    choices=st.lists(st.lists(st.integers(0, 999), max_size=6), min_size=3, max_size=3),
)
def test_orders_sealed_in_any_order_come_to_the_same(
    rules: AnyRuleset, ground: int, choices: list[list[int]]
) -> None:
    start = begun(rules, [ground])
    owing = sorted(rules.owes(start.state))
    if not rules.traits.simultaneous:
        assert len(owing) == 1
        return
    given_by = {seat: orders(rules, start.state, seat, choices[seat]) for seat in owing}
    ends = set()
    for order in permutations(owing):
        game = begun(rules, [ground])
        for seat in order:
            for command in given_by[seat]:
                game.submit(seat, command)
        ends.add((encode(game.state), encode(game.log[game.head].throws)))
    assert len(ends) == 1


def test_several_seats_owe_at_once_exactly_in_games_that_say_so(rules: AnyRuleset) -> None:
    most = 0
    for number in range(len(grounds(rules))):
        game: Game[Any, Any, Any, Any] = begun(rules, [number])
        for _ in walk(game, long_walk(60)):
            most = max(most, len(rules.owes(game.state)))
    assert (most > 1) == rules.traits.simultaneous
