"""Computer players by level (section 18)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.core.dice import Dice
from engine.core.ruleset import Offers
from engine.rulesets.lordsawar.hero_plans import of_heroes
from engine.rulesets.lordsawar.levels import usual_choice
from engine.rulesets.lordsawar.rule_settings import settings_of
from engine.strategic.bot.commander import Commander
from engine.strategic.bot.situation import Level
from engine.strategic.commands import AskSage
from engine.strategic.settings import RuleSettings

TEMPERS: Final = {
    "easy": Level(
        nerve=0.8,
        surety=0.97,
        hold=0.8,
        guard=1,
        searches=False,
        splits=False,
        joins=False,
        vectors=False,
        buys=False,
        thrift=False,
        wander=12,
        fury=40,
    ),
    "normal": Level(
        nerve=0.7,
        surety=0.95,
        hold=0.6,
        guard=0,
        searches=True,
        splits=False,
        joins=False,
        vectors=False,
        buys=True,
        thrift=True,
        wander=12,
        fury=40,
    ),
    "hard": Level(
        nerve=0.6,
        surety=0.93,
        hold=0.5,
        guard=0,
        searches=True,
        splits=True,
        joins=True,
        vectors=True,
        buys=True,
        thrift=True,
        wander=0,
        fury=30,
    ),
}
"""Levels by name. Rules: LW-18."""


def _settings(view: Any) -> RuleSettings:
    return settings_of(view.options)


class LordsCommander(Commander):
    """Computer player that also answers and orders what only this game has. Rules: LW-18."""

    def plan(self, view: Any, offers: Offers[Any], dice: Dice) -> Sequence[Any]:
        """Commands to give now."""
        question = view.question
        if question is None:
            return tuple(of_heroes(view)) or super().plan(view, offers, dice)
        match question.kind:
            case "level":
                return (usual_choice(view.armies[question.army]),)
            case "sage":
                return (AskSage("gold"),)
            case _:
                return super().plan(view, offers, dice)

    def rest(self, view: Any, offers: Offers[Any]) -> Sequence[Any]:
        """End of the turn; an open question gets the answer that costs nothing."""
        if view.question is not None and view.question.kind == "level":
            return (usual_choice(view.armies[view.question.army]),)
        return super().rest(view, offers)


LEVELS: Final[Mapping[str, Any]] = {
    name: LordsCommander(temper, _settings) for name, temper in TEMPERS.items()
}
