"""Title: the menu on a panel in front of the castle, and the state of the latest game."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from functools import partial
from typing import ClassVar, Final

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from engine.core.archive import SaveFault, SaveInfo
from engine.tabletop.roles import Tone
from tui.play.lessons import load_progress
from tui.play.saved_games import played, shortened, standing
from tui.screens.dialog import ChoiceList
from tui.screens.frame import Small
from tui.screens.menu import MenuScreen
from tui.screens.shell import LocalShell
from tui.settings import keys
from tui.style.palette import Palette
from tui.style.scene import title
from tui.widgets.jobs import begin
from tui.widgets.panels import Bar
from tui.widgets.scenery import Scenery

_ENTRIES: Final = {
    "continue": "Continue",
    "new": "New game",
    "learn": "Learn to play",
    "load": "Load a game",
    "replay": "Replay a game",
    "settings": "Settings",
    "help": "Help",
    "leave": "Quit",
}

_ABOUT: Final = {
    "new": "a war, a battlefield, and who plays",
    "learn": "a few minutes with explanations",
    "load": "any saved game",
    "replay": "watch a game, go on from any move",
    "settings": "colours, keys, speed, screen reader",
    "help": "which key does what",
    "leave": "every move is saved",
}

_FROM_SAVES: Final = frozenset({"continue", "load", "replay"})
"""Menu entries that are disabled while there are no saves."""

_NAME_COLUMNS: Final = max(map(len, _ENTRIES.values())) + 2
"""Columns for the names of entries, to the left of the remarks."""


_MOST_IN_A_ROW: Final = 3
"""Number of words about the latest game that take two rows of a menu of the usual width."""


class TitleScreen(MenuScreen[str]):
    """Title screen with the main menu. Each entry opens another screen; Quit ends the program."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("title")
    heading = "Classic turn-based war games"
    keys_text = "Up, down, Enter or the letter: choose   {key:title.help}: help"

    def __init__(self, program: LocalShell) -> None:
        super().__init__()
        self._program = program
        self._scenery = Scenery(title, id="scenery")
        self._latest: SaveInfo | None = None
        self._standing: tuple[str, ...] = ()
        """Round of the latest game and whose move it is; empty until that is known."""
        self._listed_in: Palette | None = None

    def compose(self) -> ComposeResult:
        """Yield the scene, and the menu in front of it."""
        yield Bar(id="heading")
        with Container(id="middle"):
            yield self._scenery
            with Vertical(id="plate"):
                yield ChoiceList()
                yield Static("", id="note")
                yield Static("", id="fault")
        yield Bar(id="keys")
        yield Small()

    def on_screen_resume(self) -> None:
        """Update the entries and colours, as saves and settings may have changed."""
        self.fill()
        self.dress()

    def on_screen_suspend(self) -> None:
        """Stop animating while the screen is hidden."""
        self._scenery.move(on=False)

    def on_key(self, _event: events.Key) -> None:
        """Keep the scene animated, as a player is present."""
        self._scenery.wake()

    def dress(self) -> None:
        """Apply the chosen colours, also to the scene; hide it in screen reader mode."""
        super().dress()
        self.set_class(self.shell.settings.reader == "on", "spoken")
        self._scenery.dress(self.shell.glyphs, self.shell.palette)
        self._scenery.move(on=self.shell.may_wave and self.app.screen is self)
        if self.choices.option_count and self._listed_in is not self.shell.palette:
            self._list()

    # -- the entries -----------------------------------------------------------------------------

    def fill(self) -> None:
        """List the entries, with the latest save."""
        try:
            saves = [info for info in self._program.archive.listing() if not info.fault]
            fault = ""
        except SaveFault as problem:
            saves, fault = [], str(problem)
        latest = saves[0] if saves else None
        anew = latest != self._latest
        if anew:
            self._latest, self._standing = latest, ()
        self._list()
        if anew and latest is not None:
            begin(self, partial(self._look, latest), "preview")
        self.choices.focus()
        self.fault(fault or self.shell.message)

    def _list(self) -> None:
        """List the entries; the cursor stays on its entry, if that is not disabled."""
        self._listed_in = self.shell.palette
        at, saved = self.choices.highlighted, self._latest is not None
        self.choices.clear_options()
        self.choices.add_options([self._entry(value) for value in _ENTRIES])
        usual = 0 if saved else 1
        self.choices.highlighted = at if at and (saved or at not in {0, 3, 4}) else usual

    def _entry(self, value: str) -> Option:
        """Return a row: the key that chooses it, its name, and a remark."""
        missing = self._latest is None and value in _FROM_SAVES
        return Option(self._row(value), id=value, disabled=missing)

    def _row(self, value: str) -> Text:
        text = Text(no_wrap=True, overflow="ellipsis")
        text.append(f"{self._letter(value)}  ", self.ink(Tone.TITLE))
        text.append(f"{_ENTRIES[value]:<{_NAME_COLUMNS}}")
        remark, tone = self._remark(value)
        indent = "\n" + " " * len(text.plain)
        return text.append(remark.replace("\n", indent), self.ink(tone))

    def _remark(self, value: str) -> tuple[str, Tone]:
        """Return the remark to the right of an entry, and its tone."""
        if self._latest is None and value in _FROM_SAVES:
            return ("nothing saved" if value == "continue" else "none yet"), Tone.QUIET
        if value == "continue":
            return self._waiting, Tone.NORMAL
        if value == "learn" and self._latest is None and not load_progress():
            return "begin here", Tone.GOOD
        return _ABOUT[value], Tone.QUIET

    @property
    def _waiting(self) -> str:
        """The latest game in a line: its name, round and whose move once known, and its time."""
        info = self._latest
        if info is None:
            return ""
        when = played(info, datetime.datetime.now().astimezone())
        words = [word for word in (shortened(info.name), *self._standing, when) if word]
        if self.has_class("wide") or len(words) < _MOST_IN_A_ROW:
            return " · ".join(words)
        return f"{' · '.join(words[:2])}\n{' · '.join(words[2:])}"

    def _letter(self, value: str) -> str:
        """Return the shortest key that chooses an entry."""
        bindings = [active.binding for active in self.active_bindings.values()]
        keys = [self.app.get_key_display(b) for b in bindings if b.id == f"title.{value}"]
        return min(keys, key=len, default=" ")

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show the remark of the entry under the cursor, as rows may be too short for it."""
        if event.option_id:
            self.note(self._remark(event.option_id)[0].replace("\n", " · "))

    async def _look(self, info: SaveInfo) -> None:
        """Read the state of the latest game."""
        found = await standing(self._program.archive, info)
        if self._latest != info or not found:
            return
        self._standing = found
        self.choices.replace_option_prompt("continue", self._row("continue"))
        if self.choices.highlighted == 0:
            self.note(self._waiting.replace("\n", " · "))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Choose the selected entry."""
        self._choose(event.option_id or "")

    def action_choose(self, value: str) -> None:
        """Choose an entry by its letter, or show that there are no saves."""
        if self.choices.get_option(value).disabled:
            self.fault("No game is saved yet.")
        else:
            self._choose(value)

    def action_ask_leave(self) -> None:
        """Leave the program after a confirmation."""
        self.ask_leave("Quit Banneret?", "Games are saved after every move.", "quit")

    def _choose(self, value: str) -> None:
        shell = self._program
        shell.message = ""
        deeds: dict[str, Callable[[], None]] = {
            "continue": shell.open_latest,
            "new": shell.new_game,
            "learn": shell.learn,
            "load": shell.load_game,
            "replay": shell.choose_replay,
            "settings": shell.show_settings,
            "help": self.action_help,
        }
        deeds.get(value, self.action_leave)()

    def action_help(self) -> None:
        """Show the keys."""
        from tui.screens.help import HelpScreen  # noqa: PLC0415 - not before it is needed

        self.app.push_screen(HelpScreen(self))

    def action_leave(self) -> None:
        """Leave the program."""
        self.app.exit(0)
