"""Checks of scenarios that begin in mid-game, shared by the rulesets.

Each raises ``ScenarioFault`` with the path of the first fault.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from engine.core.containers import Plane, Roster
from engine.kit.grid import Place
from engine.strategic.pieces import NOBODY, STACK, TO_FLAG, Army, Quest, UnitType
from engine.strategic.scenario_checks import SceneChecks, Span


class Midgame(NamedTuple):
    """A position in mid-game with the data for its checks; ``now`` is the moment of ``scene``.

    ``spans`` are the bounds of an army's numbers. ``most_armies`` is the maximum number of armies,
    ``most_number`` the upper limit of their ids.
    """

    checks: SceneChecks
    scene: Any
    now: Any
    land: Plane
    types: Roster[UnitType]
    spans: Mapping[str, Span]
    most_armies: int
    most_number: int


def check_turn(moment: Midgame) -> None:
    """Check the side to move, and the end if the game is over."""
    checks, scene, now = moment.checks, moment.scene, moment.now
    sides = len(scene.sides)
    known = set(now.order) <= set(range(sides)) and len(set(now.order)) == len(now.order)
    checks.demand(known and bool(now.order), "now.order", "must be sides, each once", "turn")
    checks.demand(0 <= now.at < len(now.order), "now.at", "is no place in now.order", "turn")
    over = now.reason is not None
    alive = over or scene.sides[now.order[now.at]].alive
    checks.demand(alive, "now.at", "is the turn of a side that is out", "turn")
    winners = set(now.winners) <= set(range(sides)) and (over or not now.winners)
    text = "must be sides, of a game that is over"
    checks.demand(winners, "now.winners", text, "end")
    if now.secret:
        checks.secret("now.secret", now.secret)
    checks.words("now.origin", now.origin)


def check_treaties(moment: Midgame) -> None:
    """Check that the treaties are a table of all sides, the same both ways."""
    checks, rows, sides = moment.checks, moment.now.treaties, len(moment.scene.sides)
    square = len(rows) == sides and all(len(row) == sides for row in rows)
    checks.demand(square, "now.treaties", f"must be {sides} rows of {sides}", "stance")
    for one, row in enumerate(rows):
        place = f"now.treaties[{one}]"
        known = all(0 <= value <= 2 for value in row)
        checks.demand(known, place, "must be 0, 1 or 2", "stance")
        same = all(row[other] == rows[other][one] for other in range(sides))
        checks.demand(same and row[one] == 0, place, "must be the same both ways", "stance")


def check_army(moment: Midgame, place: str, army: Army) -> None:
    """Check an army on the map."""
    checks, scene, land = moment.checks, moment.scene, moment.land
    fits = 0 < army.id < moment.most_number
    checks.demand(fits, f"{place}.id", "is too high or too low", "count")
    text = f"there is no type {army.type}"
    checks.demand(army.type in moment.types, f"{place}.type", text, "type")
    own = army.owner == NOBODY or 0 <= army.owner < len(scene.sides)
    checks.demand(own, f"{place}.owner", f"there is no side {army.owner}", "side")
    checks.demand(land.has(army.x, army.y), place, "is off the map", "map")
    for field, (low, high) in moment.spans.items():
        fits = low <= getattr(army, field) <= high
        checks.demand(fits, f"{place}.{field}", f"is not from {low} to {high}", "type")
    goal = army.goal is None or land.has(*army.goal)
    checks.demand(goal, f"{place}.goal", "is off the map", "goal")
    blessed = all(0 <= site < len(scene.sites) for site in army.blessed)
    checks.demand(blessed, f"{place}.blessed", "must be sites", "blessing")
    leads = (army.hero is not None) == ("hero" in moment.types[army.type].traits)
    checks.demand(leads, f"{place}.hero", "goes with the type of heroes", "type")
    if army.hero is not None:
        checks.words(f"{place}.hero.name", army.hero.name)


def check_stacks(moment: Midgame) -> None:
    """Check that a tile has armies of one side only, and no more than fit."""
    checks, armies = moment.checks, moment.now.armies
    owners: dict[Place, int] = {}
    for number, army in enumerate(armies):
        other = owners.setdefault(army.at, army.owner)
        text = f"{army.at} has armies of another side too"
        checks.demand(other == army.owner, f"now.armies[{number}]", text, "stack")
    for at, count in Counter(army.at for army in armies).items():
        checks.demand(count <= STACK, "now.armies", f"{count} stand on {at}", "stack")


def check_transits(moment: Midgame) -> None:
    """Check armies in transit, and that ids of armies are unique."""
    checks, scene, now = moment.checks, moment.scene, moment.now
    ids = [army.id for army in now.armies] + [transit.id for transit in now.transits]
    checks.demand(len(set(ids)) == len(ids), "now.armies", "a number stands twice", "count")
    room = len(ids) <= moment.most_armies
    checks.demand(room, "now.armies", f"{moment.most_armies} are possible", "count")
    for number, transit in enumerate(now.transits):
        place, army = f"now.transits[{number}]", transit.army
        checks.demand(army.id == transit.id, f"{place}.id", "is not its army's", "transit")
        checks.demand(army.type in moment.types, f"{place}.army.type", "is no type", "type")
        owner = 0 <= army.owner < len(scene.sides)
        checks.demand(owner, f"{place}.army.owner", "is no side", "transit")
        target = transit.target == TO_FLAG or 0 <= transit.target < len(scene.cities)
        text = "is neither a city nor -2"
        checks.demand(target, f"{place}.target", text, "transit")
        home = 0 <= army.home < len(scene.cities)
        checks.demand(home, f"{place}.army.home", "is no city", "transit")


def check_holders(moment: Midgame) -> None:
    """Check that carried items have carriers, and that flags, capitals and trail are on the map."""
    checks, scene, land = moment.checks, moment.scene, moment.land
    armies = {army.id for army in moment.now.armies}
    for number, item in enumerate(scene.items):
        held = item.where != "carried" or item.holder in armies
        text = f"there is no army {item.holder}"
        checks.demand(held, f"items[{number}].holder", text, "item")
    for number, site in enumerate(scene.sites):
        checks.demand(site.kind != "unknown", f"sites[{number}].kind", "must be told", "site")
    for number, side in enumerate(scene.sides):
        flag = side.flag is None or land.has(*side.flag)
        checks.demand(flag, f"sides[{number}].flag", "is off the map", "item")
        capital = side.capital is None or land.has(*side.capital)
        checks.demand(capital, f"sides[{number}].capital", "is off the map", "scenario")
    trail = all(land.has(*at) for at in moment.now.trail)
    checks.demand(trail, "now.trail", "leaves the map", "trail")


def check_aim(moment: Midgame, place: str, quest: Quest, cities: frozenset[str]) -> None:
    """Check the target of a quest; ``cities`` are the kinds whose target is a city."""
    checks, scene = moment.checks, moment.scene
    foe = quest.side == NOBODY or 0 <= quest.side < len(scene.sides)
    checks.demand(foe, f"{place}.side", f"there is no side {quest.side}", "quest")
    if quest.kind in cities:
        town = 0 <= quest.target < len(scene.cities)
        text = f"there is no city {quest.target}"
        checks.demand(town, f"{place}.target", text, "quest")


def check_question(moment: Midgame) -> None:
    """Check the open question: the side asked, and the city, site or army concerned."""
    checks, scene, asked = moment.checks, moment.scene, moment.now.question
    if asked is None:
        return
    known = 0 <= asked.side < len(scene.sides)
    checks.demand(known, "now.question.side", "is no side", "question")
    needs_city = asked.kind in {"fate", "hero"}
    city = 0 <= asked.city < len(scene.cities) or not needs_city
    checks.demand(city, "now.question.city", "is no city", "razed")
    site = asked.kind != "sage" or 0 <= asked.site < len(scene.sites)
    checks.demand(site, "now.question.site", "is no site", "blessing")
    army = asked.kind != "sage" or asked.army in {army.id for army in moment.now.armies}
    checks.demand(army, "now.question.army", "is no army", "blessing")
