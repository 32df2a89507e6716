"""Small pictures of whole boards: the minimap beside a board, and previews.

Both draw blocks of tiles: ``coarse`` makes square ones for the minimap, ``shrunk`` a smaller board
for a preview.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip

from engine.core.containers import Plane
from engine.core.record import replace
from engine.tabletop.board import Board, GlyphSet, Symbol
from engine.tabletop.roles import Role
from engine.tabletop.viewport import Viewport
from tui.style.palette import FULL, Palette
from tui.terminal.painted import Painted
from tui.widgets.board import BoardCell, BoardView
from tui.widgets.tiles import largest_that_fits

# -- the minimap -----------------------------------------------------------------------------------


_PLAIN = {
    Role.WATER: "~",
    Role.FOREST: "&",
    Role.MOUNTAIN: "^",
    Role.WALL: "#",
    Role.HARD_WALL: "#",
    Role.GATE: "+",
    Role.UNKNOWN: " ",
}
"""Signs of land on terminals with only ASCII; other land is a dot."""

_SIDES = "@oxvwznmkhbdq"
"""A letter for each seat's pieces, on terminals with only ASCII."""


class Coarse(NamedTuple):
    """A board in blocks: arrays of shape (rows, columns), and tiles per block (x, y)."""

    ground: BlockGrid
    """The symbol in the middle of each block."""
    owner: BlockGrid
    """The highest seat with a piece or land in each block, or -1."""
    step: tuple[int, int]


