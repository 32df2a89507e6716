"""Draw the board: tiles as boxes in rows, at several zooms, with letters that need no colour.

See: KA-19.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from engine.core.containers import Plane
from engine.kit.box_raster import LARGE, LINES, NORMAL, BoxStep
from engine.kit.identity_cache import keyed_identity_cache
from engine.rulesets.kaladan.board import (
    capacity,
    controller,
    has_castle,
    standing,
    tile_name,
)
from engine.rulesets.kaladan.boxes import raster, step
from engine.rulesets.kaladan.state import NOBODY, Tile, Unit, UnitKind, View
from engine.rulesets.kaladan.tables import realms
from engine.rulesets.kaladan.words import called, many, unit_name
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
"""Letters of units: Sword, Archer, sHield, caTapult, General, Crown (K), Special. See: KA-19."""

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

_TEXTURES: Final = (
    Symbol("grass", Role.PLAIN, ",", ",", ","),
    Symbol("trees", Role.FOREST, "♠", "♠", "&"),
    Symbol("rocks", Role.MOUNTAIN, "▲", "▲", "^"),
)
_PIPS: Final = {
    "*": Symbol("room that a unit takes", Role.WRITING, "●", "■", "*"),
    "-": Symbol("room for a unit", Role.WRITING, "○", "○", "-"),
}

SYMBOLS: Final = (*_GROUND, *_BORDERS, *_SIGNS, *_UNITS, *_DONE, *_TEXTURES, *_PIPS.values())

_FIRST_BORDER: Final = len(_GROUND)
_FIRST_SIGN: Final = _FIRST_BORDER + len(_BORDERS)
_FIRST_UNIT: Final = _FIRST_SIGN + len(_SIGNS)
_FIRST_DONE: Final = _FIRST_UNIT + len(_UNITS)
_FIRST_TEXTURE: Final = _FIRST_DONE + len(_DONE)
_PIP_NUMBERS: Final = {
    pip: _FIRST_TEXTURE + len(_TEXTURES) + number for number, pip in enumerate(_PIPS)
}


def _sign(character: str) -> int:
    """Return the symbol number of a character; 0 for a space."""
    place = WRITTEN.find(character)
    return _FIRST_SIGN + place if place >= 0 else 0


# -- board -----------------------------------------------------------------------------------------

_FULL: Final[BoxStep] = (22, 7)
"""Minimum size of boxes that show the names of units."""

_FIRST_NAMED: Final[Mapping[UnitKind, int]] = {"crown": 0, "general": 1, "special": 2}
"""Kinds of units listed first, with their order."""

_SPARSE: Final = 13
"""Cells inside a box for each sign of its terrain."""

_CLEAR: Final = 2
"""Cells on both sides of a text that have no terrain signs."""


@keyed_identity_cache
def board(view: View, zoom: str) -> Board:
    """Draw the board at a zoom. Rules: KA-19."""
    cells, own = raster(view.layout, zoom), step(view.layout, zoom)
    box = cells.nearest.cells
    grounds = np.array([0, *(_TERRAIN[tile.terrain] for tile in view.tiles.values())])
    ground = grounds[box + 1].astype(np.int16)
    lines = cells.lines.cells
    ground[lines > 0] = _FIRST_BORDER + lines[lines > 0]
    owners = np.array([NOBODY, *(controller(view, tile) for tile in view.tiles)])
    owner = np.where(lines > 0, NOBODY, owners[box + 1]).astype(np.int8)
    piece = np.zeros(ground.shape, dtype=np.int16)
    head, texts = _contents(own)
    for tile in view.tiles.values():
        (x, y), (wide, high) = cells.label(tile.id - 1), cells.room
        owner[y : y + head, x : x + wide] = NOBODY  # the head shows the terrain
        for line, row in enumerate(texts(view, tile, cells.room)):
            _write(piece, cells.label(tile.id - 1, line), row, wide)
        if texts is _full:
            inside = np.s_[y : y + high, x : x + wide]
            _texture(ground[inside], piece[inside])
    return Board(
        Plane(ground),
        Plane(piece),
        Plane(owner),
        Plane(np.where(box >= 0, box + 1, NO_PLACE).astype(np.int16)),
        _places(view.layout, zoom),
        scroll="push",
        ratio=((own[0], NORMAL[0]), (own[1], NORMAL[1])),
        narrow=True,
    )


def _texture(ground: CellArray, piece: CellArray) -> None:
    """Scatter signs of the terrain over the inside of a box, away from its texts."""
    near = np.pad(piece > 0, ((0, 0), (_CLEAR, _CLEAR)))
    width = piece.shape[1]
    beside = np.any([near[:, shift : shift + width] for shift in range(2 * _CLEAR + 1)], axis=0)
    rows, columns = np.indices(piece.shape)
    strewn = ((columns * 3 + rows * 5) % _SPARSE == 0) & ~beside
    strewn &= ground >= _TERRAIN["field"]
    ground[strewn] += _FIRST_TEXTURE - _TERRAIN["field"]


@cache
def _places(layout: int, zoom: str) -> tuple[BoardPlace, ...]:
    cells = raster(layout, zoom)
    return tuple(
        BoardPlace(tile, *cells.label(tile - 1), *cells.room, tile_name(layout, tile))
        for tile in range(1, layout + 1)
    )


CellRow: TypeAlias = Sequence[int]
"""Symbols of a line inside a box; 0 is an empty cell."""

BoxRoom: TypeAlias = tuple[int, int]
"""Columns and lines of text inside a box."""

Contents: TypeAlias = Callable[[View, Tile, BoxRoom], tuple[CellRow, ...]]
"""Function that returns the lines of text inside the box of a tile."""


def _write(piece: CellArray, at: tuple[int, int], row: CellRow, most: int) -> None:
    x, y = at
    for column, symbol in enumerate(row):
        if column < most and y < piece.shape[0]:
            piece[y, x + column] = symbol


def text(words: str) -> tuple[int, ...]:
    """Return the symbols of a text."""
    return tuple(_sign(character) for character in words)


def _unit(unit: Unit, *, lower: bool) -> int:
    """Return the symbol of a unit; if ``lower``, in small letters when it is upgraded."""
    letter = LETTERS[unit.kind]
    letter = letter.lower() if lower and unit.upgraded else letter
    return (_FIRST_DONE if unit.done else _FIRST_UNIT) + _UNIT_LETTERS.index(letter)


def _units(view: View, tile: int, gap: int) -> tuple[int, ...]:
    """Return the units of a tile, each followed by a plus or a space and by ``gap`` cells."""
    row: list[int] = []
    for unit in standing(view, tile):
        row += [_unit(unit, lower=False), _sign("+" if unit.upgraded else " "), *[0] * gap]
    return tuple(row)


def owner_name(view: View, tile: int) -> str:
    """Return the number and realm of a tile's holder, without an article; empty if it is free."""
    seat = controller(view, tile)
    if seat == NOBODY:
        return ""
    realm = view.players[seat].realm
    name = realms()[realm].name.removeprefix("The ") if realm in realms() else ""
    text = f"{seat + 1} {name}".strip()
    return text if len(text) < NORMAL[0] else f"{seat + 1}{name}"


