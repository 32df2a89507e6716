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
    RoundScored,
)
from engine.rulesets.lordsawar.state import State
from engine.strategic import evolve as strategic


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
        case NeutralGoldSet():
            return replace(state, neutral_gold=event.gold)
        case RoundScored():
            return replace(state, scores=event.scores)
        case ProductionStopped():
            return replace(state, cities=state.cities.put(event.city))
        case _:
            return _of_the_living(strategic.evolve(state, event))


def _of_the_living(state: State) -> State:
    """The state without conditions of armies that are gone."""
    gone = [army for army in state.conditions if army not in state.armies]
    return replace(state, conditions=state.conditions.drop(*gone)) if gone else state
