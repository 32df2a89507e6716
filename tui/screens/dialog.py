"""Small windows over a screen: a title, lines, and a list or an entry."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar, cast

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from engine.tabletop.board import Line
from tui import keys
from tui.screens.closing import ClosesOnce
from tui.small import Small, note_room

if TYPE_CHECKING:
    from tui.client import Banneret

Result = TypeVar("Result")

_LEAST_WIDTH = 8
"""Columns that a list is measured with at least, paddings included."""


class Choices(OptionList):
    """A list that also listens to the letters."""

    BINDINGS: ClassVar[list[BindingType]] = list(keys.LISTS)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Rows for all options, also where there is no room for any: rich breaks no line there."""
        return super().get_content_height(container, viewport, max(width, _LEAST_WIDTH))

    def action_page_down(self) -> None:
        """A page on, where there is room for one; without room Textual knows no rows."""
        if self.scrollable_content_region:
            self._move_page(1)

    def action_page_up(self) -> None:
        """A page back, where there is room for one."""
        if self.scrollable_content_region:
            self._move_page(-1)


class Reading(VerticalScroll):
    """What is to be read; where it is longer than there is room its keys scroll it."""


class Dialog(ModalScreen[Result], ClosesOnce[Result], Generic[Result]):
    """The frame: Escape leaves without an answer."""

    CSS_PATH = "../style/dialog.tcss"
    BINDINGS: ClassVar[list[BindingType]] = list(keys.DIALOG)
    keys_text = "Enter: choose   Esc: cancel"
    reads: ClassVar[bool] = False
    """Whether there is only something to read: then up and down scroll it."""

    def __init__(self, title: str, lines: Sequence[Line] = ()) -> None:
        super().__init__()
        self._title = title
        self._lines = tuple(lines)

    def compose(self) -> ComposeResult:
        """Title, lines, what the dialogue is for, keys."""
        app = cast("Banneret", self.app)
        self.set_class(app.glyphs == "ascii", "plain-box")
        self.set_class(app.settings.reader == "on", "no-box")
        with Vertical(id="box"):
            yield Static(Text(self._title), id="title")
            if self._lines:
                yield Reading(Static(self._text(), id="lines"), can_focus=self.reads)
            yield from self.body()
            yield Static(Text(self.keys_text), id="keys")
        yield Small()

    def on_resize(self) -> None:
        """Below the least size say so."""
        note_room(self)

    def dress(self) -> None:
        """Take the colours that are chosen in the program while this is open."""
        for lines in self.query("#lines").results(Static):
            lines.update(self._text())

    def body(self) -> ComposeResult:
        """What the dialogue is for."""
        yield from ()

    def _text(self) -> Text:
        palette = cast("Banneret", self.app).palette
        text = Text()
        for number, line in enumerate(self._lines):
            style = palette.line(line.tone, line.seat)
            rule = f" [{line.rule}]" if line.rule else ""
            ink = style.color.name if style.color is not None else ""
            text.append(("\n" if number else "") + line.text + rule, style=ink)
        return text

    def action_cancel(self) -> None:
        """No answer."""
        self.dismiss(None)


class Entry(Option):
    """A row of a list with a value of its own."""

    def __init__(self, text: Text, value: str, *, disabled: bool = False) -> None:
        super().__init__(text, id=value, disabled=disabled)


def option(label: str, reason: str = "", value: str = "") -> Option:
    """A row of a list; a reason greys it out."""
    text = Text(label)
    if reason:
        text.append(f"  {reason}", style="italic")
    return Option(text, id=value or None, disabled=bool(reason))
