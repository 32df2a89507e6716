"""The first screen: what to do, beside a game of computer players."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar, Final

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.timer import Timer
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from engine.core import registry
from engine.core.archive import SaveFault, SaveInfo
from engine.tabletop.board import Line
from engine.tabletop.presenter import presenter_of
from engine.tabletop.roles import Tone
from tui.play.demo import Demo, fitting
from tui.play.lessons import load_progress
from tui.screens.dialog import ChoiceList
from tui.screens.frame import Small
from tui.screens.menu import MenuScreen
from tui.screens.shell import LocalShell
from tui.settings import keys
from tui.style.palette import Palette
from tui.widgets.board import BoardView
from tui.widgets.jobs import begin
from tui.widgets.panels import Bar, Rows

BANNER: Final = "┏━━━━━━━━━━━━━━━━━━━━━━━╸\n┃  B A N N E R E T   ╺━┫\n┣━━━━━━━━━━━━━━━━━━━━━━━╸\n┃"
"""A banner with two tails, on its pole."""

_PLAIN: Final = str.maketrans("┏━╸┃╺┫┣", "+->|-<+")

PACE: Final = 0.5
"""Seconds between two steps of the game that is shown."""

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
    "new": "Choose a game, a scenario and who plays.",
    "learn": "Lessons: each is a small game with explanations.",
    "load": "Go on with any saved game, or tidy them up.",
    "replay": "Watch a saved game, find its moments, go on from any of them.",
    "settings": "Colours, signs, keys, speed, a mode for screen readers.",
    "help": "Which keys do what.",
    "leave": "Games are saved after every move.",
}


class TitleScreen(MenuScreen[str]):
    """Ends the program with ``quit``; everything else is done on other screens."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("title")
    heading = "Classic turn-based war games"
    keys_text = "Up, down, Enter or the letter: choose   {key:title.help}: help"
    lively: ClassVar[bool | None] = None
    """True if the game goes on; None: where somebody can see it."""

    def __init__(self, program: LocalShell) -> None:
        super().__init__()
        self._program = program
        self._rules = registry.find(registry.names()[0])
        self._picture = BoardView(presenter_of(self._rules).symbols, id="picture")
        self._caption = Rows(id="caption")
        self._demo: Demo | None = None
        self._timer: Timer | None = None
        self._latest: SaveInfo | None = None
        self._latest_text = ""
        self._listed_in: Palette | None = None

    def compose(self) -> ComposeResult:
        """Words at the left, a game at the right."""
        yield Bar(id="heading")
        with Container(id="middle"):
            with Vertical(id="entries"):
                yield Static(BANNER, id="banner")
                yield ChoiceList()
                yield Static("", id="note")
                yield Static("", id="fault")
            with Vertical(id="show"):
                yield self._picture
                yield self._caption
        yield Bar(id="keys")
        yield Small()

    def on_mount(self) -> None:
        """Begin the game, once the entries can be seen."""
        self.call_after_refresh(self._set_up)

    def on_screen_resume(self) -> None:
        """There may be other saves and settings now."""
        self.fill()
        self.dress()
        if self._timer is not None and self._moves:
            self._timer.resume()

    def on_screen_suspend(self) -> None:
        """Nobody looks."""
        if self._timer is not None:
            self._timer.pause()

    def dress(self) -> None:
        """The banner too has signs of its own."""
        super().dress()
        banner = BANNER.translate(_PLAIN) if self.shell.glyphs == "ascii" else BANNER
        self.query_one("#banner", Static).update(Text(banner, no_wrap=True))
        if self.choices.option_count and self._listed_in is not self.shell.palette:
            self._list()
        self._draw()

    # -- the entries -----------------------------------------------------------------------------

    def fill(self) -> None:
        """The entries, with the latest save."""
        try:
            saves = [info for info in self._program.archive.listing() if not info.fault]
            fault = ""
        except SaveFault as problem:
            saves, fault = [], str(problem)
        latest = saves[0] if saves else None
        if latest != self._latest:
            self._latest, self._latest_text = latest, ""
        self._list()
        self.choices.focus()
        self.fault(fault or self.shell.message)

    def _list(self) -> None:
        """The entries anew, with the one under the cursor that was there if it still can be."""
        self._listed_in = self.shell.palette
        at, saved = self.choices.highlighted, self._latest is not None
        self.choices.clear_options()
        self.choices.add_options([self._entry(value) for value in _ENTRIES])
        usual = 0 if saved else 1
        self.choices.highlighted = at if at and (saved or at not in {0, 3, 4}) else usual

    def _entry(self, value: str) -> Option:
        """A row: the key that chooses it, its name, and a remark."""
        text = Text(f"{self._letter(value)}  {_ENTRIES[value]}")
        missing = self._latest is None and value in {"continue", "load", "replay"}
        if missing:
            text.append("  nothing saved" if value == "continue" else "  none yet", style="italic")
        if value == "learn" and self._latest is None and not load_progress():
            text.append("  begin here", style=self.ink(Tone.GOOD))
        return Option(text, id=value, disabled=missing)

    def _letter(self, value: str) -> str:
        """The shortest key that chooses an entry."""
        bindings = [active.binding for active in self.active_bindings.values()]
        keys = [self.app.get_key_display(b) for b in bindings if b.id == f"title.{value}"]
        return min(keys, key=len, default=" ")

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Explain the entry under the cursor."""
        chosen = event.option_id or ""
        if chosen == "continue":
            self._tell_latest()
        else:
            self.note(_ABOUT.get(chosen, ""))

    def _tell_latest(self) -> None:
        """The name of the latest game; where it stands, as soon as that is known."""
        info = self._latest
        if info is None:
            return
        self.note(f"{info.name}\n{self._latest_text}")
        if not self._latest_text:
            begin(self, partial(self._look, info), "preview")

    async def _look(self, info: SaveInfo) -> None:
        from tui.play.saved_games import look_into  # noqa: PLC0415 - not before it is needed

        found = await look_into(self._program.archive, info.name)
        self._latest_text = "\n".join(line.text for line in found.lines[:2])
        if self._latest == info and self.choices.highlighted == 0:
            self.note(f"{info.name}\n{self._latest_text}")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Do that."""
        self._choose(event.option_id or "")

    def action_choose(self, value: str) -> None:
        """A letter chooses at once; without saved games some say why they cannot."""
        if self.choices.get_option(value).disabled:
            self.fault("No game is saved yet.")
        else:
            self._choose(value)

    def action_ask_leave(self) -> None:
        """Leave the program, if that is meant."""
        self.ask_leave("Quit Banneret?", _ABOUT["leave"], "quit")

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
        """List the keys."""
        from tui.screens.help import HelpScreen  # noqa: PLC0415 - not before it is needed

        self.app.push_screen(HelpScreen(self))

    def action_leave(self) -> None:
        """Leave the program."""
        self.app.exit(0)

    # -- the game beside them --------------------------------------------------------------------

    @property
    def _moves(self) -> bool:
        """True if the game goes on."""
        settings = self.shell.settings
        wanted = self.lively if self.lively is not None else not self.app.is_headless
        return wanted and settings.animation == "on" and settings.reader == "off"

    def _set_up(self) -> None:
        """Begin a game on the board that suits the room."""
        width, height = self._picture.size
        if not width or not height:
            return
        self._demo = Demo(self._rules, fitting(self._rules, width, height))
        self._draw()
        self._timer = self.set_interval(PACE, self._tick, pause=not self._moves)

    def _tick(self) -> None:
        demo = self._demo
        if demo is None or self._timer is None:
            return
        if not self._moves or demo.is_stuck:
            self._timer.pause()
            return
        demo.step()
        self._draw()

    def _draw(self) -> None:
        """The board as it is, and what is said of it."""
        demo = self._demo
        if demo is None:
            return
        board, (width, height) = demo.board, self._picture.size
        wide = board.width * 2 <= width and board.height <= height
        self._picture.shape((2 if wide else 1, 1), leaping=True)
        self._picture.show(board)
        if demo.spots:
            self._picture.reveal(*demo.spots[-1])
        said = [Line(demo.title, Tone.QUIET), Line(demo.words)]
        self._caption.put(self._caption.wrapped(said)[:3])

    def on_resize(self) -> None:
        """Another board may suit the room better; the game goes on if it still fits."""
        self.call_after_refresh(self._draw)
