"""Computer players by level (section 18)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.rulesets.lordsawar.rule_settings import settings_of
from engine.strategic.bot.commander import Commander
from engine.strategic.bot.situation import Level
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


LEVELS: Final[Mapping[str, Any]] = {
    name: Commander(temper, _settings) for name, temper in TEMPERS.items()
}
