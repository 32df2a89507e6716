"""Invariants of every game of cities and turns, on random walks (section 19)."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.refused import Refused
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.state import State
from engine.strategic import cities, heroes, turns, victory
from engine.strategic import commands as do
from engine.strategic.decision import Decision
from engine.strategic.events import ArmyArrived, ArmySent, TransitsLost
from engine.strategic.pieces import NONE, STACK
from engine.strategic.settings import RuleSettings
from engine.strategic.world import World, stacks
from tests.strategic.ground import BATS, GIANTS, LIGHT, SCOUTS, army, city, side, slot, world
from tests.strategic.turns.realm import at_desk, seeded

KINDS = (SCOUTS, BATS, LIGHT, GIANTS)
CITIES = 7


def land() -> State:
    """Return two sides with a row of cities each, side 1 with a planted flag."""
    cities = [
        city(k + 1, 2 * (k % CITIES), 3 * (k // CITIES), k // CITIES, slots=(slot(SCOUTS),))
        for k in range(2 * CITIES)
    ]
    armies = [army(1, 0, 2, LIGHT), army(2, 1, 3, GIANTS, owner=1)]
    seats = (side(0, gold=60), side(1, gold=29950, flag=(3, 4)))
    rows = ["." * (2 * CITIES)] * 6
    options = Options(neutral_strength="active", random_turns="on")
    return world(rows, cities=cities, armies=armies, sides=seats, options=options)


def order(decision: Decision, settings: RuleSettings, choice: int) -> None:
    """Give one of the possible orders of the current side, or end its turn."""
    state = decision.state
    question = state.question
    if question is not None and question.kind == "hero":
        heroes.hire(decision, settings, question.side, do.Hire(bool(choice % 2)))
        turns.go_on_turn(decision, settings)
        return
    if question is not None:
        victory.answer_yield(decision, settings, question.side, do.AnswerYield(accept=False))
        return
    own = state.current
    kind, rest = choice % 6, choice // 6
    number = 1 + own * CITIES + rest % CITIES
    rest //= CITIES
    if kind == 0:
        cities.produce(decision, settings, own, do.Produce(number, rest % 4))
    elif kind == 1:
        target = 1 + own * CITIES + rest % CITIES
        cities.set_vector(decision, settings, own, do.SetVector(number, target))
    elif kind == 2:
        cities.set_vector(decision, settings, own, do.SetVector(number, flag=bool(rest % 2)))
    elif kind == 3:
        cities.buy_slot(
            decision, settings, own, do.BuySlot(number, rest % 4, KINDS[rest // 4 % len(KINDS)])
        )
    else:
        turns.end_turn(decision, settings, own)


def check(state: World, settings: RuleSettings) -> None:
    for seat in state.sides.values():
        assert 0 <= seat.gold <= 30000
    for town in state.cities.values():
        assert len(town.slots) <= 4
        assert town.defence == (1 if len(town.slots) < 3 else 2)
        assert NONE <= town.making < len(town.slots)
        assert 0 <= town.left <= 4
    targets = Counter((c.owner, c.vector) for c in state.cities.values() if c.vector != NONE)
    assert all(count <= 4 for count in targets.values())
    for stack in stacks(state.armies).values():
        assert len(stack) <= STACK
        assert len({one.owner for one in stack}) == 1
    for one in state.armies.values():
        assert 0 <= one.points <= 99
    assert all(state.turn <= one.due <= state.turn + 2 for one in state.transits.values())


@pytest.mark.rule("W2-1.4", "W2-6.3", "W2-9.1", "W2-9.3", "W2-9.5", "W2-9.6")
@settings(max_examples=40, deadline=None)
@given(
    choices=st.lists(st.integers(0, 6 * CITIES * 16 - 1), min_size=20, max_size=120),
    seed=st.integers(0, 99),
)
def test_cities_purses_and_armies_stay_in_bounds(choices: list[int], seed: int) -> None:
    state = land()
    decision, settings = at_desk(state, seeded(seed))
    turns.begin_game(decision, settings)
    for choice in choices:
        try:
            order(decision, settings, choice)
        except Refused:
            continue
        check(decision.state, settings)


@pytest.mark.rule("W2-9.5", "W2-9.3")
@settings(max_examples=20, deadline=None)
@given(vectors=st.lists(st.tuples(st.integers(1, 7), st.integers(0, 7)), max_size=12))
def test_departed_army_is_back_or_lost_within_four_turns(vectors: list[tuple[int, int]]) -> None:
    decision, settings = at_desk(land())
    turns.begin_game(decision, settings)
    for number in range(1, CITIES + 1):
        cities.produce(decision, settings, 0, do.Produce(number, 0))
    for number, target in vectors:
        try:
            to = do.SetVector(number, target) if target else do.SetVector(number)
            cities.set_vector(decision, settings, 0, to)
        except Refused:
            continue
    left: dict[int, int] = {}
    for _ in range(24):
        done = len(decision.events)
        turns.end_turn(decision, settings, decision.state.current)
        while decision.state.question is not None:
            order(decision, settings, 0)
        for event in decision.events[done:]:
            if isinstance(event, ArmySent):
                left[event.transit.id] = decision.state.turn
            elif isinstance(event, ArmyArrived):
                assert decision.state.turn - left.pop(event.transit) in {2, 4}
            elif isinstance(event, TransitsLost):
                assert all(decision.state.turn - left.pop(one) in {2, 4} for one in event.transits)
    assert set(left) == set(decision.state.transits)
