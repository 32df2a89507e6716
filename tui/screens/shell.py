"""Shell: the program around a screen, limited to what a screen may ask of it.

``Shell`` is what both full-screen programs offer, ``LocalShell`` what only the local one does, and
``HostShell`` what only the one of a visitor to a host does. A program derives from ``ShellApp`` and
returns itself as its ``shell``, so that the type checker holds it to the protocol.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, Protocol

from textual.app import App
from textual.dom import DOMNode

from engine.core.archive import Archive
from engine.core.ids import Seat, Viewer
from engine.tabletop.board import GlyphSet
from tui.settings.keymap import Keymap
from tui.settings.macros import Recorder
from tui.settings.preferences import Preferences
from tui.settings.settings import Settings
from tui.style.palette import Palette
from tui.terminal.capabilities import Depth

if TYPE_CHECKING:
    from tui.host.clocks import Terms
    from tui.host.game_server import GameServer
    from tui.host.people import Person
    from tui.play.players import Computer
    from tui.play.setup import NewGame
    from tui.play.table_protocol import TableProtocol


class Shell(Protocol):
    """The program around a screen, local or on a host."""

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
    """A fault for the first screen to show, or an empty text."""

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
        """The present keys."""

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
        """Return whether the result of a game was already shown here."""

    def mark_told(self, table: TableProtocol) -> None:
        """Note that the result of a game was shown."""

    def note_fault(self, fault: BaseException) -> None:
        """Store a fault for the diagnostics and the first screen."""

    def look_back(
        self, table: TableProtocol, viewer: Viewer, entry: int, go_on: Callable[[int], None]
    ) -> None:
        """Watch the game in progress from ``entry`` on.

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
        """Choose a new game and begin it."""

    def learn(self) -> None:
        """Choose a lesson and take it."""

    def load_game(self) -> None:
        """Choose a save and continue it."""

    def choose_replay(self) -> None:
        """Choose a save and watch it."""


class HostShell(Shell, Protocol):
    """The program of a visitor to a host: games of others, seats and clocks."""

    game_server: GameServer
    """The games of the host."""
    person: Person
    """The person at this screen."""
    ask: Callable[[Literal["line", "chat"]], str]
    """Returns why another line of play or of talk would exceed the limit now, or an empty text."""
    eyes: Viewer | None
    """Viewer for the next game that is entered; None for the default."""
    last_game: int
    """The number of the game that was open last."""

    def elsewhere(self) -> list[int]:
        """Return the games that wait for this person, except the open one."""

    def enter(self, number: int, seat: Seat | None = None) -> None:
        """Enter a game, and take a seat there if one is named."""

    def begin(self, start: NewGame, terms: Terms) -> None:
        """Begin a game and enter it."""

    async def code_for_key(self) -> tuple[str, ...]:
        """Return lines that explain how to log in with another key."""


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
