"""The numbers in ``data/numbers.toml``."""

from __future__ import annotations

from functools import cache

from engine.core.record import Record
from engine.kit.tables import load


class Number(Record, frozen=True):
    """A number of the rules, and its source."""

    value: int
    source: str


class Numbers(Record, frozen=True):
    """All numbers of the rules."""

    die: Number
    march: Number
    cry: Number


@cache
def numbers() -> Numbers:
    """Return the table of numbers; the file is read once."""
    return load("tests.toy", "numbers", Numbers)
