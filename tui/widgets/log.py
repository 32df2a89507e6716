"""The battle log: what happened, with scrollback."""

from __future__ import annotations

from collections.abc import Iterable

from textual import events

from engine.tabletop.board import Line, condensed
from tui.style.palette import Palette
from tui.widgets.panels import Row, Rows, wrap

_MOST = 2000
"""Lines that are kept."""


class BattleLog(Rows):
    """The last lines at the bottom; ``scroll`` looks back."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's word
        super().__init__(id=id)
        self.lines: list[Line] = []
        self.fresh_only = False
        """Whether only what was said last is shown: for those who listen."""
        self._all: list[Row] = []
        self._back = 0
        self._width = 0

    def say(self, lines: Iterable[Line]) -> None:
        """Add lines; the newest are shown."""
        new = list(lines)
        if not new:
            return
        self._back = 0
        if self.fresh_only:
            self.lines = (self.lines + condensed(new))[-_MOST:]
            self._all = self._rows_of(condensed(new))
            self._window()
            return
        shown = condensed([*self.lines[-1:], *new])
        if self.lines and shown[0] is not self.lines[-1]:
            self.lines = (self.lines[:-1] + shown)[-_MOST:]
            self._again()
            return
        added = shown[1:] if self.lines else shown
        self.lines = (self.lines + added)[-_MOST:]
        self._all = (self._all + self._rows_of(added))[-_MOST:]
        self._window()

    def speak(self, lines: Iterable[Line]) -> None:
        """Show these lines and nothing else, without keeping them."""
        self._back = 0
        self._all = self._rows_of(lines)
        self._window()

    def restore(self) -> None:
        """Show the lines that are kept again."""
        self._again()

    def tell_before(self, lines: Iterable[Line]) -> None:
        """Add lines of what happened before those that are there."""
        self.lines = condensed([*lines, *self.lines])[-_MOST:]
        self._again()

    def start_anew(self, lines: Iterable[Line]) -> None:
        """Show these lines and no others."""
        self.lines, self._back = condensed(lines), 0
        self._again()

    def look_back(self, pages: int) -> None:
        """Scroll by pages, up if positive."""
        height = max(1, self.size.height)
        most = max(0, len(self._all) - height)
        self._back = min(max(0, self._back + pages * max(1, height - 1)), most)
        self._window()

    def dress(self, palette: Palette) -> None:
        """Choose colours."""
        super().dress(palette)
        self._again()

    def on_resize(self) -> None:
        """Break the lines anew."""
        self._again()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The wheel looks back."""
        event.stop()
        self.look_back(1)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The wheel goes on."""
        event.stop()
        self.look_back(-1)

    def _rows_of(self, lines: Iterable[Line]) -> list[Row]:
        width = max(1, self.size.width - 1)
        marked = [(line, wrap(line, width, self.palette)) for line in lines]
        return [(" " + text, style) for _, rows in marked for text, style in rows]

    def _again(self) -> None:
        self._all = self._rows_of(self.lines)
        self._window()

    def _window(self) -> None:
        height = self.size.height
        end = len(self._all) - self._back
        self.put(self._all[max(0, end - height) : end])
