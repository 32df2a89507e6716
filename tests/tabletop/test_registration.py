"""Functions registered by record type."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.core.record import Record
from engine.tabletop.registration import Handlers


class Made(Record, frozen=True):
    size: int


class Lost(Record, frozen=True):
    size: int


class MadeLarge(Made, frozen=True):
    pass


def handlers() -> Handlers[Callable[[Made | Lost], int]]:
    return Handlers()


def test_a_record_and_its_type_lead_to_the_function_registered_for_it() -> None:
    sizes = handlers()

    @sizes.on(Made)
    def size(record: Made | Lost) -> int:
        return record.size

    assert sizes.get(Made) is size
    assert sizes.get(Made(3)) is size
    assert size(Made(3)) == 3


def test_one_function_may_serve_several_types() -> None:
    sizes = handlers()
    sizes.on(Made, Lost)(lambda record: record.size)
    assert sizes.get(Lost) is sizes.get(Made)


def test_a_subclass_and_an_unknown_type_have_no_function() -> None:
    sizes = handlers()
    sizes.on(Made)(lambda record: record.size)
    assert sizes.get(MadeLarge(3)) is None
    assert sizes.get(Lost) is None


def test_a_second_function_for_a_type_is_an_error() -> None:
    sizes = handlers()
    sizes.on(Made)(lambda record: record.size)
    with pytest.raises(ValueError, match="Made is registered twice"):
        sizes.on(Lost, Made)(lambda record: record.size)


def test_the_missing_types_of_a_union_are_listed_in_its_order() -> None:
    sizes = handlers()
    assert sizes.missing(Made | Lost) == (Made, Lost)
    sizes.on(Made)(lambda record: record.size)
    assert sizes.missing(Made | Lost) == (Lost,)
