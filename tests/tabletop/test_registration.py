"""Tests of functions registered for record types."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.core.record import Record
from engine.tabletop.registration import Handlers


class Rain(Record, frozen=True):
    """An event."""

    drops: int


class Snow(Rain, frozen=True):
    """A subclass of an event."""


class Wind(Record, frozen=True):
    """Another event."""


def handlers() -> Handlers[Callable[[Rain], int]]:
    made = Handlers[Callable[[Rain], int]]()

    @made.on(Rain)
    def _count(event: Rain) -> int:
        return event.drops

    return made


def test_function_is_found_by_a_record_or_its_type() -> None:
    found = handlers().get(Rain(3))
    assert found is not None
    assert found(Rain(3)) == 3
    assert handlers().get(Rain) is not None


def test_only_the_exact_type_counts() -> None:
    assert handlers().get(Snow(1)) is None
    assert handlers().get("rain") is None


def test_missing_types_are_listed_in_the_order_of_the_union() -> None:
    assert handlers().missing(Wind | Rain | Snow) == (Wind, Snow)


def test_no_type_is_registered_twice() -> None:
    with pytest.raises(ValueError, match="Rain"):
        handlers().on(Wind, Rain)(lambda event: event.drops)


def test_results_are_one_record_or_several_or_the_default() -> None:
    made = Handlers[Callable[..., object]]()
    made.on(Rain)(lambda event, more: Wind() if more else (Wind(), event))
    assert made.results(Rain(1), True) == (Wind(),)
    assert made.results(Rain(1), False) == (Wind(), Rain(1))
    assert made.results(Wind(), True) == ()
    assert made.results(Wind(), True, default=(Rain(0),)) == (Rain(0),)
