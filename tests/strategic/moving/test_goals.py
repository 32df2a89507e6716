"""Tests of goals, defending and disbanding."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.refused import Refused
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.rulesets.warlords2.state import State
from engine.strategic import goals
from engine.strategic.commands import Defend, Disband, SetGoal
from engine.strategic.decision import Decision
from engine.strategic.events import ArmiesRemoved, BattleFought, GroupMoved
from engine.strategic.pieces import NOBODY, Item, Quest
from engine.strategic.refusal import Refusal
from tests.strategic.ground import HERO, NAVY, army, city, desk, side, world

WIN = [20, 1] * 40


def go_on(state: State, dice: Any = ()) -> Decision:
    decision = desk(state, dice)
    goals.go_on(decision, settings_of(state.options), 0)
    return decision


def set_goal(state: State, command: SetGoal) -> State:
    decision = desk(state)
    goals.set_goal(decision, settings_of(state.options), 0, command)
    assert isinstance(decision.state, State)
    return decision.state


@pytest.mark.rule("W2-6.5")
def test_armies_move_on_and_drop_their_goal_on_arrival() -> None:
    """W2-6.5."""
    state = world(
        ["......."],
        armies=[
            army(1, 0, 0, goal=(1, 0)),
            army(2, 2, 0, goal=(6, 0), points=4),
            army(3, 5, 0),
        ],
    )
    after = go_on(state).state
    assert [one.at for one in after.armies.values()] == [(1, 0), (4, 0), (5, 0)]
    assert [one.goal for one in after.armies.values()] == [None, (6, 0), None]


@pytest.mark.rule("W2-6.5", "W2-6.2")
def test_armies_on_a_tile_with_the_same_goal_move_together() -> None:
    """W2-6.5, W2-6.2."""
    state = world(
        ["...."], armies=[army(1, 0, 0, goal=(3, 0), points=2), army(2, 0, 0, goal=(3, 0))]
    )
    decision = go_on(state)
    moves = [event for event in decision.events if isinstance(event, GroupMoved)]
    assert [event.armies for event in moves] == [(1, 2)]


@pytest.mark.rule("W2-6.5")
def test_army_without_a_path_drops_its_goal() -> None:
    """W2-6.5."""
    after = go_on(world([". ."], armies=[army(1, 0, 0, goal=(2, 0))])).state
    assert after.armies[1].goal is None


@pytest.mark.rule("W2-6.5")
def test_rally_flag_is_a_goal_at_its_current_place() -> None:
    """W2-6.5: -2 means the player's rally flag."""
    seats = [side(0, flag=(3, 0)), side(1)]
    state = world(["....."], armies=[army(1, 0, 0)], sides=seats)
    bound = set_goal(state, SetGoal((1,), flag=True))
    assert (bound.armies[1].goal, bound.armies[1].to_flag) == (None, True)
    after = go_on(bound).state
    assert after.armies[1].at == (3, 0)
    assert not after.armies[1].to_flag


@pytest.mark.rule("W2-6.5")
def test_flag_remains_the_goal_during_the_march() -> None:
    """W2-6.5."""
    seats = [side(0, flag=(4, 0)), side(1)]
    state = world(["....."], armies=[army(1, 0, 0, points=4, to_flag=True)], sides=seats)
    after = go_on(state).state
    assert (after.armies[1].at, after.armies[1].to_flag, after.armies[1].goal) == (
        (2, 0),
        True,
        None,
    )


@pytest.mark.rule("W2-6.5")
def test_goal_is_dropped_without_a_flag() -> None:
    """W2-6.5."""
    assert not go_on(world([".."], armies=[army(1, 0, 0, to_flag=True)])).state.armies[1].to_flag


@pytest.mark.rule("W2-6.4", "W2-6.5")
def test_a_goal_may_be_an_enemy() -> None:
    """W2-6.4, W2-6.5."""
    state = world(["..."], armies=[army(1, 0, 0, goal=(2, 0)), army(9, 2, 0, owner=1)])
    decision = go_on(state, WIN)
    assert any(isinstance(event, BattleFought) for event in decision.events)
    assert decision.state.armies[1].at == (2, 0)


@pytest.mark.rule("W2-12.3")
def test_moving_on_breaks_no_treaty() -> None:
    """W2-12.3."""
    state = world(
        ["..."],
        armies=[army(1, 1, 0, goal=(2, 0)), army(9, 2, 0, owner=1)],
        peace=True,
        options=Options(diplomacy="on"),
    )
    with pytest.raises(Refused) as refused:
        go_on(state)
    assert refused.value.code == Refusal.NOTHING_TO_DO


