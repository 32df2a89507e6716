"""Aims of a band: the cities, stacks, sites and temples it could go for, and their value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.kit.grid import distance
from engine.kit.identity_cache import keyed_identity_cache
from engine.strategic.battle import defenders_at
from engine.strategic.bot.atlas import FAR
from engine.strategic.bot.exploring import Exploration
from engine.strategic.bot.force import Force, army_value
from engine.strategic.bot.marching import TURNS_ADDED, Aim, Band, Claims, is_perilous_for_hero
from engine.strategic.bot.realm import (
    TEMPLE_VALUE,
    fetch_value,
    quest_hero,
    quest_temples,
    quest_value,
)
from engine.strategic.bot.situation import Situation
from engine.strategic.pieces import NOBODY, STACK, Army, City, Site

_LOOKED_AT: Final = 9
"""Number of nearest cities, and of nearest sites, that each band compares."""

_REINFORCED: Final = 0.3
"""Share by which the defenders grow with each turn that the band needs."""

_CITY, _FOES_CITY, _CAPITAL = 40, 15, 10
_SITE, _RICH, _ITEM = 26, 12, 24
_PERIL: Final = 0.12
"""Assumed chance that a hero dies in a search."""

_DARED: Final = 0.25
"""Maximum chance of death, if it is known, at which heroes still search."""

_ESCORT: Final = 4
_BLESSED: Final = 4
_FULL: Final = 0.8
"""Factor on the minimum chance for a full stack, which cannot grow any further."""

_LEAST: Final = 0.3
_ALONE: Final = 0.95
"""Minimum chance for a hero alone."""

_COOLS: Final = 0.5
"""Part of the minimum chance that impatience takes away, down to ``_LEAST``."""


def least_chance(here: Situation, armies: tuple[Army, ...]) -> float:
    """Return the minimum chance of winning with which armies attack; it falls in long games."""
    least = max(_LEAST, here.level.nerve - _COOLS * here.impatience) * (1 - here.desperation)
    if len(armies) == 1 and armies[0].hero is not None and here.level.searches:
        return max(_ALONE * (1 - here.desperation), least)
    return least * _FULL if len(armies) >= STACK else least


def aims_of(here: Situation, band: Band, claims: Claims, exploration: Exploration) -> Iterator[Aim]:
    """Yield all aims with some prospect for a band, including unknown land."""
    yield from _cities(here, band, claims)
    yield from _foes(here, band, claims)
    heroes = band.heroes
    if heroes and here.level.searches:
        yield from _finds(here, band, claims, heroes[0])
        yield from _shrines(here, band, heroes[0])
    if here.level.searches and len(band.armies) > 2:
        yield from _temples(here, band, claims)
    yield from exploration.aims(band)


def _cities(here: Situation, band: Band, claims: Claims) -> Iterator[Aim]:
    at, atlas = band.at, here.atlas(band.who)
    least = least_chance(here, band.armies)
    for number in here.prey_spots.nearest(at, _LOOKED_AT):
        city = here.prey[number]
        corner = city.x, city.y
        cost = atlas.cost(at, city.tiles)
        if cost >= FAR or claims.get(corner, 0.0) > here.level.surety:
            continue
        turns = band.turns(cost)
        foes = here.held(corner)
        if city.owner != NOBODY:
            if turns > here.level.raid:
                continue
            foes = Force(foes.power * (1 + _REINFORCED * turns), foes.size)
        if here.outlook(band.armies, corner, foes, turns).hope < least:
            continue
        chosen = _enough(here, band, city, turns)
        hope, lost = here.outlook(chosen, corner, foes, turns)
        value = city_value(here, city) * (1 - claims.get(corner, 0.0))
        value += quest_value(here, chosen, corner)
        score = (hope * value - lost) / (turns + TURNS_ADDED)
        yield Aim(score, chosen, city.tiles, corner, hope, fight=True)


def city_value(here: Situation, city: City) -> float:
    """Return the value of taking a city, including that of its garrison."""
    return _value_of_city(here, city.id)


@keyed_identity_cache
def _value_of_city(here: Situation, number: int) -> float:
    city = here.view.cities[number]
    value: float = _CITY + city.income
    if city.owner != NOBODY:
        value += _FOES_CITY
        value += _CAPITAL * (here.view.sides[city.owner].capital == (city.x, city.y))
    foes = defenders_at(here.view, (city.x, city.y), here.side)
    return value + 0.5 * sum(map(army_value, foes))


def _enough(here: Situation, band: Band, city: City, turns: int) -> tuple[Army, ...]:
    """Return the cheapest part of a band that almost surely takes a city, else the whole band."""
    group = band.armies
    hero = quest_hero(here, group)
    if not here.level.splits or (
        hero is not None and quest_value(here, group, (city.x, city.y)) > 0
    ):
        return group
    foes, at = here.held((city.x, city.y)), (city.x, city.y)
    sure = here.level.surety if city.owner == NOBODY else (1 + here.level.surety) / 2
    weak_first = sorted(group, key=lambda army: (army_value(army), army.id))
    best = group
    for line in (weak_first, weak_first[::-1]):
        for count in range(1, len(line)):
            part = tuple(line[:count])
            if here.outlook(part, at, foes, turns).hope >= sure:
                if sum(map(army_value, part)) < sum(map(army_value, best)):
                    best = part
                break
    return best if city.owner == NOBODY else _led(group, best)


def _led(group: tuple[Army, ...], part: tuple[Army, ...]) -> tuple[Army, ...]:
    """Return a part of a band, with the band's first hero if the part has none."""
    heroes = [army for army in group if army.hero is not None]
    return (*part, heroes[0]) if heroes and not set(heroes) & set(part) else part


