"""The one widget that draws every board: rows of cells, repainted only where they changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

import numpy as np
from rich.segment import Segment
from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip

from engine.tabletop import viewport
from engine.tabletop.board import Board, BoardMark, GlyphSet, Symbol
from engine.tabletop.roles import MarkSign, Role
from engine.tabletop.viewport import Viewport
from tui.style.palette import FULL, Palette
from tui.terminal.painted import Painted
from tui.widgets.captions import Captions
from tui.widgets.marks import loudest
from tui.widgets.tiles import AREAS, EAST, NORTH, SOUTH, WEST, TileLook, TilePainter, TileSize

BoardCell = tuple[int, int]
Texts = Literal["usual", "all", "asked"]
"""Marks whose texts are shown: usual: of ways and, on pieces, of targets. all: on bare ground
every one, on pieces those about the piece. asked: every one, on pieces too."""

_FILLING = {Role.WATER, Role.WALL, Role.HARD_WALL, Role.ROAD, Role.UNKNOWN}
"""Ground whose sign fills both columns of a cell that takes two."""

_ON_PIECES = {MarkSign.TARGET, MarkSign.STRIKE, MarkSign.DANGER}
"""Signs whose text is about the piece that stands there, so that it is written on it."""

_MANY = 120
"""From so many changed cells on, whole rows are repainted."""


_VARIANTS = 6
"""Positions by which pictures of one kind of ground take turns."""


class BoardView(Painted):
    """A window on a board with a cursor in it.

    Cells are those of the usual zoom, in all that is told to this widget and asked of it; ``port``,
    ``spot`` and what is private count the cells that are drawn. One may stand for several.
    The window is ``engine.tabletop.viewport``: it moves when the cursor pushes its edge, a small
    board is centred, and a resize keeps the cursor's cell.
    """

    class Pointed(Message):
        """A cell was clicked."""

        def __init__(self, x: int, y: int) -> None:
            super().__init__()
            self.x = x
            self.y = y

    def __init__(self, symbols: Sequence[Symbol], *, id: str | None = None) -> None:  # noqa: A002 - Textual's word
        super().__init__(id=id)
        self.palette: Palette = FULL
        self.prices = False
        """True if texts of marks are shown as with ``all``, whatever is laid."""
        self.columns, self.rows = 1, 1
        """Columns and rows of the screen that a cell takes."""
        self.leaping = False
        """True if the window goes by half a screen rather than by a cell."""
        self.cursor: BoardCell | None = None
        self.spot: BoardCell | None = None
        """The drawn cell in which the cursor is."""
        self.port: Viewport | None = None
        self.on_moved: Callable[[], None] | None = None
        """Called when the window has moved or changed its size."""
        self._symbols = tuple(symbols)
        self._glyphs: list[str] = []
        """For each symbol what stands in a cell, ``columns`` wide."""
        self._signs: GlyphSet = "rich"
        self.board: Board | None = None
        """The board that is drawn."""
        self._laid: Sequence[BoardMark] = ()
        self._marks: dict[BoardCell, BoardMark] = {}
        self._flashed: dict[BoardCell, BoardMark] = {}
        self._labels: dict[BoardCell, str] = {}
        self._holding = False
        self._texts: Texts = "usual"
        self._strips: dict[int, Strip] = {}
        self._painter: TilePainter | None = None
        """Pictures of tiles of more than one row."""
        self._captions = Captions()
        self.dress("rich", FULL)

    # -- what is drawn ---------------------------------------------------------------------------

    def dress(self, glyphs: GlyphSet, palette: Palette) -> None:
        """Choose signs and colours."""
        self._signs, self.palette = glyphs, palette
        size = self.columns, self.rows
        self._glyphs = [drawn(symbol, self._signs, self.columns) for symbol in self._symbols]
        self._painter = TilePainter(self._symbols, size, glyphs, palette) if self.rows > 1 else None
        self.redraw()

    def shape(self, size: TileSize, *, leaping: bool) -> None:
        """Choose how many columns and rows a cell takes, and how the window goes."""
        self.leaping = leaping
        if size != (self.columns, self.rows):
            self.columns, self.rows = size
            self.dress(self._signs, self.palette)
            self._captions.place(self.board, self.columns)
            self._fit()

    def redraw(self) -> None:
        """Draw everything anew."""
        self._strips.clear()
        self.refresh()

    def show(self, board: Board) -> None:
        """Draw this board; cells that are as before are left alone."""
        old, self.board = self.board, board
        if old is board:
            return
        if old is None or old.ground.cells.shape != board.ground.cells.shape:
            self.port, self._laid, self._marks = None, (), {}
            self.spot = self.drawn_at(*self.cursor) if self.cursor is not None else None
            self._captions.place(self.board, self.columns)
            self._fit()
            self.redraw()
            return
        if old.captions != board.captions:
            self._captions.place(self.board, self.columns)
            self.redraw()
        changed = np.zeros(board.ground.cells.shape, dtype=bool)
        for name in ("ground", "piece", "owner"):
            changed |= getattr(old, name).cells != getattr(board, name).cells
        if self._painter is not None:
            for before, after in ((old.life, board.life), (old.count, board.count)):
                if before is not None and after is not None:
                    changed |= before.cells != after.cells
        if self._captions.rows and changed.any():  # a piece may cover one, or leave it
            for y in self._captions.rows:
                changed[y] |= changed[y].any()
        rows, columns = np.nonzero(changed)
        self._repaint(list(zip(columns.tolist(), rows.tolist(), strict=True)))

    def lay(
        self,
        marks: Sequence[BoardMark],
        cursor: BoardCell | None,
        *,
        holding: bool = False,
        follow: bool = True,
        texts: Texts = "usual",
    ) -> None:
        """Lay marks over the board and put the cursor on a cell; the window follows the cursor."""
        if texts != self._texts:
            self._texts = texts
            self.redraw()
        if marks is self._laid:  # a layer over a large map is tens of thousands of marks
            shown, changed = self._marks, set[BoardCell]()
        else:
            shown = loudest(self.board, marks)
            changed = {at for at, _ in self._marks.items() ^ shown.items()}
            if self._painter is not None:
                changed |= {near for at in changed for near in _neighbours(*at)}
        spot = self.drawn_at(*cursor) if cursor is not None else None
        if (spot, holding) != (self.spot, self._holding):
            changed |= {at for at in (spot, self.spot) if at is not None}
        self._laid, self._marks = marks, shown
        self.cursor, self.spot, self._holding = cursor, spot, holding
        if cursor is None or not follow or not self.reveal(*cursor):
            self._repaint(changed)

    def flash(self, marks: Iterable[BoardMark]) -> None:
        """Lay marks over all others until the next flash; none: take them away."""
        old = self._flashed
        self._flashed = loudest(self.board, marks)
        if old or self._flashed:
            self._repaint({at for at, _ in old.items() ^ self._flashed.items()})

    def label(self, labels: Mapping[BoardCell, str]) -> None:
        """Write a letter on each of some cells, over everything; none: take them away."""
        old = self._labels
        self._labels = {self.drawn_at(*at): label for at, label in labels.items()}
        self._repaint({at for at, _ in old.items() ^ self._labels.items()})

    # -- the window ------------------------------------------------------------------------------

    @property
    def scale(self) -> int:
        """Number of cells, each way, that a drawn one stands for."""
        return self.board.scale if self.board is not None else 1

    def drawn_at(self, x: int, y: int) -> BoardCell:
        """The drawn cell that stands for a cell."""
        return self.board.zoomed(x, y) if self.board is not None else (x, y)

    def stands_for(self, x: int, y: int) -> BoardCell:
        """The cell in the middle of what a drawn one stands for."""
        return self.board.unzoomed(x, y) if self.board is not None else (x, y)

    def sees(self, x: int, y: int) -> bool:
        """True if a cell is in the window."""
        return self.port is not None and self.port.holds(*self.drawn_at(x, y))

    def reveal(self, x: int, y: int) -> bool:
        """Move the window as little as it must to show a cell; whether it moved."""
        if self.port is None or self.board is None:
            return False
        x, y = self.drawn_at(x, y)
        if self.leaping:
            return self._go(viewport.leap(self.port, x, y))
        arrange = viewport.centred if self.board.scroll == "centre" else viewport.follow
        return self._go(arrange(self.port, x, y))

    @property
    def hardware_cursor(self) -> BoardCell | None:
        """Column and row of the screen where the cursor is to be seen."""
        if self.spot is None or self.port is None or not self.port.holds(*self.spot):
            return None
        (x, y), (left, top), region = self.spot, self.margin, self.content_region
        column = region.x + left + (x - self.port.x) * self.columns
        return column, region.y + top + (y - self.port.y) * self.rows

    def open_at(self, x: int, y: int) -> None:
        """Place the window as for a start cursor."""
        if self.board is not None and self._room() is not None:
            size = self.board.width, self.board.height
            self._go(viewport.opened(self._room() or (1, 1), size, self.drawn_at(x, y)))

    def home(self) -> BoardCell | None:
        """The cell to which the cursor jumps when a phase ends."""
        return self.stands_for(*viewport.home(self.port)) if self.port is not None else None

    def _go(self, port: Viewport) -> bool:
        if port == self.port:
            return False
        self.port = port
        if self.on_moved is not None:
            self.on_moved()
        self.redraw()
        return True

    def _room(self) -> BoardCell | None:
        width, height = self.size
        room = width // self.columns, height // self.rows
        return room if all(room) else None

    def _fit(self) -> None:
        room, board = self._room(), self.board
        if room is None or board is None:
            return
        at = self.cursor or (0, 0)
        if self.port is None:
            self.open_at(*at)
        else:
            self._go(viewport.resized(self.port, room, *self.drawn_at(*at)))

    def on_resize(self) -> None:
        """The cursor keeps its cell, the window moves as little as it must."""
        self._fit()
        self.redraw()

    @property
    def margin(self) -> BoardCell:
        """Columns and rows to the left of and above a board that is smaller than the screen."""
        if self.port is None:
            return 0, 0
        width, height = self.size
        spare = width - self.port.width * self.columns, height - self.port.height * self.rows
        return spare[0] // 2, spare[1] // 2

    def on_click(self, event: events.Click) -> None:
        """Tell which cell was clicked."""
        if self.port is None:
            return
        left, top = self.margin
        x = self.port.x + (event.x - left) // self.columns
        y = self.port.y + (event.y - top) // self.rows
        if self.port.holds(x, y):
            self.post_message(self.Pointed(*self.stands_for(x, y)))

    # -- painting --------------------------------------------------------------------------------

    def _repaint(self, cells: Iterable[BoardCell]) -> None:
        """Ask for the cells that are in the window to be painted again."""
        port = self.port
        if port is None:
            return
        left, top = self.margin
        wide, high = self.columns, self.rows
        seen = [(x - port.x, y - port.y) for x, y in cells if port.holds(x, y)]
        for row in {y for _, y in seen}:
            for part in range(high):
                self._strips.pop(row * high + top + part, None)
        if len(seen) > _MANY:
            rows = {y for _, y in seen}
            self.refresh(*(Region(0, y * high + top, self.size.width, high) for y in sorted(rows)))
        elif seen:
            self.refresh(*(Region(left + x * wide, y * high + top, wide, high) for x, y in seen))

    def render_line(self, y: int) -> Strip:
        """One row of the screen."""
        strip = self._strips.get(y)
        if strip is None:
            strip = self._strips[y] = self._row(y)
        return strip

    def _row(self, y: int) -> Strip:
        width = self.size.width
        left, top = self.margin
        blank = self.palette.blank
        row, part = divmod(y - top, self.rows)
        if self.board is None or self.port is None or not 0 <= row < self.port.height:
            return Strip([Segment(" " * width, blank)], width)
        segments = [Segment(" " * left, blank)] if left else []
        if self._painter is None:
            runs = self._runs(self.board, self.port, row + self.port.y)
        else:
            runs = self._tiles(self._painter, self.board, self.port, row + self.port.y, part)
        if part == 0 and row + self.port.y in self._captions.rows:
            at = self.port.x, row + self.port.y
            runs = self._captions.over(runs, at, self.board, self.spot, self.palette)
        segments += runs
        used = left + self.port.width * self.columns
        if used < width:
            segments.append(Segment(" " * (width - used), blank))
        return Strip(segments, width)

    def _runs(self, board: Board, port: Viewport, y: int) -> list[Segment]:
        """The cells of a row, those of one style in one segment."""
        span = slice(port.x, port.x + port.width)
        grounds = board.ground.cells[y, span].tolist()
        pieces = board.piece.cells[y, span].tolist()
        owners = board.owner.cells[y, span].tolist()
        symbols, glyphs, palette = self._symbols, self._glyphs, self.palette
        segments: list[Segment] = []
        text, style, narrow = "", None, self.columns == 1
        for x, (ground, piece, owner) in enumerate(
            zip(grounds, pieces, owners, strict=True), port.x
        ):
            mark = self._flashed.get((x, y)) or self._marks.get((x, y))
            role: Role | None = symbols[piece].role if piece else None
            sign = mark.sign if mark is not None else None
            now = palette.cell(symbols[ground].role, role, owner, sign)
            glyph = glyphs[piece or ground]
            if mark is not None and mark.text:
                glyph = self._written(mark, glyph, role)
            if narrow and piece and symbols[piece].struck:
                now = palette.struck(now)
            if (x, y) == self.spot:
                now = palette.under_cursor(now, holding=self._holding)
            if self._labels and (x, y) in self._labels:
                glyph, now = self._labels[x, y].ljust(self.columns), palette.label
            if now is not style and text and style is not None:
                segments.append(Segment(text, style))
                text = ""
            text, style = text + glyph, now
        segments.append(Segment(text, style))
        return segments

    def _tiles(
        self, painter: TilePainter, board: Board, port: Viewport, y: int, part: int
    ) -> list[Segment]:
        """One row of the tiles of a row of the board."""
        span = slice(port.x, port.x + port.width)
        planes = (board.ground, board.piece, board.owner)
        grounds, pieces, owners = (plane.cells[y, span].tolist() for plane in planes)
        nothing = [0] * port.width
        lives = board.life.cells[y, span].tolist() if board.life is not None else nothing
        counts = board.count.cells[y, span].tolist() if board.count is not None else nothing
        segments: list[Segment] = []
        for column, (ground, piece, owner, life, count) in enumerate(
            zip(grounds, pieces, owners, lives, counts, strict=True)
        ):
            x = port.x + column
            mark = self._flashed.get((x, y)) or self._marks.get((x, y))
            sign = mark.sign if mark is not None else None
            look = TileLook(
                ground, piece, owner, sign,
                self._edges(x, y, sign) if sign in AREAS else 0,
                -(-life // 13) if life and piece else 0, count,
                self._text_of(mark, self._symbols[piece].role if piece else None),
                cursor := (x, y) == self.spot, cursor and self._holding,
                self._labels.get((x, y), "") if self._labels else "",
                (x * 7 + y * 5) % _VARIANTS,
            )  # fmt: skip
            segments += [Segment(text, style) for text, style in painter.tile(look)[part]]
        return segments

    def _edges(self, x: int, y: int, sign: MarkSign | None) -> int:
        """Sides on which the cells beside one are not of the same area."""
        edges = 0
        for side, at in zip((EAST, WEST, SOUTH, NORTH), _neighbours(x, y), strict=True):
            mark = self._marks.get(at)
            if mark is None or (mark.sign is not sign and mark.sign in {*AREAS, MarkSign.IDLE}):
                edges |= side
        return edges

    def _text_of(self, mark: BoardMark | None, piece: Role | None) -> str:
        """Text of a mark as it is shown on a tile; empty if it is not."""
        if mark is None or not mark.text or not self._is_told(mark, piece):
            return ""
        return mark.text if len(mark.text) <= self.columns else mark.short or "+"

    def _written(self, mark: BoardMark, glyph: str, piece: Role | None) -> str:
        """A cell with the text of its mark: on bare ground in its place, on a piece beside it.

        Where there is no room beside a piece the text stands for it; its colours stay.
        """
        if not self._is_told(mark, piece):
            return glyph
        text = (mark.short or mark.text) if self.columns == 1 else mark.text
        text = text if len(text) <= self.columns else "+"
        if piece is None:
            return text.rjust(self.columns)
        return glyph[: self.columns - len(text)] + text

    def _is_told(self, mark: BoardMark, piece: Role | None) -> bool:
        """True if the text of a mark is shown now, on bare ground or on a piece."""
        always = mark.sign is (MarkSign.PATH if piece is None else MarkSign.TARGET) or mark.turn > 0
        if piece is Role.WRITING or not (always or self.prices or self._texts != "usual"):
            return False
        return piece is None or mark.sign in _ON_PIECES or self._texts == "asked"


def _neighbours(x: int, y: int) -> tuple[BoardCell, BoardCell, BoardCell, BoardCell]:
    """Cells to the east, west, south and north of one."""
    return (x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)


def drawn(symbol: Symbol, signs: GlyphSet, columns: int) -> str:
    """Text of a cell that takes one column of the screen, or two."""
    glyph: str = getattr(symbol, signs)
    if columns > 1 and symbol.plain2 and signs != "rich":
        return symbol.plain2.ljust(columns)
    if columns > 1 and symbol.rich2 and glyph == symbol.rich:
        return symbol.rich2.ljust(columns)
    if columns > 1 and symbol.role in _FILLING:
        return glyph * columns
    return glyph.ljust(columns)
