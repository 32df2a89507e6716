"""Commands that play a seat: ``play --plain`` in lines of text, ``bot`` for a program."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import partial
from typing import Any, Final, cast

from engine.core.ids import Seat
from engine.core.link import FeedItem, Reply
from engine.core.replay import fold
from engine.core.ruleset import Outcome
from host.server.hosted import HostedGame, Participant
from host.server.ports import GameInfo, Said
from host.ssh.bridge import Bridge, FarTable, Inbox
from host.ssh.calls import Call, CallDenied, called, seat_in, stand_ins
from host.ssh.console import Console, ConsoleWriter, Interrupted
from host.ssh.text import Backlog, Gone, first_of, lines_from
from tui.console.exits import Exit, Wrong
from tui.headless.bot_protocol import LONGEST, BotVisitor, MessageLine, Talk
from tui.linemode.line_session import Left, LineSession
from tui.linemode.voice import WIDTH, Voice
from tui.linemode.words import aside, help_for, run
from tui.play.table_protocol import BlockingTable

_MAIN: Final = "> "

OUTSIDE: Final = (
    ("help", "help [WORD]", "this list, or more about a word"),
    ("say", "say TEXT", "say something to all in this game"),
    ("talk", "talk", "what was said last"),
    ("quit", "quit", "leave; the game goes on without you"),
)
"""Console words in addition to those of line mode: name, usage, text."""

_LAST_SAID: Final = 20


class Reseated(Exception):
    """The seats that the person has in the game have changed."""


async def play(call: Call) -> Exit:
    """``play``: play a game in lines until the person leaves."""
    if not call.args.plain:
        raise Wrong("play --plain plays in lines; for the screen: ssh -t HOST")
    if call.args.game is None:
        call.args.game = _usual_game(call)
    if call.context.slots.locked():
        raise CallDenied("Too many play in lines now. Come back later.")
    hosted = await call.hosted()
    async with call.context.slots:
        with call.presence(hosted) as place:
            return await _Visit(call, hosted, place).serve()


def _usual_game(call: Call) -> int:
    """Return the number of the only game that the person plays.

    Raises:
        Wrong: the person plays none, or more than one.
    """
    own = [
        one for one in call.game_server.games() if one.stage != "finished" and call.own_seats(one)
    ]
    if len(own) == 1:
        return own[0].number
    listed = ", ".join(map(_named, own)) if own else "you play none; games lists all"
    raise Wrong(f"which game? {listed}")


def _named(info: GameInfo) -> str:
    return f"{info.number} {info.name}"


class _Visit:
    """One person at one game. ``serve`` runs in the loop, the game in a thread."""

    def __init__(self, call: Call, hosted: HostedGame, place: Participant) -> None:
        self._call = call
        self._hosted = hosted
        self._place = place
        loop = asyncio.get_running_loop()
        self._inbox = Inbox(loop)
        self._bridge = Bridge(loop, self._inbox)
        self._console = Console(call, self._bridge)
        self._voice = self._make_voice()
        self._session: LineSession | None = None
        self._seats = place.seats
        self._said = len(hosted.talk())
        self._absent = place.absent_turns(late_only=True)
        self._is_stirred = False
        """True if there are events that were not shown."""

    async def serve(self) -> Exit:
        """Play in a thread, which ends soon after the person has gone."""
        loop = asyncio.get_running_loop()
        ended: asyncio.Future[Exit] = loop.create_future()
        listening = asyncio.ensure_future(self._console.listen())
        stop = self._hosted.on_change(self._changed)
        thread = threading.Thread(target=self._run, args=(loop, ended), daemon=True)
        thread.start()
        try:
            return await ended
        finally:
            stop()
            listening.cancel()
            self._inbox.end(Gone(), at_once=True)

    # -- in the loop -----------------------------------------------------------------------------

    def _changed(self) -> None:
        """Inform the thread of chat and of changed seats."""
        seats = self._place.seats
        if seats != self._seats:
            self._seats = seats
            self._inbox.post(_reseat)
        talk = self._hosted.talk()
        for said in talk[self._said :]:
            self._inbox.post(partial(self._voice.say, _quoted(said)))
        self._said = len(talk)
        before, self._absent = self._absent, self._place.absent_turns(late_only=True)
        if self._absent != before:
            for sentence in self._absent[-1:]:
                self._inbox.post(partial(self._voice.say, sentence))
        self._inbox.post(_look_again)

    def _make_voice(self) -> Voice:
        call = self._call
        width = call.process.term_size[0] - 1 if call.has_terminal else WIDTH
        return Voice(
            cast("Any", ConsoleWriter(self._console, self._bridge)),
            self._read,
            only_ascii=call.args.ascii,
            echo=not call.has_terminal,
            width=width if width > 0 else WIDTH,
        )

    # -- in the thread ---------------------------------------------------------------------------

    def _run(self, loop: asyncio.AbstractEventLoop, ended: asyncio.Future[Exit]) -> None:
        try:
            code, problem = self._played(), None
        except Exception as raised:  # noqa: BLE001 - it is raised again in the loop
            code, problem = Exit.OK, raised

        def tell() -> None:
            if ended.done():
                return
            if problem is None:
                ended.set_result(code)
            else:
                ended.set_exception(problem)

        with suppress(RuntimeError):
            loop.call_soon_threadsafe(tell)

    def _played(self) -> Exit:
        try:
            self._play()
        except Interrupted:
            self._farewell("Interrupted. ")
            return Exit.INTERRUPTED
        except Left:
            self._farewell("")
        except EOFError:
            self._farewell("The input has ended. ")
        finally:
            if self._session is not None:
                self._session.close()
        return Exit.OK

    def _play(self) -> None:
        self._voice.say("help lists what you can type.")
        while True:
            try:
                session = self._sit_down()
                while self._carry_out(session, self._voice.listen(_MAIN)):
                    pass
            except Reseated:
                self._voice.say("Your seats in this game have changed.")
            else:
                self._farewell("")
                return

    def _sit_down(self) -> LineSession:
        if self._session is not None:
            self._session.close()
        far = FarTable(cast("BlockingTable", self._place), self._bridge)
        table = cast("BlockingTable", far)  # it has what the table has
        name = self._bridge.ask(lambda: self._hosted.info.name)
        try:
            self._session = LineSession(self._voice, table, name, aside=aside)
        except PermissionError:
            raise CallDenied("That game is not to be watched.") from None
        self._session.open()
        if self._session.table.to_act() is not None:
            for sentence in self._bridge.ask(self._stand_ins):
                self._voice.say(sentence)
        return self._session

    def _stand_ins(self) -> list[str]:
        return [*self._place.absent_turns(), *stand_ins(self._hosted, self._place)]

    def _farewell(self, text: str) -> None:
        self._voice.say(f"{text}The game goes on without you.")
        self._voice.flush()

    def _read(self, prompt: str) -> str:
        """Return the next line; events are shown at once, except within a question."""
        while True:
            if self._is_stirred and prompt == _MAIN and self._session is not None:
                self._is_stirred = False
                self._session.go_on()
            self._voice.flush()
            self._console.ask(prompt)
            found = self._inbox.get()
            if isinstance(found, str):
                return found
            found()
            self._inbox.work()
            self._is_stirred = True
            if prompt != _MAIN and self._session is not None and self._session.is_lost:
                return ""

    def _carry_out(self, session: LineSession, line: str) -> bool:
        """Run a line; return False if the person leaves."""
        word, _, rest = line.partition(" ")
        match word.casefold():
            case "quit" | "exit":
                return False
            case "?" if not rest and session.open_question():
                run(session, word)
            case "help" | "?":
                help_for(self._voice, session, rest.strip(), OUTSIDE)
            case "say":
                self._say(rest.strip())
            case "talk":
                for said in self._bridge.ask(self._hosted.talk)[-_LAST_SAID:]:
                    self._voice.say(_quoted(said))
            case _ if line and not line.startswith("#"):
                run(session, line)
            case _:
                pass
        return True

    def _say(self, text: str) -> None:
        if not text:
            self._voice.say("Say what? say and a text.")
            return
        call = self._call

        def said() -> str:
            return call.context.ask("chat") or self._hosted.say(call.person, text)

        why = self._bridge.ask(said)
        if why:
            self._voice.say(why)


def _quoted(said: Said) -> str:
    """Return a line of the table log; the host's own lines have no speaker."""
    return f"{said.name}: {said.text}" if said.name else said.text