def coarse(board: Board, columns: int, rows: int) -> Coarse:
    """Return a board in at most ``columns`` x ``rows`` square blocks."""
    size = max(1, -(-board.width // max(1, columns)), -(-board.height // max(1, rows)))
    high, wide = -(-board.height // size), -(-board.width // size)
    at_y = np.minimum(np.arange(high) * size + size // 2, board.height - 1)
    at_x = np.minimum(np.arange(wide) * size + size // 2, board.width - 1)
    ground = board.ground.cells[np.ix_(at_y, at_x)]
    whole = np.full((high * size, wide * size), -1, dtype=np.int64)
    whole[: board.height, : board.width] = board.owner.cells
    owner = whole.reshape(high, size, wide, size).max(axis=(1, 3))
    return Coarse(ground, owner, (size, size))


class BlockWindow(NamedTuple):
    """The visible part of a board, in blocks."""

    rows: slice
    columns: slice


def _window(blocks: Coarse, port: Viewport) -> BlockWindow:
    """Return the blocks that are at least partly in the window."""
    size = blocks.step[0]
    end_y, end_x = port.y + port.height - 1, port.x + port.width - 1
    return BlockWindow(
        slice(port.y // size, end_y // size + 1), slice(port.x // size, end_x // size + 1)
    )


def _shown(blocks: Coarse, window: BlockWindow | None) -> NDArray[np.bool_]:
    """Return a mask of the blocks that are in the window."""
    shown = np.zeros(blocks.ground.shape, dtype=bool)
    if window is not None:
        shown[window] = True
    return shown


@lru_cache(maxsize=1024)
def _half(upper: str, lower: str) -> Segment:
    """Return two blocks in one cell, by their colours; an empty one is the terminal's own."""
    return Segment("▀", Style(color=upper or None, bgcolor=lower or None))


class Minimap(Painted):
    """The whole board in small; a click posts the clicked cell."""

    class Pointed(Message):
        """A cell of the board was clicked."""

        def __init__(self, x: int, y: int) -> None:
            super().__init__()
            self.x = x
            self.y = y

    def __init__(self, symbols: Sequence[Symbol], *, id: str | None = None) -> None:  # noqa: A002 - Textual's word
        super().__init__(id=id)
        self.palette: Palette = FULL
        self.glyphs: GlyphSet = "rich"
        self._symbols = tuple(symbols)
        self._shown: tuple[Board, Viewport | None, BoardCell | None] | None = None
        """The content to draw, for any size."""
        self._board: Board | None = None
        self._blocks: Coarse | None = None
        self._drawn: tuple[BlockWindow | None, BoardCell | None] | None = None
        """The window and the cursor as drawn, in blocks; None to draw everything."""
        self._rows: list[Strip] = []

    @property
    def _halves(self) -> bool:
        """True if a row of the screen shows two rows of blocks, as two colours."""
        return self.glyphs != "ascii" and self.palette.depth != "none"

    @property
    def _deep(self) -> int:
        """Number of rows of blocks per row of the screen."""
        return 2 if self._halves else 1

    def rows_in(self, board: BoardCell, columns: int, rows: int) -> int:
        """Return how many screen rows a board of (columns, rows) takes within a size."""
        size = max(1, -(-board[0] // columns), -(-board[1] // (rows * self._deep)))
        return self.rows_for(-(-board[1] // size))

    def rows_for(self, blocks: int) -> int:
        """Return how many screen rows some rows of blocks take."""
        return -(-blocks // 2) if self._halves else blocks

    def dress(self, glyphs: GlyphSet, palette: Palette) -> None:
        """Set signs and colours, and redraw."""
        self.glyphs, self.palette = glyphs, palette
        self._blocks = None

    def on_resize(self) -> None:
        """Draw the same content for the new size."""
        self._blocks = None
        if self._shown is not None:
            self.show(*self._shown)

    def show(self, board: Board, port: Viewport | None, cursor: BoardCell | None) -> None:
        """Draw the board, its visible part ``port`` and the cursor, if any has changed."""
        self._shown = board, port, cursor
        width, height = self.size
        if not width or not height:
            return
        blocks = self._blocks if board is self._board else None
        if blocks is None:
            blocks = coarse(board, width, height * 2 if self._halves else height)
            self._board, self._blocks, self._drawn = board, blocks, None
        size = blocks.step[0]
        spot = None if cursor is None else (cursor[0] // size, cursor[1] // size)
        seen = None if port is None else _window(blocks, port)
        drawn, self._drawn = self._drawn, (seen, spot)
        rows = range(self.rows_for(blocks.ground.shape[0]))
        if drawn is None or seen != drawn[0]:
            self._draw(rows, blocks, seen, spot)
        elif spot != drawn[1]:
            places = {at[1] // self._deep for at in (spot, drawn[1]) if at is not None}
            self._draw([y for y in rows if y in places], blocks, seen, spot)

    def _draw(
        self,
        rows: Sequence[int],
        blocks: Coarse,
        window: BlockWindow | None,
        spot: BoardCell | None,
    ) -> None:
        """Draw some rows of the screen, and request a repaint of those that have changed."""
        width, height = self.size
        old, self._rows = self._rows, self._rows[: self.rows_for(blocks.ground.shape[0])]
        shown = _shown(blocks, window)
        for y in rows:
            row = self._half_row if self._halves else self._letters
            self._rows[y : y + 1] = [row(blocks, shown, spot, y * self._deep)]
        last = max(len(old), len(self._rows))
        changed = [y for y in range(last) if y < height and old[y : y + 1] != self._rows[y : y + 1]]
        if changed:
            self.refresh(*(Region(0, y, width, 1) for y in changed))

    def _half_row(
        self, blocks: Coarse, shown: NDArray[np.bool_], spot: BoardCell | None, y: int
    ) -> Strip:
        high, wide = blocks.ground.shape
        segments = []
        for x in range(wide):
            upper = self._color(blocks, shown, spot, (x, y))
            lower = self._color(blocks, shown, spot, (x, y + 1)) if y + 1 < high else ""
            segments.append(_half(upper, lower or self.palette.back))
        return self._filled(segments, wide)

    def _color(
        self,
        blocks: Coarse,
        shown: NDArray[np.bool_],
        spot: BoardCell | None,
        at: BoardCell,
    ) -> str:
        x, y = at
        if spot == at:
            return self.palette.cursor
        owner = int(blocks.owner[y, x])
        if owner >= 0:
            livery = self.palette.livery(owner)
            return livery.ink if self.palette.is_low else livery.idle_back
        role = self._symbols[int(blocks.ground[y, x])].role
        ink, back = self.palette.ground.get(role, self.palette.ground[Role.PLAIN])
        if self.palette.is_low:
            return ink if shown[y, x] else self.palette.back
        return ink if shown[y, x] else back

    def _letters(
        self, blocks: Coarse, shown: NDArray[np.bool_], spot: BoardCell | None, y: int
    ) -> Strip:
        segments = []
        wide = blocks.ground.shape[1]
        for x in range(wide):
            owner = int(blocks.owner[y, x])
            role = self._symbols[int(blocks.ground[y, x])].role
            sign = _SIDES[owner % len(_SIDES)] if owner >= 0 else _PLAIN.get(role, ".")
            style = self.palette.cell(role, None if owner < 0 else Role.PIECE, owner, None)
            if spot == (x, y):
                style = self.palette.under_cursor(style, holding=False)
            elif not shown[y, x]:
                style += Style(dim=True)
            segments.append(Segment(sign, style))
        return self._filled(segments, wide)

    def _filled(self, segments: list[Segment], wide: int) -> Strip:
        width = self.size.width
        rest = [Segment(" " * (width - wide), self.palette.blank)] if wide < width else []
        return Strip([*segments, *rest], width).simplify()

    def on_click(self, event: events.Click) -> None:
        """Post ``Pointed`` with the clicked cell."""
        if self._blocks is None or self._board is None:
            return
        size = self._blocks.step[0]
        y = (event.y * 2 if self._halves else event.y) * size + size // 2
        x = event.x * size + size // 2
        if x < self._board.width and y < self._board.height:
            self.post_message(self.Pointed(x, y))

    def render_line(self, y: int) -> Strip:
        """Render one row of the screen."""
        if y < len(self._rows):
            return self._rows[y]
        width = self.size.width
        return Strip([Segment(" " * width, self.palette.blank)], width)


# -- boards made smaller ---------------------------------------------------------------------------


BlockGrid = NDArray[np.integer[Any]]


def shrunk(board: Board, columns: int, rows: int, written: Container[int] = ()) -> Board:
    """Return the board with at most ``columns`` x ``rows`` cells, each for a block of cells.

    A block shows its most frequent ground and owner, and a piece if it contains any: of the side
    with the most there. Symbols in ``written`` (numbers of text on the board), places and the like
    are omitted. A board that is small enough is returned unchanged.
    """
    size = _size(-(-board.width // max(1, columns)), -(-board.height // max(1, rows)))
    if size == (1, 1):
        return board
    ground = _blocks(board.ground.cells, size, fill=-1)
    pieces = board.piece.cells.copy()
    pieces[np.isin(pieces, [n for n in np.unique(pieces).tolist() if n in written])] = 0
    piece = _blocks(pieces, size, fill=0)
    owner = _blocks(board.owner.cells, size, fill=-1)
    shape = ground.shape[:2]
    small = np.zeros((3, *shape), dtype=np.int64)
    for y, x in np.ndindex(shape):
        small[:, y, x] = _block(ground[y, x], piece[y, x], owner[y, x])
    nowhere = Plane(np.full(shape, -1))
    planes = [Plane(plane) for plane in small]
    return replace(
        board, ground=planes[0], piece=planes[1], owner=planes[2], place=nowhere, places=()
    )


def _size(wide: int, high: int) -> tuple[int, int]:
    """Return the columns and rows of a block: at most twice as wide as high, and the reverse."""
    return max(wide, -(-high // 2)), max(high, -(-wide // 2))


def _blocks(cells: BlockGrid, size: tuple[int, int], *, fill: int) -> BlockGrid:
    """Reshape (height, width) to (rows, columns, cells of a block), padded with ``fill``."""
    height, width = cells.shape
    wide, high = size
    rows, columns = -(-height // high), -(-width // wide)
    whole = np.full((rows * high, columns * wide), fill, dtype=np.int64)
    whole[:height, :width] = cells
    parts = whole.reshape(rows, high, columns, wide).swapaxes(1, 2)
    return parts.reshape(rows, columns, wide * high)


def _block(ground: BlockGrid, piece: BlockGrid, owner: BlockGrid) -> tuple[int, int, int]:
    most = _commonest(ground[ground >= 0])
    standing = piece > 0
    if not standing.any():
        return most, 0, _commonest(owner)
    side = _commonest(owner[standing])
    return most, _commonest(piece[standing & (owner == side)]), side


def _commonest(values: BlockGrid) -> int:
    """Return the most frequent value, or the lowest of several."""
    found, counts = np.unique(values, return_counts=True)
    return int(found[int(counts.argmax())])


# -- pictures --------------------------------------------------------------------------------------


class BoardPicture(BoardView):
    """Picture of a whole board of any game; of a board made of characters only the middle."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's word
        super().__init__((), id=id)
        self._whole: Board | None = None

    def put(self, symbols: Sequence[Symbol], board: Board | None) -> None:
        """Show a board of the game with these symbols; None shows nothing."""
        self._whole = board
        if board is None:
            self.board = None
            self.redraw()
            return
        if tuple(symbols) != self.drawing.symbols:
            self.drawing.symbols = tuple(symbols)
            self.board = None
            self.dress(self.drawing.signs, self.palette)
        self._arrange()

    def on_resize(self) -> None:
        """Scale the picture to the new size."""
        self._arrange()

    def _arrange(self) -> None:
        width, height = self.size
        if self._whole is None or not width or not height:
            return
        if self._whole.narrow:  # its cells are characters, unreadable if shrunk
            self.shape((1, 1), leaping=False)
            self.show(self._whole)
            self.open_at(*self.stands_for(self._whole.width // 2, self._whole.height // 2))
            return
        size = largest_that_fits((self._whole.width, self._whole.height), (width, height))
        self.shape(size or (1, 1), leaping=False)
        written = {
            n for n, symbol in enumerate(self.drawing.symbols) if symbol.role is Role.WRITING
        }
        self.show(shrunk(self._whole, width, height, written))
