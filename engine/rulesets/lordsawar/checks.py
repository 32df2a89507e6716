"""Check a scenario: its land and all that is on it, and positions in mid-game."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Final

import numpy as np

from engine.core.containers import Roster
from engine.core.scenarios import check_ranges
from engine.rulesets.lordsawar.land import (
    DOCKS,
    RULE,
    WATER,
    LandCode,
    LandPlanes,
    book_costs,
    ground_rows,
)
from engine.rulesets.lordsawar.scene import LARGE, MOST_NUMBER, SITE_SORTS, Map, Now, SitePlaced
from engine.rulesets.lordsawar.state import (
    HEIGHT,
    MOST_ARMIES,
    MOST_CITIES,
    MOST_COST,
    MOST_ITEMS,
    MOST_OPINION,
    MOST_POINTS,
    MOST_SITES,
    MOST_SLOTS,
    MOST_STRENGTH,
    NAME_LENGTH,
    NO_PROPOSAL,
    REWARD_KINDS,
    SIDES,
    WIDTH,
    Condition,
    HeroQuest,
    NamedHero,
    Reward,
)
from engine.rulesets.lordsawar.tables import armyset
from engine.strategic import moment_checks as checks
from engine.strategic.land_rows import numbers_of
from engine.strategic.moment_checks import Midgame
from engine.strategic.pieces import NOBODY, NONE, Army, UnitType
from engine.strategic.scenario_checks import CheckTopic, SceneChecks, Span, demand

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
        "heroes": MOST_ITEMS,
    },
    slots=MOST_SLOTS,
    city_name=NAME_LENGTH,
    large=LARGE,
    grounds=tuple(row.name.lower() for row in ground_rows()),
)
"""Scenario checks with the numbers of this game. See: LW-1, LW-19.3, LW-19.5."""

_demand = CHECKS.demand

_BUILT: Final = DOCKS | {LandCode.UNKNOWN}
"""Tiles that have a building already, and unknown ones. See: LW-1."""


def check_scene(scene: Map, land: LandPlanes, types: Roster[UnitType]) -> None:
    """Check a scenario except its ``now``, which ``check_midgame`` checks.

    Rules: LW-19.5. See: LW-1, LW-2.2, LW-9, LW-11, LW-13.2, LW-14, LW-19.3.

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
    CHECKS.city_tiles(scene, land.terrain, LandCode.CITY, LandCode.CITY)
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
    for number, hero in enumerate(scene.heroes):
        _check_hero(f"heroes[{number}]", hero, scene, land)
    _check_costs(scene.ground_costs)
    CHECKS.once("rewards", [reward.id for reward in scene.rewards], "site")
    for number, reward in enumerate(scene.rewards):
        _check_reward(f"rewards[{number}]", reward, scene, land, types)
    CHECKS.people(scene, types, LARGE)


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
    worth = kind.value if kind.value else "1"
    _demand(_is_fraction(worth), f"{place}.value", "is no fraction", "type")
    bonuses = (*kind.own, *kind.pack)
    _demand(all(0 <= n <= MOST_STRENGTH for n in bonuses), place, "has an odd bonus", "type")


def _check_hero(place: str, hero: NamedHero, scene: Map, land: LandPlanes) -> None:
    """Check a hero named by the scenario. See: LW-10, LW-11."""
    _demand(hero.name.strip() != "", f"{place}.name", "is empty", "hero")
    CHECKS.words(f"{place}.name", hero.name)
    known = hero.side == NOBODY or 0 <= hero.side < SIDES[1]
    _demand(known, f"{place}.side", f"there is no side {hero.side}", "hero")
    for number, item in enumerate(hero.items):
        CHECKS.item(f"{place}.items[{number}]", item, scene, land.terrain)
        fits = item.where == "unused" and item.kind != "standard"
        _demand(fits, f"{place}.items[{number}]", "must be unused, and no standard", "item")


def _check_costs(found: Sequence[int]) -> None:
    """Check the costs of terrains. See: LW-19.4."""
    fits = len(found) in {0, len(book_costs())} and all(1 <= cost <= MOST_COST for cost in found)
    text = f"must be {len(book_costs())} numbers from 1 to {MOST_COST}"
    demand(fits, "ground_costs", text, "LW-19.4")


def _check_roads(scene: Map, land: LandPlanes) -> None:
    """Check that roads are on land without another building. See: LW-1."""
    closed = _BUILT | WATER
    sites = {(site.x, site.y) for site in scene.sites}
    for y, x in np.argwhere(land.roads.cells).tolist():
        found = LandCode(land.terrain[y, x])
        what = "a site" if (x, y) in sites else ground_rows()[found].name.lower()
        free = found not in closed and (x, y) not in sites
        _demand(free, f"roads[{y}]", f"none can be at ({x}, {y}): {what}", "scenario")


def _check_site(place: str, site: SitePlaced, land: LandPlanes) -> None:
    """Check the tile and the kind of a site. See: LW-1, LW-14."""
    _demand(land.terrain.has(site.x, site.y), place, "is off the map", "site")
    found = LandCode(land.terrain[site.y, site.x])
    text = f"none can be at ({site.x}, {site.y}): {ground_rows()[found].name.lower()}"
    _demand(found not in _BUILT, place, text, "site")
    CHECKS.kinds(f"{place}.kind", (site.kind,), ("unknown", *SITE_SORTS), "site")


def _check_reward(
    place: str, reward: Reward, scene: Map, land: LandPlanes, types: Roster[UnitType]
) -> None:
    """Check the reward of a site. See: LW-14."""
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


# -- positions in mid-game -------------------------------------------------------------------------


_CITY_QUESTS: Final = frozenset({"sack-city", "raze-city", "occupy-city"})

