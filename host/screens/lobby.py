"""The lobby of a host: its games, their players and clocks, and whose turn it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, Final

from rich.text import Text
from textual.app import App
from textual.binding import BindingType
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from engine.tabletop.ask import Choice
from engine.tabletop.board import Line
from engine.tabletop.new_game import level_name
from engine.tabletop.roles import Tone
from host.screens.shell import HostShell
from host.server.clocks import Terms, agreed, in_words
from host.server.ports import GameInfo, SeatInfo
from tui.play.form import Form
from tui.play.setup import NewGame
from tui.screens.ask import ChooseOne, Confirm
from tui.screens.dialog import TypeLine
from tui.screens.frame import ask
from tui.screens.menu import MenuScreen
from tui.settings import keys
from tui.widgets.jobs import begin

_TICK: Final = 1.0
"""Seconds between two updates of a running clock."""

_SEATS: Final = 34
"""Minimum columns of the seats in a row."""

_BESIDE: Final = 46
"""Columns of a row beside the seats."""

_MARGIN: Final = 4
"""Columns of the note that stay empty."""

_NOTED: Final = 2
"""Rows of the note for the seats."""

_STAGES: Final = {"open": "open", "running": "", "finished": "over"}


class LobbyScreen(MenuScreen[None]):
    """All games of a host; those that wait for this person come first."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("lobby")
    keys_text = (
        "Enter: go in  {key:lobby.new}: new game  {key:lobby.mine}: mine or all  "
        "{key:lobby.settings}: settings  {key:lobby.help}: help  {key:lobby.leave}: leave"
    )

    def __init__(self, program: HostShell) -> None:
        if not program.person.may_play:
            self.keys_text = self.keys_text.replace("{key:lobby.new}: new game  ", "")
        super().__init__()
        self.program = program
        self.only_mine = False
        self._listed: list[GameInfo] = []
        self._stop: Callable[[], None] = lambda: None

    def dress(self) -> None:
        """Show in the heading who is in the lobby."""
        program = self.program
        self.heading = f"{self._own_name} in the lobby; {program.game_server.people_here()}"
        super().dress()

    # -- the list --------------------------------------------------------------------------------

    def on_mount(self) -> None:
        """List the games, now and at each change."""
        self._stop = self.program.game_server.on_change(self._changed)
        self.fill()
        self.choices.focus()
        self.set_interval(_TICK, self._tick)

    def on_unmount(self) -> None:
        """Unsubscribe from changes."""
        self._stop()

    def on_screen_resume(self) -> None:
        """Update the list, and show the message of the program."""
        self.dress()
        self.fill()
        self.fault(self.program.message)
        self.program.message = ""

    def _changed(self) -> None:
        # A message to a covered screen would make Textual repaint the one on top.
        if self.is_mounted and self.is_active:
            self.call_later(self._fill_again)

    def _fill_again(self) -> None:
        if self.is_active:
            self.dress()
            self.fill()

    def fill(self) -> None:
        """List the games; the cursor stays on its game."""
        at = self._chosen
        games = self.program.game_server.games()
        if self.only_mine:
            games = tuple(info for info in games if self._is_mine(info))
        self._listed = sorted(games, key=self._rank)
        self.choices.clear_options()
        self.choices.add_options(
            [Option(self._row(info), id=str(info.number)) for info in self._listed]
        )
        numbers = [info.number for info in self._listed]
        wanted = at.number if at is not None else self.program.last_game
        self.choices.highlighted = (
            numbers.index(wanted) if wanted in numbers else 0 if numbers else None
        )
        if not numbers:
            key = self.key_names().get("lobby.new", "n")
            more = f": {key} begins one" if self.program.person.may_play else ""
            self.note(f"There is no game yet{more}.")

    def _rank(self, info: GameInfo) -> tuple[int, int]:
        """Rank games: those waiting for this person first, then own, open, running, finished."""
        if self._waits(info):
            rank = 0
        elif self._is_mine(info) and info.stage != "finished":
            rank = 1
        else:
            rank = {"open": 2, "running": 3, "finished": 4}[info.stage]
        return rank, -info.number

    @property
    def _own_name(self) -> str:
        return self.program.game_server.current_name(self.program.person)

    def _is_mine(self, info: GameInfo) -> bool:
        return any(seat.person == self._own_name for seat in info.seats)

    def _waits(self, info: GameInfo) -> bool:
        return info.waits_for(self._own_name)

    def _row(self, info: GameInfo) -> Text:
        """Return a game as a line: number, name, players, and its stage or round."""
        waits = self._waits(info)
        text = Text(no_wrap=True, overflow="ellipsis")
        text.append(f"{'>' if waits else ' '}{info.number:>3} ", self.ink(Tone.GOOD))
        text.append(f"{info.name[:22]:<22} ")
        room = max(_SEATS, self.app.size.width - _BESIDE)
        text.append(f"{seats_in(info.seats, room):<{room}} ", self.ink(Tone.QUIET))
        stage = "paused" if info.paused else _STAGES[info.stage]
        word = "your turn" if waits else stage or info.round
        text.append(word, self.ink(Tone.GOOD if waits or info.stage == "open" else Tone.QUIET))
        return text

    @property
    def _chosen(self) -> GameInfo | None:
        at = self.choices.highlighted
        return self._listed[at] if at is not None and at < len(self._listed) else None

    def on_option_list_option_highlighted(self) -> None:
        """Show details of the game under the cursor."""
        if (info := self._chosen) is not None:
            self._show_details(info)

    def _tick(self) -> None:
        """Show the running times of the game under the cursor."""
        at = self._chosen
        if at is None or not self.is_active or all(seat.left is None for seat in at.seats):
            return
        games = self.program.game_server.games()
        if (now := next((info for info in games if info.number == at.number), None)) is not None:
            self._show_details(now)

    def _show_details(self, info: GameInfo) -> None:
        seats = _named_seats(info.seats, _NOTED * (self.app.size.width - _MARGIN))
        rest = [info.clock] if info.clock else []
        rest += [f"{info.watchers} watching"] if info.watchers else []
        rest += [f"paused {info.paused}"] if info.paused else []
        self.note(f"{info.title}\n{info.status}\n{seats}\n{'   '.join(rest)}".rstrip())

    # -- actions ---------------------------------------------------------------------------------

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Enter the game, or offer its free seats; do nothing if it has left the list."""
        named = (info for info in self._listed if str(info.number) == event.option_id)
        info = next(named, None)
        if info is None:
            return
        free = [seat for seat in info.seats if not seat.person and not seat.bot]
        may_sit = self.program.person.may_play and info.stage == "open"
        if free and may_sit and not self._is_mine(info):
            self._offer(info, free)
        else:
            self.program.enter(info.number)

    def _offer(self, info: GameInfo, free: list[SeatInfo]) -> None:
        choices = [Choice(str(seat.seat), f"Play {seat.name}") for seat in free]
        choices.append(Choice("watch", "Watch"))

        def chosen(answer: str) -> None:
            self.program.enter(info.number, None if answer == "watch" else int(answer))

        ask(self.app, ChooseOne(info.name, tuple(choices)), chosen)

    def action_new(self) -> None:
        """Ask for a new game and its clock, and begin it."""
        if not self.program.person.may_play:
            self.fault("Guests may only watch here.")
            return
        from tui.screens.new_game import NewGameScreen  # noqa: PLC0415 - not before it is needed

        def ask_game(form: Form | None = None) -> None:
            window = NewGameScreen(hosted=True)
            window.form = form or window.form

            def chosen(start: NewGame) -> None:
                ask_terms(
                    self.app,
                    lambda terms: self.program.begin(start, terms),
                    cancelled=lambda: ask_game(window.form),
                )

            ask(self.app, window, chosen)

        ask_game()

    def action_mine(self) -> None:
        """Switch between all games and those of this person."""
        self.only_mine = not self.only_mine
        self.fill()

    def action_add_key(self) -> None:
        """Show a code with which another key can be added to this person's account."""
        begin(self, self._add_key, "key")

    async def _add_key(self) -> None:
        lines = tuple(Line(text) for text in await self.program.code_for_key())
        self.app.push_screen(Confirm("Another key for your account", lines))

    def action_settings(self) -> None:
        """Show the settings and keys."""
        self.program.show_settings()

    def action_help(self) -> None:
        """Show the keys."""
        from tui.screens.help import HelpScreen  # noqa: PLC0415 - not before it is needed

        self.app.push_screen(HelpScreen(self))

    def action_ask_leave(self) -> None:
        """Leave the host after a confirmation."""
        lines = tuple(Line(text, Tone.QUIET) for text in self._price_of_leaving() if text)
        window = Confirm("Leave the host?", lines, "leave", "stay")
        ask(self.app, window, lambda _: self.app.exit(0))

    def _price_of_leaving(self) -> Iterator[str]:
        """Yield sentences on what leaving does to this person's seats and games."""
        person, game_server = self.program.person, self.program.game_server
        if not person.is_guest:
            yield "Your seats stay yours."
            return
        lost = game_server.lost_without(person)
        if lost:
            games, them = ("game", "it") if len(lost) == 1 else ("games", "them")
            names = ", ".join(lost)
            yield f"Your {games} {names} will be deleted, because no other player is in {them}."
        if any(self._is_mine(one) and one.name not in lost for one in game_server.games()):
            yield "Your seats become free."

    def action_leave(self) -> None:
        """Leave the host; ask first if that deletes something."""
        if self.program.game_server.lost_without(self.program.person):
            self.action_ask_leave()
        else:
            self.app.exit(0)


