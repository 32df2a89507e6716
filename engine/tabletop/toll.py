"""What events cost: rows of a table of who lost what and why, of any game in one form."""

from __future__ import annotations

from engine.core.ids import Seat
from engine.core.record import Record
from engine.tabletop.board import NOBODY


class Toll(Record, frozen=True):
    """What one seat lost at one blow, as far as the viewer whose views it was made from may know.

    An event may cost several seats something, and one seat pieces and places; each is a row.
    """

    seat: Seat
    """Whose it was."""
    what: str
    """What is lost, as sentences call it: ``3 armies and 1 spy``, ``watchtower``."""
    cause: str
    """By what, in a word or two: ``skirmish``, ``mines``."""
    pieces: int = 0
    """How many pieces that is, for sums; land and buildings are none."""
    other: Seat = NOBODY
    """Who did it."""
    place: str = ""
    """The name of the place where it happened; empty if it has none."""
    at: tuple[int, int] | None = None
    """The cell where it happened."""
    rule: str = ""