_ALL_FLAGS: Final = (1 << 18) - 1
"""All abilities of a unit as bits. See: LW-1."""

_LONGEST_NUMBER: Final = 400
"""Maximum length of a fraction as text."""


def check_midgame(scene: Map, now: Now, land: LandPlanes, types: Roster[UnitType]) -> None:
    """Check that a game can continue from a position. See: LW-1, LW-16, LW-17, LW-19.5.

    Raises:
        ScenarioFault: with the path of the first fault.
    """
    spans = {
        "strength": (1, MOST_STRENGTH),
        "max_move": (1, MOST_POINTS),
        "points": (0, MOST_POINTS),
        "upkeep": (0, LARGE),
        "medals": (0, 7),
        "xp": (0, LARGE),
        "level": (0, LARGE),
        "home": (NONE, len(scene.cities) - 1),
    }
    moment = Midgame(CHECKS, scene, now, land.terrain, types, spans, MOST_ARMIES, MOST_NUMBER)
    checks.check_turn(moment)
    checks.check_treaties(moment)
    _check_table("now.proposals", now.proposals, len(scene.sides), (NO_PROPOSAL, 2))
    _check_table("now.opinions", now.opinions, len(scene.sides), (0, MOST_OPINION))
    if now.discovered:
        size = (land.terrain.width, land.terrain.height)
        numbers_of(now.discovered, "now.discovered", size, RULE)
    for number, army in enumerate(now.armies):
        checks.check_army(moment, f"now.armies[{number}]", army)
        _check_wounds(f"now.armies[{number}].hp", army)
    checks.check_stacks(moment)
    checks.check_transits(moment)
    known = {army.id for army in now.armies}
    for number, condition in enumerate(now.conditions):
        place = f"now.conditions[{number}]"
        text = f"there is no army {condition.id}"
        demand(condition.id in known, f"{place}.id", text, "LW-1")
        _check_condition(place, condition)
    once = len({condition.id for condition in now.conditions}) == len(now.conditions)
    demand(once, "now.conditions", "an army has two", "LW-1")
    known_heroes = {army.id for army in now.armies if army.hero is not None}
    CHECKS.once("now.quests", [quest.id for quest in now.quests], "hero")
    for number, quest in enumerate(now.quests):
        _check_quest(f"now.quests[{number}]", quest, known_heroes, scene, types)
    CHECKS.once("now.rewards", [reward.id for reward in now.rewards], "site")
    for number, reward in enumerate(now.rewards):
        _check_reward(f"now.rewards[{number}]", reward, scene, land, types)
    full = len(now.scores) in {0, len(scene.sides)}
    demand(full, "now.scores", f"must be {len(scene.sides)} numbers", "LW-17")
    checks.check_holders(moment)
    for number, side in enumerate(scene.sides):
        if side.quest is not None:
            checks.check_aim(moment, f"sides[{number}].quest", side.quest, _CITY_QUESTS)
    checks.check_question(moment)


def _check_table(place: str, rows: Sequence[Sequence[int]], sides: int, span: Span) -> None:
    """Check a table with a number of each side about each other; an empty one is the default."""
    square = not rows or (len(rows) == sides and all(len(row) == sides for row in rows))
    demand(square, place, f"must be {sides} rows of {sides}", "LW-16")
    low, high = span
    known = all(low <= value <= high for row in rows for value in row)
    demand(known, place, f"must be from {low} to {high}", "LW-16")


def _check_quest(
    place: str, quest: HeroQuest, heroes: Collection[int], scene: Map, types: Roster[UnitType]
) -> None:
    """Check the hero, the opponent and the goal of a quest. See: LW-15."""
    _demand(quest.id in heroes, f"{place}.id", f"there is no hero {quest.id}", "quest")
    CHECKS.words(f"{place}.name", quest.name)
    CHECKS.numbers(place, quest, {"count": (1, LARGE), "done": (0, LARGE)}, "quest")
    about = (*range(len(scene.sides)), *(() if quest.kind == "kill-armies" else (NOBODY,)))
    _demand(quest.side in about, f"{place}.side", f"there is no side {quest.side}", "quest")
    if quest.kind in _CITY_QUESTS:
        known = 0 <= quest.target < len(scene.cities)
        _demand(known, f"{place}.target", f"there is no city {quest.target}", "quest")
    elif quest.kind == "kill-type":
        text = f"there is no type {quest.target}"
        _demand(quest.target in types, f"{place}.target", text, "quest")


def _check_wounds(place: str, army: Army) -> None:
    """Check that an army with hit points has some left. See: LW-1, LW-6.5."""
    hp = getattr(army, "hp", None)
    alive = not hp or 0 <= hp.lost < hp.most <= MOST_NUMBER
    demand(alive, place, "must have lost less than there are", "LW-6.5")


def _check_condition(place: str, condition: Condition) -> None:
    """Check the fractions and numbers of a condition. See: LW-6.2, LW-6.3."""
    for field in ("xp", "value", "dealt", "taken"):
        text = getattr(condition, field)
        sound = text == "" and field == "value"
        demand(sound or _is_fraction(text), f"{place}.{field}", "is no fraction", "LW-6.2")
    spans = {"battles": (0, LARGE), "sight": (0, LARGE), "flags": (NONE, _ALL_FLAGS)}
    CHECKS.numbers(place, condition, spans, "type")


def _is_fraction(text: str) -> bool:
    """Return whether a text is a fraction from 0 to ``LARGE`` in the form that ``str`` gives."""
    try:
        number = Fraction(text) if len(text) <= _LONGEST_NUMBER else None
        return number is not None and 0 <= number <= LARGE and str(number) == text
    except (ValueError, ZeroDivisionError):
        return False