def _look_again() -> None:
    """Do nothing: after any callback the thread checks the state of the game."""


def _reseat() -> None:
    raise Reseated


# -- a program at a seat --------------------------------------------------------------------------


async def bot(call: Call) -> Exit:
    """``bot``: let a program play a seat that the person has, or takes for it."""
    call.check_may_play()
    hosted = await call.hosted()
    seat = seat_in(hosted.info, call.args.seat)
    with call.presence(hosted) as place:
        if seat not in place.seats:
            why = await hosted.sit(call.person, seat)
            if why:
                raise CallDenied(why)
        place.look()
        await _BotSeat(call, hosted, place, seat).serve()
    return Exit.OK


class _BotSeat:
    """A program at one seat of a game."""

    def __init__(self, call: Call, hosted: HostedGame, place: Participant, seat: Seat) -> None:
        self._call = call
        self._hosted = hosted
        self._place = place
        self._seat = seat
        self._backlog: Backlog[MessageLine] = Backlog(call.context.most_waiting)
        self._over = asyncio.Event()
        self._link = place.link(seat)
        names = [called(hosted.info, player.seat) for player in place.players]
        talk = Talk(hosted.rules, seat, names, lambda: self._link.view, self._backlog.put)
        self._visitor = BotVisitor(talk, self)

    async def serve(self) -> None:
        """Serve until the game is over, the program leaves, or it reads too slowly."""
        stops = self._link.feed(self._hear), self._hosted.on_change(self._changed)
        self._changed()
        try:
            await first_of(self._write(), self._backlog.overflow(), self._talk())
        finally:
            for stop in stops:
                stop()

    # -- requests of the visitor -----------------------------------------------------------------

    @property
    def owes(self) -> bool:
        return any(one.owes for one in self._hosted.info.seats if one.seat == self._seat)

    @property
    def is_over(self) -> bool:
        return self._place.is_over

    @property
    def lost(self) -> str:
        """Reason why the program has lost the seat, or an empty text."""
        kept = self._seat in self._place.seats
        return "" if kept else "the seat was given to somebody else"

    async def submit(self, line: str) -> Reply:
        work = self._hosted.submit(self._call.person, self._seat, line)
        return await asyncio.shield(work)

    async def outcome(self) -> Outcome | None:
        """Return the outcome of the game; None until it is over."""
        try:
            opened = await asyncio.to_thread(self._hosted.opened)
        except PermissionError:
            return None
        rules = self._hosted.rules
        state = await asyncio.to_thread(fold, rules, opened.log.line())
        return rules.outcome(state)

    # -- internals -------------------------------------------------------------------------------

    def _hear(self, news: FeedItem) -> None:
        self._visitor.news(news)
        self._changed()

    def _changed(self) -> None:
        self._visitor.changed()
        if self._visitor.talk.is_done:
            self._backlog.close()
        elif self.is_over:
            self._over.set()

    async def _talk(self) -> None:
        """Run the conversation to its end, and wait until everything is read."""
        await first_of(self._visitor.serve(self._lines()), self._end())
        self._backlog.close()
        await asyncio.Event().wait()

    async def _end(self) -> None:
        await self._over.wait()
        await self._visitor.end()

    async def _lines(self) -> AsyncIterator[str | None]:
        """Yield the lines of the program, no faster than it reads their results."""
        async for line in lines_from(self._call.process.stdin, LONGEST):
            await self._backlog.room()
            await self._call.paced()
            yield line

    async def _write(self) -> None:
        while messages := await self._backlog.get():
            for message in messages:
                await self._call.out.say_json(await asyncio.to_thread(message))
