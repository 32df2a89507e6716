"""Cities and money (section 13): settings of the strategic layer, and the upkeep phase."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from math import isqrt
from typing import Final, cast

from engine.core.record import replace
from engine.kit.grid import Place
from engine.rulesets.lordsawar.events import NeutralGoldSet, ProductionStopped
from engine.rulesets.lordsawar.land import LandCode
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
from engine.strategic import cities as strategic_cities
from engine.strategic.decision import Decision, lose_transits, new_ids, pick
from engine.strategic.pieces import (
    NOBODY,
    NONE,
    STACK,
    Army,
    City,
    Side,
    Slot,
    UnitType,
)
from engine.strategic.settings import CityRules, Fate, RuleSettings
from engine.strategic.world import World, armies_at, cities_of, city_at

_RARE: Final = 1500
"""Plunder from a type that cannot be bought. See: LW-13.3."""

_RICH: Final = 100
"""Gold above which the neutral side makes armies although no city was attacked. See: LW-17."""

_IN: Final = 2
"""One in this many idle neutral cities starts to make an army in a round. See: LW-17."""

_ASKS_FOR_PLUNDER: Final = ("plunder", "sack-city")
"""Quests that allow cities to be sacked and pillaged. See: LW-13.3, LW-15."""


def city_rules(options: Options) -> CityRules:
    """Return the settings of cities under a game's options. See: LW-13.1 to LW-13.4, LW-17."""
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
        art=dict.fromkeys((*range(8), NOBODY), (LandCode.CITY,) * 4),
        unit_price=unit_price,
        seized=seized,
        fates=partial(fates, options),
        plunder=plunder,
        journey_to=journey_to,
        loses_sent=True,
        together=True,
    )


def defence(slots: int) -> int:
    """Return the defence level of a side's city with ``slots`` filled slots. Rules: LW-3.4."""
    return defence_level(slots, neutral=False)


# -- production ------------------------------------------------------------------------------------


def for_sale(world: World, city: City, kind: UnitType) -> bool:
    """Return whether a city can buy the production of a type. Rules: LW-13.2. See: LW-20."""
    able = city.id not in cast("State", world).no_buying
    return able and kind.price > 0 and all(slot.type != kind.id for slot in city.slots)


def unit_price(slot: Slot) -> int:
    """Return the gold that an army costs when it is finished. See: LW-13.2."""
    return slot.cost


def pays_for(side: Side, slot: Slot) -> bool:
    """Return whether a side can pay for a finished army; never without gold. See: LW-13.2."""
    return side.gold > 0 and side.gold >= slot.cost


def upkeep(army: Army) -> int:
    """Return the upkeep of an army for one round. See: LW-13.1."""
    return army.upkeep


def upkeep_of_slot(slot: Slot) -> int:
    """Return the upkeep of an army made in a slot: its type's. See: LW-9."""
    return type_upkeep(slot)


def journey_to(world: World, city: City, end: Place) -> int:
    """Return the rounds that armies take from a city to their target. Rules: LW-13.4."""
    if cast("State", world).options.vectoring_mode == "two_turns":
        return armyset().limits.vector_turns
    far = max(world.width, world.height)
    return 4 * isqrt((end[0] - city.x) ** 2 + (end[1] - city.y) ** 2) // far + 1


# -- capture ---------------------------------------------------------------------------------------


def seized(city: City) -> City:
    """Return a city as its captor gets it: the first slot is active.

    Rules: LW-13.3. See: LW-3.4.
    """
    return replace(_restarted(city), vector=NONE, defence=defence(len(city.slots)))


def _restarted(city: City) -> City:
    """Start the first slot of a city, or nothing if it has no slots."""
    if not city.slots:
        return replace(city, making=NONE, left=0)
    return replace(city, making=0, left=city.slots[0].turns)


def fates(options: Options, world: World, city: int) -> tuple[Fate, ...]:
    """Return the fates that the owner can choose for a captured city. Rules: LW-13.3."""
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
    """Return whether a hero in the city has a quest that asks for plunder there."""
    quests = cast("State", world).quests
    here = {army.id for at in city.tiles for army in armies_at(world, at)}
    return any(
        quest.id in here
        and quest.kind in _ASKS_FOR_PLUNDER
        and (quest.kind == "plunder" or quest.target == city.id)
        for quest in quests.values()
    )


