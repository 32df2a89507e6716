"""Covering sets: few rows of options among which every two values of two options come together."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TypeVar

from engine.core.options import Option, Value

T = TypeVar("T")

_TRIES = 30
"""Rows that are drawn for each one that is taken."""

Pair = tuple[tuple[str, T], tuple[str, T]]


def values_of(option: Option) -> tuple[Value, ...]:
    """All words that an option may be set to, or the least, the middle and the most of a number."""
    if option.choices:
        return option.choices
    return tuple(dict.fromkeys((option.low, (option.low + option.high) // 2, option.high)))


def covering(values: Mapping[str, Sequence[T]]) -> tuple[dict[str, T], ...]:
    """Rows with a value for each name, in which all pairs of values of two names occur.

    Always the same for the same values: of some rows drawn by lot the one with most new pairs is
    taken, until there is none left.
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
    """All pairs of values in a row, names in the row's order."""
    return tuple(combinations(row.items(), 2))


def _corners(values: Mapping[str, Sequence[T]]) -> list[list[Pair[T]]]:
    return [
        [((one, first), (other, second)) for first in values[one] for second in values[other]]
        for one, other in combinations(values, 2)
    ]


def _drawn(values: Mapping[str, Sequence[T]], pair: Pair[T], chance: random.Random) -> dict[str, T]:
    return {name: chance.choice(list(of)) for name, of in values.items()} | dict(pair)
