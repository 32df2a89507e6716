"""The board: symbols, territories as regions of cells, borders, routes, labels and owners.

Rules: GD-CELL-1 to GD-CELL-4.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from engine.core.containers import Plane
from engine.core.record import replace
from engine.kit.identity_cache import identity_cache, keyed_identity_cache
from engine.rulesets.gd6 import raster
from engine.rulesets.gd6.raster import FULL, SMALL, CellArray, CellKind, CellSize
from engine.rulesets.gd6.state import LETTERS, NOBODY, Land, Territory, View, World
from engine.tabletop.board import NOWHERE, Board, BoardPlace, Symbol
from engine.tabletop.roles import Role

# -- symbols ---------------------------------------------------------------------------------------

WRITTEN: Final = "".join(map(chr, range(32, 127)))
"""Characters of names and numbers."""

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
    """Number of the symbol for a character; 0 if there is no such symbol."""
    place = WRITTEN.find(character)
    return FIRST_SIGN + place if place >= 0 and character else 0


# -- board -----------------------------------------------------------------------------------------

ZOOMS: Final = ("map", "overview")
SIZES: Final[dict[str, CellSize]] = {"map": FULL, "overview": SMALL}

_THIN: Final = 3
"""Spacing of the owner's letters, in cells."""

_BLOCK: Final = (80, 80)
_GAP: Final = (20, 40)
"""Size of a block and of a gap, in map units, on a map without polygons."""

_CONSTRUCTS: Final = {"watchtower": "T", "bivouac": "B", "library": "L"}


@keyed_identity_cache
def board(view: View, zoom: str) -> Board:
    """Board of a zoom. Rules: GD-CELL-1 to GD-CELL-4."""
    size = SIZES[zoom]
    world = drawable(view.world)
    territory, shape = raster.cells(world, size), raster.kinds(world, size)
    owners = np.array([NOBODY, *(here.owner for here in view.territories.values())], dtype=np.int8)
    owner = owners[territory.cells]
    ground = _ground(view, territory.cells, shape.cells, owner)
    piece = np.zeros_like(ground)
    for route in raster.routes(world, size):
        for x, y in route.dots:
            ground[y, x] = ROUTE
    for mark in raster.wrap_marks(world, size):
        _write(piece, mark.x, mark.y, mark.text)
    for here, at in zip(view.territories.values(), raster.labels(world, size), strict=True):
        if at is not None:
            _label(piece, territory.cells, at, here.id, _texts(view, here))
    owner[(ground == SEAM) & (piece == 0)] = NOBODY
    return Board(
        Plane(ground),
        Plane(piece),
        Plane(owner),
        Plane(np.where(territory.cells > 0, territory.cells, NOWHERE).astype(np.int16)),
        _places(world, size),
        scroll="centre",
        scale=size[0] // FULL[0],
        narrow=True,
    )


def _ground(view: View, territory: CellArray, shape: CellArray, owners: CellArray) -> CellArray:
    """Symbols of the cells, of shape (height, width)."""
    wastes = np.array([False, *(here.wasteland for here in view.territories.values())])
    waste = wastes[territory]
    rows, columns = np.indices(territory.shape)
    ground = np.full(territory.shape, SEA, dtype=np.uint8)
    land, edge = shape == CellKind.INTERIOR, shape == CellKind.EDGE
    lettered = (columns + rows * 2) % _THIN == 0
    ground[land] = np.where(owners[land] == NOBODY, LAND, OWNED)
    ground[land & waste & lettered] = WASTE
    lettered &= land & (owners != NOBODY)
    ground[lettered] = FIRST_LETTER + owners[lettered]
    ground[edge] = np.where(owners[edge] == NOBODY, BORDER, FENCE)
    ground[shape == CellKind.SEAM] = SEAM
    return ground


# -- labels ----------------------------------------------------------------------------------------


def _texts(view: View, here: Territory) -> tuple[tuple[str, ...], ...]:
    """Candidate texts for each row of a label, the longest first. Rules: GD-CELL-4."""
    name = view.world.land(here.id).name
    number = str(here.id)
    first = (f"{number} {name}", number) if name else (number,)
    units = [f"{count}{sign}" for count, sign in _units(here)]
    marks = marked(here)
    body = "".join(units[:1]) + marks
    whole = " ".join(units) + (" " if marks and units else "") + marks
    return first, tuple(dict.fromkeys((whole, body, "".join(units[:1]) or marks)))


