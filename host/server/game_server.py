"""Game server: all games of a host, opened for their first visitor, closed after the last."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from time import monotonic
from typing import Any, Final, TypeVar

from engine.core.archive import SaveFault
from engine.core.codec import encode
from engine.core.ids import Seat
from engine.core.options import OptionFault
from engine.core.record import replace
from engine.core.registry import UnknownRuleset, find
from engine.core.replay import BrokenLog
from engine.core.ruleset import ScenarioFault
from host.server.clocks import Terms
from host.server.database import StoreFault
from host.server.founders import Founders, named, refuse_foreign
from host.server.gamebook import Resumed, StoredGame, stored_in
from host.server.hosted import HostedGame
from host.server.listeners import Listeners
from host.server.people import GUEST, Guest, Person, PersonNames, here_in_words
from host.server.ports import GameInfo, Ports
from host.server.rate_limits import HostLimits
from host.server.store import Store
from tui.play.players import PlanWorkers
from tui.play.setup import NewGame, begin, same_again
from tui.play.table import Table

_T = TypeVar("_T")

THREADS: Final = 8
"""Maximum number of games that are decided or written at the same moment."""

TOGETHER: Final = 0.25
"""Seconds for which changes are collected before listeners are called."""

GRACE: Final = 120.0
"""Seconds after leaving during which a person is not replaced by a computer player."""

TIDY: Final = 60.0
"""Seconds between two searches for open games that are not in use."""

NICENESS: Final = 15
"""Niceness of the processes in which computer players plan, so that screens go first."""

LONGEST_PLAN: Final = 120.0
"""Seconds after which a plan is abandoned, and its process ended."""

_NOT_WRITTEN: Final = "The host cannot write to its disk just now, so nothing has changed."

CLOSING: Final = 1.5
"""Seconds that games have to close when the host stops."""

EXPECTED = (SaveFault, BrokenLog, UnknownRuleset, ScenarioFault, OptionFault, LookupError)
"""Faults of beginning or opening a game; their texts are shown in a line."""


class GameServer:
    """Owner of all games of a host. It lives in the event loop; games are decided in threads."""

    def __init__(
        self,
        ports: Ports,
        store: Store,
        *,
        limits: Callable[[], HostLimits] = HostLimits,
        processes: int = 1,
    ) -> None:
        """Start without open games; ``open_all`` opens those in progress."""
        self.ports = ports
        self.store = store
        self.plan_workers = PlanWorkers(processes, niceness=NICENESS, longest=LONGEST_PLAN)
        self.threads: Executor = ThreadPoolExecutor(THREADS, thread_name_prefix="game")
        self.computers_turn = asyncio.Semaphore(1)
        self.limits = limits
        self.here: Counter[int] = Counter()
        """Number of connections of each person."""
        self._games: dict[int, HostedGame] = {}
        self._opening: dict[int, asyncio.Lock] = {}
        self._known: dict[int, tuple[str, StoredGame]] = {}
        """Save and stored data of each game, open or not."""
        self._unopened: set[int] = set()
        """Games whose saves could not be opened."""
        self._awaited: set[int] = set()
        """Games begun before the host started, to which none of their people is back yet."""
        self._founders = Founders()
        self._names = PersonNames()
        self._gone: dict[int, float] = {}
        """Time at which each absent person left, since the server started."""
        self._began = monotonic()
        self._told: Listeners[[]] = Listeners()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._telling: asyncio.TimerHandle | None = None
        self._tidying: asyncio.Task[None] | None = None

    # -- what games need ---------------------------------------------------------------------------

    def name_of(self, person: int) -> str:
        """Return the name of the person with a number; guests get a name from their number."""
        return self._names.of(person)

    def current_name(self, person: Person) -> str:
        """Return a person's name now; ``person`` has the one from the start of the session."""
        return self._names.current(person)

    async def renew(self, person: int) -> None:
        """Read the name and rights of a person again, and show the name in all games.

        Raises:
            StoreFault: the accounts cannot be read.
            SaveFault: the store cannot be written.
        """
        await asyncio.to_thread(self._names.learn, map(self.store.person, (person,)))
        for number, people in (await asyncio.to_thread(self.store.all_seats)).items():
            seats = {seat for seat, who in people.items() if who == person}
            if seats and number in self._games:
                self._games[number].tell_all()
            elif seats and number in self._known:
                save, stored = self._known[number]
                self._known[number] = save, stored.renamed(seats, self.name_of(person))
                await self._write(self.store.set_terms, number, encode(self._known[number][1]))
        self.tell_all()

    def is_connected(self, person: int) -> bool:
        """Return whether a person is connected."""
        return self.here[person] > 0

    def was_here(self, person: int) -> bool:
        """Return whether a person is connected, or left so recently that they may return."""
        # A restart of the host has just disconnected everyone.
        gone = self._gone.get(person, self._began)
        return self.is_connected(person) or monotonic() - gone < GRACE

    async def keep_seat(self, game: int, seat: Seat, person: int | None) -> None:
        """Store the person of a seat; guests keep theirs only while they are connected.

        Raises:
            SaveFault: it cannot be written.
        """
        known = person if person is None or person > GUEST else None
        await self._write(self.store.seat, game, seat, known)
        if known is not None and known not in self._names:
            await asyncio.to_thread(self._names.learn, map(self.store.person, (known,)))

    def note_change(self, number: int) -> None:
        """Store the changed status of a game, and call the listeners."""
        game = self._games.get(number)
        if game is None or number not in self._known:
            return
        save, before = self._known[number]
        stored = game.stored
        self._known[number] = save, stored
        if game.is_over and not (before.info is not None and before.info.stage == "finished"):
            self._spawn(asyncio.to_thread(self._finish, number, stored))
        elif stored.peeped != before.peeped:
            self._spawn(asyncio.to_thread(self.store.set_terms, number, encode(stored)))
        self.tell_all()

    # -- who is here -------------------------------------------------------------------------------

    def come(self, person: Person) -> None:
        """Count a new connection of a person."""
        self._names.note(person)
        self.here[person.number] += 1
        self._tell_games_of(person)

    def go(self, person: Person) -> None:
        """Count the end of a connection."""
        self.here[person.number] -= 1
        if self.here[person.number] <= 0:
            del self.here[person.number]
            self._gone[person.number] = monotonic()
            if not person.is_guest:
                self._spawn(asyncio.to_thread(self.store.seen, person.number))
        self._tell_games_of(person)

    def people_here(self) -> str:
        """Return the names of connected people, in a line."""
        return here_in_words(map(self.name_of, self.here))

    def waiting_for(self, person: Person) -> list[int]:
        """Return the numbers of the games that wait for a person."""
        name = self.current_name(person)
        return sorted(info.number for info in self.games() if info.waits_for(name))

    def _tell_games_of(self, person: Person) -> None:
        for game in tuple(self._games.values()):
            if game.seats_of(person):
                game.tell_all()
        self.tell_all()

    # -- games -------------------------------------------------------------------------------------

    async def open_all(self) -> None:
        """Open the games in progress; those with people rest until the first of them is back."""
        rows = await asyncio.to_thread(self.store.games)
        for row in rows:
            stored = stored_in(row.terms)
            if not stored.is_away:
                self._known[row.number] = row.save, stored
                self._founders.resume(row, stored)
                self._awaited.add(row.number)
        await self._delete_deserted()
        await asyncio.to_thread(self._adopt, {row.save for row in rows})
        finished = {row.number for row in rows if row.is_finished}
        for number, (_, stored) in tuple(self._known.items()):
            if number not in finished or stored.info is None:
                try:
                    await self.game(number)
                except EXPECTED as fault:
                    text = "game %d cannot be opened: %s"
                    logging.getLogger(__name__).error(text, number, fault)  # noqa: TRY400 - an expected fault needs no trace
        self._tidying = asyncio.create_task(self._tidy(), name="tidy")

    def games(self) -> tuple[GameInfo, ...]:
        """Return all games, latest first."""
        found, here = [], {self.name_of(number) for number in self.here}
        for number in sorted(self._known, reverse=True):
            open_game = self._games.get(number)
            save, data = self._known[number]
            info = open_game.info if open_game is not None else data.seen(here)
            if number in self._unopened:
                info = data.unopened(number, save)
            found += [info] if info is not None else []
        return tuple(found)

    async def game(self, number: int) -> HostedGame:
        """Return a game by number; open it if necessary.

        Raises:
            LookupError: no game has that number.
            SaveFault, BrokenLog, UnknownRuleset: it cannot be opened.
        """
        if number not in self._known:
            raise LookupError(f"there is no game {number}")
        async with self._opening.setdefault(number, asyncio.Lock()):
            if number not in self._games:
                save, stored = self._known[number]
                try:
                    opened = await asyncio.to_thread(self._open, number, save, stored)
                except EXPECTED:
                    self._unopened.add(number)
                    raise
                self._unopened.discard(number)
                self._take(number, *opened)
        return self._games[number]

    async def begin(self, person: Person, start: NewGame, terms: Terms | None = None) -> HostedGame:
        """Begin a game; its founder gets the first seat for a person.

        Raises:
            SaveFault, ScenarioFault, OptionFault, LookupError: it cannot be begun.
        """
        refuse_foreign(start)
        return await self._begin(person, start, terms)

    async def begin_again(self, person: Person, game: HostedGame) -> HostedGame:
        """Begin a game with the scenario, options, players and terms of another.

        Raises:
            SaveFault, ScenarioFault, OptionFault, LookupError: it cannot be begun.
        """
        return await self._begin(person, same_again(game.table), game.terms)

    async def _begin(self, person: Person, start: NewGame, terms: Terms | None) -> HostedGame:
        unfinished = (info.number for info in self.games() if info.stage != "finished")
        if full := self._founders.full(person, unfinished, self.limits()):
            raise LookupError(full)
        stored = StoredGame(terms or Terms(), by_guest=isinstance(person, Guest))
        archive, on_bug = self.ports.archive, self.ports.on_bug
        table = await asyncio.to_thread(begin, archive, named(start), on_bug)
        save = table.file.name if table.file is not None else ""
        try:
            number = await self._write(
                self.store.add_game, save, max(GUEST, person.number), encode(stored)
            )
        except SaveFault:
            if table.file is not None:
                await asyncio.to_thread(table.file.close)
            raise
        self._founders.note(number, person)
        self._known[number] = save, stored
        self._names.note(person)
        game = self._take(number, table, Resumed({}, stored))
        seat = next((seat for seat in game.seating.free), None)
        if seat is not None:
            await game.sit(person, seat)
        self.note_change(number)
        return game

    async def consent(self, game: HostedGame, person: Person, rounds: int | None) -> None:
        """Let others watch as a person's seats, ``rounds`` rounds later; None revokes that.

        Raises:
            SaveFault: it cannot be written; nothing changed.
        """
        own = game.seats_of(person)
        consents = {seat: late for seat, late in game.consents.items() if seat not in own}
        if rounds is not None:
            consents |= dict.fromkeys(own, max(0, rounds))
        stored = replace(game.stored, consents=tuple(sorted(consents.items())))
        await self._write(self.store.set_terms, game.number, encode(stored))
        game.consents = consents
        self.note_change(game.number)

    def may_agree(self, game: HostedGame, person: Person) -> str:
        """Return why a person may not change the clock of a game, or an empty text."""
        if game.is_over:
            return "The game is over."
        if self._names.is_admin(person) or self._founders.is_by(game.number, person):
            return ""
        return "Only who began the game, or an administrator, changes its times."

    async def agree(self, number: int, person: Person, turn: int, bank: int) -> str:
        """Change the clock of a game from each seat's next turn on; times are in seconds.

        Return why that is not allowed, or an empty text.

        Raises:
            SaveFault: it cannot be written; nothing changed.
        """
        game = await self.game(number)
        why_not = self.may_agree(game, person)
        if not why_not:
            terms = replace(game.terms, turn=turn, bank=bank)
            stored = replace(game.stored, terms=terms)
            await self._write(self.store.set_terms, number, encode(stored))
            game.agree(person, terms)
        return why_not

    async def remove(self, number: int) -> None:
        """Remove a game permanently; its save is kept."""
        await self._close(number)
        known = self._known.get(number)
        if known is not None:
            stored = replace(known[1], is_away=True)
            await self._write(self.store.set_terms, number, encode(stored))
            self._known.pop(number, None)
        self.tell_all()

    def let_go(self, person: Person) -> None:
        """Free the seats of a guest whose connection has ended, since no guest comes back."""
        if isinstance(person, Guest):
            self._spawn(self._free_seats(person))

    async def _free_seats(self, guest: Guest) -> None:
        for game in tuple(self._games.values()):
            for seat in game.seats_of(guest):
                with contextlib.suppress(SaveFault):
                    await game.stand(guest, seat)
        await self._delete_deserted()

    async def _delete_deserted(self) -> None:
        """Delete the games that guests began and that have no player left, with their saves."""
        seated = await asyncio.to_thread(self.store.all_seats)
        for number in self._founders.by_guests:
            game = self._games.get(number)
            if number in seated or (game is not None and game.seating.people):
                continue
            save, _ = self._known[number]
            try:
                await self._close(number)
                await asyncio.to_thread(self.ports.archive.delete, save)
                await self._write(self.store.remove_game, number)
            except (SaveFault, LookupError) as fault:
                logging.getLogger(__name__).warning("game %d: %s", number, fault)
            self._known.pop(number, None)
            self._founders.forget(number)
        self.tell_all()

    def lost_without(self, person: Person) -> tuple[str, ...]:
        """Return the names of games that are deleted if a guest leaves: no other person plays."""
        begun = [game for number in self._founders.by_guests if (game := self._games.get(number))]
        alone = [game for game in begun if {*game.seating.people.values()} <= {person.number}]
        return tuple(game.info.name for game in alone if person.is_guest)

    async def _write(self, change: Callable[..., _T], *values: object) -> _T:
        """Write to the store, in a thread.

        Raises:
            SaveFault: it cannot be written; the reason is logged for the operator.
        """
        try:
            return await asyncio.to_thread(change, *values)
        except StoreFault as fault:
            logging.getLogger(__name__).warning("%s", fault)
            raise SaveFault(_NOT_WRITTEN) from None

    def on_change(self, told: Callable[[], None]) -> Callable[[], None]:
        """Call ``told`` after changes of games. Call the result to unsubscribe."""
        return self._told.add(told)

    def tell_all(self) -> None:
        """Call the listeners soon; changes at about the same time cause one call."""
        if self._telling is None:
            self._telling = asyncio.get_running_loop().call_later(TOGETHER, self._tell_now)

    def _tell_now(self) -> None:
        self._telling = None
        self._told.tell()

    async def close(self) -> bool:
        """Close every save; no acknowledged command is lost. Return whether all are closed.

        All games stop acting before the first is closed. Games that take too long are left behind
        and named in the log.
        """
        if self._tidying is not None:
            self._tidying.cancel()
        if self._telling is not None:
            self._telling.cancel()
        for game in self._games.values():
            game.stop_acting()
        self.plan_workers.close(wait=False)
        closing = [
            asyncio.create_task(self._close(number), name=f"game {number}")
            for number in self._games
        ]
        for waiting in (closing, [*self._tasks]):
            late = (await asyncio.wait(waiting, timeout=CLOSING))[1] if waiting else ()
            for task in late:
                logging.getLogger(__name__).warning("%s: cut off when closing", task.get_name())
                task.cancel()
        self.threads.shutdown(wait=False, cancel_futures=True)
        ended = [task for task in closing if task.done() and not task.cancelled()]
        return ended == closing and all(not task.exception() and task.result() for task in ended)

    # -- inside ------------------------------------------------------------------------------------

    def _take(self, number: int, table: Table, resumed: Resumed) -> HostedGame:
        self._games[number] = game = HostedGame(number, table, self, resumed)
        self._known[number] = self._known[number][0], game.stored
        return game

    def _open(self, number: int, save: str, stored: StoredGame) -> tuple[Table, Resumed]:
        opened = self.ports.archive.open(save)
        try:
            rules = find(opened.header.ruleset)
            table = Table.resume(rules, opened, on_bug=self.ports.on_bug)
            people = self.store.seats(number)
            self._names.learn(map(self.store.person, people.values()))
        except Exception:
            if opened.file is not None:
                opened.file.close()
            raise
        return table, Resumed(people, stored, opened.notices, number in self._awaited)

    def _adopt(self, known: set[str]) -> None:
        """Give numbers to saves not in ``known``, as after a crash while a game began."""
        for info in self.ports.archive.listing():
            if info.name not in known and not info.fault:
                number = self.store.add_game(info.name, GUEST, encode(StoredGame()))
                self._known[number] = info.name, StoredGame()

    def _finish(self, number: int, stored: StoredGame) -> None:
        self.store.set_terms(number, encode(stored))
        self.store.finish_game(number)

    async def _tidy(self) -> None:
        while True:
            await asyncio.sleep(TIDY)
            for number, game in tuple(self._games.items()):
                if game.is_idle:
                    await self._close(number)

    async def _close(self, number: int) -> bool:
        """Close an open game; return False if something could not be written."""
        is_kept = True
        async with self._opening.setdefault(number, asyncio.Lock()):
            game = self._games.get(number)
            if game is None:
                return is_kept
            if not game.attendance.is_awaited:
                self._awaited.discard(number)
            self._known[number] = self._known[number][0], (stored := game.stored)
            try:
                await game.close()
                await self._write(self.store.set_terms, number, encode(stored))
            except (SaveFault, LookupError) as fault:
                is_kept = False
                logging.getLogger(__name__).warning("game %d: %s", number, fault)
            del self._games[number]
            return is_kept

    def _spawn(self, work: Any) -> None:
        task = asyncio.create_task(work, name="a change of a game")
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (fault := task.exception()) is not None:
            logging.getLogger(__name__).error("%s", fault, exc_info=fault)
