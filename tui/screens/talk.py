"""What is said at a table, and a line to say something."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence

from textual.app import ComposeResult
from textual.widgets import Input, Static

from engine.tabletop.board import Line
from engine.tabletop.roles import Tone
from tui.host.ports import Said
from tui.screens.dialog import Dialog, Reading

_SHOWN = 12
"""Lines of talk that the window shows."""


class TalkWindow(Dialog[None]):
    """The last lines, and an entry that stays open until it is left."""

    keys_text = "Enter: say it   Esc: back to the game"
    AUTO_FOCUS = "Input"

    def __init__(self, talk: Callable[[], Sequence[Said]], say: Callable[[str], str]) -> None:
        super().__init__("Talk", ())
        self._talk = talk
        self._say = say

    def body(self) -> ComposeResult:
        """The talk so far, and the entry line."""
        yield Reading(Static("", id="lines"), can_focus=False)
        yield Input(max_length=240)

    def on_mount(self) -> None:
        """Show what was said."""
        self.show_talk()

    def show_talk(self) -> None:
        """Show what was said by now."""
        self._lines = tuple(told(said) for said in self._talk()[-_SHOWN:]) or (
            Line("Nobody has said anything yet.", Tone.QUIET),
        )
        self.query_one("#lines", Static).update(self._text())
        self.call_after_refresh(self.query_one(Reading).scroll_end, animate=False)

    def talk_changed(self) -> None:
        """Something was said, perhaps."""
        if self.is_mounted:
            self.call_later(self.show_talk)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Say it."""
        fault = self._say(event.value) if event.value.strip() else ""
        self.query_one("#fault", Static).update(fault)
        if not fault:
            event.input.value = ""
        self.show_talk()


def told(said: Said) -> Line:
    """A line of talk, for a log or a window; what the host says itself has no name."""
    when = datetime.datetime.fromtimestamp(said.when, datetime.UTC).astimezone()
    if not said.name:
        return Line(f"{when:%H:%M} {said.text}", Tone.QUIET)
    return Line(f'{when:%H:%M} {said.name}: "{said.text}"', Tone.STRONG)
