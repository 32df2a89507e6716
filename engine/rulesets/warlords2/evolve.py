"""Compute the next state from a state and an event: no rules, dice or tables."""

from __future__ import annotations

from engine.rulesets.warlords2.events import AnyEvent, GameSet
from engine.rulesets.warlords2.state import State
from engine.strategic import evolve as strategic


def evolve(state: State, event: AnyEvent) -> State:
    """Return the state after an event."""
    return event.start if isinstance(event, GameSet) else strategic.evolve(state, event)