def plunder(world: World, city: City, fate: Fate) -> tuple[City, int]:
    """Apply a fate to a city; return the city and the gold gained.

    The current production continues; if its slot is gone, the first slot becomes active.
    Rules: LW-13.3. See: LW-3.4.
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
    """Return the places of the slots that remain after a fate.

    Pillage removes a slot that cannot be bought, else the dearest one; the first of equals.
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


# -- accounts --------------------------------------------------------------------------------------


def settle_accounts(decision: Decision, settings: RuleSettings, side: int) -> None:
    """Apply income and upkeep of a side or of the neutral one. Rules: LW-13.1."""
    if side != NOBODY:
        strategic_cities.keep_accounts(decision, settings, side)
        return
    world = decision.state
    change = strategic_cities.income(world, side) - strategic_cities.upkeep(world, settings, side)
    _add_gold(decision, settings, side, change)


def gold_of(world: World, side: int) -> int:
    """Return the gold of a side or of the neutral one. See: LW-13.1."""
    return cast("State", world).neutral_gold if side == NOBODY else world.sides[side].gold


def _add_gold(decision: Decision, settings: RuleSettings, side: int, gold: int) -> None:
    """Add gold to a treasury, or take it away; keep it between 0 and the maximum."""
    if side != NOBODY:
        strategic_cities.add_gold(decision, settings, side, gold, "production")
        return
    had = gold_of(decision.state, NOBODY)
    has = max(0, min(had + gold, settings.cities.most_gold))
    if has != had:
        decision.emit(NeutralGoldSet(has))


# -- places ----------------------------------------------------------------------------------------


def room_near(
    world: World, settings: RuleSettings, army: Army, tiles: tuple[Place, ...]
) -> Place | None:
    """Return the first of ``tiles`` with room for an army, else the nearest tile with room.

    Distance is counted in steps; of equally near tiles, the upper and then the left one is first.
    None if the whole map is full. See: LW-13.2, LW-13.4.
    """
    around = chain(tiles, _rings(world, tiles))
    return next((at for at in around if _has_room(world, settings, army, at)), None)


def _rings(world: World, tiles: tuple[Place, ...]) -> Iterator[Place]:
    """Yield the tiles of the map around a box of tiles, nearest first and row by row."""
    left, right = min(x for x, _ in tiles), max(x for x, _ in tiles)
    top, bottom = min(y for _, y in tiles), max(y for _, y in tiles)
    for step in range(1, max(world.width, world.height)):
        for y in range(max(0, top - step), min(world.height, bottom + step + 1)):
            whole = y in {top - step, bottom + step}
            row = range(left - step, right + step + 1) if whole else (left - step, right + step)
            yield from ((x, y) for x in row if 0 <= x < world.width)


def _has_room(world: World, settings: RuleSettings, army: Army, at: Place) -> bool:
    stack = armies_at(world, at)
    if len(stack) >= STACK or any(other.owner != army.owner for other in stack):
        return False
    city = city_at(world, at)
    if city is not None and city.owner != army.owner:
        return False
    return settings.heroes.may_stand(world, world.types[army.type], at)


# -- arrivals --------------------------------------------------------------------------------------


def arrive(decision: Decision, settings: RuleSettings, side: int) -> None:
    """Deliver a side's due armies; those without a target are lost.

    Rules: LW-13.4. See: LW-13.1.
    """
    for transit in strategic_cities.due_transits(decision.state, side):
        tiles = strategic_cities.target_tiles(decision.state, side, transit.target)
        at = room_near(decision.state, settings, transit.army, tiles) if tiles else None
        if at is None:
            lose_transits(decision, (transit,))
        else:
            strategic_cities.receive(decision, transit, at)


# -- production in the upkeep phase ----------------------------------------------------------------


def make_armies(decision: Decision, settings: RuleSettings, side: int) -> None:
    """Run one round of production in a side's cities, in id order.

    Rules: LW-13.2, D17. See: LW-13.1.
    """
    busy = [city for city in cities_of(decision.state, side) if city.making != NONE]
    strategic_cities.count(decision, ((city.id, city.left - 1) for city in busy if city.left > 1))
    due = [city for city in busy if city.left <= 1]
    _stop_unpaid(decision, settings, side, due)
    for city in due:
        if decision.state.cities[city.id].making != NONE:
            finish(decision, settings, decision.state.cities[city.id])


