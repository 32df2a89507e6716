"""What an event means to anybody who counts, searches or draws: events of any game in one form."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, TypeAlias

from engine.core.ids import Seat
from engine.core.record import Record
from engine.tabletop.board import NOBODY

Kind: TypeAlias = Literal[
    "move", "attack", "loss", "capture", "work", "order", "phase", "round", "end", "other"
]
"""move: from ``source`` to ``at``. attack: ``seat`` strikes ``other``. loss: ``seat`` loses a
piece. capture: ``seat`` takes or breaks a place. work: anything built, opened, bought. order: a
secret order that is not carried out yet. phase, round, end: what begins or is over."""


class Odds(Record, frozen=True):
    """A whole number that chance decides: (value, weight) for each, weights in any unit."""

    values: tuple[tuple[int, int], ...]

    @property
    def total(self) -> int:
        """The sum of the weights."""
        return sum(weight for _, weight in self.values)

    @property
    def mean(self) -> Fraction:
        """The value to expect."""
        return Fraction(sum(value * weight for value, weight in self.values), self.total)

    @property
    def variance(self) -> Fraction:
        """The expected square of the distance from the mean."""
        squares = sum(value * value * weight for value, weight in self.values)
        return Fraction(squares, self.total) - self.mean**2


class Fact(Record, frozen=True):
    """One thing that happened, as far as the viewer whose views it was made from may know it.

    An event may give several, such as an attack and a loss. Numbers that chance decided come with
    the odds they had just before.
    """

    kind: Kind
    seat: Seat = NOBODY
    """Who did it; of a loss, whose piece it was."""
    other: Seat = NOBODY
    """Whom it was done to."""
    at: tuple[int, int] | None = None
    """The cell where it happened, where the mover went, where the blow fell."""
    source: tuple[int, int] | None = None
    """The cell it came from."""
    piece: str = ""
    """The name of the piece that did it, as sentences call it."""
    target: str = ""
    """The name of what it was done to."""
    won: bool | None = None
    """Whether an attempt succeeded; None where there was nothing to fail."""
    chance: tuple[int, int] | None = None
    """How likely it was to succeed: so many of so many; None where chance had no say."""
    amount: int | None = None
    """A number that goes with it: damage, a price."""
    odds: Odds | None = None
    """What ``amount`` could have been."""
