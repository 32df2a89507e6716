"""Small windows over a screen: a title, lines, and a list or an entry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Generic

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
from tui.screens.frame import Result, Small, close_once, note_room, while_open
from tui.screens.shell import shell_of
from tui.settings import keys
from tui.style import SHEETS
from tui.terminal.internals import turn_page
from tui.widgets.key_row import read

_PART = 90
"""Maximum height of a window in percent of the screen, unless the screen is narrow."""

_MOST_LISTED = 16
_LEAST_LISTED = 4
"""Minimum rows of a list below a long text, if it has as many."""

_LEAST_WIDTH = 8
"""Minimum columns, padding included, for which the height of a list is computed."""


class ChoiceList(OptionList):
    """A list that can also be operated with letter keys."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("list")

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the rows of all options; at zero width those at ``_LEAST_WIDTH``.

        Rich would wrap no line at zero width.
        """
        return super().get_content_height(container, viewport, max(width, _LEAST_WIDTH))

    def on_resize(self) -> None:
        """Keep the highlighted option visible after a resize."""
        self.call_after_refresh(self.scroll_to_highlight)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Show in the window how much of its list is out of sight now."""
        super().watch_scroll_y(old_value, new_value)
        if isinstance(self.screen, Dialog):
            self.screen.tell_more()

    def action_page_down(self) -> None:
        """Scroll a page down, if there is more than one."""
        turn_page(self, 1)

    def action_page_up(self) -> None:
        """Scroll a page up, if there is more than one."""
        turn_page(self, -1)


class DialogText(Static):
    """A text of a window; when its size changes, the rows of the window are redistributed."""

    def on_resize(self) -> None:
        """Redistribute the rows."""
        if isinstance(self.screen, Dialog):
            self.screen.share_rows()


class ReadingPane(VerticalScroll):
    """Text to read; keys scroll it if it does not fit."""


class Dialog(ModalScreen[Result], Generic[Result]):
    """Base of all windows; Escape closes it without an answer."""

    CSS_PATH = SHEETS / "dialog.tcss"
    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("dialog")
    keys_text = "Enter: choose   Esc: cancel"
    reads: ClassVar[bool] = False
    """True if the window has only text to read; then up and down scroll it."""

    def __init__(self, title: str, lines: Sequence[Line] = ()) -> None:
        super().__init__()
        self._title = title
        self._lines = tuple(lines)

    shell = cached_property(shell_of)
    """The program around this screen."""

    def call_after_refresh(
        self, callback: Callable[..., object], *given: Any, **named: Any
    ) -> bool:
        """Call back once all is laid out and drawn, unless the screen has closed before."""
        return super().call_after_refresh(while_open(self, callback), *given, **named)

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        """Close this window and everything on top of it; do nothing if it is already closed."""
        return close_once(self, super().dismiss, result)

    def compose(self) -> ComposeResult:
        """Yield title, lines, the body, and the keys."""
        self.set_class(self.shell.glyphs == "ascii", "plain-box")
        self.set_class(self.shell.settings.reader == "on", "no-box")
        with Vertical(id="box"):
            yield DialogText(Text(self._title), id="title")
            if self._lines:
                yield ReadingPane(Static(self._text(), id="lines"), can_focus=self.reads)
            yield from self.body()
            yield Static("", id="more")
            yield DialogText("", id="fault")
            yield DialogText(self._keys(), id="keys")
        yield Small()

    def _keys(self) -> Text:
        """Return the text of the keys, which are highlighted."""
        ink = self.shell.palette.line(Tone.TITLE, -1).color
        style = Style(color=ink, bold=True)
        text = Text()
        for key, word in read(self.keys_text):
            text.append("   " if text else "").append(key, style)
            text.append(f" {word}" if key else word)
        return text

    def on_resize(self) -> None:
        """Redistribute the rows; show a note if the window is below the minimum size."""
        note_room(self)
        self.call_after_refresh(self.share_rows)

    def share_rows(self) -> None:
        """Give the text and the list the rows that the rest of the window leaves.

        Anything that does not fit is scrolled, so that the keys at the bottom stay visible.
        """
        boxes = self.query("#box")
        if not boxes:
            return  # closed before it was drawn
        height = self.app.size.height
        rows = height if self.has_class("narrow") else height * _PART // 100
        parts = [part for part in boxes.first().children if part.display and part.id != "more"]
        read = [part for part in parts if isinstance(part, ReadingPane)]
        lists = [part for part in parts if isinstance(part, OptionList) and _is_as_long(part)]
        rows -= 2 + sum(p.outer_size.height for p in parts if p not in read and p not in lists)
        for text in read:
            kept = min(_LEAST_LISTED, sum(found.option_count for found in lists))
            text.styles.max_height = max(1, rows - kept)
            rows -= min(text.virtual_size.height, max(1, rows - kept))
        is_cut = any(found.virtual_size.height > min(_MOST_LISTED, rows) for found in lists)
        boxes.first().query_one("#more").display = is_cut
        for found in lists:
            found.styles.max_height = max(1, min(_MOST_LISTED, rows - is_cut))
        self.call_after_refresh(self.tell_more)

    def tell_more(self) -> None:
        """Show how many rows of the list are out of sight above and below."""
        for row in self.query("#more").results(Static):
            for found in self.query(ChoiceList):
                above = round(found.scroll_offset.y)
                below = found.virtual_size.height - above - found.scrollable_content_region.height
                rows = {"above": above, "below": below}
                told = [f"{count} {where}" for where, count in rows.items() if count > 0]
                row.update(Text(f"More rows: {', '.join(told)}" if told else ""))

    def dress(self) -> None:
        """Apply the colours that are chosen in the program."""
        for lines in self.query("#lines").results(Static):
            lines.update(self._text())
        for row in self.query("#keys").results(Static):
            row.update(self._keys())

    def body(self) -> ComposeResult:
        """Yield the widgets between title and keys."""
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
        """Close without an answer."""
        self.dismiss(None)


