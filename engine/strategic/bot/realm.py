"""Decisions about the realm: quests, production, treaties, captured cities, wishes to sages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.core.dice import Dice
from engine.kit.grid import Place, distance
from engine.strategic import quests
from engine.strategic.aftermath import worth
from engine.strategic.battle import defenders_at
from engine.strategic.bot.atlas import FAR
from engine.strategic.bot.situation import Situation
from engine.strategic.cities import sources
from engine.strategic.commands import (
    AnyCommand,
    BuySlot,
    Produce,
    SetStance,
    SetVector,
    StopProduction,
)
from engine.strategic.decision import pick
from engine.strategic.pieces import (
    NOBODY,
    NONE,
    Army,
    City,
    Quest,
    Question,
    Side,
    Site,
    Slot,
    UnitType,
    Wish,
)
from engine.strategic.settings import Fate
from engine.strategic.world import PEACE, WAR, cities_of, treaty

# -- quests ----------------------------------------------------------------------------------------

TEMPLE_VALUE: Final = 30
"""Value of a temple that gives quests."""

_DONE: Final = 90
"""Value of fulfilling a quest."""

_PLUNDERED: Final = 25
"""Value of a side's city for a hero on a quest to plunder."""


def quest_temples(here: Situation, hero: Army) -> tuple[Site, ...]:
    """Return the temples where a hero could take a quest; empty if the side has one already."""
    if not here.settings.heroes.quests.on or here.me.quest is not None or not here.temples:
        return ()
    return here.temples if quests.possible(here.view, here.settings, hero) else ()


def quest_value(here: Situation, armies: Sequence[Army], at: Place) -> float:
    """Return the value that the quest adds to an attack on a tile; negative if it would void it.

    An impatient side no longer spares a city for its quest.
    """
    quest = here.me.quest
    if quest is None:
        return 0.0
    led = any(army.id == quest.hero for army in armies)
    city = here.city_of(at)
    if quest.kind in ("keep-city", "raze-city"):
        asked = city is not None and city.id == quest.target
        return (_DONE if led else _DONE * (here.impatience - 1)) * asked
    if not led:
        return 0.0
    if quest.kind == "plunder":
        return _PLUNDERED * (city is not None and city.owner != NOBODY)
    falling = sum(_is_target(quest, army) for army in defenders_at(here.view, at, here.side))
    return _DONE * min(1.0, falling / max(1, quest.count - quest.done))


def _is_target(quest: Quest, army: Army) -> bool:
    """Return whether killing an army counts for a quest."""
    match quest.kind:
        case "kill-hero":
            return army.id == quest.target
        case "kill-type":
            return army.owner == quest.side and army.type == quest.target
        case "kill-armies":
            return army.owner == quest.side
        case _:
            return False


def fetch_value(here: Situation, hero: Army, at: Place) -> float:
    """Return the value that a quest adds to a find on a tile, if its item is known there."""
    quest = here.me.quest
    if quest is None or quest.kind != "fetch-item" or quest.hero != hero.id:
        return 0.0
    item = here.view.items.get(quest.target)
    found = None
    if item is not None and item.where == "site" and item.holder in here.view.sites:
        site = here.view.sites[item.holder]
        found = site.x, site.y
    elif item is not None and item.where == "ground":
        found = item.x, item.y
    return _DONE * (at == found)


def quest_hero(here: Situation, armies: Sequence[Army]) -> Army | None:
    """Return the hero among some armies who is on the side's quest, or None."""
    quest = here.me.quest
    return next((army for army in armies if quest is not None and army.id == quest.hero), None)


# -- production ------------------------------------------------------------------------------------

_INTERIOR: Final = 50
"""Points to the nearest prey above which a city is behind the front."""

_RICH: Final = 399
_KEPT: Final = 100
"""Gold above which unit types are bought, and gold that a purchase must leave."""

_HERO: Final = 500
"""Gold saved for a hero when the side has none."""

_HEROES: Final = 1100
"""Gold saved for another hero."""

_REALM: Final = 5
_SAFE: Final = 0.8
"""Number of cities per hero wanted, and the mastery above which a side saves for another."""

_EARLY: Final = 10
"""Turns during which many armies are better than strong ones."""

_SIDES: Final = 20
_CONCENTRATION: Final = 1.15
_HURRY: Final = 1.2
_PATIENCE: Final = 0.85
"""Exponents of strength and time in the merit of a slot.

A few strong armies beat many weak ones, because at most eight fight together. Early in the game
time counts more.
"""

_BETTER: Final = 1.2
"""Ratio of merits above which a city changes to another type."""


def city_orders(here: Situation, dice: Dice) -> Iterator[AnyCommand]:
    """Yield orders for cities: a purchase, production and vectors."""
    if here.is_poor:
        yield from (StopProduction(city.id) for city in here.cities if city.making != NONE)
        return
    bought = _purchase(here, dice)
    if bought is not None:
        yield bought
        yield Produce(bought.city, bought.slot)
    spare = _spare(here)
    for city in here.cities:
        if bought is None or bought.city != city.id:
            order, dearer = _city_order(here, city, spare)
            spare -= dearer
            yield from order
    if here.level.vectors:
        yield from _vectors(here)


