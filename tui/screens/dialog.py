"""Small windows over a screen: a title, lines, and a list or an entry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Generic

from rich.style import Style
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from engine.tabletop.board import Line
from engine.tabletop.roles import Tone
from tui.screens.frame import Result, Small, close_once, note_room
from tui.screens.shell import shell_of
from tui.settings import keys
from tui.terminal.internals import turn_page
from tui.widgets.key_row import read

_PART = 90
"""Percent of the screen's rows that a window takes at most, where there is room for more."""

_MOST_LISTED = 16
_LEAST_LISTED = 4
"""Rows of a list: at most, and those that a text above it leaves to it."""

_LEAST_WIDTH = 8
"""Columns that a list is measured with at least, paddings included."""


class ChoiceList(OptionList):
    """A list that also listens to the letters."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("list")

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Rows for all options, also where there is no room for any: rich breaks no line there."""
        return super().get_content_height(container, viewport, max(width, _LEAST_WIDTH))

    def on_resize(self) -> None:
        """Keep what is chosen in sight when there is other room."""
        self.call_after_refresh(self.scroll_to_highlight)

    def action_page_down(self) -> None:
        """A page on, where there is room for one."""
        turn_page(self, 1)

    def action_page_up(self) -> None:
        """A page back, where there is room for one."""
        turn_page(self, -1)


class DialogText(Static):
    """A text of a window; when it takes other room, the list or what is read has other room too."""

    def on_resize(self) -> None:
        """Share out the rows anew."""
        if isinstance(self.screen, Dialog):
            self.screen.share_rows()


class ReadingPane(VerticalScroll):
    """Text to be read; where it is longer than there is room its keys scroll it."""


class Dialog(ModalScreen[Result], Generic[Result]):
    """The frame: Escape leaves without an answer."""

    CSS_PATH = "../style/dialog.tcss"
    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("dialog")
    keys_text = "Enter: choose   Esc: cancel"
    reads: ClassVar[bool] = False
    """True if there is only something to read: then up and down scroll it."""

    def __init__(self, title: str, lines: Sequence[Line] = ()) -> None:
        super().__init__()
        self._title = title
        self._lines = tuple(lines)

    shell = cached_property(shell_of)
    """The program around this screen."""

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        """Close once, with all that is open over this screen."""
        return close_once(self, super().dismiss, result)

    def compose(self) -> ComposeResult:
        """Title, lines, what the dialogue is for, keys."""
        self.set_class(self.shell.glyphs == "ascii", "plain-box")
        self.set_class(self.shell.settings.reader == "on", "no-box")
        with Vertical(id="box"):
            yield DialogText(Text(self._title), id="title")
            if self._lines:
                yield ReadingPane(Static(self._text(), id="lines"), can_focus=self.reads)
            yield from self.body()
            yield DialogText("", id="fault")
            yield DialogText(self._keys(), id="keys")
        yield Small()

    def _keys(self) -> Text:
        """The keys, which stand out from their words."""
        ink = self.shell.palette.line(Tone.TITLE, -1).color
        style = Style(color=ink, bold=True)
        text = Text()
        for key, word in read(self.keys_text):
            text.append("   " if text else "").append(key, style)
            text.append(f" {word}" if key else word)
        return text

    def on_resize(self) -> None:
        """Share out the rows; below the least size say so."""
        note_room(self)
        self.call_after_refresh(self.share_rows)

    def share_rows(self) -> None:
        """Give what is read and the list the rows that everything else in the window leaves.

        What does not fit there is scrolled to, so that the keys at the foot can always be seen.
        """
        boxes = self.query("#box")
        if not boxes:
            return  # closed before it was drawn
        height = self.app.size.height
        rows = height if self.has_class("narrow") else height * _PART // 100
        parts = [part for part in boxes.first().children if part.display]
        read = [part for part in parts if isinstance(part, ReadingPane)]
        lists = [part for part in parts if isinstance(part, OptionList) and _is_as_long(part)]
        rows -= 2 + sum(p.outer_size.height for p in parts if p not in read and p not in lists)
        for text in read:
            kept = min(_LEAST_LISTED, sum(found.option_count for found in lists))
            text.styles.max_height = max(1, rows - kept)
            rows -= min(text.virtual_size.height, max(1, rows - kept))
        for found in lists:
            found.styles.max_height = max(1, min(_MOST_LISTED, rows))

    def dress(self) -> None:
        """Take the colours that are chosen in the program while this is open."""
        for lines in self.query("#lines").results(Static):
            lines.update(self._text())
        for row in self.query("#keys").results(Static):
            row.update(self._keys())

    def body(self) -> ComposeResult:
        """The widgets between title and keys."""
        yield from ()

    def _text(self) -> Text:
        palette = self.shell.palette
        text = Text()
        for number, line in enumerate(self._lines):
            style = palette.line(line.tone, line.seat)
            ink = style.color.name if style.color is not None else ""
            text.append(("\n" if number else "") + line.text, style=ink)
        return text

    def action_cancel(self) -> None:
        """No answer."""
        self.dismiss(None)


Check = Callable[[str], str]
"""The fault of a text in one line; empty: there is none."""


class TypeLine(Dialog[str]):
    """A line of text that is checked, and lines to choose from below it."""

    keys_text = "Enter: done   Down: the list below   Esc: cancel"
    AUTO_FOCUS = "Input"

    def __init__(
        self,
        title: str,
        lines: Sequence[Line] = (),
        *,
        check: Check = lambda _: "",
        preset: str = "",
        examples: Sequence[str] = (),
        longest: int = 0,
    ) -> None:
        """``longest``: most characters that are typed; 0: any number."""
        super().__init__(title, lines)
        self._longest = longest
        self._check = check
        self._preset = preset
        self._examples = tuple(examples)
        if not examples:
            self.keys_text = "Enter: done   Esc: cancel"

    def body(self) -> ComposeResult:
        """The entry and the list."""
        yield Input(self._preset, max_length=self._longest, select_on_focus=False)
        if self._examples:
            yield ChoiceList(*(option(example) for example in self._examples))

    def on_key(self, event: events.Key) -> None:
        """Down leaves the entry for the list."""
        if event.key == "down" and self._examples and isinstance(self.focused, Input):
            event.stop()
            self.query_one(ChoiceList).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """That text, unless something is wrong with it."""
        self._answer(event.value)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """That line."""
        self._answer(self._examples[event.option_index])

    def _answer(self, text: str) -> None:
        fault = self._check(text)
        if fault:
            self.query_one("#fault", Static).update(Text(fault))
        else:
            self.dismiss(text)


def _is_as_long(part: OptionList) -> bool:
    """True if a list takes a row for each of its options, not what is left of a window."""
    height = part.styles.height
    return height is not None and height.is_auto


def option(label: str, reason: str = "", value: str = "") -> Option:
    """A row of a list; a reason greys it out."""
    text = Text(label)
    if reason:
        text.append(f"  {reason}", style="italic")
    return Option(text, id=value or None, disabled=bool(reason))


def why_no_new_file(name: str) -> str:
    """Why a file of a name cannot be made; empty if it can."""
    path = Path(name.strip()).expanduser()
    try:
        if not name.strip() or path.is_dir():
            return "That is no name of a file."
        if path.exists():
            return "There is a file of that name already."
        if not path.parent.is_dir():
            return f"There is no folder {path.parent}."
    except (OSError, ValueError) as problem:
        return str(problem)
    return ""
