"""Cities (sections 13.2 to 13.4) as settings of the strategic layer: purchases, capture, levels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import isqrt
from typing import Final, cast

from engine.core.record import replace
from engine.kit.grid import Place
from engine.rulesets.lordsawar.land import Ground
from engine.rulesets.lordsawar.options import Options
from engine.rulesets.lordsawar.pieces import type_upkeep
from engine.rulesets.lordsawar.state import (
    MOST_ARMIES,
    MOST_GOLD,
    MOST_SLOTS,
    MOST_STRENGTH,
    NAME_LENGTH,
    State,
)
from engine.rulesets.lordsawar.strength import defence_level
from engine.rulesets.lordsawar.tables import armyset
from engine.strategic.pieces import NOBODY, NONE, Army, City, Side, Slot, UnitType
from engine.strategic.settings import CityRules, Fate
from engine.strategic.world import World, armies_at

_RARE: Final = 1500
"""Plunder of a type that cannot be bought. Rules: LW-13.3."""

_ASKS_FOR_PLUNDER: Final = ("plunder", "sack-city")
"""Quests for which cities may be sacked and pillaged. Rules: LW-13.3, LW-15."""


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
        unit_price=unit_price,
        seized=seized,
        fates=partial(fates, options),
        plunder=plunder,
        journey_to=journey_to,
        loses_sent=True,
        together=True,
    )


def defence(slots: int) -> int:
    """Defence level of a side's city with so many filled slots. Rules: LW-3.4."""
    return defence_level(slots, neutral=False)


# -- production ------------------------------------------------------------------------------------


def for_sale(world: World, city: City, kind: UnitType) -> bool:
    """True if a city can buy the production of a type. Rules: LW-13.2, LW-20."""
    able = city.id not in cast("State", world).no_buying
    return able and kind.price > 0 and all(slot.type != kind.id for slot in city.slots)


def unit_price(slot: Slot) -> int:
    """Gold that an army costs when it is made. Rules: LW-13.2."""
    return slot.cost


def pays_for(side: Side, slot: Slot) -> bool:
    """True if a side can pay for what a city has just finished. Rules: LW-13.2."""
    return side.gold > 0 and side.gold >= slot.cost


def upkeep(army: Army) -> int:
    """Upkeep of an army in a round. Rules: LW-13.1."""
    return army.upkeep


def upkeep_of_slot(slot: Slot) -> int:
    """Upkeep of an army that is made in a slot: its type's. Rules: LW-9."""
    return type_upkeep(slot)


def journey_to(world: World, city: City, end: Place) -> int:
    """Rounds from a city to a place that its armies are sent to. Rules: LW-13.4."""
    if cast("State", world).options.vectoring_mode == "two_turns":
        return armyset().limits.vector_turns
    far = max(world.width, world.height)
    return 4 * isqrt((end[0] - city.x) ** 2 + (end[1] - city.y) ** 2) // far + 1


# -- capture ---------------------------------------------------------------------------------------


def seized(city: City) -> City:
    """City as it is for a side that has just taken it: its first slot is active.

    Rules: LW-13.3, LW-3.4.
    """
    return replace(_restarted(city), vector=NONE, defence=defence(len(city.slots)))


def _restarted(city: City) -> City:
    """City that begins to make what is in its first slot, if that is filled."""
    if not city.slots:
        return replace(city, making=NONE, left=0)
    return replace(city, making=0, left=city.slots[0].turns)


def fates(options: Options, world: World, city: int) -> tuple[Fate, ...]:
    """Fates that a captured city can have. Rules: LW-13.3."""
    town = world.cities[city]
    asked = options.sacking_mode == "on_quest" and _is_asked_for(world, town)
    plunders = asked or options.sacking_mode in {"always", "on_capture"}
    can: dict[Fate, bool] = {
        "occupy": True,
        "pillage": plunders and len(town.slots) > 0,
        "sack": plunders and len(town.slots) > 1,
        "raze": options.razing_cities != "never",
    }
    return tuple(fate for fate, able in can.items() if able)


def _is_asked_for(world: World, city: City) -> bool:
    """True if a hero among those who took a city has a quest that asks for plunder."""
    quest = world.sides[city.owner].quest
    if quest is None or quest.kind not in _ASKS_FOR_PLUNDER:
        return False
    here = any(army.id == quest.hero for at in city.tiles for army in armies_at(world, at))
    return here and quest.target in {NONE, city.id}


def plunder(world: World, city: City, fate: Fate) -> tuple[City, int]:
    """City after its fate, and the gold that this brings.

    What it made it goes on making; if that slot is gone, its first one is active.
    Rules: LW-13.3, LW-3.4.
    """
    kept = _kept_by(world, city.slots, fate)
    gone = [slot for place, slot in enumerate(city.slots) if place not in kept]
    gain = sum(_plunder_of(world, slot) for slot in gone)
    slots = tuple(city.slots[place] for place in kept)
    left = replace(city, slots=slots, defence=defence(len(slots)))
    if city.making == NONE:
        return left, gain
    if city.making in kept:
        return replace(left, making=kept.index(city.making)), gain
    return _restarted(left), gain


def _kept_by(world: World, slots: Sequence[Slot], fate: Fate) -> tuple[int, ...]:
    """Slots that are left after a fate.

    Pillage takes one that cannot be bought, else the dearest, and the first of equals.
    """
    if fate == "sack":
        return (0,)
    places = range(len(slots))
    if fate != "pillage":
        return tuple(places)

    def rank(place: int) -> tuple[bool, int]:
        price = world.types[slots[place].type].price
        return price == 0, price

    taken = max(places, key=rank)
    return tuple(place for place in places if place != taken)


def _plunder_of(world: World, slot: Slot) -> int:
    price = world.types[slot.type].price
    return price // 2 if price else _RARE