def _city_order(here: Situation, city: City, spare: int) -> tuple[tuple[AnyCommand, ...], int]:
    """Return a city's production order, if any, and the upkeep that it adds in the long run.

    A city finishes an army that it has begun.
    """
    made = city.slots[city.making] if city.making != NONE else None
    number = _best_slot(here, city)
    if number is None or (made is not None and city.left < made.turns):
        return (), 0
    slot = city.slots[number]
    if made is None:
        return ((Produce(city.id, number),), keep(here, slot)) if spare >= 0 else ((), 0)
    if spare < 0:
        return (StopProduction(city.id),), -keep(here, made)
    better = here.level.thrift and merit(here, slot) > _BETTER * merit(here, made)
    return ((Produce(city.id, number),), 0) if better else ((), 0)


def keep(here: Situation, slot: Slot) -> int:
    """Return the gold that a slot's army takes per turn: upkeep, and its price spread out."""
    price = here.settings.cities.unit_price
    bought = 0 if price is None else price(slot) // max(1, slot.turns)
    return here.settings.cities.upkeep_of_slot(slot) + bought


def _spare(here: Situation) -> int:
    """Return the upkeep per turn that new armies may add, after savings for heroes."""
    kept, share = _saved(here)
    if here.me.gold >= kept:
        return here.money + (here.me.gold - kept) // 8
    return here.money - here.income // share if share else here.money


def _saved(here: Situation) -> tuple[int, int]:
    """Return the gold to save, and the divisor of the income share set aside until then.

    The divisor is 0 if nothing is set aside. A side without a hero saves for one; a side with many
    cities saves for more.
    """
    heroes = sum(army.hero is not None for army in here.armies)
    if here.view.turn < _EARLY:
        return _KEPT, 0
    if not heroes:
        return _HERO, 8
    count = len(here.cities)
    many = count > _REALM and heroes <= count // _REALM and here.mastery > _SAFE
    return (_HEROES, 4) if many else (_KEPT, 0)


def _best_slot(here: Situation, city: City) -> int | None:
    """Return the best slot to make, or None. Boats are never made, because they take no cities."""
    land = [k for k, slot in enumerate(city.slots) if "boat" not in _kind(here, slot).traits]
    if not here.level.thrift:
        return land[-1] if land else None
    return max(land, key=lambda k: (merit(here, city.slots[k]), -k), default=None)


def _kind(here: Situation, slot: Slot) -> UnitType:
    return here.view.types[slot.type]


def merit(here: Situation, slot: Slot) -> float:
    """Return the merit of a slot for its time: speed and numbers count early, strength later."""
    if here.estimates.merit is not None:
        return here.estimates.merit(here.view, slot, here.share)
    kind = _kind(here, slot)
    strength = min(_SIDES - 5, slot.strength + 1 + max(kind.pack) + kind.own[0] * 0.6)
    power: float = (strength / (_SIDES - strength)) ** _CONCENTRATION
    time: float = slot.turns ** (_HURRY if here.view.turn < _EARLY else _PATIENCE)
    quick = slot.move / 100 + 0.1 * ("fly" in kind.traits)
    return power * (1 + quick) / time


def _purchase(here: Situation, dice: Dice) -> BuySlot | None:
    """Return the best type for its price to buy near the front; None if the side saves for it.

    Gold set aside for a hero is not spent.
    """
    budget = here.me.gold - _saved(here)[0]
    if not here.level.buys or here.me.gold <= _RICH or budget <= 0 or not here.cities:
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
        and here.settings.cities.for_sale(here.view, city, kind)
        and merit(here, slot_of(kind)) > _BETTER * made
    ]
    best = max(
        wares,
        key=lambda kind: ((merit(here, slot_of(kind)) - made) / max(1, kind.price), -kind.id),
        default=None,
    )
    if best is None or best.price > budget:
        return None
    place = len(city.slots)
    if place >= 4:
        place = min(range(4), key=lambda k: (merit(here, city.slots[k]), k))
    return BuySlot(city.id, place, best.id)


def slot_of(kind: UnitType) -> Slot:
    """Return the slot of a city that has just bought a type."""
    return Slot(kind.id, kind.strength, kind.turns, kind.move, kind.cost)


def _made(here: Situation, city: City) -> float:
    """Return the highest merit among the slots of a city."""
    return max((merit(here, slot) for slot in city.slots), default=0.0)


def _vectors(here: Situation) -> Iterator[AnyCommand]:
    """Yield orders that send armies from behind the front to the nearest city at the front."""
    posts = [c for c in here.cities if here.fronts[c.id] <= _INTERIOR]
    posts = posts or sorted(here.cities, key=lambda c: (here.fronts[c.id], c.id))[:1]
    fed = {post.id: len(sources(here.view, here.side, post.id)) for post in posts}
    for city in here.cities:
        inside = here.fronts[city.id] > _INTERIOR and city.id not in fed and not here.threats(city)
        if city.vector != NONE and (not inside or city.vector not in fed):
            yield SetVector(city.id)
        elif inside and city.vector == NONE:
            open_ones = [post for post in posts if fed[post.id] < here.settings.cities.sources]
            post = min(
                open_ones,
                key=lambda post: (distance((city.x, city.y), (post.x, post.y), 8), post.id),
                default=None,
            )
            if post is not None and here.fronts[post.id] < FAR:
                fed[post.id] += 1
                yield SetVector(city.id, post.id)


