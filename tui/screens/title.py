"""The first screen: what to do, beside a picture of a game."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.widgets import OptionList, Static

from engine.core import registry
from engine.core.archive import SaveFault
from engine.core.game import Game
from engine.core.ids import PUBLIC
from engine.core.ruleset import AnyRuleset
from engine.tabletop.board import Board
from engine.tabletop.presenter import presenter_of
from tui.board import BoardView
from tui.panels import Bar
from tui.screens.dialog import Choices, option
from tui.screens.menu import MenuScreen
from tui.setup import chosen_scenario

BANNER = "B A N N E R E T\nClassic turn-based war games"


class TitleScreen(MenuScreen[str]):
    """Ends the program with ``quit``; everything else is done on other screens."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", "Quit", id="title.leave"),
    ]
    heading = "Banneret"
    keys_text = "Up, down, Enter: choose   q: quit"

    def __init__(self) -> None:
        super().__init__()
        rules = registry.find(registry.names()[0])
        self._rules = rules
        self._picture = BoardView(presenter_of(rules).symbols, id="picture")
        self._fault = ""

    def compose(self) -> ComposeResult:
        """Words at the left, a picture at the right."""
        yield Bar(id="heading")
        with Container(id="middle"):
            with Vertical(id="entries"):
                yield Static(BANNER, id="banner")
                yield Choices()
                yield Static("", id="note")
                yield Static("", id="fault")
            yield self._picture
        yield Bar(id="keys")

    def on_mount(self) -> None:
        """Draw a board of the first ruleset."""
        super().on_mount()
        self._picture.dress(self.banneret.glyphs, self.banneret.palette)
        self.call_after_refresh(self._draw)
        self.fill()

    def on_screen_resume(self) -> None:
        """There may be other saves now."""
        self.fill()

    def fill(self) -> None:
        """The entries, with the latest save."""
        try:
            saves = [info for info in self.banneret.archive.listing() if not info.fault]
            self._fault = ""
        except SaveFault as fault:
            saves, self._fault = [], str(fault)
        none = "" if saves else "none yet"
        latest = f": {saves[0].name}" if saves else ""
        self.choices.clear_options()
        self.choices.add_options(
            [
                option(f"Continue{latest}"[:26], none and "nothing saved", "continue"),
                option("New game", value="new"),
                option("Load a game", none, "load"),
                option("Replay a game", none, "replay"),
                option("Quit", value="quit"),
            ]
        )
        self.choices.highlighted = 0 if saves else 1
        self.choices.focus()
        self.fault(self._fault or self.banneret.message)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Do that."""
        self.banneret.message = ""
        match event.option_id:
            case "continue":
                self.banneret.open_latest()
            case "new":
                self.banneret.new_game()
            case "load":
                self.banneret.load_game()
            case "replay":
                self.banneret.choose_replay()
            case _:
                self.action_leave()

    def action_leave(self) -> None:
        """Leave the program."""
        self.app.exit(0)

    def _draw(self) -> None:
        board, at = sample(self._rules)
        self._picture.show(board)
        self._picture.open_at(*at)


def sample(rules: AnyRuleset) -> tuple[Board, tuple[int, int]]:
    """A board of a ruleset's usual scenario, and where its cursor is."""
    presenter = presenter_of(rules)
    game = Game.begin(rules, chosen_scenario(rules, ""), {}, bytes(16))
    view = game.view(PUBLIC)
    focus = presenter.start(view)
    return presenter.board(view, presenter.zooms[0]), (focus.x, focus.y)