@pytest.mark.rule("W2-9.2")
def test_other_armies_wait_when_a_city_is_taken() -> None:
    """W2-9.2: the fate of the city must be decided first."""
    state = world(
        [".....", "....."],
        armies=[army(1, 1, 0, goal=(2, 0)), army(2, 4, 0, goal=(4, 1))],
        cities=[city(0, 2, 0, NOBODY)],
    )
    after = go_on(state).state
    assert after.question is not None
    assert after.armies[2].at == (4, 0)


REFUSED = {
    "nobody": (SetGoal((), (1, 0)), Refusal.NO_SUCH_ARMY),
    "off the map": (SetGoal((1,), (9, 9)), Refusal.NO_SUCH_TILE),
    "where it stands": (SetGoal((1,), (0, 0)), Refusal.NOTHING_TO_DO),
    "no flag": (SetGoal((1,), flag=True), Refusal.NO_SUCH_TILE),
    "both": (SetGoal((1,), (1, 0), flag=True), Refusal.NO_SUCH_TILE),
    "nothing to forget": (SetGoal((1,)), Refusal.NOTHING_TO_DO),
    "land and water": (SetGoal((1, 2), (1, 0)), Refusal.MIXED_GROUP),
}


@pytest.mark.parametrize("name", list(REFUSED))
def test_bad_goals_are_refused(name: str) -> None:
    command, code = REFUSED[name]
    with pytest.raises(Refused) as refused:
        set_goal(world(["..."], armies=[army(1, 0, 0), army(2, 0, 0, NAVY)]), command)
    assert refused.value.code == code


@pytest.mark.rule("W2-6.5")
def test_goal_can_be_cancelled() -> None:
    """W2-6.5."""
    state = world(["..."], armies=[army(1, 0, 0, goal=(2, 0))])
    assert set_goal(state, SetGoal((1,))).armies[1].goal is None


def test_moving_on_without_an_army_that_can_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        go_on(world(["..."], armies=[army(1, 0, 0), army(2, 0, 0, points=0, goal=(2, 0))]))
    assert refused.value.code == Refusal.NOTHING_TO_DO


@pytest.mark.rule("W2-6.7")
def test_armies_defend_until_another_order() -> None:
    """W2-6.7."""
    decision = desk(world(["."], armies=[army(1, 0, 0), army(2, 0, 0, defends=True)]))
    settings = settings_of(Options())
    goals.defend(decision, settings, 0, Defend((1, 2)))
    assert all(one.defends for one in decision.state.armies.values())
    with pytest.raises(Refused):
        goals.defend(decision, settings, 0, Defend((1, 2)))
    goals.defend(decision, settings, 0, Defend((1,), on=False))
    assert [one.defends for one in decision.state.armies.values()] == [False, True]


@pytest.mark.rule("W2-6.7")
def test_a_goal_ends_defending() -> None:
    """W2-6.7."""
    state = world(["..."], armies=[army(1, 0, 0, defends=True)])
    assert not set_goal(state, SetGoal((1,), (2, 0))).armies[1].defends


@pytest.mark.rule("W2-17.1")
def test_disbanded_hero_leaves_its_items() -> None:
    """W2-17."""
    sword = Item(id=5, kind="weapon", value=1, name="Sword", where="carried", holder=1)
    state = world(["."], armies=[army(1, 0, 0, HERO), army(2, 0, 0)], items=[sword])
    decision = desk(state)
    goals.disband(decision, settings_of(state.options), 0, Disband((2, 1)))
    assert decision.events[0] == ArmiesRemoved((1, 2), "disbanded")
    assert not decision.state.armies
    assert decision.state.items[5].where == "ground"


@pytest.mark.rule("W2-17.1")
def test_disbanding_a_hero_on_a_quest_needs_sure() -> None:
    """W2-17."""
    quest = Quest(kind="kill-hero", hero=1, side=1, target=9, name="Hero")
    state = world(
        [".."],
        armies=[army(1, 0, 0, HERO), army(9, 1, 0, HERO, owner=1)],
        sides=[side(0, quest=quest), side(1)],
        options=Options(quests="on"),
    )
    decision = desk(state)
    with pytest.raises(Refused) as refused:
        goals.disband(decision, settings_of(state.options), 0, Disband((1,)))
    assert refused.value.code == Refusal.NOT_SURE
    goals.disband(decision, settings_of(state.options), 0, Disband((1,), sure=True))
    assert decision.state.sides[0].quest is None
