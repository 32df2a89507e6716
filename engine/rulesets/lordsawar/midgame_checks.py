"""Checks of a scenario that begins in mid-game (``now``)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from engine.core.containers import Roster
from engine.rulesets.lordsawar.checks import CHECKS
from engine.rulesets.lordsawar.land import RULE, LandPlanes
from engine.rulesets.lordsawar.scene import LARGE, MOST_NUMBER, Map, Now
from engine.rulesets.lordsawar.state import (
    MOST_ARMIES,
    MOST_OPINION,
    MOST_POINTS,
    MOST_STRENGTH,
    NO_PROPOSAL,
    Condition,
)
from engine.strategic import moment_checks as checks
from engine.strategic.land_rows import numbers_of
from engine.strategic.moment_checks import Midgame
from engine.strategic.pieces import NONE, Army, UnitType
from engine.strategic.scenario_checks import Span, demand

_CITY_QUESTS: Final = frozenset({"sack-city", "raze-city", "occupy-city"})

_ALL_FLAGS: Final = (1 << 18) - 1
"""All abilities of a unit as bits. Rules: LW-1."""

_LONGEST_NUMBER: Final = 60
"""Signs of a fraction."""


def check_midgame(scene: Map, now: Now, land: LandPlanes, types: Roster[UnitType]) -> None:
    """Refuse a position that cannot be played on from. Rules: LW-1, LW-16, LW-17, LW-19.5.

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
    checks.check_holders(moment)
    for number, side in enumerate(scene.sides):
        if side.quest is not None:
            checks.check_aim(moment, f"sides[{number}].quest", side.quest, _CITY_QUESTS)
    checks.check_question(moment)


def _check_table(place: str, rows: Sequence[Sequence[int]], sides: int, span: Span) -> None:
    """Check a table of what each side has toward each; none at all is the usual one."""
    square = not rows or (len(rows) == sides and all(len(row) == sides for row in rows))
    demand(square, place, f"must be {sides} rows of {sides}", "LW-16")
    low, high = span
    known = all(low <= value <= high for row in rows for value in row)
    demand(known, place, f"must be from {low} to {high}", "LW-16")


def _check_wounds(place: str, army: Army) -> None:
    """Check that an army that has hit points has some left. Rules: LW-1, LW-6.5."""
    hp = getattr(army, "hp", None)
    alive = not hp or 0 <= hp.lost < hp.most <= MOST_NUMBER
    demand(alive, place, "must have lost less than there are", "LW-6.5")


def _check_condition(place: str, condition: Condition) -> None:
    """Check the fractions and numbers of a condition. Rules: LW-6.2, LW-6.3."""
    for field in ("xp", "value", "dealt", "taken"):
        text = getattr(condition, field)
        sound = text == "" and field == "value"
        demand(sound or _is_fraction(text), f"{place}.{field}", "is no fraction", "LW-6.2")
    spans = {"battles": (0, LARGE), "sight": (0, LARGE), "flags": (NONE, _ALL_FLAGS)}
    CHECKS.numbers(place, condition, spans, "type")


def _is_fraction(text: str) -> bool:
    """True for a whole number, or two with a stroke between, as ``str`` of a fraction gives it."""
    try:
        return len(text) <= _LONGEST_NUMBER and str(Fraction(text)) == text
    except (ValueError, ZeroDivisionError):
        return False
