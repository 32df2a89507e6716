"""Layout of a screen with a board: the largest tiles that fit; panel and log get the rest.

Arithmetic on columns and rows, without widgets.
"""

from __future__ import annotations

from enum import Enum
from typing import Final, NamedTuple, TypeAlias

from tui.terminal.capabilities import USUAL
from tui.widgets.tiles import SIZES, TileSize, largest_that_fits

Size: TypeAlias = tuple[int, int]

WIDE: Final = 120
"""Minimum columns of a window in which a cell of a scrolling board is two columns wide."""

LEAST_ASIDE: Final = 26
"""Minimum columns of the panel beside the board."""

LEAST_LOG: Final = 4
"""Minimum rows of a log below the board, if it fits."""

_NARROW_ASIDE: Final = 19
"""Minimum columns of the panel beside a board of characters."""

_LOW_ASIDE: Final = 4
"""Rows of the panel below the board in a narrow window."""

_LOG_OF_NARROW: Final = 3
"""Rows of the log in a narrow window."""

_HIGH: Final = 40
"""Minimum rows for which the log may be beside a board that takes all of them."""

_TWO_COLUMNS: Final = 92
"""Minimum columns beside the board for which panel and log are side by side."""


_LOG_ASIDE: Final = 40
"""Minimum columns of the panel beside a scrolling board; if it has them, the log is below it."""

_MOST_LOG: Final = 14
"""Maximum rows of a log below the panel."""

_COVERED: Final = 0.4
"""Minimum share of the window that a whole board covers; if less, larger tiles are tried."""

_SEEN: Final = 0.625
"""Minimum visible share of a board, across and down, if it scrolls because of larger tiles."""


class LogPlace(Enum):
    """Position of the log on the screen."""

    BELOW = "below the board"
    UNDER_PANEL = "under the panel"
    RIGHT = "to the right of the panel"


class Layout(NamedTuple):
    """Sizes of the parts of a screen."""

    board: Size
    """Columns and rows for the board, at most what the whole board needs."""
    aside: Size
    """Columns and rows of the panel."""
    log: Size
    place: LogPlace

    def shows_whole(self, drawn: Size) -> bool:
        """Return whether a board of ``drawn`` columns and rows is visible as a whole."""
        return self.board[0] >= drawn[0] and self.board[1] >= drawn[1]


def tile_size(
    wanted: str, window: Size, board: Size, bars: int, *, whole: bool = False
) -> TileSize:
    """Return the columns and rows of a tile: the player's choice, or what fills the window.

    Args:
        wanted: ``one`` or ``two`` columns, or ``auto``.
        window: columns and rows of the window.
        board: cells of the whole board.
        bars: rows of everything above and below the board, the panel and the log.
        whole: True if the board must not scroll if it can be visible as a whole.
    """
    chosen: dict[str, TileSize] = {"one": (1, 1), "two": (2, 1)}
    if wanted in chosen:
        return chosen[wanted]
    width, height = window
    log = LEAST_LOG if height < _HIGH else 0
    fitting = largest_that_fits(board, (width - LEAST_ASIDE, height - bars - log))
    if width < WIDE:
        return fitting or (1, 1)
    fitting = fitting or (2, 1)
    return fitting if whole else _filling(window, board, bars, fitting) or fitting


def _filling(window: Size, board: Size, bars: int, least: TileSize) -> TileSize | None:
    """Return the smallest tiles, ``least`` or larger, at which a board covers enough of a window.

    None if too little of the board would be visible.
    """
    for size in reversed(SIZES):
        drawn = board[0] * size[0], board[1] * size[1]
        room = laid_out(window, drawn, bars, narrow=False).board
        seen = min(room[0], drawn[0]), min(room[1], drawn[1])
        if size < least or seen[0] * seen[1] < _COVERED * window[0] * window[1]:
            continue
        return size if min(seen[0] / drawn[0], seen[1] / drawn[1]) >= _SEEN else None
    return None


def laid_out(window: Size, drawn: Size, bars: int, *, narrow: bool) -> Layout:
    """Divide a window among board, panel and log; return their sizes.

    Args:
        window: columns and rows of the window.
        drawn: columns and rows that the whole board would take.
        bars: rows of everything else.
        narrow: True for a board of characters, beside which a smaller panel is enough.
    """
    width, height = window[0], window[1] - bars
    least = _NARROW_ASIDE if narrow else LEAST_ASIDE
    if window[0] < USUAL[0]:
        high = max(1, height - _LOW_ASIDE - _LOG_OF_NARROW)
        return Layout((width, high), (width, _LOW_ASIDE), (width, _LOG_OF_NARROW), LogPlace.BELOW)
    rest, spare = width - drawn[0], height - drawn[1]
    if spare < 0 or rest < least:
        aside = rest if rest >= LEAST_ASIDE else max(LEAST_ASIDE, width // 4)
        if spare < 0 and window[1] >= _HIGH and aside >= _LOG_ASIDE:
            return _log_aside((width - aside, height), aside)
        log = max(LEAST_LOG, window[1] // 6, spare)
        left = height - log
        return Layout((width - aside, left), (aside, left), (width, log), LogPlace.BELOW)
    if spare >= LEAST_LOG:
        left = height - spare
        return Layout((drawn[0], left), (rest, left), (width, spare), LogPlace.BELOW)
    return _log_aside((drawn[0], height), rest)


def _log_aside(board: Size, rest: int) -> Layout:
    """Divide a window whose board takes all rows; ``rest``: columns for panel and log."""
    height = board[1]
    if rest >= _TWO_COLUMNS:
        aside = rest // 2
        return Layout(board, (aside, height), (rest - aside, height), LogPlace.RIGHT)
    low = min(height // 3, _MOST_LOG)
    return Layout(board, (rest, height - low), (rest, low), LogPlace.UNDER_PANEL)
