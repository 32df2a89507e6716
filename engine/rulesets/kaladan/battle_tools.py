"""Questions about battles for ``calc``: pools, odds, pairs, capacity."""

from __future__ import annotations

from engine.core.ruleset import Tool

TOOLS: tuple[Tool, ...] = ()