def seats_in(seats: Sequence[SeatInfo], room: int) -> str:
    """Return who has the seats of a game, in at most ``room`` columns.

    If not all have room, people and free seats come first, and seats that look alike are counted.
    Of what is left out the number of seats is said.
    """
    text = ", ".join(map(_seated, seats))
    if len(text) <= room:
        return text
    ranked = sorted(seats, key=lambda seat: (not seat.person, bool(seat.bot)))
    counted = [*Counter(map(_seated, ranked)).items()]
    parts = [f"{number} {who}" if number > 1 else who for who, number in counted]
    for shown in range(len(parts), 0, -1):
        more = sum(number for _, number in counted[shown:])
        text = ", ".join([*parts[:shown], *([f"{more} more"] if more else [])])
        if len(text) <= room:
            return text
    return f"{len(seats)} seats"


def _named_seats(seats: Sequence[SeatInfo], room: int) -> str:
    """Return the seats of a game by name; those of computers alone are counted if room is short."""
    text = "; ".join(f"{seat.name}: {_timed(seat)}" for seat in seats)
    alone = [seat for seat in seats if seat.bot and not seat.person]
    if len(text) <= room or not alone:
        return text
    others = [f"{seat.name}: {_timed(seat)}" for seat in seats if seat not in alone]
    levels = Counter(level_name(seat.bot) for seat in alone)
    return "; ".join([*others, *(f"{number} x {level}" for level, number in levels.items())])


