"""What is said to be left to do is what the commands would do."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from random import Random

import pytest

from engine.core.dice import Seeded
from engine.core.notation import write
from engine.core.refused import Refused
from engine.kit.grid import STEPS
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.rulesets.warlords2.state import State
from engine.strategic import goals, movement
from engine.strategic.commands import GoOn, Walk
from engine.strategic.events import GroupMoved
from engine.strategic.events.battle import BattleFought
from engine.strategic.pieces import Army
from engine.strategic.world import stacks
from engine.tabletop.ask import AskConfirm, AskOne
from engine.tabletop.focus import Focus
from tests.strategic import ground
from tests.strategic.picture.stage import PICTURE, answered, shown, texts

FAR = (8, 0)
KINDS = (ground.SCOUTS, ground.HEAVY, ground.ARCHERS, ground.BATS, ground.NAVY, ground.HERO)


MOVES = (GroupMoved, BattleFought)
"""Events of armies that go."""


def before_the_end(state: State) -> list[str]:
    """Lines of the question before the turn ends."""
    question = answered(state, Focus(0, 0), "end-turn", [])
    assert isinstance(question, AskConfirm)
    return texts(question.lines)


def reason_of(state: State, intent: str) -> str:
    """Reason why an intent is not possible."""
    offered = {one.name: one for one in PICTURE.intents(shown(state), Focus(0, 0))}
    return offered[intent].reason


@pytest.mark.rule("W2-13.2")
def test_end_of_turn_counts_marches_whose_next_step_can_be_paid() -> None:
    tired = ground.world([".h......."], armies=[ground.army(1, 0, 0, points=1, goal=FAR)])
    assert not any("goal" in line for line in before_the_end(tired))
    assert reason_of(tired, "go-on") == "No army with a goal can take its next step this turn."
    ready = ground.world([".h......."], armies=[ground.army(1, 0, 0, points=6, goal=FAR)])
    assert "1 army with a goal could go on (c)." in before_the_end(ready)
    assert reason_of(ready, "go-on") == ""
    assert reason_of(ground.world(["."], armies=[ground.army(1, 0, 0)]), "go-on") == (
        "No army has a goal."
    )


@pytest.mark.rule("W2-13.2")
def test_end_of_turn_names_goals_that_no_way_leads_to() -> None:
    cut_off = ground.world([".. ......"], armies=[ground.army(1, 0, 0, goal=FAR)])
    assert "1 army can no longer reach its goal." in before_the_end(cut_off)


@pytest.mark.rule("W2-13.2")
def test_stack_that_cannot_step_is_not_left_to_move() -> None:
    tired = ground.world([".h", "hh"], armies=[ground.army(1, 0, 0, points=1)])
    assert not before_the_end(tired)
    assert PICTURE.status(shown(tired)).todo == 0
    assert PICTURE.jumps(shown(tired), Focus(0, 0), "idle") == ()
    ready = ground.world([".h", "h."], armies=[ground.army(1, 0, 0, points=2)])
    assert PICTURE.status(shown(ready)).todo == 1


@pytest.mark.rule("W2-13.2")
def test_end_of_turn_counts_cities_that_could_produce() -> None:
    cities = [ground.city(1, 0, 0, 0), ground.city(2, 4, 0, 0, slots=())]
    state = ground.world(["......", "......"], cities=cities)
    assert before_the_end(state) == [
        "No city seems in danger. Not counted: new armies.",
        "1 city could produce armies:",
        "City 1.",
    ]


def drawn(seed: int) -> State:
    """A small land with armies of two sides; some have goals or few movement points."""
    chance = Random(seed)  # noqa: S311 - a drawn test, no secret
    rows = ["".join(chance.choice("..fhmw~ #") for _ in range(8)) for _ in range(5)]
    armies: list[Army] = []
    for number in range(1, chance.randint(4, 14)):
        x, y = chance.randrange(8), chance.randrange(5)
        owner = next((one.owner for one in armies if one.at == (x, y)), chance.randrange(2))
        goal = (chance.randrange(8), chance.randrange(5)) if chance.random() < 0.5 else None
        kind, points = chance.choice(KINDS), chance.choice((0, 1, 1, 2, 3, 8))
        armies.append(ground.army(number, x, y, kind, owner=owner, goal=goal, points=points))
    flag = (chance.randrange(8), chance.randrange(5)) if chance.random() < 0.2 else None
    return ground.world(rows, armies=armies, sides=[ground.side(0, flag=flag), ground.side(1)])


def test_end_of_turn_speaks_of_goals_exactly_where_going_on_is_accepted() -> None:
    seen = set()
    for seed in range(70):
        state = drawn(seed)
        decision = ground.desk(state, Seeded(b"goals", seed, "goals"))
        with contextlib.suppress(Refused):
            goals.go_on(decision, settings_of(state.options), 0)
        lines = before_the_end(state)
        moved = any(isinstance(event, MOVES) for event in decision.events)
        assert any("could go on (c)" in line for line in lines) == moved, seed
        assert any("goal" in line for line in lines) == bool(decision.events), seed
        assert reason_of(state, "go-on") == "" or not moved, seed
        assert reason_of(state, "go-on") or decision.events, seed
        seen.add((moved, bool(decision.events)))
    assert seen == {(True, True), (False, True), (False, False)}


def walks(armies: tuple[Army, ...]) -> Iterator[Walk]:
    """Steps of armies together, and of each alone."""
    for part in {armies, *((army,) for army in armies)}:
        ids, (x, y) = tuple(army.id for army in part), part[0].at
        for dx, dy in STEPS[8]:
            yield Walk(ids, ((x + dx, y + dy),))


def goes(state: State, walk: Walk) -> bool:
    """True if a walk is accepted and moves armies or makes them fight."""
    decision = ground.desk(state, Seeded(b"walks", 1, "walks"))
    try:
        movement.walk(decision, settings_of(state.options), 0, walk)
    except Refused:
        return False
    return any(isinstance(event, MOVES) for event in decision.events)


def test_stacks_left_to_move_are_those_that_a_walk_can_move() -> None:
    seen = set()
    for seed in range(60):
        state = drawn(seed)
        idle = PICTURE.jumps(shown(state), Focus(0, 0), "idle")
        for at, stack in stacks(state.armies).items():
            waiting = tuple(army for army in stack if army.goal is None and army.points > 0)
            if stack[0].owner == 0 and waiting:
                able = any(goes(state, walk) for walk in walks(waiting))
                assert (at in idle) == able, (seed, at)
                seen.add(able)
    assert seen == {True, False}


@pytest.mark.rule("W2-6.5")
def test_going_on_asks_before_it_attacks() -> None:
    """A goal may have been given long ago: what defends it now is said, with the chance."""
    armies = [
        ground.army(1, 0, 0, ground.LIGHT, points=20, goal=(4, 0)),
        ground.army(2, 0, 2, ground.LIGHT, points=20, goal=(4, 2)),
    ]
    free = ground.world(["......"] * 3, armies=armies)
    assert answered(free, Focus(0, 0), "go-on", []) == write(GoOn())
    held = ground.world(
        ["......"] * 3, armies=[*armies, ground.army(3, 4, 0, ground.HEAVY, owner=1)]
    )
    question = answered(held, Focus(0, 0), "go-on", [])
    assert isinstance(question, AskConfirm)
    told = texts(question.lines)
    assert told[0].startswith("Light Infantry: attack on ")
    assert "% to win" in told[0]
    assert not any("4,2" in line for line in told)
    assert answered(held, Focus(0, 0), "go-on", ["yes"]) == write(GoOn())


def test_of_several_attacks_one_alone_can_be_chosen() -> None:
    armies = [
        ground.army(1, 0, 0, ground.LIGHT, points=20, goal=(4, 0)),
        ground.army(2, 0, 2, ground.LIGHT, points=20, goal=(4, 2)),
        ground.army(3, 4, 0, ground.HEAVY, owner=1),
        ground.army(4, 4, 2, ground.LIGHT, owner=1),
    ]
    state = ground.world(["......"] * 3, armies=armies)
    question = answered(state, Focus(0, 0), "go-on", [])
    assert isinstance(question, AskOne)
    assert question.choices[0].label == "March on with all, and make all 2 attacks"
    assert all("% to win" in choice.label for choice in question.choices[1:])
    assert answered(state, Focus(0, 0), "go-on", ["-1"]) == write(GoOn())
    assert answered(state, Focus(0, 0), "go-on", ["1"]) == "march armies=2 to=4,2"
