"""Decimal bytes, paying and hits (section 4). The engine itself counts in plain integers."""

from __future__ import annotations

WRAP = 0x20
"""What the original takes for a wrapped result, as a byte: 20 points or more."""


def from_bcd(byte: int) -> int:
    """The number of a packed decimal byte. Rules: WD-NUM-1.

    Ranges are no exception: the catapult's $12 is 12. Rules: WD-NUM-5.

    Raises:
        ValueError: a nibble is above 9.
    """
    tens, ones = divmod(byte, 16)
    if not 0 <= tens <= 9 or ones > 9:
        raise ValueError(f"${byte:02X} is no decimal byte")
    return 10 * tens + ones


def to_bcd(number: int) -> int:
    """The packed decimal byte of a number. Rules: WD-NUM-1.

    Raises:
        ValueError: it is not from 0 to 99.
    """
    if not 0 <= number <= 99:
        raise ValueError(f"{number} does not fit into a decimal byte")
    return 16 * (number // 10) + number % 10


def bcd_add(a: int, b: int) -> int:
    """The sum of two decimal bytes as the original's processor makes it. Rules: WD-NUM-2."""
    return to_bcd((from_bcd(a) + from_bcd(b)) % 100)


def bcd_sub(a: int, b: int) -> int:
    """The difference of two decimal bytes; it wraps. Rules: WD-NUM-2."""
    return to_bcd((from_bcd(a) - from_bcd(b)) % 100)


def pay(b: int, price: int) -> int:
    """The points left after a step. Rules: WD-NUM-3."""
    return max(0, b - price)


def pay_bcd(b: int, price: int, *, from_table: bool) -> int:
    """What the original's bytes make of it: results of 20 and more read as 0. Rules: WD-NUM-3.

    ``from_table`` says that the price comes from the tables of river, forest and swamp.
    """
    left = bcd_sub(to_bcd(b), to_bcd(price))
    return 0 if from_table and left >= WRAP else from_bcd(left)


def life_left(v: int, damage: int) -> int:
    """The life left after a hit, 0 when it destroys. Rules: WD-NUM-4."""
    return max(0, v - damage)


def life_left_bcd(v: int, damage: int) -> int:
    """What the original's bytes make of it: 0 and everything from $5A up is destroyed.

    Rules: WD-NUM-4.
    """
    left = bcd_sub(to_bcd(v), to_bcd(damage))
    return 0 if left >= 0x5A else from_bcd(left)
