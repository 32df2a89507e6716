"""Screens that are a heading, a list and a note."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar, cast

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Static

from tui.panels import Bar
from tui.screens.dialog import Choices

if TYPE_CHECKING:
    from tui.client import Banneret

Result = TypeVar("Result")


class MenuScreen(Screen[Result], Generic[Result]):
    """A heading, a list, a note about what is under the cursor, and the keys."""

    CSS_PATH = "../style/menu.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", "Back", id="menu.leave"),
    ]
    heading = ""
    keys_text = "Enter: choose   Esc: back"

    def compose(self) -> ComposeResult:
        """The parts, from top to bottom."""
        yield Bar(id="heading")
        yield Choices()
        yield Static("", id="note")
        yield Static("", id="fault")
        yield Bar(id="keys")

    @property
    def banneret(self) -> Banneret:
        """The program."""
        return cast("Banneret", self.app)

    @property
    def choices(self) -> Choices:
        """The list."""
        return self.query_one(Choices)

    def on_mount(self) -> None:
        """Fill in the bars."""
        style = self.banneret.palette.heading
        self.query_one("#heading", Bar).put(self.heading, "Banneret", style)
        self.query_one("#keys", Bar).put(self.keys_text, "", style)

    def note(self, text: str) -> None:
        """Explain what is under the cursor."""
        self.query_one("#note", Static).update(Text(text))

    def fault(self, text: str) -> None:
        """Say what went wrong; empty: nothing."""
        self.query_one("#fault", Static).update(Text(text))

    def action_leave(self) -> None:
        """Back."""
        self.dismiss(None)
