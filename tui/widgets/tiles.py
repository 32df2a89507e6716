"""Tiles of more than one row: small pictures of the ground, pennants of pieces, outlines of areas.

A tile is ``columns`` x ``rows`` cells of the screen. If the terminal has colours and half blocks,
it is a picture of ``columns`` x ``2 * rows`` points from ``tui/style/tiles.toml``; if not, its sign
is repeated in the pattern of that picture, so that no colour is needed to read it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple, TypeAlias

from rich.style import Style

from engine.core.ids import Seat
from engine.tabletop.board import GlyphSet, Symbol
from engine.tabletop.roles import MarkSign, Role
from tui.style.palette import AREAS, TINTS, Palette

TileSize: TypeAlias = tuple[int, int]
"""Columns and rows of the screen per cell of a board."""

SIZES: Final[tuple[TileSize, ...]] = ((10, 5), (8, 4), (7, 4), (6, 3), (4, 2), (2, 1), (1, 1))
"""Sizes of tiles, largest first."""

NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
_ALL: Final = 15

_SHADES: Final = ".-+#"
_WALL: Final = 3
"""Shade of the walls of a building; other shades are its openings."""

_MIXED: Final = (0.0, 0.14, 0.3, 0.62)
"""Share of the sign's colour in each shade of a picture."""

_EDGES: Final[Mapping[str, float]] = {"truecolor": 0.85, "256": 0.65}
"""Share of an area's colour in its outline, which is a little lighter."""

_CORNERS: Final = {MarkSign.STRIKE: "x", MarkSign.DANGER: "!"}
"""Signs in a corner of a tile without pictures, which distinguish areas without colours."""

_FAR = 3
"""Minimum rows of a tile for the large pictures."""

_LINES: Final = {
    sign: bits
    for signs, bits in {
        "═─━": EAST | WEST, "║│┃": NORTH | SOUTH, "╔┌┏": EAST | SOUTH, "╗┐┓": WEST | SOUTH,
        "╚└┗": NORTH | EAST, "╝┘┛": NORTH | WEST, "╠├┣": NORTH | EAST | SOUTH,
        "╣┤┫": NORTH | WEST | SOUTH, "╦┬┳": EAST | SOUTH | WEST, "╩┴┻": EAST | NORTH | WEST,
        "╬┼╋": 15, "╶╺": EAST, "╴╸": WEST, "╵╹": NORTH, "╷╻": SOUTH,
    }.items()
    for sign in signs
}  # fmt: skip
"""Sides to which line signs lead that join a road to its neighbours."""


class TileLook(NamedTuple):
    """All that determines the picture of a tile."""

    ground: int
    """Number of the ground's symbol; ``piece`` is one too."""
    piece: int = 0
    owner: Seat = -1
    sign: MarkSign | None = None
    edges: int = 0
    """Sides on which an area ends."""
    life: int = 0
    """Life of the piece in eighths, 1 to 8; 0 if it is hidden."""
    number: int = 0
    """Number of pieces; 0 if unknown."""
    text: str = ""
    """Text of the mark."""
    cursor: bool = False
    holding: bool = False
    label: str = ""
    variant: int = 0
    """Position of the tile, by which pictures of one name alternate."""

    @property
    def is_carrying(self) -> bool:
        """True if the cursor is on the piece that it holds."""
        return self.holding and self.sign is MarkSign.HELD


TileRow: TypeAlias = tuple[tuple[str, Style], ...]
"""Texts of a row of a tile with their styles."""


