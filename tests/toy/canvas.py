"""Hexes on the board: each is two cells wide, and odd rows begin one cell to the right.

. . * . .
 . . ~ . .
"""

from __future__ import annotations

from typing import Final

import numpy as np

from engine.core.containers import Plane
from engine.tabletop.board import NOBODY, NOWHERE, Board, BoardPlace, Symbol
from engine.tabletop.roles import Role
from tests.toy.hexes import Hex, standing
from tests.toy.state import HIDDEN, Band, Terrain, View

SYMBOLS: Final = (
    Symbol("empty", Role.BLANK, " ", " ", " "),
    Symbol("grass", Role.PLAIN, "·", ".", "."),
    Symbol("water", Role.WATER, "≈", "~", "~"),
    Symbol("shrine", Role.GOAL, "◊", "*", "*"),
    Symbol("band", Role.PIECE, "♟", "b", "b"),
    Symbol("bands", Role.PIECE, "♜", "B", "B"),
    Symbol("hidden", Role.UNKNOWN, "?", "?", "?"),
    *(Symbol(f"strength {n}", Role.PIECE, str(n), str(n), str(n)) for n in range(1, 10)),
    Symbol("great strength", Role.PIECE, "+", "+", "+"),
)
_GROUND: Final = {Terrain.GRASS: 1, Terrain.WATER: 2, Terrain.SHRINE: 3}
_BAND, _BANDS, _UNKNOWN, _GREAT = 4, 5, 6, 16


def cell_of(at: Hex) -> tuple[int, int]:
    """Return the left cell of a hex."""
    return 2 * at[0] + at[1] % 2, at[1]


def hex_at(view: View, x: int, y: int) -> Hex | None:
    """Return the hex to which a cell belongs; None for the cells at the ends of rows."""
    at = ((x - y % 2) // 2, y)
    return at if view.terrain.has(*at) else None


def canvas(view: View, zoom: str) -> Board:
    """Draw the board of a view.

    With zoom ``strength`` a band has its strength beside it, with ``map`` the number of bands.
    """
    height, width = view.terrain.height, 2 * view.terrain.width + 1
    ground, piece = np.zeros((2, height, width), dtype=np.uint8)
    owner = np.full((height, width), NOBODY, dtype=np.int8)
    place = np.full((height, width), NOWHERE, dtype=np.int16)
    places = []
    for number, at in enumerate(_hexes(view)):
        x, y = cell_of(at)
        ground[y, x : x + 2] = _GROUND[Terrain(view.terrain[at[1], at[0]])]
        place[y, x : x + 2] = number
        places.append(BoardPlace(number, x, y, 2, 1, f"{at[0]},{at[1]}"))
        if here := standing(view, at):
            piece[y, x] = _BAND if len(here) == 1 else _BANDS
            piece[y, x + 1] = _beside(here, zoom)
            owner[y, x : x + 2] = here[0].clan
    owner[piece == 0] = NOBODY
    return Board(Plane(ground), Plane(piece), Plane(owner), Plane(place), tuple(places))


def _hexes(view: View) -> list[Hex]:
    return [(x, y) for y in range(view.terrain.height) for x in range(view.terrain.width)]


def _beside(here: tuple[Band, ...], zoom: str) -> int:
    """Return the symbol for the right cell of a hex with bands."""
    if zoom == "map":
        number = len(here)
        return 0 if number == 1 else min(_UNKNOWN + number, _GREAT)
    if any(band.strength == HIDDEN for band in here):
        return _UNKNOWN
    return min(_UNKNOWN + sum(band.strength for band in here), _GREAT)
