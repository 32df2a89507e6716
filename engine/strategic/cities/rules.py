"""What rule books differ in about cities."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.strategic.pieces import Army, City, Side, Slot, UnitType


@dataclass(frozen=True, eq=False)
class CityRules:
    """Values, tables and policies."""

    most_slots: int
    """Slots of a city."""

    most_armies: int
    """Armies in the world, those on their way included; at that many nothing new is made."""

    most_gold: int
    """What a purse holds."""

    most_strength: int
    """Of an army that a city makes."""

    enhanced: int
    """What the handicap adds to the strength of new armies."""

    sources: int
    """Cities that may send their armies to the same place."""

    journey: int
    """Turn starts from a city to the place its armies are sent to, and back."""

    name_length: int
    """Letters in the name of a city."""

    keeper: int
    """The type that keeps weak neutral cities at the start."""

    tier_plus: int | None
    """None: all neutral cities are weak. Otherwise one is kept by what it can make: by the slot,
    counted from 0, that a die with four sides and this come to."""

    most_tier: int
    """The highest such slot."""

    refills: bool
    """Whether neutral cities that were attacked make armies."""

    refill_to: int
    """Up to so many in the city."""

    defence: Callable[[int], int]
    """The level of defence of a city with so many slots."""

    for_sale: Callable[[City, UnitType], bool]
    """Whether a city may learn to make a type for its price."""

    pays_for: Callable[[Side, Slot], bool]
    """Whether a side has the money for what a city has just finished."""

    upkeep: Callable[[Army], int]
    """What an army costs in a turn."""

    upkeep_of_slot: Callable[[Slot], int]
    """The upkeep that an army made in a slot gets."""

    art: Callable[[int], tuple[int, int, int, int]]
    """The pictures of a standing city's tiles (top left, top right, bottom left, bottom right), by
    its owner."""
