"""The scratch pad of one decision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from engine.core.dice import Dice

S = TypeVar("S")
E = TypeVar("E")


class Work(Generic[S, E]):
    """Collects the events of one decision; each is visible in ``state`` at once."""

    def __init__(self, state: S, evolve: Callable[[S, E], S], dice: Dice) -> None:
        self.state = state
        self.dice = dice
        self._evolve = evolve
        self._events: list[E] = []

    @property
    def events(self) -> tuple[E, ...]:
        """What has been emitted so far, in order."""
        return tuple(self._events)

    def emit(self, event: E) -> None:
        """Record that ``event`` happened."""
        self.state = self._evolve(self.state, event)
        self._events.append(event)
