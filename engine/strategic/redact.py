"""Events as somebody may know them.

Whoever sees the same afterwards is told the same: an event that changes nothing a viewer can see
is not told, and what is told of others is no more than stands in the view.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.core.record import replace
from engine.strategic import events as ev
from engine.strategic.pieces import NONE, Army, City, Item
from engine.strategic.seen import Seen


def redacted(event: ev.AnyEvent, before: Seen, after: Seen) -> ev.AnyEvent | None:
    """The event as the viewer may know it, or None.

    ``before`` and ``after`` are what the viewer knows right before and right after it.
    """
    teller = _TELLERS.get(type(event))
    return teller(event, before, after) if teller is not None else event


# -- one's own business ----------------------------------------------------------------------------


def _of_group(event: Any, before: Seen, _after: Seen) -> ev.AnyEvent | None:
    """Only whose armies they are is told."""
    return _event(event) if _is_own(before, event.armies[0]) else None


def _of_side(event: Any, before: Seen, _after: Seen) -> ev.AnyEvent | None:
    """Only the side it is about is told."""
    return _event(event) if event.side in before.secrets else None


def _sites_known(event: ev.SiteKnown, before: Seen, after: Seen) -> ev.SiteKnown | None:
    """Only the side that was told is told, and not who else knows."""
    if event.side not in before.secrets:
        return None
    return replace(event, sites=tuple(after.site(site) for site in event.sites))


def _counted(event: ev.Counted, _before: Seen, after: Seen) -> ev.Counted | None:
    cities = after.world.cities
    lefts = tuple(one for one in event.lefts if cities[one[0]].owner in after.secrets)
    return replace(event, lefts=lefts) if lefts else None


def _deeds(event: ev.DeedsCounted, before: Seen, _after: Seen) -> ev.DeedsCounted | None:
    sides = tuple(side for side in event.sides if side.id in before.secrets)
    return replace(event, sides=sides) if sides else None


def _sent(event: ev.ArmySent, _before: Seen, after: Seen) -> ev.ArmySent | None:
    return event if after.owns(event.transit) else None


def _transits(event: ev.TransitsMoved, _before: Seen, after: Seen) -> ev.TransitsMoved | None:
    own = tuple(transit for transit in event.transits if after.owns(transit))
    return replace(event, transits=own) if own else None


def _transits_lost(event: ev.TransitsLost, before: Seen, _after: Seen) -> ev.TransitsLost | None:
    rows = before.world.transits
    lost = tuple(transit for transit in event.transits if before.owns(rows[transit]))
    return replace(event, transits=lost) if lost else None


# -- what is public but for details ----------------------------------------------------------------


def _asked(event: ev.Asked, _before: Seen, after: Seen) -> ev.Asked:
    return replace(event, question=after.question(event.question) or event.question)


def _answered(event: ev.Answered, _before: Seen, after: Seen) -> ev.Answered:
    return event if event.side in after.secrets else replace(event, answer="")


def _treaty(event: ev.TreatyChanged, _before: Seen, after: Seen) -> ev.TreatyChanged:
    one, other = event.sides
    return replace(event, sides=(after.side(one), after.side(other)))


def _side_out(event: ev.SideOut, _before: Seen, after: Seen) -> ev.SideOut:
    return replace(event, side=after.side(event.side))


# -- cities ----------------------------------------------------------------------------------------


def _taken(event: ev.CityTaken, _before: Seen, after: Seen) -> ev.CityTaken | None:
    if not after.knows_city(event.city):
        return None
    gold = tuple((side, left) for side, left in event.gold if side in after.secrets)
    return replace(
        event,
        city=after.city(event.city),
        loot=event.loot if gold else 0,
        gold=gold,
        others=_own_cities(event.others, after),
    )


def _settled(event: ev.CitySettled, _before: Seen, after: Seen) -> ev.CitySettled | None:
    if not after.knows_city(event.city):
        return None
    if event.side in after.secrets:
        return event
    return replace(event, city=after.city(event.city), gain=0, gold=0)


def _razed(event: ev.CityRazed, _before: Seen, after: Seen) -> ev.CityRazed | None:
    if not after.knows_city(event.city):
        return None
    return replace(event, city=after.city(event.city), others=_own_cities(event.others, after))


def _city_changed(event: ev.CityChanged, _before: Seen, after: Seen) -> ev.CityChanged | None:
    if event.city.owner in after.secrets:
        return event
    told = event.what == "name" and after.knows_city(event.city)
    return replace(event, city=after.city(event.city)) if told else None


def _slot_bought(event: ev.SlotBought, _before: Seen, after: Seen) -> ev.SlotBought | None:
    if event.city.owner in after.secrets:
        return event
    shown = replace(event, city=after.city(event.city), gold=0)
    return shown if after.knows_city(event.city) else None


def _freed(event: ev.CitiesFreed, _before: Seen, after: Seen) -> ev.CitiesFreed | None:
    rows = [
        (after.city(city), art)
        for city, art in zip(event.cities, event.art, strict=True)
        if after.knows_city(city)
    ]
    cities, arts = tuple(city for city, _ in rows), tuple(art for _, art in rows)
    return replace(event, cities=cities, art=arts) if rows else None


# -- armies ----------------------------------------------------------------------------------------


def _moved(event: ev.GroupMoved, before: Seen, after: Seen) -> ev.GroupMoved | None:
    """Others' ways as far as they lie in sight, without what the armies can still move."""
    if _is_own(before, event.armies[0]):
        return event
    path = tuple((x, y) for x, y in event.path if after.visible[y, x])
    start = before.world.armies[event.armies[0]]
    if not path and not before.sees(start):
        return None
    return replace(event, path=path, points=(0,) * len(event.points))


