"""The program as a player has set it up: colours, signs, keys, mouse; and what is recorded."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Final, Protocol, runtime_checkable

from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.events import Key
from textual.filter import LineFilter, Monochrome, NoColor
from textual.widgets import Input
from textual.worker import WorkerFailed

from engine.tabletop.board import GlyphSet
from tui.app.key_queue import InOrder
from tui.app.recovery import LAST_WORDS
from tui.console.faults import ScreenFault, screen_fault
from tui.play.table_protocol import Sitting
from tui.screens.shell import ShellApp
from tui.settings import keys
from tui.settings.keymap import Keymap, shown
from tui.settings.macros import Recorder
from tui.settings.preferences import Preferences
from tui.settings.settings import Settings
from tui.style.palette import FULL, Palette, chosen
from tui.style.sheet import SharedSheet
from tui.terminal.ascii_fallback import AsciiOnly
from tui.terminal.capabilities import Terminal, here
from tui.terminal.driver import lasting
from tui.terminal.hardware_cursor import caret
from tui.terminal.mouse import set_mouse
from tui.terminal.output import CellOutput, Depth

_GLYPHS: tuple[GlyphSet, ...] = ("rich", "box", "ascii")

_ASCII: Final = AsciiOnly()

_GREY: Final = (Monochrome, NoColor)
"""Filters that Textual takes from the environment of the process."""


_MOST_CLOSING: Final = 20
"""Screens and their parts that may fail while they are closed."""


@runtime_checkable
class Dressed(Protocol):
    """A screen that can take other signs and colours."""

    def dress(self) -> None:
        """Take the signs and colours that are chosen in the program."""


@runtime_checkable
class Remarking(Protocol):
    """A screen that can say something in a line."""

    def remark(self, text: str) -> None:
        """Say something until the next key."""


class Furnished(ShellApp, InOrder, CellOutput):
    """An app that looks and listens as it is set. Knows no games."""

    CSS_PATH = Path(__file__).parents[1] / "style" / "base.tcss"
    BINDINGS: ClassVar[list[BindingType]] = list(keys.APP)

    def __init__(
        self,
        glyphs: str | None = None,
        *,
        preferences: Preferences | None = None,
        terminal: Terminal | None = None,
        driver_class: type[Driver] | None = None,
    ) -> None:
        """As it is usually.

        Args:
            glyphs: signs that go before the settings.
            preferences: whose settings; those of the user of this machine if nothing is told.
            terminal: where it is shown; the terminal of this process if nothing is told.
            driver_class: what writes to it, if not to the terminal of this process.
        """
        self.palette: Palette = FULL
        super().__init__(ansi_color=True, driver_class=driver_class)
        if driver_class is not None:
            self._look_away()
        self.stylesheet = SharedSheet(variables=self.get_css_variables())
        self.preferences = preferences or Preferences()
        self.recorder = Recorder()
        self.terminal = terminal or here()
        self._wanted_glyphs = glyphs
        self.glyphs: GlyphSet = self._chosen_glyphs()
        self.message = ""
        """A fault for the first screen to tell."""
        self.asked: list[str] = []
        """Queries that replays were asked in this run of the program, latest first."""
        self.speed: int | None = None
        """A place in ``SPEEDS`` that goes before what is set."""
        self._told: set[int] = set()
        """The tables, by identity, of which the result was shown."""
        self.recovered = ""
        """The fault that broke the screens before these; then the first screen comes."""
        self.broken_by: ScreenFault | None = None
        """The fault that broke a screen: this program ends then."""
        self._running_in: asyncio.Task[Any] | None = None
        self._last_words: asyncio.TimerHandle | None = None

    def get_driver_class(self) -> type[Driver]:
        """Textual's choice, so that a terminal that goes away does no harm."""
        return lasting(super().get_driver_class())

    def _look_away(self) -> None:
        """Leave what belongs to the whole process alone, when it is not all for this program.

        Textual would put a stand-in into ``sys.stdout`` while the app runs; with many apps the one
        that ends last would leave it there.
        """
        self._capture_stdout: Any = sys.stdout
        self._capture_stderr: Any = sys.stderr
        self.no_color = False
        self._filters = [part for part in self._filters if not isinstance(part, _GREY)]

    # -- faults of screens -----------------------------------------------------------------------

    async def run_async(self, **wanted: Any) -> int | None:
        """Run, and know the task that this happens in."""
        self._running_in = asyncio.current_task()
        try:
            return await super().run_async(**wanted)
        finally:
            if self._last_words is not None:
                self._last_words.cancel()

    def _handle_exception(self, error: Exception) -> None:
        """Close after an exception that nobody caught; whoever has started the program goes on.

        Textual calls this for handlers, timers, workers, composing and drawing alike, and would
        print a trace with the values of all names in it.
        """
        self._return_code = 1
        if self._exception is None:
            self._exception = error
            self._exception_event.set()
        if self.broken_by is None:
            screens = tuple(type(screen).__name__ for screen in self._screen_stack)
            cause = error.error if isinstance(error, WorkerFailed) else error
            self.broken_by = screen_fault(cause, screens)
            if self._running_in is not None:
                later = self._running_in.get_loop().call_later
                self._last_words = later(LAST_WORDS, self._running_in.cancel)
        self._close_messages_no_wait()

    async def _shutdown(self) -> None:
        """Close all screens, also those behind one that fails while it is closed."""
        for _ in range(_MOST_CLOSING):
            try:
                await super()._shutdown()
            except Exception as error:  # noqa: BLE001 - whatever a screen does, the others close
                self._handle_exception(error)
            else:
                break

    # -- the terminal ----------------------------------------------------------------------------

    def caret(self) -> tuple[int, int] | None:
        """Where the terminal's own cursor stands."""
        return caret(self.screen)

    @property
    def depth(self) -> Depth:
        """How many colours the terminal is trusted with."""
        wanted = self.settings.colours
        return self.terminal.depth if wanted == "auto" else wanted

    def hear(self, event: Key) -> None:
        """Every key comes by here: macros are recorded from it, but never what is typed."""
        if not self.recorder.is_on:
            return
        if isinstance(self.screen.focused, Input):
            self.recorder.end()
            return
        active = self.screen.active_bindings.get(event.key)
        self.recorder.hear(active.binding.id if active is not None else None, event.key)

    def get_key_display(self, binding: Binding) -> str:
        """What people call a key."""
        return shown(binding.key)

    def action_paint_anew(self) -> None:
        """Send the whole screen again, after something else wrote to the terminal."""
        self.paint_anew()

    # -- settings --------------------------------------------------------------------------------

    @property
    def settings(self) -> Settings:
        """What the player has set."""
        return self.preferences.settings

    @property
    def keymap(self) -> Keymap:
        """Which key does what."""
        return self.preferences.keymap

    def change(self, settings: Settings) -> str:
        """Set, apply and keep settings; what went wrong, if anything."""
        fault = ""
        try:
            self.preferences.change(settings)
        except OSError as problem:
            fault = f"The settings are not kept: {problem}"
        self.apply_settings()
        return fault

    def apply_settings(self) -> None:
        """Let everything that is shown look and listen as it is set."""
        settings = self.settings
        self.palette = chosen(self.depth, settings.palette)
        self._take_glyphs(self._chosen_glyphs())
        self.set_keymap(dict(self.keymap.keys))
        self.cell_output = settings.output == "cells"
        set_mouse(self, on=settings.mouse == "on")
        self.refresh_css(animate=False)
        for screen in self.screen_stack:
            if isinstance(screen, Dressed):
                screen.dress()

    def look_at_files(self) -> None:
        """Take over what was changed in the files meanwhile."""
        if self.preferences.read_again():
            self.apply_settings()
            self.message = "; ".join(self.preferences.faults)
            self.tell_fault()

    def read_preferences(self) -> None:
        """Read what is set, and say what is wrong with it, and why the screens were closed."""
        self.preferences.read()
        self.message = "; ".join(filter(None, (self.recovered, *self.preferences.faults)))

    def tell_fault(self) -> None:
        """Say what ``message`` says on the screen in front, if it takes remarks."""
        if self.message and isinstance(self.screen, Remarking):
            self.screen.remark(self.message)

    def show_settings(self, name: str = "") -> None:
        """Change settings and keys, with the row ``name`` under the cursor."""
        from tui.screens.settings import SettingsScreen  # noqa: PLC0415 - not before it is needed

        self.push_screen(SettingsScreen(name))

    # -- results that were shown -------------------------------------------------------------------

    def is_told(self, table: Sitting) -> bool:
        """True if the result of a game was shown here already."""
        return id(table) in self._told

    def mark_told(self, table: Sitting) -> None:
        """Note that the result of a game was shown."""
        self._told.add(id(table))

    # -- signs and colours -------------------------------------------------------------------------

    def get_css_variables(self) -> dict[str, str]:
        """The palette's colours for the style sheets, besides Textual's own."""
        return {**super().get_css_variables(), **self.palette.variables}

    def _chosen_glyphs(self) -> GlyphSet:
        """The set of signs that was asked for, or what the terminal can be trusted with."""
        asked = self._wanted_glyphs or self.settings.glyphs
        return next((glyphs for glyphs in _GLYPHS if glyphs == asked), self.terminal.glyphs)

    def next_glyphs(self) -> None:
        """Take the next set of signs, until the program ends."""
        self._take_glyphs(_GLYPHS[(_GLYPHS.index(self.glyphs) + 1) % len(_GLYPHS)])
        self._wanted_glyphs = self.glyphs

    def _take_glyphs(self, glyphs: GlyphSet) -> None:
        """Take a set of signs; with the ASCII ones nothing else is sent at all."""
        was, self.glyphs = self.glyphs, glyphs
        if "ascii" in {was, glyphs} and was != glyphs:
            for screen in self.screen_stack:
                for widget in (screen, *screen.query("*")):
                    widget.refresh()

    def get_line_filters(self) -> Sequence[LineFilter]:
        """What everything that is shown goes through last."""
        filters = super().get_line_filters()
        return filters if self.glyphs != "ascii" else [*filters, _ASCII]
