"""Generals of Kaladan: two to six realms, dice battles on hexes, secret Magic, and a Crown each.

In its turn a seat draws an event, takes income, spawns, moves, fights at most one battle, buys and
reinforces. A battle is one roll of both sides, paired from high to low. A seat whose Crown falls is
out.
"""

from __future__ import annotations

from engine.rulesets.kaladan.rules import RULES

__all__ = ["RULES"]
