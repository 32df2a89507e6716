"""Shared behaviour of all screens: the note in too small a window, closing, names of keys."""

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

Acting = TypeVar("Acting")
Result = TypeVar("Result")


class Small(Rows):
    """A note with the required window size; on a ``tiny`` screen it is the only thing shown."""

    def __init__(self) -> None:
        super().__init__(id="small")

    def on_resize(self) -> None:
        """Wrap the lines to the new width."""
        self.dress(shell_of(self).palette)
        self.put(self.wrapped([Line(too_small(*self.app.size), Tone.STRONG)]))


def note_room(screen: Screen[Any]) -> bool:
    """Set the classes ``tiny``, ``narrow`` and ``wide`` by size; return whether it is tiny."""
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
    """Close a screen and everything on top of it; do nothing if it is already closed.

    Textual would close the top screen: a second Enter, pressed before the first has closed the
    screen, would close the one beneath.
    """
    if screen not in screen.app.screen_stack:
        return AwaitComplete()
    while screen.app.screen is not screen:
        screen.app.pop_screen()
    return dismiss(result)


def while_open(screen: Screen[Any], callback: Callable[..., object]) -> Callable[..., object]:
    """Return a callback that does nothing once the screen has closed, as its widgets are gone."""

    def run(*given: Any, **named: Any) -> object:
        return callback(*given, **named) if screen.display else None  # False while it closes

    return run


def ask(
    app: App[Any],
    window: Screen[Result],
    answered: Callable[[Result], object],
    cancelled: Callable[[], object] = lambda: None,
) -> None:
    """Open a window; call ``answered`` with its answer, or else ``cancelled``."""

    def left(answer: Result | None) -> None:
        if answer is not None:
            answered(answer)
        else:
            cancelled()

    app.push_screen(window, left)


def names_of_keys(screen: Screen[Any]) -> dict[str, str]:
    """Return the display name of the first key of each active binding, by binding id."""
    names: dict[str, str] = {}
    for active in screen.active_bindings.values():
        binding = active.binding
        if binding.id is not None and binding.id not in names:
            names[binding.id] = screen.app.get_key_display(binding)
    return names


def part_action(deed: Callable[[Acting], Callable[..., object]]) -> Callable[..., object]:
    """Return an action of a screen that carries out a method of one of its parts."""

    def act(screen: Acting, *given: Any) -> object:
        return deed(screen)(*given)

    return act
