"""Checks of a scenario: its land, the things on it, and positions in mid-game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from engine.core.containers import Roster
from engine.core.ruleset import ScenarioFault
from engine.core.scenarios import check_ranges
from engine.rulesets.warlords2.heroes import guardians as book_guardians
from engine.rulesets.warlords2.land import RULE, LandPlanes
from engine.rulesets.warlords2.scene import LARGE, MOST_NUMBER, Map, Now, SitePlaced
from engine.rulesets.warlords2.state import (
    HEIGHT,
    MOST_ARMIES,
    MOST_CITIES,
    MOST_HEROES,
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
from engine.strategic import moment_checks as checks
from engine.strategic.land_rows import numbers_of
from engine.strategic.moment_checks import Midgame
from engine.strategic.pieces import (
    ITEM_KINDS,
    NOBODY,
    NONE,
    QUESTION_KINDS,
    SITE_KINDS,
    TRAITS,
    Item,
    Quest,
    Tower,
    UnitType,
)
from engine.strategic.scenario_checks import CheckTopic, SceneChecks, demand

_TYPES: Final = 64

_RULES: Final[Mapping[CheckTopic, str]] = {
    "scenario": "W2-16.4",
    "map": "W2-1.1",
    "side": "W2-1.3",
    "count": "W2-1.8",
    "words": "W2-9.1",
    "secret": "W2-11",
    "type": "W2-7",
    "hero": "W2-10.1",
    "city": "W2-3.4",
    "slots": "W2-9.1",
    "razed": "W2-9.2",
    "site": "W2-10.4",
    "sign": "W2-2.5",
    "item": "W2-10.3",
    "order": "W2-8.4",
    "stance": "W2-12.1",
    "turn": "W2-13.1",
    "end": "W2-13.3",
    "stack": "W2-6.1",
    "transit": "W2-9.5",
    "goal": "W2-6.5",
    "trail": "W2-6.4",
    "blessing": "W2-10.5",
    "quest": "W2-10.6",
    "question": "W2-13.2",
}

CHECKS: Final = SceneChecks(
    rules=_RULES,
    sides=SIDES,
    most={
        "cities": MOST_CITIES,
        "sites": MOST_SITES,
        "items": MOST_ITEMS,
        "pool": 100,
        "signs": WIDTH * HEIGHT,
        "units": _TYPES,
        "guardians": 9,
    },
    slots=MOST_SLOTS,
    city_name=NAME_LENGTH,
    large=LARGE,
    grounds=tuple(terrain.name.lower() for terrain in Terrain),
)
"""Checks with the limits of this game. A land may have as many signs as the largest has tiles.

