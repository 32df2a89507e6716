"""Play of one hosted game: its seats, commands, computer players, clocks and talk."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, TypeVar

from engine.core.archive import Notice, NoticeKind, SaveFault, SaveFile, SeatPlayer
from engine.core.feed import AnyChange
from engine.core.ids import Seat
from engine.core.link import Reply
from engine.core.refused import Denied
from engine.tabletop.presenter import presenter_of
from host.server.absences import Absences, PlayedTurn
from host.server.attendance import Attendance, GameStatus, closing, status_of
from host.server.cleaning import clean
from host.server.clocks import Terms, Timing
from host.server.computers import Computers
from host.server.feed_hub import FeedHub
from host.server.gamebook import Resumed
from host.server.listeners import Listeners
from host.server.people import Person
from host.server.ports import GameInfo, GameStage, Said, SeatInfo, Services
from host.server.seating import EXPIRED, GameSeats, TableLog, terms_text
from tui.play.players import request_at
from tui.play.table import Table

_T = TypeVar("_T")

LONGEST_LINE: Final = 12_000
"""Maximum characters of a line of notation."""

LONGEST_TALK: Final = 240
"""Maximum characters of one line of talk."""


class PlayedGame:
    """A hosted game: seats, commands, computer players, clock and talk around one table.

    Everything runs in the event loop except calls ``in_thread``.
    """

    def __init__(self, number: int, table: Table, game_server: Services, resumed: Resumed) -> None:
        """Resume a game where it was left."""
        self.number = number
        self.table = table
        self.rules = table.rules
        self.header = table.header
        self.terms = resumed.stored.terms
        self.game_server = game_server
        self.seating = GameSeats(
            table.rules, table.seat_names, table.players, resumed.people, game_server.name_of
        )
        self.absences = Absences(presenter_of(table.rules).round_word)
        self._table_log = TableLog(self.seating.called, self.absences)
        noted = self._table_log.take_up(resumed.notices)
        self.seating.take_up(noted.bots, resumed.stored.peeped)
        self._timing = Timing(self, noted.left, noted.before)
        self._computers = Computers(self)
        self._told: Listeners[[]] = Listeners()
        self._keeping: set[asyncio.Task[None]] = set()
        self.lock = asyncio.Lock()
        self.loop = asyncio.get_running_loop()
        self.feeds = FeedHub(table, self.loop)
        self._is_closing = False
        self.is_closed = False
        """True once the save is closed and nothing more can happen."""
        self.watching: dict[object, Person] = {}
        """People who look at the game, players and spectators, by participant."""
        self._turns = 0
        self._status = self._status_now()
        self.attendance = Attendance(
            self.seating, noted.lapses, self._status, is_awaited=resumed.is_awaited
        )
        self._paused = self.attendance.paused
        # Before all feeds: a listener called with an entry must find the status after it.
        table.game.listen(self._note_status)
        self.go_on()

    # -- status ----------------------------------------------------------------------------------

    @property
    def info(self) -> GameInfo:
        """The game as lists of games show it."""
        status = self._status
        seats = tuple(self._seat_info(player.seat) for player in self.table.players)
        return GameInfo(
            number=self.number,
            name=self.table.file.name if self.table.file is not None else self.header.title,
            ruleset=self.rules.name,
            title=self.header.title,
            stage=self.stage,
            status=status.text,
            seats=seats,
            watchers=len(self._watchers),
            clock=self.terms.in_words if status.over else self._timing.in_words,
            paused=self.attendance.paused if self._paused and self.stage == "running" else "",
            round=status.round_text,
        )

    @property
    def _watchers(self) -> list[Person]:
        """People who look at the game and have no seat."""
        players = {*self.seating.people.values()}
        return [person for person in self.watching.values() if person.number not in players]

    @property
    def stage(self) -> GameStage:
        """Stage of the game: over, running, or with free seats."""
        if self._status.over:
            return "finished"
        return "open" if self.seating.free else "running"

    @property
    def is_over(self) -> bool:
        """True if the game is over, so that everything may be known."""
        return self._status.over

    @property
    def owes(self) -> frozenset[Seat]:
        """Seats that the game waits for."""
        return self._status.owes

    @property
    def players(self) -> tuple[SeatPlayer, ...]:
        """Players by seat."""
        return self.seating.players

    @property
    def is_idle(self) -> bool:
        """True if no person looks at the game and nothing can happen automatically."""
        alone = not self.watching and not self._told and not self._clock_runs
        return alone and not self.seating.has_guests and not self._computers.are_acting

    def seats_of(self, person: Person) -> tuple[Seat, ...]:
        """Return the seats of a person, even those that a computer plays now."""
        return self.seating.of(person)

    def stand_in(self, seat: Seat) -> str:
        """Return the level of the computer player that plays a seat now; empty for a person."""
        return self.seating.bots.get(seat, "")

    def left(self, seat: Seat) -> float | None:
        """Return the seconds left to a seat; None if the game has no clock."""
        return self._timing.left(seat)

    def _seat_info(self, seat: Seat) -> SeatInfo:
        person = self.seating.people.get(seat)
        left = self.left(seat) if seat in self.waited_for else None
        return SeatInfo(
            seat=seat,
            name=self.seating.called(seat),
            person=self.seating.owner(seat),
            bot=self.stand_in(seat),
            owes=seat in self._status.owes,
            is_here=person is not None and self.game_server.is_connected(person),
            left=None if left is None else int(left),
        )

    def _status_now(self) -> GameStatus:
        return status_of(self.table, self._turns)

    # -- who sits where --------------------------------------------------------------------------

    async def sit(self, person: Person, seat: Seat) -> str:
        """Give a person a free seat, or their own seat back from the computer.

        Return why that is refused, or an empty text.

        Raises:
            SaveFault: it cannot be written; nothing changed.
        """
        if not self.is_over and seat in self.seats_of(person) and self._back(person, seat):
            self._changed()
            return ""
        fault = "The game is over." if self.is_over else self.seating.may_sit(person, seat)
        if not fault:
            if self.seating.people.get(seat) != person.number:
                self._forget_absences(seat)
            with self.seating.reserved(seat, person.number):
                await self.game_server.keep_seat(self.number, seat, person.number)
            self.seating.bots.pop(seat, None)
            self.attendance.seated(seat)
            self.attendance.come_back(())
            self._notice("seat", name=self.game_server.current_name(person), seat=seat)
            self._changed()
        return fault

    async def stand(self, person: Person, seat: Seat, bot: str = "") -> str:
        """Let a computer player of level ``bot`` stand in; without a level, free the seat.

        Return why that is refused, or an empty text.

        Raises:
            SaveFault: it cannot be written; nothing changed.
        """
        fault = self.seating.may_stand(person, seat, bot)
        if fault:
            return fault
        if bot:
            self._stand_in(person, seat, bot)
            return ""
        with self.seating.reserved(seat, None):
            await self.game_server.keep_seat(self.number, seat, None)
        self.seating.note_peeping(person, seat)
        self._forget_absences(seat)
        self.seating.bots.pop(seat, None)
        self.attendance.seated(seat)
        self._notice("seat", seat=seat)
        self._changed()
        return ""

    async def seat_computer(self, seat: Seat, level: str, by: Person) -> str:
        """Let a computer player stand in for an absent person; return why not if refused."""
        owner = self.seating.people.get(seat)
        is_here = owner is not None and self.game_server.was_here(owner)
        fault = self.seating.may_replace(by, seat, level, is_here=is_here)
        if not fault:
            self._stand_in(by, seat, level)
        return fault

    def _stand_in(self, by: Person, seat: Seat, bot: str) -> None:
        self.seating.bots[seat] = bot
        self.attendance.seated(seat)
        self._notice("seat", name=self.game_server.current_name(by), seat=seat, bot=bot)
        self._changed()

    def comes(self, place: object, person: Person) -> None:
        """Note that a person looks at the game; this resets their lapses, and may end a pause."""
        self.attendance.come(place, person)
        if seats := self.seats_of(person):
            self._back(person, *seats)
            self._changed()

    def goes(self, place: object) -> None:
        """Note that a person no longer looks at the game."""
        if self.attendance.go(place) and not self.is_closed:
            self._changed()

    def _back(self, person: Person, *seats: Seat) -> bool:
        """Note that a person is back at seats; return whether a clock had run out there."""
        back = self.attendance.come_back(seat for seat in seats if not self.stand_in(seat))
        for seat in back:
            self._notice("seat", name=self.game_server.current_name(person), seat=seat)
        return bool(back)

    # -- playing ---------------------------------------------------------------------------------

    async def submit(self, person: Person, seat: Seat, line: str) -> Reply:
        """Execute a line of notation for a seat that ``person`` has and no computer plays."""
        if self.seating.people.get(seat) != person.number:
            return _refused("You do not have this seat.")
        if self.stand_in(seat):
            return _refused("The computer plays for you; take your seat again first.")
        if len(line) > LONGEST_LINE:
            return _refused(f"A line may have {LONGEST_LINE} characters.")
        if line.strip().startswith("go "):
            return _refused("Games on a host do not branch.")
        file = self.table.file
        if file is not None and (full := self.game_server.limits().full("save_bytes", file.size)):
            return _refused(full)
        self._back(person, seat)
        reply = await self._do(seat, line)
        if reply.ok:
            self._forget_absences(seat)
        return reply

    async def _do(self, seat: Seat, line: str, *, patient: bool = False) -> Reply:
        async with self.lock:
            if self.is_closed:
                return _refused("The game is being closed.")
            before = self._status
            reply = await self.in_thread(self._carry_out, seat, line, patient)
            together = self.rules.traits.simultaneous
            self._timing.end_turns(self.attendance.follow(self._status, together=together))
        if before.is_as(self._status):
            self.go_on()
        else:
            self._changed()
        return reply

    def _carry_out(self, seat: Seat, line: str, patient: bool) -> Reply:  # noqa: FBT001 - passed on by the executor
        file = self.table.file
        if file is not None:
            file.patient = patient
        return self.table.carry_out(seat, line) if patient else self.table.submit(seat, line)

    def _note_status(self, change: AnyChange) -> None:
        entry = change.entry
        if entry is not None and any(event.ends_phase for event in entry.events):
            self._turns += 1
        self._status = self._status_now()

    def in_thread(self, deed: Callable[..., _T], *given: object) -> Awaitable[_T]:
        """Run a slow function in another thread; await the result."""
        return self.loop.run_in_executor(self.game_server.threads, deed, *given)

    # -- computer players ------------------------------------------------------------------------

    def go_on(self) -> None:
        """Let the next seats act: computer players start, and people's clocks run."""
        if not self._is_closing:
            self._look_for_people()
            self._timing.run()
            self._computers.go_on()

    def _look_for_people(self) -> None:
        """Pause if no person of the game is left, and resume when one is back."""
        before, self._paused = self._paused, self.attendance.paused
        if before != self._paused and self.stage == "running" and self.seating.people:
            is_pause = bool(self._paused)
            self.report(f"The game is paused {self._paused}." if is_pause else "The game goes on.")

    @property
    def computers_turn(self) -> asyncio.Semaphore:
        """Semaphore of the host: computer players of all games act one after another."""
        return self.game_server.computers_turn

    @property
    def pace(self) -> float:
        """Seconds that people get to look at each move of a computer player."""
        return self.terms.pace if self.watching else 0.0

    def next_bot(self) -> Seat | None:
        """Return the seat of the computer player to act; None for a person, or after the end."""
        if self._status.over or self._is_closing or self.attendance.is_deserted:
            return None
        return min(self._status.owes & self.seating.bots.keys(), default=None)

    def plays(self, seat: Seat, level: str) -> bool:
        """Return whether a computer player of this level still has to act for a seat."""
        is_turn = self.stand_in(seat) == level and seat in self._status.owes
        return is_turn and not self._is_closing and not self.attendance.is_deserted

    async def thought(self, seat: Seat, *, rests: bool = False) -> tuple[str, ...]:
        """Return the plan of a seat's computer player in notation; see ``Driven.thought``."""
        keeps = seat in self.seating.people and not rests
        if keeps and (given := await self.in_thread(closing, self.table, seat)):
            return given
        asked = partial(request_at, self.table, seat, self.stand_in(seat), rests=rests)
        return await self.game_server.plan_workers.plan(await self.in_thread(asked))

    async def act(self, seat: Seat, line: str) -> Reply:
        """Execute a line of a computer player; ``sync`` puts it on the disk.

        Raises:
            SaveFault: it cannot be saved; nothing changed.
        """
        turn = PlayedTurn(
            self._status.round, self.stand_in(seat), self.attendance.is_for_a_turn(seat)
        )
        reply = await self._do(seat, line, patient=True)
        if reply.ok and seat in self.seating.people:
            self._note_absence(seat, self.absences.note(seat, turn), turn.bot)
        return reply

    def _forget_absences(self, seat: Seat) -> None:
        """Forget the turns that were played for a seat, as its person plays again."""
        self._note_absence(seat, self.absences.forget(seat))

    def _note_absence(self, seat: Seat, text: str, bot: str = "") -> None:
        if text:
            self._notice("clock", seat=seat, text=text, bot=bot, left=self._timing.bank(seat))
            self.tell_all()

    async def sync(self) -> None:
        """Wait until everything that computer players did is on the disk."""
        file = self.table.file
        if file is not None and not self.is_closed:
            async with self.lock:
                await self.in_thread(file.sync)

    # -- clocks ----------------------------------------------------------------------------------

    @property
    def _clock_runs(self) -> bool:
        return self._timing.runs and self.stage == "running" and not self.attendance.is_deserted

    @property
    def waited_for(self) -> frozenset[Seat]:
        """Seats of people whose turn it is; empty with free seats, in a pause, or after the end.

        Without a person in the game no time is counted.
        """
        is_on = self.stage == "running" and not self.attendance.is_deserted
        return self.owes - self.seating.bots.keys() if is_on else frozenset()

    @property
    def timed_turn(self) -> int | None:
        """Number of the turn if all act at once, or None."""
        return self._status.turn if self.rules.traits.simultaneous else None

    def note_left(self, seat: Seat, left: int) -> None:
        """Store the seconds left in the bank of a seat."""
        self._notice("clock", seat=seat, left=left)

    def note_terms(self, seat: Seat, terms: Terms, left: int) -> None:
        """Store the earlier terms of a seat's running turn."""
        self._notice("clock", seat=seat, text=terms_text(terms), left=left)

    def is_late(self, seat: Seat) -> bool:
        """Let a computer player end a late seat's turn; return False if the game has no level.

        If the person of this seat was the last one left, the game pauses instead.
        """
        level = self.terms.late or next(iter(self.rules.bots), "")
        if level:
            self.attendance.lapse(seat)
        if is_played := bool(level) and not self.attendance.is_deserted:
            self.attendance.stand_in(seat, level)
        self._notice("clock", seat=seat, text=EXPIRED, bot=level if is_played else "")
        return bool(level)

    def ring_out(self) -> None:
        """Continue after all late seats were handled."""
        self._changed()

    def on_change(self, told: Callable[[], None]) -> Callable[[], None]:
        """Call ``told`` after a change of ``info`` or ``talk``. Call the result to unsubscribe."""
        return self._told.add(told)

    def _changed(self) -> None:
        self.go_on()
        self.tell_all()

    def tell_all(self) -> None:
        """Call the listeners after a change of the status."""
        self._told.tell()
        self.game_server.note_change(self.number)

    # -- talk, and what happens at the table -------------------------------------------------------

    def report(self, text: str) -> None:
        """Report a text to everyone in the name of the host."""
        self._notice("talk", name="", text=clean(text, LONGEST_TALK))

    def talk(self) -> tuple[Said, ...]:
        """Return the lines of the table log, earliest first."""
        return self._table_log.said()

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
        """Store a notice about the table, and announce talk."""
        seq = max(0, self._status.entries - 1)
        notice = Notice(kind, seq, name, text, seat, bot, left, when=time.time())
        self._table_log.note(notice)
        if self.table.file is not None and not self.is_closed:
            self._keeping.add(task := self.loop.create_task(self._keep(self.table.file, notice)))
            task.add_done_callback(self._keeping.discard)
        if kind == "talk":
            self.tell_all()

    async def _keep(self, file: SaveFile, notice: Notice) -> None:
        async with self.lock:
            if self.is_closed:
                return
            try:
                await self.in_thread(file.notice, notice)
            except SaveFault as fault:
                logging.getLogger(__name__).warning("game %d: %s", self.number, fault)

    # -- the end ---------------------------------------------------------------------------------

    def stop_acting(self) -> None:
        """Stop computer players and clocks, as the game is about to be closed."""
        self._is_closing = True
        self._timing.stop()
        self._computers.cancel()

    async def close(self) -> None:
        """Close the save; everything acknowledged is on the disk already."""
        self.stop_acting()
        await self._computers.ended()
        await asyncio.gather(*self._keeping)
        async with self.lock:
            self.is_closed = True
            self.feeds.close()
            await self.in_thread(self.table.close)
        self._told.tell()


def _refused(text: str) -> Reply:
    return Reply(ok=False, code=str(Denied.NOT_YOUR_TURN), text=text)
