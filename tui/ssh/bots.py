"""``ssh HOST bot``: the bot protocol over a channel, for a seat in a game on the host."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from engine.core.ids import Seat
from engine.core.link import FeedItem, Reply
from engine.core.replay import fold
from engine.core.ruleset import Outcome
from tui.console.exits import Exit
from tui.headless.bot_messages import LONGEST, Message, Talk, Visitor
from tui.host.ports import HostedGamePort, ParticipantPort
from tui.ssh.calls import Call, No, called, seat_in
from tui.ssh.text import Backlog, first_of, lines_from


async def bot(call: Call) -> Exit:
    """Let a program play a seat that its person has or takes."""
    call.check_may_play()
    hosted = await call.hosted()
    seat = seat_in(hosted.info, call.args.seat)
    with call.place(hosted) as place:
        if seat not in place.seats:
            why = await hosted.sit(call.person, seat)
            if why:
                raise No(why)
        await _Bot(call, hosted, place, seat).serve()
    return Exit.OK


class _Bot:
    """A program at its seat."""

    def __init__(
        self, call: Call, hosted: HostedGamePort, place: ParticipantPort, seat: Seat
    ) -> None:
        self._call = call
        self._hosted = hosted
        self._place = place
        self._seat = seat
        self._backlog: Backlog[Message] = Backlog(call.around.most_waiting)
        self._over = asyncio.Event()
        self._link = place.link(seat)
        names = [called(hosted.info, player.seat) for player in place.players]
        talk = Talk(hosted.rules, seat, names, lambda: self._link.view, self._backlog.put)
        self._visitor = Visitor(talk, self)

    async def serve(self) -> None:
        """Talk until the game is over, the program leaves, or it reads too slowly."""
        stops = self._link.feed(self._hear), self._hosted.on_change(self._changed)
        self._changed()
        try:
            await first_of(self._write(), self._backlog.overflow(), self._talk())
        finally:
            for stop in stops:
                stop()

    # -- what the visitor asks -------------------------------------------------------------------

    @property
    def owes(self) -> bool:
        """Whether the game waits for the seat."""
        return any(one.owes for one in self._hosted.info.seats if one.seat == self._seat)

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self._place.is_over

    @property
    def lost(self) -> str:
        """Why the seat is the program's no more."""
        kept = self._seat in self._place.seats
        return "" if kept else "the seat was given to somebody else"

    async def submit(self, line: str) -> Reply:
        """Carry out a line."""
        work = self._hosted.submit(self._call.person, self._seat, line)
        return await asyncio.shield(work)

    async def outcome(self) -> Outcome | None:
        """How the game ended."""
        try:
            opened = await asyncio.to_thread(self._hosted.opened)
        except PermissionError:
            return None
        rules = self._hosted.rules
        state = await asyncio.to_thread(fold, rules, opened.log.line())
        return rules.outcome(state)

    # -- inside ----------------------------------------------------------------------------------

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
        """Talk to the end, and let what is said be read."""
        await first_of(self._visitor.serve(self._lines()), self._end())
        self._backlog.close()
        await asyncio.Event().wait()

    async def _end(self) -> None:
        await self._over.wait()
        await self._visitor.end()

    async def _lines(self) -> AsyncIterator[str | None]:
        """The program's lines, as fast as it reads what they lead to."""
        async for line in lines_from(self._call.process.stdin, LONGEST):
            await self._backlog.room()
            await self._call.paced()
            yield line

    async def _write(self) -> None:
        while messages := await self._backlog.get():
            for message in messages:
                await self._call.out.say_json(await asyncio.to_thread(message))
