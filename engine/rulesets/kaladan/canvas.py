"""The board: tiles as boxes in rows, at three zooms, with letters that need no colour.

Rules: KA-19.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from engine.core.containers import Plane
from engine.kit.box_raster import COMPACT, LARGE, LINES, NORMAL, BoxRaster, BoxStep, box_raster
from engine.kit.identity_cache import keyed_identity_cache
from engine.rulesets.kaladan.board import (
    capacity,
    controller,
    coordinates,
    has_castle,
    standing,
    tile_name,
)
from engine.rulesets.kaladan.state import NOBODY, Tile, Unit, UnitKind, View
from engine.rulesets.kaladan.tables import realms
from engine.tabletop.board import NOWHERE as NO_PLACE
from engine.tabletop.board import Board, BoardPlace, Symbol
from engine.tabletop.roles import Role

CellArray = npt.NDArray[np.int16]

# -- symbols ---------------------------------------------------------------------------------------

WRITTEN: Final = "".join(map(chr, range(33, 127)))
"""Characters of ids, names and numbers."""

LETTERS: Final[Mapping[UnitKind, str]] = {
    "sword": "S",
    "archer": "A",
    "shield": "H",
    "catapult": "T",
    "general": "G",
    "crown": "K",
    "special": "X",
}
"""Letters of units: Sword, Archer, sHield, caTapult, General, Crown (K), Special. Rules: KA-19."""

TERRAIN_LETTERS: Final[Mapping[str, str]] = {
    "field": "F",
    "forest": "W",
    "mountain": "M",
    "": "?",
}

_GROUND: Final = (
    Symbol("outside", Role.BLANK, " ", " ", " "),
    Symbol("open ground", Role.UNKNOWN, "·", "·", "."),
    Symbol("field", Role.PLAIN, " ", " ", " "),
    Symbol("forest", Role.FOREST, " ", " ", " "),
    Symbol("mountain", Role.MOUNTAIN, " ", " ", " "),
)
_TERRAIN: Final[Mapping[str, int]] = {"": 1, "field": 2, "forest": 3, "mountain": 4}

_BORDERS: Final = tuple(
    Symbol(f"border {number}", Role.BLANK, line.rich, line.box, line.ascii)
    for number, line in enumerate(LINES)
)

_SIGNS: Final = tuple(Symbol(f"written {c}", Role.WRITING, c, c, c) for c in WRITTEN)

_UNIT_ROLES: Final[Mapping[str, Role]] = {
    "K": Role.LEADER,
    "G": Role.LEADER,
    "X": Role.LEADER,
    "T": Role.SIEGE,
}

_UNIT_LETTERS: Final = "SAHTGKXsaht"
_UNITS: Final = tuple(
    Symbol(f"unit {c}", _UNIT_ROLES.get(c.upper(), Role.PIECE), c, c, c) for c in _UNIT_LETTERS
)
_DONE: Final = tuple(Symbol(f"unit {c}, done", Role.SPENT, c, c, c) for c in _UNIT_LETTERS)

SYMBOLS: Final = (*_GROUND, *_BORDERS, *_SIGNS, *_UNITS, *_DONE)

_FIRST_BORDER: Final = len(_GROUND)
_FIRST_SIGN: Final = _FIRST_BORDER + len(_BORDERS)
_FIRST_UNIT: Final = _FIRST_SIGN + len(_SIGNS)
_FIRST_DONE: Final = _FIRST_UNIT + len(_UNITS)


def _sign(character: str) -> int:
    """Number of the symbol of a character; 0 for a space."""
    place = WRITTEN.find(character)
    return _FIRST_SIGN + place if place >= 0 else 0


# -- geometry --------------------------------------------------------------------------------------

STEPS: Final[Mapping[str, BoxStep]] = {"normal": NORMAL, "compact": COMPACT, "large": LARGE}
"""Width and height in cells from a box to the next, by zoom; the first is the default."""

ZOOMS: Final = tuple(STEPS)

HEADS: Final[Mapping[str, int]] = {"normal": 1, "compact": 1, "large": 2}
"""Rows at the top of a box that show the terrain rather than the owner."""


@cache
def raster(layout: int, zoom: str = "normal") -> BoxRaster:
    """Cells of a layout at a zoom."""
    return box_raster(coordinates(layout), STEPS[zoom])


def spot(layout: int, tile: int) -> tuple[int, int]:
    """Middle cell of a tile at the default zoom."""
    return raster(layout).centre(tile - 1)


def tile_at(layout: int, x: int, y: int) -> int:
    """Tile of a cell at the default zoom; 0 outside of all tiles."""
    return raster(layout).box_at(x, y) + 1


def size(layout: int) -> tuple[int, int]:
    """Columns and rows of a layout at the default zoom."""
    cells = raster(layout)
    return cells.width, cells.height


@cache
def inside(layout: int, tile: int) -> tuple[tuple[int, int], ...]:
    """Cells within the borders of a tile at the default zoom, row by row."""
    cells = raster(layout)
    (x, y), (wide, high) = cells.label(tile - 1), cells.room
    return tuple((x + dx, y + dy) for dy in range(high) for dx in range(wide))


@cache
def border(layout: int, tile: int) -> tuple[tuple[int, int], ...]:
    """Cells of the border of a tile at the default zoom."""
    return tuple((x, y) for x, y, _ in raster(layout).border(tile - 1))


# -- board -----------------------------------------------------------------------------------------


@keyed_identity_cache
def board(view: View, zoom: str) -> Board:
    """Board of a zoom. Rules: KA-19."""
    cells = raster(view.layout, zoom)
    box = cells.nearest.cells
    grounds = np.array([0, *(_TERRAIN[tile.terrain] for tile in view.tiles.values())])
    ground = grounds[box + 1].astype(np.int16)
    lines = cells.lines.cells
    ground[lines > 0] = _FIRST_BORDER + lines[lines > 0]
    owners = np.array([NOBODY, *(controller(view, tile) for tile in view.tiles)])
    owner = np.where(lines > 0, NOBODY, owners[box + 1]).astype(np.int8)
    piece = np.zeros(ground.shape, dtype=np.int16)
    for tile in view.tiles.values():
        x, y = cells.label(tile.id - 1)
        owner[y : y + HEADS[zoom], x : x + cells.room[0]] = NOBODY  # the head shows the terrain
        for line, row in enumerate(_TEXTS[zoom](view, tile)):
            _write(piece, cells.label(tile.id - 1, line), row, cells.room[0])
    usual = NORMAL
    own = STEPS[zoom]
    return Board(
        Plane(ground),
        Plane(piece),
        Plane(owner),
        Plane(np.where(box >= 0, box + 1, NO_PLACE).astype(np.int16)),
        _places(view.layout, zoom),
        scroll="push",
        ratio=((own[0], usual[0]), (own[1], usual[1])),
        narrow=True,
    )


@cache
def _places(layout: int, zoom: str) -> tuple[BoardPlace, ...]:
    cells = raster(layout, zoom)
    return tuple(
        BoardPlace(tile, *cells.label(tile - 1), *cells.room, tile_name(layout, tile))
        for tile in range(1, layout + 1)
    )


CellRow = Iterable[int]
"""Symbols of a line within a box; 0 is an empty cell."""


def _write(piece: CellArray, at: tuple[int, int], row: CellRow, most: int) -> None:
    x, y = at
    for column, symbol in enumerate(row):
        if column < most and y < piece.shape[0]:
            piece[y, x + column] = symbol


def text(words: str) -> tuple[int, ...]:
    """Symbols of a text."""
    return tuple(_sign(character) for character in words)


def _unit(unit: Unit, *, lower: bool) -> int:
    """Symbol of a unit; small letters for upgraded ones where there is no room for a plus."""
    letter = LETTERS[unit.kind]
    letter = letter.lower() if lower and unit.upgraded else letter
    return (_FIRST_DONE if unit.done else _FIRST_UNIT) + _UNIT_LETTERS.index(letter)


def _units(view: View, tile: int, gap: int) -> tuple[int, ...]:
    """Units of a tile, each followed by a plus sign or a space, and ``gap`` cells."""
    row: list[int] = []
    for unit in standing(view, tile):
        row += [_unit(unit, lower=False), _sign("+" if unit.upgraded else " "), *[0] * gap]
    return tuple(row)


def owner_name(view: View, tile: int) -> str:
    """Number and realm of the seat that holds a tile, without an article; empty if it is free."""
    seat = controller(view, tile)
    if seat == NOBODY:
        return ""
    realm = view.players[seat].realm
    name = realms()[realm].name.removeprefix("The ") if realm in realms() else ""
    text = f"{seat + 1} {name}".strip()
    return text if len(text) < NORMAL[0] else f"{seat + 1}{name}"


def _normal(view: View, tile: Tile) -> tuple[CellRow, ...]:
    castle = "[#]" if has_castle(view, tile.id) else ""
    head = f"{tile_name(view.layout, tile.id)} {TERRAIN_LETTERS[tile.terrain]}"
    return (
        text(f"{head:<8}{castle}"),
        _units(view, tile.id, 0),
        text(owner_name(view, tile.id)),
    )


def _compact(view: View, tile: Tile) -> tuple[CellRow, ...]:
    seat = controller(view, tile.id)
    castle = "#" if has_castle(view, tile.id) else " "
    number = str(seat + 1) if seat != NOBODY else ""
    head = f"{tile_name(view.layout, tile.id)}{TERRAIN_LETTERS[tile.terrain]}{castle}  {number}"
    units = [_unit(unit, lower=True) for unit in standing(view, tile.id)]
    return text(head), tuple(units)


def _large(view: View, tile: Tile) -> tuple[CellRow, ...]:
    castle = "[#]" if has_castle(view, tile.id) else ""
    name = tile.terrain.capitalize() if tile.terrain else "open"
    head = f"{tile_name(view.layout, tile.id)} {name}"
    count = len(standing(view, tile.id))
    room = f"{count} of {capacity(tile)} units" if count else ""
    return (
        text(f"{head:<12}{castle}"),
        text(room),
        _units(view, tile.id, 1),
        text(owner_name(view, tile.id)),
    )


_TEXTS: Final = {"normal": _normal, "compact": _compact, "large": _large}
