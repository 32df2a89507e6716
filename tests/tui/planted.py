"""Screens with planted faults, one of each possible kind, set off by keys."""

from __future__ import annotations

from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from host.screens.hosted import HostedScreen
from tui.screens.game import GameScreen
from tui.screens.title import TitleScreen
from tui.terminal.keyboard import Keyboard
from tui.widgets.jobs import begin

PRIVATE = "a value that nobody is to read"

KINDS = ("key", "compose", "mount", "line", "timer", "worker", "later", "unmount")
"""Kinds of faults by place; F1 sets off the first, and so on."""

F_KEYS = (
    *(b"\x1bOP", b"\x1bOQ", b"\x1bOR", b"\x1bOS"),
    *(b"\x1b[15~", b"\x1b[17~", b"\x1b[18~", b"\x1b[19~"),
)
"""Bytes that a terminal sends for the key of each kind."""

PLANTED: list[BindingType] = [
    Binding(f"f{number}", f"break('{kind}')", show=False, priority=kind == "later")
    for number, kind in enumerate(KINDS, 1)
]


class Planted(Exception):
    """A planted fault."""


def fail() -> None:
    """Raise ``Planted``, with a local value that no trace may show."""
    secret = PRIVATE
    raise Planted(str(len(secret)))


async def fail_later() -> None:
    """Call ``fail`` in a worker."""
    fail()


class BrokenKeyboard(Keyboard):
    """A keyboard that fails at one byte."""

    def feed(self, data: bytes) -> list[Message]:
        """Fail at an exclamation mark."""
        if b"!" in data:
            fail()
        return super().feed(data)


class BadCompose(Screen[None]):
    """A screen whose parts cannot be composed."""

    def compose(self) -> ComposeResult:
        """Fail."""
        fail()
        yield Widget()


class BadMount(Screen[None]):
    """A screen that cannot be mounted."""

    def on_mount(self) -> None:
        """Fail."""
        fail()


class BadLine(Widget):
    """A widget that cannot be drawn."""

    def render_line(self, y: int) -> Strip:
        """Fail."""
        fail()
        return super().render_line(y)


class BadDrawing(Screen[None]):
    """A screen with a widget that cannot be drawn."""

    def compose(self) -> ComposeResult:
        """Yield the broken widget."""
        yield BadLine()


class BadEnd(Screen[None]):
    """A screen that fails while in use, and again when it closes."""

    def on_mount(self) -> None:
        """Fail soon."""
        self.call_later(fail)

    def on_unmount(self) -> None:
        """Fail."""
        fail()


def set_off(screen: Screen[Any], kind: str) -> None:
    """Set off a fault of a kind."""
    match kind:
        case "key":
            fail()
        case "timer":
            screen.set_timer(0.01, fail)
        case "worker":
            begin(screen, fail_later, "planted")
        case "later":
            screen.call_after_refresh(fail)
        case _:
            bad = {"compose": BadCompose, "mount": BadMount, "line": BadDrawing, "unmount": BadEnd}
            screen.app.push_screen(bad[kind]())


class BrokenGame(GameScreen):
    """A game with planted faults."""

    BINDINGS: ClassVar[list[BindingType]] = PLANTED

    def action_break(self, kind: str) -> None:
        """Set off a fault of a kind."""
        set_off(self, kind)


class BrokenHosted(HostedScreen):
    """A game on a host, with planted faults."""

    BINDINGS: ClassVar[list[BindingType]] = PLANTED

    def action_break(self, kind: str) -> None:
        """Set off a fault of a kind."""
        set_off(self, kind)


class BrokenTitle(TitleScreen):
    """A title that fails a moment after it appears."""

    def on_mount(self) -> None:
        """Fail soon."""
        super().on_mount()
        self.set_timer(0.05, fail)
