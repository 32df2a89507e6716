"""Listeners: callbacks that are called on a change, independently of each other."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextvars import Context, copy_context
from typing import Generic, ParamSpec

P = ParamSpec("P")


class Listeners(Generic[P]):
    """Callbacks; an exception in one is logged and does not affect the others.

    Each runs with the context variables of its owner, so that its faults can be attributed.
    """

    def __init__(self) -> None:
        self._told: dict[object, tuple[Context, Callable[P, object]]] = {}

    def __len__(self) -> int:
        return len(self._told)

    def add(self, told: Callable[P, object]) -> Callable[[], None]:
        """Add a listener; call the result to remove it."""
        key = object()
        self._told[key] = copy_context(), told

        def stop() -> None:
            self._told.pop(key, None)

        return stop

    def tell(self, *given: P.args, **named: P.kwargs) -> None:
        """Call all listeners with these arguments."""
        for context, told in tuple(self._told.values()):
            try:
                context.copy().run(told, *given, **named)
            except Exception:
                logging.getLogger(__name__).exception("who was told of something has failed")

    def clear(self) -> None:
        """Remove all listeners."""
        self._told.clear()
