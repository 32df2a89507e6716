"""A board in a pane, only to be looked at: as it is where it fits, else made smaller."""

from __future__ import annotations

from collections.abc import Sequence

from engine.tabletop.board import Board, Symbol
from engine.tabletop.roles import Role
from tui.widgets.board import BoardView
from tui.widgets.thumbnail import shrunk


class Picture(BoardView):
    """Shows the whole of a board, of any game."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's word
        super().__init__((), id=id)
        self._whole: Board | None = None

    def put(self, symbols: Sequence[Symbol], board: Board | None) -> None:
        """Show this board of the game with these symbols; none: show nothing."""
        self._whole = board
        if board is None:
            self._board = None
            self.redraw()
            return
        if tuple(symbols) != self._symbols:
            self._symbols = tuple(symbols)
            self._board = None
            self.dress(self._signs, self.palette)
        self._arrange()

    def on_resize(self) -> None:
        """Make it smaller or larger."""
        self._arrange()

    def _arrange(self) -> None:
        width, height = self.size
        if self._whole is None or not width or not height:
            return
        fits = self._whole.width * 2 <= width and self._whole.height <= height
        wide = fits and not self._whole.narrow
        self.shape(columns=2 if wide else 1, leaping=False)
        written = {n for n, symbol in enumerate(self._symbols) if symbol.role is Role.WRITING}
        self.show(shrunk(self._whole, width, height, written))
