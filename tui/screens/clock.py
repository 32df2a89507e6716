"""The window in which somebody types how much time there is in a game."""

from __future__ import annotations

from rich.text import Text
from textual.app import ComposeResult
from textual.widgets import Input, Static

from engine.tabletop.board import Line
from tui.plain.hosting.clocks import Terms, agreed
from tui.screens.dialog import Dialog

_LINES = (
    Line("The time for each turn, and a bank for all that"),
    Line("turns take longer in the whole game, as in 5m 1h."),
    Line("90s, 5m, 12h and 1d are spans of time, 0 is none."),
)


class EnterTerms(Dialog[Terms]):
    """Times of one's own, beside those that are offered."""

    keys_text = "Enter: done   Esc: cancel"

    def __init__(self) -> None:
        super().__init__("How much time is there?", _LINES)

    def body(self) -> ComposeResult:
        """The entry."""
        yield Input(max_length=40, select_on_focus=False)
        yield Static("", id="fault")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """These times, if they are some."""
        try:
            self.dismiss(agreed(event.value))
        except ValueError as fault:
            self.query_one("#fault", Static).update(Text(str(fault)))
