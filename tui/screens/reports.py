"""Reports: tables with sorting and search, and charts of statistics by round."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import PurePath
from typing import ClassVar, Final

from rich.cells import cell_len, set_cell_size
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Input, Static

from engine.tabletop.presenter import presenter_of
from engine.tabletop.report import Report, ReportCell, ReportRow
from engine.tabletop.roles import Tone
from tui.play.report_words import history_lines, in_words, is_numeric, lines, ordered
from tui.replay.history import History
from tui.screens.frame import Small
from tui.screens.pages import Page, PagesScreen, titles
from tui.settings import keys
from tui.settings.keymap import known, shown
from tui.style import SHEETS
from tui.widgets.charts import SMALLEST, chart
from tui.widgets.jobs import begin, sliced
from tui.widgets.panels import Bar

_WIDEST: Final = 130
_HIGHEST: Final = 30
"""Maximum columns and rows of a chart; more would only stretch it."""

_HISTORY: Final = "History"


class Chart(Static, can_focus=True):
    """A chart with keys that switch to other statistics."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("history")


class ReportsScreen(PagesScreen[tuple[int, int]]):
    """A page for each report, and one of charts. It closes with the cell of the map to go to."""

    CSS_PATH: ClassVar[list[str | PurePath]] = [SHEETS / "pages.tcss", SHEETS / "reports.tcss"]
    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("reports")
    pointing = True

    def __init__(
        self, reports: Sequence[Report], history: Callable[[], History], names: Sequence[str]
    ) -> None:
        """Show reports; ``history`` makes a history that is read when charts are opened.

        ``names`` are those of the seats.
        """
        super().__init__()
        self._reports = tuple(reports)
        self._make_history = history
        self._history: History | None = None
        self._reading = False
        """True while the log is being read."""
        self._names = tuple(names)
        self._number = 0
        """Index of the statistic that is drawn."""
        self._order: dict[str, tuple[int, bool]] = {}
        """By title of a report: the column to sort by, and whether in descending order."""
        self._rows: list[tuple[ReportRow, ...]] = []
        """Rows of each report, in the order of its page."""
        self._chart = Chart("", id="chart")

    def compose(self) -> ComposeResult:
        """Yield titles, headings, the rows or a chart, the search box, the hint and the keys."""
        yield Bar(id="heading")
        yield Bar(id="columns")
        yield self.pager
        yield self._chart
        yield Input(placeholder="Search for", id="search", compact=True)
        yield Bar(id="hint")
        yield Bar(id="keys")
        yield Small()

    # -- layout ----------------------------------------------------------------------------------

    @property
    def report(self) -> Report | None:
        """The report that is shown, or None for the charts."""
        return self._reports[self.page] if self.page < len(self._reports) else None

    @property
    def _is_spoken(self) -> bool:
        return self.shell.settings.reader == "on"

    def on_resize(self) -> None:
        """Lay the columns out again."""
        if self.pages:
            self.call_after_refresh(self.dress)

    def dress(self) -> None:
        """Apply the chosen signs and colours, and the present size."""
        self.set_class(self._is_spoken, "reader")
        self._lay_out()
        self._at = self.pager.at if self.pager.lines else 0
        super().dress()

    def _lay_out(self) -> None:
        self._rows = [self._sorted(report) for report in self._reports]
        pages = [self._page(*pair) for pair in zip(self._reports, self._rows, strict=True)]
        spoken = self._history is not None and self._is_spoken
        told = history_lines(self._history, self._names) if spoken and self._history else ()
        self.pages = [*pages, Page(_HISTORY, told)]

    def _sorted(self, report: Report) -> tuple[ReportRow, ...]:
        if report.name not in self._order:
            return report.rows
        column, downwards = self._order[report.name]
        return ordered(report, column, downwards=downwards)

    def _page(self, report: Report, rows: Sequence[ReportRow]) -> Page:
        if self._in_words(report):
            texts = [in_words(report, row) for row in rows]
        else:
            wide = widths(report, self._room)
            texts = [row_text(report, row.cells, wide) for row in rows]
        return Page(report.title, lines(report, rows, texts))

    def _in_words(self, report: Report) -> bool:
        """Return whether rows are written as sentences instead of columns."""
        return self._is_spoken or not fits(report, self._room)

    @property
    def _room(self) -> int:
        """Columns of a row."""
        return max(8, self.app.size.width - 2)

    def show(self, page: int, at: int = 0) -> None:
        """Turn to a page and a row."""
        super().show(page, at)
        report = self.report
        charting = report is None and not self._is_spoken
        self.set_class(charting, "chart")
        (self._chart if charting else self.pager).focus()
        palette = self.shell.palette
        tabs = titles([one.title for one in self.pages], self.page, self._room)
        self.query_one("#heading", Bar).put(tabs, "", palette.heading)
        above = ""
        if report is not None and not self._in_words(report):
            column = self._order.get(report.name, (-1, False))[0]
            above = heading(report, widths(report, self._room), column)
        self.query_one("#columns", Bar).put(above, "", palette.line(Tone.TITLE, -1))
        if report is None:
            self._show_history()
        else:
            self.pointed(self.pager.at)

    @property
    def keys_text(self) -> str:
        """Text of the keys that matter here."""
        if self.report is None:
            return "Up, down: other numbers   Tab: next report   Esc: back"
        names = known()
        sort, turn = (
            shown(self.shell.keymap.of(names[which])[0])
            for which in ("reports.sort", "reports.reverse")
        )
        return (
            f"Tab: next report  Enter: go there  {sort}: sort  {turn}: other way  /: search"
            "  Esc: back"
        )

    def pointed(self, at: int) -> None:
        """Show in the hint the row's place, and the whole row if it is cut off."""
        report = self.report
        if report is None or not self.is_mounted:
            return
        rows = self._rows[self.page]
        row = rows[at] if at < len(rows) else None
        text = self.pages[self.page].lines[at].text if row is not None else ""
        cut = row is not None and not self._in_words(report) and "~" in text
        place = f"Enter: to {row.at[0]},{row.at[1]}" if row is not None and row.at else ""
        style = self.shell.palette.line(Tone.QUIET, -1)
        said = in_words(report, row) if cut and row is not None else ""
        self.query_one("#hint", Bar).put(said, place, style)

    # -- rows ------------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return False for the letter keys while a search is typed, which disables them."""
        if isinstance(self.focused, Input) and action in {"sort", "reverse"}:
            return False
        return super().check_action(action, parameters)

    def action_choose(self) -> None:
        """Go to the place of the row, if it has one."""
        rows = self._rows[self.page] if self.report is not None else ()
        if self.pager.at < len(rows) and (at := rows[self.pager.at].at) is not None:
            self.dismiss(at)

    def action_sort(self) -> None:
        """Sort by the next column, numbers in descending order; after the last, do not sort."""
        report = self.report
        if report is None:
            return
        column = self._order.get(report.name, (-1, False))[0] + 1
        if column < len(report.columns):
            self._order[report.name] = column, is_numeric(report, column)
        else:
            self._order.pop(report.name)
        self._sort_anew(report)

    def action_reverse(self) -> None:
        """Reverse the order of the rows."""
        report = self.report
        if report is not None and report.columns:
            column, downwards = self._order.get(report.name, (0, True))
            self._order[report.name] = column, not downwards
            self._sort_anew(report)

    def _sort_anew(self, report: Report) -> None:
        self._lay_out()
        self.show(self.page)
        if report.name in self._order:
            column, downwards = self._order[report.name]
            way = "from the largest on" if downwards else "from the smallest on"
            if not is_numeric(report, column):
                way = "backwards" if downwards else "from A to Z"
            self.hint(f"Sorted by {report.columns[column].heading}, {way}.")
        else:
            self.hint("In the usual order.")

    # -- history ---------------------------------------------------------------------------------

    def _show_history(self) -> None:
        if self._history is None:
            self._history = self._make_history()
            self._reading = True
            begin(self, self._read, "history")
        if self._reading:
            self.hint("Reading the game.")
        self.call_after_refresh(self._draw)

    async def _read(self) -> None:
        """Walk through the game in slices."""
        history = self._history
        if history is None:
            return
        async for _ in sliced(history.walk()):
            pass
        self._reading = False
        self._lay_out()
        if self.report is None:
            self.show(self.page)

    def action_number(self, by: int) -> None:
        """Draw the next statistic, or the previous one."""
        self._number += by
        self._draw()

    def _draw(self) -> None:
        """Draw the chosen statistic for the rounds so far."""
        history, shell = self._history, self.shell
        if history is None or self.report is not None or self._is_spoken:
            return
        if not history.names:
            self._chart.update(history.fault or "The game is being read.")
            return
        name = history.names[self._number % len(history.names)]
        series = history.of(name)
        width, height = self._chart.content_size
        width, height = min(width, _WIDEST), min(height - 1, _HIGHEST)
        word = presenter_of(history.rules).round_word
        text = Text(f"{name.capitalize()}, by {word}s; up and down: {self._others(name)}\n")
        if width < SMALLEST[0] or height < SMALLEST[1]:
            text.append("There is no room for a chart.")
        else:
            drawn = chart(
                series, self._names, width, height, shell.palette, shell.glyphs,
                first=history.first_round,
            )  # fmt: skip
            text.append_text(drawn if drawn.plain else Text("Nothing is known of it."))
        self._chart.update(text)
        if self._reading:
            return
        hidden = any(not curve for curve in series)
        self.hint("What you cannot know of others is left out." if hidden else "")

    def _others(self, name: str) -> str:
        history = self._history
        names = history.names if history is not None else []
        return ", ".join(other for other in names if other != name)


