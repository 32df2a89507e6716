"""Handlers by type of record."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest

from engine.tabletop.registration import Handlers

Any3: TypeAlias = int | str | float


def made() -> Handlers[Callable[..., str]]:
    handlers: Handlers[Callable[..., str]] = Handlers()

    @handlers.on(int, str)
    def shout(value: object) -> str:
        return f"{value}!"

    return handlers


def test_a_handler_is_found_by_a_record_and_by_its_type() -> None:
    handlers = made()
    found = handlers.get(3)
    assert found is not None
    assert found(3) == "3!"
    assert handlers.get(int) is handlers.get("word") is found


def test_a_subtype_has_no_handler() -> None:
    assert made().get(True) is None


def test_the_types_without_a_handler_are_named() -> None:
    assert made().missing(Any3) == (float,)


def test_a_type_has_one_handler() -> None:
    with pytest.raises(ValueError, match="two handlers for int"):
        made().on(int)(str)
