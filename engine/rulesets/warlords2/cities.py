"""Cities by the rule book (sections 9.1 and 9.3 to 9.7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.tables import SEATS, city_art
from engine.rulesets.warlords2.units import SCOUTS
from engine.strategic.pieces import NOBODY, Army, City, Side, Slot, UnitType
from engine.strategic.settings import CityRules

SLOTS: Final = 4
"""Types that a city can make. Rules: W2-9.1."""

ARMIES: Final = 1000
"""Armies in the world. Rules: W2-1.8."""

PURSE: Final = 30000
"""The most gold of a side. Rules: W2-1.4, W2-9.6."""

STRENGTH: Final = 9
"""The most strength of an army. Rules: W2-7, W2-9.3."""

HANDICAP: Final = 2
"""What new armies of enhanced players have more. Rules: W2-9.3."""

SOURCES: Final = 4
"""Cities that send their armies to one target. Rules: W2-9.5."""

JOURNEY: Final = 2
"""An army arrives on the second following turn start. Rules: W2-9.5."""

NAME: Final = 15
"""Letters in a city's name. Rules: W2-9.1."""

AT_SEA: Final = 4
"""The least upkeep of an embarked army that has any. Rules: W2-6.6, W2-9.6."""

WALLED: Final = 3
"""Slots from which on a city's defence is the better one. Rules: W2-9.1."""

TIER: Final = 3
"""The highest tier of a neutral city. Rules: W2-9.7."""

REFILL: Final = 4
"""Armies up to which active neutral cities fill up. Rules: W2-9.7."""

STRENGTHS: Final[Mapping[str, int]] = {"average": 0, "strong": 1, "active": 2}
"""The numbers of ``neutral_strength``. Rules: W2-9.7, W2-0.1."""


def city_rules(options: Options) -> CityRules:
    """The chapter on cities under some options. Rules: W2-9.1, W2-1.8, W2-0.1."""
    option = STRENGTHS[options.neutral_strength]
    return CityRules(
        most_slots=SLOTS,
        most_armies=ARMIES,
        most_gold=PURSE,
        most_strength=STRENGTH,
        enhanced=HANDICAP,
        sources=SOURCES,
        journey=JOURNEY,
        name_length=NAME,
        keeper=SCOUTS,
        tier_plus=option - 2 if option else None,
        most_tier=TIER,
        refills=options.neutral_strength == "active",
        refill_to=REFILL,
        defence=defence,
        for_sale=for_sale,
        pays_for=pays_for,
        upkeep=upkeep,
        upkeep_of_slot=upkeep_of_slot,
        art={owner: city_art(owner) for owner in (*range(SEATS), NOBODY)},
    )


def defence(slots: int) -> int:
    """The level of defence of a city with so many slots. Rules: W2-9.1."""
    return 1 if slots < WALLED else 2


def for_sale(city: City, kind: UnitType) -> bool:  # noqa: ARG001 - other books look at it
    """Whether a city can learn to make a type. Rules: W2-9.4, W2-7."""
    return kind.price >= 0 and "hero" not in kind.traits


def pays_for(side: Side, slot: Slot) -> bool:  # noqa: ARG001 - other books look at it
    """Production costs nothing, but the treasury must not be empty. Rules: W2-9.3."""
    return side.gold > 0


def upkeep(army: Army) -> int:
    """What an army costs in a turn; nothing if it is a hero or an ally, even at sea.

    Rules: W2-9.6.
    """
    return max(army.upkeep, AT_SEA) if army.aboard and army.upkeep else army.upkeep


def upkeep_of_slot(slot: Slot) -> int:
    """The upkeep of an army that a city made. Rules: W2-7, W2-9.3."""
    return slot.cost // 2
