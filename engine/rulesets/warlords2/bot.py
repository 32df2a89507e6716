"""Computer players by level (section 14)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.core.ruleset import Bot
from engine.kit.tables import load
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.rulesets.warlords2.state import View
from engine.rulesets.warlords2.tables import PACKAGE
from engine.strategic.bot.commander import Commander
from engine.strategic.bot.level import LevelTable
from engine.strategic.commands import AnyCommand
from engine.strategic.settings import RuleSettings

TEMPERS: Final = load(PACKAGE, "levels", LevelTable).levels
"""Levels by name; their minimum chances are those of levels 1 to 3 of the original.

Rules: W2-14.4. See: W2-14.1 to W2-14.3, W2-14.5 to W2-14.7.
"""


def _settings(view: Any) -> RuleSettings:
    return settings_of(view.options)


LEVELS: Final[Mapping[str, Bot[View, AnyCommand]]] = {
    name: Commander(temper, _settings) for name, temper in TEMPERS.items()
}
