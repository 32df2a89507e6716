"""Invariants of battles in a game (section 22), over random stacks."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.core.codec import digest
from engine.core.decision import BaseDecision
from engine.core.dice import Seeded
from engine.core.record import replace
from engine.rulesets.lordsawar.battle import dice_ends, roll_battle
from engine.rulesets.lordsawar.battle_records import HIT_POINT
from engine.rulesets.lordsawar.conditions import recover
from engine.rulesets.lordsawar.evolve import evolve
from engine.rulesets.lordsawar.lineup import combat_options, hits_of, strengths, strengths_of
from engine.rulesets.lordsawar.rule_settings import settings_of
from engine.rulesets.lordsawar.rules import RULES
from engine.rulesets.lordsawar.state import Condition, State
from engine.rulesets.lordsawar.tables import armyset
from engine.strategic.battle import forecast
from engine.strategic.commands import Walk
from engine.strategic.events import BattleFought
from engine.strategic.pieces import Army, HitPoints
from tests.contract.walks import examples
from tests.rulesets.lordsawar.positions import army, ordered, position

KEYS = tuple(row.key for row in armyset().units)
START, GOALS = (3, 2), ((3, 3), (4, 3), (4, 2), (2, 3))

some_hp = st.integers(1, 2 * HIT_POINT)
conditions = st.builds(
    Condition,
    id=st.just(0),
    fortified=st.booleans(),
    tower=st.booleans(),
    flags=st.one_of(st.just(-1), st.integers(0, (1 << 18) - 1)),
    xp=st.sampled_from(("0", "3", "10/3")),
)


@st.composite
def stacks(draw: st.DrawFn, first: int, owner: int, at: tuple[int, int], most: int) -> list[Army]:
    keys = draw(st.lists(st.sampled_from(KEYS), min_size=1, max_size=most))
    return [
        replace(
            army(first + place, key, owner, at, strength=draw(st.integers(1, 9))),
            hp=HitPoints(2 * HIT_POINT, 2 * HIT_POINT - draw(some_hp)),
        )
        for place, key in enumerate(keys)
    ]


@st.composite
def attacks(draw: st.DrawFn, rule: str = "deterministic") -> tuple[State, Walk]:
    goal = draw(st.sampled_from(GOALS))
    ours = draw(stacks(1, 0, START, 8))
    theirs = draw(stacks(21, 1, goal, 8))
    rows = [replace(draw(conditions), id=one.id) for one in (*ours, *theirs)]
    options: dict[str, int | str] = {
        "combat_rule": rule,
        "intense_combat": draw(st.sampled_from(("off", "on"))),
        "ship_strength": draw(st.sampled_from(("fixed4", "capped4"))),
    }
    state = position((*ours, *theirs), rows, options=options)
    return state, Walk(tuple(one.id for one in ours), (goal,))


def hp_of(state: State, number: int) -> int:
    """Return the hit points of an army, 0 if it is dead."""
    one = state.armies.get(number)
    return one.hp.most - one.hp.lost if one is not None and one.hp else 0


patient = settings(examples(60), suppress_health_check=[HealthCheck.too_slow], deadline=None)


@pytest.mark.rule("LW-5", "LW-7.2", "LW-4.2", "LW-2.1")
@patient
@given(attacks())
def test_battle_follows_its_forecast_and_records_every_hit(case: tuple[State, Walk]) -> None:
    state, command = case
    before = digest(state)
    group = tuple(state.armies[number] for number in command.armies)
    found = forecast(state, settings_of(state.options), group, command.path[0])
    assert digest(state) == before, "a forecast changes nothing"
    after, events = ordered(state, command)
    battle = next(event for event in events if isinstance(event, BattleFought))

    assert found.chance == float(battle.won)
    sides = (battle.attackers, found.odds.attackers_hp), (battle.defenders, found.odds.defenders_hp)
    for line, left in sides:
        assert [hp_of(after, one.army) for one in line] == list(left)
        dead = [hp == 0 for hp in left]
        assert dead == sorted(dead, reverse=True), "the dead are the first of their line"
    assert any(found.odds.attackers_hp) != any(found.odds.defenders_hp)

    hits = hits_of(battle.attackers, battle.defenders, battle.duels)
    assert [hit.by_attacker for hit in hits] == [n % 2 == 0 for n in range(len(hits))]
    for line, _ in sides:
        for one in line:
            taken = sum(hit.damage for hit in hits if hit.target == one.army)
            assert max(0, hp_of(state, one.army) - taken) == hp_of(after, one.army)
    assert min(one.strength for line, _ in sides for one in line) >= 1
    assert max(one.strength for line, _ in sides for one in line) <= 14


@pytest.mark.rule("LW-7", "LW-6.2")
@patient
@given(attacks())
def test_only_survivors_gain_experience(case: tuple[State, Walk]) -> None:
    state, command = case
    after, events = ordered(state, command)
    battle = next(event for event in events if isinstance(event, BattleFought))
    winners = battle.attackers if battle.won else battle.defenders
    for one in winners:
        if one.army in after.armies:
            assert after.condition(one.army).battles == state.condition(one.army).battles + 1
    assert all(number in after.armies for number in after.conditions)


@pytest.mark.rule("LW-6.5", "LW-3.2")
@patient
@given(attacks())
def test_healing_stops_at_the_maximum(case: tuple[State, Walk]) -> None:
    state, _ = case
    for phase in range(3):
        decision: BaseDecision[Any, Any] = BaseDecision(state, evolve, Seeded(b"rest", 0, "test"))
        for side in (0, 1):
            recover(decision, settings_of(state.options), side)
        for one in state.armies.values():
            now = decision.state.armies[one.id]
            assert 0 <= now.wounds <= one.wounds
            assert phase < 2 or not now.wounds, "whole after two phases"
        assert phase < 2 or not decision.events, "nothing more happens"
        state = decision.state


@pytest.mark.rule("LW-4.3", "LW-7.2")
@patient
@given(attacks("dice"), st.integers(0, 1 << 30))
def test_classic_dice_replay_and_their_odds_add_up(case: tuple[State, Walk], seed: int) -> None:
    state, command = case
    dice = Seeded(str(seed).encode(), 0, "battle")
    after, events = ordered(state, command, dice=dice)
    again = Seeded(str(seed).encode(), 0, "battle")
    assert ordered(state, command, dice=again) == (after, events)
    group = tuple(state.armies[number] for number in command.armies)
    odds = forecast(state, settings_of(state.options), group, command.path[0]).odds
    assert sum(odds.attackers_left) == pytest.approx(1)
    assert sum(odds.defenders_left) == pytest.approx(1)
    assert 1 - odds.attackers_left[0] == pytest.approx(odds.chance)
    assert odds.defenders_left[0] == pytest.approx(odds.chance)
    assert list(odds.attackers_live) == sorted(odds.attackers_live)


@pytest.mark.rule("LW-4.3", "LW-7.2")
def test_chances_of_each_army_agree_with_many_battles() -> None:
    troop = (army(1, "giants", 0, (4, 0)), army(2, "griffins", 0, (4, 0)))
    foes = (army(3, "dwarves", 1, (5, 0)), army(4, "minotaurs", 1, (5, 0)))
    state = position((*troop, *foes), options={"combat_rule": "dice"})
    met = strengths(state, combat_options(state.options), troop, (5, 0))
    ends = dice_ends(met)
    dice, lives, count = Seeded(b"many", 0, "test"), [0, 0, 0, 0], 4000
    for _ in range(count):
        course = roll_battle(dice, met)
        for place, hp in enumerate((*course.attackers_hp, *course.defenders_hp)):
            lives[place] += hp > 0
    expected = (sum(ends.won[:2]), sum(ends.won), sum(ends.lost[:2]), sum(ends.lost))
    assert [number / count for number in lives] == pytest.approx(expected, abs=0.03)
    odds = forecast(state, settings_of(state.options), troop, (5, 0)).odds
    assert (*odds.attackers_live, *odds.defenders_live) == pytest.approx(expected)


@pytest.mark.rule("LW-7")
def test_line_up_contains_everything_a_battle_needs() -> None:
    troop = (army(1, "giants", 0, (4, 0)), army(3, "dwarves", 1, (5, 0)))
    state = position(troop)
    settings = settings_of(state.options)
    lineup = settings.fighting.line_up(state, settings.fighting, troop[:1], (5, 0))
    met = strengths(state, combat_options(state.options), troop[:1], (5, 0))
    assert strengths_of(lineup).attackers.final == met.attackers.final
    assert [one.hp for one in strengths_of(lineup).defenders.line] == [2 * HIT_POINT]
    assert RULES.view(state, 0).conditions == state.conditions
