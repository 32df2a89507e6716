"""Global Domination: two to thirteen seats write secret orders, and all move at the same instant.

A territory game without any luck. Each turn every seat seals a list of orders; then all lists are
carried out together: settling, spawning and building, items, the steps of the movement, income.
"""

from __future__ import annotations

from engine.rulesets.gd6.rules import RULES

__all__ = ["RULES"]
