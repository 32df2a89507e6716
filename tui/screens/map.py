"""Screens with a board: the board, panels, a log and bars around it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from time import monotonic
from typing import Any, Generic

from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.containers import Container, Vertical
from textual.screen import Screen

from engine.core.record import replace
from engine.tabletop.ask import Intent
from engine.tabletop.board import Symbol
from engine.tabletop.presenter import AnyPresenter
from engine.tabletop.roles import Tone
from tui.screens.dialog import Dialog
from tui.screens.frame import Result, Small, close_once, names_of_keys, note_room, while_open
from tui.screens.layout import LEAST_ASIDE, LEAST_LOG, WIDE, Layout, LogPlace, laid_out, tile_size
from tui.screens.shell import shell_of
from tui.settings.keymap import Keymap
from tui.style import SHEETS
from tui.terminal.capabilities import USUAL
from tui.terminal.painted import Painted, Painter
from tui.widgets.board import BoardView
from tui.widgets.cards import Cards
from tui.widgets.header import PhaseBar
from tui.widgets.key_row import KeyWord, read
from tui.widgets.overview import Minimap
from tui.widgets.panels import Bar, BattleLog
from tui.widgets.tiles import TileSize

SPEEDS = (1.0, 0.5, 0.25, 0.1, 0.04, 0.0)
"""Seconds between two moves of a computer player, or of a replay that plays automatically."""

_BARS = 3
"""Rows of the bars above and below the board."""

_LEAST_SIDE = 17
"""Rows that the panel keeps before the space below it gets any."""

_LEAST_BELOW = 8
"""Minimum rows of the cards below the panel."""

_BREATH = 0.05
"""Maximum seconds between two drawings while keys are pending."""


_ROOMY = 80
"""Minimum columns for which a board that is too large is shown smaller rather than cut off."""


def largest_zoom(presenter: AnyPresenter, view: Any, columns: int, rows: int) -> str:
    """Return the zoom with the largest board that fits as a whole, or the default one.

    With few columns no zoom is smaller than the default.
    """
    boards = {zoom: presenter.board(view, zoom) for zoom in presenter.zooms}
    usual = presenter.zooms[0]
    least = boards[usual].width + 1 if columns < _ROOMY else 1
    fitting = [
        zoom
        for zoom, board in boards.items()
        if least <= board.width <= columns and board.height <= rows
    ]
    return max(fitting, key=lambda zoom: boards[zoom].width * boards[zoom].height, default=usual)


class MapScreen(Screen[Result], Generic[Result]):
    """Screen around a board, designed for 80 x 24; larger windows show more map and more log."""

    CSS_PATH = SHEETS / "map.tcss"
    AUTO_FOCUS = ""

    def __init__(self, symbols: tuple[Symbol, ...]) -> None:
        super().__init__()
        self.phase = PhaseBar(id="phase")
        self.board = BoardView(symbols, id="board")
        self.board.on_moved = self.sync_soon
        self.side = Cards(id="side")
        self.below = Cards(id="below")
        """Lines below the panel of a large window, which do not depend on the cursor."""
        self.below.display = False
        self.minimap = Minimap(symbols, id="minimap")
        self.minimap_wanted = False
        self._whole_wanted = False
        """True if the player wants the whole board rather than tiles that fill the window."""
        self.aside = Vertical(self.side, self.minimap, self.below, id="aside")
        self._middle = Container(id="middle")
        self.hint = Bar(id="hint")
        self.log_view = BattleLog(id="log")
        self.keys_bar = Bar(id="keys")
        self._own_keys: Sequence[KeyWord] = ()
        self.small = Small()
        self._painter = Painter(self)
        self.paint_with_the_rest(self.phase, self.board, self.side, self.minimap)
        self.paint_with_the_rest(self.below, self.hint, self.log_view, self.keys_bar)
        self._named_for: Keymap | None = None
        """Keymap for which the names of keys were cached."""
        self._names_of_keys: dict[str, str] = {}
        self._stale = False
        self._drawn = 0.0
        """Time of the last drawing while keys were pending."""

    def on_screen_resume(self) -> None:
        """Apply settings that may have changed in the meantime."""
        self.minimap_wanted = self.minimap_wanted or self.shell.settings.minimap == "on"
        self.put_keys(self._own_keys)

    def on_screen_suspend(self) -> None:
        """Show the keys of the window that has opened."""
        self.put_keys(self._own_keys)

    @property
    def is_covered(self) -> bool:
        """True if a window is open over this screen."""
        return self.is_running and self.app.screen is not self

    def put_keys(self, row: Sequence[KeyWord]) -> None:
        """Show the keys that work now: a row of this screen, or those of the window over it."""
        self._own_keys, top = row, self.app.screen
        shown = read(top.keys_text) if isinstance(top, Dialog) else row
        self.keys_bar.put_keys(shown, self.shell.palette)

    def paint_with_the_rest(self, *parts: Painted) -> None:
        """Send the changes of these widgets to the terminal together with all others."""
        for part in parts:
            part.painter = self._painter

    shell = cached_property(shell_of)
    """The program around this screen."""

    def call_after_refresh(
        self, callback: Callable[..., object], *given: Any, **named: Any
    ) -> bool:
        """Call back once all is laid out and drawn, unless the screen has closed before."""
        return super().call_after_refresh(while_open(self, callback), *given, **named)

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        """Close this screen and everything on top of it; do nothing if it is already closed."""
        return close_once(self, super().dismiss, result)

    def compose(self) -> ComposeResult:
        """Yield the parts, from top to bottom."""
        yield self.phase
        with self._middle:
            yield self.board
            yield self.aside
        yield self.hint
        yield self.log_view
        yield self.keys_bar
        yield self.small

    def dress(self) -> None:
        """Apply the signs and colours that are chosen in the program."""
        palette = self.shell.palette
        listening = self.shell.settings.reader == "on"
        self.set_class(listening, "reader")
        self.log_view.fresh_only = listening
        self.board.dress(self.shell.glyphs, palette)
        self.minimap.dress(self.shell.glyphs, palette)
        self.phase.dress(self.shell.glyphs, palette)
        self.shape_board()
        self.side.signs = self.below.signs = self.shell.glyphs
        for rows in (self.side, self.below, self.log_view, self.small):
            rows.dress(palette)
        self.sync()

    def sync(self) -> None:
        """Redraw everything that has changed."""
        raise NotImplementedError

    def sync_soon(self) -> None:
        """Draw the changes once no key is pending, so that many keys are drawn once."""
        self._stale = True
        self._painter.collect()
        if not self.shell.after_key(self._draw):
            self.check_idle()

    def show_panel(self) -> None:
        """Draw the panel beside the board after a fight, if the screen does so before a key."""

    def on_idle(self) -> None:
        """Draw the pending changes."""
        self._draw()

    def _draw(self) -> None:
        """Draw the pending changes; while more keys wait, only now and then."""
        if self._stale and not (self.shell.has_keys and monotonic() - self._drawn < _BREATH):
            self._draw_now()

    def _draw_now(self) -> None:
        """Draw the pending changes."""
        if not self._stale or not self.is_running:
            return
        self._stale, self._drawn = False, monotonic()
        with self.painted_together():
            self.sync()

    def refit(self) -> None:
        """Draw everything again in another layout."""
        self.sync()

    @contextmanager
    def painted_together(self) -> Iterator[None]:
        """Send everything that is painted in a ``with`` block to the terminal in one piece."""
        self._painter.collect()
        try:
            yield
        finally:
            self._painter.flush()

    def on_resize(self) -> None:
        """Distribute the space, then wrap the lines again."""
        self.share_room()
        self.call_after_refresh(self.refit)

    def share_room(self) -> None:
        """Distribute the space: the map first; panel and log get the rest."""
        window, bars = self.app.size, self.rows_of_bars
        if note_room(self):
            return
        self.shape_board()
        self.fill_room(window.width - LEAST_ASIDE, window.height - bars - LEAST_LOG)
        columns, rows = self.board_size()
        drawn = columns * self.board.columns, rows * self.board.rows
        narrow = self.board.board is not None and self.board.board.narrow
        layout = laid_out(window, drawn, bars, narrow=narrow)
        self._arrange(layout)
        if window.width < USUAL[0]:
            self.minimap.display = False
        else:
            self._share_minimap(layout, is_whole=layout.shows_whole(drawn))
        self._share_below(layout.aside[1])

    def _arrange(self, layout: Layout) -> None:
        """Set the positions and sizes of panel and log; the board gets the rest."""
        beside = layout.place is not LogPlace.BELOW
        self.set_class(beside, "beside")
        middle, log, aside = (part.styles for part in (self._middle, self.log_view, self.aside))
        aside.width, aside.height = layout.aside if beside else (layout.aside[0], "100%")
        aside.margin = (0, layout.log[0] if layout.place is LogPlace.RIGHT else 0, 0, 0)
        if self.app.size.width < USUAL[0]:
            aside.width, aside.height = "100%", layout.aside[1]
        if not beside:
            middle.height, log.width, log.offset = "1fr", "100%", (0, 0)
            log.height = layout.log[1]
            return
        rows = layout.board[1]
        middle.height, log.width, log.height = rows, layout.log[0] - 1, layout.log[1]
        log.offset = self.app.size.width - layout.log[0] + 1, 1 + rows - layout.log[1]

    @property
    def rows_of_bars(self) -> int:
        """Rows of everything above and below the board, the panel and the log."""
        shared = ("middle", "log", "small")
        parts = [part for part in self.children if part.display and part.id not in shared]
        heights = [part.styles.height for part in parts]
        return max(_BARS, sum(int(height.value) for height in heights if height is not None))

    def fill_room(self, columns: int, rows: int) -> None:
        """Use the largest zoom that fits, unless the player has chosen one (a hook)."""

    def _share_minimap(self, layout: Layout, *, is_whole: bool) -> None:
        """Give the small map space below the panel, if it is wanted or there is plenty."""
        columns, rows = layout.aside[0] - 1, layout.aside[1]
        plenty = self.app.size.width >= WIDE and rows >= 20
        most = rows // 3 if rows >= 2 * _LEAST_SIDE else rows // 2
        self.minimap.styles.height = self.minimap.rows_in(self.board_size(), columns, most)
        self.minimap.display = self.minimap_wanted or (plenty and not is_whole)

    def _share_below(self, rows: int) -> None:
        """Give forces and chronicle space below the panel, if the window is wide and rows are left.

        ``rows`` are those of panel, small map and the cards below them.
        """
        minimap = self.minimap.styles.height if self.minimap.display else None
        rest = rows - (int(minimap.value) if minimap is not None else 0) - _LEAST_SIDE
        self.below.display = self.app.size.width >= WIDE and rest >= _LEAST_BELOW
        self.below.styles.height = max(_LEAST_BELOW, min(rest, rows // 2))

    def draw_below(self) -> bool:
        """Draw the lines below the panel, and return whether the forces are there (a hook)."""
        return False

    def show_minimap(self) -> None:
        """Draw the small map if it is visible."""
        if self.minimap.display and self.board.board is not None:
            self.minimap.show(self.board.board, self.board.port, self.board.spot)

    def action_minimap(self) -> None:
        """Show or hide the small map."""
        self.minimap_wanted = not self.minimap.display
        if self.minimap.display:
            self.minimap.display = False
        else:
            self.share_room()
            self.minimap.display = True
        self.call_after_refresh(self.refit)

    def on_minimap_pointed(self, event: Minimap.Pointed) -> None:
        """Scroll the board to the place clicked on the small map."""
        self.board.reveal(*self.board.stands_for(event.x, event.y))
        self.show_minimap()

    def shape_board(self) -> None:
        """Set the tile size and the scrolling of the board by the settings."""
        size = self._tile_size(whole=self._whole_wanted)
        self.board.shape(size, leaping=self.shell.settings.scrolling == "half")

    def _tile_size(self, *, whole: bool) -> TileSize:
        """Return the columns and rows of a tile; ``whole`` is as for ``tile_size``."""
        board, wanted, window = self.board.board, self.shell.settings.tiles, self.app.size
        if board is not None and board.narrow:
            return 1, 1
        is_overview = board is not None and board.scale > 1
        bars = self.rows_of_bars
        return tile_size(wanted, window, self.board_size(), bars, whole=whole or is_overview)

    def turn_whole(self) -> bool:
        """Show the whole board instead of tiles that fill the window, or stop that.

        Return True if this shows the whole board now; False also if the tiles are the same.
        """
        was, self._whole_wanted = self._whole_wanted, False
        if was or self._tile_size(whole=True) == self._tile_size(whole=False):
            return False
        self._whole_wanted = True
        return True

    def board_size(self) -> tuple[int, int]:
        """Return the columns and rows of the whole board."""
        raise NotImplementedError

    def action_scroll_log(self, pages: int) -> None:
        """Scroll the log by pages."""
        self.log_view.look_back(pages)

    def action_glyphs(self) -> None:
        """Switch to the next set of signs, such as ASCII."""
        self.shell.next_glyphs()
        self.dress()
        self.remark(f"Signs of the map: {self.shell.glyphs}.")

    @property
    def pace(self) -> float:
        """Seconds between two moves that are made automatically."""
        wanted = self.shell.speed
        return SPEEDS[self.shell.settings.speed - 1 if wanted is None else wanted]

    def action_speed(self, by: int) -> None:
        """Change the speed of automatic moves."""
        settings = self.shell.settings
        speed = min(max(1, settings.speed + by), len(SPEEDS))
        fault = self.shell.change(replace(settings, speed=speed))
        self.remark(fault or f"Speed {speed} of {len(SPEEDS)}.")

    def key_names(self) -> dict[str, str]:
        """Return the display name of the first key of each active binding, by binding id.

        The names are cached until the keymap changes: no widget of the map ever has the focus.
        """
        keymap = self.shell.keymap
        if keymap is not self._named_for:
            self._named_for, self._names_of_keys = keymap, names_of_keys(self)
        return self._names_of_keys

    @property
    def watches(self) -> bool:
        """True if no player at this screen controls the viewer's seat."""
        return False

    @property
    def hardware_cursor(self) -> tuple[int, int] | None:
        """Screen column and row of the map's cursor; None if it is out of sight."""
        return self.board.hardware_cursor

    def tick(self) -> None:
        """Draw running clocks (a hook)."""

    def remark(self, text: str) -> None:
        """Show a text in the hint bar until the next key.

        Pending changes are drawn first; they belong to earlier keys.
        """
        self._draw_now()
        palette = self.shell.palette
        self.hint.put(text, "", palette.line(Tone.STRONG, -1))

    @property
    def telling(self) -> AnyPresenter:
        """The presenter of the shown game's ruleset."""
        raise NotImplementedError

    @property
    def seen_view(self) -> Any:
        """The view that the board shows."""
        raise NotImplementedError

    # -- requests of the screen's parts ------------------------------------------------------------

    def wanted_here(self) -> Sequence[Intent]:
        """Return the intents that the ruleset suggests at the cursor."""
        return ()

    def want(self, name: str, reason: str) -> None:
        """Begin the dialogue of an intent, or show why it is not possible (a hook)."""

    def note(self, text: str) -> None:
        """Draw the screen with a note, such as why something is not possible."""
        self.remark(text)

    def go_to(self, x: int, y: int) -> None:
        """Put the cursor on a cell."""
        raise NotImplementedError

    # -- help and settings -------------------------------------------------------------------------

    def action_help(self) -> None:
        """Show the keys, the rules and the signs."""
        self.show_help()

    def show_help(self, rule: str = "") -> None:
        """Show help, at a rule if one is given."""
        from tui.screens.help import HelpScreen, SeenMap  # noqa: PLC0415 - not before it is needed

        board = self.board.board
        seen = SeenMap(self.seen_view, board) if board is not None else None
        self.app.push_screen(HelpScreen(self, self.telling, self.wanted_here(), rule, seen))

    def action_settings(self) -> None:
        """Show the settings and keys."""
        self.shell.show_settings()
