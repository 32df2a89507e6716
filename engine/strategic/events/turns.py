"""Events of turns, treaties and the end of the game."""

from __future__ import annotations

from typing import ClassVar, Self, TypeAlias

from engine.core.record import replace
from engine.strategic.events.base import OwnSideEvent, StrategicEvent
from engine.strategic.pieces import City, Side
from engine.strategic.seen import Seen
from engine.strategic.world import GameEnd, Stage


class RoundBegan(StrategicEvent, frozen=True, tag="round"):
    """A round begins, in this order."""

    irreversible: ClassVar[bool] = True

    turn: int
    order: tuple[int, ...]


class TurnBegan(StrategicEvent, frozen=True, tag="turn"):
    """A side's turn begins: ``at`` is its place in the order."""

    irreversible: ClassVar[bool] = True
    ends_phase: ClassVar[bool] = True

    side: int
    at: int


class StageSet(StrategicEvent, frozen=True, tag="stage"):
    """Stage of the start of a turn."""

    irreversible: ClassVar[bool] = True

    stage: Stage


class PointsRefilled(OwnSideEvent, frozen=True, tag="refilled"):
    """Movement points of each army of a side: (army, points)."""

    irreversible: ClassVar[bool] = True

    points: tuple[tuple[int, int], ...]


class IncomeCame(OwnSideEvent, frozen=True, tag="income"):
    """Income and upkeep of a side, and what it has now."""

    irreversible: ClassVar[bool] = True

    income: int
    upkeep: int
    gold: int


class GameEnded(StrategicEvent, frozen=True, tag="ended"):
    """The game is over."""

    irreversible: ClassVar[bool] = True
    ends_phase: ClassVar[bool] = True

    winners: tuple[int, ...]
    reason: GameEnd


# -- Treaties --------------------------------------------------------------------------------------


class StanceSet(OwnSideEvent, frozen=True, tag="stance-set"):
    """Stances that a side wants toward all others now."""

    stances: tuple[int, ...]


class TreatyChanged(StrategicEvent, frozen=True, tag="treaty"):
    """Two sides stand otherwise; both sides with their stances and ratings now."""

    irreversible: ClassVar[bool] = True

    sides: tuple[Side, Side]
    treaty: int
    betrayal: bool = False

    def redacted(self, _before: Seen, after: Seen) -> Self:
        """Both sides as they are known."""
        one, other = self.sides
        return replace(self, sides=(after.side(one), after.side(other)))


class RatingChanged(StrategicEvent, frozen=True, tag="rating"):
    """Rating of a side by others, after it has got worse."""

    irreversible: ClassVar[bool] = True

    side: int
    rating: int


class FightOrderSet(OwnSideEvent, frozen=True, tag="fight-order-set"):
    """A side's line of battle, by type id."""

    order: tuple[int, ...]

    def redacted(self, before: Seen, after: Seen) -> Self | None:
        """Event, if lines of battle are no secret, or the viewer knows the side's business."""
        return super().redacted(before, after) if before.secrecy.orders else self


class SideOut(StrategicEvent, frozen=True, tag="side-out"):
    """A side is out of the game: as it is now. Its treaties are all HOSTILE.

    ``stranded``: it resigned because no way led to an enemy.
    """

    irreversible: ClassVar[bool] = True

    side: Side
    resigned: bool = False
    stranded: bool = False

    def redacted(self, _before: Seen, after: Seen) -> Self:
        """Side as it is known."""
        return replace(self, side=after.side(self.side))


class CitiesFreed(StrategicEvent, frozen=True, tag="cities-freed"):
    """Cities belong to nobody any more: as they are now, with the art of their tiles."""

    irreversible: ClassVar[bool] = True

    cities: tuple[City, ...]
    art: tuple[tuple[int, int, int, int], ...]

    def redacted(self, _before: Seen, after: Seen) -> Self | None:
        """Known cities."""
        rows = [
            (after.city(city), art)
            for city, art in zip(self.cities, self.art, strict=True)
            if after.knows_city(city)
        ]
        cities, arts = tuple(city for city, _ in rows), tuple(art for _, art in rows)
        return replace(self, cities=cities, art=arts) if rows else None


TurnEvent: TypeAlias = (
    RoundBegan
    | TurnBegan
    | StageSet
    | PointsRefilled
    | IncomeCame
    | StanceSet
    | TreatyChanged
    | RatingChanged
    | FightOrderSet
    | SideOut
    | CitiesFreed
    | GameEnded
)
"""Events of this chapter."""
