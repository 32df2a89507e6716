"""What stands in the cells of a map: sea, land, borders, and the signs that are written on it.

Rules: GD-CELL-1 to GD-CELL-4.
"""

from __future__ import annotations

from typing import Final

from engine.rulesets.gd6.state import LETTERS
from engine.tabletop.board import Symbol
from engine.tabletop.roles import Role

WRITTEN: Final = "".join(map(chr, range(32, 127)))
"""What names and numbers are written with."""

_GROUND: Final = (
    Symbol("sea", Role.WATER, " ", " ", " "),
    Symbol("sea route", Role.WATER, "°", "°", "o"),
    Symbol("neutral land", Role.PLAIN, ",", ",", ","),
    Symbol("border of neutral land", Role.PLAIN, ":", ":", ":"),
    Symbol("border of owned land", Role.WALL, "░", "▒", "+"),
    Symbol("seam that nobody crosses", Role.HARD_WALL, "▓", "▓", "#"),
    Symbol("wasteland", Role.SWAMP, "~", "~", "~"),
    Symbol("owned land", Role.PLAIN, "·", "·", "."),
)

_LETTERS: Final = tuple(
    Symbol(f"land of seat {letter}", Role.PLAIN, letter, letter, letter) for letter in LETTERS
)

_SIGNS: Final = tuple(Symbol(f"written {c}", Role.WRITING, c, c, c) for c in WRITTEN)

SYMBOLS: Final = (*_GROUND, *_LETTERS, *_SIGNS)

SEA, ROUTE, LAND, BORDER, FENCE, SEAM, WASTE, OWNED = range(len(_GROUND))
FIRST_LETTER: Final = len(_GROUND)
FIRST_SIGN: Final = FIRST_LETTER + len(_LETTERS)


def sign(character: str) -> int:
    """The number of the symbol for a character; 0 for one that cannot be written."""
    place = WRITTEN.find(character)
    return FIRST_SIGN + place if place >= 0 and character else 0
