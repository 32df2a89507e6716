"""Cities change hands and are told what to do."""

from __future__ import annotations

from typing import ClassVar, Literal

from engine.core.record import Event
from engine.strategic.pieces import City


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
