"""Screens that close themselves and no other."""

from __future__ import annotations

from typing import Generic, TypeVar

from textual.await_complete import AwaitComplete
from textual.screen import Screen

Result = TypeVar("Result")


class ClosesOnce(Screen[Result], Generic[Result]):
    """A screen that may be told more than once to close.

    Textual would take away whatever is in front then: a second Enter, pressed before the first one
    has closed the screen, would close the one beneath.
    """

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        """Close, with all that is open over this screen; nothing if it is closed already."""
        if self not in self.app.screen_stack:
            return AwaitComplete()
        while self.app.screen is not self:
            self.app.pop_screen()
        return super().dismiss(result)
