"""Properties of every Movement Phase, on random positions."""

from __future__ import annotations

from copy import deepcopy
from typing import TypeAlias

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.commands import UNITS
from engine.rulesets.gd6.evolve import evolve
from engine.rulesets.gd6.state import NOBODY, Squad, State
from tests.rulesets.gd6 import engine_movement
from tests.rulesets.gd6.movement_cases import Problem
from tests.rulesets.gd6.naive import SPEED
from tests.rulesets.gd6.naive_world import HEALTH
from tests.rulesets.gd6.positions import problems

Told: TypeAlias = list[tuple[ev.AnyEvent, State]]
"""Each event with the position after it."""


def told(problem: Problem) -> Told:
    state = engine_movement.position(problem)
    found = []
    for event in engine_movement.moved(problem).events:
        state = evolve(state, event)
        found.append((event, state))
    return found


def flying(state: State) -> list[Squad]:
    return [squad for squad in state.squads.values() if squad.flying and squad.count]


@pytest.mark.rule("GD-SKIRMISH-2", "GD-INVADE-2")
@given(problem=problems())
def test_all_units_are_present_or_lost(problem: Problem) -> None:
    before = engine_movement.units(engine_movement.position(problem))
    work = engine_movement.moved(problem)
    after, lost = engine_movement.units(work.state), engine_movement.outcome(problem, work)["lost"]
    for seat in range(engine_movement.SEATS):
        for unit in UNITS:
            had = before.get(seat, {}).get(unit, 0)
            gone = lost.get(seat, {}).get(unit, 0)
            assert after.get(seat, {}).get(unit, 0) == had - gone


@pytest.mark.rule("GD-SKIRMISH-2")
@given(problem=problems(advanced=False))
def test_skirmish_costs_each_side_the_second_largest_force(problem: Problem) -> None:
    for event, _ in told(problem):
        if isinstance(event, ev.Skirmish):
            second = sorted(before for _, before, _ in event.sides)[-2]
            assert [before - after for _, before, after in event.sides] == [
                min(before, second) for _, before, _ in event.sides
            ]


@pytest.mark.rule("GD-SKIRMISH-2", "GD-SKIRMISH-3")
@given(problem=problems())
def test_skirmish_leaves_units_to_one_seat_at_most(problem: Problem) -> None:
    for event, state in told(problem):
        if isinstance(event, ev.Skirmish):
            assert len([seat for seat, _, after in event.sides if after]) <= 1
            fought = {seat for seat, _, _ in event.sides} | {loss.seat for loss in event.losses}
            for seat in fought:
                told_left = sum(after for other, _, after in event.sides if other == seat)
                here = [
                    squad.count
                    for squad in flying(state)
                    if squad.seat == seat and HEALTH[squad.unit] and in_fight(squad, event)
                ]
                assert sum(here) == told_left


def in_fight(squad: Squad, event: ev.Skirmish) -> bool:
    start, target = edge_of(squad)
    if event.kind == "target":
        return target == event.places[0]
    around = event.places[1:] + event.places[:1]
    return (start, target) in set(zip(event.places, around, strict=True))


@pytest.mark.rule("GD-STEP-1")
@given(problem=problems())
def test_without_movers_nothing_changes(problem: Problem) -> None:
    idle: Problem = {**problem, "orders": {}}
    work = engine_movement.moved(idle)
    assert work.state.territories == engine_movement.position(idle).territories


@pytest.mark.rule("GD-STEP-3", "GD-STEP-4")
@given(problem=problems(advanced=False), data=st.data())
def test_lone_seat_loses_nothing_on_own_or_neutral_land(
    problem: Problem, data: st.DataObject
) -> None:
    assume(problem["orders"])
    seat = data.draw(st.sampled_from(sorted(problem["orders"])))
    welcome = [
        order
        for order in problem["orders"][seat]
        if all(
            problem["lands"][place]["owner"] in {None, seat}
            for place in order["path"]
            if place in problem["lands"]
        )
    ]
    alone: Problem = {**problem, "orders": {seat: welcome}}
    assert engine_movement.outcome(alone, engine_movement.moved(alone))["lost"] == {}


@pytest.mark.rule("GD-LAND-1", "GD-STEP-2")
@given(problem=problems())
def test_units_are_always_on_land_of_their_own(problem: Problem) -> None:
    for event, state in told(problem):
        for row in state.territories.values():
            counts = [getattr(row, unit) for unit in UNITS]
            assert min(counts) >= 0, event
            assert row.owner != NOBODY or not any(counts), event
        for squad in state.squads.values():
            if squad.count and not squad.flying:
                assert state.territories[squad.path[squad.hop]].owner == squad.seat, event


