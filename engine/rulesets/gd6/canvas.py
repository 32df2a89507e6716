"""The board: symbols, territories as regions of cells, borders, routes, labels and owners.

See: GD-CELL-1 to GD-CELL-4.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from engine.core.containers import Plane
from engine.core.record import replace
from engine.kit.box_raster import LINES
from engine.kit.identity_cache import identity_cache, keyed_identity_cache
from engine.rulesets.gd6 import raster
from engine.rulesets.gd6.raster import FULL, SMALL, CellArray, CellKind, CellSize
from engine.rulesets.gd6.state import LETTERS, NOBODY, Land, Territory, View, World
from engine.rulesets.gd6.territories import free_sites
from engine.tabletop.board import NOWHERE, Board, BoardPlace, Symbol
from engine.tabletop.roles import Role

# -- symbols ---------------------------------------------------------------------------------------

WRITTEN: Final = "".join(map(chr, range(32, 127)))
"""Characters that names and numbers can use."""

_GROUND: Final = (
    Symbol("sea", Role.WATER, " ", " ", " "),
    Symbol("sea route", Role.WATER, "°", "°", "o"),
    Symbol("neutral land", Role.PLAIN, "·", "·", "."),
    Symbol("seam that nobody crosses", Role.HARD_WALL, "▓", "▓", "#"),
    Symbol("wasteland", Role.SWAMP, "~", "~", "~"),
    Symbol("owned land", Role.PLAIN, "·", "░", "."),
)

_BORDERS: Final = tuple(
    Symbol(f"border of {whose} land, {number}", Role.PLAIN, line.rich, line.box, line.ascii)
    for whose in ("neutral", "owned")
    for number, line in enumerate(LINES)
    if number
)

_LETTERS: Final = tuple(
    Symbol(f"land of seat {letter}", Role.PLAIN, letter, letter, letter) for letter in LETTERS
)

_SIGNS: Final = tuple(Symbol(f"written {c}", Role.WRITING, c, c, c) for c in WRITTEN)

_WORKS: Final = {
    "*": Symbol("headquarters", Role.LEADER, "★", "☼", "*"),
    "T": Symbol("watchtower", Role.SIEGE, "♜", "T", "T"),
    "B": Symbol("bivouac", Role.SIEGE, "▲", "B", "B"),
    "L": Symbol("library", Role.SIEGE, "§", "L", "L"),
    "!": Symbol("wasteland of an owner", Role.WRITING, "!", "!", "!"),
    "o": Symbol("good site for a headquarters", Role.SITE, "◇", "o", "^"),
}
"""Symbols of the marks beside the units, by the character of each mark."""

SYMBOLS: Final = (*_GROUND, *_BORDERS, *_LETTERS, *_SIGNS, *_WORKS.values())

SEA, ROUTE, LAND, SEAM, WASTE, OWNED = range(len(_GROUND))
BORDER: Final = len(_GROUND)
FENCE: Final = BORDER + len(LINES) - 1
"""First symbols of the borders of neutral and of owned land; border shapes are numbered from 1."""
FIRST_LETTER: Final = FENCE + len(LINES) - 1
FIRST_SIGN: Final = FIRST_LETTER + len(_LETTERS)
_FIRST_WORK: Final = FIRST_SIGN + len(_SIGNS)


def sign(character: str) -> int:
    """Return the number of a character's symbol, or 0 if it has none."""
    place = WRITTEN.find(character)
    return FIRST_SIGN + place if place >= 0 and character else 0


_MARK_NUMBERS: Final = {mark: _FIRST_WORK + number for number, mark in enumerate(_WORKS)}


# -- board -----------------------------------------------------------------------------------------

_WINDOWS: Final = {"large window": (150, 52), "window": (132, 42), "small window": (92, 32)}
"""Columns and rows available beside the panel, by the zoom that fits the whole map into them."""

ZOOMS: Final = ("map", *_WINDOWS, "overview")
"""Names of the zooms. Positions of the cursor and of marks are in cells of the first one."""

