"""One box for everything that has a name: type some of it, choose, be there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from engine.tabletop.roles import Tone
from tui.screens.dialog import Choices, Dialog
from tui.settings import keys
from tui.widgets.finder import Found, search

_WIDTH = 65
"""Columns of a row, where there is room for them."""

_KEY = 12
"""Columns of its key or kind at the right; in narrow windows as many as it takes."""

_FRAME = 4
"""Columns of the window around a row."""


class FindScreen(Dialog[Found]):
    """Ends with what was chosen."""

    BINDINGS: ClassVar[list[BindingType]] = list(keys.FIND)
    keys_text = "Type some of its letters   Up, down: choose   Enter: go   Esc: back"

    def __init__(self, title: str, entries: Sequence[Found], wanted: str = "") -> None:
        super().__init__(title)
        self._entries = tuple(entries)
        self._wanted = wanted
        self._found: list[Found] = []

    def body(self) -> ComposeResult:
        """What is typed, what fits, and a word about the one under the cursor."""
        yield Input(self._wanted, id="wanted", compact=True)
        yield Choices(id="found")
        yield Static("", id="about")

    def on_mount(self) -> None:
        """Begin to type."""
        self.query_one(Choices).can_focus = False
        self.query_one(Input).focus()
        self._fill(self._wanted)

    def dress(self) -> None:
        """The rows are coloured too."""
        super().dress()
        at = self.query_one(Choices).highlighted
        self._fill(self.query_one(Input).value)
        self.query_one(Choices).highlighted = at
        self._explain()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Other letters, other entries."""
        self._fill(event.value)

    def _fill(self, wanted: str) -> None:
        self._found = search(self._entries, wanted)
        choices = self.query_one(Choices)
        choices.clear_options()
        quiet = self.shell.palette.line(Tone.QUIET, -1).color
        grey = quiet.name if quiet is not None else ""
        choices.add_options([Option(_row(found, grey, self._width)) for found in self._found])
        possible = (n for n, found in enumerate(self._found) if not found.reason)
        choices.highlighted = next(possible, 0 if self._found else None)
        self._explain()

    def _explain(self) -> None:
        at = self.query_one(Choices).highlighted
        about = self.query_one("#about", Static)
        if at is None:
            about.update("Nothing fits.")
            return
        found = self._found[at]
        text = f"Not now: {found.reason}." if found.reason else found.about
        about.update(Text(text[: self._width]))

    @property
    def _width(self) -> int:
        """Columns of a row."""
        return min(_WIDTH, self.app.size.width - _FRAME)

    def on_resize(self) -> None:
        """Rows as wide as there is room."""
        self.call_after_refresh(self.dress)

    def action_turn(self, by: int) -> None:
        """The next entry or the one before."""
        choices = self.query_one(Choices)
        if by > 0:
            choices.action_cursor_down()
        else:
            choices.action_cursor_up()
        self._explain()

    def on_input_submitted(self) -> None:
        """That one."""
        at = self.query_one(Choices).highlighted
        if at is not None:
            self._take(at)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A click chooses."""
        self._take(event.option_index)

    def _take(self, at: int) -> None:
        """End with an entry, unless it cannot be chosen now; why not is shown already."""
        if self._found[at].reason:
            self._explain()
        else:
            self.dismiss(self._found[at])


def _row(found: Found, grey: str, width: int) -> Text:
    key = (found.key or found.label).rjust(_KEY if width == _WIDTH else 0)
    room = width - len(key) - 1
    text = Text(f"{found.text[:room]:<{room}} {key}")
    if found.reason:
        text.stylize(f"italic {grey}".strip())
    return text