def _seated(seat: SeatInfo) -> str:
    """Return the holder of a seat: a person, a level or "free"."""
    if seat.bot and seat.person:
        return f"{seat.person} ({level_name(seat.bot)})"
    if seat.bot:
        return level_name(seat.bot)
    return f"{seat.person}{'*' if seat.is_here else ''}" if seat.person else "free"


def _timed(seat: SeatInfo) -> str:
    """Return the holder of a seat, with the time left if the game waits for it."""
    left = f" ({in_words(seat.left)} left)" if seat.left is not None else ""
    return f"{_seated(seat)}{left}"


# -- the times of a game -------------------------------------------------------------------------

CLOCKS: Final = {
    "No clock": Terms(),
    "5 minutes a turn": Terms(turn=300),
    "1 minute a turn, and 30 minutes to spare": Terms(turn=60, bank=1800),
    "A day a turn": Terms(turn=86400),
    "A day a turn, and a week to spare": Terms(turn=86400, bank=7 * 86400),
}
"""Clocks that are offered. The computer ends the turn of a player who is late."""

OTHER: Final = "Other times"

_LATE = [
    Line("If a player is late, a computer, as a rule the weakest,"),
    Line("plays the rest of the turn. It may lose the game."),
]
"""Lines that explain what a clock does."""

_LINES = (
    Line("The time for each turn, and the time to spare for"),
    Line("all turns of the game that take longer, as in 5m 1h."),
    Line("90s, 5m, 12h and 1d are spans of time, 0 is none."),
)


def ask_terms(
    app: App[Any], chosen: Callable[[Terms], None], cancelled: Callable[[], object] = lambda: None
) -> None:
    """Ask for the clock of a game; call ``chosen`` with the terms, or else ``cancelled``."""
    title = "How much time is there?"

    def named(name: str) -> None:
        if name == OTHER:
            window = TypeLine(title, _LINES, check=_why_no_terms, longest=40)
            ask(app, window, lambda text: chosen(agreed(text)), cancelled)
        else:
            chosen(CLOCKS[name])

    choices = tuple(Choice(name, name) for name in (*CLOCKS, OTHER))
    ask(app, ChooseOne(title, choices, lines=_LATE), named, cancelled)


def _why_no_terms(text: str) -> str:
    """Return why a text describes no clock, or an empty text."""
    try:
        agreed(text)
    except ValueError as fault:
        return str(fault)
    return ""
