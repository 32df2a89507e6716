"""LordsAWar: sides with heroes fight for cities, and no chance decides their battles.

Hit points last from battle to battle and heal. A forecast is exact, since the same armies on the
same ground always come to the same end. What it shares with other games of its kind is in
``engine.strategic``.
"""

from __future__ import annotations

from engine.rulesets.lordsawar.rules import RULES

__all__ = ["RULES"]
