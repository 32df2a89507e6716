"""Cities (section 13) as settings of the strategic layer."""

from __future__ import annotations

from typing import Final

from engine.rulesets.lordsawar.land import Ground
from engine.rulesets.lordsawar.options import Options
from engine.rulesets.lordsawar.state import (
    MOST_ARMIES,
    MOST_GOLD,
    MOST_SLOTS,
    MOST_STRENGTH,
    NAME_LENGTH,
)
from engine.rulesets.lordsawar.tables import armyset, unit_types
from engine.strategic.pieces import NOBODY, Army, City, Side, Slot, UnitType
from engine.strategic.settings import CityRules

_WALLED: Final = 3


def city_rules(options: Options) -> CityRules:
    """Settings of cities under the options of a game. Rules: LW-13.1 to LW-13.4, LW-17."""
    limits = armyset().limits
    return CityRules(
        most_slots=MOST_SLOTS,
        most_armies=MOST_ARMIES,
        most_gold=MOST_GOLD,
        most_strength=MOST_STRENGTH,
        enhanced=0,
        sources=limits.vector_sources,
        journey=limits.vector_turns,
        name_length=NAME_LENGTH,
        keeper=0,
        tier_plus=None if options.neutral_cities == "average" else -1,
        most_tier=MOST_SLOTS - 1,
        refills=options.neutral_cities == "active",
        refill_to=limits.active_neutral_garrison,
        defence=defence,
        for_sale=for_sale,
        pays_for=pays_for,
        upkeep=upkeep,
        upkeep_of_slot=upkeep_of_slot,
        art=dict.fromkeys((*range(8), NOBODY), (Ground.CITY,) * 4),
    )


def defence(slots: int) -> int:
    """Defence level of a side's city with so many filled slots. Rules: LW-3.4."""
    return 2 if slots < _WALLED else 3


def for_sale(city: City, kind: UnitType) -> bool:
    """True if a city can buy the production of a type. Rules: LW-13.2."""
    return kind.price > 0 and all(slot.type != kind.id for slot in city.slots)


def pays_for(side: Side, slot: Slot) -> bool:
    """True if a side can pay for what a city has just finished. Rules: LW-13.2."""
    return side.gold >= slot.cost


def upkeep(army: Army) -> int:
    """Upkeep of an army in a round. Rules: LW-13.1."""
    return army.upkeep


def upkeep_of_slot(slot: Slot) -> int:
    """Upkeep of an army that is made in a slot: its type's. Rules: LW-9."""
    return unit_types()[slot.type].upkeep
