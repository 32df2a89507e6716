"""A host's games in memory, over tables, for tests of commands, files and line mode."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from engine.core.archive import Header, Opened, SeatPlayer
from engine.core.game import Bug
from engine.core.ids import PUBLIC, Seat, Viewer
from engine.core.link import Link, Reply
from engine.core.notation import write
from engine.core.record import replace
from engine.core.ruleset import AnyRuleset, Outcome
from engine.tabletop.presenter import presenter_of
from host.server.clocks import Terms
from host.server.people import GUEST, Person
from host.server.ports import GameInfo, GameStage, Ports, Said, SeatInfo
from saves.archive import Folder
from saves.reader import as_json, as_text
from saves.side_files import SUFFIX
from tui.play.chronicle import Chronicle
from tui.play.players import think
from tui.play.seats import seat_name
from tui.play.setup import NewGame, begin
from tui.play.table import LocalLink, Table

ANNA = Person(1, "Anna")
BERT = Person(2, "Bert")
ROOT = Person(3, "Root", is_admin=True)
VISITOR = Person(GUEST, "guest", may_play=False)
PEOPLE = {person.number: person for person in (ANNA, BERT, ROOT)}


class FakeChronicle(Chronicle):
    """A viewer's chronicle of a table, as of the moment it was made."""

    def __init__(self, rules: AnyRuleset, opened: Opened, viewer: Viewer) -> None:
        super().__init__(rules, opened.log, viewer)
        self._opened = opened
        self._viewer = viewer

    def as_text(self) -> Iterator[str]:
        return as_text(self._opened, self._viewer)

    def as_json(self) -> Iterator[str]:
        return as_json(self._opened, self._viewer)

    def recorded(self) -> Opened:
        return self._opened


class FakeLink(LocalLink):
    """A viewer's link; it submits commands like any other on a host."""

    def __init__(self, hosted: FakeHosted, person: Person, viewer: Viewer) -> None:
        super().__init__(hosted.table, viewer)
        self._hosted = hosted
        self._person = person

    async def submit(self, line: str) -> Reply:
        if self.viewer < 0:
            return self.answer(line)
        return await self._hosted.submit(self._person, self.viewer, line)


class FakePlace:
    """A stand-in for a person's place in a game."""

    plays_computers = False
    now = -1

    def __init__(self, hosted: FakeHosted, person: Person) -> None:
        self.hosted = hosted
        self.person = person
        self.rules: AnyRuleset = hosted.rules
        self.header: Header = hosted.header
        self.number = hosted.number
        hosted.watching.append(self)

    @property
    def seats(self) -> tuple[Seat, ...]:
        if self.person.is_guest:
            return ()
        sitting = sorted(self.hosted.sitting.items())
        return tuple(seat for seat, number in sitting if number == self.person.number)

    @property
    def own_seats(self) -> tuple[Seat, ...]:
        return self.seats

    def times(self) -> tuple[str, ...]:
        return ()

    def absent_turns(self, *, late_only: bool = False) -> tuple[str, ...]:
        return ()

    def look(self) -> None:
        """Do nothing: these games never pause."""

    def leave(self) -> None:
        self.hosted.watching.remove(self)

    @property
    def players(self) -> tuple[SeatPlayer, ...]:
        return self.hosted.table.players

    @property
    def is_over(self) -> bool:
        return self.hosted.is_over

    def to_act(self) -> Seat | None:
        owing = self.hosted.owing
        return min(owing & set(self.seats), default=min(owing, default=None))

    @property
    def owes(self) -> frozenset[Seat]:
        return self.hosted.owing

    def player(self, seat: Seat) -> SeatPlayer:
        return self.hosted.table.player(seat)

    def is_here(self, seat: Seat) -> bool:
        return seat in self.seats

    def outcome(self) -> Outcome | None:
        return self.hosted.table.outcome()

    def numbers(self) -> Mapping[str, tuple[int, ...]]:
        return {}

    def link(self, viewer: Viewer) -> Link:
        self._check(viewer)
        return FakeLink(self.hosted, self.person, viewer)

    def chronicle(self, viewer: Viewer) -> FakeChronicle:
        self._check(viewer)
        log = self.hosted.table.game.log
        line = type(log)()
        for seq in range(len(log)):
            line.append(log[seq])
        line.go(log.head)
        return FakeChronicle(self.rules, Opened("", self.header, line), viewer)

    def _check(self, viewer: Viewer) -> None:
        if viewer not in (*self.seats, PUBLIC) and not self.is_over:
            raise PermissionError("not with these eyes")


