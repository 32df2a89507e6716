"""Window on a board that is larger than the screen: arithmetic on cells.

A window of ``width`` x ``height`` cells shows the board from ``(x, y)``. It is never larger than
the board; the client centres a small board on the screen.
"""

from __future__ import annotations

from engine.core.record import Record, replace


class Viewport(Record, frozen=True):
    """Offset and size of the window, and size of the board, in cells."""

    x: int
    y: int
    width: int
    height: int
    board_width: int
    board_height: int

    @property
    def most(self) -> tuple[int, int]:
        """Maximum (x, y) of the window on the board."""
        return self.board_width - self.width, self.board_height - self.height

    def holds(self, x: int, y: int) -> bool:
        """Return whether a cell of the board is in the window."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


def opened(screen: tuple[int, int], board: tuple[int, int], cursor: tuple[int, int]) -> Viewport:
    """Return a window with the start cursor in its home cell, as far as the board's edges allow.

    All pairs are (width, height) or (x, y).
    """
    width, height = min(screen[0], board[0]), min(screen[1], board[1])
    port = Viewport(0, 0, max(1, width), max(1, height), *board)
    cell_x, cell_y = home_cell(port)
    return _at(port, cursor[0] - cell_x, cursor[1] - cell_y)


def home_cell(port: Viewport) -> tuple[int, int]:
    """Return the cell of the window to which the cursor jumps when a phase ends."""
    return port.width // 2, 2 * port.height // 3


def home(port: Viewport) -> tuple[int, int]:
    """Return the board cell under ``home_cell``; the window does not move."""
    cell_x, cell_y = home_cell(port)
    return port.x + cell_x, port.y + cell_y


def follow(port: Viewport, x: int, y: int) -> Viewport:
    """Return the window moved as little as possible to contain cell (x, y).

    After a push by one cell against the edge this scrolls by one cell, with no margin.
    """
    new_x = min(max(port.x, x - port.width + 1), x)
    new_y = min(max(port.y, y - port.height + 1), y)
    return _at(port, new_x, new_y)


def leap(port: Viewport, x: int, y: int) -> Viewport:
    """Return the window centred on cell (x, y) in each direction in which the cell is outside it.

    A cell inside does not move the window.
    """
    inside_x = port.x <= x < port.x + port.width
    inside_y = port.y <= y < port.y + port.height
    new_x = port.x if inside_x else x - port.width // 2
    new_y = port.y if inside_y else y - port.height // 2
    return _at(port, new_x, new_y)


def centred(port: Viewport, x: int, y: int) -> Viewport:
    """Return the window with cell (x, y) in its middle, as far as the board's edges allow."""
    return _at(port, x - port.width // 2, y - port.height // 2)


def resized(port: Viewport, screen: tuple[int, int], x: int, y: int) -> Viewport:
    """Return the window resized with the screen, moved so that it contains cell (x, y)."""
    width = max(1, min(screen[0], port.board_width))
    height = max(1, min(screen[1], port.board_height))
    return follow(_at(replace(port, width=width, height=height), port.x, port.y), x, y)


def _at(port: Viewport, x: int, y: int) -> Viewport:
    most_x, most_y = port.most
    return replace(port, x=min(max(0, x), most_x), y=min(max(0, y), most_y))
