"""Handlers by type of record, such as the sentences that each type of event is told in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, get_args

F = TypeVar("F", bound=Callable[..., Any])


class Handlers(Generic[F]):
    """Functions registered by the exact type of the record that they handle."""

    def __init__(self) -> None:
        self._found: dict[type[Any], F] = {}

    def on(self, *kinds: type[Any]) -> Callable[[F], F]:
        """Decorator that registers a function for some types.

        Raises:
            ValueError: a type has a handler already.
        """

        def register(handler: F) -> F:
            for kind in kinds:
                if kind in self._found:
                    raise ValueError(f"there are two handlers for {kind.__name__}")
                self._found[kind] = handler
            return handler

        return register

    def get(self, record: object) -> F | None:
        """The handler of a record, or of a type; None if there is none."""
        return self._found.get(record if isinstance(record, type) else type(record))

    def missing(self, union: Any) -> tuple[type[Any], ...]:
        """The types of a union that have no handler, in its order."""
        return tuple(kind for kind in get_args(union) if kind not in self._found)
