"""Covering sets: a few rows of options that contain each pair of values of two options."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TypeVar

from engine.core.options import Option, Value

T = TypeVar("T")

_TRIES = 30
"""Number of random rows from which each row of the result is chosen."""

Pair = tuple[tuple[str, T], tuple[str, T]]


def values_of(option: Option) -> tuple[Value, ...]:
    """Return all words of an option, or the lowest, middle and highest value of a number."""
    if option.choices:
        return option.choices
    return tuple(dict.fromkeys((option.low, (option.low + option.high) // 2, option.high)))


def covering(values: Mapping[str, Sequence[T]]) -> tuple[dict[str, T], ...]:
    """Return rows with a value for each name that contain all pairs of values of two names.

    The result depends on the values only. Each step draws some random rows and takes the one with
    most new pairs, until no pair is missing.
    """
    chance = random.Random("covering")  # noqa: S311 - what is tested
    left = {pair: None for row in _corners(values) for pair in row}
    rows: list[dict[str, T]] = []
    while left:
        first = next(iter(left))
        drawn = [_drawn(values, first, chance) for _ in range(_TRIES)]
        best = max(drawn, key=lambda row: len(left.keys() & pairs(row)))
        rows.append(best)
        for pair in pairs(best):
            left.pop(pair, None)
    return tuple(rows)


def pairs(row: Mapping[str, T]) -> tuple[Pair[T], ...]:
    """Return all pairs of values in a row, names in the row's order."""
    return tuple(combinations(row.items(), 2))


def _corners(values: Mapping[str, Sequence[T]]) -> list[list[Pair[T]]]:
    return [
        [((one, first), (other, second)) for first in values[one] for second in values[other]]
        for one, other in combinations(values, 2)
    ]


def _drawn(values: Mapping[str, Sequence[T]], pair: Pair[T], chance: random.Random) -> dict[str, T]:
    return {name: chance.choice(list(of)) for name, of in values.items()} | dict(pair)