def _normal(view: View, tile: Tile, _room: BoxRoom) -> tuple[CellRow, ...]:
    castle = "[#]" if has_castle(view, tile.id) else ""
    head = f"{tile_name(view.layout, tile.id)} {TERRAIN_LETTERS[tile.terrain]}"
    return (
        text(f"{head:<8}{castle}"),
        _units(view, tile.id, 0),
        text(owner_name(view, tile.id)),
    )


def _compact(view: View, tile: Tile, _room: BoxRoom) -> tuple[CellRow, ...]:
    seat = controller(view, tile.id)
    castle = "#" if has_castle(view, tile.id) else " "
    number = str(seat + 1) if seat != NOBODY else ""
    head = f"{tile_name(view.layout, tile.id)}{TERRAIN_LETTERS[tile.terrain]}{castle}  {number}"
    units = [_unit(unit, lower=True) for unit in standing(view, tile.id)]
    return text(head), tuple(units)


def _large(view: View, tile: Tile, _room: BoxRoom) -> tuple[CellRow, ...]:
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


def _full(view: View, tile: Tile, room: BoxRoom) -> tuple[CellRow, ...]:
    """Return terrain and capacity, the owner with its Magic cards, and the units by name."""
    wide, high = room
    seat, units = controller(view, tile.id), standing(view, tile.id)
    castle = " [#] Castle" if has_castle(view, tile.id) else ""
    name = tile.terrain.capitalize() if tile.terrain else "Open ground"
    head = text(f" {tile_name(view.layout, tile.id)} {name}{castle}")
    most = capacity(tile) if tile.terrain else 0
    pips = "*" * len(units) + "-" * (most - len(units))
    gap = (0,) * (wide - 1 - len(head) - len(pips))
    rows: list[CellRow] = [(*head, *gap, *(_PIP_NUMBERS[pip] for pip in pips))]
    if seat == NOBODY:
        return tuple(rows)
    cards = len(view.players[seat].hand)
    magic = f", {many(cards, 'Magic card')}" if cards and _has_crown(units) else ""
    rows += [(), text(f" {seat + 1} {called(view, seat).removeprefix('The ')}{magic}")]
    if len(rows) + 1 + len(units) <= high:
        rows.append(())
    ranked = sorted(units, key=lambda unit: _FIRST_NAMED.get(unit.kind, len(_FIRST_NAMED)))
    return (*rows, *_unit_rows(view, ranked, (wide, high - len(rows))))


def _has_crown(units: Iterable[Unit]) -> bool:
    return any(unit.kind == "crown" for unit in units)


def _unit_rows(view: View, units: Sequence[Unit], room: BoxRoom) -> Iterator[CellRow]:
    """Yield rows of units with letter and name, in as many columns as needed."""
    wide, high = room
    columns = max(1, -(-len(units) // max(1, high)))
    share = (wide - 1) // columns
    for line in range(min(high, len(units))):
        row: list[int] = []
        for unit in units[line::high]:
            words = f" {unit_name(view, unit)}{', no step' if unit.done else ''}"
            here = [0, _unit(unit, lower=False), *text(words)][:share]
            row += [*here, *[0] * (share - len(here))]
        yield row


def _contents(step: BoxStep) -> tuple[int, Contents]:
    """Return how many top rows show the terrain, not the owner, and the texts of a box."""
    across, down = step
    if across >= _FULL[0] and down >= _FULL[1]:
        return 1, _full
    if across >= LARGE[0] and down >= LARGE[1]:
        return 2, _large
    if across >= NORMAL[0] and down >= NORMAL[1]:
        return 1, _normal
    return 1, _compact
