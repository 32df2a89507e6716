"""Checks of a scenario that begins in mid-game (``now``)."""

from __future__ import annotations

from typing import Final

from engine.core.containers import Roster
from engine.rulesets.warlords2.checks import CHECKS
from engine.rulesets.warlords2.land import RULE, LandPlanes
from engine.rulesets.warlords2.scene import LARGE, MOST_NUMBER, Map, Now
from engine.rulesets.warlords2.state import MOST_ARMIES, MOST_HEROES, MOST_POINTS, MOST_STRENGTH
from engine.rulesets.warlords2.tables import Terrain
from engine.strategic import moment_checks as checks
from engine.strategic.land_rows import numbers_of
from engine.strategic.moment_checks import Midgame
from engine.strategic.pieces import NONE, QUESTION_KINDS, Quest, Tower, UnitType
from engine.strategic.scenario_checks import demand

_CITY_QUESTS: Final = frozenset({"keep-city", "raze-city"})


def check_midgame(scene: Map, now: Now, land: LandPlanes, types: Roster[UnitType]) -> None:
    """Refuse a position that cannot be played on from. Rules: W2-1.8, W2-13.1, W2-6.1.

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
