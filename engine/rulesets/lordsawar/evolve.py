"""The next state from a state and an event: no rules, dice or tables."""

from __future__ import annotations

from engine.core.record import replace
from engine.rulesets.lordsawar.events import (
    AnyEvent,
    ConditionsSet,
    GameSet,
    NeutralGoldSet,
    ProductionStopped,
    ProposalSet,
)
from engine.rulesets.lordsawar.state import State
from engine.strategic import evolve as strategic
from engine.strategic.events import ArmiesRemoved


def evolve(state: State, event: AnyEvent) -> State:
    """The state after an event."""
    match event:
        case GameSet():
            return event.start
        case ConditionsSet():
            return replace(state, conditions=state.conditions.put(*event.conditions))
        case ProposalSet():
            rows = state.proposals
            side = event.side
            return replace(state, proposals=(*rows[:side], event.proposals, *rows[side + 1 :]))
        case ArmiesRemoved():
            gone = [army for army in event.armies if army in state.conditions]
            return strategic.evolve(replace(state, conditions=state.conditions.drop(*gone)), event)
        case NeutralGoldSet():
            return replace(state, neutral_gold=event.gold)
        case ProductionStopped():
            return replace(state, cities=state.cities.put(event.city))
        case _:
            return strategic.evolve(state, event)
