"""Widgets of text lines: rows and bars, the battle log, pages with scrolling and search."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, NamedTuple, TypeAlias

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import BindingType
from textual.geometry import Region
from textual.strip import Strip

from engine.tabletop.board import Line, condensed
from engine.tabletop.roles import Tone
from tui.settings import keys
from tui.style.palette import FULL, Palette
from tui.terminal.painted import Painted
from tui.widgets.key_row import KeyWord, segments_of

StyledRow: TypeAlias = tuple[str, Style]


class PartsRow(NamedTuple):
    """Row with parts in several styles."""

    parts: tuple[Segment, ...]


AnyRow: TypeAlias = StyledRow | PartsRow


class Rows(Painted):
    """Rows of text, each in one style; only changed rows are painted again."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's word
        super().__init__(id=id)
        self.palette: Palette = FULL
        self._rows: list[AnyRow] = []

    def put(self, rows: Sequence[AnyRow]) -> None:
        """Show these rows instead; only changed ones are painted again."""
        old, self._rows = self._rows, list(rows)
        changed = [
            y
            for y in range(max(len(old), len(rows)))
            if y >= len(old) or y >= len(rows) or old[y] != rows[y]
        ]
        width, height = self.size
        regions = [Region(0, y, width, 1) for y in changed if y < height]
        if regions:
            self.refresh(*regions)

    def dress(self, palette: Palette) -> None:
        """Set colours, and redraw."""
        self.palette = palette
        self.refresh()

    def wrapped(self, lines: Iterable[Line]) -> list[AnyRow]:
        """Return the lines wrapped to rows of the widget's width."""
        return [row for line in lines for row in wrap(line, self.size.width, self.palette)]

    def fitted(self, lines: Iterable[Line]) -> list[AnyRow]:
        """Return the lines as rows that fit; if they do not, the last row counts the omitted."""
        rows, height = self.wrapped(lines), self.size.height
        if len(rows) <= height or height < 2:
            return rows
        more = Line(f"({len(rows) - height + 1} more rows)", Tone.QUIET)
        return [*rows[: height - 1], *wrap(more, self.size.width, self.palette)]

    def render_line(self, y: int) -> Strip:
        """Render one row of the screen."""
        width = self.size.width
        if y >= len(self._rows):
            return Strip([Segment(" " * width, self.palette.blank)], width)
        row = self._rows[y]
        if isinstance(row, PartsRow):
            return Strip(row.parts).adjust_cell_length(width, self.palette.blank)
        text, style = row
        rest = width - cell_len(text)
        if rest <= 0:
            return Strip([Segment(set_cell_size(text, width), style)], width)
        # Blanks have no text colour, so recolouring a line does not send them again.
        return Strip([Segment(text, style), Segment(" " * rest, self.palette.blank)], width)


def wrap(line: Line, width: int, palette: Palette) -> list[StyledRow]:
    """Wrap a line to rows of a width; continued rows are indented."""
    style = palette.line(line.tone, line.seat)
    text = line.text
    if cell_len(text) <= width:
        return [(text, style)]
    parts = textwrap.wrap(text, max(8, width), subsequent_indent="  ", break_on_hyphens=False)
    return [(part, style) for part in parts]


