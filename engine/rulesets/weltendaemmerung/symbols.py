"""Signs for everything that can stand on the board.

In the ASCII set Eldoin's units are capitals and Dailor's small letters, so a side can be told
without colours. Every sign is one column wide.
"""

from __future__ import annotations

from typing import Final

from engine.rulesets.weltendaemmerung.state import Terrain
from engine.tabletop.board import Symbol
from engine.tabletop.roles import Role

_GROUND: Final[dict[Terrain, tuple[Role, str, str, str]]] = {
    Terrain.MEADOW: (Role.PLAIN, "·", "·", "."),
    Terrain.MEADOW_2: (Role.PLAIN, ",", ",", ","),
    Terrain.RIVER: (Role.WATER, "≈", "≈", "~"),
    Terrain.FOREST: (Role.FOREST, "♠", "♠", "&"),
    Terrain.END: (Role.GOAL, "◊", "◊", ">"),
    Terrain.SWAMP: (Role.SWAMP, "„", '"', '"'),
    Terrain.GATE: (Role.GATE, "∩", "∩", "+"),
    Terrain.MOUNTAIN: (Role.MOUNTAIN, "▲", "▲", "^"),
    Terrain.PAVEMENT: (Role.ROAD, ":", ":", ":"),
    Terrain.WALL: (Role.WALL, "■", "■", "#"),
    Terrain.HARD_WALL: (Role.HARD_WALL, "█", "█", "%"),
}
_WALL: Final = _GROUND[Terrain.WALL]

_PIECES: Final[tuple[tuple[str, Role, str, str], ...]] = (
    ("sword", Role.PIECE, "†", "S"),
    ("bow_e", Role.PIECE, "»", "B"),
    ("eagle", Role.FLYER, "ψ", "E"),
    ("spear", Role.PIECE, "↑", "P"),
    ("ship", Role.SHIP, "▽", "W"),
    ("horse", Role.PIECE, "♘", "H"),
    ("lord_e", Role.LEADER, "♔", "F"),
    ("bow_d", Role.PIECE, "«", "b"),
    ("catapult", Role.SIEGE, "♜", "c"),
    ("blood", Role.FLYER, "ω", "v"),
    ("axe", Role.PIECE, "þ", "a"),
    ("lord_d", Role.LEADER, "♚", "f"),
    ("wyrm", Role.SIEGE, "§", "d"),
    ("ram", Role.SIEGE, "◄", "r"),
    ("wagon", Role.PIECE, "∞", "g"),
    ("wolf", Role.PIECE, "♞", "w"),
)
"""By number of the type: key, role, rich sign, letter. Rules: WD-UNIT-1."""

FIRST_GROUND: Final = 1
"""The symbol of terrain 0; the others follow in order."""

FIRST_PIECE: Final = FIRST_GROUND + len(Terrain)
"""The symbol of unit type 0; the others follow in order."""

OPEN_SITE: Final = FIRST_PIECE + len(_PIECES)
"""A gate site that carries no gate now."""


FIRST_WALL: Final = OPEN_SITE + 1
"""A wall that goes on to no side; the others follow by the sum of the sides they go on to."""

NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
_SIDES: Final = {NORTH: "north", EAST: "east", SOUTH: "south", WEST: "west"}
_WALLS: Final = "■║═╚║║╔╠═╝═╩╗╣╦╬"
"""By the sum of the sides."""


def _ground(terrain: Terrain) -> Symbol:
    role, rich, box, plain = _GROUND.get(terrain, _WALL)
    return Symbol(terrain.name.lower(), role, rich, box, plain, _two(role, rich))


def _two(role: Role, rich: str) -> str:
    """Pavement is quieter, and a wall that stands alone clearer, with a gap beside the sign."""
    return f"{rich} " if role in (Role.ROAD, Role.WALL) else ""


def _wall(sides: int) -> Symbol:
    """A wall as a line that goes on to some sides, so that a castle is seen as one."""
    words = [word for side, word in _SIDES.items() if sides & side]
    name = f"wall, {' and '.join(words) or 'alone'}"
    line = _WALLS[sides]
    gap = "═" if sides & EAST else " "
    return Symbol(name, Role.WALL, line, line, _WALL[3], line + gap)


SYMBOLS: Final[tuple[Symbol, ...]] = (
    Symbol("nothing", Role.BLANK, " ", " ", " "),
    *(_ground(terrain) for terrain in Terrain),
    *(Symbol(key, role, rich, letter, letter) for key, role, rich, letter in _PIECES),
    Symbol("open site", Role.SITE, "□", "□", "'"),
    *(_wall(sides) for sides in range(len(_WALLS))),
)
"""What the numbers in a board's planes mean."""
