"""Weltendämmerung: a two-player fantasy war of 1987 on 80 x 40 tiles.

Eldoin holds the west, Dailor comes out of the east. A round is three phases, each played by both:
units move, units attack, gates are worked. Eldoin wins by time.
"""

from engine.rulesets.weltendaemmerung.rules import RULES

__all__ = ["RULES"]
