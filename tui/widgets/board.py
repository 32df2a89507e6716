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

from engine.core.record import replace
from engine.tabletop import viewport
from engine.tabletop.board import Board, BoardMark, GlyphSet, Symbol
from engine.tabletop.roles import MarkSign, Role
from engine.tabletop.viewport import Viewport
from tui.style.palette import FULL, Palette
from tui.terminal.painted import Painted

BoardCell = tuple[int, int]
Texts = Literal["usual", "all", "asked"]
"""Marks whose texts are shown: usual: of ways and, on pieces, of targets. all: on bare ground
every one, on pieces those about the piece. asked: every one, on pieces too."""

_FILLING = {Role.WATER, Role.WALL, Role.HARD_WALL, Role.ROAD, Role.UNKNOWN}
"""Ground whose sign fills both columns of a cell that takes two."""

_LOUDEST = {sign: rank for rank, sign in enumerate([
    MarkSign.IDLE, MarkSign.REACH, MarkSign.STRIKE, MarkSign.DANGER, MarkSign.PATH,
    MarkSign.TARGET, MarkSign.HELD,
])}  # fmt: skip
"""Rank of signs where several marks lie on one cell; the highest is shown."""

_ON_PIECES = {MarkSign.TARGET, MarkSign.STRIKE, MarkSign.DANGER}
"""Signs whose text is about the piece that stands there, so that it is written on it."""

_ONE_TO_ONE = ((1, 1), (1, 1))

_MANY = 120
"""From so many changed cells on, whole rows are repainted."""


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
        self.columns = 1
        """Columns of the screen that a cell takes: one or two."""
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
        self.dress("rich", FULL)

    # -- what is drawn ---------------------------------------------------------------------------

    def dress(self, glyphs: GlyphSet, palette: Palette) -> None:
        """Choose signs and colours."""
        self._signs, self.palette = glyphs, palette
        self._glyphs = [drawn(symbol, self._signs, self.columns) for symbol in self._symbols]
        self.redraw()

    def shape(self, *, columns: int, leaping: bool) -> None:
        """Choose how many columns a cell takes, and how the window goes."""
        self.leaping = leaping
        if columns != self.columns:
            self.columns = columns
            self.dress(self._signs, self.palette)
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
            self._fit()
            self.redraw()
            return
        changed = np.zeros(board.ground.cells.shape, dtype=bool)
        for name in ("ground", "piece", "owner"):
            changed |= getattr(old, name).cells != getattr(board, name).cells
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
            shown = self._loudest(marks)
            changed = {at for at, _ in self._marks.items() ^ shown.items()}
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
        self._flashed = self._loudest(marks)
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
        return column, region.y + top + y - self.port.y

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
        return (width // self.columns, height) if width >= self.columns and height else None

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
        return (width - self.port.width * self.columns) // 2, (height - self.port.height) // 2

    def on_click(self, event: events.Click) -> None:
        """Tell which cell was clicked."""
        if self.port is None:
            return
        left, top = self.margin
        x, y = self.port.x + (event.x - left) // self.columns, self.port.y + event.y - top
        if self.port.holds(x, y):
            self.post_message(self.Pointed(*self.stands_for(x, y)))

    # -- painting --------------------------------------------------------------------------------

    def _repaint(self, cells: Iterable[BoardCell]) -> None:
        """Ask for the cells that are in the window to be painted again."""
        port = self.port
        if port is None:
            return
        left, top = self.margin
        seen = [(x - port.x, y - port.y) for x, y in cells if port.holds(x, y)]
        for row in {y for _, y in seen}:
            self._strips.pop(row + top, None)
        if len(seen) > _MANY:
            rows = {y for _, y in seen}
            self.refresh(*(Region(0, y + top, self.size.width, 1) for y in sorted(rows)))
        elif seen:
            self.refresh(
                *(Region(left + x * self.columns, y + top, self.columns, 1) for x, y in seen)
            )

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
        row = y - top
        if self.board is None or self.port is None or not 0 <= row < self.port.height:
            return Strip([Segment(" " * width, blank)], width)
        segments = [Segment(" " * left, blank)] if left else []
        segments += self._runs(self.board, self.port, row + self.port.y)
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

    def _loudest(self, marks: Iterable[BoardMark]) -> dict[BoardCell, BoardMark]:
        """One mark for each drawn cell."""
        shown: dict[BoardCell, BoardMark] = {}
        board = self.board
        (own, usual), (own_down, usual_down) = board.spans if board else _ONE_TO_ONE
        for mark in marks:
            at = (mark.x * own // usual, mark.y * own_down // usual_down)
            here = shown.get(at)
            if here is None or _LOUDEST[here.sign] <= _LOUDEST[mark.sign]:
                shown[at] = mark
        if board is not None and (own > usual or own_down > usual_down):
            self._fill_gaps(board, shown)
        return shown

    def _fill_gaps(self, board: Board, shown: dict[BoardCell, BoardMark]) -> None:
        """Lay marks without text on the further drawn cells that stand for the same cells."""
        (own, usual), (own_down, usual_down) = board.spans
        for mark in list(shown.values()):
            plain = replace(mark, text="", short="")
            right, low = -(-(mark.x + 1) * own // usual), -(-(mark.y + 1) * own_down // usual_down)
            for y in range(mark.y * own_down // usual_down, low):
                for x in range(mark.x * own // usual, right):
                    if board.unzoomed(x, y) == (mark.x, mark.y):
                        shown.setdefault((x, y), plain)

    def _written(self, mark: BoardMark, glyph: str, piece: Role | None) -> str:
        """A cell with the text of its mark: on bare ground in its place, on a piece beside it.

        Where there is no room beside a piece the text stands for it; its colours stay.
        """
        always = mark.sign is (MarkSign.PATH if piece is None else MarkSign.TARGET) or mark.turn > 0
        if piece is Role.WRITING or not (always or self.prices or self._texts != "usual"):
            return glyph
        text = (mark.short or mark.text) if self.columns == 1 else mark.text
        text = text if len(text) <= self.columns else "+"
        if piece is None:
            return text.rjust(self.columns)
        if mark.sign not in _ON_PIECES and self._texts != "asked":
            return glyph
        return glyph[: self.columns - len(text)] + text


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
