"""Games that can be begun or opened, played, undone, branched, queried and saved."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from banneret.positions import Position, SeatName
from engine.core import registry
from engine.core.archive import Header, Opened, SeatPlayer
from engine.core.feed import changes
from engine.core.game import Game as EngineGame
from engine.core.link import FeedItem
from engine.core.log import Entry, EventLog
from engine.core.options import OptionFault, Value
from engine.core.record import Command, Event, replace
from engine.core.replay import Cursor, Verdict, fold, verify
from engine.core.ruleset import AnyRuleset, Scenario, ScenarioFault
from engine.core.scenarios import fitted, names_in
from engine.core.soundness import check_position, check_seats, log_faults
from saves.archive import Folder
from saves.reader import as_text
from tui.console.exits import Wrong
from tui.play.place_names import read_command
from tui.play.scenarios import find_rules, resolve_scenario, seed_bytes
from tui.play.seats import header_of
from tui.play.table import write_game

Move: TypeAlias = str | Command
"""A command, or a line of notation or JSON."""


class Game(Position):
    """Game with its history, which can be played, undone, branched and saved.

    It is also a position: the current one. Entry 0 begins the game; every other entry is a command
    with its events.

    >>> game = banneret.new_game("weltendaemmerung", scenario="ford")
    >>> game.play("step unit=0 direction=up").seq
    1
    >>> [entry.seq for entry in game], len(game)
    ([0, 1], 2)
    """

    def __init__(self, header: Header, game: EngineGame[Any, Any, Any, Any]) -> None:
        """Use ``new_game`` or ``open``."""
        self.header = header
        """Facts that precede the log in a save: seed, players, title."""
        self.engine = game
        """The engine's game, for anything that this class does not offer."""
        count = max(map(len, game.rules.statistics(game.state).values()), default=0)
        super().__init__(game.rules, None, names_in(game.rules, game.log)[:count])
        self._cursor: Cursor[Any, Any, Any] | None = None

    @property
    def state(self) -> Any:
        """Current state."""
        return self.engine.state

    @property
    def head(self) -> int:
        """Number of the last entry."""
        return self.engine.head

    @property
    def entries(self) -> tuple[Entry[Any, Any], ...]:
        """Entries up to the current state, with ``seq``, ``seat``, ``command`` and ``events``."""
        return tuple(self.engine.log.line())

    def __len__(self) -> int:
        """Return the number of entries that led to the current state."""
        return len(self.entries)

    def __iter__(self) -> Iterator[Entry[Any, Any]]:
        """Iterate over the entries that led to the current state."""
        return iter(self.entries)

    def play(self, move: Move, seat: SeatName | None = None) -> Entry[Any, Any]:
        """Carry out a command and return its entry.

        >>> game = banneret.new_game("weltendaemmerung", scenario="ford")
        >>> game.play("attack unit=1 at=3,3")
        Traceback (most recent call last):
        ...
        engine.core.refused.Refused: Units attack in the attack phase only.

        Args:
            move: a command, or its notation.
            seat: the seat that gives it; by default the seat that must act.

        Raises:
            Refused: it is no command, or the rules do not allow it; the game is unchanged. The
                exception has ``code``, ``text`` and ``rule``.
            Wrong: there is no such seat.
        """
        acting = self._acting(seat) or 0
        if isinstance(move, str):
            move = read_command(self._rules, self.engine.view(acting), move)
        return self.engine.submit(acting, move)

    def undo(self, seat: SeatName | None = None) -> int:
        """Undo the last command of a seat; return the number of the new last entry.

        >>> game = banneret.new_game("weltendaemmerung", scenario="ford")
        >>> entry = game.play("step unit=0 direction=up")
        >>> game.undo()
        0

        Args:
            seat: by default the seat that acted last.

        Raises:
            Refused: it cannot be undone, since dice were thrown or secrets revealed.
            Wrong: there is no such seat.
        """
        last = self.engine.log[self.head].seat
        return self.engine.undo(last if seat is None else self.seat(seat))

    def go(self, at: int) -> None:
        """Continue from an entry; later entries stay in the log, as a branch.

        >>> game = banneret.new_game("weltendaemmerung", scenario="ford")
        >>> entry = game.play("end-phase")
        >>> game.go(0)
        >>> game.head
        0

        Raises:
            Refused: there is no such entry.
        """
        self.engine.go(at)

    def branch(self, at: int | None = None, seed: int | None = None) -> Game:
        """Return a separate game that continues from an entry of this game.

        Without a new seed it throws the same dice as this game for the same commands.

        >>> game = banneret.new_game("weltendaemmerung", scenario="ford")
        >>> other = game.branch()
        >>> entry = other.play("end-phase")
        >>> len(other), len(game)
        (2, 1)

        Raises:
            Refused: there is no such entry.
        """
        log: EventLog[Any, Any] = EventLog()
        for entry in self.engine.log.entries:
            log.append(entry)
        log.go(self.head)
        header = self.header if seed is None else replace(self.header, seed=seed_bytes(seed))
        made = Game(header, EngineGame(self._rules, header.seed, log))
        if at is not None:
            made.go(at)
        return made

    def at(self, number: int) -> Position:
        """Return the position after an entry; negative numbers count from the last entry.

        >>> game = banneret.new_game("weltendaemmerung", scenario="ford")
        >>> entry = game.play("step unit=0 direction=up")
        >>> game.at(0).view().units[0].y - game.at(-1).view().units[0].y
        1

        Raises:
            IndexError: there is no such entry.
            BrokenLog: an event cannot be applied.
        """
        line = self.entries
        if number < 0:
            number = line[number].seq
        place = next((place for place, entry in enumerate(line) if entry.seq == number), None)
        if place is None:
            state = fold(self._rules, self.engine.log.line(self.engine.log[number].seq))
            return Position(self._rules, state, self.seats)
        if self._cursor is None or self._cursor.line != line:
            self._cursor = Cursor(self._rules, line)
        return Position(self._rules, self._cursor.seek(place), self.seats)

    def positions(self) -> Iterator[Position]:
        """Yield the position after each entry that led to the current state.

        >>> game = banneret.new_game("weltendaemmerung", scenario="ford")
        >>> entry = game.play("step unit=0 direction=up")
        >>> [position.to_act for position in game.positions()]
        [0, 0]

        Raises:
            BrokenLog: an event cannot be applied.
        """
        for change in changes(self._rules, self.entries):
            yield Position(self._rules, change.after, self.seats)

    def events(self, seat: SeatName | None = None) -> list[Event]:
        """Return the events that a seat has seen; without a seat, all events.

        >>> game = banneret.new_game("weltendaemmerung", scenario="ford")
        >>> entry = game.play("step unit=0 direction=up")
        >>> type(game.events(1)[-1]).__name__
        'UnitStepped'

        Raises:
            Wrong: there is no such seat.
        """
        viewer = self._viewer(seat)
        told = (change.events(viewer) for change in changes(self._rules, self.entries))
        return [known.event for events in told for known in events]

    def story(self, seat: SeatName | None = None) -> list[str]:
        """Return the game in words, as ``banneret dump`` shows it to a seat or in full.

        >>> game = banneret.new_game("weltendaemmerung", scenario="ford")
        >>> entry = game.play("step unit=0 direction=up")
        >>> game.story()[-2]
        '1 Eldoin: step unit=0 direction=up'

        Raises:
            Wrong: there is no such seat.
        """
        return list(as_text(self._opened(), self._viewer(seat)))

    def listen(
        self, hear: Callable[[FeedItem], None], seat: SeatName | None = None
    ) -> Callable[[], None]:
        """Call a function for each new feed item of a seat; return a function that ends this.

        An item has ``events``, ``view`` and ``change``, which is ``rewound`` after an undo.

        >>> game = banneret.new_game("weltendaemmerung", scenario="ford")
        >>> stop = game.listen(lambda item: print(item.change, len(item.events)))
        >>> entry = game.play("step unit=0 direction=up")
        played 1
        >>> stop()

        Raises:
            Wrong: there is no such seat.
        """
        viewer, count = self._viewer(seat), iter(range(1 << 62))

        def told(change: Any) -> None:
            item = change.item(viewer)
            if item is not None:
                hear(replace(item, count=next(count)))

        return self.engine.listen(told)

    def ask(self, verb: str, seat: SeatName | None = None) -> list[str]:
        """Return the output lines of a ``banneret debug`` verb, as a seat or in full.

        >>> game = banneret.new_game("weltendaemmerung", scenario="ford")
        >>> entry = game.play("step unit=0 direction=up")
        >>> game.ask("why units[0].y")[0]
        'units[0].y is 4 since 1; before: 5'

        Raises:
            Wrong: the verb cannot be parsed or answered.
        """
        from study.debug.debugger import Debugger  # noqa: PLC0415 - loads all of the debugger
        from study.debug.verbs import answers, split  # noqa: PLC0415 - as above

        bench = Debugger(self._opened(), self._viewer(seat), archive=Folder())
        return [answer.text for answer in answers(bench, split(verb))]

    def verify(self) -> Verdict:
        """Decide every command again with the recorded dice throws.

        ``divergence`` of the result is the first difference, or None if there is none.

        >>> game = banneret.new_game("weltendaemmerung", scenario="ford")
        >>> entry = game.play("end-phase")
        >>> game.verify().divergence is None
        True
        """
        return verify(self._rules, self.engine.log)

    def save(self, path: str | Path) -> Path:
        """Write the game with all its branches as a new save; return its path.

        >>> import tempfile
        >>> game = banneret.new_game("weltendaemmerung", scenario="ford")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     banneret.open(game.save(f"{folder}/ford.bnr")).entries == game.entries
        True

        Raises:
            SaveFault: the file exists, or it cannot be written.
        """
        write_game(Folder(), Path(path), self.header, self.engine.log.entries, self.engine.log.head)
        return Path(path)

    def _opened(self) -> Opened:
        return Opened(self.header.title, self.header, self.engine.log)


