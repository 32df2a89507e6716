"""Invariants of moving, for any order (section 19, numbers 8, 9 and 15)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.dice import Seeded
from engine.core.refused import Refused
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.rulesets.warlords2.state import State
from engine.strategic import goals, movement
from engine.strategic.commands import Defend, GoOn, March, SetGoal, Walk
from engine.strategic.decision import Decision
from engine.strategic.events import GroupMoved
from engine.strategic.evolve import evolve
from engine.strategic.pieces import Army
from engine.strategic.world import World, flies, is_boat, stacks
from tests.strategic.ground import desk
from tests.strategic.moving.lands import WATER, lands, places

Order = March | Walk | SetGoal | GoOn | Defend
Land = tuple[State, tuple[Army, ...]]


def give(decision: Decision, order: Order) -> None:
    settings = settings_of(decision.state.options)  # type: ignore[attr-defined]  # a State in these tests
    match order:
        case March():
            movement.march(decision, settings, 0, order)
        case Walk():
            movement.walk(decision, settings, 0, order)
        case SetGoal():
            goals.set_goal(decision, settings, 0, order)
        case GoOn():
            goals.go_on(decision, settings, 0)
        case Defend():
            goals.defend(decision, settings, 0, order)


@st.composite
def orders(draw: st.DrawFn, state: State) -> Order:
    own = [army for army in state.armies.values() if army.owner == 0]
    if not own:
        return GoOn()
    first = draw(st.sampled_from(own))
    beside = [army.id for army in own if army.at == first.at]
    chosen = tuple(draw(st.lists(st.sampled_from(beside), min_size=1, unique=True)))
    at = st.sampled_from(places(state))
    kind = draw(st.sampled_from(["march", "march", "walk", "goal", "go on", "defend"]))
    if kind == "march":
        return March(chosen, draw(at), betray=draw(st.booleans()))
    if kind == "walk":
        near = (first.x + draw(st.integers(-1, 1)), first.y + draw(st.integers(-1, 1)))
        return Walk(chosen, (near, draw(at)) if draw(st.booleans()) else (near,))
    if kind == "goal":
        return SetGoal(chosen, draw(at))
    return GoOn() if kind == "go on" else Defend(chosen)


@pytest.mark.rule("W2-1.8", "W2-6.1", "W2-6.4", "W2-6.6", "W2-11")
@given(lands(7), st.data())
@settings(max_examples=40)
def test_position_stays_sound_after_any_order(land: Land, data: st.DataObject) -> None:
    state = land[0]
    for number in range(4):
        decision = desk(state, Seeded(b"orders", number, "orders"))
        before = state
        try:
            give(decision, data.draw(orders(state)))
        except Refused:
            continue
        assert decision.events
        sound(before, decision.state)
        told(before, decision)
        assert isinstance(decision.state, State)
        state = decision.state
        if state.question is not None:
            return


def sound(before: World, after: World) -> None:
    """Check section 19, numbers 8, 9 and 15."""
    for at, stack in stacks(after.armies).items():
        assert len(stack) <= 8
        assert len({army.owner for army in stack}) == 1
        wet = after.terrain[at[1], at[0]] in WATER
        for army in stack:
            assert 0 <= army.points <= 99
            assert wet or not army.aboard
            if army.owner == 0 and wet and army.at != before.armies[army.id].at:
                flier = flies(after, army) or is_boat(after, army)
                riding = any(flies(after, other) for other in stack)
                classic = after.options.cost_table == "classic"  # type: ignore[attr-defined]  # a State
                assert army.aboard or flier or riding or (classic and at in after.ports)
    lost = before.discovered.cells & ~after.discovered.cells
    assert not np.any(lost)


def told(before: State, decision: Decision) -> None:
    """Check that members of a group spend the same points and that a replay gives the same state.

    Armies that land or board lose all points. A classic attack may cost more than the lowest points
    in the group.
    """
    world: World = before
    for event in decision.events:
        if isinstance(event, GroupMoved):
            spent = {
                world.armies[army].points - left
                for army, left in zip(event.armies, event.points, strict=True)
            }
            classic = before.options.attack_step == "terrain"
            assert len(spent) == 1 or not any(event.points) or (classic and 0 in event.points)
        world = evolve(world, event)
    assert world == decision.state
