"""A game begun from a position of any state starts exactly there."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.containers import Roster
from engine.core.dice import Scripted
from engine.core.game import Game
from engine.core.options import Value
from engine.core.record import replace
from engine.core.ruleset import ScenarioFault
from engine.kit.records import alike
from engine.rulesets.lordsawar import setup
from engine.rulesets.lordsawar.events import GameSet
from engine.rulesets.lordsawar.rules import RULES
from engine.rulesets.lordsawar.scenario_codec import position
from engine.rulesets.lordsawar.scene import Map, Now
from engine.rulesets.lordsawar.state import Condition, HeroQuest, NamedHero, Reward, State
from engine.strategic.pieces import NOBODY, Hero, Item, Question
from tests.contract.walks import WALKS, examples, walk
from tests.rulesets.lordsawar.lands import scene, start

OPTIONS: Final[tuple[dict[str, Value], ...]] = (
    {},
    {"preset": "greatest", "quests": "per_hero"},
    {"hidden_map": "on", "quick_start": "even", "build_production": "usually"},
)

ELSEWHERE: Final = {"terrain", "roads", "types", "towers", "ports", "key", "no_buying"}
"""Fields of a state that a scenario stores differently, or that this game never uses."""


def again(state: State) -> State:
    """Return the state that the state's own position begins with, without dice."""
    described = position(state)
    setup.check(described)
    (first,) = setup.begin(described, {}, Scripted())
    assert isinstance(first, GameSet)
    return first.start


@pytest.mark.rule("LW-22")
@examples(15)
@given(choices=WALKS, ground=st.sampled_from(("ford", "fen")), options=st.sampled_from(OPTIONS))
def test_position_of_any_moment_restores_its_state(
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
def test_position_keeps_questions_and_hidden_data() -> None:
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


def heroic() -> Map:
    """Return a mid-game position whose first army is a hero, with a quest and a reward."""
    state = start(scene())
    leader = replace(state.armies.rows()[0], type=27, hero=Hero("Ada"))
    state = replace(
        state,
        order=(0, 1),
        armies=state.armies.put(leader),
        rewards=Roster((Reward(0, "gold", gold=9),)),
        quests=Roster((HeroQuest(leader.id, "kill-armies", side=1, count=14),)),
    )
    return position(state)


BROKEN: Final[tuple[tuple[str, str, dict[str, object]], ...]] = (
    ("now.quests[0].id", "quests", {"id": 999}),
    ("now.quests[0].side", "quests", {"side": 9}),
    ("now.quests[0].side", "quests", {"side": NOBODY}),
    ("now.quests[0].target", "quests", {"kind": "raze-city", "target": 99}),
    ("now.quests[0].target", "quests", {"kind": "kill-type", "target": 99}),
    ("now.quests[0].count", "quests", {"count": 0}),
    ("now.quests[0].done", "quests", {"done": -1}),
    ("now.quests[0].name", "quests", {"name": "\x1b"}),
    ("now.rewards[0].id", "rewards", {"id": 99}),
    ("now.rewards[0].kind", "rewards", {"kind": "love"}),
    ("now.rewards[0].ally", "rewards", {"kind": "allies", "ally": 99}),
    ("now.rewards[0].item", "rewards", {"kind": "item", "item": 999}),
    ("now.rewards[0].site", "rewards", {"kind": "ruin", "site": 99}),
    ("now.rewards[0]", "rewards", {"kind": "map", "x": 200, "y": 0}),
    ("now.rewards[0].gold", "rewards", {"gold": -1}),
)


@pytest.mark.rule("LW-14", "LW-15", "LW-19.5")
@pytest.mark.parametrize(("place", "field", "changed"), BROKEN)
def test_broken_quests_and_rewards_in_mid_game_are_refused(
    place: str, field: str, changed: dict[str, object]
) -> None:
    whole = heroic()
    setup.check(whole)
    assert whole.now is not None
    (row,) = getattr(whole.now, field)
    broken = replace(whole, now=replace(whole.now, **{field: (replace(row, **changed),)}))
    with pytest.raises(ScenarioFault) as fault:
        setup.check(broken)
    assert fault.value.place == place


@pytest.mark.rule("LW-14", "LW-15", "LW-19.5")
@pytest.mark.parametrize("field", ["quests", "rewards"])
def test_a_hero_has_one_quest_and_a_site_one_reward(field: str) -> None:
    whole = heroic()
    assert whole.now is not None
    twice = replace(whole.now, **{field: getattr(whole.now, field) * 2})
    with pytest.raises(ScenarioFault, match="twice"):
        setup.check(replace(whole, now=twice))


BROKEN_SCENES: Final[tuple[tuple[str, dict[str, object]], ...]] = (
    ("heroes[0].name", {"heroes": (NamedHero(" "),)}),
    ("heroes[0].side", {"heroes": (NamedHero("Bo", side=9),)}),
    ("heroes[0].items[0]", {"heroes": (NamedHero("Bo", items=(Item(0, "standard", 1, "Flag"),)),)}),
    ("ground_costs", {"ground_costs": (2, 2, 3)}),
    ("ground_costs", {"ground_costs": (2, 2, 3, 4, 6, 0)}),
    ("ground_costs", {"ground_costs": (2, 2, 3, 4, 6, 61)}),
)


@pytest.mark.rule("LW-10", "LW-19.4", "LW-19.5")
@pytest.mark.parametrize(("place", "changed"), BROKEN_SCENES)
def test_broken_heroes_and_costs_are_refused(place: str, changed: dict[str, object]) -> None:
    with pytest.raises(ScenarioFault) as fault:
        setup.check(replace(scene(), **changed))
    assert fault.value.place == place


@pytest.mark.rule("LW-10", "LW-19.4", "LW-22")
def test_position_keeps_the_scenarios_heroes_and_costs() -> None:
    costs = (3, 2, 3, 4, 6, 9)
    state = start(replace(scene(), heroes=(NamedHero("Bo", side=1),), ground_costs=costs))
    state = replace(state, order=(0, 1))
    assert (state.heroes[0].name, state.ground_costs) == ("Bo", costs)
    assert again(state) == state


def test_scenario_stores_every_field_of_a_state() -> None:
    told = {*Map.__struct_fields__, *Now.__struct_fields__} | ELSEWHERE
    derived = {"art", "options"}
    assert set(State.__struct_fields__) - told - derived == set()


def test_position_taken_twice_is_the_same_scenario() -> None:
    state = replace(start(scene(), hidden_map="on"), order=(0, 1))
    assert position(again(state)) == position(state)
    assert alike(State, again(state)) == state
