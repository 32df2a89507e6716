"""Lanterns: two or three clans march by secret orders for the shrines of a small hex map.

The smallest complete ruleset: hidden strengths, sealed orders of several seats at once, dice, a
choice to wait for, and every kind of dialogue. Copy this folder to begin a ruleset of your own.
"""

from __future__ import annotations

from tests.toy.rules import RULES

__all__ = ["RULES"]
