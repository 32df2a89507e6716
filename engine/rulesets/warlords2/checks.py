"""Checks of a scenario, except those of a position in mid-game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Final

import numpy as np

from engine.core.containers import Roster
from engine.core.ruleset import ScenarioFault
from engine.core.scenarios import check_ranges
from engine.kit.grid import Place
from engine.rulesets.warlords2.heroes import guardians as book_guardians
from engine.rulesets.warlords2.land import LandPlanes
from engine.rulesets.warlords2.scene import LARGE, CityPlaced, Made, Map, SidePlaced, SitePlaced
from engine.rulesets.warlords2.state import (
    HEIGHT,
    MOST_CITIES,
    MOST_ITEMS,
    MOST_POINTS,
    MOST_SITES,
    MOST_SLOTS,
    MOST_STRENGTH,
    NAME_LENGTH,
    SIDES,
    WIDTH,
)
from engine.rulesets.warlords2.tables import Terrain
from engine.strategic.pieces import (
    ITEM_KINDS,
    NOBODY,
    NONE,
    SITE_KINDS,
    TO_FLAG,
    TRAITS,
    Item,
    UnitType,
)

_POOL: Final = 100
_SIGNS: Final = WIDTH * HEIGHT
_TYPES: Final = 64
_GUARDIANS: Final = 9
"""Most of each in a scenario; as many signs as the largest land has tiles. Rules: W2-1.8."""

_SECRET: Final = 32
"""Hexadecimal digits of the secret of a hidden map. Rules: W2-11."""

LONG_NAME: Final = 40
TEXT: Final = 400
"""Letters in names that are not of cities, and in a text. Rules: W2-9.1."""


def demand(holds: bool, place: str, text: str, rule: str = "W2-16.4") -> None:  # noqa: FBT001
    """Refuse a scenario unless a condition holds.

    Raises:
        ScenarioFault: the condition is false.
    """
    if not holds:
        raise ScenarioFault(place, text, rule)


def check_scene(scene: Map, land: LandPlanes, types: Roster[UnitType]) -> None:
    """Refuse a scenario with a fault; ``midgame_checks`` has the checks of ``now``.

    Rules: W2-1.3, W2-1.8, W2-9.1, W2-10.3, W2-10.4, W2-16.4.

    Raises:
        ScenarioFault: with the path of the first fault.
    """
    _check_counts(scene)
    check_ranges(scene)
    for number, kind in enumerate(scene.units):
        _check_type(f"units[{number}]", kind)
    keys = {kind.key: kind for kind in types.values()}
    for number, city in enumerate(scene.cities):
        _check_city(f"cities[{number}]", city, scene, land, keys)
    _check_grounds(scene, land)
    _check_roads(land)
    for number, site in enumerate(scene.sites):
        _check_site(f"sites[{number}]", site, land, types, len(scene.guardians))
    _check_places(scene)
    twice = next((at for at, times in Counter(scene.ports).items() if times > 1), None)
    demand(twice is None, "ports", f"{twice} is given twice", "W2-2.5")
    for number, at in enumerate(scene.ports):
        demand(land.terrain.has(*at), f"ports[{number}]", f"{at} is off the map", "W2-2.5")
    for number, sign in enumerate(scene.signs):
        demand(land.terrain.has(sign.x, sign.y), f"signs[{number}]", "is off the map", "W2-2.5")
        check_words(f"signs[{number}].text", sign.text, TEXT)
    _check_things(scene, land)
    for number, guardian in enumerate(scene.guardians):
        check_words(f"guardians[{number}].name", guardian.name, LONG_NAME)
        fits = 0 <= guardian.strength <= MOST_POINTS
        demand(fits, f"guardians[{number}].strength", f"is not from 0 to {MOST_POINTS}", "W2-10.4")
    fits = all(0 <= number <= LARGE for number in scene.neutral_order)
    demand(fits, "neutral_order", "has a place too high or too low", "W2-8.4")
    for number, side in enumerate(scene.sides):
        _check_side(f"sides[{number}]", side, scene, types)
    if scene.now is None:
        _check_capitals(scene)


def _check_counts(scene: Map) -> None:
    least, most = SIDES
    count = len(scene.sides)
    demand(least <= count <= most, "sides", f"{count} sides; {least} to {most} can play", "W2-1.3")
    limits = {
        "cities": MOST_CITIES,
        "sites": MOST_SITES,
        "items": MOST_ITEMS,
        "pool": _POOL,
        "signs": _SIGNS,
        "units": _TYPES,
        "guardians": _GUARDIANS,
    }
    for field, limit in limits.items():
        count = len(getattr(scene, field))
        demand(count <= limit, field, f"{count} are given, {limit} are possible", "W2-1.8")
    for field, text in (("title", scene.title), ("name", scene.name)):
        check_words(field, text, 4 * LONG_NAME)


def check_words(place: str, text: str, most: int) -> None:
    """Refuse a text that is too long or not printable.

    Raises:
        ScenarioFault: with the path ``place``.
    """
    demand(len(text) <= most, place, f"{len(text)} letters; {most} are possible", "W2-9.1")
    fits = text.replace("\n", " ").isprintable()
    demand(fits, place, "has a sign in it that cannot be printed", "W2-9.1")


def check_kinds(place: str, found: Iterable[str], known: Collection[str], rule: str) -> None:
    """Refuse kinds that this game does not have.

    Raises:
        ScenarioFault: with the path ``place``.
    """
    strange = next((kind for kind in found if kind not in known), None)
    demand(strange is None, place, f"there is no {strange!r} in this game", rule)


def check_secret(place: str, digits: str) -> None:
    """Refuse an invalid secret of a hidden map.

    Raises:
        ScenarioFault: it is not 32 lower-case hexadecimal digits.
    """
    fits = len(digits) == _SECRET and set(digits) <= set("0123456789abcdef")
    demand(fits, place, f"must be {_SECRET} hexadecimal digits", "W2-11")


def _check_type(place: str, kind: UnitType) -> None:
    demand(0 <= kind.id < _TYPES, f"{place}.id", f"is not from 0 to {_TYPES - 1}", "W2-7")
    check_words(f"{place}.name", kind.name, LONG_NAME)
    ranges = {
        "strength": (1, MOST_STRENGTH),
        "turns": (1, MOST_POINTS),
        "cost": (0, LARGE),
        "move": (1, MOST_POINTS),
        "price": (-LARGE, LARGE),
        "order": (0, LARGE),
        "foe": (-MOST_STRENGTH, 0),
        "special": (0, MOST_STRENGTH),
    }
    _check_ranges(place, kind, ranges, "W2-7")
    check_kinds(f"{place}.traits", kind.traits, TRAITS, "W2-7")
    bonuses = (*kind.own, *kind.pack)
    demand(all(0 <= n <= MOST_STRENGTH for n in bonuses), place, "has an odd bonus", "W2-7")


def _check_ranges(
    place: str, row: object, ranges: Mapping[str, tuple[int, int]], rule: str
) -> None:
    for field, (low, high) in ranges.items():
        value = getattr(row, field)
        fits = value is None or low <= value <= high
        demand(fits, f"{place}.{field}", f"{value} is not from {low} to {high}", rule)


def _check_city(
    place: str, city: CityPlaced, scene: Map, land: LandPlanes, types: Mapping[str, UnitType]
) -> None:
    inside = land.terrain.has(city.x, city.y) and land.terrain.has(city.x + 1, city.y + 1)
    demand(inside, place, f"({city.x}, {city.y}) and the tiles beside are off the map", "W2-3.4")
    check_words(f"{place}.name", city.name, NAME_LENGTH)
    check_words(f"{place}.about", city.about, TEXT)
    known = {*range(len(scene.sides)), NOBODY}
    demand(city.owner in known, f"{place}.owner", f"there is no side {city.owner}", "W2-1.3")
    original = city.original is None or city.original in known
    demand(original, f"{place}.original", f"there is no side {city.original}", "W2-1.3")
    demand(len(city.slots) <= MOST_SLOTS, f"{place}.slots", f"{MOST_SLOTS} are possible", "W2-9.1")
    for number, slot in enumerate(city.slots):
        _check_slot(f"{place}.slots[{number}]", slot, types)
    last = len(city.slots) - 1
    ranges = {
        "making": (NONE, last),
        "vector": (TO_FLAG, len(scene.cities) - 1),
    }
    _check_ranges(place, city, ranges, "W2-9.1")
    gone = not city.razed or (scene.now is not None and city.owner == NOBODY)
    demand(gone, f"{place}.razed", "a razed city is for mid-game, and nobody's", "W2-9.2")


def _check_slot(place: str, slot: str | Made, types: Mapping[str, UnitType]) -> None:
    key = slot if isinstance(slot, str) else slot.unit
    demand(key in types, place, f"there is no unit type {key!r}", "W2-7")
    demand("hero" not in types[key].traits, place, "no city makes heroes", "W2-10.1")


def _check_grounds(scene: Map, land: LandPlanes) -> None:
    """Check that cities share no tiles, and that each city tile belongs to one."""
    taken: dict[Place, int] = {}
    for number, city in enumerate(scene.cities):
        wanted = Terrain.SITE if city.razed else Terrain.CITY
        for x, y in _tiles(city):
            other = taken.setdefault((x, y), number)
            text = f"({x}, {y}) is a tile of cities[{other}] too"
            demand(other == number, f"cities[{number}]", text, "W2-3.4")
            found = Terrain(land.terrain[y, x])
            text = f"({x}, {y}) is {found.name.lower()}, not {wanted.name.lower()}"
            demand(found == wanted, f"cities[{number}]", text, "W2-3.4")
    for y, row in enumerate(land.terrain.cells.tolist()):
        for x, code in enumerate(row):
            alone = code != Terrain.CITY or (x, y) in taken
            demand(alone, f"rows[{y}]", f"the city tile ({x}, {y}) is of no city", "W2-3.4")


def _check_roads(land: LandPlanes) -> None:
    """Check that roads run over land only, through neither cities nor sites."""
    closed = [Terrain.VOID, Terrain.SITE, Terrain.CITY, Terrain.OCEAN, Terrain.SHORE]
    wrong = np.argwhere((land.roads.cells > 0) & np.isin(land.terrain.cells, closed))
    for y, x in wrong[:1]:
        found = Terrain(land.terrain[y, x]).name.lower()
        raise ScenarioFault(f"roads[{y}]", f"none can be at ({x}, {y}): {found}", "W2-16.4")


def _tiles(city: CityPlaced) -> tuple[Place, ...]:
    return tuple((city.x + column, city.y + row) for row in (0, 1) for column in (0, 1))


def _check_site(
    place: str, site: SitePlaced, land: LandPlanes, types: Roster[UnitType], guardians: int
) -> None:
    demand(land.terrain.has(site.x, site.y), place, "is off the map", "W2-10.4")
    found = Terrain(land.terrain[site.y, site.x])
    text = f"({site.x}, {site.y}) is {found.name.lower()}, not ground of a site"
    demand(found == Terrain.SITE, place, text, "W2-16.4")
    check_kinds(f"{place}.kind", (site.kind,), SITE_KINDS, "W2-10.4")
    check_words(f"{place}.name", site.name, LONG_NAME)
    check_words(f"{place}.about", site.about, TEXT)
    most = guardians or len(book_guardians())
    keeper = 0 <= site.guardian <= most
    demand(keeper, f"{place}.guardian", f"{site.guardian} is not from 0 to {most}", "W2-10.4")
    ally = site.ally == NONE or site.ally in types
    demand(ally, f"{place}.ally", f"there is no type {site.ally}", "W2-10.4")


def _check_places(scene: Map) -> None:
    """Check that sites share no tile with each other or with a city, razed or not."""
    taken = {at for city in scene.cities for at in _tiles(city)}
    for number, site in enumerate(scene.sites):
        at = (site.x, site.y)
        demand(at not in taken, f"sites[{number}]", f"{at} has something already", "W2-10.4")
        taken.add(at)


def _check_things(scene: Map, land: LandPlanes) -> None:
    for number, item in enumerate(scene.items):
        _check_item(f"items[{number}]", item, number, scene, land)
    for number, item in enumerate(scene.pool):
        _check_pooled(f"pool[{number}]", item)


def _check_item(place: str, item: Item, number: int, scene: Map, land: LandPlanes) -> None:
    check_kinds(f"{place}.kind", (item.kind,), ITEM_KINDS, "W2-10.3")
    demand(item.id == number, f"{place}.id", f"is {item.id}; items count from 0 up", "W2-10.3")
    check_words(f"{place}.name", item.name, LONG_NAME)
    demand(0 <= item.value <= LARGE, f"{place}.value", "is too high or too low", "W2-10.3")
    own = item.side == NOBODY or 0 <= item.side < len(scene.sides)
    demand(own, f"{place}.side", f"there is no side {item.side}", "W2-10.3")
    if item.where in {"ground", "planted"}:
        demand(land.terrain.has(item.x, item.y), place, "lies off the map", "W2-10.3")
    if item.where == "site":
        inside = 0 <= item.holder < len(scene.sites)
        demand(inside, f"{place}.holder", f"there is no site {item.holder}", "W2-10.3")
    early = item.where in {"unused", "site", "ground"}
    demand(early or scene.now is not None, f"{place}.where", "is for mid-game", "W2-10.3")


def _check_pooled(place: str, item: Item) -> None:
    """Check that an item of the pool has no owner and no place. Rules: W2-10.3."""
    check_kinds(f"{place}.kind", (item.kind,), ITEM_KINDS, "W2-10.3")
    check_words(f"{place}.name", item.name, LONG_NAME)
    demand(0 <= item.value <= LARGE, f"{place}.value", "is too high or too low", "W2-10.3")
    early = item.where == "unused" and item.side == NOBODY and item.kind != "standard"
    demand(early, place, "is a standard, or is somewhere already", "W2-10.3")


def _check_side(place: str, side: SidePlaced, scene: Map, types: Roster[UnitType]) -> None:
    check_words(f"{place}.name", side.name, LONG_NAME)
    count = max(types, default=NONE) + 1
    full = len(side.order) in {0, count}
    demand(full, f"{place}.order", f"{len(side.order)} places, not {count}", "W2-8.4")
    fits = all(0 <= number <= LARGE for number in side.order)
    demand(fits, f"{place}.order", "has a place too high or too low", "W2-8.4")
    full = len(side.stances) in {0, len(scene.sides)}
    sound = full and all(0 <= stance <= 2 for stance in side.stances)
    demand(sound, f"{place}.stances", "must be 0, 1 or 2 toward every side", "W2-12.1")
    early = side.alive and side.quest is None and side.flag is None
    demand(early or scene.now is not None, place, "has what is for mid-game", "W2-13.1")


def _check_capitals(scene: Map) -> None:
    anchors = {(city.x, city.y): city for city in scene.cities}
    seen: set[Place] = set()
    for number, side in enumerate(scene.sides):
        place = f"sides[{number}].capital"
        demand(side.capital in anchors, place, "is no city's top left tile", "W2-16.4")
        if side.capital is None:  # never, by the line above
            continue
        demand(side.capital not in seen, place, "is another side's too", "W2-16.4")
        seen.add(side.capital)
        owner = anchors[side.capital].owner
        demand(owner in {NOBODY, number}, place, f"is a city of side {owner}", "W2-16.4")