def _units(here: Territory) -> list[tuple[int, str]]:
    known = ((here.army, ""), (here.cavalry, "c"), (here.heavy, "h"), (here.spy, "s"))
    return [(count, sign) for count, sign in known if count]


def marked(here: Territory) -> str:
    """Signs for headquarters, construct, wasteland and mines of a territory."""
    signs = "*" if here.hq != NOBODY else ""
    signs += _CONSTRUCTS.get(here.construct or "", "")
    signs += "!" if here.wasteland else ""
    return signs + (f"m{here.mines}" if here.mines else "")


def _label(
    piece: CellArray,
    territory: CellArray,
    at: tuple[int, int],
    own: int,
    texts: tuple[tuple[str, ...], ...],
) -> None:
    """Write the longest text of each row of a label that fits into the territory."""
    x, y = at
    for row, wanted in enumerate(texts, y):
        if not 0 <= row < territory.shape[0]:
            continue
        inside = territory[row] == own
        start, stop = _run(inside, x)
        for text in wanted:
            if text and len(text) <= stop - start:
                left = min(max(start, x - (len(text) - 1) // 2), stop - len(text))
                _write(piece, left, row, text)
                break


def _run(inside: CellArray, x: int) -> tuple[int, int]:
    """Run of set cells around column x of a row, as a half-open range."""
    if not inside[x]:
        return x, x
    start = stop = x
    while start > 0 and inside[start - 1]:
        start -= 1
    while stop < len(inside) and inside[stop]:
        stop += 1
    return start, stop


def _write(piece: CellArray, x: int, y: int, text: str) -> None:
    for column, character in enumerate(text, x):
        if 0 <= column < piece.shape[1]:
            piece[y, column] = sign(character)


# -- geometry --------------------------------------------------------------------------------------


def drawable(world: World) -> World:
    """The map; one without polygons gets a block for each territory. Rules: GD-MAP-3."""
    return world if any(land.polygon for land in world.lands) else _in_blocks(world)


@identity_cache
def _in_blocks(world: World) -> World:
    count = len(world.lands)
    columns = max(1, round((count * 1.5) ** 0.5))
    pairs = {(min(a.id, b), max(a.id, b)) for a in world.lands for b in a.neighbours}
    lands = tuple(replace(land, polygon=_block(land, columns)) for land in world.lands)
    rows = -(-count // columns)
    canvas = columns * (_BLOCK[0] + _GAP[0]), rows * (_BLOCK[1] + _GAP[1])
    return replace(world, lands=lands, canvas=canvas, sea_routes=tuple(sorted(pairs)))


def _block(land: Land, columns: int) -> tuple[tuple[int, int], ...]:
    row, column = divmod(land.id - 1, columns)
    x = column * (_BLOCK[0] + _GAP[0]) + _GAP[0] // 2
    y = row * (_BLOCK[1] + _GAP[1]) + _GAP[1] // 2
    right, low = x + _BLOCK[0], y + _BLOCK[1]
    return (x, y), (right, y), (right, low), (x, low)


def territory_at(world: World, x: int, y: int) -> int:
    """Territory of a cell at full size; 0 for the sea and for cells off the map."""
    cells = raster.cells(drawable(world), FULL)
    return int(cells[y, x]) if cells.has(x, y) else 0


def spot(world: World, at: int) -> tuple[int, int]:
    """Cell of a territory's label at full size."""
    return raster.labels(drawable(world), FULL)[at - 1] or (0, 0)


@keyed_identity_cache
def outline(world: World, at: int) -> tuple[tuple[int, int], ...]:
    """Cells along the edge of a territory at full size."""
    rim = raster.shore(raster.cells(drawable(world), FULL), at)
    return tuple((x, y) for y, x in rim.tolist())


@keyed_identity_cache
def _places(world: World, size: CellSize) -> tuple[BoardPlace, ...]:
    """A place of one cell for each territory, with its number and name."""
    return tuple(
        BoardPlace(land.id, *(at or (0, 0)), 1, 1, f"{land.id} {land.name}".strip())
        for land, at in zip(world.lands, raster.labels(world, size), strict=True)
    )
