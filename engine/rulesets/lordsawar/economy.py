"""The upkeep phase (section 13.1): accounts, arrivals, production, and the neutral side's part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, cast

from engine.core.record import replace
from engine.kit.grid import Place
from engine.rulesets.lordsawar.events import NeutralGoldSet, ProductionStopped
from engine.rulesets.lordsawar.state import State
from engine.strategic import cities
from engine.strategic.decision import Decision, lose_transits, new_ids, pick
from engine.strategic.pieces import (
    NOBODY,
    NONE,
    STACK,
    Army,
    City,
    Slot,
)
from engine.strategic.settings import RuleSettings
from engine.strategic.world import World, armies_at, cities_of, city_at

_RICH: Final = 100
"""Gold above which the neutral side makes armies of its own accord. Rules: LW-17."""

_IN: Final = 2
"""One in so many idle neutral cities begins to make an army in a round. Rules: LW-17."""


# -- accounts --------------------------------------------------------------------------------------


def settle_accounts(work: Decision, settings: RuleSettings, side: int) -> None:
    """Book income and upkeep of a side or of the neutral one. Rules: LW-13.1."""
    if side != NOBODY:
        cities.keep_accounts(work, settings, side)
        return
    world = work.state
    change = cities.income(world, side) - cities.upkeep(world, settings, side)
    _add_gold(work, settings, side, change)


def gold_of(world: World, side: int) -> int:
    """Gold of a side or of the neutral one. Rules: LW-13.1."""
    return cast("State", world).neutral_gold if side == NOBODY else world.sides[side].gold


def _add_gold(work: Decision, settings: RuleSettings, side: int, gold: int) -> None:
    """Add gold to a purse, or take it away; it stays between 0 and its maximum."""
    if side != NOBODY:
        cities.add_gold(work, settings, side, gold, "production")
        return
    had = gold_of(work.state, NOBODY)
    has = max(0, min(had + gold, settings.cities.most_gold))
    if has != had:
        work.emit(NeutralGoldSet(has))


# -- places ----------------------------------------------------------------------------------------


def room_near(
    world: World, settings: RuleSettings, army: Army, tiles: tuple[Place, ...]
) -> Place | None:
    """First of some tiles with room for an army, else the nearest tile with room.

    Distance is counted in steps; of equal tiles the upper and then the left one is first.
    Rules: LW-13.2, LW-13.4.
    """
    around = (*tiles, *_rings(world, tiles))
    return next((at for at in around if _has_room(world, settings, army, at)), None)


def _rings(world: World, tiles: tuple[Place, ...]) -> Iterator[Place]:
    """Tiles of the map around a box of tiles, the nearest first, row by row."""
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


def arrive(work: Decision, settings: RuleSettings, side: int) -> None:
    """Arrival of a side's armies that are due; those whose target is gone are lost.

    Rules: LW-13.1, LW-13.4.
    """
    for transit in cities.due_transits(work.state, side):
        tiles = cities.target_tiles(work.state, side, transit.target)
        at = room_near(work.state, settings, transit.army, tiles) if tiles else None
        if at is None:
            lose_transits(work, (transit,))
        else:
            cities.receive(work, transit, at)


# -- production ------------------------------------------------------------------------------------


def make_armies(work: Decision, settings: RuleSettings, side: int) -> None:
    """Production of a side's cities for one round, in the order of their ids.

    Rules: LW-13.1, LW-13.2, D17.
    """
    busy = [city for city in cities_of(work.state, side) if city.making != NONE]
    cities.count(work, ((city.id, city.left - 1) for city in busy if city.left > 1))
    due = [city for city in busy if city.left <= 1]
    _stop_unpaid(work, settings, side, due)
    for city in due:
        if work.state.cities[city.id].making != NONE:
            finish(work, settings, work.state.cities[city.id])


def _stop_unpaid(work: Decision, settings: RuleSettings, side: int, due: Iterable[City]) -> None:
    """Stop cities until the prices and the upkeep of all others' armies can be paid."""
    costs = {city.id: _cost(settings, city.slots[city.making]) for city in due}
    bill, gold = sum(costs.values()), gold_of(work.state, side)
    for city in due:
        if bill <= gold:
            return
        bill -= costs[city.id]
        _stop(work, city)


