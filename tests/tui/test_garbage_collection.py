"""Garbage collection pauses while the program starts, and later skips the objects from then."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from tui.app import garbage


@pytest.fixture(autouse=True)
def as_usual() -> Iterator[None]:
    yield
    gc.enable()


def test_collection_pauses_and_later_skips_existing_objects() -> None:
    garbage.rest()
    assert not gc.isenabled()
    frozen = gc.get_freeze_count()
    kept = [[number] for number in range(1000)]
    garbage.go_on()
    assert gc.isenabled()
    assert gc.get_freeze_count() >= frozen + len(kept)
