"""Checks of a scenario that begins in mid-game (``now``)."""

from __future__ import annotations

from collections import Counter

from engine.core.containers import Roster
from engine.kit.grid import Place
from engine.rulesets.warlords2.checks import (
    LONG_NAME,
    check_kinds,
    check_secret,
    check_words,
    demand,
)
from engine.rulesets.warlords2.land import RULE, LandPlanes
from engine.rulesets.warlords2.scene import LARGE, MOST_NUMBER, Map, Now
from engine.rulesets.warlords2.state import MOST_ARMIES, MOST_HEROES, MOST_POINTS, MOST_STRENGTH
from engine.rulesets.warlords2.tables import Terrain
from engine.strategic.land_rows import numbers_of
from engine.strategic.pieces import (
    NOBODY,
    NONE,
    QUESTION_KINDS,
    STACK,
    TO_FLAG,
    Army,
    Quest,
    UnitType,
)


def check_midgame(scene: Map, now: Now, land: LandPlanes, types: Roster[UnitType]) -> None:
    """Refuse a position that cannot be played on from. Rules: W2-1.8, W2-13.1, W2-6.1.

    Raises:
        ScenarioFault: with the path of the first fault.
    """
    sides = len(scene.sides)
    _check_turn(now, sides, scene)
    _check_treaties(now, sides)
    if now.discovered:
        numbers_of(
            now.discovered, "now.discovered", (land.terrain.width, land.terrain.height), RULE
        )
    for number, army in enumerate(now.armies):
        _check_army(f"now.armies[{number}]", army, scene, land, types)
    _check_stacks(now)
    _check_transits(scene, now, types)
    for number, tower in enumerate(now.towers):
        place = f"now.towers[{number}]"
        demand(land.terrain.has(tower.x, tower.y), place, "is off the map", "W2-6.7")
        numbered = tower.id == tower.y * land.terrain.width + tower.x
        demand(numbered, f"{place}.id", "is not y * width + x", "W2-6.7")
        demand(0 <= tower.owner < sides, f"{place}.owner", "is no side", "W2-6.7")
    armies = {army.id for army in now.armies}
    for number, item in enumerate(scene.items):
        held = item.where != "carried" or item.holder in armies
        demand(held, f"items[{number}].holder", f"there is no army {item.holder}", "W2-10.3")
    for number, site in enumerate(scene.sites):
        demand(site.kind != "unknown", f"sites[{number}].kind", "must be told", "W2-10.4")
    for number, side in enumerate(scene.sides):
        flag = side.flag is None or land.terrain.has(*side.flag)
        demand(flag, f"sides[{number}].flag", "is off the map", "W2-10.3")
        capital = side.capital is None or land.terrain.has(*side.capital)
        demand(capital, f"sides[{number}].capital", "is off the map", "W2-16.4")
        if side.quest is not None:
            _check_quest(f"sides[{number}].quest", side.quest, scene)
    trail = all(land.terrain.has(*at) for at in now.trail)
    demand(trail, "now.trail", "leaves the map", "W2-6.4")
    _check_question(scene, now)


def _check_turn(now: Now, sides: int, scene: Map) -> None:
    known = set(now.order) <= set(range(sides)) and len(set(now.order)) == len(now.order)
    demand(known and bool(now.order), "now.order", "must be sides, each once", "W2-13.1")
    demand(0 <= now.at < len(now.order), "now.at", "is no place in now.order", "W2-13.1")
    over = now.reason is not None
    alive = over or scene.sides[now.order[now.at]].alive
    demand(alive, "now.at", "is the turn of a side that is out", "W2-13.1")
    winners = set(now.winners) <= set(range(sides)) and (over or not now.winners)
    demand(winners, "now.winners", "must be sides, of a game that is over", "W2-13.3")
    if now.secret:
        check_secret("now.secret", now.secret)
    check_words("now.origin", now.origin, LONG_NAME)


def _check_treaties(now: Now, sides: int) -> None:
    rows = now.treaties
    square = len(rows) == sides and all(len(row) == sides for row in rows)
    demand(square, "now.treaties", f"must be {sides} rows of {sides}", "W2-12.1")
    for one, row in enumerate(rows):
        place = f"now.treaties[{one}]"
        demand(all(0 <= value <= 2 for value in row), place, "must be 0, 1 or 2", "W2-12.1")
        same = all(row[other] == rows[other][one] for other in range(sides))
        demand(same and row[one] == 0, place, "must be the same both ways", "W2-12.1")


