"""Lanterns: two or three clans march by secret orders for the shrines of a small hex map.

The smallest complete ruleset: hidden strengths, sealed orders of several seats at once, dice, bands
that must retreat, and every kind of dialogue. Copy this folder to begin your own ruleset.
"""

from __future__ import annotations

from tests.toy.rules import RULES

__all__ = ["RULES"]
