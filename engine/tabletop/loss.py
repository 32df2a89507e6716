"""Losses of events: rows of a table of what each seat lost and why, in one form for all games."""

from __future__ import annotations

from engine.core.ids import Seat
from engine.core.record import Record
from engine.tabletop.board import NOBODY


class LossRow(Record, frozen=True):
    """Loss of one seat in one event, as far as the viewer whose views it was made from may know it.

    An event may have several: for several seats, or for the pieces and the places of one.
    """

    seat: Seat
    """Owner of what was lost."""
    what: str
    """Name of what was lost, as in sentences: ``3 armies and 1 spy``, ``watchtower``."""
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
