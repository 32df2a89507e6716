"""What cities make, buy and send on. Rules: W2-14."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.core.dice import Dice
from engine.strategic.bot.situation import Situation, apart
from engine.strategic.bot.temper import Temper
from engine.strategic.cities.vectoring import sources
from engine.strategic.commands import AnyCommand, BuySlot, Produce, SetVector, StopProduction
from engine.strategic.pieces import NONE, City, Slot, UnitType

_INTERIOR: Final = 22
"""Steps to the nearest prey from which a city counts as lying behind the front."""

_RICH: Final = 399
_KEPT: Final = 100
"""Gold above which types are bought, and what must be left. Rules: W2-14."""

_SOURCES: Final = 4


def orders(here: Situation, temper: Temper, dice: Dice) -> Iterator[AnyCommand]:
    """Orders for cities: production where nothing is made, a purchase, vectors."""
    if here.is_poor:
        for city in here.cities:
            if city.making != NONE:
                yield StopProduction(city.id)
        return
    yield from _purchase(here, temper, dice)
    spare = here.money + here.me.gold // 12
    for city in here.cities:
        if city.making == NONE and city.slots and spare > -2:
            slot = _best_slot(here, city, spare)
            spare -= city.slots[slot].cost // 2
            yield Produce(city.id, slot)
    if temper.vectors:
        yield from _vectors(here)


def _best_slot(here: Situation, city: City, spare: int) -> int:
    """The slot to make: at first many and quick ones, later the best for its time."""
    early = here.view.turn < 12

    def merit(number: int) -> tuple[float, int]:
        slot = city.slots[number]
        time = slot.turns + (0.5 if early else 1.0)
        power = slot.strength + (1.0 if early else 0.0) + _gifts(here, slot)
        worth = power**1.4 / time + slot.move / 40
        dear = max(0, slot.cost // 2 - max(0, spare)) * 0.3
        return worth - dear, -number

    return max(range(len(city.slots)), key=merit)


def _gifts(here: Situation, slot: Slot) -> float:
    kind = here.view.types[slot.type]
    return 0.5 * ("fly" in kind.traits) + 0.4 * max(kind.pack) + 0.2 * max(kind.own)


def _purchase(here: Situation, temper: Temper, dice: Dice) -> Iterator[AnyCommand]:
    """One better type for the city at the front. Rules: W2-14."""
    if not temper.buys or here.me.gold <= _RICH or here.rally is None:
        return
    city = here.rally
    budget = here.me.gold - _KEPT
    bold = dice.roll(10) <= 3
    price, strength = (1500, 5) if bold else (800, 4)
    known = {slot.type for slot in city.slots}
    wares = [
        kind
        for kind in here.view.types.values()
        if 0 <= kind.price <= min(budget, price)
        and kind.strength >= strength
        and kind.id not in known
        and "hero" not in kind.traits
    ]
    best = max(wares, key=lambda kind: (_score(kind, budget), kind.id), default=None)
    if best is None or any(slot.strength >= best.strength for slot in city.slots):
        return
    if len(city.slots) < 4:
        yield BuySlot(city.id, len(city.slots), best.id)
    else:
        weakest = min(range(4), key=lambda number: (city.slots[number].strength, number))
        yield BuySlot(city.id, weakest, best.id)


def _score(kind: UnitType, budget: int) -> int:
    return (
        kind.strength
        + (kind.price <= budget - 200)
        + (kind.price <= budget - 400)
        + (kind.move > 11)
        + (kind.move > 15)
        + bool(kind.traits)
        + ("fly" in kind.traits)
        + any(kind.own)
        + 2 * (any(kind.pack) or kind.special > 0)
    )


def _vectors(here: Situation) -> Iterator[AnyCommand]:
    """Cities behind the front send what they make to the one nearest to it."""
    rally = here.rally
    if rally is None:
        return
    senders = len(sources(here.view, here.side, rally.id))
    for city in here.cities:
        behind = here.front(city) > _INTERIOR and city.id != rally.id
        far = apart((city.x, city.y), (rally.x, rally.y)) > _INTERIOR // 2
        if behind and far and city.vector == NONE and senders < _SOURCES:
            senders += 1
            yield SetVector(city.id, rally.id)
        elif city.vector not in (NONE, rally.id) or (city.id == rally.id and city.vector != NONE):
            yield SetVector(city.id)
