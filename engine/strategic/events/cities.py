"""Events of cities: capture, production, transits."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from engine.core.record import Event
from engine.strategic.pieces import Army, City, Transit


class CityTaken(Event, frozen=True, tag="city-taken"):
    """A city changes hands; ``gold`` is what each side whose purse changed has now.

    ``city`` is as it is now; ``others`` are cities whose vectors led to it, without them.
    """

    lasting: ClassVar[bool] = True

    city: City
    loser: int
    loot: int
    gold: tuple[tuple[int, int], ...]
    art: tuple[int, int, int, int]
    others: tuple[City, ...] = ()


class CitySettled(Event, frozen=True, tag="city-settled"):
    """What became of the city that was taken: it is as it is now, and what that brought."""

    lasting: ClassVar[bool] = True

    city: City
    side: int
    fate: Literal["occupy", "pillage", "sack"]
    gain: int
    gold: int


class CityRazed(Event, frozen=True, tag="city-razed"):
    """A city is a ruin for ever. ``terrain`` and ``art`` are those of its four tiles now."""

    lasting: ClassVar[bool] = True

    city: City
    side: int
    terrain: int
    art: tuple[int, int, int, int]
    others: tuple[City, ...] = ()


class CitiesFreed(Event, frozen=True, tag="cities-freed"):
    """Cities belong to nobody any more: as they are now, with the art of their tiles."""

    lasting: ClassVar[bool] = True

    cities: tuple[City, ...]
    art: tuple[tuple[int, int, int, int], ...]


class CityChanged(Event, frozen=True, tag="city-changed"):
    """A city by its owner's order: production, vector or name."""

    city: City
    what: Literal["produce", "stop", "vector", "name"]


class SlotBought(Event, frozen=True, tag="slot-bought"):
    """A city can make something else."""

    city: City
    slot: int
    price: int
    gold: int


class Counted(Event, frozen=True, tag="counted"):
    """Turns until their armies are done pass for cities: (city, turns left now)."""

    lefts: tuple[tuple[int, int], ...]


# -- Armies ----------------------------------------------------------------------------------------


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


CityEvent: TypeAlias = (
    CityTaken
    | CitySettled
    | CityRazed
    | CitiesFreed
    | CityChanged
    | SlotBought
    | Counted
    | ArmyMade
    | ArmySent
    | TransitsMoved
    | ArmyArrived
    | TransitsLost
    | ArmiesPlaced
)
"""Events of this chapter."""
