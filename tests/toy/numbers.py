"""The numbers in ``data/numbers.toml``."""

from __future__ import annotations

from functools import cache

from engine.core.record import Record
from engine.kit.tables import load


class Number(Record, frozen=True):
    """A number, and where it comes from."""

    value: int
    source: str


class Numbers(Record, frozen=True):
    """All numbers of the rules."""

    die: Number
    march: Number
    cry: Number


@cache
def numbers() -> Numbers:
    """The table, read once."""
    return load("tests.toy", "numbers", Numbers)