def _battle(event: ev.BattleFought, before: Seen, _after: Seen) -> ev.BattleFought | None:
    parties = {event.attacker, event.defender}
    saw = bool(parties & before.secrets) or bool(before.visible[event.at[1], event.at[0]])
    if not saw:
        return None
    return event if event.defender in before.secrets else replace(event, attacked_by=0)


def _removed(event: ev.ArmiesRemoved, before: Seen, _after: Seen) -> ev.ArmiesRemoved | None:
    rows = before.world.armies
    seen = tuple(army for army in event.armies if before.sees(rows[army]))
    return replace(event, armies=seen) if seen else None


def _many(event: Any, before: Seen, after: Seen) -> ev.AnyEvent | None:
    """Armies as they are now, those that are seen to be otherwise."""
    shown = _shown(event.armies, before, after)
    return _event(replace(event, armies=shown)) if shown else None


def _made(event: ev.ArmyMade, before: Seen, after: Seen) -> ev.ArmyMade | None:
    if event.army.owner in after.secrets:
        return event
    shown = _shown((event.army,), before, after)
    return ev.ArmyMade(event.city, 0, shown[0]) if shown else None


def _arrived(event: ev.ArmyArrived, before: Seen, after: Seen) -> ev.AnyEvent | None:
    if event.army.owner in after.secrets:
        return event
    shown = _shown((event.army,), before, after)
    return ev.ArmiesPlaced(shown, "arrived") if shown else None


def _hired(event: ev.HeroHired, before: Seen, after: Seen) -> ev.AnyEvent | None:
    if event.side in after.secrets:
        return event
    shown = _shown((event.hero, *event.allies), before, after)
    return ev.ArmiesPlaced(shown, "hero") if shown else None


def _towers_built(event: ev.TowersBuilt, _before: Seen, after: Seen) -> ev.TowersBuilt | None:
    towers = tuple(tower for tower in event.towers if after.sees_tower(tower))
    return replace(event, towers=towers) if towers else None


