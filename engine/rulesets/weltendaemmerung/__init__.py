"""Weltendämmerung: a two-player fantasy war of 1987 on 80 x 40 tiles.

Eldoin holds the west, Dailor attacks from the east. Both play each of a round's three phases:
units move, units attack, gates are worked. Eldoin wins when time runs out.
"""

from engine.rulesets.weltendaemmerung.rules import RULES

__all__ = ["RULES"]
