"""Long texts in pages, with a search: the base of help, log and ledger."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import PurePath
from typing import ClassVar, Generic, NamedTuple

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import BindingType
from textual.screen import Screen
from textual.widgets import Input

from engine.tabletop.board import Line
from engine.tabletop.roles import Tone
from tui.screens.frame import Result, Small, close_once, note_room
from tui.screens.shell import shell_of
from tui.settings import keys
from tui.style import SHEETS
from tui.widgets.key_row import read
from tui.widgets.panels import Bar, Pager, Rows


class Page(NamedTuple):
    """A heading and its lines."""

    title: str
    lines: Sequence[Line]


def titles(names: Sequence[str], at: int, room: int) -> str:
    """Return as many titles of pages as fit in a row, with the one at ``at`` in brackets.

    >>> titles(["Cities", "Armies", "Gold"], 1, 40)
    'Cities [Armies] Gold'
    >>> titles(["Cities", "Armies", "Gold"], 1, 16)
    '< [Armies] >'
    """
    shown = [f"[{name}]" if number == at else name for number, name in enumerate(names)]
    first, last = 0, len(shown)
    while cell_len(text := _part(shown, first, last)) > room and last - first > 1:
        if at - first > last - 1 - at:
            first += 1
        else:
            last -= 1
    return text


def _part(shown: Sequence[str], first: int, last: int) -> str:
    more = "< " if first else ""
    return more + " ".join(shown[first:last]) + (" >" if last < len(shown) else "")


class PagesScreen(Screen[Result], Generic[Result]):
    """Screen of pages; Tab turns them, ``/`` searches."""

    CSS_PATH: ClassVar[list[str | PurePath]] = [SHEETS / "pages.tcss"]
    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("pages")
    pointing = False
    """True if the pager has a cursor on a line."""

    def __init__(self, pages: Sequence[Page] = (), page: int = 0, at: int = 0) -> None:
        super().__init__()
        self.pages = list(pages)
        self.page = page
        self.pager = Pager(pointing=self.pointing, on_point=self.pointed)
        self._at = at
        self._wanted = ""

    def compose(self) -> ComposeResult:
        """Yield the page titles, the page, the search box, the hint and the keys."""
        yield Bar(id="heading")
        yield self.pager
        yield Input(placeholder="Search for", id="search", compact=True)
        yield Bar(id="hint")
        yield Bar(id="keys")
        yield Small()

    shell = cached_property(shell_of)
    """The program around this screen."""

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        """Close this screen and everything on top of it; do nothing if it is already closed."""
        return close_once(self, super().dismiss, result)

    def on_mount(self) -> None:
        """Show the page."""
        self.query_one("#search", Input).display = False
        self.pager.focus()
        self.on_resize()
        self.dress()

    def on_resize(self) -> None:
        """Show a note if the window is below the minimum size."""
        note_room(self)

    def dress(self) -> None:
        """Apply the signs and colours that are chosen in the program."""
        self.pager.dress(self.shell.palette)
        self.query_one("#small", Rows).dress(self.shell.palette)
        self.show(self.page, self._at)

    def show(self, page: int, at: int = 0) -> None:
        """Turn to a page and a line."""
        self.page, self._at = page % max(1, len(self.pages)), at
        self.hint("")  # before the line under the cursor says where it leads
        if self.pages:
            self.pager.fill(self.pages[self.page].lines, at)
        heading = self.shell.palette.heading
        names, room = [page.title for page in self.pages], self.app.size.width - 2
        wide = " ".join(f"[{n}]" if at == self.page else f" {n} " for at, n in enumerate(names))
        tabs = wide if cell_len(wide) <= room else titles(names, self.page, room)
        self.query_one("#heading", Bar).put(tabs, "", heading)
        self.query_one("#keys", Bar).put_keys(read(self.keys_text), self.shell.palette)

    @property
    def keys_text(self) -> str:
        """Text of the keys that matter here."""
        turn = "Tab: next page   " if len(self.pages) > 1 else ""
        return f"{turn}Up, down, PgUp, PgDn: read   /: search   Esc: back"

    def hint(self, text: str, tone: Tone = Tone.QUIET) -> None:
        """Show a text above the keys."""
        self.query_one("#hint", Bar).put(text, "", self.shell.palette.line(tone, -1))

    def pointed(self, at: int) -> None:
        """React to the cursor on line ``at`` (a hook)."""

    # -- keys ------------------------------------------------------------------------------------

    def check_action(
        self,
        action: str,
        parameters: tuple[object, ...],  # noqa: ARG002 - Textual hands them over
    ) -> bool | None:
        """Return False for the letter keys while a search is typed, which disables them."""
        typing = isinstance(self.focused, Input)
        return not (typing and action in {"turn", "search", "again", "choose"})

    def action_turn(self, by: int) -> None:
        """Turn to the next page or the previous one."""
        self.show(self.page + by)

    def action_search(self) -> None:
        """Ask for a text to search for."""
        box = self.query_one("#search", Input)
        box.display = True
        box.value = ""
        box.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go to the first matching line, on this page or a later one."""
        self._end_search()
        self._wanted = event.value.strip()
        if self._wanted:
            self._seek(1, here=True)

    def action_again(self, by: int) -> None:
        """Go to the next matching line, or to the previous one."""
        if self._wanted:
            self._seek(by, here=False)

    def _seek(self, by: int, *, here: bool) -> None:
        if self.pager.lines and self.pager.search(self._wanted, by, here=here):
            self.hint(f"Found: {self._wanted}. n: next, N: before.")
            return
        for step in range(1, len(self.pages)):
            number = (self.page + step) % len(self.pages)
            lines = self.pages[number].lines
            found = [
                n for n, line in enumerate(lines) if self._wanted.casefold() in line.text.casefold()
            ]
            if found:
                self.show(number, found[0])
                return
        self.hint(f"Nothing says {self._wanted!r}.", Tone.BAD)

    def _end_search(self) -> None:
        self.query_one("#search", Input).display = False
        self.pager.focus()

    def action_choose(self) -> None:
        """Choose the line under the cursor (a hook)."""

    def action_leave(self) -> None:
        """Leave the search, or close the screen."""
        if isinstance(self.focused, Input):
            self._end_search()
        else:
            self.dismiss(None)

    def on_key(self, event: events.Key) -> None:
        """Leave the search box on Escape, if the cursor is in it."""
        if event.key == "escape" and isinstance(self.focused, Input):
            event.stop()
            self._end_search()