def _stop_unpaid(
    decision: Decision, settings: RuleSettings, side: int, due: Iterable[City]
) -> None:
    """Stop cities until the gold covers price and upkeep of the other cities' armies."""
    costs = {city.id: _cost(settings, city.slots[city.making]) for city in due}
    bill, gold = sum(costs.values()), gold_of(decision.state, side)
    for city in due:
        if bill <= gold:
            return
        bill -= costs[city.id]
        _stop(decision, city)


def _cost(settings: RuleSettings, slot: Slot) -> int:
    """Return the price plus the upkeep of the army made in a slot."""
    return slot.cost + settings.cities.upkeep_of_slot(slot)


def _stop(decision: Decision, city: City) -> None:
    """Stop the production of a city; without gold it also stops sending its armies away."""
    vector = city.vector if gold_of(decision.state, city.owner) > 0 else NONE
    decision.emit(ProductionStopped(replace(city, making=NONE, left=0, vector=vector)))


def finish(decision: Decision, settings: RuleSettings, city: City) -> None:
    """Finish the army of a city.

    Without any gold the city stops. With too little gold, no room, or too many armies in the world,
    it tries again in the next round. Rules: LW-13.2, D17. See: LW-13.4.
    """
    world, slot = decision.state, city.slots[city.making]
    gold = gold_of(world, city.owner)
    if gold <= 0:
        _stop(decision, city)
        return
    number = new_ids(world, 1)[0]
    army = strategic_cities.recruit(world, settings, city, number, (city.x, city.y))
    at = room_near(world, settings, army, city.tiles)
    if gold < slot.cost or at is None or strategic_cities.is_crowded(world, settings):
        strategic_cities.count(decision, ((city.id, 1),) if city.left != 1 else ())
        return
    if slot.cost:
        _add_gold(decision, settings, city.owner, -slot.cost)
    if city.vector != NONE:
        strategic_cities.send(decision, settings, city, army)
    else:
        strategic_cities.post(decision, city, replace(army, x=at[0], y=at[1]))
    if city.owner == NOBODY and cast("State", world).options.neutral_cities == "defensive":
        strategic_cities.rest(decision, decision.state.cities[city.id])


# -- neutral cities --------------------------------------------------------------------------------


def order_neutrals(decision: Decision, settings: RuleSettings) -> None:
    """Give the orders of the neutral side, whose turn is the last of a round. Rules: LW-17.2."""
    mode = cast("State", decision.state).options.neutral_cities
    if mode == "active":
        _answer_attacks(decision, settings)
    elif mode == "defensive" and gold_of(decision.state, NOBODY) > _RICH:
        _begin_some(decision, settings)


def _answer_attacks(decision: Decision, settings: RuleSettings) -> None:
    """Let attacked neutral cities make their strongest type until they have enough defenders."""
    for city in cities_of(decision.state, NOBODY):
        lacks = _lacks(decision.state, settings, city)
        if city.making == NONE and city.attacked_by and city.slots and lacks:
            strategic_cities.begin(decision, city, _strongest(decision.state, city))
        elif city.making != NONE and not lacks:
            strategic_cities.rest(decision, city)


def _strongest(world: World, city: City) -> int:
    """Return the strongest slot of a type in the garrison, or of all slots if there is none.

    Of equals it is the first.
    """
    kept = {army.type for army in strategic_cities.garrison_of(world, city)}
    places = range(len(city.slots))
    known = [place for place in places if city.slots[place].type in kept]
    return max(known or places, key=lambda place: city.slots[place].strength)


def _begin_some(decision: Decision, settings: RuleSettings) -> None:
    """Start production in some idle neutral cities with few defenders, chosen by dice."""
    for city in cities_of(decision.state, NOBODY):
        if city.making != NONE or not city.slots or not _lacks(decision.state, settings, city):
            continue
        if decision.dice.roll(_IN) == 1:
            strategic_cities.begin(decision, city, pick(decision.dice, range(len(city.slots))))


def _lacks(world: World, settings: RuleSettings, city: City) -> bool:
    """Return whether a neutral city has fewer defenders than ``refill_to``."""
    return len(strategic_cities.garrison_of(world, city)) < settings.cities.refill_to