# -- treaties --------------------------------------------------------------------------------------

_MIGHTY: Final = 3
"""Divisor of the existing cities: a side with more than that share is everyone's enemy."""


def stance_orders(here: Situation) -> Iterator[AnyCommand]:
    """Yield orders for war with one prime enemy and with those already at war, else for peace.

    A side that can reach neither an attackable city nor the prime enemy goes to war with all rivals
    it can reach.
    """
    if not here.settings.turns.diplomacy:
        return
    rivals = [s for s in here.view.sides.values() if s.alive and s.id != here.side]
    if not rivals or not here.cities:
        return
    prime = prime_rival(here, rivals)
    idle = here.lost and not _is_in_reach(here, prime)
    for rival in rivals:
        at_war = rival.id == prime or treaty(here.view, here.side, rival.id) == WAR
        wanted = WAR if at_war or (idle and _is_in_reach(here, rival.id)) else PEACE
        if here.me.stances[rival.id] != wanted:
            yield SetStance(rival.id, wanted)


def prime_rival(here: Situation, rivals: list[Side]) -> int:
    """Return the rival with an outstanding share of all cities, or else the nearest."""
    standing = sum(not city.razed for city in here.view.cities.values())
    largest = max(rivals, key=lambda side: (len(cities_of(here.view, side.id)), -side.id))
    if len(cities_of(here.view, largest.id)) * _MIGHTY > standing:
        return largest.id
    return min(rivals, key=lambda side: (_distance_to(here, side.id), side.id)).id


def _is_in_reach(here: Situation, rival: int) -> bool:
    """Return whether a route on foot leads to a city of a rival."""
    tiles = tuple(at for city in cities_of(here.view, rival) for at in city.tiles)
    homes = ((city.x, city.y) for city in here.cities)
    return bool(tiles) and any(here.on_foot.cost(at, tiles) < FAR for at in homes)


def _distance_to(here: Situation, rival: int) -> int:
    """Return the steps between the nearest cities of both sides."""
    theirs = cities_of(here.view, rival)
    return min(
        (distance((a.x, a.y), (b.x, b.y), 8) for a in here.cities for b in theirs),
        default=1000,
    )


# -- captured cities -------------------------------------------------------------------------------

_PILLAGED: Final = 300
_SACKED: Final = 900
"""Minimum price of the slots that makes pillaging, and sacking, worthwhile."""

_WANTED: Final = 12
"""Number of cities from which gold is worth more than the slots of another city."""


def fate_of_city(here: Situation, dice: Dice, city: City) -> Fate:
    """Choose a captured city's fate: by the quest; else small sides occupy and large ones loot.

    A fearless side without a route out razes it: cities that change hands forever end no war.
    """
    asked = _fate_for_quest(here, city)
    if asked is not None:
        return asked
    if here.lost and here.is_fearless:
        return "raze"
    if len(here.cities) < _WANTED:
        return "occupy"
    if len(city.slots) > 1 and worth(here.view, city.slots[1:]) >= _SACKED:
        return "sack"
    if worth(here.view, city.slots[-1:]) >= _PILLAGED and pick(dice, (True, False)):
        return "pillage"
    return "occupy"


def _fate_for_quest(here: Situation, city: City) -> Fate | None:
    """Return the fate that advances a quest whose hero is in the city, or None."""
    quest = here.me.quest
    hero = None if quest is None else here.view.armies.get(quest.hero)
    if quest is None or hero is None or hero.at not in city.tiles:
        return None
    if quest.kind == "raze-city" and quest.target == city.id:
        return "raze"
    if quest.kind == "plunder" and worth(here.view, city.slots[1:]):
        return "sack"
    return None


# -- sages -----------------------------------------------------------------------------------------

_SAVED_FOR_ALL: Final = 700
"""Gold from which a hero and a better unit type are affordable."""

_SITES_LEFT: Final = 3
"""Number of unsearched sites from which the places of items are worth knowing."""


def sage_wish(here: Situation, question: Question) -> Wish:
    """Choose the wish to a sage: maps while no foe is known, items for rich sides, else gold."""
    found = next((city for city in here.prey if city.owner != NOBODY), None)
    if "maps" in question.wishes and here.fog and found is None:
        return "maps"
    heroes = any(army.hero is not None for army in here.armies)
    rich = here.me.gold >= _SAVED_FOR_ALL and heroes and len(here.sites) >= _SITES_LEFT
    if "items" in question.wishes and (rich or "gold" not in question.wishes):
        return "items"
    return "gold" if "gold" in question.wishes else question.wishes[0]
