"""The talk of a hosted game: its window, and its lines."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from typing import Final

from textual.app import ComposeResult
from textual.widgets import Input, Static

from engine.tabletop.board import Line
from engine.tabletop.roles import Tone
from host.server.ports import Said
from tui.screens.dialog import Dialog, ReadingPane

_SHOWN: Final = 12
"""Maximum lines of talk that the window shows."""


class TalkWindow(Dialog[None]):
    """Window with the latest lines of talk, and an entry that stays open."""

    keys_text = "Enter: say it   Esc: back to the game"
    AUTO_FOCUS = "Input"

    def __init__(
        self, talk: Callable[[], Sequence[Said]], say: Callable[[str], str], silent: str = ""
    ) -> None:
        """Show ``talk``; ``say`` submits a line, ``silent`` is why this person can say nothing."""
        super().__init__("Talk", ())
        self._silent = silent
        self._talk = talk
        self._say = say

    def body(self) -> ComposeResult:
        """Yield the talk and the entry."""
        yield ReadingPane(Static("", id="lines"), can_focus=False)
        yield Input(max_length=240)

    def on_mount(self) -> None:
        """Show the talk."""
        self.query_one("#fault", Static).update(self._silent)
        self.show_talk()

    def show_talk(self) -> None:
        """Show the latest lines."""
        self._lines = tuple(told(said) for said in self._talk()[-_SHOWN:]) or (
            Line("Nobody has said anything yet.", Tone.QUIET),
        )
        self.query_one("#lines", Static).update(self._text())
        self.call_after_refresh(self.query_one(ReadingPane).scroll_end, animate=False)

    def talk_changed(self) -> None:
        """React to talk that may be new (a hook)."""
        if self.is_mounted:
            self.call_later(self.show_talk)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Say the typed line, or show why that failed."""
        fault = self._say(event.value) if event.value.strip() else ""
        self.query_one("#fault", Static).update(fault)
        if not fault:
            event.input.value = ""
        self.show_talk()


def told(said: Said) -> Line:
    """Format a line of talk for a log or a window; a line of the host itself has no name."""
    when = datetime.datetime.fromtimestamp(said.when, datetime.UTC).astimezone()
    if not said.name:
        return Line(f"{when:%H:%M} {said.text}", Tone.QUIET)
    return Line(f'{when:%H:%M} {said.name}: "{said.text}"', Tone.STRONG)
