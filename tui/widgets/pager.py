"""Long text on a screen: rows that are scrolled, searched and pointed at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.style import Style
from textual import events
from textual.binding import BindingType
from textual.geometry import Region

from engine.tabletop.board import Line
from tui.settings import keys
from tui.widgets.panels import Row, Rows, wrap


class Pager(Rows, can_focus=True):
    """Lines with a window on them; one line may be under a cursor."""

    BINDINGS: ClassVar[list[BindingType]] = list(keys.PAGER)

    def __init__(
        self,
        *,
        pointing: bool = False,
        on_point: Callable[[int], None] | None = None,
        id: str | None = None,  # noqa: A002 - Textual's word
    ) -> None:
        """``pointing``: up and down move a cursor over lines rather than the window."""
        super().__init__(id=id)
        self.lines: list[Line] = []
        self.at = 0
        """The line under the cursor."""
        self.top = 0
        """The first row in the window."""
        self._pointing = pointing
        self._on_point = on_point
        self._all: list[Row] = []
        self._starts: list[int] = []
        """The first row of each line."""

    def fill(self, lines: Sequence[Line], at: int = 0) -> None:
        """Show these lines, with line ``at`` under the cursor."""
        self.lines = list(lines)
        self.at = max(0, min(at, len(self.lines) - 1))
        self._lay_out()

    def on_resize(self) -> None:
        """Break the lines anew."""
        self._lay_out()

    def dress(self, palette: object) -> None:
        """Choose colours."""
        super().dress(palette)  # type: ignore[arg-type]  # narrowed by the caller
        self._lay_out()

    def _lay_out(self) -> None:
        width = max(8, self.size.width - 1)
        self._all, self._starts = [], []
        for line in self.lines if self.size else ():  # an event tells when there is room
            self._starts.append(len(self._all))
            self._all += wrap(line, width, self.palette)
        self.reveal(self.at)

    # -- moving ----------------------------------------------------------------------------------

    @property
    def most(self) -> int:
        """The last row that can be first in the window."""
        return max(0, len(self._all) - max(1, self.size.height))

    def reveal(self, at: int) -> None:
        """Point at a line and bring it into the window."""
        if not self.lines:
            self.put([])
            return
        self.at = max(0, min(at, len(self.lines) - 1))
        if self._starts:
            row, height = self._starts[self.at], max(1, self.size.height)
            if not self.top <= row < self.top + height:
                self.top = row - height // 3
            self._window()
        if self._on_point is not None:
            self._on_point(self.at)

    def action_by(self, rows: int) -> None:
        """Up or down."""
        if self._pointing:
            self.reveal(self.at + rows)
        else:
            self._to(self.top + rows)

    def action_page(self, pages: int) -> None:
        """A windowful up or down."""
        height = max(1, self.size.height - 1)
        if self._pointing:
            self.reveal(self.at + pages * height)
        else:
            self._to(self.top + pages * height)

    def action_end(self, which: int) -> None:
        """To the start or to the end."""
        if self._pointing:
            self.reveal(len(self.lines) - 1 if which > 0 else 0)
        else:
            self._to(self.most if which > 0 else 0)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The wheel."""
        event.stop()
        self.action_by(3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The wheel."""
        event.stop()
        self.action_by(-3)

    def on_click(self, event: events.Click) -> None:
        """Point at the line that was clicked."""
        row = self.top + event.y
        before = [n for n, start in enumerate(self._starts) if start <= row]
        if self._pointing and before:
            self.reveal(before[-1])

    def _to(self, top: int) -> None:
        self.top = max(0, min(top, self.most))
        shown = [n for n, start in enumerate(self._starts) if start >= self.top]
        self.at = shown[0] if shown else self.at
        self._window()

    # -- searching -------------------------------------------------------------------------------

    def search(self, text: str, by: int = 1, *, here: bool = False) -> bool:
        """Go to the next line with a text, round and round; whether there is one."""
        wanted = text.casefold()
        count = len(self.lines)
        for step in range(0 if here else 1, count + 1):
            at = (self.at + by * step) % count
            if wanted in self.lines[at].text.casefold():
                self.reveal(at)
                return True
        return False

    # -- painting --------------------------------------------------------------------------------

    def _window(self) -> None:
        self.top = max(0, min(self.top, self.most))
        end = self.top + max(1, self.size.height)
        rows = self._all[self.top : end]
        if self._pointing and self._starts:
            first = self._starts[self.at] - self.top
            last = (
                self._starts[self.at + 1] if self.at + 1 < len(self._starts) else len(self._all)
            ) - self.top
            rows = [
                (text, self._lit(style)) if first <= y < last else (text, style)
                for y, (text, style) in enumerate(rows)
            ]
        self.put([(" " + text, style) for text, style in rows])

    def _lit(self, style: Style) -> Style:
        return self.palette.heading if self.has_focus or self._pointing else style

    @property
    def caret_region(self) -> Region:
        """Where the terminal's own cursor is to stand: at the line under the cursor."""
        row = (self._starts[self.at] if self._starts else 0) - self.top
        return Region(self.content_region.x, self.content_region.y + max(0, row), 1, 1)
