"""Facts and losses: events of any game in one form, for statistics, searches and animations."""

from __future__ import annotations

from fractions import Fraction
from typing import Final, Literal, TypeAlias

from engine.core.ids import Seat
from engine.core.record import Record
from engine.tabletop.board import NOBODY, BoardMark, Line

FactKind: TypeAlias = Literal[
    "move",
    "attack",
    "defence",
    "loss",
    "capture",
    "work",
    "order",
    "phase",
    "round",
    "end",
    "other",
]
"""move: from ``source`` to ``at``. attack: ``seat`` strikes ``other``. defence: ``seat`` strikes
back at ``other``, which attacks. loss: ``seat`` loses a piece. capture: ``seat`` takes or breaks a
place. work: anything built, opened, bought. order: a secret order that is still pending. phase,
round, end: a part of the game begins or ends."""

GAVE_UP: Final = "gave up"
"""Target of a fact of kind ``other``: ``seat`` has given up for good."""


class Odds(Record, frozen=True):
    """Distribution of an integer: (value, weight) of each outcome, weights in any unit."""

    values: tuple[tuple[int, int], ...]

    @property
    def total(self) -> int:
        """Sum of the weights."""
        return sum(weight for _, weight in self.values)

    @property
    def mean(self) -> Fraction:
        """Expected value."""
        return Fraction(sum(value * weight for value, weight in self.values), self.total)

    @property
    def variance(self) -> Fraction:
        """Expected squared distance from the mean."""
        squares = sum(value * value * weight for value, weight in self.values)
        return Fraction(squares, self.total) - self.mean**2


class Fact(Record, frozen=True):
    """Fact of an event, as far as the viewer of the given views may know it.

    An event may have several, such as an attack and a loss. Numbers decided by chance come with the
    odds they had just before.
    """

    kind: FactKind
    seat: Seat = NOBODY
    """Seat that acted; for a loss, the owner of the piece."""
    other: Seat = NOBODY
    """Seat that was affected."""
    at: tuple[int, int] | None = None
    """Cell where it happened: the target of a move or an attack."""
    source: tuple[int, int] | None = None
    """Cell from which the piece acted."""
    piece: str = ""
    """Name of the piece that acted, as in sentences."""
    target: str = ""
    """Name of the target."""
    won: bool | None = None
    """True if an attempt succeeded; None if it could not fail."""
    chance: tuple[int, int] | None = None
    """Probability of success as (part, whole); None if chance was not involved."""
    in_hindsight: bool = False
    """True if ``chance`` or ``odds`` count what was hidden from ``seat`` at that time."""
    amount: int | None = None
    """Number that belongs to the fact: damage, a price."""
    worth: int | None = None
    """For a loss: strength of the lost pieces, 0 if no enemy took them. None in a game in which
    losses are compared by number."""
    odds: Odds | None = None
    """Distribution of ``amount`` just before."""
    way: tuple[tuple[int, int], ...] = ()
    """Cells of a move after ``source`` in order, ending with ``at``, as far as they were seen.
    Empty if the move was a single step or its path is unknown."""


class EventMoment(Record, frozen=True):
    """Moment of an event that is shown as an animation.

    While it lasts, ``marks`` are drawn over the board and ``lines`` fill the panel.
    """

    marks: tuple[BoardMark, ...]
    lines: tuple[Line, ...] = ()


class LossRow(Record, frozen=True):
    """Loss of one seat in one event, as far as the viewer of the given views may know it.

    An event may have several: for several seats, or for the pieces and the places of one.
    """

    seat: Seat
    """Owner of the lost thing."""
    what: str
    """Name of the lost thing, as in sentences: ``3 armies and 1 spy``, ``watchtower``."""
    cause: str
    """Cause in a word or two: ``skirmish``, ``mines``."""
    pieces: int = 0
    """Number of pieces, for sums; land and buildings count as none."""
    other: Seat = NOBODY
    """Seat that caused it."""
    place: str = ""
    """Name of the place where it happened; empty if it has none."""
    at: tuple[int, int] | None = None
    """Cell where it happened."""
    rule: str = ""