def new_game(
    ruleset: str,
    scenario: str | Path | Scenario | None = None,
    options: Mapping[str, Value] | None = None,
    seats: int | None = None,
    seed: int = 1,
    bots: Mapping[int, str] | None = None,
) -> Game:
    """Begin a game.

    >>> game = banneret.new_game("kaladan", "duel", options={"round_limit": 5}, bots={1: "easy"})
    >>> game.seats
    ('Player 1', 'Player 2')

    Args:
        ruleset: name of the ruleset.
        scenario: name of a scenario, a file, or the record itself; by default the first one.
        options: the options that are not at their defaults.
        seats: number of seats; by default that of the scenario.
        seed: seed of the dice. The same commands with the same seed give the same game.
        bots: levels of the computer players by seat; ``play_out`` lets them act.

    Raises:
        Wrong: there is no such ruleset, scenario, option, seat or level.
    """
    rules = find_rules(ruleset)
    found = scenario
    if not isinstance(found, Scenario):
        found = resolve_scenario(rules, None if found is None else str(found))
    played = dict(bots or {})
    try:
        count = seats or rules.default_seats(found)
        found = fitted(rules, found, count, frozenset(played))
        _check_levels(rules, played, count)
        begun = EngineGame.begin(rules, found, options or {}, seed_bytes(seed))
    except (ScenarioFault, OptionFault) as fault:
        raise Wrong(str(fault)) from None
    names = rules.seat_names(found)[:count]
    players = tuple(SeatPlayer(at, name, played.get(at, "")) for at, name in enumerate(names))
    return Game(header_of(rules, found, players, seed), begun)