@pytest.mark.rule("GD-STEP-5")
@given(problem=problems())
def test_land_entered_by_survivors_in_the_last_step_is_theirs(problem: Problem) -> None:
    history = told(problem)
    _, before_end = history[-2] if len(history) > 1 else history[-1]
    for squad in before_end.squads.values():
        if squad.count and squad.hop == before_end.step:
            assert history[-1][1].territories[squad.path[-1]].owner == squad.seat


@pytest.mark.rule("GD-MOVE-2", "GD-STEP-1", "GD-UNIT-1")
@given(problem=problems())
def test_squads_keep_to_their_paths_and_speed(problem: Problem) -> None:
    history = told(problem)
    for event, state in history:
        for squad in state.squads.values():
            assert 0 <= squad.hop < len(squad.path) <= SPEED[squad.unit] + 1, event
            pairs = zip(squad.path, squad.path[1:], strict=False)
            assert all(there in problem["borders"][here] for here, there in pairs)
    for squad in history[-2][1].squads.values() if len(history) > 1 else ():
        assert not squad.count or (squad.hop == len(squad.path) - 1 and not squad.flying)


def edge_of(squad: Squad) -> tuple[int, int]:
    return squad.path[squad.hop], squad.path[squad.hop + 1]


def is_cyclic(edges: set[tuple[int, int]]) -> bool:
    """Return whether edges remain after dead ends are removed repeatedly."""
    while True:
        kept = {edge for edge in edges if any(edge[1] == other[0] for other in edges)}
        if kept == edges:
            return bool(edges)
        edges = kept


@pytest.mark.rule("GD-LOOP-1", "GD-LOOP-2")
@given(problem=problems())
def test_loops_are_resolved_before_invasions(
    problem: Problem,
) -> None:
    before, seen = engine_movement.position(problem), set[str]()
    for event, state in told(problem):
        match event:
            case ev.StepStarted():
                seen = set()
            case ev.LoopFound() | ev.InvasionBegan() if not seen:
                check_one_attacker_each(before)
                seen.add("attacks")
            case _:
                pass
        if isinstance(event, ev.InvasionBegan) and "invasions" not in seen:
            assert not is_cyclic({edge_of(squad) for squad in flying(before)})
            seen.add("invasions")
        before = state


def check_one_attacker_each(state: State) -> None:
    attackers: dict[int, int] = {}
    for squad in flying(state):
        assert attackers.setdefault(edge_of(squad)[1], squad.seat) == squad.seat


@pytest.mark.rule("GD-INVADE-1", "GD-INVADE-3", "GD-SKIRMISH-3")
@given(problem=problems(), data=st.data())
def test_one_more_unit_in_the_last_squad_never_lands_fewer(
    problem: Problem, data: st.DataObject
) -> None:
    short = one_step(problem)
    choices = [
        (seat, rank)
        for seat, orders in sorted(short["orders"].items())
        for rank, order in enumerate(orders)
        if short["lands"][order["path"][1]]["owner"] != seat
        and not any(later["path"][1] == order["path"][1] for later in orders[rank + 1 :])
    ]
    assume(choices)
    seat, rank = data.draw(st.sampled_from(choices))
    more = deepcopy(short)
    order = more["orders"][seat][rank]
    order["count"] += 1
    garrison = more["lands"][order["path"][0]]["units"]
    garrison[order["unit"]] += 1
    target = order["path"][1]
    assert landed(more, seat, target) >= landed(short, seat, target)


def one_step(problem: Problem) -> Problem:
    """Return the position with one-step moves, each for exactly the units it gets."""
    state = engine_movement.moved(problem)
    bound = [event.squads for event in state.events if isinstance(event, ev.SquadsBound)]
    short: Problem = {**problem, "orders": {}}
    for squad in sorted(bound[0] if bound else (), key=lambda squad: (squad.seat, squad.rank)):
        short["orders"].setdefault(squad.seat, []).append(
            {"path": list(squad.path[:2]), "unit": squad.unit, "count": squad.count}
        )
    return short


def landed(problem: Problem, seat: int, target: int) -> int:
    land = engine_movement.outcome(problem, engine_movement.moved(problem))["lands"][target]
    return sum(land["units"].values()) if land["owner"] == seat else 0
