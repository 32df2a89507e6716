"""The windows of the replay: finding moments, charts, branches, a file to write."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Input, OptionList, Static

from engine.tabletop.ask import AskSome, Choice
from engine.tabletop.board import Line
from tui.play.report_words import rounds_in_words
from tui.screens.ask import ChooseOne, ChooseSome
from tui.screens.dialog import Choices, Dialog, option
from tui.settings import keys
from tui.widgets.charts import chart

Check = Callable[[str], str]
"""What is wrong with a text, in one line; empty: nothing."""


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
    ) -> None:
        super().__init__(title, lines)
        self._check = check
        self._preset = preset
        self._examples = tuple(examples)
        if not examples:
            self.keys_text = "Enter: done   Esc: cancel"

    def body(self) -> ComposeResult:
        """The entry and the list."""
        yield Input(self._preset, select_on_focus=False)
        if self._examples:
            yield Choices(*(option(example) for example in self._examples))

    def on_key(self, event: events.Key) -> None:
        """Down leaves the entry for the list."""
        if event.key == "down" and self._examples and isinstance(self.focused, Input):
            event.stop()
            self.query_one(Choices).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """That text, unless something is wrong with it."""
        self._answer(event.value)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """That line."""
        self._answer(self._examples[event.option_index])

    def _answer(self, text: str) -> None:
        fault = self._check(text)
        if fault:
            self.query_one("#fault", Static).update(fault)
        else:
            self.dismiss(text)


class Pick(ChooseOne):
    """One of many, beginning with one of them."""

    def __init__(self, title: str, choices: Sequence[Choice], begin: int = 0) -> None:
        super().__init__(title, choices, begin=begin)


class BranchTree(Pick):
    """The branches: watch one, or go on with it."""

    BINDINGS: ClassVar[list[BindingType]] = list(keys.BRANCHES)
    keys_text = "Enter: watch   g: go on playing there   Esc: back"

    def action_go_on(self) -> None:
        """Play on at its end."""
        at = self.query_one(Choices).highlighted
        if at is not None:
            self.dismiss(f"go {self._choices[at].value}")


class Charts(Dialog[None]):
    """How the numbers of the seats went, one number at a time."""

    BINDINGS: ClassVar[list[BindingType]] = list(keys.CHARTS)
    keys_text = "Left, right: other numbers   Esc: back"

    def __init__(self, series: Mapping[str, Sequence[Sequence[int]]], names: Sequence[str]) -> None:
        super().__init__("")
        self._series = dict(series)
        self._names = tuple(names)
        self._at = 0

    def body(self) -> ComposeResult:
        """The chart."""
        yield Static("", id="chart")

    def on_mount(self) -> None:
        """Draw it."""
        self.action_turn(0)

    def on_resize(self) -> None:
        """Draw it in the new room."""
        self.action_turn(0)

    def action_turn(self, by: int) -> None:
        """Another number."""
        self._at = (self._at + by) % len(self._series)
        name = list(self._series)[self._at]
        shell = self.shell
        width, height = min(self.app.size.width - 8, 110), min(self.app.size.height - 8, 30)
        box = self.query_one("#box")
        box.styles.max_width = width + 4
        self.query_one("#title", Static).update(
            f"{name}, by rounds ({self._at + 1} of {len(self._series)})"
        )
        area = self.query_one("#chart", Static)
        area.styles.width, area.styles.height = width, height
        if shell.settings.reader == "on":
            area.update("\n".join(rounds_in_words(self._series[name], self._names)))
            return
        drawn = chart(self._series[name], self._names, width, height, shell.palette, shell.glyphs)
        area.update(drawn if drawn.plain else "There is no room for a chart.")


class ChooseKinds(ChooseSome):
    """Some of many, beginning with those that are taken already."""

    def __init__(self, asked: AskSome, taken: set[int]) -> None:
        super().__init__(asked)
        self._taken = set(taken)