# -- columns ---------------------------------------------------------------------------------------


_APART: Final = 2
"""Spaces between two columns."""

_LEAST: Final = 6
"""Minimum width of a column of text."""


def widths(report: Report, room: int) -> list[int]:
    """Return the widths of a report's columns in ``room``.

    If they do not fit, the widest text columns shrink.
    """
    cells = [
        [column.heading, *(str(row.cells[at]) for row in report.rows)]
        for at, column in enumerate(report.columns)
    ]
    found = [max(map(cell_len, column)) for column in cells]
    while sum(found) + _APART * (len(found) - 1) > room:
        soft = [at for at, column in enumerate(report.columns) if column.align == "left"]
        widest = max(soft or range(len(found)), key=lambda at: (found[at], -at))
        if found[widest] <= _LEAST:
            break
        found[widest] -= 1
    return found


def fits(report: Report, room: int) -> bool:
    """Return whether the columns of a report fit side by side."""
    wide = widths(report, room)
    return sum(wide) + _APART * (len(wide) - 1) <= room


def heading(report: Report, wide: Sequence[int], sorted_by: int = -1) -> str:
    """Return the headings of columns as a row; the one at index ``sorted_by`` is in capitals."""
    names = [
        column.heading.upper() if at == sorted_by else column.heading
        for at, column in enumerate(report.columns)
    ]
    return row_text(report, names, wide)


def row_text(report: Report, cells: Sequence[ReportCell], wide: Sequence[int]) -> str:
    """Return the cells of a row as text, aligned to the widths in ``wide``."""
    parts = [
        _fitted(str(cell), width, right=column.align == "right")
        for cell, width, column in zip(cells, wide, report.columns, strict=True)
    ]
    return (" " * _APART).join(parts).rstrip()


def _fitted(text: str, width: int, *, right: bool) -> str:
    size = cell_len(text)
    if size > width:
        return set_cell_size(text, max(0, width - 1)) + "~"
    return " " * (width - size) + text if right else text + " " * (width - size)
