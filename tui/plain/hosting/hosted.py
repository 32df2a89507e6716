"""One game on a host: who sits where, whose turn it is, what it is told to whom."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Executor
from typing import Final, Protocol, TypeVar

from engine.core.archive import Notice, NoticeKind, Opened, Player, SaveFault, SaveFile
from engine.core.codec import encode
from engine.core.ids import PUBLIC, Seat, Viewer
from engine.core.link import Reply
from engine.core.record import Record
from engine.core.refused import Denied
from engine.tabletop.presenter import presenter_of
from tui.plain.hosting.cleaning import clean
from tui.plain.hosting.clocks import Clock, Terms, in_words
from tui.plain.hosting.computers import Computers
from tui.plain.hosting.ears import DelayedEar, Ear
from tui.plain.hosting.limits import Limits
from tui.plain.hosting.listeners import Listeners
from tui.plain.hosting.minutes import EXPIRED, Minutes
from tui.plain.hosting.people import GUEST, Person
from tui.plain.hosting.place import Place
from tui.plain.hosting.ports import GameInfo, Ports, Said, SeatInfo, Stage
from tui.plain.hosting.thinkers import Thinkers
from tui.plain.table import Table

_T = TypeVar("_T")

LONGEST_LINE: Final = 12_000
"""Most characters of a line of notation."""

LONGEST_TALK: Final = 240
"""Most characters that are said at once."""


class Services(Protocol):
    """What a game needs of its house."""

    @property
    def ports(self) -> Ports:
        """What the program plugs in."""
        ...

    @property
    def thinkers(self) -> Thinkers:
        """Who thinks for the computer players."""
        ...

    @property
    def limits(self) -> Callable[[], Limits]:
        """What the host puts up with just now."""
        ...

    @property
    def computers_turn(self) -> asyncio.Semaphore:
        """Computer players act one after the other, of all games."""
        ...

    @property
    def threads(self) -> Executor:
        """In which games are decided and written."""
        ...

    def name_of(self, person: int) -> str:
        """The name of somebody with an account."""
        ...

    def is_connected(self, person: int) -> bool:
        """Whether somebody is here."""
        ...

    async def keep_seat(self, game: int, seat: Seat, person: int | None) -> None:
        """Keep who has a seat."""
        ...

    def note_change(self, game: HostedGame) -> None:
        """A game stands otherwise than before."""
        ...


class Standing(Record, frozen=True):
    """How a game stands, as all may know it."""

    owes: frozenset[Seat]
    text: str
    over: bool
    entries: int

    def is_as(self, other: Standing) -> bool:
        """Whether nothing of it would look otherwise in a list."""
        return (self.owes, self.text, self.over) == (other.owes, other.text, other.over)


class HostedGame:
    """Owns a table. Everything here runs in the loop but what ``_in_thread`` is given.

    A seat is somebody's, a computer player's, or free. Whoever has a seat keeps it while a
    computer player stands in.
    """

    def __init__(
        self,
        number: int,
        table: Table,
        house: Services,
        *,
        people: Mapping[Seat, int],
        terms: Terms,
        notices: tuple[Notice, ...] = (),
    ) -> None:
        """Take up a game where it stands."""
        self.number = number
        self.table = table
        self.rules = table.rules
        self.header = table.header
        self.terms = terms
        self.house = house
        self.consents: dict[Seat, int] = {}
        """Seats with whose eyes others may watch, and so many rounds later."""
        self._people: dict[Seat, int] = dict(people)
        self._bots = {player.seat: player.bot for player in table.players if player.bot}
        self._minutes = Minutes(self._called)
        kept = self._minutes.take_up(notices)
        self._bots |= kept.bots
        self._clock = Clock(terms, kept.left)
        self._computers = Computers(self)
        self._ears: dict[tuple[Viewer, int], Ear] = {}
        self._told: Listeners[[]] = Listeners()
        self._keeping: set[asyncio.Task[None]] = set()
        self._lock = asyncio.Lock()
        self._alarm: asyncio.TimerHandle | None = None
        self.loop = asyncio.get_running_loop()
        self._closed = False
        self.watching: dict[Place, Person] = {}
        """Those who look, whether they play or not, by place."""
        self._left: dict[tuple[int, Viewer], int] = {}
        self._standing = self._stands()
        # Before all ears: whoever is told of an entry finds the game as it stands after it.
        table.game.listen(self._stood)
        self.go_on()

    # -- how it stands ---------------------------------------------------------------------------

    @property
    def info(self) -> GameInfo:
        """How it stands, for lists."""
        standing = self._standing
        seats = tuple(self._seat_info(player) for player in self.table.players)
        players = {*self._people.values()}
        return GameInfo(
            number=self.number,
            name=self.table.file.name if self.table.file is not None else self.header.title,
            ruleset=self.rules.name,
            title=self.header.title,
            stage=self.stage,
            status=standing.text,
            seats=seats,
            watchers=sum(person.number not in players for person in self.watching.values()),
            clock=self._clock_in_words(),
        )

    @property
    def stage(self) -> Stage:
        """Whether it is over, and whether seats are free."""
        if self._standing.over:
            return "finished"
        return "open" if self.free_seats else "running"

    @property
    def is_over(self) -> bool:
        """Whether it is over, so that everything may be known."""
        return self._standing.over

    @property
    def free_seats(self) -> tuple[Seat, ...]:
        """Seats that nobody has."""
        taken = {*self._people, *self._bots}
        return tuple(player.seat for player in self.table.players if player.seat not in taken)

    @property
    def owes(self) -> frozenset[Seat]:
        """The seats that the game waits for."""
        return self._standing.owes

    @property
    def players(self) -> tuple[Player, ...]:
        """Who sits where now."""
        return tuple(
            Player(player.seat, self._name(player), self._bots.get(player.seat, ""))
            for player in self.table.players
        )

    @property
    def is_idle(self) -> bool:
        """Whether nobody looks and nothing can happen by itself."""
        alone = not self.watching and not self._told and not self._clock_runs
        return alone and not self._computers.are_acting

    def seats_of(self, person: Person) -> tuple[Seat, ...]:
        """The seats that somebody has, whoever plays them now."""
        return tuple(
            seat for seat, number in sorted(self._people.items()) if number == person.number
        )

    def waits_for(self, person: Person) -> bool:
        """Whether it is somebody's turn."""
        if self.is_over or person.number not in self._people.values():
            return False
        return any(seat in self.owes and seat not in self._bots for seat in self.seats_of(person))

    def stand_in(self, seat: Seat) -> str:
        """The level of the computer player that plays a seat now; empty: a person does."""
        return self._bots.get(seat, "")

    def left(self, seat: Seat) -> float | None:
        """Seconds that a seat has left; None: no clock."""
        return self._clock.left(seat, time.monotonic()) if self.terms.has_clock else None

    def _seat_info(self, player: Player) -> SeatInfo:
        person = self._people.get(player.seat)
        return SeatInfo(
            seat=player.seat,
            name=self._seat_name(player),
            person=self.house.name_of(person) if person is not None else "",
            bot=self._bots.get(player.seat, ""),
            owes=player.seat in self._standing.owes,
            is_here=person is not None and self.house.is_connected(person),
        )

    def _seat_name(self, player: Player) -> str:
        names = self.rules.traits.seat_names
        return names[player.seat] if player.seat < len(names) else player.name

    def _called(self, seat: Seat) -> str:
        """What the ruleset calls a seat."""
        player = next((player for player in self.table.players if player.seat == seat), None)
        return self._seat_name(player) if player is not None else f"seat {seat}"

    def _name(self, player: Player) -> str:
        person = self._people.get(player.seat)
        return self.house.name_of(person) if person is not None else self._seat_name(player)

    def _stands(self) -> Standing:
        game, rules = self.table.game, self.rules
        status = presenter_of(rules).status(game.view(PUBLIC))
        over = rules.outcome(game.state) is not None
        return Standing(rules.owes(game.state), status.text, over, len(game.log))

    # -- who sits where --------------------------------------------------------------------------

    async def sit(self, person: Person, seat: Seat) -> str:
        """Take a free seat, or one's own back from the computer; why not, if not."""
        if fault := self._may_sit(person, seat):
            return fault
        self._people[seat] = person.number
        self._bots.pop(seat, None)
        await self.house.keep_seat(self.number, seat, person.number)
        self._notice("seat", name=person.name, seat=seat)
        self._changed()
        return ""

    async def stand(self, person: Person, seat: Seat, bot: str = "") -> str:
        """Let a computer player of a level stand in, or give the seat up; why not, if not."""
        if self._people.get(seat) != person.number:
            return "You do not have this seat."
        if bot and bot not in self.rules.bots:
            return f"There is no level {bot}; there are {', '.join(self.rules.bots)}."
        if bot:
            self._bots[seat] = bot
            self._notice("seat", name=person.name, seat=seat, bot=bot)
        else:
            del self._people[seat]
            self._bots.pop(seat, None)
            await self.house.keep_seat(self.number, seat, None)
            self._notice("seat", seat=seat)
        self._changed()
        return ""

    async def seat_computer(self, seat: Seat, level: str, by: Person) -> str:
        """Let a computer player stand in for who is missing; why not, if not."""
        owner = self._people.get(seat)
        if not self.seats_of(by):
            return "Only who plays can ask for that."
        if seat in self._bots or not self._is_seat(seat):
            return "This seat needs nobody."
        if owner is not None and self.house.is_connected(owner):
            return f"{self.house.name_of(owner)} is here."
        if level not in self.rules.bots:
            return f"There is no level {level}; there are {', '.join(self.rules.bots)}."
        self._bots[seat] = level
        self._notice("seat", name=by.name, seat=seat, bot=level)
        self._changed()
        return ""

    def _may_sit(self, person: Person, seat: Seat) -> str:
        owner = self._people.get(seat)
        taken = (owner is not None or seat in self._bots) and owner != person.number
        reasons = (
            (not self._is_seat(seat), "There is no such seat."),
            (not person.may_play or person.number == GUEST, "Guests may only watch here."),
            (self.is_over, "The game is over."),
            (taken, "Somebody has this seat."),
            (owner == person.number and seat not in self._bots, "You sit there already."),
            (self.watching_with_eyes(person), "Who has watched with another's eyes cannot play."),
        )
        return next((reason for holds, reason in reasons if holds), "")

    def watching_with_eyes(self, person: Person) -> bool:
        """Whether somebody looks with the eyes of a seat, not their own, that hides something."""
        return self.rules.traits.hidden and any(
            place.has_peeped for place, who in self.watching.items() if who.number == person.number
        )

    def _is_seat(self, seat: Seat) -> bool:
        return any(player.seat == seat for player in self.table.players)

    # -- playing ---------------------------------------------------------------------------------

    async def submit(self, person: Person, seat: Seat, line: str) -> Reply:
        """Carry out a line of notation for a seat that the person has and plays."""
        if self._people.get(seat) != person.number:
            return _refused("You do not have this seat.")
        if seat in self._bots:
            return _refused("The computer plays for you; take your seat again first.")
        if len(line) > LONGEST_LINE:
            return _refused(f"A line may have {LONGEST_LINE} characters.")
        if line.strip().startswith("go "):
            return _refused("Games on a host do not branch.")
        file = self.table.file
        if file is not None and (full := self.house.limits().full("save_bytes", file.size)):
            return _refused(full)
        return await self._do(seat, line)

    async def _do(self, seat: Seat, line: str, *, patient: bool = False) -> Reply:
        async with self._lock:
            if self._closed:
                return _refused("The game is being closed.")
            before = self._standing
            reply = await self._in_thread(self._carry_out, seat, line, patient)
        if before.is_as(self._standing):
            self.go_on()
        else:
            self._changed()
        return reply

    def _carry_out(self, seat: Seat, line: str, patient: bool) -> Reply:  # noqa: FBT001 - passed on by the executor
        file = self.table.file
        if file is not None:
            file.patient = patient
        return self.table.submit(seat, line)

    def _stood(self, _heard: object) -> None:
        self._standing = self._stands()

    def _in_thread(self, deed: Callable[..., _T], *given: object) -> Awaitable[_T]:
        return self.loop.run_in_executor(self.house.threads, deed, *given)

    # -- computer players ------------------------------------------------------------------------

    def go_on(self) -> None:
        """Let whoever is next act: computers by themselves, people against the clock."""
        if not self._closed:
            self._run_clock()
            self._computers.go_on()

    @property
    def thinkers(self) -> Thinkers:
        """Who thinks for the computer players."""
        return self.house.thinkers

    @property
    def computers_turn(self) -> asyncio.Semaphore:
        """Computer players act one after the other, of all games."""
        return self.house.computers_turn

    @property
    def pace(self) -> float:
        """Seconds that people are to look at each move of a computer player."""
        return self.terms.pace if self.watching else 0.0

    def next_bot(self) -> Seat | None:
        """The computer player that is to act; None: people are, or it is over."""
        if self._standing.over or self._closed:
            return None
        return min((seat for seat in self._standing.owes if seat in self._bots), default=None)

    def plays(self, seat: Seat, level: str) -> bool:
        """Whether a computer player of this level is still to act for a seat."""
        return self._bots.get(seat) == level and seat in self._standing.owes

    async def thought(self, seat: Seat) -> tuple[str, ...]:
        """What the computer player of a seat wants now, in notation."""
        view, entry = await self._in_thread(self._moment, seat)
        return await self.house.thinkers.think(
            self.rules.name, self._bots[seat], view, seat, self.header.seed, entry
        )

    def _moment(self, seat: Seat) -> tuple[bytes, int]:
        return encode(self.table.game.view(seat)), len(self.table.game.log)

    async def act(self, seat: Seat, line: str) -> Reply:
        """Carry out a line of a computer player; ``sync`` puts it on the disk."""
        return await self._do(seat, line, patient=True)

    async def sync(self) -> None:
        """Return when everything that computer players did is on the disk."""
        file = self.table.file
        if file is not None and not self._closed:
            async with self._lock:
                await self._in_thread(file.sync)

    # -- clocks ----------------------------------------------------------------------------------

    @property
    def _clock_runs(self) -> bool:
        return self.terms.has_clock and self.stage == "running"

    def _run_clock(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if not self.terms.has_clock:
            return
        waiting = self._standing.owes - self._bots.keys() if self._clock_runs else frozenset()
        now = time.monotonic()
        for seat, left in self._clock.wait_for(waiting, now).items():
            self._notice("clock", seat=seat, left=left)
        due = self._clock.next_late(now)
        if due is not None:
            self._alarm = self.loop.call_later(max(0.05, due), self._ring)

    def _ring(self) -> None:
        """Somebody may have no time left: a computer player takes over."""
        level = self.terms.late or next(iter(self.rules.bots), "")
        for seat in self._clock.late(time.monotonic()):
            if level:
                self._bots[seat] = level
            self._notice("clock", seat=seat, text=EXPIRED, bot=level)
        self._changed()

    def _clock_in_words(self) -> str:
        terms = self.terms
        parts = [f"{in_words(terms.turn)} a turn"] if terms.turn else []
        parts += [f"{in_words(terms.bank)} in all"] if terms.bank else []
        return ", ".join(parts)

    # -- who looks -------------------------------------------------------------------------------

    def may_watch(self, person: Person) -> str:
        """Why somebody may not watch; empty for those who may, and for all who play."""
        if self.seats_of(person):
            return ""
        if not self.terms.watched and not self.is_over and not self.consents:
            return "Nobody may watch this game."
        return self.house.limits().full("watchers_a_game", self.info.watchers)

    def place(self, person: Person) -> Place:
        """What somebody has of the game now; leave it by its ``leave``."""
        made = Place(self, person)
        self.watching[made] = person
        return made

    def ear(self, viewer: Viewer, rounds: int = 0) -> Ear:
        """What one viewer may know, some rounds later if wanted."""
        key = viewer, rounds
        if key not in self._ears:
            self._ears[key] = (
                DelayedEar(self.table, viewer, self.loop, rounds)
                if rounds
                else Ear(self.table, viewer, self.loop)
            )
        return self._ears[key]

    def remember_left(self, person: Person, viewer: Viewer) -> None:
        """Somebody stops looking now."""
        self._left[person.number, viewer] = self._standing.entries

    def left_at(self, person: Person, viewer: Viewer) -> int | None:
        """How many entries there were when somebody stopped looking, if that is known; once."""
        return self._left.pop((person.number, viewer), None)

    def left_by(self, place: Place) -> None:
        """Somebody looks no more."""
        self.watching.pop(place, None)
        for key, ear in tuple(self._ears.items()):
            if not ear.is_used:
                self._ears.pop(key).close()

    def on_change(self, told: Callable[[], None]) -> Callable[[], None]:
        """Call after anything in ``info`` or ``talk`` has changed; the answer stops it."""
        return self._told.add(told)

    def _changed(self) -> None:
        self.go_on()
        self.tell_all()

    def tell_all(self) -> None:
        """Tell all that look that it stands otherwise."""
        self._told.tell()
        self.house.note_change(self)

    # -- talk, and what happens at the table -------------------------------------------------------

    def say(self, person: Person, text: str) -> str:
        """Say something to all who play and watch; why not, if not."""
        words = clean(text, LONGEST_TALK)
        if not words:
            return "There is nothing to say in that."
        if person.is_guest and not self.seats_of(person):
            return "Guests who watch are silent."
        self._notice("talk", name=person.name, text=words)
        return ""

    def report(self, text: str) -> None:
        """Say something to all in the name of the host."""
        self._notice("talk", name="", text=clean(text, LONGEST_TALK))

    def talk(self) -> tuple[Said, ...]:
        """What was said, earliest first."""
        return self._minutes.said()

    def _notice(
        self,
        kind: NoticeKind,
        *,
        name: str = "",
        text: str = "",
        seat: Seat = -1,
        bot: str = "",
        left: int = 0,
    ) -> None:
        """Keep and tell what happened at the table."""
        seq = max(0, self._standing.entries - 1)
        notice = Notice(kind, seq, name, text, seat, bot, left, when=time.time())
        self._minutes.note(notice)
        if self.table.file is not None and not self._closed:
            self._keeping.add(task := self.loop.create_task(self._keep(self.table.file, notice)))
            task.add_done_callback(self._keeping.discard)
        if kind == "talk":
            self.tell_all()

    async def _keep(self, file: SaveFile, notice: Notice) -> None:
        async with self._lock:
            if self._closed:
                return
            try:
                await self._in_thread(file.notice, notice)
            except SaveFault as fault:
                logging.getLogger(__name__).warning("game %d: %s", self.number, fault)

    # -- the end ---------------------------------------------------------------------------------

    def opened(self) -> Opened:
        """The whole save, for games that are over.

        Raises:
            PermissionError: it is not over.
        """
        if not self.is_over:
            raise PermissionError("the game is not over; its log would tell what is hidden")
        return Opened(self.info.name, self.header, self.table.game.log)

    async def close(self) -> None:
        """Close the save; everything acknowledged is on the disk already."""
        if self._alarm is not None:
            self._alarm.cancel()
        await self._computers.stop()
        await asyncio.gather(*self._keeping)
        async with self._lock:
            self._closed = True
            for ear in self._ears.values():
                ear.close()
            await self._in_thread(self.table.close)


def _refused(text: str) -> Reply:
    return Reply(ok=False, code=str(Denied.NOT_YOUR_TURN), text=text)
