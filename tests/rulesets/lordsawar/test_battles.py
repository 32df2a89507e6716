"""Battles in a game: who fights where, what is left of whom, and what the survivors learn."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.dice import Seeded
from engine.core.record import replace
from engine.rulesets.lordsawar.kinds import UnitFlag
from engine.rulesets.lordsawar.rule_settings import settings_of
from engine.rulesets.lordsawar.state import Condition, State
from engine.strategic.battle import forecast
from engine.strategic.commands import Defend, EndTurn, Walk
from engine.strategic.events import ArmiesHealed, BattleFought
from engine.strategic.pieces import HitPoints, Item
from tests.rulesets.lordsawar.positions import army, hurt, ordered, position, units


def fought(events: tuple[Any, ...]) -> BattleFought:
    """The one battle of an order."""
    (found,) = (event for event in events if isinstance(event, BattleFought))
    return found


def left(state: State, number: int) -> int:
    """Hit points that an army has, in units."""
    hp = state.armies[number].hp
    return hp.most - hp.lost if hp else units(2)


def round_on(state: State) -> tuple[State, tuple[Any, ...]]:
    """The position a round later, and what happened in the upkeep phase."""
    dice = Seeded(b"rounds", 0, "test")
    state, _ = ordered(state, EndTurn(), dice=dice)
    return ordered(state, EndTurn(), seat=1, dice=dice)


DUEL = (army(1, "giants", 0, (4, 0)), army(2, "light_infantry", 1, (5, 0)))


@pytest.mark.rule("LW-5", "LW-4.2", "LW-7", "LW-2.1")
def test_the_duel_of_the_rule_book_in_a_game() -> None:
    state, events = ordered(position(DUEL), Walk((1,), ((5, 0),)))
    battle = fought(events)
    assert battle.won
    (duel,) = battle.duels
    assert duel.dice == (units(1.125), -units(0.375), units(1.125))
    assert battle.wounds == ((1, units(0.375)),)
    assert left(state, 1) == units(1.625)
    assert state.armies[1].at == (5, 0), "the winner moves onto the emptied tile"
    assert 2 not in state.armies


@pytest.mark.rule("LW-5", "LW-6.2")
def test_hit_points_lost_stay_lost_for_the_next_battle() -> None:
    third = army(3, "light_infantry", 1, (6, 0))
    state, _ = ordered(position((*DUEL, third)), Walk((1,), ((5, 0),)))
    state, events = ordered(state, Walk((1,), ((6, 0),)))
    assert fought(events).attackers[0].hp == HitPoints(units(2), units(0.375))
    assert left(state, 1) == units(1.25)
    assert state.condition(1).xp == "2"
    assert state.condition(1).battles == 2


@pytest.mark.rule("LW-7")
def test_the_forecast_is_what_then_happens() -> None:
    state = position((hurt(DUEL[0], 1.5), army(4, "scouts", 0, (4, 0)), DUEL[1]))
    group = (state.armies[1], state.armies[4])
    found = forecast(state, settings_of(state.options), group, (5, 0))
    assert found.chance == 1.0
    assert found.lineup is not None
    line = (one.army for one in found.lineup.attackers.fighters)
    predicted = dict(zip(line, found.odds.attackers_hp, strict=True))
    after, events = ordered(state, Walk((1, 4), ((5, 0),)))
    assert fought(events).attackers == found.lineup.attackers.fighters
    for number, hp in predicted.items():
        assert (left(after, number) if number in after.armies else 0) == hp


@pytest.mark.rule("LW-6.5", "LW-13.1")
def test_an_army_heals_a_hit_point_in_an_upkeep_phase() -> None:
    state = position((hurt(DUEL[0], 0.5), hurt(army(3, "scouts", 1, (9, 7)), 1.5)))
    state, events = round_on(state)
    assert any(isinstance(event, ArmiesHealed) for event in events)
    assert left(state, 1) == units(1.5)
    assert left(state, 3) == units(2)


# -- fortified stacks ------------------------------------------------------------------------------


@pytest.mark.rule("LW-3.2", "LW-3.4", "LW-13.1")
def test_a_stack_that_defends_is_fortified_in_the_next_upkeep_phase() -> None:
    troop = (army(1, "dwarves", 0, (2, 3)), army(2, "giants", 0, (2, 3)))
    state = position((*troop, army(3, "scouts", 1, (9, 7))))
    state, _ = ordered(state, Defend((1, 2)))
    assert not state.conditions
    state, _ = round_on(state)
    assert state.condition(1) == Condition(1, fortified=True)
    assert state.condition(2) == Condition(2, fortified=True, tower=True), "giants lose no bonus"
    assert state.armies[1].defends


@pytest.mark.rule("LW-3.2")
@pytest.mark.parametrize("at", [(0, 1), (4, 6)])
def test_nobody_is_fortified_in_a_city_or_on_open_water(at: tuple[int, int]) -> None:
    state = position((army(1, "dwarves", 0, at, aboard=at == (4, 6)),))
    state, _ = ordered(state, Defend((1,)))
    state, _ = round_on(state)
    assert not state.conditions


@pytest.mark.rule("LW-3.2", "LW-12.5")
def test_an_order_to_move_ends_the_defending_and_all_that_comes_with_it() -> None:
    row = Condition(1, xp="3", fortified=True, tower=True, parked=True)
    state = position((army(1, "giants", 0, (4, 0), defends=True),), (row,))
    state, _ = ordered(state, Walk((1,), ((5, 0),)))
    assert state.condition(1) == Condition(1, xp="3")
    assert not state.armies[1].defends


@pytest.mark.rule("LW-3.2")
def test_who_defends_no_more_is_not_fortified() -> None:
    row = Condition(1, fortified=True, tower=True)
    state = position((army(1, "giants", 0, (4, 0), defends=True),), (row,))
    state, _ = ordered(state, Defend((1,), on=False))
    assert state.condition(1) == Condition(1)


@pytest.mark.rule("LW-3.2", "LW-3.4", "LW-3.7")
def test_the_worked_example_of_the_seed() -> None:
    hero = army(1, "hero", 0, (4, 0))
    ring = Item(0, "item", 6, "Ring of Power", "carried", 1)
    lord = army(2, "griffins", 1, (3, 3))
    conditions = (Condition(2, fortified=True, flags=UnitFlag.ADD1STRINHILLS),)
    state = position((replace(hero, x=3, y=2), lord), conditions, items=(ring,))
    _, events = ordered(state, Walk((1,), ((3, 3),)))
    battle = fought(events)
    assert [one.strength for one in (*battle.attackers, *battle.defenders)] == [8, 8]
