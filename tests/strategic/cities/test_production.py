"""Cities make armies (section 9.3) and can be renamed."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

import pytest

from engine.core.record import replace
from engine.core.refused import Refused
from engine.rulesets.warlords2.cities import city_rules, upkeep
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.rulesets.warlords2.state import State
from engine.strategic import cities
from engine.strategic import commands as do
from engine.strategic.decision import Decision
from engine.strategic.events import ArmyMade, Counted
from engine.strategic.pieces import NONE, City
from engine.strategic.refusal import Refusal
from engine.strategic.settings import RuleSettings
from tests.strategic.ground import (
    DWARVES,
    GIANTS,
    LIGHT,
    army,
    city,
    desk,
    side,
    slot,
    world,
)

ROWS = ["....", "....", "....", "...."]


def town(**more: Any) -> City:
    """Return a city of side 0 that makes light infantry in one turn and dwarves in two."""
    usual: dict[str, Any] = {"slots": (slot(LIGHT), slot(DWARVES))}
    return city(1, 0, 0, 0, **(usual | more))


def place(*cities: City, **more: Any) -> State:
    return world(ROWS, cities=cities, **({"turn": 2} | more))


def ordered(state: State, command: Any) -> State:
    decision = desk(state)
    if isinstance(command, do.Produce):
        cities.produce(decision, settings_of(state.options), 0, command)
    elif isinstance(command, do.StopProduction):
        cities.stop_production(decision, settings_of(state.options), 0, command)
    else:
        cities.rename(decision, settings_of(state.options), 0, command)
    assert isinstance(decision.state, State)
    return decision.state


def turns(state: State, count: int, side: int = 0) -> Iterable[State]:
    """Yield the state after each of ``count`` turn starts of a side."""
    for _ in range(count):
        decision: Decision = desk(state)
        cities.pass_turn(decision, settings_of(state.options), side)
        assert isinstance(decision.state, State)
        state = decision.state
        yield state


@pytest.mark.rule("W2-9.3")
def test_army_is_made_after_the_turns_of_its_type() -> None:
    state = ordered(place(town()), do.Produce(1, 1))
    assert (state.cities[1].making, state.cities[1].left) == (1, 2)
    counts = [len(after.armies) for after in turns(state, 5)]
    assert counts == [0, 1, 1, 2, 2]


@pytest.mark.rule("W2-9.3", "W2-7")
def test_new_army_is_rested_with_the_numbers_of_its_slot() -> None:
    own = replace(slot(DWARVES), strength=5, move=13, cost=9, turns=1)
    state = ordered(place(town(slots=(own,))), do.Produce(1, 0))
    (made,) = next(iter(turns(state, 1))).armies.values()
    assert (made.type, made.owner, made.at, made.home) == (DWARVES, 0, (0, 0), 1)
    assert (made.strength, made.max_move, made.points, made.upkeep) == (5, 13, 13, 4)


@pytest.mark.rule("W2-9.3")
@pytest.mark.parametrize(("strength", "expected"), [(2, 4), (7, 9), (8, 9), (9, 9)])
def test_armies_of_enhanced_players_are_two_stronger(strength: int, expected: int) -> None:
    strong = replace(slot(LIGHT), strength=strength)
    state = place(town(slots=(strong,), making=0, left=1), sides=(side(0, enhanced=True), side(1)))
    (made,) = next(iter(turns(state, 1))).armies.values()
    assert made.strength == expected


@pytest.mark.rule("W2-9.3")
def test_new_production_order_restarts_the_count() -> None:
    state = ordered(place(town(making=1, left=1)), do.Produce(1, 0))
    assert (state.cities[1].making, state.cities[1].left) == (0, 1)
    assert ordered(state, do.Produce(1, 1)).cities[1].left == 2


@pytest.mark.rule("W2-9.3")
def test_stopping_makes_a_city_idle() -> None:
    state = ordered(place(town(making=1, left=1)), do.StopProduction(1))
    assert (state.cities[1].making, state.cities[1].left) == (NONE, 0)
    assert [after == state for after in turns(state, 2)] == [True, True]


@pytest.mark.rule("W2-9.3")
def test_production_waits_while_the_treasury_is_empty() -> None:
    poor = place(town(making=1, left=1), sides=(side(0, gold=0), side(1)))
    first, second = turns(poor, 2)
    assert (len(first.armies), len(second.armies), second.cities[1].left) == (0, 0, 0)
    rich = replace(second, sides=second.sides.put(side(0, gold=1)))
    (third,) = turns(rich, 1)
    assert (len(third.armies), third.cities[1].left) == (1, 2)


@pytest.mark.rule("W2-9.3")
def test_new_armies_fill_the_tiles_in_order_and_then_wait() -> None:
    tiles = town().tiles
    state = place(town(making=0, left=1), armies=[army(k + 1, 0, 0) for k in range(7)])
    many = [*turns(state, 27)]
    places = [after.armies[max(after.armies)].at for after in many[:25]]
    assert places == [tiles[0], *(tiles[1],) * 8, *(tiles[2],) * 8, *(tiles[3],) * 8]
    assert [len(after.armies) for after in many[24:]] == [32, 32, 32]
    freed = replace(many[-1], armies=many[-1].armies.drop(3))
    (again,) = turns(freed, 1)
    assert again.armies[max(again.armies)].at == (0, 0)


@pytest.mark.rule("W2-1.8")
def test_production_waits_at_the_limit_of_armies() -> None:
    state = place(town(making=0, left=1), armies=[army(1, 3, 2, owner=1)])
    settings = settings_of(state.options)
    full = replace_rules(settings, most_armies=1)
    decision = desk(state)
    cities.pass_turn(decision, full, 0)
    assert (len(decision.state.armies), decision.state.cities[1].left) == (1, 0)
    roomy = replace_rules(settings, most_armies=2)
    cities.pass_turn(decision, roomy, 0)
    assert len(decision.state.armies) == 2


def replace_rules(settings: RuleSettings, **more: Any) -> RuleSettings:
    return dataclasses.replace(settings, cities=dataclasses.replace(settings.cities, **more))


@pytest.mark.rule("W2-9.3")
def test_cities_act_in_id_order_with_a_single_count_event() -> None:
    towns = [
        city(k, 2 * (k - 1), 0, 0, slots=(slot(GIANTS),), making=0, left=left)
        for k, left in ((1, 2), (2, 1))
    ]
    decision = desk(place(*towns, city(3, 0, 2, 0, slots=(slot(LIGHT),))))
    cities.pass_turn(decision, settings_of(Options()), 0)
    assert [type(event) for event in decision.events] == [Counted, ArmyMade]
    assert decision.events[0] == Counted(lefts=((1, 1), (2, 0)))


@pytest.mark.rule("W2-9.3")
@pytest.mark.parametrize(
    ("command", "code"),
    [
        (do.Produce(9, 0), Refusal.NO_SUCH_CITY),
        (do.Produce(2, 0), Refusal.NO_SUCH_CITY),
        (do.Produce(3, 0), Refusal.NO_SUCH_CITY),
        (do.Produce(1, 2), Refusal.NO_SUCH_SLOT),
        (do.Produce(1, -1), Refusal.NO_SUCH_SLOT),
        (do.Produce(1, 1), Refusal.NOTHING_TO_DO),
        (do.StopProduction(2), Refusal.NO_SUCH_CITY),
        (do.RenameCity(1, ""), Refusal.BAD_NAME),
        (do.RenameCity(1, " Elm"), Refusal.BAD_NAME),
        (do.RenameCity(1, "Elm\n"), Refusal.BAD_NAME),
        (do.RenameCity(1, "E" * 16), Refusal.BAD_NAME),
        (do.RenameCity(1, "City 1"), Refusal.NOTHING_TO_DO),
        (do.RenameCity(2, "Elm"), Refusal.NO_SUCH_CITY),
    ],
)
def test_impossible_production_is_refused(command: Any, code: Refusal) -> None:
    state = place(town(making=1, left=2), city(2, 2, 0, 1), city(3, 2, 1, 0, razed=True))
    with pytest.raises(Refused) as refused:
        ordered(state, command)
    assert refused.value.code is code


@pytest.mark.rule("W2-9.3")
def test_an_idle_city_cannot_be_stopped() -> None:
    with pytest.raises(Refused) as refused:
        ordered(place(town()), do.StopProduction(1))
    assert refused.value.code is Refusal.NOTHING_TO_DO


@pytest.mark.rule("W2-9.1", "W2-17.2")
def test_city_can_be_renamed() -> None:
    assert ordered(place(town()), do.RenameCity(1, "E" * 15)).cities[1].name == "E" * 15


@pytest.mark.rule("W2-9.1")
def test_a_city_with_three_slots_is_better_defended() -> None:
    assert [city_rules(Options()).defence(slots) for slots in range(5)] == [1, 1, 1, 2, 2]


@pytest.mark.rule("W2-9.6")
@pytest.mark.parametrize(
    ("usual", "aboard", "expected"),
    [(3, False, 3), (3, True, 4), (10, True, 10), (0, True, 0), (0, False, 0)],
)
def test_upkeep_at_sea_is_at_least_four_unless_free(
    usual: int, expected: int, *, aboard: bool
) -> None:
    assert upkeep(army(1, 0, 0, upkeep=usual, aboard=aboard)) == expected