Check = Callable[[str], str]
"""Returns the fault of a typed text in one line, or an empty text."""


class TypeLine(Dialog[str]):
    """Window to type a line of text, which is checked; examples below it can be chosen."""

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
        """Ask for a line; ``longest`` is its maximum number of characters, 0 for no limit."""
        super().__init__(title, lines)
        self._longest = longest
        self._check = check
        self._preset = preset
        self._examples = tuple(examples)
        if not examples:
            self.keys_text = "Enter: done   Esc: cancel"

    def body(self) -> ComposeResult:
        """Yield the entry, and the list if there are examples."""
        yield Input(self._preset, max_length=self._longest, select_on_focus=False)
        if self._examples:
            yield ChoiceList(*(option(example) for example in self._examples))

    def on_key(self, event: events.Key) -> None:
        """Move from the entry to the list on Down."""
        if event.key == "down" and self._examples and isinstance(self.focused, Input):
            event.stop()
            self.query_one(ChoiceList).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Close with the typed text, unless the check finds a fault."""
        self._answer(event.value)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Close with the chosen line, unless the check finds a fault."""
        self._answer(self._examples[event.option_index])

    def _answer(self, text: str) -> None:
        fault = self._check(text)
        if fault:
            self.query_one("#fault", Static).update(Text(fault))
        else:
            self.dismiss(text)


def _is_as_long(part: OptionList) -> bool:
    """Return whether a list is as high as its options, rather than filling the window."""
    height = part.styles.height
    return height is not None and height.is_auto


def option(label: str, reason: str = "", value: str = "") -> Option:
    """Return a row of a list; a reason disables it."""
    text = Text(label)
    if reason:
        text.append(f"  {reason}", style="italic")
    return Option(text, id=value or None, disabled=bool(reason))


def why_no_new_file(name: str) -> str:
    """Return why no file of this name can be created, or an empty text."""
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