def _cost(settings: RuleSettings, slot: Slot) -> int:
    """Price and upkeep of the army that is made in a slot."""
    return slot.cost + settings.cities.upkeep_of_slot(slot)


def _stop(work: Decision, city: City) -> None:
    """Stop a city that cannot pay; with an empty purse its armies are no longer sent away."""
    vector = city.vector if gold_of(work.state, city.owner) > 0 else NONE
    work.emit(ProductionStopped(replace(city, making=NONE, left=0, vector=vector)))


def finish(work: Decision, settings: RuleSettings, city: City) -> None:
    """Complete the production of a city.

    Without any gold it stops; with too little, or too many armies in the world, it tries again in
    the next round. Rules: LW-13.2, LW-13.4, D17.
    """
    world, slot = work.state, city.slots[city.making]
    gold = gold_of(world, city.owner)
    if gold <= 0:
        _stop(work, city)
        return
    number = new_ids(world, 1)[0]
    army = cities.recruit(world, settings, city, number, (city.x, city.y))
    at = room_near(world, settings, army, city.tiles)
    if gold < slot.cost or at is None or cities.is_crowded(world, settings):
        cities.count(work, ((city.id, 1),) if city.left != 1 else ())
        return
    if slot.cost:
        _add_gold(work, settings, city.owner, -slot.cost)
    if city.vector != NONE:
        cities.send(work, settings, city, army)
    else:
        cities.post(work, city, replace(army, x=at[0], y=at[1]))
    if city.owner == NOBODY and cast("State", world).options.neutral_cities == "defensive":
        cities.rest(work, work.state.cities[city.id])


# -- neutral cities --------------------------------------------------------------------------------


def order_neutrals(work: Decision, settings: RuleSettings) -> None:
    """Orders of the neutral side, whose turn is the last of a round. Rules: LW-17."""
    mode = cast("State", work.state).options.neutral_cities
    if mode == "active":
        _answer_attacks(work, settings)
    elif mode == "defensive" and gold_of(work.state, NOBODY) > _RICH:
        _begin_some(work, settings)


def _answer_attacks(work: Decision, settings: RuleSettings) -> None:
    """Cities that were attacked in vain make their strongest type until enough defend them."""
    for city in cities_of(work.state, NOBODY):
        lacks = _lacks(work.state, settings, city)
        if city.making == NONE and city.attacked_by and city.slots and lacks:
            cities.begin(work, city, _strongest(work.state, city))
        elif city.making != NONE and not lacks:
            cities.rest(work, city)


def _strongest(world: World, city: City) -> int:
    """Slot of the strongest type that keeps a city, or of all where none of it can be made there.

    Of equals it is the first.
    """
    kept = {army.type for army in cities.garrison_of(world, city)}
    places = range(len(city.slots))
    known = [place for place in places if city.slots[place].type in kept]
    return max(known or places, key=lambda place: city.slots[place].strength)


def _begin_some(work: Decision, settings: RuleSettings) -> None:
    """Idle cities with few defenders begin, by lot, to make something."""
    for city in cities_of(work.state, NOBODY):
        if city.making != NONE or not city.slots or not _lacks(work.state, settings, city):
            continue
        if work.dice.roll(_IN) == 1:
            cities.begin(work, city, pick(work.dice, range(len(city.slots))))


def _lacks(world: World, settings: RuleSettings, city: City) -> bool:
    """True if fewer defend a city than there may be in neutral ones that make armies."""
    return len(cities.garrison_of(world, city)) < settings.cities.refill_to