class Bar(Painted):
    """One row with a text at the left and another at the right."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's word
        super().__init__(id=id)
        self._row: tuple[str, str, Style] = ("", "", Style())
        self._words: tuple[Sequence[KeyWord], Palette] | None = None
        """Keys and palette from which ``_keys`` was built."""
        self._keys: tuple[Segment, ...] = ()
        """Segments of a row of keys, shown in place of the left text."""

    @property
    def text(self) -> str:
        """The text at the left."""
        return self._row[0]

    def room(self, right: str) -> int:
        """Return the columns left for the left text beside ``right``."""
        return self.size.width - cell_len(right) - 3

    def put(self, left: str, right: str, style: Style) -> None:
        """Show these texts."""
        if (left, right, style) != self._row or self._keys:
            self._row, self._keys = (left, right, style), ()
            self.refresh()

    def put_keys(self, row: Sequence[KeyWord], palette: Palette) -> None:
        """Show a row of keys."""
        if self._keys and (row, palette) == self._words:
            return
        self._words = row, palette
        segments = tuple(segments_of(row, palette))
        if segments != self._keys:
            text = "".join(segment.text for segment in segments)
            self._row, self._keys = (text, "", palette.heading), segments
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """Render the row; the left text is cut in favour of the right one."""
        left, right, style = self._row
        width = self.size.width
        if y:
            return Strip([Segment(" " * width, style)], width)
        if self._keys:
            strip = Strip([Segment(" ", style), *self._keys])
            return strip.adjust_cell_length(width, style)
        space = width - cell_len(right) - 2 if right else width - 1
        text = set_cell_size(" " + left, max(0, space)) + " " + (right + " " if right else "")
        return Strip([Segment(set_cell_size(text, width), style)], width)


# -- the battle log --------------------------------------------------------------------------------


_MOST_KEPT = 2000
"""Maximum number of lines that are kept."""


class BattleLog(Rows):
    """The latest lines at the bottom; ``look_back`` scrolls."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's word
        super().__init__(id=id)
        self.lines: list[Line] = []
        """All lines, with details that are not shown here."""
        self._shown: list[Line] = []
        self.fresh_only = False
        """True if only the latest lines are shown, for screen readers."""
        self._all: list[StyledRow] = []
        self._back = 0

    def say(self, lines: Iterable[Line]) -> None:
        """Append lines and scroll to the newest."""
        new = list(lines)
        if not new:
            return
        self._back = 0
        kept = condensed([*self.lines[-1:], *new], details=True)
        self.lines = (self.lines[:-1] + kept)[-_MOST_KEPT:]
        if self.fresh_only:
            self._shown = (self._shown + condensed(new))[-_MOST_KEPT:]
            self._all = self._rows_of(condensed(new))
            self._window()
            return
        shown = condensed([*self._shown[-1:], *new])
        if self._shown and shown[0] is not self._shown[-1]:
            self._shown = (self._shown[:-1] + shown)[-_MOST_KEPT:]
            self._again()
            return
        added = shown[1:] if self._shown else shown
        self._shown = (self._shown + added)[-_MOST_KEPT:]
        self._all = (self._all + self._rows_of(added))[-_MOST_KEPT:]
        self._window()

    def speak(self, lines: Iterable[Line]) -> None:
        """Show only these lines, without adding them to the log."""
        self._back = 0
        self._all = self._rows_of(lines)
        self._window()

    def restore(self) -> None:
        """Show the log again after ``speak``."""
        self._again()

    def tell_before(self, lines: Iterable[Line]) -> None:
        """Insert lines about earlier events above the present ones."""
        self.lines = condensed([*lines, *self.lines], details=True)[-_MOST_KEPT:]
        self._shown = condensed(self.lines)
        self._again()

    def start_anew(self, lines: Iterable[Line]) -> None:
        """Replace all lines."""
        self.lines, self._back = condensed(lines, details=True), 0
        self._shown = condensed(self.lines)
        self._again()

    def look_back(self, pages: int) -> None:
        """Scroll by ``pages``; positive is towards older lines."""
        height = max(1, self.size.height)
        most = max(0, len(self._all) - height)
        self._back = min(max(0, self._back + pages * max(1, height - 1)), most)
        self._window()

    def dress(self, palette: Palette) -> None:
        """Set colours, and wrap the lines again."""
        super().dress(palette)
        self._again()

    def on_resize(self) -> None:
        """Wrap the lines again."""
        self._again()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll up with the wheel."""
        event.stop()
        self.look_back(1)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll down with the wheel."""
        event.stop()
        self.look_back(-1)

    def _rows_of(self, lines: Iterable[Line]) -> list[StyledRow]:
        width = max(1, self.size.width - 1)
        marked = [(line, wrap(line, width, self.palette)) for line in lines]
        return [(" " + text, style) for _, rows in marked for text, style in rows]

    def _again(self) -> None:
        self._all = self._rows_of(self._shown)
        self._window()

    def _window(self) -> None:
        height = self.size.height
        end = len(self._all) - self._back
        self.put(self._all[max(0, end - height) : end])


# -- long text -------------------------------------------------------------------------------------


class Pager(Rows, can_focus=True):
    """Lines that can be scrolled, optionally with a cursor on a line."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("pager")

    def __init__(
        self,
        *,
        pointing: bool = False,
        on_point: Callable[[int], None] | None = None,
        id: str | None = None,  # noqa: A002 - Textual's word
    ) -> None:
        """Make the pager; ``pointing``: up and down move a cursor over lines rather than scroll."""
        super().__init__(id=id)
        self.lines: list[Line] = []
        self.at = 0
        """Index of the line under the cursor."""
        self.top = 0
        """Index of the first visible row."""
        self._pointing = pointing
        self._on_point = on_point
        self._all: list[StyledRow] = []
        self._starts: list[int] = []
        """The first row of each line."""

    def fill(self, lines: Sequence[Line], at: int = 0) -> None:
        """Show other lines, with line ``at`` under the cursor."""
        self.lines = list(lines)
        self.at = max(0, min(at, len(self.lines) - 1))
        self._lay_out()

    def on_resize(self) -> None:
        """Wrap the lines again."""
        self._lay_out()

    def dress(self, palette: object) -> None:
        """Set colours, and wrap the lines again."""
        super().dress(palette)  # type: ignore[arg-type]  # narrowed by the caller
        self._lay_out()

    def _lay_out(self) -> None:
        width = max(8, self.size.width - 1)
        self._all, self._starts = [], []
        for line in self.lines if self.size else ():  # a resize follows once there is space
            self._starts.append(len(self._all))
            self._all += wrap(line, width, self.palette)
        self.reveal(self.at)

    # -- moving ----------------------------------------------------------------------------------

    @property
    def most(self) -> int:
        """Maximum value of ``top``."""
        return max(0, len(self._all) - max(1, self.size.height))

    def reveal(self, at: int) -> None:
        """Move the cursor to a line and scroll it into the window."""
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
        """Move the cursor by some lines; without a cursor, scroll by rows."""
        if self._pointing:
            self.reveal(self.at + rows)
        else:
            self._to(self.top + rows)

    def action_page(self, pages: int) -> None:
        """Move the cursor by some pages; without a cursor, scroll by pages."""
        height = max(1, self.size.height - 1)
        if self._pointing:
            self.reveal(self.at + pages * height)
        else:
            self._to(self.top + pages * height)

    def action_end(self, which: int) -> None:
        """Go to the start (-1) or to the end (1)."""
        if self._pointing:
            self.reveal(len(self.lines) - 1 if which > 0 else 0)
        else:
            self._to(self.most if which > 0 else 0)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll down with the wheel."""
        event.stop()
        self.action_by(3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll up with the wheel."""
        event.stop()
        self.action_by(-3)

    def on_click(self, event: events.Click) -> None:
        """Move the cursor to the line that was clicked."""
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
        """Go to the next line (``by`` -1: previous) that contains a text, cyclically.

        With ``here`` the current line counts too. Return whether there is one.
        """
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
