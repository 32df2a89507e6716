"""Rounds and turns, their stages, and the end."""

from __future__ import annotations

from typing import ClassVar

from engine.core.record import Event
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
