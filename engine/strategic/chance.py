"""Throws of several dice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from engine.core.dice import Dice

T = TypeVar("T")


def roll(dice: Dice, count: int, sides: int, plus: int = 0) -> int:
    """The sum of ``count`` dice with so many sides, and ``plus``; no sides: just that. W2-1.6."""
    return plus + sum(dice.roll(sides) for _ in range(count)) if sides else plus


def pick(dice: Dice, listed: Sequence[T]) -> T:
    """One of the listed, each as likely; nothing is thrown where there is no choice."""
    return listed[dice.roll(len(listed)) - 1] if len(listed) > 1 else listed[0]