See: W2-1.8, W2-9.1, W2-11.
"""

_demand = CHECKS.demand


def check_scene(scene: Map, land: LandPlanes, types: Roster[UnitType]) -> None:
    """Refuse an invalid scenario; ``check_midgame`` checks ``now``.

    See: W2-1.3, W2-1.8, W2-9.1, W2-10.3, W2-10.4, W2-16.4.

    Raises:
        ScenarioFault: with the path of the first fault.
    """
    CHECKS.counts(scene)
    check_ranges(scene)
    for number, kind in enumerate(scene.units):
        _check_type(f"units[{number}]", kind)
    keys = {kind.key: kind for kind in types.values()}
    for number, city in enumerate(scene.cities):
        CHECKS.city(f"cities[{number}]", city, scene, land.terrain)
        CHECKS.slot_types(f"cities[{number}]", city, keys)
    CHECKS.city_tiles(scene, land.terrain, Terrain.CITY, Terrain.SITE)
    _check_roads(land)
    most = len(scene.guardians) or len(book_guardians())
    for number, site in enumerate(scene.sites):
        _check_ground(f"sites[{number}]", site, land)
        CHECKS.kinds(f"sites[{number}].kind", (site.kind,), SITE_KINDS, "site")
        CHECKS.site(f"sites[{number}]", site, types, (0, most))
    CHECKS.site_places(scene)
    CHECKS.once("ports", scene.ports, "sign")
    for number, at in enumerate(scene.ports):
        _demand(land.terrain.has(*at), f"ports[{number}]", f"{at} is off the map", "sign")
    CHECKS.signs(scene, land.terrain)
    for number, item in enumerate(scene.items):
        CHECKS.kinds(f"items[{number}].kind", (item.kind,), ITEM_KINDS, "item")
    CHECKS.items(scene, land.terrain)
    for number, item in enumerate(scene.pool):
        _check_pooled(f"pool[{number}]", item)
    CHECKS.people(scene, types, MOST_POINTS)


def _check_type(place: str, kind: UnitType) -> None:
    _demand(0 <= kind.id < _TYPES, f"{place}.id", f"is not from 0 to {_TYPES - 1}", "type")
    CHECKS.words(f"{place}.name", kind.name)
    spans = {
        "strength": (1, MOST_STRENGTH),
        "turns": (1, MOST_POINTS),
        "cost": (0, LARGE),
        "move": (1, MOST_POINTS),
        "price": (-LARGE, LARGE),
        "order": (0, LARGE),
        "foe": (-MOST_STRENGTH, 0),
        "special": (0, MOST_STRENGTH),
    }
    CHECKS.numbers(place, kind, spans, "type")
    CHECKS.kinds(f"{place}.traits", kind.traits, TRAITS, "type")
    bonuses = (*kind.own, *kind.pack)
    _demand(all(0 <= n <= MOST_STRENGTH for n in bonuses), place, "has an odd bonus", "type")


def _check_roads(land: LandPlanes) -> None:
    """Check that roads run over land only, through neither cities nor sites."""
    closed = [Terrain.VOID, Terrain.SITE, Terrain.CITY, Terrain.OCEAN, Terrain.SHORE]
    wrong = np.argwhere((land.roads.cells > 0) & np.isin(land.terrain.cells, closed))
    for y, x in wrong[:1]:
        found = Terrain(land.terrain[y, x]).name.lower()
        raise ScenarioFault(f"roads[{y}]", f"none can be at ({x}, {y}): {found}", "W2-16.4")


def _check_ground(place: str, site: SitePlaced, land: LandPlanes) -> None:
    _demand(land.terrain.has(site.x, site.y), place, "is off the map", "site")
    found = Terrain(land.terrain[site.y, site.x])
    text = f"({site.x}, {site.y}) is {found.name.lower()}, not ground of a site"
    _demand(found == Terrain.SITE, place, text, "scenario")


def _check_pooled(place: str, item: Item) -> None:
    """Check that an item of the pool has no owner and no place. See: W2-10.3."""
    CHECKS.kinds(f"{place}.kind", (item.kind,), ITEM_KINDS, "item")
    CHECKS.words(f"{place}.name", item.name)
    _demand(0 <= item.value <= LARGE, f"{place}.value", "is too high or too low", "item")
    early = item.where == "unused" and item.side == NOBODY and item.kind != "standard"
    _demand(early, place, "is a standard, or is somewhere already", "item")


# -- positions in mid-game -------------------------------------------------------------------------


_CITY_QUESTS: Final = frozenset({"keep-city", "raze-city"})


def check_midgame(scene: Map, now: Now, land: LandPlanes, types: Roster[UnitType]) -> None:
    """Refuse a position from which no game can continue. See: W2-1.8, W2-13.1, W2-6.1.

    Raises:
        ScenarioFault: with the path of the first fault.
    """
    spans = {
        "strength": (1, MOST_STRENGTH),
        "max_move": (1, MOST_POINTS),
        "points": (0, MOST_POINTS),
        "upkeep": (0, LARGE),
        "medals": (0, 4),
        "xp": (0, MOST_POINTS),
        "level": (0, 3),
        "home": (NONE, len(scene.cities) - 1),
    }
    moment = Midgame(CHECKS, scene, now, land.terrain, types, spans, MOST_ARMIES, MOST_NUMBER)
    checks.check_turn(moment)
    checks.check_treaties(moment)
    if now.discovered:
        size = (land.terrain.width, land.terrain.height)
        numbers_of(now.discovered, "now.discovered", size, RULE)
    for number, army in enumerate(now.armies):
        place = f"now.armies[{number}]"
        checks.check_army(moment, place, army)
        demand(not army.hp, f"{place}.hp", "no wounds last in this game", "W2-8.5")
        void = land.terrain[army.y, army.x] == Terrain.VOID
        demand(not void, place, f"({army.x}, {army.y}) is void", "W2-3.1")
    checks.check_stacks(moment)
    heroes = sum(army.hero is not None for army in now.armies)
    text = f"{heroes} heroes; {MOST_HEROES} are possible"
    demand(heroes <= MOST_HEROES, "now.armies", text, "W2-1.8")
    checks.check_transits(moment)
    for number, tower in enumerate(now.towers):
        _check_tower(f"now.towers[{number}]", tower, moment)
    checks.check_holders(moment)
    for number, side in enumerate(scene.sides):
        if side.quest is not None:
            _check_quest(f"sides[{number}].quest", side.quest, moment)
    if now.question is not None:
        CHECKS.kinds("now.question.kind", (now.question.kind,), QUESTION_KINDS, "turn")
    checks.check_question(moment)


def _check_tower(place: str, tower: Tower, moment: Midgame) -> None:
    demand(moment.land.has(tower.x, tower.y), place, "is off the map", "W2-6.7")
    numbered = tower.id == tower.y * moment.land.width + tower.x
    demand(numbered, f"{place}.id", "is not y * width + x", "W2-6.7")
    demand(0 <= tower.owner < len(moment.scene.sides), f"{place}.owner", "is no side", "W2-6.7")


def _check_quest(place: str, quest: Quest, moment: Midgame) -> None:
    checks.check_aim(moment, place, quest, _CITY_QUESTS)
    if quest.kind == "fetch-item":
        thing = 0 <= quest.target < len(moment.scene.items)
        demand(thing, f"{place}.target", f"there is no item {quest.target}", "W2-10.6")
