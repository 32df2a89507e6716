"""Events of turns, treaties and the end of the game."""

from __future__ import annotations

from typing import ClassVar, TypeAlias

from engine.core.record import Event
from engine.strategic.pieces import Side
from engine.strategic.world import Reason, Stage


class RoundBegan(Event, frozen=True, tag="round"):
    """A round begins, in this order."""

    lasting: ClassVar[bool] = True

    turn: int
    order: tuple[int, ...]


class TurnBegan(Event, frozen=True, tag="turn"):
    """A side's turn begins: ``at`` is its place in the order."""

    lasting: ClassVar[bool] = True
    closing: ClassVar[bool] = True

    side: int
    at: int


class StageSet(Event, frozen=True, tag="stage"):
    """How far the start of a turn has come."""

    lasting: ClassVar[bool] = True

    stage: Stage


class PointsRefilled(Event, frozen=True, tag="refilled"):
    """What each army of a side can move: (army, points)."""

    lasting: ClassVar[bool] = True

    side: int
    points: tuple[tuple[int, int], ...]


class IncomeCame(Event, frozen=True, tag="income"):
    """Income and upkeep of a side, and what it has now."""

    lasting: ClassVar[bool] = True

    side: int
    income: int
    upkeep: int
    gold: int


class GameEnded(Event, frozen=True, tag="ended"):
    """The game is over."""

    lasting: ClassVar[bool] = True
    closing: ClassVar[bool] = True

    winners: tuple[int, ...]
    reason: Reason


# -- Treaties --------------------------------------------------------------------------------------


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


TurnEvent: TypeAlias = (
    RoundBegan
    | TurnBegan
    | StageSet
    | PointsRefilled
    | IncomeCame
    | GameEnded
    | StanceSet
    | TreatyChanged
    | RatingChanged
    | FightOrderSet
    | SideOut
)
"""Events of this chapter."""
