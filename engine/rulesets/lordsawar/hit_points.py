"""Hit points as whole numbers of 1/2880: damage, healing, and texts."""

from __future__ import annotations

import re
from functools import cache
from typing import Final, TypeAlias

from engine.rulesets.lordsawar.battle_records import HIT_POINT
from engine.rulesets.lordsawar.tables import armyset

DamageTable: TypeAlias = tuple[tuple[int, ...], ...]
"""Damage in units by strength of the hitter and of the target, both starting at 0."""

_DECIMALS: Final = 5
_NUMBER: Final = re.compile(r"(\d{1,4})(?:\.(\d{1,9}))?")


def most_strength() -> int:
    """Return the maximum strength that an army can reach in a battle. See: LW-3.5."""
    return armyset().combat.most_strength + armyset().combat.most_bonus


def die_sides(*, intense: bool) -> int:
    """Return the number of sides of the die behind a hit. See: LW-0, LW-4.1."""
    return armyset().combat.sides_intense if intense else armyset().combat.sides


def damage(hitter: int, target: int, sides: int) -> int:
    """Return the damage of one hit in units, from both strengths and the sides of the die.

    Rules: LW-4.1, LW-4.2.

    >>> damage(5, 2, 20) / HIT_POINT
    1.125
    """
    numbers = armyset().combat
    least = HIT_POINT * numbers.least_damage_tenths // 10
    scale = HIT_POINT * numbers.damage_factor // (sides * sides)
    return max(scale * hitter * (sides - target), least)


@cache
def damage_table(sides: int) -> DamageTable:
    """Return the damage of one hit for all possible strengths. See: LW-4.1, LW-4.2."""
    strengths = range(most_strength() + 1)
    return tuple(tuple(damage(own, other, sides) for other in strengths) for own in strengths)


# -- healing ---------------------------------------------------------------------------------------


def healing(max_hp: int) -> int:
    """Return the units that an army heals in an upkeep phase. Rules: LW-6.5.

    >>> healing(2) // HIT_POINT, healing(60) // HIT_POINT
    (1, 11)
    """
    numbers = armyset().healing
    share = HIT_POINT * max_hp // numbers.share
    if share <= HIT_POINT * numbers.plain_up_to:
        return HIT_POINT * numbers.plain_gain
    return share + HIT_POINT * numbers.large_extra


def healed(hp: int, max_hp: int, amount: int | None = None) -> int:
    """Return hit points in units after a phase, or after healing ``amount``. Rules: LW-6.5."""
    return min(HIT_POINT * max_hp, hp + (healing(max_hp) if amount is None else amount))


# -- texts -----------------------------------------------------------------------------------------


def rounded(units: int, places: int, *, ties_up: bool) -> str:
    """Format units as a decimal number; a tie rounds up, or to the even digit. Rules: LW-8.1.

    >>> rounded(3240, 2, ties_up=True), rounded(4680, 2, ties_up=False)
    ('1.13', '1.62')
    """
    whole, rest = divmod(units * 10**places, HIT_POINT)
    if 2 * rest > HIT_POINT or (2 * rest == HIT_POINT and (ties_up or whole % 2)):
        whole += 1
    before, after = divmod(whole, 10**places)
    return f"{before}.{after:0{places}}"


def damage_text(units: int) -> str:
    """Format damage with two decimals; ties round up. Rules: LW-8.1."""
    return rounded(units, 2, ties_up=True)


def log_hp_text(units: int) -> str:
    """Format hit points with two decimals; ties round to the even digit. Rules: LW-8.1."""
    return rounded(units, 2, ties_up=False)


def hp_text(units: int, max_hp: int) -> str:
    """Format hit points as shown beside an army: rounded up, with the maximum. Rules: LW-8.3.

    >>> hp_text(2520, 2)
    '1/2'
    """
    return f"{-(-units // HIT_POINT)}/{max_hp}"


def exact_text(units: int) -> str:
    """Format hit points with up to five decimals and no trailing zeros.

    Exact with normal combat. See: LW-4.2.

    >>> exact_text(2520), exact_text(5760)
    ('0.875', '2')
    """
    return rounded(units, _DECIMALS, ties_up=False).rstrip("0").rstrip(".")


def parsed_hp(text: str) -> int:
    """Return the units nearest to a decimal number; reverses ``exact_text``.

    See: LW-4.2.

    Raises:
        ValueError: the text is not a number.

    >>> parsed_hp("0.875"), parsed_hp("0.95486")
    (2520, 2750)
    """
    read = _NUMBER.fullmatch(text)
    if read is None:
        raise ValueError(f"{text!r} is no number of hit points")
    whole, after = str(read[1]), str(read[2] or "")
    scale = int(10 ** len(after))
    return (2 * int(whole + after) * HIT_POINT + scale) // (2 * scale)
