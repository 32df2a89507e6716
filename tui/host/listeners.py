"""Those who want to be told of something, each told as if by themselves."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextvars import Context, copy_context
from typing import Generic, ParamSpec

P = ParamSpec("P")


class Listeners(Generic[P]):
    """Functions to call. What one of them raises is noted, and the others are told all the same.

    Each runs with the context variables of whoever added it, so that it can be known whose it is.
    """

    def __init__(self) -> None:
        """Nobody listens yet."""
        self._told: dict[object, tuple[Context, Callable[P, object]]] = {}

    def __len__(self) -> int:
        return len(self._told)

    def add(self, told: Callable[P, object]) -> Callable[[], None]:
        """Tell somebody from now on; the answer stops it."""
        key = object()
        self._told[key] = copy_context(), told

        def stop() -> None:
            self._told.pop(key, None)

        return stop

    def tell(self, *given: P.args, **named: P.kwargs) -> None:
        """Tell all."""
        for context, told in tuple(self._told.values()):
            try:
                context.copy().run(told, *given, **named)
            except Exception:
                logging.getLogger(__name__).exception("who was told of something has failed")

    def clear(self) -> None:
        """Nobody listens any more."""
        self._told.clear()
