"""Invariants after any accepted commands (section 18), on random walks over the offers."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest
from hypothesis import given

from engine.core.dice import Scripted, Seeded
from engine.core.options import Value
from engine.core.record import replace
from engine.core.refused import Refused
from engine.rulesets.weltendaemmerung import RULES
from engine.rulesets.weltendaemmerung import commands as do
from engine.rulesets.weltendaemmerung import events as ev
from engine.rulesets.weltendaemmerung.lookup import side_of
from engine.rulesets.weltendaemmerung.moving import pay
from engine.rulesets.weltendaemmerung.state import (
    ATTACK,
    DAILOR,
    ELDOIN,
    GATES,
    MOVE,
    State,
    Terrain,
    Unit,
)
from engine.rulesets.weltendaemmerung.tables import enterable, prices, units_table
from engine.tabletop.focus import DELTAS, Direction
from tests.rulesets.weltendaemmerung.arena import CHOICES, OPTIONS, Move, begun, fold, walk

FIXED = (
    *(Terrain.RIVER, Terrain.FOREST, Terrain.END, Terrain.SWAMP),
    *(Terrain.MOUNTAIN, Terrain.HARD_WALL),
)


def living(state: State) -> list[Unit]:
    return [unit for unit in state.units.rows() if unit.alive]


def open_land(side: int) -> Terrain:
    return Terrain.PAVEMENT if side == ELDOIN else Terrain.MEADOW


def refusal(state: State, command: do.AnyCommand) -> str:
    """Return the code of a refusal, or "" if the command is accepted."""
    try:
        RULES.decide(state, state.player, command, Seeded(b"try", 0, "decide"))
    except Refused as refused:
        return str(refused.code)
    return ""


def test_walks_reach_every_kind_of_event() -> None:
    seen, reasons = set(), set()
    for start in range(75):
        for move in walk(begun(), [(start * 131 + place * 37) % 401 for place in range(120)]):
            seen |= {type(event) for event in move.events}
            reasons.add(move.after.reason)
    assert seen == set(get_args(ev.AnyEvent)) - {ev.GameSet}
    assert reasons >= {None, "time", "commander"}


@pytest.mark.rule("WD-MOVE-6", "WD-TERR-3", "WD-TERR-4", "WD-GATE-4")
@given(choices=CHOICES, options=OPTIONS)
def test_living_units_have_separate_tiles_that_they_may_enter(
    choices: list[int], options: dict[str, Value]
) -> None:
    """Invariants 1 and 2."""
    for move in walk(begun(options), choices):
        units, terrain = living(move.after), move.after.terrain
        assert len({(unit.x, unit.y) for unit in units}) == len(units)
        assert all(terrain.has(unit.x, unit.y) for unit in units)
        for unit in units:
            here = terrain[unit.y, unit.x]
            built = here == Terrain.GATE and units_table()[unit.type].kind == "ground"
            assert enterable()[unit.type][here] or built


@pytest.mark.rule("WD-TURN-4", "WD-NUM-4", "WD-WIN-6")
@given(choices=CHOICES, options=OPTIONS)
def test_points_and_life_stay_in_bounds_and_life_never_rises(
    choices: list[int], options: dict[str, Value]
) -> None:
    """Invariants 3 and 4."""
    for move in walk(begun(options), choices):
        after = move.after
        for unit in living(after):
            most = unit.b_max if after.phase == MOVE or after.reason == "time" else 1
            assert 0 <= unit.b <= most
            assert 1 <= unit.v <= units_table()[unit.type].v
            assert unit.v <= move.before.units[unit.id].v
            assert move.before.units[unit.id].alive
        if move.before.phase != ATTACK:
            assert [u.alive for u in after.units.rows()] == [
                u.alive for u in move.before.units.rows()
            ]


@pytest.mark.rule("WD-MOVE-1", "WD-MOVE-2", "WD-MOVE-8", "WD-NUM-3")
@given(choices=CHOICES, options=OPTIONS)
def test_a_step_moves_one_unit_by_one_tile_and_pays_one_price(
    choices: list[int], options: dict[str, Value]
) -> None:
    """Invariants 5, 7 and 12: the cost is that of a single tile, in any direction."""
    for move in walk(begun(options), choices):
        state = move.before
        for event in move.events:
            if isinstance(event, ev.UnitStepped):
                unit = state.units[event.unit]
                dx, dy = abs(event.x - unit.x), abs(event.y - unit.y)
                assert dx + dy == 1 or (options["steps"] == "eight" and dx == dy == 1)
                left = options["price_tile"] == "origin"
                paid_for = (unit.y, unit.x) if left else (event.y, event.x)
                assert event.b_left == pay(unit.b, prices()[unit.type][state.terrain[paid_for]])
                assert event.b_left < unit.b
                after = RULES.evolve(state, event)
                moved = replace(unit, x=event.x, y=event.y, b=event.b_left)
                assert after == replace(state, units=state.units.put(moved))
            state = RULES.evolve(state, event)


@pytest.mark.rule("WD-MOVE-3")
@given(choices=CHOICES)
def test_last_point_buys_any_step_that_is_legal(
    choices: list[int],
) -> None:
    """Invariant 6."""
    state = begun()
    for move in walk(state, choices):
        state = move.after
    if state.phase != MOVE or state.winner >= 0:
        return
    taken = {(unit.x, unit.y) for unit in living(state)}
    ways: tuple[Direction, ...] = ("up", "down", "left", "right")
    for unit in living(state):
        if side_of(unit.type) != state.player:
            continue
        for direction in ways:
            x, y = unit.x + DELTAS[direction][0], unit.y + DELTAS[direction][1]
            legal = (
                unit.b >= 1
                and state.terrain.has(x, y)
                and (x, y) not in taken
                and enterable()[unit.type][state.terrain[y, x]]
            )
            assert (refusal(state, do.StepUnit(unit.id, direction)) == "") == legal


@pytest.mark.rule("WD-MOVE-3", "WD-TURN-5")
@given(choices=CHOICES, options=OPTIONS)
def test_unit_makes_at_most_as_many_steps_as_points(
    choices: list[int], options: dict[str, Value]
) -> None:
    """Invariant 6."""
    state = begun(options)
    had, made = {unit.id: unit.b for unit in state.units.rows()}, dict.fromkeys(state.units, 0)
    for move in walk(state, choices):
        for event in move.events:
            if isinstance(event, ev.UnitStepped):
                made[event.unit] += 1
        if isinstance(move.command, do.EndPhase):
            had = {unit.id: unit.b for unit in move.after.units.rows()}
            made = dict.fromkeys(made, 0)
        assert all(made[unit] <= had[unit] for unit in made)


@pytest.mark.rule("WD-ATT-3", "WD-ATT-4", "WD-ATT-7", "WD-RNG-1")
@given(choices=CHOICES, options=OPTIONS)
def test_attack_changes_only_the_attacker_and_one_enemy(
    choices: list[int], options: dict[str, Value]
) -> None:
    """Invariant 10."""
    for move in walk(begun(options), choices):
        first = move.events[0]
        if not isinstance(first, ev.AttackMade):
            continue
        before, after = move.before, move.after
        attacker, victim = before.units[first.unit], before.units[first.victim]
        assert 0 <= first.damage - units_table()[attacker.type].a == first.modifier <= 4
        assert side_of(victim.type) != side_of(attacker.type) == before.player
        falls = first.damage >= victim.v
        assert first.v_left == (0 if falls else victim.v - first.damage)
        hit = replace(victim, alive=False) if falls else replace(victim, v=first.v_left)
        units = before.units.put(replace(attacker, b=0), hit)
        expected = replace(before, units=units, attacks=before.attacks + 1)
        assert replace(after, winner=-1, reason=None) == expected


@pytest.mark.rule("WD-ATT-1", "WD-TURN-1", "WD-TURN-5")
@given(choices=CHOICES, options=OPTIONS)
def test_units_attack_at_most_once_per_round(choices: list[int], options: dict[str, Value]) -> None:
    """Invariant 11; destroyed units do nothing (1)."""
    fought: set[tuple[int, int]] = set()
    for move in walk(begun(options), choices):
        for event in move.events:
            if isinstance(event, ev.AttackMade | ev.BuildingBroken):
                assert (move.before.completed, event.unit) not in fought
                fought.add((move.before.completed, event.unit))
            if isinstance(event, ev.AttackMade | ev.BuildingBroken | ev.UnitStepped):
                unit = move.before.units[event.unit]
                assert unit.alive
                assert side_of(unit.type) == move.before.player


@pytest.mark.rule("WD-GATE-1", "WD-GATE-3", "WD-GATE-5", "WD-SIEGE-2", "WD-SIEGE-3", "WD-SIEGE-4")
@given(choices=CHOICES, options=OPTIONS)
def test_terrain_changes_only_by_gate_work_and_sieges(
    choices: list[int], options: dict[str, Value]
) -> None:
    """Invariants 12 and 14."""
    start = begun(options)
    sieges = 0
    for move in walk(start, choices):
        sites = {(site.x, site.y): site for site in move.before.sites.rows()}
        old, new = move.before.terrain.cells, move.after.terrain.cells
        changed = [(int(x), int(y)) for y, x in np.argwhere(old != new)]
        assert len(changed) <= 1
        for x, y in changed:
            was, now = Terrain(old[y, x]), Terrain(new[y, x])
            if move.before.phase == GATES:
                assert not sites[x, y].ruined
                assert (x < start.frontier) == (move.before.player == ELDOIN)
                assert now == (
                    open_land(move.before.player) if was == Terrain.GATE else Terrain.GATE
                )
            else:
                sieges += 1
                assert move.before.phase == ATTACK
                assert now == Terrain.PAVEMENT
                assert was == Terrain.GATE or was.name.startswith("WALL")
        assert all((x, y) in sites for y, x in np.argwhere(new == Terrain.GATE))
        ruined = [site for site in move.after.sites.rows() if site.ruined]
        assert len(ruined) <= sieges
        assert all(site.x < start.frontier for site in ruined)
        fixed = np.isin(start.terrain.cells, FIXED)
        assert np.array_equal(new[fixed], start.terrain.cells[fixed])


@pytest.mark.rule("WD-GATE-3")
@given(choices=CHOICES)
def test_working_a_site_twice_restores_the_gate_or_opens_it(
    choices: list[int],
) -> None:
    """Invariant 13."""
    state = begun()
    for move in walk(state, choices):
        state = move.after
    if state.winner >= 0:
        return
    state = replace(state, phase=GATES)
    for site in state.sites.rows():
        if site.ruined or (site.x < state.frontier) != (state.player == ELDOIN):
            continue
        work = do.WorkGate((site.x, site.y))
        once = fold(state, RULES.decide(state, state.player, work, Scripted()))
        twice = fold(once, RULES.decide(once, state.player, work, Scripted()))
        was, now = state.terrain[site.y, site.x], twice.terrain[site.y, site.x]
        assert now == (was if was == Terrain.GATE else open_land(state.player))
        assert replace(twice, terrain=state.terrain) == state


@pytest.mark.rule("WD-TURN-1", "WD-TURN-3", "WD-TURN-4")
@given(choices=CHOICES)
def test_round_has_six_ends_of_phases(choices: list[int]) -> None:
    """Invariant 15."""
    state = begun()
    for move in walk(state, choices):
        state = move.after
    if state.winner >= 0 or state.completed + 1 >= state.rounds:
        return
    start = (state.phase, state.player, state.completed + 1)
    for _ in range(6):
        state = fold(state, RULES.decide(state, state.player, do.EndPhase(), Scripted()))
    assert (state.phase, state.player, state.completed) == start
    if state.phase == MOVE:
        assert all(unit.b == unit.b_max for unit in state.units.rows())


@pytest.mark.rule("WD-WIN-3", "WD-TURN-3")
@pytest.mark.parametrize("rounds", [1, 3, 15])
def test_eldoin_wins_a_game_of_passing_after_all_rounds(
    rounds: int,
) -> None:
    """Invariant 15."""
    state, commands = begun({"rounds": rounds}), 0
    while RULES.outcome(state) is None:
        state = fold(state, RULES.decide(state, state.player, do.EndPhase(), Scripted()))
        commands += 1
    assert commands == 6 * rounds
    assert (state.winner, state.reason, state.completed) == (ELDOIN, "time", rounds)


@pytest.mark.rule("WD-WIN-1", "WD-WIN-2", "WD-WIN-3", "WD-WIN-4", "WD-WIN-5")
@given(choices=CHOICES, options=OPTIONS)
def test_game_has_one_winner_and_ends_at_the_right_moment(
    choices: list[int], options: dict[str, Value]
) -> None:
    """Invariant 16."""
    state = begun(options)
    for move in walk(state, choices):
        state = move.after
        won = [event for event in move.events if isinstance(event, ev.GameWon)]
        assert len(won) <= 1
        assert (RULES.outcome(state) is not None) == bool(won)
        if won:
            assert move.events[-1] == won[0]
            assert _could_end(move, won[0])
    if state.winner < 0:
        return
    assert RULES.owes(state) == frozenset()
    everything: list[do.AnyCommand] = [do.EndPhase(), do.WorkGate((2, 1)), do.Attack(6, (0, 1))]
    everything += [do.StepUnit(1, "up"), do.MoveUnit(1, ((1, 0),))]
    assert {refusal(state, command) for command in everything} == {"GAME_OVER"}


def _could_end(move: Move, won: ev.GameWon) -> bool:
    phase = move.before.phase
    if won.side == DAILOR:
        return (won.reason, phase) in (("west_edge", MOVE), ("commander", ATTACK))
    return (won.reason, phase) in (("annihilation", ATTACK), ("time", GATES))


@pytest.mark.rule("WD-ATT-5")
@given(choices=CHOICES, options=OPTIONS)
def test_refusals_change_nothing_and_the_other_seat_may_not_act(
    choices: list[int], options: dict[str, Value]
) -> None:
    """Invariants 11 and 17."""
    state = begun(options)
    for move in walk(state, choices):
        state = move.after
    if state.winner >= 0:
        return
    before = replace(state)
    assert refusal(state, do.StepUnit(99, "up")) in ("NOT_YOURS", "WRONG_PHASE")
    assert refusal(state, do.Attack(99, (0, 0))) in ("NOT_YOURS", "WRONG_PHASE")
    with pytest.raises(Refused) as refused:
        RULES.decide(state, 1 - state.player, do.EndPhase(), Scripted())
    assert refused.value.code == "NOT_YOURS"
    assert not RULES.may(state, 1 - state.player)
    assert state == before
