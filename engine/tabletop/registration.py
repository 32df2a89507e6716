"""Functions registered by the events that they handle, and events unknown to a presenter."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final, Generic, TypeVar, get_args

from engine.core.record import Record
from engine.tabletop.board import Line
from engine.tabletop.roles import Tone

F = TypeVar("F", bound=Callable[..., Any])


class Handlers(Generic[F]):
    """Functions by the exact type of the record that they handle."""

    def __init__(self) -> None:
        self._functions: dict[type[Any], F] = {}

    def on(self, *types: type[Any]) -> Callable[[F], F]:
        """Return a decorator that registers a function for some record types.

        Raises:
            ValueError: one of the types already has a function.
        """

        def register(function: F) -> F:
            for kind in types:
                if kind in self._functions:
                    raise ValueError(f"{kind.__name__} is registered twice")
                self._functions[kind] = function
            return function

        return register

    def get(self, record_or_type: object) -> F | None:
        """Return the function for a record or a record type, or None if none is registered."""
        kind = record_or_type if isinstance(record_or_type, type) else type(record_or_type)
        return self._functions.get(kind)

    def results(
        self, record: Record, *views: Any, default: tuple[Any, ...] = ()
    ) -> tuple[Any, ...]:
        """Return the results of the function for a record, which may return one or several.

        ``views`` are its further arguments; ``default`` is the result if no function is registered.
        """
        function = self._functions.get(type(record))
        if function is None:
            return default
        found = function(record, *views)
        return (found,) if isinstance(found, Record) else tuple(found)

    def missing(self, union: Any) -> tuple[type[Any], ...]:
        """Return the types of a union that have no function, in the order of the union."""
        return tuple(kind for kind in get_args(union) if kind not in self._functions)


UNKNOWN_EVENT: Final = (Line("Something happened that this version does not know.", Tone.QUIET),)
"""Sentence for an unknown event, which has no facts and no losses."""


def is_known(event: object, union: Any) -> bool:
    """Return whether an event is of one of the types in a union."""
    return type(event) in _kinds(union)


@cache
def _kinds(union: Any) -> frozenset[type[Any]]:
    return frozenset(get_args(union))
