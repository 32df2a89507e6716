"""Computer players: their plans are allowed and deterministic."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from engine.core import registry
from engine.core.codec import decoder, encode
from engine.core.ruleset import AnyRuleset
from tests.contract.chosen import names
from tests.contract.plans import first_plan, plan
from tests.contract.walks import WALKS, begun, examples, walk


def levels() -> list[tuple[str, str]]:
    """Return (ruleset, level) for every computer player."""
    return [(name, level) for name in names() for level in registry.find(name).bots]


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
