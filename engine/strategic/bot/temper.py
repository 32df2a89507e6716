"""How computer players of different levels differ."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Temper:
    """What a computer player dares and thinks of."""

    nerve: float
    """The least chance of winning that it attacks with."""

    surety: float
    """The chance that is enough: armies that are not needed for it go elsewhere."""

    guard: int
    """Armies that stay in each city besides those that threats call for."""

    searches: bool
    """Whether heroes search sites."""

    splits: bool
    """Whether armies of one stack go to different goals."""

    vectors: bool
    """Whether cities far from the front send what they make to it."""

    buys: bool
    """Whether it buys better types of units."""

    wander: int
    """The sides of the die that is added to what a goal is worth; 0: none is."""
