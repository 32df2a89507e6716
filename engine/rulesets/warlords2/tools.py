"""What ``calc`` offers for this game."""

from __future__ import annotations

from typing import Final

from engine.core.ruleset import Tool
from engine.rulesets.warlords2.battle_tools import BATTLE_TOOLS
from engine.rulesets.warlords2.moving_tools import MOVING_TOOLS

TOOLS: Final[tuple[Tool, ...]] = (*MOVING_TOOLS, *BATTLE_TOOLS)
