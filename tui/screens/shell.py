"""Shell: the program around a screen, limited to what a screen may ask of it.

Every full-screen program offers a ``Shell``, and the local one a ``LocalShell``. A program derives
from ``ShellApp`` and returns itself as its ``shell``, so that the type checker holds it to the
protocol.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from textual.app import App
from textual.dom import DOMNode

from engine.core.archive import Archive
from engine.core.ids import Viewer
from engine.tabletop.board import GlyphSet
from tui.settings.keymap import Keymap
from tui.settings.macros import Recorder
from tui.settings.preferences import Preferences
from tui.settings.settings import Settings
from tui.style.palette import Palette
from tui.terminal.capabilities import Depth

if TYPE_CHECKING:
    from tui.play.players import Computer
    from tui.play.table_protocol import TableProtocol
    from tui.replay.watch import Watch


class GameReasons(Protocol):
    """Explanations of a watched game: why, when it was decided, what if."""

    def show(self, page: str) -> None:
        """Open a page by its name: ``why``, ``fate`` or ``whatif``."""

    def open_at_end(self, page: str) -> None:
        """Open a page as soon as the end of the game is shown; an empty name opens none."""

    def open_debugger(self, archive: Archive | None) -> None:
        """Open the debugger at this moment; the replay continues from the one where it is left."""


class MakeReasons(Protocol):
    """Makes the explanations that a replay offers."""

    def __call__(
        self,
        screen: Any,
        watch: Watch,
        seek: Callable[[int, int], None],
        show_rule: Callable[[], None],
        *,
        is_own: bool,
    ) -> GameReasons:
        """Make the explanations.

        Args:
            screen: the replay, a ``MapScreen``.
            watch: the game that it shows.
            seek: goes to (position in the line, number of events).
            show_rule: shows the rule behind the event, if secrets forbid further explanations.
            is_own: False on a host, which plays no games for its guests.
        """


class Shell(Protocol):
    """The program around a screen, local or on a host, as the screen may use it."""

    palette: Palette
    """Colours by meaning."""
    glyphs: GlyphSet
    """The set of signs in use."""
    preferences: Preferences
    """The settings, keys and macros with their files."""
    recorder: Recorder
    """The recorder of macros."""
    speed: int | None
    """Index in ``SPEEDS`` that overrides the setting."""
    asked: list[str]
    """Queries made in replays in this run of the program, latest first."""
    message: str
    """Fault for the first screen to show, or an empty text."""
    load_reasons: Callable[[], MakeReasons]
    """Imports and returns the maker of explanations, which takes a while."""

    # -- look and settings -----------------------------------------------------------------------

    @property
    def depth(self) -> Depth:
        """Colour depth of the terminal."""

    @property
    def may_wave(self) -> bool:
        """True if decorations may move: the player wants it, and the connection is not slow."""

    @property
    def settings(self) -> Settings:
        """The player's settings."""

    @property
    def keymap(self) -> Keymap:
        """The keys in use."""

    def change(self, settings: Settings) -> str:
        """Apply and save settings; return the fault, or an empty text."""

    def apply_settings(self) -> None:
        """Apply the settings to every open screen."""

    def next_glyphs(self) -> None:
        """Switch to the next set of signs until the program ends."""

    def show_settings(self, name: str = "") -> None:
        """Open the settings, with the row ``name`` under the cursor."""

    # -- keys ------------------------------------------------------------------------------------

    @property
    def has_keys(self) -> bool:
        """True if keys are pending."""

    def after_key(self, deed: Callable[[], None]) -> bool:
        """Call ``deed`` after the action of the present key; return False if there is no key."""

    # -- games -----------------------------------------------------------------------------------

    def leave_table(self, table: TableProtocol) -> None:
        """Close the save of a table, if it is open here."""

    def is_told(self, table: TableProtocol) -> bool:
        """Return whether the result of a table's game was already shown by this program."""

    def mark_told(self, table: TableProtocol) -> None:
        """Note that the result of a table's game was shown."""

    def note_fault(self, fault: BaseException) -> None:
        """Log a fault, and store it for the first screen to show."""

    def look_back(
        self, table: TableProtocol, viewer: Viewer, entry: int, go_on: Callable[[int], None]
    ) -> None:
        """Replay the game in progress, starting at ``entry``.

        ``go_on`` is called with the entry to continue from, if the player asks for it.
        """


class LocalShell(Shell, Protocol):
    """The local program: saves, lessons and computer players of this machine."""

    archive: Archive
    """The saved games."""
    computer: Computer
    """The computer players."""

    def start_computer(self, ruleset: str) -> None:
        """Start the process of the computer players, if it is not running yet."""

    def open_latest(self) -> None:
        """Continue the latest save."""

    def new_game(self, ruleset: str = "") -> None:
        """Show the form of a new game, of ``ruleset`` if given, and begin it."""

    def learn(self) -> None:
        """Show the list of lessons, and open the chosen one."""

    def load_game(self) -> None:
        """Show the list of saves, and continue the chosen one."""

    def choose_replay(self) -> None:
        """Show the list of saves, and replay the chosen one."""


class ShellApp(App[int]):
    """A Textual program whose screens may ask it for a ``Shell``."""

    @property
    def shell(self) -> Shell:
        """This program, as its screens see it."""
        raise NotImplementedError


def shell_of(node: DOMNode) -> Shell:
    """Return the program around a screen or widget.

    Raises:
        TypeError: the program is no ``ShellApp``.
    """
    app: App[Any] = node.app
    if not isinstance(app, ShellApp):
        raise TypeError(f"{type(app).__name__} offers no shell")
    return app.shell
