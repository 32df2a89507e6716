"""One game on a host: who sits where, whose turn it is, what it is told to whom."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Final, TypeVar

from engine.core.archive import Notice, NoticeKind, Opened, Player, SaveFault, SaveFile
from engine.core.codec import encode
from engine.core.feed import AnyChange
from engine.core.ids import PUBLIC, Seat, Viewer
from engine.core.link import Reply
from engine.core.refused import Denied
from engine.tabletop.presenter import presenter_of
from tui.plain.hosting.cleaning import clean
from tui.plain.hosting.clocks import Terms
from tui.plain.hosting.computers import Computers
from tui.plain.hosting.ears import Ear, Ears
from tui.plain.hosting.listeners import Listeners
from tui.plain.hosting.minutes import EXPIRED, Minutes
from tui.plain.hosting.past import Past
from tui.plain.hosting.people import Person
from tui.plain.hosting.place import Place
from tui.plain.hosting.ports import GameInfo, Said, SeatInfo, Stage
from tui.plain.hosting.seating import Seating
from tui.plain.hosting.services import Services
from tui.plain.hosting.standing import Kept, Standing
from tui.plain.hosting.timing import Timing
from tui.plain.table import Table

_T = TypeVar("_T")

LONGEST_LINE: Final = 12_000
"""Most characters of a line of notation."""

LONGEST_TALK: Final = 240
"""Most characters that are said at once."""


class HostedGame:
    """Owns a table. Everything here runs in the loop but what ``_in_thread`` is given."""

    def __init__(
        self,
        number: int,
        table: Table,
        house: Services,
        *,
        people: Mapping[Seat, int],
        kept: Kept,
        notices: tuple[Notice, ...] = (),
    ) -> None:
        """Take up a game where it stands."""
        self.number = number
        self.table = table
        self.rules = table.rules
        self.header = table.header
        self.terms = kept.terms
        self.house = house
        self.consents: dict[Seat, int] = dict(kept.consents)
        """Seats with whose eyes others may watch, and so many rounds later."""
        self.seating = Seating(table.rules, table.seat_names, table.players, people, house.name_of)
        self._minutes = Minutes(self.seating.called)
        noted = self._minutes.take_up(notices)
        self.seating.take_up(noted.bots, kept.peeped)
        self._timing = Timing(self, noted.left)
        self._computers = Computers(self)
        self.past = Past(table)
        """States along the log."""
        self._told: Listeners[[]] = Listeners()
        self._keeping: set[asyncio.Task[None]] = set()
        self._lock = asyncio.Lock()
        self.loop = asyncio.get_running_loop()
        self._ears = Ears(table, self.loop)
        self.is_closed = False
        """Whether nothing can happen here any more."""
        self.watching: dict[Place, Person] = {}
        """Those who look, whether they play or not, by place."""
        self._left: dict[tuple[int, Viewer], int] = {}
        self._turns = 0
        self._standing = self._stands()
        # Before all ears: whoever is told of an entry finds the game as it stands after it.
        table.game.listen(self._stood)
        self.go_on()

    # -- how it stands ---------------------------------------------------------------------------

    @property
    def info(self) -> GameInfo:
        """How it stands, for lists."""
        standing = self._standing
        seats = tuple(self._seat_info(player.seat) for player in self.table.players)
        players = {*self.seating.people.values()}
        return GameInfo(
            number=self.number,
            name=self.table.file.name if self.table.file is not None else self.header.title,
            ruleset=self.rules.name,
            title=self.header.title,
            stage=self.stage,
            status=standing.text,
            seats=seats,
            watchers=sum(person.number not in players for person in self.watching.values()),
            clock=self.terms.in_words,
        )

    @property
    def stage(self) -> Stage:
        """Whether it is over, and whether seats are free."""
        if self._standing.over:
            return "finished"
        return "open" if self.seating.free else "running"

    @property
    def is_over(self) -> bool:
        """Whether it is over, so that everything may be known."""
        return self._standing.over

    @property
    def owes(self) -> frozenset[Seat]:
        """The seats that the game waits for."""
        return self._standing.owes

    @property
    def players(self) -> tuple[Player, ...]:
        """Who sits where now."""
        return self.seating.players

    @property
    def is_idle(self) -> bool:
        """Whether nobody looks and nothing can happen by itself."""
        alone = not self.watching and not self._told and not self._clock_runs
        return alone and not self._computers.are_acting

    def seats_of(self, person: Person) -> tuple[Seat, ...]:
        """The seats that somebody has, whoever plays them now."""
        return self.seating.of(person)

    def waits_for(self, person: Person) -> bool:
        """Whether it is somebody's turn."""
        if self.is_over:
            return False
        return any(seat in self.owes and not self.stand_in(seat) for seat in self.seats_of(person))

    def stand_in(self, seat: Seat) -> str:
        """The level of the computer player that plays a seat now; empty: a person does."""
        return self.seating.bots.get(seat, "")

    def left(self, seat: Seat) -> float | None:
        """Seconds that a seat has left; None: no clock."""
        return self._timing.left(seat)

    def _seat_info(self, seat: Seat) -> SeatInfo:
        person = self.seating.people.get(seat)
        return SeatInfo(
            seat=seat,
            name=self.seating.called(seat),
            person=self.seating.owner(seat),
            bot=self.stand_in(seat),
            owes=seat in self._standing.owes,
            is_here=person is not None and self.house.is_connected(person),
        )

    def _stands(self) -> Standing:
        game, rules = self.table.game, self.rules
        status = presenter_of(rules).status(game.view(PUBLIC))
        over = rules.outcome(game.state) is not None
        return Standing(rules.owes(game.state), status.text, over, len(game.log), self._turns)

    # -- who sits where --------------------------------------------------------------------------

    async def sit(self, person: Person, seat: Seat) -> str:
        """Take a free seat, or one's own back from the computer; why not, if not."""
        fault = "The game is over." if self.is_over else self.seating.may_sit(person, seat)
        if not fault:
            self.seating.people[seat] = person.number
            self.seating.bots.pop(seat, None)
            await self.house.keep_seat(self.number, seat, person.number)
            self._notice("seat", name=person.name, seat=seat)
            self._changed()
        return fault

    async def stand(self, person: Person, seat: Seat, bot: str = "") -> str:
        """Let a computer player of a level stand in, or give the seat up; why not, if not."""
        fault = self.seating.may_stand(person, seat, bot)
        if fault:
            return fault
        if bot:
            self._stand_in(person, seat, bot)
            return ""
        self.seating.note_peeping(person, seat)
        del self.seating.people[seat]
        self.seating.bots.pop(seat, None)
        await self.house.keep_seat(self.number, seat, None)
        self._notice("seat", seat=seat)
        self._changed()
        return ""

    async def seat_computer(self, seat: Seat, level: str, by: Person) -> str:
        """Let a computer player stand in for who is missing; why not, if not."""
        owner = self.seating.people.get(seat)
        is_here = owner is not None and self.house.was_here(owner)
        fault = self.seating.may_replace(by, seat, level, is_here=is_here)
        if not fault:
            self._stand_in(by, seat, level)
        return fault

    def _stand_in(self, by: Person, seat: Seat, bot: str) -> None:
        self.seating.bots[seat] = bot
        self._notice("seat", name=by.name, seat=seat, bot=bot)
        self._changed()

    # -- playing ---------------------------------------------------------------------------------

    async def submit(self, person: Person, seat: Seat, line: str) -> Reply:
        """Carry out a line of notation for a seat that the person has and plays."""
        if self.seating.people.get(seat) != person.number:
            return _refused("You do not have this seat.")
        if self.stand_in(seat):
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
            if self.is_closed:
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
        return self.table.carry_out(seat, line) if patient else self.table.submit(seat, line)

    def _stood(self, change: AnyChange) -> None:
        entry = change.entry
        if entry is not None and any(event.closing for event in entry.events):
            self._turns += 1
        self._standing = self._stands()

    def _in_thread(self, deed: Callable[..., _T], *given: object) -> Awaitable[_T]:
        return self.loop.run_in_executor(self.house.threads, deed, *given)

    # -- computer players ------------------------------------------------------------------------

    def go_on(self) -> None:
        """Let whoever is next act: computers by themselves, people against the clock."""
        if not self.is_closed:
            self._timing.run()
            self._computers.go_on()

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
        if self._standing.over or self.is_closed:
            return None
        return min(self._standing.owes & self.seating.bots.keys(), default=None)

    def plays(self, seat: Seat, level: str) -> bool:
        """Whether a computer player of this level is still to act for a seat."""
        return self.stand_in(seat) == level and seat in self._standing.owes

    async def thought(self, seat: Seat, *, rests: bool = False) -> tuple[str, ...]:
        """What the computer player of a seat wants now, in notation."""
        view, entry = await self._in_thread(self._moment, seat)
        return await self.house.thinkers.think(
            self.rules.name, self.stand_in(seat), view, seat, self.header.seed, entry, rests=rests
        )

    def _moment(self, seat: Seat) -> tuple[bytes, int]:
        return encode(self.table.game.view(seat)), len(self.table.game.log)

    async def act(self, seat: Seat, line: str) -> Reply:
        """Carry out a line of a computer player; ``sync`` puts it on the disk.

        Raises:
            SaveFault: it cannot be kept; nothing changed.
        """
        return await self._do(seat, line, patient=True)

    async def sync(self) -> None:
        """Return when everything that computer players did is on the disk."""
        file = self.table.file
        if file is not None and not self.is_closed:
            async with self._lock:
                await self._in_thread(file.sync)

    # -- clocks ----------------------------------------------------------------------------------

    @property
    def _clock_runs(self) -> bool:
        return self._timing.runs and self.stage == "running"

    def agree(self, by: Person, terms: Terms) -> None:
        """Play by other times from each one's next turn on; all are told."""
        self._timing.agree(terms)
        self.terms = terms
        words = terms.in_words or "no clock any more"
        self.report(f"{by.name} has changed the times, from the next turn of each: {words}.")
        self._changed()

    @property
    def waited_for(self) -> frozenset[Seat]:
        """Those of them that people play, while the game runs."""
        return self.owes - self.seating.bots.keys() if self.stage == "running" else frozenset()

    @property
    def timed_turn(self) -> int | None:
        """The number of the turn where all act at once."""
        return self._standing.turn if self.rules.traits.simultaneous else None

    def note_left(self, seat: Seat, left: int) -> None:
        """Keep how many seconds of its bank a seat has left."""
        self._notice("clock", seat=seat, left=left)

    def is_late(self, seat: Seat) -> bool:
        """Let a computer player take over for who has no time left; whether there is one."""
        level = self.terms.late or next(iter(self.rules.bots), "")
        if level:
            self.seating.bots[seat] = level
        self._notice("clock", seat=seat, text=EXPIRED, bot=level)
        return bool(level)

    def ring_out(self) -> None:
        """Go on after some were late."""
        self._changed()

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
        return self._ears.get(viewer, rounds)

    async def prepare(self, viewer: Viewer | None = None) -> None:
        """Make ready what shows the past, which takes a while, for the eyes of a viewer if any.

        Then ``ear`` answers at once, and so does whatever tells what happened lately.
        """
        rounds = self.consents.get(viewer, 0) if viewer is not None else 0
        if self.past.is_far or (viewer is not None and self._ears.lacks(viewer, rounds)):
            async with self._lock:  # nothing must happen while it looks back
                await self._in_thread(self._look_back, viewer, rounds)

    def _look_back(self, viewer: Viewer | None, rounds: int) -> None:
        self.past.look_back()
        if viewer is not None:
            self._ears.prepare(viewer, rounds)

    def remember_left(self, person: Person, viewer: Viewer) -> None:
        """Somebody stops looking now."""
        self._left[person.number, viewer] = self._standing.entries

    def left_at(self, person: Person, viewer: Viewer) -> int | None:
        """How many entries there were when somebody stopped looking, if that is known; once."""
        return self._left.pop((person.number, viewer), None)

    def left_by(self, place: Place) -> None:
        """Somebody looks no more."""
        self.watching.pop(place, None)
        self._ears.close_unused()

    def on_change(self, told: Callable[[], None]) -> Callable[[], None]:
        """Call after anything in ``info`` or ``talk`` has changed; the answer stops it."""
        return self._told.add(told)

    def _changed(self) -> None:
        self.go_on()
        self.tell_all()

    def tell_all(self) -> None:
        """Tell all that look that it stands otherwise."""
        self._told.tell()
        self.house.note_change(self.number)

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
        if self.table.file is not None and not self.is_closed:
            self._keeping.add(task := self.loop.create_task(self._keep(self.table.file, notice)))
            task.add_done_callback(self._keeping.discard)
        if kind == "talk":
            self.tell_all()

    async def _keep(self, file: SaveFile, notice: Notice) -> None:
        async with self._lock:
            if self.is_closed:
                return
            try:
                await self._in_thread(file.notice, notice)
            except SaveFault as fault:
                logging.getLogger(__name__).warning("game %d: %s", self.number, fault)

    # -- the end ---------------------------------------------------------------------------------

    @property
    def kept(self) -> Kept:
        """What is to be kept besides the save."""
        consents = tuple(sorted(self.consents.items()))
        return Kept(self.terms, consents, self.info, peeped=self.seating.peeped)

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
        self._timing.stop()
        await self._computers.stop()
        await asyncio.gather(*self._keeping)
        async with self._lock:
            self.is_closed = True
            self._ears.close()
            await self._in_thread(self.table.close)
        self._told.tell()


def _refused(text: str) -> Reply:
    return Reply(ok=False, code=str(Denied.NOT_YOUR_TURN), text=text)