_THIN: Final = 4
"""Spacing of the owner's letters, in cells."""


def cell_size(world: World, zoom: str) -> CellSize:
    """Return the map units that one cell covers at a zoom. ``world`` must be drawable."""
    if zoom in _WINDOWS:
        return raster.fitting(world, *_WINDOWS[zoom])
    return {"map": FULL, "overview": SMALL}[zoom]


_BLOCK: Final = (80, 80)
_GAP: Final = (20, 40)
"""Size of a block and of the gap between blocks, in map units, for a map without polygons."""

_CONSTRUCTS: Final = {"watchtower": "T", "bivouac": "B", "library": "L"}


@keyed_identity_cache
def board(view: View, zoom: str) -> Board:
    """Draw the board at a zoom. Rules: GD-CELL-1, GD-CELL-2, GD-CELL-3. See: GD-CELL-4."""
    world = drawable(view.world)
    size = cell_size(world, zoom)
    territory, shape = raster.cells(world, size), raster.kinds(world, size)
    owners = np.array([NOBODY, *(here.owner for here in view.territories.values())], dtype=np.int8)
    owner = owners[territory.cells]
    lines = raster.borders(world, size).cells
    ground = _ground(view, territory.cells, shape.cells, lines, owner)
    piece = np.zeros_like(ground)
    for route in raster.routes(world, size):
        for x, y in route.dots:
            ground[y, x] = ROUTE
    for mark in raster.wrap_marks(world, size):
        _write(piece, mark.x, mark.y, _symbols(mark.text))
    sites = _good_sites(view)
    for here, at in zip(view.territories.values(), raster.labels(world, size), strict=True):
        if at is not None:
            good = here.id in sites
            _label(piece, territory.cells, at, here.id, _texts(view, here, good=good))
    _clear(ground, piece)
    owner[(ground == SEAM) & (piece == 0)] = NOBODY
    return Board(
        Plane(ground),
        Plane(piece),
        Plane(owner),
        Plane(_place_numbers(territory.cells)),
        _places(world, size),
        scroll="centre",
        scale=2 if size == SMALL else 1,
        ratio=((1, 1), (1, 1)) if size == SMALL else ((FULL[0], size[0]), (FULL[1], size[1])),
        narrow=True,
    )


def _place_numbers(territory: CellArray) -> npt.NDArray[np.int16]:
    """Return the place number of each cell, signed because ``NOWHERE`` is negative."""
    places = territory.astype(np.int16)
    places[territory == 0] = NOWHERE
    return places


def _ground(
    view: View, territory: CellArray, shape: CellArray, lines: CellArray, owners: CellArray
) -> CellArray:
    """Return the ground symbol of each cell, shape (height, width)."""
    wastes = np.array([False, *(here.wasteland for here in view.territories.values())])
    waste = wastes[territory]
    rows, columns = np.indices(territory.shape)
    ground = np.full(territory.shape, SEA, dtype=np.uint8)
    land, edge = shape != CellKind.SEA, lines > 0
    lettered = (columns + rows * 2) % _THIN == 0
    ground[land] = np.where(owners[land] == NOBODY, LAND, OWNED)
    ground[land & waste & lettered] = WASTE
    lettered &= land & (owners != NOBODY)
    ground[lettered] = FIRST_LETTER + owners[lettered]
    ground[edge] = np.where(owners[edge] == NOBODY, BORDER, FENCE) + lines[edge] - 1
    ground[shape == CellKind.SEAM] = SEAM
    return ground


# -- labels ----------------------------------------------------------------------------------------


LabelText: TypeAlias = tuple[tuple[int, ...], ...]
"""Candidate texts for a row of a label, the longest first, as symbol numbers."""


def _good_sites(view: View) -> frozenset[int]:
    """Return the recommended sites still free; none once the viewer has settled. See: GD-HQ-1."""
    me = view.players.get(view.viewer)
    if me is None or me.hq_built:
        return frozenset()
    return frozenset(view.world.sites) & frozenset(free_sites(view))


