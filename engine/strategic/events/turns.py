"""Events of turns, treaties and the end of the game."""

from __future__ import annotations

from typing import ClassVar, Self, TypeAlias

from engine.core.record import replace
from engine.strategic.events.base import OwnSideEvent, StrategicEvent
from engine.strategic.pieces import City, Side
from engine.strategic.seen import Seen
from engine.strategic.world import GameEnd, Stage


class RoundBegan(StrategicEvent, frozen=True, tag="round"):
    """Start of a round, with the order of play."""

    irreversible: ClassVar[bool] = True

    turn: int
    order: tuple[int, ...]


class TurnBegan(StrategicEvent, frozen=True, tag="turn"):
    """Start of a side's turn; ``at`` is its index in the order of play."""

    irreversible: ClassVar[bool] = True
    ends_phase: ClassVar[bool] = True

    side: int
    at: int


class StageSet(StrategicEvent, frozen=True, tag="stage"):
    """New stage of the start of a turn."""

    irreversible: ClassVar[bool] = True

    stage: Stage


class PointsRefilled(OwnSideEvent, frozen=True, tag="refilled"):
    """New movement points of a side's armies, as (army, points)."""

    irreversible: ClassVar[bool] = True

    points: tuple[tuple[int, int], ...]


class IncomeCame(OwnSideEvent, frozen=True, tag="income"):
    """Income and upkeep of a side, and its gold afterwards."""

    irreversible: ClassVar[bool] = True

    income: int
    upkeep: int
    gold: int


class GameEnded(StrategicEvent, frozen=True, tag="ended"):
    """End of the game."""

    irreversible: ClassVar[bool] = True
    ends_phase: ClassVar[bool] = True

    winners: tuple[int, ...]
    reason: GameEnd


# -- Treaties --------------------------------------------------------------------------------------


class StanceSet(OwnSideEvent, frozen=True, tag="stance-set"):
    """New stances of a side toward all others."""

    stances: tuple[int, ...]


class TreatyChanged(StrategicEvent, frozen=True, tag="treaty"):
    """New treaty of two sides, with both sides as they are afterwards."""

    irreversible: ClassVar[bool] = True

    sides: tuple[Side, Side]
    treaty: int
    betrayal: bool = False

    def redacted(self, _before: Seen, after: Seen) -> Self:
        """Return the event with both sides as the viewer knows them."""
        one, other = self.sides
        return replace(self, sides=(after.side(one), after.side(other)))


class RatingChanged(StrategicEvent, frozen=True, tag="rating"):
    """New, worse rating of a side."""

    irreversible: ClassVar[bool] = True

    side: int
    rating: int


class FightOrderSet(OwnSideEvent, frozen=True, tag="fight-order-set"):
    """New line of battle of a side, by type id."""

    order: tuple[int, ...]

    def redacted(self, before: Seen, after: Seen) -> Self | None:
        """Return the event if lines of battle are public or the side's is known, otherwise None."""
        return super().redacted(before, after) if before.secrecy.orders else self


class SideOut(StrategicEvent, frozen=True, tag="side-out"):
    """A side that has left the game, as it is afterwards. All its treaties become HOSTILE.

    ``stranded``: it resigned because no path led to an enemy.
    """

    irreversible: ClassVar[bool] = True

    side: Side
    resigned: bool = False
    stranded: bool = False

    def redacted(self, _before: Seen, after: Seen) -> Self:
        """Return the event with the side as the viewer knows it."""
        return replace(self, side=after.side(self.side))


class CitiesFreed(StrategicEvent, frozen=True, tag="cities-freed"):
    """Cities that become neutral, as they are afterwards, with the art of their tiles."""

    irreversible: ClassVar[bool] = True

    cities: tuple[City, ...]
    art: tuple[tuple[int, int, int, int], ...]

    def redacted(self, _before: Seen, after: Seen) -> Self | None:
        """Return the event with the known cities, or None."""
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
"""Events of this module."""
