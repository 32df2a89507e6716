"""How computer players of different levels differ."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Temper:
    """What a computer player dares and thinks of."""

    nerve: float
    """The least chance of winning that it attacks with. Rules: W2-14."""

    surety: float
    """The chance that is enough: armies that are not needed for it go elsewhere."""

    hold: float
    """The chance that foes may have of taking a city before more armies stay in it."""

    guard: int
    """Armies that stay in every city, whatever threatens it."""

    searches: bool
    """Whether heroes search sites."""

    splits: bool
    """Whether armies of one stack go to different goals."""

    joins: bool
    """Whether several stacks attack the same goal in one turn."""

    vectors: bool
    """Whether cities far from the front send what they make to it."""

    buys: bool
    """Whether it buys better types of units."""

    thrift: bool
    """Whether it makes what is best for its time, and not what comes first."""

    wander: int
    """The sides of the die that is added to what a goal is worth; 0: none is."""

    fury: int
    """The turn from which on it becomes impatient, so that games end."""
