"""Armies are made, sent off the map, and arrive."""

from __future__ import annotations

from typing import ClassVar, Literal

from engine.core.record import Event
from engine.strategic.pieces import Army, Transit


class ArmyMade(Event, frozen=True, tag="made"):
    """A city has made an army, which stands in it."""

    city: int
    left: int
    army: Army


class ArmySent(Event, frozen=True, tag="sent"):
    """A city has made an army, which is on its way to another place; both have the same id."""

    city: int
    left: int
    transit: Transit


class TransitsMoved(Event, frozen=True, tag="transits"):
    """Armies off the map found no place and turn back: as they are now."""

    transits: tuple[Transit, ...]


class ArmyArrived(Event, frozen=True, tag="arrived"):
    """An army that was on its way is on the map again."""

    transit: int
    army: Army


class TransitsLost(Event, frozen=True, tag="transits-lost"):
    """Armies on their way are lost."""

    transits: tuple[int, ...]


class ArmiesPlaced(Event, frozen=True, tag="placed"):
    """New armies out of nothing: allies, garrisons."""

    lasting: ClassVar[bool] = True

    armies: tuple[Army, ...]
    reason: Literal["allies", "neutral", "hero", "reward", "arrived"]
