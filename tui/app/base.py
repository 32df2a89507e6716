"""The program as its player has set it up: colours, signs, keys, mouse, and recorded macros."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final, Protocol, runtime_checkable

from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.events import Key
from textual.filter import LineFilter
from textual.widgets import Input

from engine.tabletop.board import GlyphSet
from tui.play.table_protocol import TableProtocol
from tui.screens.shell import ShellApp
from tui.settings import keys
from tui.settings.keymap import Keymap, shown
from tui.settings.macros import Recorder
from tui.settings.preferences import Preferences
from tui.settings.settings import Settings
from tui.style import SHEETS
from tui.style.palette import FULL, Palette, chosen
from tui.terminal.ascii_fallback import AsciiOnly
from tui.terminal.capabilities import Depth, Terminal, here
from tui.terminal.driver import set_mouse
from tui.terminal.internals import binding_of
from tui.terminal.program import Program

_GLYPHS: tuple[GlyphSet, ...] = ("rich", "box", "ascii")

_ASCII: Final = AsciiOnly()


@runtime_checkable
class Dressed(Protocol):
    """A screen that can change its signs and colours."""

    def dress(self) -> None:
        """Apply the signs and colours that are chosen in the program."""


@runtime_checkable
class Remarking(Protocol):
    """A screen that can show a remark in a line."""

    def remark(self, text: str) -> None:
        """Show a text until the next key."""


class BaseApp(ShellApp, Program):
    """An app that follows the player's settings. Knows no games."""

    CSS_PATH = SHEETS / "base.tcss"
    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("everywhere")

    def __init__(
        self,
        glyphs: str | None = None,
        *,
        preferences: Preferences | None = None,
        terminal: Terminal | None = None,
        driver_class: type[Driver] | None = None,
    ) -> None:
        """Set up the app; every argument has a default.

        Args:
            glyphs: signs that override the settings.
            preferences: settings to use; by default those of the user of this machine.
            terminal: terminal to draw for; by default that of this process.
            driver_class: writes the output, if not to the terminal of this process.
        """
        self.palette: Palette = FULL
        super().__init__(driver_class=driver_class)
        self.preferences = preferences or Preferences()
        self.recorder = Recorder()
        self.terminal = terminal or here()
        self._wanted_glyphs = glyphs
        self.glyphs: GlyphSet = self._chosen_glyphs()
        self.message = ""
        """Fault for the first screen to show; empty if there is none."""
        self.asked: list[str] = []
        """Queries made in replays in this run of the program, latest first."""
        self.speed: int | None = None
        """Index in ``SPEEDS`` that overrides the setting."""
        self._told: set[int] = set()
        """``id()`` of each table whose result was shown."""
        self.recovered = ""
        """Fault that closed the previous screens; empty in the first run."""

    # -- the terminal ----------------------------------------------------------------------------

    @property
    def depth(self) -> Depth:
        """Colour depth by the settings, or as detected for the terminal."""
        wanted = self.settings.colours
        return self.terminal.depth if wanted == "auto" else wanted

    @property
    def may_wave(self) -> bool:
        """True if decorations may move; over a network connection they would waste bandwidth."""
        settings = self.settings
        still = settings.animation == "off" or settings.reader == "on"
        return not (still or self.is_headless or self.terminal.is_remote)

    def hear(self, event: Key) -> None:
        """Record a key if a macro is being recorded; typing into a text box ends the recording."""
        if not self.recorder.is_on:
            return
        if isinstance(self.screen.focused, Input):
            self.recorder.end()
            return
        binding = binding_of(self.screen, event.key)
        self.recorder.hear(binding.id if binding is not None else None, event.key)

    def get_key_display(self, binding: Binding) -> str:
        """Return the display name of a binding's key, such as ``Esc``."""
        return shown(binding.key)

    def action_paint_anew(self) -> None:
        """Send the whole screen again, after something else has written to the terminal."""
        self.paint_anew()

    # -- settings --------------------------------------------------------------------------------

    @property
    def settings(self) -> Settings:
        """The settings of the player."""
        return self.preferences.settings

    @property
    def keymap(self) -> Keymap:
        """The present keys."""
        return self.preferences.keymap

    def change(self, settings: Settings) -> str:
        """Apply and save settings; return the fault, or an empty text."""
        fault = ""
        try:
            self.preferences.change(settings)
        except OSError as problem:
            fault = f"The settings are not kept: {problem}"
        self.apply_settings()
        return fault

    def apply_settings(self) -> None:
        """Apply the settings to everything that is shown."""
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
        """Read the player's settings files again if they have changed, and apply them."""
        if self.preferences.read_again():
            self.apply_settings()
            self.message = "; ".join(self.preferences.faults)
            self.tell_fault()

    def read_preferences(self) -> None:
        """Read the settings files; set ``message`` to their faults and to ``recovered``."""
        self.preferences.read()
        self.message = "; ".join(filter(None, (self.recovered, *self.preferences.faults)))

    def tell_fault(self) -> None:
        """Show ``message`` on the top screen, if that screen can show remarks."""
        if self.message and isinstance(self.screen, Remarking):
            self.screen.remark(self.message)

    def show_settings(self, name: str = "") -> None:
        """Open the settings, with the row ``name`` under the cursor."""
        from tui.screens.settings import SettingsScreen  # noqa: PLC0415 - not before it is needed

        self.push_screen(SettingsScreen(name))

    # -- shown results -----------------------------------------------------------------------------

    def is_told(self, table: TableProtocol) -> bool:
        """Return whether the result of a table's game was already shown by this program."""
        return id(table) in self._told

    def mark_told(self, table: TableProtocol) -> None:
        """Note that the result of a table's game was shown."""
        self._told.add(id(table))

    # -- signs and colours -------------------------------------------------------------------------

    def get_css_variables(self) -> dict[str, str]:
        """Return the palette's colours for the style sheets, in addition to Textual's own."""
        return {**super().get_css_variables(), **self.palette.variables}

    def _chosen_glyphs(self) -> GlyphSet:
        """Return the requested set of signs, or the one detected for the terminal."""
        asked = self._wanted_glyphs or self.settings.glyphs
        return next((glyphs for glyphs in _GLYPHS if glyphs == asked), self.terminal.glyphs)

    def next_glyphs(self) -> None:
        """Switch to the next set of signs, until the program ends."""
        self._take_glyphs(_GLYPHS[(_GLYPHS.index(self.glyphs) + 1) % len(_GLYPHS)])
        self._wanted_glyphs = self.glyphs

    def _take_glyphs(self, glyphs: GlyphSet) -> None:
        """Use a set of signs; with the ASCII ones, only ASCII is ever sent."""
        was, self.glyphs = self.glyphs, glyphs
        if "ascii" in {was, glyphs} and was != glyphs:
            for screen in self.screen_stack:
                for widget in (screen, *screen.query("*")):
                    widget.refresh()

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return Textual's output filters; with ASCII signs, one more that replaces all others."""
        filters = super().get_line_filters()
        return filters if self.glyphs != "ascii" else [*filters, _ASCII]
