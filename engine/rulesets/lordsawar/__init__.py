"""LordsAWar: sides with heroes fight for cities, and battles have no dice.

Hit points last from battle to battle and heal. A forecast is exact: the same armies on the same
ground always give the same result. ``engine.strategic`` holds what this game shares with others of
its kind.
"""

from __future__ import annotations

from engine.rulesets.lordsawar.rules import RULES

__all__ = ["RULES"]
