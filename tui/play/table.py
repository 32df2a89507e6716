"""Table: one game, its save, and the links of its viewers."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

from engine.core.archive import Archive, Header, Opened, SaveFault, SaveFile, SeatPlayer
from engine.core.feed import AnyChange
from engine.core.game import Bug, Game
from engine.core.ids import PUBLIC, Seat, Viewer
from engine.core.link import FeedItem, Reply
from engine.core.log import AnyEntry
from engine.core.notation import read
from engine.core.options import Value
from engine.core.record import replace
from engine.core.refused import Denied, Refused
from engine.core.ruleset import AnyRuleset, Outcome, Scenario
from engine.core.scenarios import names_in
from engine.core.soundness import check_position, check_seats, log_faults
from engine.tabletop.presenter import presenter_of
from tui.play.chronicle import Chronicle
from tui.play.place_names import with_places

AnyGame = Game[Any, Any, Any, Any]
OnBug = Callable[[Bug], None]


@contextlib.contextmanager
def save_at(archive: Archive, path: str | None, header: Header) -> Iterator[SaveFile | None]:
    """Yield a new save at ``path``, or None without a path; close it after the ``with`` block.

    It is deleted if no game was begun in it.

    Raises:
        SaveFault: it cannot be created, or its end cannot be written.
    """
    if not path:
        yield None
        return
    name = str(Path(path).absolute())
    file = archive.create(name, header)
    header_only = file.size
    try:
        yield file
    finally:
        is_empty = file.size == header_only
        file.close()
        if is_empty:
            archive.delete(name)


def write_game(
    archive: Archive,
    name: str | Path,
    header: Header,
    entries: Iterable[AnyEntry],
    head: int | None = None,
) -> str:
    """Write entries as a new save, named or at a path; return its name.

    ``head`` is the entry at which the game stays, by default the last one.

    Raises:
        SaveFault: the file exists already, or cannot be written.
    """
    file = archive.create(str(name.absolute()) if isinstance(name, Path) else name, header)
    file.patient = True
    last = -1
    try:
        for entry in entries:
            file.entry(entry)
            last = entry.seq
        if head is not None and head != last:
            file.head(head)
    finally:
        file.close()
    return file.name


class Table:
    """One game with its save: lines of notation go in, replies and feed items come out."""

    plays_computers: ClassVar[bool] = True
    """True if the client that shows this table also lets the computer players act."""

    def __init__(
        self, rules: AnyRuleset, header: Header, game: AnyGame, file: SaveFile | None
    ) -> None:
        """Wrap a game; use ``begin`` or ``resume`` to make a table."""
        self.rules = rules
        self.header = header
        self.game = game
        self.file = file
        self.seat_names = names_in(rules, game.log)
        """Names of the seats in this game."""
        self.remarks: tuple[str, ...] = ()
        """What was wrong with the save when it was opened, one line each."""

    @classmethod
    def begin(
        cls,
        rules: AnyRuleset,
        scenario: Scenario,
        options: Mapping[str, Value],
        header: Header,
        *,
        file: SaveFile | None = None,
        on_bug: OnBug | None = None,
    ) -> Table:
        """Start a game.

        Raises:
            ScenarioFault: the scenario cannot be played.
            OptionFault: an option cannot have its value.
            SaveFault: the save cannot be written.
        """
        game = Game.begin(rules, scenario, options, header.seed, journal=file, on_bug=on_bug)
        return cls(rules, header, game, file)

    @classmethod
    def resume(cls, rules: AnyRuleset, opened: Opened, *, on_bug: OnBug | None = None) -> Table:
        """Resume a saved game.

        Raises:
            BrokenLog: an event of the log cannot be applied, or its last position cannot be shown.
            SaveFault: the header does not name the players.
        """
        with log_faults(rules, opened.log):
            game: AnyGame = Game(
                rules, opened.header.seed, opened.log, journal=opened.file, on_bug=on_bug
            )
            check_seats(rules, opened.header, game.state)
            check_position(rules, opened.log, game.state)
            table = cls(rules, opened.header, game, opened.file)
            table._look()
            table.remarks = opened.remarks
        return table

    @property
    def players(self) -> tuple[SeatPlayer, ...]:
        """Players by seat."""
        return self.header.players

    def player(self, seat: Seat) -> SeatPlayer:
        """Return the player of a seat."""
        return next(player for player in self.players if player.seat == seat)

    def side_name(self, seat: Seat) -> str:
        """Return the name of a seat: its player's."""
        return self.player(seat).name

    def to_act(self) -> Seat | None:
        """Return the lowest seat that owes an answer; None when the game is over."""
        return min(self.rules.owes(self.game.state), default=None)

    def link(self, viewer: Viewer) -> LocalLink:
        """Return a link for a viewer: its view, its feed, and a way to submit lines."""
        return LocalLink(self, viewer)

    def chronicle(self, viewer: Viewer) -> Chronicle:
        """Return the game's log as ``viewer`` may know it."""
        return Chronicle(self.rules, self.game.log, viewer)

    def is_here(self, seat: Seat) -> bool:
        """Return whether a person at this screen plays a seat."""
        return any(player.seat == seat and not player.bot for player in self.players)

    def times(self) -> tuple[str, ...]:
        """Return nothing, as a local game has no clock."""
        return ()

    @property
    def own_seats(self) -> tuple[Seat, ...]:
        """Seats of the people at this screen."""
        return tuple(player.seat for player in self.players if not player.bot)

    @property
    def owes(self) -> frozenset[Seat]:
        """Seats that the game waits for."""
        return self.rules.owes(self.game.state)

    @property
    def now(self) -> int:
        """Number of the log's last entry."""
        return self.game.head

    def outcome(self) -> Outcome | None:
        """Return the outcome of the game; None while it is in progress."""
        return self.rules.outcome(self.game.state)

    def numbers(self) -> Mapping[str, tuple[int, ...]]:
        """Return the statistics: name to one number per seat.

        Until the game is over they may reveal hidden things.
        """
        return self.rules.statistics(self.game.state)

    def submit(self, seat: Seat, line: str) -> Reply:
        """Execute a line for a seat: a command, ``undo``, or ``go N`` for a branch.

        Never raises for the content of a line; a line that cannot be saved is also refused.
        """
        try:
            return self.carry_out(seat, line)
        except SaveFault as fault:
            return Reply(ok=False, code=str(Denied.NOT_SAVED), text=f"Nothing changed: {fault}")

    def carry_out(self, seat: Seat, line: str) -> Reply:
        """Execute a line as ``submit`` does, but raise if it cannot be saved.

        Raises:
            SaveFault: it cannot be saved; nothing changed.
        """
        try:
            self._play(seat, line.strip())
        except Refused as refused:
            return Reply(ok=False, code=str(refused.code), text=refused.text, rule=refused.rule)
        return Reply(ok=True)

    def close(self) -> None:
        """Close the save.

        Raises:
            SaveFault: its end cannot be written.
        """
        if self.file is not None:
            self.file.close()

    def _look(self) -> None:
        """Draw the position once as the seat to act sees it; a broken position raises here."""
        presenter, seat = presenter_of(self.rules), self.to_act()
        view = self.game.view(PUBLIC if seat is None else seat)
        presenter.status(view)
        presenter.board(view, presenter.zooms[0])

    def _play(self, seat: Seat, line: str) -> None:
        word, _, number = line.partition(" ")
        if line == "undo":
            self.game.undo(seat)
        elif word == "go" and number.isdecimal() and len(number) < 10:
            self._go(int(number))
        else:
            self._submit(seat, line)

    def _submit(self, seat: Seat, line: str) -> None:
        """Submit a command. If it is refused, names in it are taken for those of places."""
        try:
            self.game.submit(seat, read(line, self.rules.command_type))
        except Refused:
            named = line if seat < 0 else with_places(self.rules, self.game.view(seat), line)
            if named == line:
                raise
            self.game.submit(seat, read(named, self.rules.command_type))

    def _go(self, seq: int) -> None:
        """Continue from an entry, unless a seat could see another's secrets by trying again."""
        if self.rules.traits.hidden and self.rules.outcome(self.game.state) is None:
            raise Refused(Denied.NO_UNDO, "A game with secrets branches only when it is over.")
        self.game.go(seq)


class LocalLink:
    """Link of a viewer to a game in this process."""

    def __init__(self, table: Table, viewer: Viewer) -> None:
        """Link to a table; use ``Table.link``."""
        self.table = table
        self.viewer = viewer

    @property
    def view(self) -> Any:
        """Current view of the viewer."""
        return self.table.game.view(self.viewer)

    async def submit(self, line: str) -> Reply:
        """Submit a line of notation."""
        return self.answer(line)

    def answer(self, line: str) -> Reply:
        """Submit a line of notation; return the reply at once."""
        if self.viewer < 0:
            return Reply(
                ok=False, code=str(Denied.NOT_YOUR_TURN), text="Spectators give no commands."
            )
        return self.table.submit(self.viewer, line)

    def feed(self, hear: Callable[[FeedItem], None]) -> Callable[[], None]:
        """Call ``hear`` for every later feed item. Call the result to unsubscribe."""
        count = 0

        def told(change: AnyChange) -> None:
            nonlocal count
            item = change.item(self.viewer)
            if item is not None:
                numbered = replace(item, count=count)
                count += 1
                hear(numbered)

        return self.table.game.listen(told)
