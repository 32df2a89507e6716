"""Invariants of every position of a game, for any order.

``of_position`` yields a sentence for each violation. Numbers are those of section 19 of the rule
book; ``happenings`` checks the events between two positions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from engine.rulesets.warlords2.state import State
from engine.rulesets.warlords2.tables import Terrain, city_art, razed_art
from engine.strategic.pieces import NOBODY, NONE, STACK, TO_FLAG, Army, City, Item
from engine.strategic.world import armies_at, armies_of, city_at, flies, is_boat, stacks

WATER = (Terrain.OCEAN, Terrain.SHORE)
AFLOAT = (*WATER, Terrain.BRIDGE, Terrain.RIVER)
PURSE = 30_000
CAP_OF_ARMIES, CAP_OF_HEROES = 1000, 40
DEALT = ("unused", "lost")


def of_position(before: State, after: State) -> Iterator[str]:
    """Yield the faults of a position, and of the change from the one before."""
    yield from _stacks(before, after)
    yield from _cities(before, after)
    yield from _vectors(after)
    yield from _sides(after)
    yield from _treaties(after)
    yield from _things(after)
    yield from _turn(after)
    if np.any(before.discovered.cells & ~after.discovered.cells):  # number 15
        yield "a side has forgotten a tile"


# -- armies ----------------------------------------------------------------------------------------


def _stacks(before: State, after: State) -> Iterator[str]:
    """Check numbers 8 and 9, and the armies in cities."""
    if after.armies is before.armies and after.cities is before.cities:
        return
    heroes = 0
    for at, stack in stacks(after.armies).items():
        if len(stack) > STACK:
            yield f"{len(stack)} armies stand on {at}"
        if len({army.owner for army in stack}) > 1:
            yield f"armies of two sides stand on {at}"
        city = city_at(after, at)
        if city is not None and city.owner != stack[0].owner:
            yield f"an army of {stack[0].owner} stands in city {city.id} of {city.owner}"
        for army in stack:
            heroes += army.hero is not None and army.owner != NOBODY
            if before.armies.get(army.id) is not army:
                yield from _army(before, after, army, stack)
    if len(after.armies) > CAP_OF_ARMIES or heroes > CAP_OF_HEROES:
        yield f"{len(after.armies)} armies and {heroes} heroes are in the world"
    if twice := set(after.armies) & set(after.transits):
        yield f"armies {sorted(twice)} are on the map and off it"


def _army(before: State, after: State, army: Army, stack: tuple[Army, ...]) -> Iterator[str]:
    ground = after.terrain[army.y, army.x]
    if not 0 <= army.points <= 99:
        yield f"army {army.id} has {army.points} points"
    if not 1 <= army.strength <= 9:
        yield f"army {army.id} has strength {army.strength}"
    if army.aboard and ground not in AFLOAT:
        yield f"army {army.id} is aboard on {army.at}, which is no water"
    if army.aboard and (flies(after, army) or is_boat(after, army)):
        yield f"army {army.id} is aboard and has no need to be"
    was = before.armies.get(army.id)
    moved = was is None or was.at != army.at
    if moved and ground in WATER and not army.aboard and not is_boat(after, army):
        rides = after.options.hero_rides_flyers == "on" and army.hero is not None
        if not flies(after, army) and not (rides and _any_flies(after, stack)):
            yield f"army {army.id} stands on the water at {army.at}"
    if moved and is_boat(after, army) and ground not in (*AFLOAT, Terrain.CITY):
        yield f"the ships {army.id} stand on land at {army.at}"


def _any_flies(state: State, stack: tuple[Army, ...]) -> bool:
    return any(flies(state, army) for army in stack)


# -- cities ----------------------------------------------------------------------------------------


def _cities(before: State, after: State) -> Iterator[str]:
    """Check number 13."""
    if after.cities is before.cities and after.art is before.art:
        return
    if set(after.cities) != set(before.cities):
        yield "there are other cities than before"
    for city in after.cities.values():
        was = before.cities.get(city.id)
        if was is not None and was.razed and was != city:
            yield f"the razed city {city.id} has changed"
        yield from _city(after, city)


def _city(state: State, city: City) -> Iterator[str]:
    if len(city.slots) > 4:
        yield f"city {city.id} has {len(city.slots)} slots"
    defence = 0 if city.razed else 1 if len(city.slots) < 3 else 2
    if city.defence != defence:
        yield f"city {city.id} with {len(city.slots)} slots has defence {city.defence}"
    if not NONE <= city.making < len(city.slots):
        yield f"city {city.id} makes number {city.making} of {len(city.slots)}"
    if city.left < 0 or (city.making == NONE and city.left and city.owner != NOBODY):
        yield f"city {city.id} makes {city.making} and has {city.left} turns left"
    if city.owner != NOBODY and not state.sides[city.owner].alive:
        yield f"city {city.id} belongs to {city.owner}, who is out"
    if city.razed and (city.owner, city.slots, city.vector) != (NOBODY, (), NONE):
        yield f"the razed city {city.id} has an owner, slots or a vector"
    ground = Terrain.SITE if city.razed else Terrain.CITY
    if any(state.terrain[y, x] != ground for x, y in city.tiles):
        yield f"city {city.id} does not stand on tiles of its own"
    art = tuple(int(state.art[y, x]) for x, y in city.tiles)
    ruins = {razed_art(side) for side in range(8)}
    if art not in ruins if city.razed else art != city_art(city.owner):
        yield f"city {city.id} of {city.owner} looks like {art}"


def _vectors(state: State) -> Iterator[str]:
    """Check number 14."""
    led = Counter((c.owner, c.vector) for c in state.cities.values() if c.vector != NONE)
    for (owner, target), count in led.items():
        if count > 4:
            yield f"{count} cities of {owner} send their armies to {target}"
        if target != TO_FLAG and state.cities[target].owner != owner:
            yield f"armies of {owner} go to city {target}, another's"
    for one in state.transits.values():
        if not state.turn <= one.due <= state.turn + 2:
            yield f"army {one.id} is due in round {one.due}, not from {state.turn} to two later"
        if not state.sides[one.army.owner].alive:
            yield f"army {one.id} is on its way for {one.army.owner}, who is out"


# -- sides, items, turns ---------------------------------------------------------------------------


def _sides(state: State) -> Iterator[str]:
    """Check number 12."""
    for side in state.sides.values():
        if not 0 <= side.gold <= PURSE:
            yield f"side {side.id} has {side.gold} gold"
        if not side.alive and (side.gold or side.flag or side.quest or armies_of(state, side.id)):
            yield f"side {side.id} is out, and has gold, a flag, a quest or armies"
        if any(not 0 <= stance <= 2 for stance in side.stances):
            yield f"side {side.id} has the stances {side.stances}"
        if side.quest is not None:
            hero = state.armies.get(side.quest.hero)
            if hero is None or hero.hero is None or hero.owner != side.id:
                yield f"the quest of side {side.id} is no living hero's of its own"
        if side.flag is not None and not _is_planted(state, side.id, side.flag):
            yield f"the flag of side {side.id} is not planted at {side.flag}"


def _treaties(state: State) -> Iterator[str]:
    for one, row in enumerate(state.treaties):
        for other, how in enumerate(row):
            if how != state.treaties[other][one] or how not in (0, 1, 2) or (one == other and how):
                yield f"sides {one} and {other} stand {how} and {state.treaties[other][one]}"


def _is_planted(state: State, side: int, at: tuple[int, int]) -> bool:
    return any(
        item.where == "planted" and item.side == side and (item.x, item.y) == at
        for item in state.items.values()
    )


def _things(state: State) -> Iterator[str]:
    """Check that items, towers and sites are in possible places."""
    for item in state.items.values():
        if not _is_somewhere(state, item):
            yield f"{item.name} is {item.where} with {item.holder} at ({item.x}, {item.y})"
    for tower in state.towers.values():
        if not any(army.owner == tower.owner for army in armies_at(state, (tower.x, tower.y))):
            yield f"nobody of {tower.owner} keeps the tower at ({tower.x}, {tower.y})"


def _is_somewhere(state: State, item: Item) -> bool:
    if item.where == "carried":
        bearer = state.armies.get(item.holder)
        return bearer is not None and bearer.hero is not None and bearer.owner != NOBODY
    if item.where == "site":
        return item.holder in state.sites and not state.sites[item.holder].searched
    if item.where in ("ground", "planted"):
        on_map = bool(state.terrain.has(item.x, item.y))
        return on_map and state.terrain[item.y, item.x] != Terrain.OCEAN
    return item.where in DEALT and item.holder == NONE


def _turn(state: State) -> Iterator[str]:
    if state.reason is not None:
        return
    if len(set(state.order)) != len(state.order) or not set(state.order) <= set(state.sides):
        yield f"the sides play in the order {state.order}"
    if not state.sides[state.current].alive:
        yield f"it is the turn of {state.current}, who is out"
    asked = state.question
    if asked is None:
        return
    if asked.kind != "yield" and asked.side != state.current:
        yield f"{asked.side} is asked in the turn of {state.current}"
    if asked.kind == "fate" and state.cities[asked.city].owner != asked.side:
        yield f"{asked.side} is asked about city {asked.city}, another's"
    if asked.kind == "sage" and state.armies[asked.army].owner != asked.side:
        yield f"{asked.side} is asked about army {asked.army}, another's"
