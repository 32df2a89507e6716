"""Sure things that computer players do with heroes: bags under them, and items that help now."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from engine.rulesets.lordsawar.commands import AnyCommand, UseItem
from engine.rulesets.lordsawar.state import View
from engine.strategic.commands import PickUp
from engine.strategic.item_records import lying
from engine.strategic.pieces import NOBODY, STACK, Army, City, Item
from engine.strategic.world import WAR, armies_at, armies_of, cities_of, items_of, site_at, treaty


def of_heroes(view: View) -> Iterator[AnyCommand]:
    """Items that lie where heroes stand are taken; then one charge is used where it helps.

    Rules: LW-11, LW-18.
    """
    heroes = [army for army in armies_of(view, view.viewer) if army.hero is not None]
    finders = {hero.at: hero for hero in heroes}
    for at, hero in finders.items():
        for item in lying(view, at):
            if item.where == "ground" or item.side != hero.owner:
                yield PickUp(hero.id, item.id)
    uses = (use for hero in heroes for use in _uses(view, hero))
    first = next(uses, None)
    if first is not None:
        yield first


def _uses(view: View, hero: Army) -> Iterator[UseItem]:
    """Uses of a hero's items that help now."""
    for item in items_of(view, hero.id):
        if item.powers and item.powers.charges > 0 and item.powers.acts:
            yield from _use(view, hero, item, item.powers.acts[0])


def _use(view: View, hero: Army, item: Item, act: str) -> Iterator[UseItem]:
    """Use of one item, if that is worth a charge now."""
    if act in _AGAINST:
        victim = _AGAINST[act](view, hero)
        if victim is not None:
            yield UseItem(hero.id, item.id, side=victim)
    elif act in _ON_CITIES:
        cities = _ON_CITIES[act](view, hero)
        if cities:
            best = max(cities, key=lambda city: (city.income, -city.id))
            yield UseItem(hero.id, item.id, city=best.id)
    elif act in _HERE and _HERE[act](view, hero):
        yield UseItem(hero.id, item.id)


def _rivals(view: View, hero: Army) -> list[int]:
    """Other sides that the hero's side is at war with."""
    others = (side.id for side in view.sides.values() if side.alive and side.id != NOBODY)
    return [side for side in others if side != hero.owner and treaty(view, hero.owner, side) == WAR]


def _richest(view: View, hero: Army) -> int | None:
    """Rival with the most cities that are known."""
    rivals = _rivals(view, hero)
    return max(rivals, key=lambda side: (len(cities_of(view, side)), -side), default=None)


def _at_sea(view: View, hero: Army) -> int | None:
    """Rival with the most armies in sight that are aboard."""
    afloat = [army.owner for army in view.armies.values() if army.aboard]
    rivals = [side for side in _rivals(view, hero) if side in afloat]
    return max(rivals, key=lambda side: (afloat.count(side), -side), default=None)


def _defenders(view: View, city: City) -> int:
    return sum(len(armies_at(view, at)) for at in city.tiles)


def _neutral(view: View, hero: Army) -> list[City]:
    """Cities of nobody."""
    del hero
    return [city for city in view.cities.values() if city.owner == NOBODY and not city.razed]


def _bare(view: View, hero: Army) -> list[City]:
    """Own cities that hardly anybody defends."""
    return [city for city in cities_of(view, hero.owner) if _defenders(view, city) < _FEW]


def _crowded(view: View, hero: Army) -> list[City]:
    """Rivals' cities with so many defenders that some fall ill."""
    cities = (city for side in _rivals(view, hero) for city in cities_of(view, side))
    return [city for city in cities if _defenders(view, city) >= _MANY]


def _at_temple(view: View, hero: Army) -> bool:
    """True if a hero is at a temple with room beside it."""
    site = site_at(view, hero.at)
    return site is not None and site.kind == "temple" and len(armies_at(view, hero.at)) < STACK


def _at_keeper(view: View, hero: Army) -> bool:
    """True if a hero is at a ruin whose keeper is known."""
    site = site_at(view, hero.at)
    kept = site is not None and site.guardian > 0 and not site.searched
    return kept and len(armies_at(view, hero.at)) < STACK


def _lies_something(view: View, hero: Army) -> bool:
    """True if items are seen on the ground."""
    del hero
    return any(item.where == "ground" for item in view.items.values())


_FEW: Final = 2
_MANY: Final = 4

_AGAINST: Final[Mapping[str, Callable[[View, Army], int | None]]] = {
    "STEAL_GOLD": _richest,
    "SINK_SHIPS": _at_sea,
}

_ON_CITIES: Final[Mapping[str, Callable[[View, Army], list[City]]]] = {
    "PERSUADE_NEUTRALS": _neutral,
    "RAISE_DEFENDERS": _bare,
    "DISEASE_CITY": _crowded,
}

_HERE: Final[Mapping[str, Callable[[View, Army], bool]]] = {
    "SUMMON_MONSTER": _at_temple,
    "CAPTURE_KEEPER": _at_keeper,
    "PICK_UP_BAGS": _lies_something,
}
