"""A position of any state begins exactly there."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.dice import Scripted
from engine.core.game import Game
from engine.core.options import Value
from engine.core.record import replace
from engine.kit.records import alike
from engine.rulesets.lordsawar import setup
from engine.rulesets.lordsawar.events import GameSet
from engine.rulesets.lordsawar.rules import RULES
from engine.rulesets.lordsawar.scenario_codec import position
from engine.rulesets.lordsawar.scene import Map, Now
from engine.rulesets.lordsawar.state import Condition, Reward, State
from engine.strategic.pieces import Question
from tests.contract.walks import WALKS, examples, walk
from tests.rulesets.lordsawar.lands import scene, start

OPTIONS: Final[tuple[dict[str, Value], ...]] = (
    {},
    {"preset": "greatest", "quests": "per_hero"},
    {"hidden_map": "on", "quick_start": "even", "build_production": "usually"},
)

ELSEWHERE: Final = {"terrain", "roads", "types", "towers", "ports", "key", "no_buying"}
"""Fields of a state that a scenario tells in other words, or that this game never uses."""


def again(state: State) -> State:
    """The state that its own position begins with, without any dice."""
    described = position(state)
    setup.check(described)
    (first,) = setup.begin(described, {}, Scripted())
    assert isinstance(first, GameSet)
    return first.start


@pytest.mark.rule("LW-22")
@examples(25)
@given(choices=WALKS, ground=st.sampled_from(("ford", "fen")), options=st.sampled_from(OPTIONS))
def test_any_moment_of_a_game_begins_as_it_was(
    choices: list[int], ground: str, options: dict[str, Value]
) -> None:
    game = Game.begin(RULES, RULES.scenarios()[ground], options, b"positions")
    assert again(game.state) == game.state
    for step in walk(game, choices):
        after = step.game.state
        if after.question != step.before.question:
            assert again(after) == after
    assert again(game.state) == game.state


@pytest.mark.rule("LW-22")
def test_what_waits_and_what_is_hidden_is_told_too() -> None:
    state = start(scene(), hidden_map="on", build_production="never", neutral_cities="active")
    army = state.armies.rows()[0]
    state = replace(
        state,
        question=Question("fate", 0, city=1),
        conditions=state.conditions.put(Condition(army.id, xp="7/3", fortified=True)),
        rewards=state.rewards.put(Reward(0, "map", x=1, y=1, width=2, height=2)),
        proposals=((-1, 2), (0, -1)),
        opinions=((8, 15), (0, 8)),
        neutral_gold=77,
        turn=5,
        order=(1, 0),
        winners=(),
    )
    assert again(state) == state


def test_every_field_of_a_state_is_told_by_a_scenario() -> None:
    told = {*Map.__struct_fields__, *Now.__struct_fields__} | ELSEWHERE
    derived = {"art", "options"}
    assert set(State.__struct_fields__) - told - derived == set()


def test_a_position_is_the_same_scenario_when_taken_twice() -> None:
    state = replace(start(scene(), hidden_map="on"), order=(0, 1))
    assert position(again(state)) == position(state)
    assert alike(State, again(state)) == state
