"""A table game of two, solved by regret matching in whole numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.core.dice import Dice

UNIT: Final = 1 << 20
"""A probability of one."""

Table = Sequence[Sequence[int]]
"""What each row (first index) and column (second index) together pay."""


def mixes(rows: Table, columns: Table, rounds: int) -> tuple[list[int], list[int]]:
    """How often either side plays each of its choices, in parts of UNIT.

    ``rows`` pays the side that chooses the row, ``columns`` the other; both have the same shape.

    >>> mixes([[1, 0], [0, 1]], [[0, 1], [1, 0]], 100)
    ([524288, 524288], [524288, 524288])
    """
    height, width = len(rows), len(rows[0])
    turned_rows = [[rows[i][j] for i in range(height)] for j in range(width)]
    regret_rows, regret_columns = [0] * height, [0] * width
    total_rows, total_columns = [0] * height, [0] * width
    for number in range(1, rounds + 1):
        mix_rows, mix_columns = _by_regret(regret_rows), _by_regret(regret_columns)
        for total, mix in ((total_rows, mix_rows), (total_columns, mix_columns)):
            for place, part in enumerate(mix):
                total[place] += part * number
        _regret(regret_rows, turned_rows, mix_rows, mix_columns)
        _regret(regret_columns, columns, mix_columns, mix_rows)
    return _shared(total_rows), _shared(total_columns)


def _regret(regret: list[int], table: Table, own: list[int], other: list[int]) -> None:
    """Add what each choice would have paid more than the mix; never below nothing.

    ``table`` has for each choice of the other side what each own choice pays.
    """
    paid = [0] * len(own)
    for row, part in zip(table, other, strict=True):
        if part:
            for place, pay in enumerate(row):
                paid[place] += pay * part
    mean = sum(pay * part for pay, part in zip(paid, own, strict=True)) // UNIT
    for place, pay in enumerate(paid):
        regret[place] = max(0, regret[place] + (pay - mean) // UNIT)


def _by_regret(regret: list[int]) -> list[int]:
    """Parts as large as the regrets."""
    return _shared(regret) if any(regret) else _shared([1] * len(regret))


def _shared(amounts: list[int]) -> list[int]:
    """Amounts as parts of UNIT; what rounding leaves goes to the largest."""
    total = sum(amounts)
    parts = [amount * UNIT // total for amount in amounts]
    parts[amounts.index(max(amounts))] += UNIT - sum(parts)
    return parts


def draw(mix: Sequence[int], least: int, dice: Dice) -> int:
    """One place of a mix; those with less than ``least`` percent are left out."""
    kept = [part if part * 100 >= UNIT * least else 0 for part in mix]
    if not any(kept):
        kept = [part if part == max(mix) else 0 for part in mix]
    rest = dice.roll(sum(kept))
    for place, part in enumerate(kept):
        rest -= part
        if rest <= 0:
            return place
    return len(kept) - 1
