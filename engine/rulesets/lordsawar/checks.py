"""Checks of a scenario, except those of a position in mid-game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.core.containers import Roster
from engine.core.scenarios import check_ranges
from engine.rulesets.lordsawar.land import WATER, Ground, LandPlanes, ground_rows
from engine.rulesets.lordsawar.scene import LARGE, SITE_SORTS, Map, SitePlaced
from engine.rulesets.lordsawar.state import (
    HEIGHT,
    MOST_CITIES,
    MOST_ITEMS,
    MOST_POINTS,
    MOST_SITES,
    MOST_SLOTS,
    MOST_STRENGTH,
    NAME_LENGTH,
    REWARD_KINDS,
    SIDES,
    WIDTH,
    Reward,
)
from engine.rulesets.lordsawar.tables import armyset
from engine.strategic.pieces import NONE, UnitType
from engine.strategic.scenario_checks import CheckTopic, SceneChecks

_TYPES: Final = 200

_RULES: Final[Mapping[CheckTopic, str]] = {
    "scenario": "LW-19.5",
    "map": "LW-20",
    "side": "LW-19.3",
    "count": "LW-1",
    "words": "LW-1",
    "secret": "LW-17",
    "type": "LW-9",
    "hero": "LW-9",
    "city": "LW-1",
    "slots": "LW-13.2",
    "razed": "LW-13.3",
    "site": "LW-14",
    "sign": "LW-1",
    "item": "LW-11",
    "order": "LW-2.2",
    "stance": "LW-16",
    "turn": "LW-17",
    "end": "LW-17",
    "stack": "LW-1",
    "transit": "LW-13.4",
    "goal": "LW-12.5",
    "trail": "LW-12.5",
    "blessing": "LW-14",
    "quest": "LW-15",
    "question": "LW-17",
}

CHECKS: Final = SceneChecks(
    rules=_RULES,
    sides=SIDES,
    most={
        "cities": MOST_CITIES,
        "sites": MOST_SITES,
        "items": MOST_ITEMS,
        "signs": WIDTH * HEIGHT,
        "units": _TYPES,
        "guardians": _TYPES,
        "rewards": MOST_SITES,
    },
    slots=MOST_SLOTS,
    city_name=NAME_LENGTH,
    large=LARGE,
    grounds=tuple(row.name.lower() for row in ground_rows()),
)
"""Checks with the numbers of this game. Rules: LW-1, LW-19.3, LW-19.5."""

_demand = CHECKS.demand

_BUILT: Final = frozenset({Ground.CITY, Ground.BRIDGE, Ground.PORT, Ground.UNKNOWN})
"""Tiles that have a building already, and unknown ones. Rules: LW-1."""


def check_scene(scene: Map, land: LandPlanes, types: Roster[UnitType]) -> None:
    """Refuse a scenario with a fault; ``midgame_checks`` has the checks of ``now``.

    Rules: LW-1, LW-2.2, LW-9, LW-11, LW-13.2, LW-14, LW-19.3, LW-19.5.

    Raises:
        ScenarioFault: with the path of the first fault.
    """
    CHECKS.counts(scene)
    check_ranges(scene)
    for number, kind in enumerate(scene.units):
        _check_type(f"units[{number}]", kind)
    keys = {kind.key: kind for kind in types.values()}
    _demand(len(types) == len(keys), "units", "two types have the same key", "type")
    for number, city in enumerate(scene.cities):
        CHECKS.city(f"cities[{number}]", city, scene, land.terrain)
        CHECKS.slot_types(f"cities[{number}]", city, keys)
    CHECKS.city_tiles(scene, land.terrain, Ground.CITY, Ground.CITY)
    _check_roads(scene, land)
    most = len(scene.guardians) or max(types, default=NONE) + 1
    for number, site in enumerate(scene.sites):
        _check_site(f"sites[{number}]", site, land)
        CHECKS.site(f"sites[{number}]", site, types, (NONE if scene.now is None else 0, most))
    CHECKS.site_places(scene)
    CHECKS.signs(scene, land.terrain)
    for number, item in enumerate(scene.items):
        CHECKS.item(f"items[{number}]", item, scene, land.terrain)
    CHECKS.once("items", [item.id for item in scene.items], "item")
    for number, guardian in enumerate(scene.guardians):
        CHECKS.words(f"guardians[{number}].name", guardian.name)
        fits = 0 <= guardian.strength <= LARGE
        _demand(fits, f"guardians[{number}].strength", f"is not from 0 to {LARGE}", "site")
    CHECKS.order("neutral_order", scene.neutral_order)
    for number, side in enumerate(scene.sides):
        CHECKS.side(f"sides[{number}]", side, scene, types)
    CHECKS.once("rewards", [reward.id for reward in scene.rewards], "site")
    for number, reward in enumerate(scene.rewards):
        _check_reward(f"rewards[{number}]", reward, scene, land, types)
    if scene.now is None:
        CHECKS.capitals(scene)


def _check_type(place: str, kind: UnitType) -> None:
    _demand(0 <= kind.id < _TYPES, f"{place}.id", f"is not from 0 to {_TYPES - 1}", "type")
    CHECKS.words(f"{place}.name", kind.name)
    spans = {
        "strength": (1, MOST_STRENGTH),
        "turns": (0, 99),
        "cost": (0, LARGE),
        "move": (1, MOST_POINTS),
        "price": (0, LARGE),
        "order": (0, LARGE),
        "foe": (-MOST_STRENGTH, 0),
        "special": (0, 1),
    }
    CHECKS.numbers(place, kind, spans, "type")
    bonuses = (*kind.own, *kind.pack)
    _demand(all(0 <= n <= MOST_STRENGTH for n in bonuses), place, "has an odd bonus", "type")


def _check_roads(scene: Map, land: LandPlanes) -> None:
    """Check that roads run over land, and that a tile has one building at most. Rules: LW-1."""
    closed = _BUILT | WATER
    sites = {(site.x, site.y) for site in scene.sites}
    for y, row in enumerate(land.roads.cells.tolist()):
        for x, road in enumerate(row):
            found = Ground(land.terrain[y, x])
            what = "a site" if (x, y) in sites else ground_rows()[found].name.lower()
            free = not road or (found not in closed and (x, y) not in sites)
            _demand(free, f"roads[{y}]", f"none can be at ({x}, {y}): {what}", "scenario")


def _check_site(place: str, site: SitePlaced, land: LandPlanes) -> None:
    """Check the place and the kind of a site. Rules: LW-1, LW-14."""
    _demand(land.terrain.has(site.x, site.y), place, "is off the map", "site")
    found = Ground(land.terrain[site.y, site.x])
    text = f"none can be at ({site.x}, {site.y}): {ground_rows()[found].name.lower()}"
    _demand(found not in _BUILT, place, text, "site")
    CHECKS.kinds(f"{place}.kind", (site.kind,), ("unknown", *SITE_SORTS), "site")


def _check_reward(
    place: str, reward: Reward, scene: Map, land: LandPlanes, types: Roster[UnitType]
) -> None:
    """Check what is at a site. Rules: LW-14."""
    here = 0 <= reward.id < len(scene.sites)
    _demand(here, f"{place}.id", f"there is no site {reward.id}", "site")
    CHECKS.kinds(f"{place}.kind", (reward.kind,), REWARD_KINDS, "site")
    spans = {
        "gold": (0, LARGE),
        "count": (0, 8),
        "width": (0, WIDTH),
        "height": (0, HEIGHT),
    }
    CHECKS.numbers(place, reward, spans, "site")
    match reward.kind:
        case "allies":
            _demand(reward.ally in types, f"{place}.ally", "is no type", "site")
        case "item":
            known = {item.id for item in scene.items or armyset().items}
            _demand(reward.item in known, f"{place}.item", "is no item", "site")
        case "ruin":
            other = 0 <= reward.site < len(scene.sites)
            _demand(other, f"{place}.site", "is no site", "site")
        case "map":
            _demand(land.terrain.has(reward.x, reward.y), place, "is off the map", "site")
        case _:
            pass
