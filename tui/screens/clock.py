"""The windows in which somebody says how much time there is in a game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from rich.text import Text
from textual.app import App, ComposeResult
from textual.widgets import Input, Static

from engine.tabletop.ask import Choice
from engine.tabletop.board import Line
from tui.host.clocks import Terms, agreed
from tui.screens.dialog import Dialog

CLOCKS: Final = {
    "No clock": Terms(),
    "5 minutes a turn": Terms(turn=300),
    "1 minute a turn, 30 minutes in all besides": Terms(turn=60, bank=1800),
    "A day a turn": Terms(turn=86400),
    "A day a turn, a week in all besides": Terms(turn=86400, bank=7 * 86400),
}
"""What is offered. Who is late is replaced by the computer."""

OTHER: Final = "Other times"

_LINES = (
    Line("The time for each turn, and a bank for all that"),
    Line("turns take longer in the whole game, as in 5m 1h."),
    Line("90s, 5m, 12h and 1d are spans of time, 0 is none."),
)


def ask_terms(app: App[Any], agreed: Callable[[Terms], None]) -> None:
    """Ask how much time there is, by a list or by typing; nothing is agreed on by leaving."""
    from tui.screens.ask import ChooseOne  # noqa: PLC0415 - it imports much

    def typed(terms: Terms | None) -> None:
        if terms is not None:
            agreed(terms)

    def chosen(name: str | None) -> None:
        if name == OTHER:
            app.push_screen(EnterTerms(), typed)
        elif name is not None:
            agreed(CLOCKS[name])

    choices = tuple(Choice(name, name) for name in (*CLOCKS, OTHER))
    app.push_screen(ChooseOne("How much time is there?", choices), chosen)


class EnterTerms(Dialog[Terms]):
    """Times of one's own, beside those that are offered."""

    keys_text = "Enter: done   Esc: cancel"

    def __init__(self) -> None:
        super().__init__("How much time is there?", _LINES)

    def body(self) -> ComposeResult:
        """The entry."""
        yield Input(max_length=40, select_on_focus=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """These times, if they are some."""
        try:
            self.dismiss(agreed(event.value))
        except ValueError as fault:
            self.query_one("#fault", Static).update(Text(str(fault)))