def _check_army(
    place: str, army: Army, scene: Map, land: LandPlanes, types: Roster[UnitType]
) -> None:
    demand(0 < army.id < MOST_NUMBER, f"{place}.id", "is too high or too low", "W2-1.8")
    demand(army.type in types, f"{place}.type", f"there is no type {army.type}", "W2-7")
    own = army.owner == NOBODY or 0 <= army.owner < len(scene.sides)
    demand(own, f"{place}.owner", f"there is no side {army.owner}", "W2-1.3")
    demand(land.terrain.has(army.x, army.y), place, "is off the map", "W2-1.1")
    void = land.terrain[army.y, army.x] == Terrain.VOID
    demand(not void, place, f"({army.x}, {army.y}) is void", "W2-3.1")
    ranges = {
        "strength": (1, MOST_STRENGTH),
        "max_move": (1, MOST_POINTS),
        "points": (0, MOST_POINTS),
        "upkeep": (0, LARGE),
        "medals": (0, 4),
        "xp": (0, MOST_POINTS),
        "level": (0, 3),
        "home": (NONE, len(scene.cities) - 1),
    }
    for field, (low, high) in ranges.items():
        fits = low <= getattr(army, field) <= high
        demand(fits, f"{place}.{field}", f"is not from {low} to {high}", "W2-7")
    goal = army.goal is None or land.terrain.has(*army.goal)
    demand(goal, f"{place}.goal", "is off the map", "W2-6.5")
    blessed = all(0 <= site < len(scene.sites) for site in army.blessed)
    demand(blessed, f"{place}.blessed", "must be sites", "W2-10.5")
    leads = (army.hero is not None) == ("hero" in types[army.type].traits)
    demand(leads, f"{place}.hero", "goes with the type of heroes", "W2-7")
    demand(not army.hp, f"{place}.hp", "no wounds last in this game", "W2-8.5")
    if army.hero is not None:
        check_words(f"{place}.hero.name", army.hero.name, LONG_NAME)


def _check_stacks(now: Now) -> None:
    owners: dict[Place, int] = {}
    for number, army in enumerate(now.armies):
        other = owners.setdefault(army.at, army.owner)
        text = f"{army.at} has armies of another side too"
        demand(other == army.owner, f"now.armies[{number}]", text, "W2-6.1")
    for at, count in Counter(army.at for army in now.armies).items():
        demand(count <= STACK, "now.armies", f"{count} stand on {at}", "W2-6.1")
    heroes = sum(army.hero is not None for army in now.armies)
    text = f"{heroes} heroes; {MOST_HEROES} are possible"
    demand(heroes <= MOST_HEROES, "now.armies", text, "W2-1.8")


def _check_transits(scene: Map, now: Now, types: Roster[UnitType]) -> None:
    ids = [army.id for army in now.armies] + [transit.id for transit in now.transits]
    demand(len(set(ids)) == len(ids), "now.armies", "a number stands twice", "W2-1.8")
    demand(len(ids) <= MOST_ARMIES, "now.armies", f"{MOST_ARMIES} are possible", "W2-1.8")
    for number, transit in enumerate(now.transits):
        place = f"now.transits[{number}]"
        demand(transit.army.id == transit.id, f"{place}.id", "is not its army's", "W2-9.5")
        demand(transit.army.type in types, f"{place}.army.type", "is no type", "W2-7")
        owner = 0 <= transit.army.owner < len(scene.sides)
        demand(owner, f"{place}.army.owner", "is no side", "W2-9.5")
        target = transit.target == TO_FLAG or 0 <= transit.target < len(scene.cities)
        demand(target, f"{place}.target", "is neither a city nor -2", "W2-9.5")
        home = 0 <= transit.army.home < len(scene.cities)
        demand(home, f"{place}.army.home", "is no city", "W2-9.5")


def _check_quest(place: str, quest: Quest, scene: Map) -> None:
    foe = quest.side == NOBODY or 0 <= quest.side < len(scene.sides)
    demand(foe, f"{place}.side", f"there is no side {quest.side}", "W2-10.6")
    if quest.kind in {"keep-city", "raze-city"}:
        town = 0 <= quest.target < len(scene.cities)
        demand(town, f"{place}.target", f"there is no city {quest.target}", "W2-10.6")
    if quest.kind == "fetch-item":
        thing = 0 <= quest.target < len(scene.items)
        demand(thing, f"{place}.target", f"there is no item {quest.target}", "W2-10.6")


def _check_question(scene: Map, now: Now) -> None:
    asked = now.question
    if asked is None:
        return
    check_kinds("now.question.kind", (asked.kind,), QUESTION_KINDS, "W2-13.2")
    demand(0 <= asked.side < len(scene.sides), "now.question.side", "is no side", "W2-13.2")
    needs_city = asked.kind in {"fate", "hero"}
    city = 0 <= asked.city < len(scene.cities) or not needs_city
    demand(city, "now.question.city", "is no city", "W2-9.2")
    site = asked.kind != "sage" or 0 <= asked.site < len(scene.sites)
    demand(site, "now.question.site", "is no site", "W2-10.5")
    army = asked.kind != "sage" or asked.army in {army.id for army in now.armies}
    demand(army, "now.question.army", "is no army", "W2-10.5")
