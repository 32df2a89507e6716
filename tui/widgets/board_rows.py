"""Rows of boards: cells with their signs, or rows of larger tiles, with marks and captions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, product
from typing import Final, Literal, NamedTuple, TypeAlias

from rich.segment import Segment
from rich.style import Style

from engine.core.ids import Seat
from engine.tabletop.board import Board, BoardMark, GlyphSet, Symbol
from engine.tabletop.roles import MarkSign, Role
from tui.style.palette import AREAS, FULL, Palette
from tui.widgets.marks import DrawnCell
from tui.widgets.tiles import EAST, NORTH, SOUTH, WEST, TileLook, TilePainter, TileSize

StyledSign: TypeAlias = tuple[str, Style | None]
"""A character of the screen and its style."""

Texts = Literal["usual", "all", "asked"]
"""Marks whose texts are shown.

``usual``: of paths, and of targets on pieces. ``all``: every text on bare ground, and on pieces
those about the piece. ``asked``: every text, on pieces as well.
"""

_FILLING: Final = {Role.WATER, Role.WALL, Role.HARD_WALL, Role.ROAD, Role.UNKNOWN}
"""Ground whose sign fills both columns of a cell that takes two."""

_ON_PIECES: Final = {MarkSign.TARGET, MarkSign.STRIKE, MarkSign.DANGER}
"""Signs whose text is about the piece on their cell, so that it is written on it."""

_VARIANTS: Final = 6
"""Number of positions among which pictures of one kind of ground alternate."""


class BoardRows:
    """Computes the screen rows of a board with everything on it, in a palette's colours."""

    def __init__(self, symbols: Sequence[Symbol]) -> None:
        self.symbols = tuple(symbols)
        self.palette: Palette = FULL
        self.signs: GlyphSet = "rich"
        self.columns, self.rows = 1, 1
        """Columns and rows of the screen per cell."""
        self.marks: Mapping[DrawnCell, BoardMark] = {}
        self.flashed: Mapping[DrawnCell, BoardMark] = {}
        """Marks drawn over all others, by cell."""
        self.labels: Mapping[DrawnCell, str] = {}
        """Letters to jump by."""
        self.spot: DrawnCell | None = None
        """Cell of the cursor."""
        self.holding = False
        """True if the cursor holds a piece."""
        self.texts: Texts = "usual"
        self.prices = False
        """True if texts of marks are shown as with ``all``, regardless of ``texts``."""
        self.captions = Captions()
        self.goal: GoalFrame | None = None
        """Frame of the place that a lesson points at; None without one."""
        self.goal_light: GoalLight = "steady"
        self._glyphs: list[str] = []
        """Text of a cell for each symbol, ``columns`` wide."""
        self._painter: TilePainter | None = None
        """Painter of tiles with more than one row; None if cells take one."""
        self.dress("rich", FULL, (1, 1))

    @property
    def is_tiled(self) -> bool:
        """True if a cell takes several rows."""
        return self._painter is not None

    def dress(self, signs: GlyphSet, palette: Palette, size: TileSize) -> None:
        """Set signs, colours and the size of a cell."""
        self.signs, self.palette = signs, palette
        self.columns, self.rows = size
        self._glyphs = [drawn(symbol, signs, self.columns) for symbol in self.symbols]
        self._painter = TilePainter(self.symbols, size, signs, palette) if size[1] > 1 else None

    def row(self, board: Board, cells: range, y: int, part: int = 0) -> list[Segment]:
        """Return screen row ``part`` (from 0) of the cells ``cells`` in row ``y`` of a board."""
        if self._painter is None:
            runs = self._runs(board, cells, y)
        else:
            runs = list(self._tiles(self._painter, board, cells, y, part))
        if part == 0 and y in self.captions.rows:
            at = cells.start, y
            runs = self.captions.over(runs, at, board, self.spot, self.palette)
        row = y * self.rows + part
        if self.goal is not None and self.goal.top <= row <= self.goal.bottom:
            runs = self._with_goal(runs, self.goal, board, cells.start * self.columns, row)
        return runs

    def _runs(self, board: Board, cells: range, y: int) -> list[Segment]:
        """Return the cells of a row, with adjacent ones of the same style in one segment."""
        span = slice(cells.start, cells.stop)
        grounds = board.ground.cells[y, span].tolist()
        pieces = board.piece.cells[y, span].tolist()
        owners = board.owner.cells[y, span].tolist()
        symbols, glyphs, palette = self.symbols, self._glyphs, self.palette
        segments: list[Segment] = []
        text, style, narrow = "", None, self.columns == 1
        for x, (ground, piece, owner) in enumerate(
            zip(grounds, pieces, owners, strict=True), cells.start
        ):
            mark = self.flashed.get((x, y)) or self.marks.get((x, y))
            role: Role | None = symbols[piece].role if piece else None
            sign = mark.sign if mark is not None else None
            now = palette.cell(symbols[ground].role, role, owner, sign)
            glyph = glyphs[piece or ground]
            if mark is not None and mark.text:
                glyph = self._written(mark, glyph, role)
            if narrow and piece and symbols[piece].struck:
                now = palette.struck(now)
            if (x, y) == self.spot:
                now = palette.under_cursor(now, holding=self.holding)
            if self.labels and (x, y) in self.labels:
                glyph, now = self.labels[x, y].ljust(self.columns), palette.label
            if now is not style and text and style is not None:
                segments.append(Segment(text, style))
                text = ""
            text, style = text + glyph, now
        segments.append(Segment(text, style))
        return segments

    def _tiles(
        self, painter: TilePainter, board: Board, cells: range, y: int, part: int
    ) -> Iterator[Segment]:
        """Yield one screen row of the tiles in a row of the board."""
        span = slice(cells.start, cells.stop)
        planes = (board.ground, board.piece, board.owner)
        grounds, pieces, owners = (plane.cells[y, span].tolist() for plane in planes)
        nothing = [0] * len(cells)
        lives = board.life.cells[y, span].tolist() if board.life is not None else nothing
        counts = board.count.cells[y, span].tolist() if board.count is not None else nothing
        for x, ground, piece, owner, life, count in zip(
            cells, grounds, pieces, owners, lives, counts, strict=True
        ):
            mark = self.flashed.get((x, y)) or self.marks.get((x, y))
            sign = mark.sign if mark is not None else None
            look = TileLook(
                ground, piece, owner, sign,
                self._edges(x, y, sign) if sign in AREAS else 0,
                -(-life // 13) if life and piece else 0, count,
                self._text_of(mark, self.symbols[piece].role if piece else None),
                cursor := (x, y) == self.spot, cursor and self.holding,
                self.labels.get((x, y), "") if self.labels else "",
                (x * 7 + y * 5) % _VARIANTS,
            )  # fmt: skip
            for text, style in painter.tile(look)[part]:
                yield Segment(text, style)

    def _with_goal(
        self, runs: Sequence[Segment], goal: GoalFrame, board: Board, first: int, row: int
    ) -> list[Segment]:
        """Return a screen row with its part of the goal frame.

        ``first`` is the column and ``row`` the row on the whole board's screen.
        """
        signs, palette = signs_of(runs), self.palette

        def is_free(column: int) -> bool:
            """Return whether a sign there would hide no piece and no text about one."""
            if not 0 <= column - first < len(signs):
                return False
            x, y = column // self.columns, row // self.rows
            return signs[column - first][0] == " " or not board.piece.cells[y, x]

        x, y = goal.left // self.columns, row // self.rows
        is_told = not board.piece.cells[y, x] or self.goal_light == "bright"
        if goal.is_line and (x, y) != self.spot and is_told:
            for column in range(max(0, goal.left - first), min(goal.right + 1 - first, len(signs))):
                signs[column] = signs[column][0], palette.goal(signs[column][1])
        for column, sign in goal.signs(row, is_free, self.signs):
            if not 0 <= column - first < len(signs):
                continue  # a frame of several rows may lie beside the window, or half in it
            under = signs[column - first][1]
            lit = self.goal_light != "faint"
            signs[column - first] = sign, palette.goal_frame(under, lit=lit)
        return segments_of(signs)

    def _edges(self, x: int, y: int, sign: MarkSign | None) -> int:
        """Return the sides on which the neighbouring cell does not belong to the same area."""
        edges = 0
        for side, at in zip((EAST, WEST, SOUTH, NORTH), neighbours(x, y), strict=True):
            mark = self.marks.get(at)
            if mark is None or (mark.sign is not sign and mark.sign in {*AREAS, MarkSign.IDLE}):
                edges |= side
        return edges

    def _text_of(self, mark: BoardMark | None, piece: Role | None) -> str:
        """Return the text of a mark as shown on a tile; empty if it is hidden."""
        if mark is None or not mark.text or not self._is_told(mark, piece):
            return ""
        return mark.text if len(mark.text) <= self.columns else mark.short or "+"

    def _written(self, mark: BoardMark, glyph: str, piece: Role | None) -> str:
        """Return a cell with the text of its mark, on bare ground instead of its sign.

        On a piece the text is beside the sign, or replaces it if there is no space; its colours
        stay.
        """
        if not self._is_told(mark, piece):
            return glyph
        text = (mark.short or mark.text) if self.columns == 1 else mark.text
        text = text if len(text) <= self.columns else "+"
        if piece is None:
            return text.rjust(self.columns)
        return glyph[: self.columns - len(text)] + text

    def _is_told(self, mark: BoardMark, piece: Role | None) -> bool:
        """Return whether the text of a mark is shown now, on bare ground or on a piece."""
        always = mark.sign is (MarkSign.PATH if piece is None else MarkSign.TARGET) or mark.turn > 0
        if piece is Role.WRITING or not (always or self.prices or self.texts != "usual"):
            return False
        return piece is None or mark.sign in _ON_PIECES or self.texts == "asked"


def neighbours(x: int, y: int) -> tuple[DrawnCell, DrawnCell, DrawnCell, DrawnCell]:
    """Return the cells to the east, west, south and north of a cell."""
    return (x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)


def drawn(symbol: Symbol, signs: GlyphSet, columns: int) -> str:
    """Return the text of a symbol, one or two columns wide."""
    glyph: str = getattr(symbol, signs)
    if columns > 1 and symbol.plain2 and signs != "rich":
        return symbol.plain2.ljust(columns)
    if columns > 1 and symbol.rich2 and glyph == symbol.rich:
        return symbol.rich2.ljust(columns)
    if columns > 1 and symbol.role in _FILLING:
        return glyph * columns
    return glyph.ljust(columns)


def signs_of(runs: Iterable[Segment]) -> list[StyledSign]:
    """Split segments into single characters with their styles."""
    return [(sign, run.style) for run in runs for sign in run.text]


def segments_of(signs: Iterable[StyledSign]) -> list[Segment]:
    """Join characters to segments; adjacent ones of the same style share a segment."""
    grouped = groupby(signs, key=lambda sign: sign[1])
    return [Segment("".join(text for text, _ in group), style) for style, group in grouped]


# -- the goal --------------------------------------------------------------------------------------


GoalLight = Literal["steady", "bright", "faint"]
"""Brightness of a goal: alternately bright and faint, or steady if animation is off.

A piece on one row keeps the colours of its side except while the light is bright.
"""


class GoalFrame(NamedTuple):
    """Frame of a lesson's goal, in columns and rows of the whole board's screen.

    The last column and row are included. A place of one row is put in brackets, a higher one gets
    corners; both are visible without colours.
    """

    left: int
    top: int
    right: int
    bottom: int

    @classmethod
    def around(cls, board: Board, at: tuple[int, int], size: TileSize) -> GoalFrame:
        """Return the frame of a cell of the default zoom; on narrow boards, of its place."""
        x, y = board.zoomed(*at)
        columns, rows = size
        place = int(board.place.cells[y, x])
        if not board.narrow or place < 0:
            left, top = x * columns, y * rows
            return cls(left, top, left + columns - 1, top + rows - 1)
        across, down = (board.place.cells == place).T.nonzero()
        return cls(int(across.min()), int(down.min()), int(across.max()), int(down.max()))

    @property
    def is_line(self) -> bool:
        """True if the frame is one row high."""
        return self.top == self.bottom

    def signs(
        self, row: int, is_free: Callable[[int], bool], glyphs: GlyphSet
    ) -> Iterator[tuple[int, str]]:
        """Yield (column, sign) of the frame in a screen row, where they fit."""
        if not self.is_line:
            ends = ("[", "]") if glyphs == "ascii" else _CORNERS.get(self._side(row), ("", ""))
            arm = max(1, min(2, (self.right - self.left - 1) // 2))
            yield from enumerate(ends[0][:arm], self.left)
            yield from enumerate(ends[1][-arm:], self.right + 1 - len(ends[1][-arm:]))
            return
        if is_free(self.left - 1):
            yield self.left - 1, "["
        within = self.right if self.left < self.right else self.right + 1
        closing = [column for column in (within, self.right + 1) if is_free(column)]
        if closing:
            yield closing[0], "]"

    def cells(self, size: TileSize) -> Iterator[DrawnCell]:
        """Yield the cells of the board that the frame touches, for tiles of a size."""
        columns, rows = size
        across = range(max(0, self.left - 1) // columns, (self.right + 1) // columns + 1)
        yield from product(across, range(self.top // rows, self.bottom // rows + 1))

    def _side(self, row: int) -> int:
        return (row == self.top) - (row == self.bottom)


_CORNERS: Final = {1: ("▛▀", "▀▜"), -1: ("▙▄", "▄▟")}
"""Corners of a frame, at its top and at its bottom."""


# -- captions --------------------------------------------------------------------------------------


class PlacedCaption(NamedTuple):
    """Caption in a row; ``start`` is its screen column, counted from the board's left end."""

    start: int
    text: str
    seat: Seat


class Captions:
    """Captions of a board, placed so that they do not overlap."""

    def __init__(self) -> None:
        self.rows: dict[int, list[PlacedCaption]] = {}
        """Captions by the row of the board on whose first screen row they are drawn."""
        self._columns = 1

    def place(self, board: Board | None, columns: int) -> None:
        """Place the captions of a board whose cells take ``columns`` columns of the screen.

        Captions that would touch an earlier one are omitted.
        """
        self.rows, self._columns = {}, columns
        for caption in board.captions if board is not None else ():
            if board is None or caption.y + 1 >= board.height:
                continue
            room = board.width * columns
            text = caption.text[:room]
            middle = (2 * caption.x + caption.width) * columns // 2
            start = max(0, min(middle - len(text) // 2, room - len(text)))
            row = self.rows.setdefault(caption.y + 1, [])
            if all(_are_apart(start, text, other) for other in row):
                row.append(PlacedCaption(start, text, caption.seat))

    def over(
        self,
        runs: Sequence[Segment],
        at: tuple[int, int],
        board: Board,
        cursor: tuple[int, int] | None,
        palette: Palette,
    ) -> list[Segment]:
        """Return a screen row with captions, except over a piece or the cursor.

        ``at``: first visible column of the board, and the row of the board.
        """
        cells = signs_of(runs)
        first, y = at[0] * self._columns, at[1]
        for start, text, seat in self.rows[y]:
            left, stop = start // self._columns, (start + len(text) - 1) // self._columns + 1
            is_under = cursor is not None and cursor[1] == y and left <= cursor[0] < stop
            if is_under or board.piece.cells[y, left:stop].any():
                continue
            for column, sign in enumerate(text, start - first):
                if 0 <= column < len(cells):
                    cells[column] = sign, palette.caption(cells[column][1], seat)
        return segments_of(cells)


def _are_apart(start: int, text: str, other: PlacedCaption) -> bool:
    """Return whether at least one column separates two captions of a row."""
    return start > other.start + len(other.text) or start + len(text) < other.start
