"""Registration of functions by record type, beside the definition of what they handle.

A presenter keeps one ``Handlers`` for each thing that it derives from events: sentences, facts,
losses. Dispatch is by exact type, so a record of a later version has no handler.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, get_args

F = TypeVar("F", bound=Callable[..., Any])


class Handlers(Generic[F]):
    """Functions of one signature, by the record type that they handle."""

    def __init__(self) -> None:
        """Start without functions."""
        self._found: dict[type[Any], F] = {}

    def on(self, *kinds: type[Any]) -> Callable[[F], F]:
        """Decorator that registers a function for record types.

        Raises:
            ValueError: one of them has a function already.
        """

        def register(function: F) -> F:
            for kind in kinds:
                if kind in self._found:
                    raise ValueError(f"{kind.__name__} has a handler already")
                self._found[kind] = function
            return function

        return register

    def get(self, record_or_type: object) -> F | None:
        """The function for a record or a record type; None if there is none."""
        kind = record_or_type if isinstance(record_or_type, type) else type(record_or_type)
        return self._found.get(kind)

    def missing(self, union: Any) -> tuple[type[Any], ...]:
        """The types of a union that have no function, in the union's order."""
        return tuple(kind for kind in get_args(union) or (union,) if kind not in self._found)
