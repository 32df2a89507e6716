"""Computer players: what they plan is allowed, and always the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from hypothesis import given

from engine.core import registry
from engine.core.codec import decoder, encode
from engine.core.dice import Seeded
from engine.core.record import Command
from engine.core.refused import Refused
from engine.core.ruleset import AnyRuleset
from tests.contract.walks import WALKS, AnyGame, begun, examples, walk


def levels() -> list[tuple[str, str]]:
    """Every computer player of every ruleset."""
    return [(name, level) for name in registry.names() for level in registry.find(name).bots]


def plan(rules: AnyRuleset, level: str, view: Any, seat: int, entry: int) -> tuple[Command, ...]:
    """Plan of a computer player now."""

    def offers(about: int | None = None) -> Iterator[Command]:
        return rules.offers(view, about)

    return tuple(rules.bots[level].plan(view, offers, Seeded(b"bots", entry, f"bot:{seat}")))


def first_plan(game: AnyGame, level: str) -> tuple[int, tuple[Command, ...]]:
    """The first seat that owes, and what a computer player would do there."""
    seat = min(game.rules.owes(game.state))
    return seat, plan(game.rules, level, game.view(seat), seat, len(game.log))


def carry_out(game: AnyGame, seat: int, commands: Iterable[Command]) -> None:
    """Play a plan until it is done, or until something came otherwise and the rest is refused."""
    for number, command in enumerate(commands):
        if seat not in game.rules.owes(game.state):
            return
        try:
            game.submit(seat, command)
        except Refused:
            assert number, "the first command of a plan is never refused"
            return


@pytest.mark.parametrize(("name", "level"), levels())
@examples(6)
@given(choices=WALKS)
def test_the_first_command_of_a_plan_is_accepted(name: str, level: str, choices: list[int]) -> None:
    rules = registry.find(name)
    game = begun(rules, choices)
    list(walk(game, choices))
    if rules.outcome(game.state) is None:
        seat, commands = first_plan(game, level)
        assert game.submit(seat, commands[0]).command == commands[0]


@pytest.mark.parametrize(("name", "level"), levels())
@examples(3)
@given(choices=WALKS)
def test_a_plan_depends_on_the_bytes_of_the_view_only(
    name: str, level: str, choices: list[int]
) -> None:
    rules = registry.find(name)
    game = begun(rules, choices)
    list(walk(game, choices))
    if rules.outcome(game.state) is None:
        seat, commands = first_plan(game, level)
        kind: Any = rules.view_type
        view = decoder(kind).decode(encode(game.view(seat)))
        assert plan(rules, level, view, seat, len(game.log)) == commands


def test_every_ruleset_has_an_opponent(rules: AnyRuleset) -> None:
    assert rules.bots
    assert next(iter(rules.bots)) == "easy"
