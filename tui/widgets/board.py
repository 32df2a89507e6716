"""The one widget that draws every board: rows of cells, repainted only if they changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from rich.segment import Segment
from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip

from engine.tabletop import viewport
from engine.tabletop.board import Board, BoardMark, GlyphSet, Symbol
from engine.tabletop.viewport import Viewport
from tui.style.palette import Palette
from tui.terminal.painted import Painted
from tui.widgets.board_rows import BoardRows, GoalFrame, GoalLight, Texts, neighbours
from tui.widgets.marks import loudest
from tui.widgets.tiles import TileSize

BoardCell = tuple[int, int]

_MANY = 120
"""Number of changed cells above which whole rows are repainted."""


class BoardView(Painted):
    """Widget that shows a part of a board, with a cursor.

    The public interface counts cells of the default zoom; ``port``, ``spot`` and private members
    count the cells that are drawn, each of which may represent several. The visible part is
    computed by ``engine.tabletop.viewport``: it moves when the cursor pushes its edge, a small
    board is centred, and a resize keeps the cursor's cell visible.
    """

    class Pointed(Message):
        """A cell was clicked."""

        def __init__(self, x: int, y: int) -> None:
            super().__init__()
            self.x = x
            self.y = y

    def __init__(self, symbols: Sequence[Symbol], *, id: str | None = None) -> None:  # noqa: A002 - Textual's word
        super().__init__(id=id)
        self.drawing = BoardRows(symbols)
        self.leaping = False
        """True if the visible part moves by half a screen rather than by a cell."""
        self.cursor: BoardCell | None = None
        self.port: Viewport | None = None
        self.on_moved: Callable[[], None] | None = None
        """Called when the visible part has moved or changed its size."""
        self.board: Board | None = None
        """The board that is drawn."""
        self._laid: Sequence[BoardMark] = ()
        self._strips: dict[int, Strip] = {}

    # -- content ---------------------------------------------------------------------------------

    @property
    def palette(self) -> Palette:
        """Colours in which the board is drawn."""
        return self.drawing.palette

    @property
    def columns(self) -> int:
        """Columns of the screen per cell."""
        return self.drawing.columns

    @property
    def rows(self) -> int:
        """Rows of the screen per cell."""
        return self.drawing.rows

    @property
    def spot(self) -> BoardCell | None:
        """The drawn cell that has the cursor, or None."""
        return self.drawing.spot

    def price(self, *, shown: bool) -> None:
        """Turn the texts of all marks on or off; on is like ``texts="all"``."""
        self.drawing.prices = shown
        self.redraw()

    def dress(self, glyphs: GlyphSet, palette: Palette) -> None:
        """Set signs and colours, and redraw."""
        self.drawing.dress(glyphs, palette, (self.columns, self.rows))
        self.redraw()

    def shape(self, size: TileSize, *, leaping: bool) -> None:
        """Set columns and rows of a cell; ``leaping`` scrolls by half a screen at the edge."""
        self.leaping = leaping
        if size != (self.columns, self.rows):
            self.drawing.dress(self.drawing.signs, self.palette, size)
            self.drawing.captions.place(self.board, self.columns)
            self.redraw()
            self._fit()

    def redraw(self) -> None:
        """Draw all cells again."""
        self._strips.clear()
        self.refresh()

    def show(self, board: Board) -> None:
        """Draw another board; unchanged cells are not painted again."""
        old, self.board = self.board, board
        if old is board:
            return
        if old is None or old.ground.cells.shape != board.ground.cells.shape:
            self.port, self._laid, self.drawing.marks = None, (), {}
            self.drawing.spot = self.drawn_at(*self.cursor) if self.cursor is not None else None
            self.drawing.captions.place(self.board, self.columns)
            self._fit()
            self.redraw()
            return
        if old.captions != board.captions:
            self.drawing.captions.place(self.board, self.columns)
            self.redraw()
        changed = np.zeros(board.ground.cells.shape, dtype=bool)
        for name in ("ground", "piece", "owner"):
            changed |= getattr(old, name).cells != getattr(board, name).cells
        if self.drawing.is_tiled:
            for before, after in ((old.life, board.life), (old.count, board.count)):
                if before is not None and after is not None:
                    changed |= before.cells != after.cells
        if self.drawing.captions.rows and changed.any():  # a piece may cover one, or leave it
            for y in self.drawing.captions.rows:
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
        """Draw marks over the board, and the cursor on a cell; ``follow`` scrolls to the cursor."""
        if texts != self.drawing.texts:
            self.drawing.texts = texts
            self.redraw()
        if marks is self._laid:  # a layer over a large map is tens of thousands of marks
            shown, changed = self.drawing.marks, set[BoardCell]()
        else:
            shown = loudest(self.board, marks)
            changed = {at for at, _ in self.drawing.marks.items() ^ shown.items()}
            if self.drawing.is_tiled:
                changed |= {near for at in changed for near in neighbours(*at)}
        spot = self.drawn_at(*cursor) if cursor is not None else None
        if (spot, holding) != (self.spot, self.drawing.holding):
            changed |= {at for at in (spot, self.spot) if at is not None}
        self._laid, self.drawing.marks = marks, shown
        self.cursor, self.drawing.spot, self.drawing.holding = cursor, spot, holding
        if cursor is None or not follow or not self.reveal(*cursor):
            self._repaint(changed)

    def flash(self, marks: Iterable[BoardMark]) -> None:
        """Draw marks over all others until the next call; an empty one removes them."""
        old = self.drawing.flashed
        self.drawing.flashed = loudest(self.board, marks)
        if old or self.drawing.flashed:
            self._repaint({at for at, _ in old.items() ^ self.drawing.flashed.items()})

    def label(self, labels: Mapping[BoardCell, str]) -> None:
        """Write a letter on each of some cells, over everything; an empty mapping removes them."""
        old = self.drawing.labels
        self.drawing.labels = {self.drawn_at(*at): label for at, label in labels.items()}
        self._repaint({at for at, _ in old.items() ^ self.drawing.labels.items()})

    def show_goal(self, at: BoardCell | None, light: GoalLight = "steady") -> None:
        """Frame the place of a cell as a goal; None removes the frame."""
        drawing, board = self.drawing, self.board
        size = self.columns, self.rows
        goal = GoalFrame.around(board, at, size) if board is not None and at is not None else None
        if (goal, light) == (drawing.goal, drawing.goal_light):
            return
        for frame in (goal, drawing.goal):
            self._repaint(frame.cells(size) if frame is not None else ())
        drawing.goal, drawing.goal_light = goal, light

    # -- the window ------------------------------------------------------------------------------

    @property
    def scale(self) -> int:
        """Number of cells, in each direction, that a drawn cell represents."""
        return self.board.scale if self.board is not None else 1

    def drawn_at(self, x: int, y: int) -> BoardCell:
        """Return the drawn cell that represents a cell."""
        return self.board.zoomed(x, y) if self.board is not None else (x, y)

    def stands_for(self, x: int, y: int) -> BoardCell:
        """Return the middle one of the cells that a drawn cell represents."""
        return self.board.unzoomed(x, y) if self.board is not None else (x, y)

    def sees(self, x: int, y: int) -> bool:
        """Return whether a cell is visible."""
        return self.port is not None and self.port.holds(*self.drawn_at(x, y))

    def reveal(self, x: int, y: int) -> bool:
        """Scroll as little as possible to make a cell visible; return whether that was needed."""
        if self.port is None or self.board is None:
            return False
        x, y = self.drawn_at(x, y)
        if self.leaping:
            return self._go(viewport.leap(self.port, x, y))
        arrange = viewport.centred if self.board.scroll == "centre" else viewport.follow
        return self._go(arrange(self.port, x, y))

    @property
    def hardware_cursor(self) -> BoardCell | None:
        """Column and row of the screen for the cursor, or None if it is outside the window."""
        if self.spot is None or self.port is None or not self.port.holds(*self.spot):
            return None
        (x, y), (left, top), region = self.spot, self.margin, self.content_region
        column = region.x + left + (x - self.port.x) * self.columns
        return column, region.y + top + (y - self.port.y) * self.rows

    def open_at(self, x: int, y: int) -> None:
        """Scroll as at the start of a game, with the cursor on a cell."""
        if self.board is not None and self._room() is not None:
            size = self.board.width, self.board.height
            self._go(viewport.opened(self._room() or (1, 1), size, self.drawn_at(x, y)))

    def home(self) -> BoardCell | None:
        """Return the cell to which the cursor jumps when a phase ends; None before a layout."""
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
        """Keep the cursor's cell, and move the window as little as possible."""
        self._fit()
        self.redraw()

    @property
    def margin(self) -> BoardCell:
        """Empty columns to the left of, and rows above, a board smaller than the widget."""
        if self.port is None:
            return 0, 0
        width, height = self.size
        spare = width - self.port.width * self.columns, height - self.port.height * self.rows
        return spare[0] // 2, spare[1] // 2

    def on_click(self, event: events.Click) -> None:
        """Post ``Pointed`` with the clicked cell."""
        if self.port is None:
            return
        left, top = self.margin
        x = self.port.x + (event.x - left) // self.columns
        y = self.port.y + (event.y - top) // self.rows
        if self.port.holds(x, y):
            self.post_message(self.Pointed(*self.stands_for(x, y)))

    # -- painting --------------------------------------------------------------------------------

    def _repaint(self, cells: Iterable[BoardCell]) -> None:
        """Request a repaint of those cells that are in the window."""
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
        """Render one row of the screen."""
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
        cells = range(self.port.x, self.port.x + self.port.width)
        segments += self.drawing.row(self.board, cells, row + self.port.y, part)
        used = left + self.port.width * self.columns
        if used < width:
            segments.append(Segment(" " * (width - used), blank))
        return Strip(segments, width)
