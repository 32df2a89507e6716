"""Registration of functions for record types, beside the functions themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, get_args

F = TypeVar("F", bound=Callable[..., Any])


class Handlers(Generic[F]):
    """Functions by the exact type of the record that they handle."""

    def __init__(self) -> None:
        self._functions: dict[type[Any], F] = {}

    def on(self, *types: type[Any]) -> Callable[[F], F]:
        """Decorator that registers a function for some record types.

        Raises:
            ValueError: one of the types has a function already.
        """

        def register(function: F) -> F:
            for kind in types:
                if kind in self._functions:
                    raise ValueError(f"{kind.__name__} is registered twice")
                self._functions[kind] = function
            return function

        return register

    def get(self, record_or_type: object) -> F | None:
        """The function for a record or a record type; None if none is registered for it."""
        kind = record_or_type if isinstance(record_or_type, type) else type(record_or_type)
        return self._functions.get(kind)

    def missing(self, union: Any) -> tuple[type[Any], ...]:
        """The types of a union that have no function, in the order of the union."""
        return tuple(kind for kind in get_args(union) if kind not in self._functions)