def _foes(here: Situation, band: Band, claims: Claims) -> Iterator[Aim]:
    """Yield enemy stacks in the field within this turn's points."""
    least = least_chance(here, band.armies)
    for number in here.outdoor_spots.within(band.at, band.points):
        stack = here.outdoor_foes[number]
        at = stack[0].at
        if at in claims:
            continue
        hope, lost = here.outlook(band.armies, at, here.held(at))
        if hope < least:
            continue
        value = sum(map(army_value, stack)) + 30 * (stack[0].id in here.frightening)
        value += quest_value(here, band.armies, at)
        score = (hope * value - lost) / TURNS_ADDED
        yield Aim(score, band.armies, (at,), at, hope, fight=True, foe=True)


def _finds(here: Situation, band: Band, claims: Claims, hero: Army) -> Iterator[Aim]:
    """Yield sites to search and items to pick up."""
    atlas = here.atlas(band.who)
    party = _party(here, band, hero)
    wanted = [
        ((site.x, site.y), _search_value(here, site, hero, len(party)))
        for site in here.sites
        if dares_search(here, hero, len(party))
    ]
    wanted += [(at, float(_ITEM)) for at in here.lying]
    wanted = [(at, value + fetch_value(here, hero, at)) for at, value in wanted]
    wanted.sort(key=lambda wish: (distance(band.at, wish[0], 8), wish[0]))
    for at, value in wanted[:_LOOKED_AT]:
        cost = atlas.cost(band.at, (at,))
        if (
            cost < FAR
            and at not in claims
            and at != band.at
            and not is_perilous_for_hero(here, party, at)
        ):
            yield Aim(value / (band.turns(cost) + TURNS_ADDED), party, (at,), at)


def _search_value(here: Situation, site: Site, hero: Army, armies: int) -> float:
    if here.estimates.search is not None:
        return here.estimates.search(here.view, hero, armies).value
    return _SITE + _RICH * site.rich - _PERIL * army_value(hero)


def dares_search(here: Situation, hero: Army, armies: int) -> bool:
    """Return whether a hero searches sites with ``armies`` armies around it."""
    if here.estimates.search is None:
        return True
    return here.estimates.search(here.view, hero, armies).peril <= _DARED


def _party(here: Situation, band: Band, hero: Army) -> tuple[Army, ...]:
    """Return a hero with the small escort that goes along to sites."""
    friends = sorted(
        (army for army in band.armies if army is not hero),
        key=lambda army: (army_value(army), army.id),
    )
    return (hero, *friends[:_ESCORT]) if here.level.splits else band.armies


def _shrines(here: Situation, band: Band, hero: Army) -> Iterator[Aim]:
    """Yield temples where a hero could take a quest."""
    party = _party(here, band, hero)
    for site in quest_temples(here, hero):
        at = site.x, site.y
        cost = here.atlas(band.who).cost(band.at, (at,))
        if cost < FAR and at != band.at and not is_perilous_for_hero(here, party, at):
            yield Aim(TEMPLE_VALUE / (band.turns(cost) + TURNS_ADDED), party, (at,), at)


def _temples(here: Situation, band: Band, claims: Claims) -> Iterator[Aim]:
    """Yield temples in reach where at least three armies of the band are not blessed yet."""
    for site in here.temples:
        at = site.x, site.y
        new = sum(site.id not in army.blessed for army in band.armies)
        if new < 3 or distance(band.at, at, 8) > band.points or at in claims:
            continue
        if here.atlas(band.who).cost(band.at, (at,)) <= band.points:
            yield Aim(_BLESSED * new / TURNS_ADDED, band.armies, (at,), at)
