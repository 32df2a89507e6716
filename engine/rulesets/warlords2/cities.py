"""Rule settings of cities: slots, production, upkeep, vectors and neutral garrisons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.state import (
    MOST_ARMIES,
    MOST_GOLD,
    MOST_SLOTS,
    MOST_STRENGTH,
    NAME_LENGTH,
    SIDES,
)
from engine.rulesets.warlords2.tables import SCOUTS, city_art
from engine.strategic.pieces import NOBODY, Army, City, Side, Slot, UnitType
from engine.strategic.settings import CityRules
from engine.strategic.world import World

HANDICAP: Final = 2
"""Extra strength of new armies of enhanced players. See: W2-9.3."""

SOURCES: Final = 4
"""Maximum number of cities that send their armies to one target. Rules: W2-9.5."""

JOURNEY: Final = 2
"""Number of turn starts until a vectored army arrives. Rules: W2-9.5."""

SEA_UPKEEP: Final = 4
"""Minimum upkeep of an embarked army, unless its upkeep is 0. See: W2-6.6, W2-9.6."""

WALLED: Final = 3
"""Minimum number of slots of a city with defence 2. See: W2-9.1."""

TIER: Final = 3
"""Highest tier of a neutral city. See: W2-9.7."""

REFILL: Final = 4
"""Number of armies to which active neutral cities fill up. See: W2-9.7."""

STRENGTHS: Final[Mapping[str, int]] = {"average": 0, "strong": 1, "active": 2}
"""Numbers of the words of ``neutral_strength``. See: W2-9.7, W2-0.1."""


def city_rules(options: Options) -> CityRules:
    """Return the settings of cities under the options of a game. See: W2-9.1, W2-1.8, W2-0.1."""
    option = STRENGTHS[options.neutral_strength]
    return CityRules(
        most_slots=MOST_SLOTS,
        most_armies=MOST_ARMIES,
        most_gold=MOST_GOLD,
        most_strength=MOST_STRENGTH,
        enhanced=HANDICAP,
        sources=SOURCES,
        journey=JOURNEY,
        name_length=NAME_LENGTH,
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
        art={owner: city_art(owner) for owner in (*range(SIDES[1]), NOBODY)},
    )


def defence(slots: int) -> int:
    """Return the defence level of a city from its number of slots. Rules: W2-9.1."""
    return 1 if slots < WALLED else 2


def for_sale(world: World, city: City, kind: UnitType) -> bool:  # noqa: ARG001 - a policy
    """Return whether a city can buy the production of a type. Rules: W2-9.4. See: W2-7."""
    return kind.price >= 0 and "hero" not in kind.traits


def pays_for(side: Side, slot: Slot) -> bool:  # noqa: ARG001 - other books look at it
    """Return whether a side can produce: it is free, but needs some gold. Rules: W2-9.3."""
    return side.gold > 0


def upkeep(army: Army) -> int:
    """Return the upkeep of an army in gold per turn; 0 for heroes and allies, even at sea.

    Rules: W2-9.6.
    """
    return max(army.upkeep, SEA_UPKEEP) if army.aboard and army.upkeep else army.upkeep


def upkeep_of_slot(slot: Slot) -> int:
    """Return the upkeep of an army made in a slot, in gold per turn. See: W2-7, W2-9.3."""
    return slot.cost // 2