def _texts(view: View, here: Territory, *, good: bool) -> tuple[LabelText, LabelText]:
    """Return the candidate texts for each row of a label. Rules: GD-CELL-4."""
    name = view.world.land(here.id).name
    number = str(here.id)
    first = (f"{number} {name}", number) if name else (number,)
    units = [f"{count}{sign}" for count, sign in _units(here)]
    signs = "o" if good else marked(here)
    marks = tuple(_MARK_NUMBERS.get(mark) or sign(mark) for mark in signs)
    most = _symbols("".join(units[:1]))
    whole = _symbols(" ".join(units)) + (_symbols(" ") if marks and units else ()) + marks
    return tuple(map(_symbols, first)), tuple(dict.fromkeys((whole, most + marks, most or marks)))


def _symbols(text: str) -> tuple[int, ...]:
    return tuple(map(sign, text))


def _units(here: Territory) -> list[tuple[int, str]]:
    known = ((here.army, ""), (here.cavalry, "c"), (here.heavy, "h"), (here.spy, "s"))
    return [(count, sign) for count, sign in known if count]


def marked(here: Territory) -> str:
    """Return the signs for headquarters, construct, wasteland and mines of a territory."""
    signs = "*" if here.hq != NOBODY else ""
    signs += _CONSTRUCTS.get(here.construct or "", "")
    signs += "!" if here.wasteland else ""
    return signs + (f"m{here.mines}" if here.mines else "")


def _label(
    piece: CellArray,
    territory: CellArray,
    at: tuple[int, int],
    own: int,
    texts: tuple[LabelText, ...],
) -> None:
    """Write the longest candidate of each row of a label that fits into the territory."""
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


def _clear(ground: CellArray, piece: CellArray) -> None:
    """Remove owners' letters next to a text; they would read as part of it."""
    written = np.pad(piece > 0, ((0, 0), (1, 1)))
    beside = written[:, :-2] | written[:, 2:]
    lettered = (ground >= FIRST_LETTER) & (ground < FIRST_SIGN)
    ground[beside & lettered] = OWNED


def _run(inside: CellArray, x: int) -> tuple[int, int]:
    """Return the run of set cells around column ``x``: start and stop, equal if it is not set."""
    gaps = np.flatnonzero(~inside)
    before, behind = gaps[gaps <= x], gaps[gaps >= x]
    return int(before.max(initial=-1)) + 1, int(behind.min(initial=len(inside)))


def _write(piece: CellArray, x: int, y: int, text: tuple[int, ...]) -> None:
    for column, symbol in enumerate(text, x):
        if 0 <= column < piece.shape[1]:
            piece[y, column] = symbol


# -- geometry --------------------------------------------------------------------------------------


def drawable(world: World) -> World:
    """Return the map; if it has no polygons, give each territory a block. See: GD-MAP-3."""
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
    """Return the territory of a cell at full size, or 0 for the sea and off the map."""
    cells = raster.cells(drawable(world), FULL)
    return int(cells[y, x]) if cells.has(x, y) else 0


def spot(world: World, at: int) -> tuple[int, int]:
    """Return the cell of a territory's label at full size."""
    return raster.labels(drawable(world), FULL)[at - 1] or (0, 0)


@keyed_identity_cache
def outline(world: World, at: int) -> tuple[tuple[int, int], ...]:
    """Return the cells along the edge of a territory at full size."""
    rim = raster.shore(raster.cells(drawable(world), FULL), at)
    return tuple((x, y) for y, x in rim.tolist())


@keyed_identity_cache
def _places(world: World, size: CellSize) -> tuple[BoardPlace, ...]:
    """Return one place per territory: the cell of its label, with its number and name."""
    return tuple(
        BoardPlace(land.id, *(at or (0, 0)), 1, 1, f"{land.id} {land.name}".strip())
        for land, at in zip(world.lands, raster.labels(world, size), strict=True)
    )
