"""What cities make, buy and send on. Rules: W2-14.5."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.core.dice import Dice
from engine.strategic.bot.atlas import FAR
from engine.strategic.bot.situation import Situation, apart
from engine.strategic.bot.temper import Temper
from engine.strategic.cities import sources
from engine.strategic.commands import AnyCommand, BuySlot, Produce, SetVector, StopProduction
from engine.strategic.pieces import NONE, City, Slot, UnitType

_INTERIOR: Final = 50
"""Points to the nearest prey from which on a city lies behind the front."""

_RICH: Final = 399
_KEPT: Final = 100
"""Gold above which types are bought, and what must be left. Rules: W2-14.5."""

_HERO: Final = 500
"""Gold that is kept for a hero where there is none."""

_HEROES: Final = 1100
"""Gold that is kept for one more."""

_REALM: Final = 5
_SAFE: Final = 0.8
"""Cities that a hero is wanted for, and how strong a side must be beside all foes to save for
one more."""

_EARLY: Final = 10
"""Turns in which many armies are better than strong ones."""

_SIDES: Final = 20
_CONCENTRATION: Final = 1.15
_HURRY: Final = 1.2
_PATIENCE: Final = 0.85
"""How strength and time are weighed: few strong armies can do what many weak ones cannot, for no
more than eight fight side by side; but at first time is everything."""

_BETTER: Final = 1.2
"""How much better another type must be to be made instead."""


def orders(here: Situation, temper: Temper, dice: Dice) -> Iterator[AnyCommand]:
    """Orders for cities: what they make, a purchase, vectors."""
    if here.is_poor:
        yield from (StopProduction(city.id) for city in here.cities if city.making != NONE)
        return
    bought = _purchase(here, temper, dice)
    if bought is not None:
        yield bought
        yield Produce(bought.city, bought.slot)
    spare = _spare(here)
    for city in here.cities:
        if bought is None or bought.city != city.id:
            order, dearer = _order(here, temper, city, spare)
            spare -= dearer
            yield from order
    if temper.vectors:
        yield from _vectors(here)


def _order(
    here: Situation, temper: Temper, city: City, spare: int
) -> tuple[tuple[AnyCommand, ...], int]:
    """The order for a city, if any, and what more that costs each turn in the end.

    What a city has begun is finished.
    """
    made = city.slots[city.making] if city.making != NONE else None
    number = _best_slot(here, temper, city)
    if number is None or (made is not None and city.left < made.turns):
        return (), 0
    slot = city.slots[number]
    if made is None:
        return ((Produce(city.id, number),), slot.cost // 2) if spare >= 0 else ((), 0)
    if spare < 0:
        return (StopProduction(city.id),), -(made.cost // 2)
    better = temper.thrift and _merit(here, slot) > _BETTER * _merit(here, made)
    return ((Produce(city.id, number),), 0) if better else ((), 0)


def _spare(here: Situation) -> int:
    """What more armies may cost a turn: some gold is kept for a hero where there is none."""
    kept, share = _saved(here)
    if here.me.gold >= kept:
        return here.money + (here.me.gold - kept) // 8
    return here.money - here.income // share if share else here.money


def _saved(here: Situation) -> tuple[int, int]:
    """The gold that is kept, and the part of the income that is put by until there is so much.

    A hero is saved for where there is none; who holds many cities saves for more of them. No part
    (0) is put by otherwise.
    """
    heroes = sum(army.hero is not None for army in here.armies)
    if here.view.turn < _EARLY:
        return _KEPT, 0
    if not heroes:
        return _HERO, 8
    count = len(here.cities)
    many = count > _REALM and heroes <= count // _REALM and here.mastery > _SAFE
    return (_HEROES, 4) if many else (_KEPT, 0)


def _best_slot(here: Situation, temper: Temper, city: City) -> int | None:
    """The slot to make; boats are never made, for they take no cities."""
    land = [k for k, slot in enumerate(city.slots) if "boat" not in _kind(here, slot).traits]
    if not temper.thrift:
        return land[-1] if land else None
    return max(land, key=lambda k: (_merit(here, city.slots[k]), -k), default=None)


def _kind(here: Situation, slot: Slot) -> UnitType:
    return here.view.types[slot.type]


def _merit(here: Situation, slot: Slot) -> float:
    """What a slot brings for its time: at first many and quick ones, later strength."""
    kind = _kind(here, slot)
    strength = min(_SIDES - 5, slot.strength + 1 + max(kind.pack) + kind.own[0] * 0.6)
    power: float = (strength / (_SIDES - strength)) ** _CONCENTRATION
    time: float = slot.turns ** (_HURRY if _is_early(here) else _PATIENCE)
    quick = slot.move / 100 + 0.1 * ("fly" in kind.traits)
    return power * (1 + quick) / time


def _is_early(here: Situation) -> bool:
    """Whether there is still land for the quickest."""
    return here.view.turn < _EARLY


def _purchase(here: Situation, temper: Temper, dice: Dice) -> BuySlot | None:
    """One better type for a city near the front, the best for its price. Rules: W2-14.5.

    If that costs more than there is, it is saved for; gold that is kept for a hero is not spent.
    """
    budget = here.me.gold - _saved(here)[0]
    if not temper.buys or here.me.gold <= _RICH or budget <= 0 or not here.cities:
        return None
    price, strength = (1500, 5) if dice.roll(10) <= 3 or budget > 1500 else (1000, 4)
    near = sorted(here.cities, key=lambda city: (here.fronts[city.id], city.id))[:3]
    city = min(near, key=lambda city: (_made(here, city), city.id))
    made = _made(here, city)
    wares = [
        kind
        for kind in here.view.types.values()
        if 0 <= kind.price <= price
        and kind.strength >= strength
        and not {"hero", "boat"} & set(kind.traits)
        and _merit(here, _slot(kind)) > _BETTER * made
    ]
    best = max(
        wares,
        key=lambda kind: ((_merit(here, _slot(kind)) - made) / kind.price, -kind.id),
        default=None,
    )
    if best is None or best.price > budget:
        return None
    place = len(city.slots)
    if place >= 4:
        place = min(range(4), key=lambda k: (_merit(here, city.slots[k]), k))
    return BuySlot(city.id, place, best.id)


def _slot(kind: UnitType) -> Slot:
    return Slot(kind.id, kind.strength, kind.turns, kind.move, kind.cost)


def _made(here: Situation, city: City) -> float:
    """The merit of the best that a city can make."""
    return max((_merit(here, slot) for slot in city.slots), default=0.0)


def _vectors(here: Situation) -> Iterator[AnyCommand]:
    """Cities behind the front send what they make to the nearest one at it."""
    posts = [c for c in here.cities if here.fronts[c.id] <= _INTERIOR]
    posts = posts or sorted(here.cities, key=lambda c: (here.fronts[c.id], c.id))[:1]
    fed = {post.id: len(sources(here.view, here.side, post.id)) for post in posts}
    for city in here.cities:
        inside = here.fronts[city.id] > _INTERIOR and city.id not in fed and not here.threats(city)
        if city.vector != NONE and (not inside or city.vector not in fed):
            yield SetVector(city.id)
        elif inside and city.vector == NONE:
            open_ones = [post for post in posts if fed[post.id] < here.book.cities.sources]
            post = min(
                open_ones,
                key=lambda post: (apart((city.x, city.y), (post.x, post.y)), post.id),
                default=None,
            )
            if post is not None and here.fronts[post.id] < FAR:
                fed[post.id] += 1
                yield SetVector(city.id, post.id)