class FakeHosted:
    """A game on a host."""

    def __init__(self, number: int, table: Table, archive: Folder, owner: Person) -> None:
        self.number = number
        self.table = table
        self.archive = archive
        self.rules = table.rules
        self.header = table.header
        self.sitting: dict[Seat, int] = {}
        self.said: list[Said] = []
        self.paused = ""
        self.watching: list[FakePlace] = []
        self.listeners: dict[object, Callable[[], None]] = {}
        people = [player.seat for player in table.players if not player.bot]
        if people:
            self.sitting[people[0]] = owner.number
        self.let_computers_play()

    @property
    def owing(self) -> frozenset[Seat]:
        return self.rules.owes(self.table.game.state)

    @property
    def is_over(self) -> bool:
        return self.rules.outcome(self.table.game.state) is not None

    @property
    def info(self) -> GameInfo:
        assert self.table.file is not None
        view = self.table.game.view(PUBLIC)
        status = presenter_of(self.rules).status(view)
        seats = tuple(self._seat(player) for player in self.table.players)
        free = any(not one.person and not one.bot for one in seats)
        stage: GameStage = "finished" if self.is_over else "open" if free else "running"
        return GameInfo(
            self.number,
            self.table.file.name,
            self.rules.name,
            self.header.title,
            stage,
            status.text,
            seats,
            paused=self.paused,
            round=status.round_text,
        )

    async def sit(self, person: Person, seat: Seat) -> str:
        if self.table.player(seat).bot or seat in self.sitting:
            return "That seat is taken."
        self.sitting[seat] = person.number
        self.changed()
        return ""

    async def stand(self, person: Person, seat: Seat, bot: str = "") -> str:
        if self.sitting.get(seat) != person.number:
            return "That seat is not yours."
        if bot:
            self._let_go(seat, bot)  # it stays theirs
        else:
            del self.sitting[seat]
        self.changed()
        return ""

    def may_watch(self, person: Person) -> str:
        return ""

    async def prepare(self, viewer: Viewer) -> None:
        """Do nothing: everything is ready."""

    def place(self, person: Person) -> FakePlace:
        return FakePlace(self, person)

    async def submit(self, person: Person, seat: Seat, line: str) -> Reply:
        if self.sitting.get(seat) != person.number:
            return Reply(ok=False, code="NOT_YOUR_TURN", text="That seat is not yours.")
        reply = self.table.submit(seat, line)
        self.let_computers_play()
        self.changed()
        return reply

    def say(self, person: Person, text: str) -> str:
        if person.is_guest:
            return "Guests say nothing here."
        self.said.append(Said(person.name, text, 0.0))
        self.changed()
        return ""

    def talk(self) -> tuple[Said, ...]:
        return tuple(self.said)

    def on_change(self, told: Callable[[], None]) -> Callable[[], None]:
        key = object()
        self.listeners[key] = told

        def stop() -> None:
            self.listeners.pop(key, None)

        return stop

    def opened(self) -> Opened:
        if not self.is_over:
            raise PermissionError("it is not over")
        assert self.table.file is not None
        return self.archive.read(self.table.file.name)

    def changed(self) -> None:
        for told in tuple(self.listeners.values()):
            told()

    def let_computers_play(self) -> None:
        """Let computer players plan at once; a real host uses other processes."""
        game, rules = self.table.game, self.rules
        while bots := [seat for seat in sorted(self.owing) if self.table.player(seat).bot]:
            seat = bots[0]
            level, view = self.table.player(seat).bot, game.view(seat)
            for command in think(rules, level, view, seat, self.header.seed, len(game.log)):
                accepted = self.table.submit(seat, write(command)).ok
                if not accepted or seat not in self.owing:
                    break

    def _let_go(self, seat: Seat, bot: str) -> None:
        players = tuple(
            replace(player, bot=bot) if player.seat == seat else player
            for player in self.table.players
        )
        self.header = self.table.header = replace(self.table.header, players=players)
        self.let_computers_play()

    def _seat(self, player: SeatPlayer) -> SeatInfo:
        number = self.sitting.get(player.seat, 0)
        return SeatInfo(
            player.seat,
            seat_name(self.table.seat_names, player.seat),
            PEOPLE[number].name if number else "",
            player.bot,
            player.seat in self.owing,
        )


class FakeGameServer:
    """All games of a host."""

    def __init__(self, folder: Path) -> None:
        self.archive = Folder(folder)
        self.bugs: list[Bug] = []
        self.open: dict[int, FakeHosted] = {}
        self.terms: Terms | None = None
        """Terms of the last game."""

    def games(self) -> tuple[GameInfo, ...]:
        return tuple(hosted.info for hosted in reversed(self.open.values()))

    async def game(self, number: int) -> FakeHosted:
        return self.open[number]

    async def begin(self, person: Person, start: NewGame, terms: Terms | None = None) -> FakeHosted:
        self.terms = terms
        return self.start(person, start)

    async def agree(self, number: int, person: Person, turn: int, bank: int) -> str:
        if self.open[number].sitting.get(0) != person.number:
            return "Not you."
        self.terms = Terms(turn, bank)
        return ""

    def start(self, person: Person, start: NewGame) -> FakeHosted:
        table = begin(self.archive, start, self.bugs.append)
        hosted = FakeHosted(len(self.open) + 1, table, self.archive, person)
        self.open[hosted.number] = hosted
        return hosted

    def current_name(self, person: Person) -> str:
        return person.name

    def come(self, person: Person) -> None:
        """Do nothing: this fake does not track who is here."""

    def go(self, person: Person) -> None:
        """Do nothing: this fake does not track who is here."""

    async def close(self) -> None:
        for hosted in self.open.values():
            hosted.table.close()

    def ports(self) -> Ports:
        """Return the parts that the program would plug in."""
        return Ports(
            archive=self.archive,
            dump=as_text,
            dump_json=as_json,
            raw=lambda name: (self.archive.path / f"{name}{SUFFIX}").read_bytes(),
            on_bug=self.bugs.append,
            versions={"banneret": "0"},
        )
