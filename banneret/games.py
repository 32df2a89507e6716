"""Games: begun or read, played, taken back, branched, asked about and saved."""

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
from tui.lab.env_game import write_game
from tui.play.place_names import read_command
from tui.play.scenarios import find_rules, resolve_scenario, seed_bytes
from tui.play.seats import header_of

Move: TypeAlias = str | Command
"""A command, or a line of notation or JSON."""


class Game(Position):
    """A game with its history, which can be played, taken back, branched and saved.

    It is a position too: that which it has come to. Its entries are numbered from 0, which is the
    entry that begins it; each other one is a command with the events that followed from it.

    >>> game = banneret.new_game("weltendaemmerung", scenario="ford")
    >>> game.play("step unit=0 direction=up").seq
    1
    >>> [entry.seq for entry in game], len(game)
    ([0, 1], 2)
    """

    def __init__(self, header: Header, game: EngineGame[Any, Any, Any, Any]) -> None:
        """Use ``new_game`` or ``open``."""
        self.header = header
        """Facts that stand before the log of a save: seed, players, title."""
        self.engine = game
        """The game of the engine, for what this class leaves out."""
        count = max(map(len, game.rules.statistics(game.state).values()), default=0)
        super().__init__(game.rules, None, names_in(game.rules, game.log)[:count])
        self._cursor: Cursor[Any, Any, Any] | None = None

    @property
    def state(self) -> Any:
        """The present state."""
        return self.engine.state

    @property
    def head(self) -> int:
        """Number of the last entry."""
        return self.engine.head

    @property
    def entries(self) -> tuple[Entry[Any, Any], ...]:
        """The entries that led here, each with ``seq``, ``seat``, ``command`` and ``events``."""
        return tuple(self.engine.log.line())

    def __len__(self) -> int:
        """Number of entries that led here."""
        return len(self.entries)

    def __iter__(self) -> Iterator[Entry[Any, Any]]:
        """The entries that led here."""
        return iter(self.entries)

    def play(self, move: Move, seat: SeatName | None = None) -> Entry[Any, Any]:
        """Carry out a command; the entry that it became.

        >>> game = banneret.new_game("weltendaemmerung", scenario="ford")
        >>> game.play("attack unit=1 at=3,3")
        Traceback (most recent call last):
        ...
        engine.core.refused.Refused: Units attack in the attack phase only.

        Args:
            move: a command, or its notation.
            seat: who gives it; by default the seat that is to act.

        Raises:
            Refused: it is no command, or the rules do not allow it; nothing has changed. The
                exception has ``code``, ``text`` and ``rule``.
            Wrong: there is no such seat.
        """
        acting = self._acting(seat) or 0
        if isinstance(move, str):
            move = read_command(self._rules, self.engine.view(acting), move)
        return self.engine.submit(acting, move)

    def undo(self, seat: SeatName | None = None) -> int:
        """Take back the last command of a seat; the number of the entry that is the last now.

        >>> game = banneret.new_game("weltendaemmerung", scenario="ford")
        >>> entry = game.play("step unit=0 direction=up")
        >>> game.undo()
        0

        Args:
            seat: by default the one that acted last.

        Raises:
            Refused: it cannot be taken back, since dice were thrown or secrets seen.
            Wrong: there is no such seat.
        """
        last = self.engine.log[self.head].seat
        return self.engine.undo(last if seat is None else self.seat(seat))

    def go(self, at: int) -> None:
        """Go on from an entry; later ones stay in the log, as a branch.

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
        """A game of its own that goes on from an entry of this one.

        It throws the same dice as this one for the same commands, if it has no other seed.

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
        """The position after an entry; a negative number counts from the last one.

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
        """The position after each entry that led here.

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
        """Everything that happened, as a seat was told it; without a seat all there is.

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
        """The game in words, as ``banneret dump`` tells it to a seat; without a seat all there is.

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
        """Call a function for whatever a seat is told from now on; the result ends that.

        An item has ``events``, ``view`` and ``change``, which is ``rewound`` if something was taken
        back.

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
        """The lines that a verb of ``banneret debug`` answers; without a seat all is seen.

        >>> game = banneret.new_game("weltendaemmerung", scenario="ford")
        >>> entry = game.play("step unit=0 direction=up")
        >>> game.ask("why units[0].y")[0]
        'units[0].y is 4 since 1; before: 5'

        Raises:
            Wrong: it cannot be read or answered.
        """
        from tui.debug.debugger import Debugger  # noqa: PLC0415 - loads all of the debugger
        from tui.debug.verbs import answers, split  # noqa: PLC0415 - as above

        bench = Debugger(self._opened(), self._viewer(seat), archive=Folder())
        return [answer.text for answer in answers(bench, split(verb))]

    def verify(self) -> Verdict:
        """Decide every command again with the recorded throws of the dice.

        ``divergence`` of the result is None if all comes out as it was, and else the first
        difference.

        >>> game = banneret.new_game("weltendaemmerung", scenario="ford")
        >>> entry = game.play("end-phase")
        >>> game.verify().divergence is None
        True
        """
        return verify(self._rules, self.engine.log)

    def save(self, path: str | Path) -> Path:
        """Write the game with all its branches as a new save; its path.

        >>> import tempfile
        >>> game = banneret.new_game("weltendaemmerung", scenario="ford")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     banneret.open(game.save(f"{folder}/ford.bnr")).entries == game.entries
        True

        Raises:
            SaveFault: there is such a file, or it cannot be written.
        """
        write_game(Folder(), path, self.header, self.engine.log)
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
        ruleset: its name.
        scenario: name of a scenario, a file, or the record itself; by default the usual one.
        options: those that are not as usual.
        seats: number of seats; by default the usual one.
        seed: of the dice. The same commands on the same seed give the same game.
        bots: levels of the seats that computers play; ``play_out`` lets them act.

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
    """A saved game; what is played on then is kept by ``Game.save`` only.

    >>> game = banneret.open("saves/samples/format-1.bnr")
    >>> game
    <Game of weltendaemmerung, over, annihilation>
    >>> game.at(5).seats[game.entries[6].seat]
    'Eldoin'

    Args:
        save: a file, or the name of a save in the folder.
        folder: the folder of saves, if not the usual one.

    Raises:
        SaveFault: it cannot be read.
        BrokenLog: an event of it cannot be applied, or no game reaches its position.
    """
    opened = Folder(None if folder is None else Path(folder)).read(str(save))
    rules = registry.find(opened.header.ruleset)
    with log_faults(rules, opened.log):
        game: EngineGame[Any, Any, Any, Any] = EngineGame(rules, opened.header.seed, opened.log)
        check_seats(rules, opened.header, game.state)
        check_position(rules, opened.log, game.state)
        return Game(opened.header, game)
