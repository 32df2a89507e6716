"""Global Domination: two to thirteen seats write secret orders, and all move at the same instant.

A territory game without luck. Each turn every seat seals a list of orders, then all lists are
executed together: settling, spawning and building, items, movement step by step, income.
"""

from __future__ import annotations

from engine.rulesets.gd6.rules import RULES

__all__ = ["RULES"]
