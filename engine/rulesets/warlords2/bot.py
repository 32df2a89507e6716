"""Computer players by level (section 14)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.core.record import Record
from engine.core.ruleset import Bot
from engine.kit.tables import load
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.rulesets.warlords2.state import View
from engine.rulesets.warlords2.tables import PACKAGE
from engine.strategic.bot.commander import Commander
from engine.strategic.bot.level import Level
from engine.strategic.commands import AnyCommand
from engine.strategic.settings import RuleSettings


class _Levels(Record, frozen=True):
    levels: dict[str, Level]


TEMPERS: Final = load(PACKAGE, "levels", _Levels).levels
"""Levels by name; their least chances are those of the levels 1 to 3.

Rules: W2-14, W2-14.1 to W2-14.6.
"""


def _book(view: Any) -> RuleSettings:
    return settings_of(view.options)


LEVELS: Final[Mapping[str, Bot[View, AnyCommand]]] = {
    name: Commander(temper, _book) for name, temper in TEMPERS.items()
}
