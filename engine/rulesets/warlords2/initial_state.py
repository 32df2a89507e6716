"""The first state of a game, with everything drawn that its scenario leaves open.

The dice are rolled in this order: the secret of a hidden map, gold and rating side by side, the
variation of slots city by city, garrisons city by city, then items and sites.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace as changed
from typing import Final

from engine.core.containers import Plane, Roster
from engine.core.dice import Dice
from engine.core.record import replace
from engine.rulesets.warlords2.heroes import fill_rules
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.rulesets.warlords2.scene import Map
from engine.rulesets.warlords2.state import State
from engine.rulesets.warlords2.tables import city_art, type_order
from engine.strategic import beginning
from engine.strategic.cities import garrison, posted, tier_slot
from engine.strategic.decision import new_ids, pick, roll
from engine.strategic.pieces import NOBODY, STACK, Army, City, Slot
from engine.strategic.settings import RuleSettings
from engine.strategic.site_contents import completed, fill
from engine.strategic.world import PEACE, WAR

_BEST_TIER: Final = 3


def first_state(described: State, scene: Map, dice: Dice) -> State:
    """Return the first state of a new game; draw everything that its scenario leaves open.

    See: W2-9.1, W2-9.7, W2-10.3, W2-10.4, W2-11, W2-12.1, W2-12.3, W2-15.7.
    """
    settings = settings_of(described.options)
    hidden = described.options.hidden_map == "on"
    state = _sides_drawn(described, scene, dice)
    state = _cities_drawn(state, settings, dice)
    state = painted(state, state.cities.values())
    quick = state.options.quick_start == "on"
    state = _dealt(state, settings, dice) if quick else _kept(state, settings, dice)
    rules = fill_rules(described.options)
    if scene.pool:
        rules = changed(rules, pool=scene.pool)
    if scene.pool and state.items:
        things = completed(dice, rules, state.items.rows())
        state = replace(state, items=Roster(things))
    state = fill(state, rules, dice)
    return beginning.discovered(state, settings) if hidden else state


def _sides_drawn(state: State, scene: Map, dice: Dice) -> State:
    """Set gold, ratings and treaties. Rules: W2-12.1. See: W2-12.3, W2-15.7."""
    agreed = PEACE if state.options.diplomacy == "on" else WAR
    treaties = beginning.treaties(len(state.sides), agreed)
    made = []
    for side in state.sides.values():
        told = scene.sides[side.id]
        gold = roll(dice, 3, 50, 20) if told.gold is None else told.gold
        rating = told.rating or roll(dice, 1, 8)
        stances = told.stances or treaties[side.id]
        made.append(replace(side, gold=gold, rating=rating, stances=stances))
    return replace(state, sides=state.sides.put(*made), treaties=treaties)


def _cities_drawn(state: State, settings: RuleSettings, dice: Dice) -> State:
    """Set the final slots and the defence level of each city. Rules: W2-9.1."""
    made = []
    for city in state.cities.values():
        slots = sorted(city.slots, key=lambda slot: _dearness(state, slot))
        if state.options.classic_navy == "off":
            slots = [slot for slot in slots if "boat" not in state.types[slot.type].traits]
        if state.options.variation == "on":
            slots = [varied(slot, dice) for slot in slots]
        defence = settings.cities.defence(len(slots))
        made.append(replace(city, slots=tuple(slots), defence=defence))
    return replace(state, cities=state.cities.put(*made))


def _dearness(state: State, slot: Slot) -> tuple[int, tuple[int, int]]:
    return abs(state.types[slot.type].price), type_order(slot.type)


def varied(slot: Slot, dice: Dice) -> Slot:
    """Return a slot with its numbers varied a little by the dice. See: W2-9.1."""
    strength, move, cost, turns = slot.strength, slot.move, slot.cost, slot.turns
    if _percent(dice) < 10:
        strength = max(1, min(9, strength + (1 if _percent(dice) < 60 else -1)))
    if _percent(dice) < 20:
        move = _moved(move, _percent(dice))
    if _percent(dice) < 10:
        cost += -(cost // 4) if _percent(dice) < 60 else cost // 4
    if _percent(dice) < 10:
        turns = max(1, turns - 1) if _percent(dice) < 60 else turns + 1
    return replace(slot, strength=strength, move=max(6, move), cost=cost, turns=turns)


def _percent(dice: Dice) -> int:
    return roll(dice, 1, 100)


def _moved(move: int, percent: int) -> int:
    if percent < 10:
        return move + 4
    if percent < 60:
        return move + 2
    return max(2, move - (2 if percent < 95 else 4))


def _kept(state: State, settings: RuleSettings, dice: Dice) -> State:
    """Place a garrison in every city: in capitals the best type, else by option. Rules: W2-9.7."""
    numbers = new_ids(state, len(state.cities))
    cities, armies = [], []
    for number, city in zip(numbers, state.cities.values(), strict=True):
        if city.owner == NOBODY:
            known, army = garrison(dice, settings.cities, state.types, city, number)
            cities.append(known)
            armies.append(army)
        elif city.slots:
            best = city.slots[tier_slot(replace(city, tier=_BEST_TIER))]
            armies.append(_ready(state, posted(settings.cities, city, best, number, city.tiles[0])))
    return replace(
        state,
        cities=state.cities.put(*cities),
        armies=state.armies.put(*armies),
        next_id=state.next_id + len(state.cities),
    )


def _dealt(state: State, settings: RuleSettings, dice: Dice) -> State:
    """Distribute all cities among the sides, with armies, for a quick start. See: W2-9.7."""
    owners = beginning.nearest_dealt(state, tuple(state.sides), len(state.cities))
    rows = state.cities.values()
    cities = [replace(city, owner=owners.get(city.id, city.owner)) for city in rows]
    state = painted(replace(state, cities=state.cities.put(*cities)), cities)
    for city in cities:
        count = roll(dice, 1, 4) if city.slots else 0
        numbers = new_ids(state, count)
        armies = tuple(
            _ready(
                state,
                posted(
                    settings.cities, city, pick(dice, city.slots), number, city.tiles[n // STACK]
                ),
            )
            for n, number in enumerate(numbers)
        )
        state = replace(state, armies=state.armies.put(*armies), next_id=state.next_id + count)
    return state


def _ready(state: State, army: Army) -> Army:
    """Add the extra strength of an enhanced side to a new army. See: W2-9.3."""
    if not state.sides[army.owner].enhanced:
        return army
    return replace(army, strength=min(max(9, army.strength), army.strength + 2))


def painted(state: State, cities: Iterable[City]) -> State:
    """Return the state with the given cities' pictures set by their owners. Rules: W2-3.4."""
    art = state.art.edit()
    for city in cities:
        for (x, y), picture in zip(city.tiles, city_art(city.owner), strict=True):
            art[y, x] = picture
    return replace(state, art=Plane(art))
