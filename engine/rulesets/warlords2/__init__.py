"""Warlords II: sides with heroes fight for the cities of a land.

A war of stacks on a large map: cities make armies and are taken by storm, heroes search sites and
carry off their finds. The parts shared with similar games are in ``engine.strategic``.
"""

from __future__ import annotations

from engine.rulesets.warlords2.rules import RULES

__all__ = ["RULES"]
