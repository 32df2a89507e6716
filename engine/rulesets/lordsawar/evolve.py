"""The next state from a state and an event: no rules, dice or tables."""

from __future__ import annotations

from engine.core.record import replace
from engine.rulesets.lordsawar.events import (
    AnyEvent,
    ConditionsSet,
    DiplomacySettled,
    GameSet,
    OpinionsChanged,
    ProposalSet,
)
from engine.rulesets.lordsawar.state import NO_PROPOSAL, State
from engine.strategic import evolve as strategic


def evolve(state: State, event: AnyEvent) -> State:
    """The state after an event."""
    match event:
        case GameSet():
            return event.start
        case ConditionsSet():
            return replace(state, conditions=state.conditions.put(*event.conditions))
        case ProposalSet():
            return _proposed(state, event)
        case DiplomacySettled():
            return _settled(state, event)
        case OpinionsChanged():
            return replace(state, opinions=event.opinions)
        case _:
            return _of_the_living(strategic.evolve(state, event))


def _proposed(state: State, event: ProposalSet) -> State:
    """The state with the proposals of a side, and its stances if they are told."""
    count, side = len(state.treaties), event.side
    rows = state.proposals or ((NO_PROPOSAL,) * count,) * count
    own = replace(state.sides[side], stances=event.stances or state.sides[side].stances)
    return replace(
        state,
        proposals=(*rows[:side], event.proposals, *rows[side + 1 :]),
        sides=state.sides.put(own),
    )


def _settled(state: State, event: DiplomacySettled) -> State:
    """The state with new treaties and opinions, without proposals."""
    count = len(event.treaties)
    sides = (
        replace(side, stances=event.treaties[side.id])
        for side in state.sides.values()
        if side.id < count
    )
    return replace(
        state,
        treaties=event.treaties,
        opinions=event.opinions,
        proposals=((NO_PROPOSAL,) * count,) * count,
        sides=state.sides.put(*sides),
    )


def _of_the_living(state: State) -> State:
    """The state without conditions of armies that are gone."""
    gone = [army for army in state.conditions if army not in state.armies]
    return replace(state, conditions=state.conditions.drop(*gone)) if gone else state
