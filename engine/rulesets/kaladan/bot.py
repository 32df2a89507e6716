"""Computer players."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.ruleset import Bot
from engine.rulesets.kaladan.commands import AnyCommand
from engine.rulesets.kaladan.state import View

LEVELS: Mapping[str, Bot[View, AnyCommand]] = {}
