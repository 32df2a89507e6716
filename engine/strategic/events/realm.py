"""How sides stand to each other, and who is out."""

from __future__ import annotations

from typing import ClassVar

from engine.core.record import Event
from engine.strategic.pieces import Side


class StanceSet(Event, frozen=True, tag="stance-set"):
    """How a side wants to stand toward all others now."""

    side: int
    stances: tuple[int, ...]


class TreatyChanged(Event, frozen=True, tag="treaty"):
    """Two sides stand otherwise; both sides with their stances and ratings now."""

    lasting: ClassVar[bool] = True

    sides: tuple[Side, Side]
    treaty: int
    betrayal: bool = False


class RatingChanged(Event, frozen=True, tag="rating"):
    """What others think of a side has got worse."""

    lasting: ClassVar[bool] = True

    side: int
    rating: int


class FightOrderSet(Event, frozen=True, tag="fight-order-set"):
    """A side's line of battle, by type id."""

    side: int
    order: tuple[int, ...]


class SideOut(Event, frozen=True, tag="side-out"):
    """A side is out of the game: as it is now. Its treaties are all HOSTILE."""

    lasting: ClassVar[bool] = True

    side: Side
    resigned: bool = False