def _check_levels(rules: AnyRuleset, bots: Mapping[int, str], seats: int) -> None:
    for seat, level in bots.items():
        if not 0 <= seat < seats:
            raise Wrong(f"there is no seat {seat}; there are {seats}, from 0 on")
        if level not in rules.bots:
            raise Wrong(f"there is no level {level!r}; known: {', '.join(rules.bots)}")


def open(save: str | Path, *, folder: str | Path | None = None) -> Game:  # noqa: A001 - as in gzip
    """Open a saved game; later commands are saved by ``Game.save`` only.

    >>> game = banneret.open("saves/samples/format-1.bnr")
    >>> game
    <Game of weltendaemmerung, over, annihilation>
    >>> game.at(5).seats[game.entries[6].seat]
    'Eldoin'

    Args:
        save: a file, or the name of a save in the folder.
        folder: the folder of saves, if not the default.

    Raises:
        SaveFault: the save cannot be read.
        BrokenLog: an event of the save cannot be applied, or no game reaches its position.
    """
    opened = Folder(None if folder is None else Path(folder)).read(str(save))
    rules = registry.find(opened.header.ruleset)
    with log_faults(rules, opened.log):
        game: EngineGame[Any, Any, Any, Any] = EngineGame(rules, opened.header.seed, opened.log)
        check_seats(rules, opened.header, game.state)
        check_position(rules, opened.log, game.state)
        return Game(opened.header, game)