class TilePainter:
    """Pictures of tiles of one size in one palette, each drawn once."""

    def __init__(
        self, symbols: Sequence[Symbol], size: TileSize, signs: GlyphSet, palette: Palette
    ) -> None:
        """Paint tiles of ``size`` (columns, rows), with two rows or more."""
        self._symbols, self._signs, self._palette = symbols, signs, palette
        self.columns, self.rows = size
        self._drawn: dict[TileLook, tuple[TileRow, ...]] = {}
        self._is_pictured = palette.is_rich and signs != "ascii"

    def tile(self, look: TileLook) -> tuple[TileRow, ...]:
        """Return the rows of a tile; cached."""
        found = self._drawn.get(look)
        if found is None:
            if len(self._drawn) > _MOST_KEPT:
                self._drawn.clear()
            drawn = self._picture(look) if self._is_pictured else self._text(look)
            found = self._drawn[look] = tuple(_merged(row) for row in drawn)
        return found

    # -- pictures --------------------------------------------------------------------------------

    def _picture(self, look: TileLook) -> list[list[tuple[str, Style]]]:
        points = self._ground_points(look)
        letters: dict[tuple[int, int], tuple[str, str]] = {}
        self._frame(points, look)
        if look.piece and not self._build(points, look):
            self._pennant(points, letters, look)
        self._write(letters, look)
        palette, rows = self._palette, []
        for row in range(self.rows):
            cells: list[tuple[str, Style]] = []
            for column in range(self.columns):
                over, under = points[2 * row][column], points[2 * row + 1][column]
                if (row, column) in letters:
                    sign, ink = letters[row, column]
                    cells.append((sign, palette.pen(ink, under, bold=True)))
                elif over == under:
                    cells.append((" ", palette.pen("", under)))
                else:
                    cells.append(("▀", palette.pen(over, under)))
            rows.append(cells)
        return rows

    def _ground_points(self, look: TileLook) -> list[list[str]]:
        """Return the colours of the points of the ground, with the tint of an area."""
        symbol, palette = self._symbols[look.ground], self._palette
        ink, back = palette.ground.get(symbol.role, palette.ground[Role.PLAIN])
        if not look.piece and look.owner >= 0:
            land = palette.livery(look.owner)
            ink, back = land.ink, land.idle_back if look.sign is MarkSign.IDLE else land.back
        shades = [palette.mixed(back, ink, part) for part in _MIXED]
        if look.sign is not None and (tint := palette.signs[look.sign][1]):
            part = TINTS[palette.depth]
            part = part if look.sign in AREAS else max(part, 0.6)
            if look.sign in {MarkSign.TARGET, MarkSign.HELD} and look.piece:
                part = 0.0
            shades = [palette.mixed(shade, tint, part) for shade in shades]
        lines = joined_sides(symbol)
        levels = picture(symbol, look.variant, (self.columns, 2 * self.rows), lines)
        return [[shades[level] for level in row] for row in levels]

    def _frame(self, points: list[list[str]], look: TileLook) -> None:
        """Outline the area at its edges, and the tile of the cursor or of a marked piece."""
        color, sides = self._outline(look)
        width, height = self.columns, 2 * self.rows
        rows = [0] * bool(sides & NORTH) + [height - 1] * bool(sides & SOUTH)
        columns = [0] * bool(sides & WEST) + [width - 1] * bool(sides & EAST)
        for y in rows:
            points[y] = [color] * width
        for row in points:
            for x in columns:
                row[x] = color

    def _outline(self, look: TileLook) -> tuple[str, int]:
        """Return the colour of the outline of a tile, and the sides that have one."""
        palette, sign = self._palette, look.sign
        held = palette.signs[MarkSign.HELD][1]
        if look.cursor:
            return held if look.is_carrying else palette.cursor, _ALL
        if sign is None:
            return "", 0
        if look.piece and sign in {MarkSign.TARGET, MarkSign.HELD}:
            return palette.signs[sign][1], _ALL
        if sign in AREAS:
            return palette.mixed(
                palette.signs[sign][1], palette.text, 1 - _EDGES[palette.depth]
            ), look.edges
        return "", 0

    def _build(self, points: list[list[str]], look: TileLook) -> bool:
        """Draw a building that is a piece on the board; return False if it has no picture."""
        symbol, palette = self._symbols[look.piece], self._palette
        size = self.columns, 2 * self.rows
        if not symbol.tile or not has_picture(symbol, size):
            return False
        wall, gate = palette.ground[Role.WALL]
        window = palette.ground[Role.GATE][0]
        if look.owner >= 0:
            livery = palette.livery(look.owner)
            wall, gate = livery.idle_back, livery.back
        outlined = self._outline(look)[1]
        body = palette.mixed(wall, palette.text, 0.15) if look.sign is MarkSign.IDLE else wall
        for y, row in enumerate(picture(symbol, look.variant, size)):
            for x, shade in enumerate(row):
                on_edge = x in (0, size[0] - 1) or y in (0, size[1] - 1)
                if shade and not (outlined == _ALL and on_edge):
                    points[y][x] = {1: window, 2: gate, 3: body}[shade]
        return True

    def _pennant(
        self,
        points: list[list[str]],
        letters: dict[tuple[int, int], tuple[str, str]],
        look: TileLook,
    ) -> None:
        """Draw a piece: a cloth in the colours of its side with its sign, number and life."""
        symbol, palette = self._symbols[look.piece], self._palette
        livery = palette.livery(look.owner)
        idle = look.sign is MarkSign.IDLE
        ink, back = (livery.idle_ink, livery.idle_back) if idle else (livery.ink, livery.back)
        back = back or palette.ground[Role.WALL][1]
        if look.cursor:
            ink, back = livery.idle_ink, livery.idle_back or back
        first, last = 1, self.columns - 1
        top, bottom = (1 if self.rows >= _FAR else 0), 2 * self.rows
        for row in points[top : bottom - (1 if look.life else 0)]:
            row[first:last] = [back] * (last - first)
        sign = getattr(symbol, self._signs)
        at = self.rows // 2 if self.rows >= _FAR else 0
        middle = (self.columns - 1) // 2 if self.rows >= _FAR else 1
        letters[at, middle] = sign, ink
        points[2 * at][middle] = points[2 * at + 1][middle] = back
        if look.number > 1 and not look.text:
            text = str(look.number) if look.number < 10 or self.rows >= _FAR else "+"
            low = 0 if self.rows < _FAR else self.rows - 1
            for place, digit in enumerate(text, last - len(text)):
                letters[low, place] = digit, ink
                points[2 * low][place] = points[2 * low + 1][place] = back
        if look.life:
            self._life_bar(points[bottom - 1], look.life, first, last)

    def _life_bar(self, row: list[str], life: int, first: int, last: int) -> None:
        """Draw the life of a piece in the lowest points of its pennant, in green, gold or red."""
        width = last - first
        full = max(1, round(width * life / 8))
        color = self._palette.gauge_colors[2 if life > 5 else 1 if life > 2 else 0]
        dark = self._palette.mixed(color, self._palette.back, 0.75)
        row[first:last] = [color] * full + [dark] * (width - full)

    def _write(self, letters: dict[tuple[int, int], tuple[str, str]], look: TileLook) -> None:
        """Write the text of the mark and the letter to jump by."""
        palette = self._palette
        if look.text:
            text = look.text[: self.columns]
            on_piece = look.piece != 0
            row = 0 if on_piece and self.rows >= _FAR else self.rows // 2
            start = self.columns - len(text) - (1 if len(text) < self.columns else 0)
            start = start if on_piece else (self.columns - len(text)) // 2
            for column, sign in enumerate(text, start):
                letters[row, column] = sign, palette.strong
        for column, sign in enumerate(look.label):
            letters[0, column] = sign, palette.strong

    # -- without pictures ------------------------------------------------------------------------

    def _text(self, look: TileLook) -> list[list[tuple[str, Style]]]:
        """Return a tile of signs: the ground in the pattern of its picture, a piece as a block."""
        palette, symbols = self._palette, self._symbols
        ground = symbols[look.ground]
        under = palette.cell(ground.role, None, look.owner if not look.piece else -1, look.sign)
        levels = picture(ground, look.variant, (self.columns, 2 * self.rows), joined_sides(ground))
        sign = getattr(ground, self._signs)
        rows = [
            [
                (sign if max(levels[2 * row][x], levels[2 * row + 1][x]) > 0 else " ", under)
                for x in range(self.columns)
            ]
            for row in range(self.rows)
        ]
        if look.sign in _CORNERS:
            rows[-1][-1] = (_CORNERS[look.sign], under)
        if all(text == " " for row in rows for text, _ in row):
            rows[self.rows // 2][self.columns // 2] = (sign, under)
        if look.piece:
            if not self._walls(rows, look, ground.role):
                self._block(rows, look, ground.role)
        elif look.text:
            text = look.text[: self.columns].center(self.columns)
            rows[self.rows // 2] = [(letter, under) for letter in text]
        for x, letter in enumerate(look.label):
            rows[0][x] = (letter, palette.label)
        if look.cursor:
            rows = [
                [
                    (text, palette.under_cursor(style, holding=look.is_carrying))
                    for text, style in row
                ]
                for row in rows
            ]
        return rows

    def _walls(self, rows: list[list[tuple[str, Style]]], look: TileLook, ground: Role) -> bool:
        """Put a building with empty openings over the ground; return False without a picture."""
        symbol, size = self._symbols[look.piece], (self.columns, 2 * self.rows)
        if not symbol.tile or not has_picture(symbol, size):
            return False
        style = self._palette.cell(ground, symbol.role, look.owner, look.sign)
        signs = " ###" if self._signs == "ascii" else " ▀▄█"
        shades = picture(symbol, look.variant, size)
        for y, row in enumerate(rows):
            for x, (upper, lower) in enumerate(zip(shades[2 * y], shades[2 * y + 1], strict=True)):
                if upper or lower:
                    row[x] = (signs[(upper == _WALL) + 2 * (lower == _WALL)], style)
        for x, letter in enumerate(
            look.text[: self.columns], max(0, self.columns - len(look.text))
        ):
            rows[0][x] = (letter, style)
        return True

    def _block(self, rows: list[list[tuple[str, Style]]], look: TileLook, ground: Role) -> None:
        """Put a piece over the ground: its sign, number or text, and its life as a row of signs."""
        symbol = self._symbols[look.piece]
        style = self._palette.cell(ground, symbol.role, look.owner, look.sign)
        width = self.columns - 2
        head = getattr(symbol, self._signs)
        number = look.text or (str(look.number) if look.number > 1 else "")
        lines = [
            (head + number.rjust(width - 1))[:width] if self.rows < _FAR else head.center(width)
        ]
        lines += [number.rjust(width)] * (self.rows >= _FAR)
        full = "=" if self._signs == "ascii" else "▬"
        bar = full * max(1, round(width * look.life / 8)) if look.life else ""
        lines += [""] * (self.rows - len(lines) - 1) + [bar]
        for row, line in zip(rows, lines[: self.rows], strict=True):
            row[1 : 1 + width] = [(letter, style) for letter in line.ljust(width)]


_MOST_KEPT: Final = 4096
"""Number of cached tiles above which the cache is emptied."""


def _merged(cells: Sequence[tuple[str, Style]]) -> TileRow:
    """Join adjacent cells of a row that have the same style."""
    merged: list[tuple[str, Style]] = []
    for text, style in cells:
        if merged and merged[-1][1] is style:
            merged[-1] = merged[-1][0] + text, style
        else:
            merged.append((text, style))
    return tuple(merged)


# -- pictures -------------------------------------------------------------------------------------


def joined_sides(symbol: Symbol) -> int:
    """Return the sides to which a road of this symbol leads; 0 for any other ground."""
    if symbol.role is not Role.ROAD and symbol.tile != "road":
        return 0
    return _LINES.get(symbol.box, 0)


def has_picture(symbol: Symbol, size: tuple[int, int]) -> bool:
    """Return whether the tile set has a picture of exactly this symbol at a size in points."""
    return symbol.tile in _shapes()[_kind(size)]


def _kind(size: tuple[int, int]) -> str:
    return "large" if size[1] >= 2 * _FAR else "small"


@cache
def picture(
    symbol: Symbol, variant: int, size: tuple[int, int], lines: int = 0
) -> tuple[tuple[int, ...], ...]:
    """Return the picture of a tile: rows of shades, 0 to 3, for ``size`` (columns, points down)."""
    width, height = size
    if lines:
        return _road(width, height, lines)
    shapes = _shapes()[_kind(size)]
    found = shapes.get(symbol.tile) or shapes.get(symbol.role.name) or (((0,),),)
    shape = found[variant % len(found)]
    return tuple(
        tuple(shape[y * len(shape) // height][x * len(shape[0]) // width] for x in range(width))
        for y in range(height)
    )


def _road(width: int, height: int, lines: int) -> tuple[tuple[int, ...], ...]:
    """Return a road from the middle of a tile to each side that it leads to."""
    half_x, half_y = max(1, width // 6), max(1, height // 6)
    left, right = width // 2 - half_x, width // 2 + half_x
    top, low = height // 2 - half_y, height // 2 + half_y
    points = [[0] * width for _ in range(height)]
    for y in range(height):
        for x in range(width):
            across, down = left <= x < right, top <= y < low
            ways = (
                (across and y < low and lines & NORTH)
                or (across and y >= top and lines & SOUTH)
                or (down and x < right and lines & WEST)
                or (down and x >= left and lines & EAST)
            )
            points[y][x] = 2 if ways else 0
    return tuple(map(tuple, points))


@cache
def _shapes() -> Mapping[str, Mapping[str, tuple[tuple[tuple[int, ...], ...], ...]]]:
    text = files("tui.style").joinpath("tiles.toml").read_text(encoding="utf-8")
    return {
        kind: {
            name: tuple(
                tuple(tuple(_SHADES.index(point) for point in row) for row in shape.split())
                for shape in shapes
            )
            for name, shapes in table.items()
        }
        for kind, table in tomllib.loads(text).items()
    }


def largest_that_fits(board: tuple[int, int], room: tuple[int, int]) -> TileSize | None:
    """Return the largest tiles with which a whole board fits into ``room``, or None.

    ``board`` is in cells, ``room`` in columns and rows of the screen.
    """
    for columns, rows in SIZES:
        if board[0] * columns <= room[0] and board[1] * rows <= room[1]:
            return columns, rows
    return None
