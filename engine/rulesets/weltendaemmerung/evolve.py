"""Event application: ``evolve`` applies the results in an event and decides nothing."""

from __future__ import annotations

from typing import assert_never

from engine.core.containers import Roster
from engine.core.record import replace
from engine.rulesets.weltendaemmerung import events
from engine.rulesets.weltendaemmerung.state import NO_SITE, Now, State


def evolve(state: State, event: events.AnyEvent) -> State:
    """Return the state after an event."""
    match event:
        case events.UnitStepped():
            moved = replace(state.units[event.unit], x=event.x, y=event.y, b=event.b_left)
            return replace(state, units=state.units.put(moved))
        case events.AttackMade():
            return _attacked(state, event)
        case events.UnitDestroyed():
            fallen = replace(state.units[event.unit], alive=False)
            return replace(state, units=state.units.put(fallen))
        case events.BuildingBroken():
            return _broken(state, event)
        case events.GateShut() | events.GateOpened():
            return replace(state, terrain=state.terrain.put(event.x, event.y, event.terrain))
        case events.AttacksGiven():
            armed = Roster(replace(unit, b=1) for unit in state.units.rows())
            return replace(state, units=armed)
        case events.PointsRestored():
            rested = Roster(replace(unit, b=unit.b_max) for unit in state.units.rows())
            return replace(state, units=rested)
        case events.RoundEnded():
            return replace(state, completed=event.completed)
        case events.PhaseBegan():
            return replace(state, phase=event.phase, player=event.player)
        case events.GameWon():
            return replace(state, winner=event.side, reason=event.reason)
        case events.GameSet():
            return _set(event)
        case _:
            assert_never(event)


def _attacked(state: State, event: events.AttackMade) -> State:
    """Return the state after a hit. A destroyed unit keeps its last life value (WD-NUM-4)."""
    striker = replace(state.units[event.unit], b=event.b_left)
    rows = [striker]
    if event.v_left > 0:
        rows.append(replace(state.units[event.victim], v=event.v_left))
    return replace(state, units=state.units.put(*rows), attacks=state.attacks + 1)


def _broken(state: State, event: events.BuildingBroken) -> State:
    striker = replace(state.units[event.unit], b=event.b_left)
    sites = state.sites
    if event.site != NO_SITE:
        sites = sites.put(replace(sites[event.site], ruined=True))
    terrain = state.terrain.put(event.x, event.y, event.terrain)
    return replace(state, units=state.units.put(striker), sites=sites, terrain=terrain)


def _set(event: events.GameSet) -> State:
    scenario = event.scenario
    now = scenario.now or Now()
    return State(
        terrain=event.terrain,
        units=Roster(event.units),
        sites=Roster(event.sites),
        frontier=scenario.frontier,
        rounds=event.rounds,
        cursor=scenario.cursor,
        options=event.options,
        name=scenario.name,
        title=scenario.title,
        about=scenario.about,
        completed=now.completed,
        phase=now.phase,
        player=now.player,
        attacks=now.attacks,
        winner=now.winner,
        reason=now.reason,
        cycle=scenario.cycle,
    )
