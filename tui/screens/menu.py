"""Screens made of a heading, a list and a note, perhaps with a pane beside the list."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import PurePath
from typing import Any, ClassVar, Generic

from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import BindingType
from textual.containers import Container
from textual.screen import Screen
from textual.widgets import Static

from engine.tabletop.board import Line
from engine.tabletop.roles import Tone
from tui.screens.dialog import ChoiceList
from tui.screens.frame import Result, Small, ask, close_once, names_of_keys, note_room, while_open
from tui.screens.shell import shell_of
from tui.settings import keys
from tui.settings.keymap import spelt
from tui.style import SHEETS
from tui.widgets.board import BoardView
from tui.widgets.key_row import read, row_of
from tui.widgets.panels import Bar, Rows

_MARGIN = 3
"""Columns of the row of keys that stay empty."""


class MenuScreen(Screen[Result], Generic[Result]):
    """A heading, a list, a note about the row under the cursor, and the keys."""

    CSS_PATH: ClassVar[list[str | PurePath]] = [
        SHEETS / "menu.tcss",
        SHEETS / "start.tcss",
        SHEETS / "dialog.tcss",
    ]
    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("menu")
    heading = ""
    keys_text = "Enter: choose   {key:menu.leave}: back"
    """Text of the bar at the bottom; ``{key:ID}`` is the key of a binding."""

    def __init__(self) -> None:
        super().__init__()
        self._keys_now = self.keys_text

    def compose(self) -> ComposeResult:
        """Yield the parts, from top to bottom."""
        yield Bar(id="heading")
        with Container(id="middle"):
            yield from self.middle()
        yield Static("", id="note")
        yield Static("", id="fault")
        yield Bar(id="keys")
        yield Small()

    def middle(self) -> ComposeResult:
        """Yield the list, and anything beside it."""
        yield ChoiceList()

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

    @property
    def choices(self) -> ChoiceList:
        """The list of choices."""
        return self.query_one(ChoiceList)

    def on_mount(self) -> None:
        """Fill in the heading and the row of keys."""
        self.share_room()
        self.dress()

    def dress(self) -> None:
        """Apply the signs and colours that are chosen in the program."""
        shell = self.shell
        self.query_one("#heading", Bar).put(f" {self.heading}", "Banneret ", shell.palette.heading)
        self.put_keys(self._keys_now)
        for rows in self.query(Rows):
            rows.dress(shell.palette)
        for board in self.query(BoardView):
            board.dress(shell.glyphs, shell.palette)

    def put_keys(self, text: str) -> None:
        """Show a row of keys from a text like ``keys_text``; only the last one is sure to fit."""
        self._keys_now = text
        parts = read(spelt(text, self.key_names()))
        row, _ = row_of(parts[:-1], parts[-1:], self.app.size.width - _MARGIN)
        self.query_one("#keys", Bar).put_keys(row, self.shell.palette)

    def on_descendant_focus(self) -> None:
        """Update the keys, as the active bindings depend on the focus."""
        self.put_keys(self._keys_now)

    def key_names(self) -> dict[str, str]:
        """Return the first key of each active binding by its id."""
        return names_of_keys(self)

    def on_resize(self) -> None:
        """Fit the parts and the row of keys to the new size."""
        self.share_room()
        self.put_keys(self._keys_now)

    def share_room(self) -> None:
        """Hide parts that do not fit, and show a note below the minimum size."""
        note_room(self)

    def ink(self, tone: Tone) -> Style:
        """Return the text style of a tone without background, for rows that may be highlighted."""
        style = self.shell.palette.line(tone, -1)
        return Style(color=style.color, bold=style.bold, dim=style.dim)

    def note(self, text: str) -> None:
        """Explain the row under the cursor."""
        self.query_one("#note", Static).update(Text(text))

    def fault(self, text: str) -> None:
        """Show what went wrong; an empty text hides the row."""
        row = self.query_one("#fault", Static)
        row.update(Text(text))
        row.display = bool(text)

    def action_leave(self) -> None:
        """Close without a result."""
        self.dismiss(None)

    def ask_leave(self, title: str, text: str, yes: str) -> None:
        """Ask with a window whether to close this screen; ``yes`` is the word for closing it.

        Escape is easily pressed once too often on the way back.
        """
        from tui.screens.ask import Confirm  # noqa: PLC0415 - not before it is needed

        window = Confirm(title, (Line(text, Tone.QUIET),), yes, "stay")
        ask(self.app, window, lambda _: self.action_leave())
