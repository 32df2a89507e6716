"""Frame of every screen: the note in too small a window, closing once, the names of its keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from textual.app import App
from textual.await_complete import AwaitComplete
from textual.screen import Screen

from engine.tabletop.board import Line
from engine.tabletop.roles import Tone
from tui.screens.shell import shell_of
from tui.terminal.capabilities import SMALLEST, USUAL, WIDE, too_small
from tui.widgets.panels import Rows

Result = TypeVar("Result")


class Small(Rows):
    """A note that says how large the window should be; where ``tiny`` nothing else is shown."""

    def __init__(self) -> None:
        super().__init__(id="small")

    def on_resize(self) -> None:
        """Break the lines as there is room."""
        self.dress(shell_of(self).palette)
        self.put(self.wrapped([Line(too_small(*self.app.size), Tone.STRONG)]))


def note_room(screen: Screen[Any]) -> bool:
    """Give a screen the classes ``tiny``, ``narrow``, ``wide`` by its size; True if it is tiny."""
    width, height = screen.app.size
    tiny = width < SMALLEST[0] or height < SMALLEST[1]
    screen.set_class(tiny, "tiny")
    screen.set_class(width < USUAL[0], "narrow")
    screen.set_class(width >= WIDE, "wide")
    return tiny


def close_once(
    screen: Screen[Result],
    dismiss: Callable[[Result | None], AwaitComplete],
    result: Result | None,
) -> AwaitComplete:
    """Dismiss a screen with all that is open over it; nothing if it is closed already.

    Textual would take away the screen in front: a second Enter, pressed before the first one has
    closed the screen, would close the one beneath.
    """
    if screen not in screen.app.screen_stack:
        return AwaitComplete()
    while screen.app.screen is not screen:
        screen.app.pop_screen()
    return dismiss(result)


def ask(app: App[Any], window: Screen[Result], answered: Callable[[Result], object]) -> None:
    """Open a window; ``answered`` is called with its answer, unless it is left without one."""

    def left(answer: Result | None) -> None:
        if answer is not None:
            answered(answer)

    app.push_screen(window, left)


def names_of_keys(screen: Screen[Any]) -> dict[str, str]:
    """The first key of each active binding by its id, as players call it."""
    names: dict[str, str] = {}
    for active in screen.active_bindings.values():
        binding = active.binding
        if binding.id is not None and binding.id not in names:
            names[binding.id] = screen.app.get_key_display(binding)
    return names