def _towers_fell(event: ev.TowersFell, before: Seen, _after: Seen) -> ev.TowersFell | None:
    rows = before.world.towers
    fallen = tuple(tower for tower in event.towers if before.sees_tower(rows[tower]))
    return replace(event, towers=fallen) if fallen else None


# -- items and sites -------------------------------------------------------------------------------


def _items(event: ev.ItemsMoved, before: Seen, after: Seen) -> ev.ItemsMoved | None:
    """Items in sight before or after; where one has gone out of sight is not told."""
    rows = before.world.items
    shown: list[Item] = []
    for item in event.items:
        if after.sees_item(item):
            shown.append(item)
        elif before.sees_item(rows[item.id]):
            shown.append(replace(rows[item.id], where="unused", holder=NONE, x=NONE, y=NONE))
    return replace(event, items=tuple(shown)) if shown else None


def _searched(event: ev.SiteSearched, before: Seen, after: Seen) -> ev.SiteSearched | None:
    site = event.site
    if not after.knows_site(site):
        return None
    hero = before.world.armies[event.army]
    if hero.owner in before.secrets or before.sees(hero):
        return replace(event, site=after.site(site))
    if not site.searched:
        return None
    return ev.SiteSearched(NONE, after.site(site), 0, 0, 0, died=False)


# -- helpers ---------------------------------------------------------------------------------------


def _is_own(seen: Seen, army: int) -> bool:
    return seen.world.armies[army].owner in seen.secrets


def _shown(armies: tuple[Army, ...], before: Seen, after: Seen) -> tuple[Army, ...]:
    """Those in sight that look otherwise than before, as they look."""
    looks = [after.army(army) for army in armies if after.sees(army)]
    rows = before.world.armies
    return tuple(
        look
        for look in looks
        if look.id not in rows
        or not before.sees(rows[look.id])
        or before.army(rows[look.id]) != look
    )


def _own_cities(cities: tuple[City, ...], after: Seen) -> tuple[City, ...]:
    return tuple(city for city in cities if city.owner in after.secrets)


def _event(event: Any) -> ev.AnyEvent:
    told: ev.AnyEvent = event
    return told


_TELLERS: Final[Mapping[type[Any], Callable[[Any, Seen, Seen], ev.AnyEvent | None]]] = {
    ev.MarchStopped: _of_group,
    ev.GoalSet: _of_group,
    ev.DefendSet: _of_group,
    ev.TilesFound: _of_side,
    ev.GroundSighted: _of_side,
    ev.PointsRefilled: _of_side,
    ev.IncomeCame: _of_side,
    ev.StanceSet: _of_side,
    ev.FightOrderSet: _of_side,
    ev.QuestSet: _of_side,
    ev.FlagSet: _of_side,
    ev.GoldChanged: _of_side,
    ev.SiteKnown: _sites_known,
    ev.Counted: _counted,
    ev.DeedsCounted: _deeds,
    ev.ArmySent: _sent,
    ev.TransitsMoved: _transits,
    ev.TransitsLost: _transits_lost,
    ev.Asked: _asked,
    ev.Answered: _answered,
    ev.TreatyChanged: _treaty,
    ev.SideOut: _side_out,
    ev.CityTaken: _taken,
    ev.CitySettled: _settled,
    ev.CityRazed: _razed,
    ev.CityChanged: _city_changed,
    ev.SlotBought: _slot_bought,
    ev.CitiesFreed: _freed,
    ev.GroupMoved: _moved,
    ev.BattleFought: _battle,
    ev.ArmiesRemoved: _removed,
    ev.ArmiesGrew: _many,
    ev.ArmiesPlaced: _many,
    ev.ArmyMade: _made,
    ev.ArmyArrived: _arrived,
    ev.HeroHired: _hired,
    ev.TowersBuilt: _towers_built,
    ev.TowersFell: _towers_fell,
    ev.ItemsMoved: _items,
    ev.SiteSearched: _searched,
}
"""How each kind of event is told to others; all others are told as they are."""
