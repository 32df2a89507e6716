"""Decisions: the seats whose commands reach the rules, and events with the states around them.

A rule sees the effect of each of its events at once. So by the time a decision is made, all its
events have been evolved. ``Decided`` keeps these states, so that the game need not evolve again.
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
    """Return whether a command of this seat is passed to the rules.

    Commands of HOUSE always are. After the end those of all seats are; the rules then refuse them.
    """
    return seat == HOUSE or rules.outcome(state) is not None or rules.may(state, seat)


class Decided(tuple[E, ...]):
    """The events of a decision, equal to a plain tuple of them, with the states around each."""

    states: Sequence[Any]
    """The state before the first event, then the one after each event. Further states may follow;
    ignore them.
    """


class BaseDecision(Generic[S, E]):
    """The events of a decision while they are collected; each takes effect in ``state`` at once."""

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
        """Record an event and apply it to ``state``."""
        self.state = self._evolve(self.state, event)
        self._events.append(event)
        self._states.append(self.state)


def states_around(rules: AnyRuleset, before: S, events: Sequence[Any]) -> tuple[S, ...]:
    """Return the state before the events, then the one after each event.

    States that ``events`` brings along are used. Raises the exception of evolving an impossible
    event.
    """
    if isinstance(events, Decided) and events.states[0] is before:
        return tuple(events.states[: len(events) + 1])
    states = [before]
    for event in events:
        states.append(rules.evolve(states[-1], event))
    return tuple(states)


def mark(rules: AnyRuleset, state: object, events: Sequence[Event]) -> Mark | None:
    """Return the mark of an entry: a fingerprint of ``state``, the state after its ``events``.

    None unless one of the events ends a phase or turn.
    """
    if not any(event.ends_phase for event in events):
        return None
    return Mark(layout=layout(rules.state_type), digest=digest(state))
