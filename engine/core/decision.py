"""Decisions: who may ask for one, its scratch pad, its events with the states around them.

A rule sees each of its events booked at once, so a decision has evolved every event by the time
it is made. ``Decided`` keeps those states for the game, which therefore evolves nothing again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from engine.core.codec import digest, layout
from engine.core.dice import Dice
from engine.core.ids import HOUSE, Seat
from engine.core.log import Mark
from engine.core.record import Event
from engine.core.ruleset import AnyRuleset

S = TypeVar("S")
E = TypeVar("E")


def is_heard(rules: AnyRuleset, state: object, seat: Seat) -> bool:
    """True if a command of this seat is passed to the rules.

    Those of HOUSE always are, and after the end those of all: the rules then refuse them.
    """
    return seat == HOUSE or rules.outcome(state) is not None or rules.may(state, seat)


class Decided(tuple[E, ...]):
    """The events of a decision, equal to a plain tuple of them, with the states around each."""

    states: Sequence[Any]
    """The state before the first event, then the one after each event; perhaps more than that."""


class BaseDecision(Generic[S, E]):
    """Collects the events of one decision; each is visible in ``state`` at once."""

    def __init__(self, state: S, evolve: Callable[[S, E], S], dice: Dice) -> None:
        self.state = state
        self.dice = dice
        self._evolve = evolve
        self._events: list[E] = []
        self._states: list[S] = [state]

    @property
    def events(self) -> tuple[E, ...]:
        """The events emitted so far, in order."""
        decided = Decided(self._events)
        decided.states = self._states
        return decided

    def emit(self, event: E) -> None:
        """Record that ``event`` happened."""
        self.state = self._evolve(self.state, event)
        self._events.append(event)
        self._states.append(self.state)


def states_around(rules: AnyRuleset, before: S, events: Sequence[Any]) -> tuple[S, ...]:
    """The state before the events and the one after each: evolved only if deciding did not.

    Raises whatever evolving an impossible event raises.
    """
    if isinstance(events, Decided) and events.states[0] is before:
        return tuple(events.states[: len(events) + 1])
    states = [before]
    for event in events:
        states.append(rules.evolve(states[-1], event))
    return tuple(states)


def mark(rules: AnyRuleset, state: object, events: Sequence[Event]) -> Mark | None:
    """The mark of an entry with these events; None unless one of them ends a phase or turn."""
    if not any(event.ends_phase for event in events):
        return None
    return Mark(layout=layout(rules.state_type), digest=digest(state))
