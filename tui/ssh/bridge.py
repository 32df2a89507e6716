"""Between the loop, in which games are told, and a thread that plays one in lines.

The thread waits in ``Inbox.get`` for lines and for work: whatever happens in the game is heard in
the thread, between two lines, so nothing there needs a lock.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Mapping
from threading import Condition
from typing import Any, Final, TypeVar

from engine.core.archive import Header, Player
from engine.core.ids import Seat, Viewer
from engine.core.link import FeedItem, Link, Reply
from engine.core.ruleset import AnyRuleset, Outcome
from tui.play.chronicle import Chronicle
from tui.play.table_protocol import TableProtocol
from tui.ssh.text import TooSlow

Job = Callable[[], None]
T = TypeVar("T")

MOST_LINES: Final = 100
"""Lines that wait for the thread; no more are read until it has taken some."""

MOST_JOBS: Final = 2_000
"""News that wait for a thread that cannot write because nobody reads."""


class Inbox:
    """What comes to the thread. Filled in the loop, emptied in the thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Nothing has come yet."""
        self._loop = loop
        self._stir = Condition()
        self._lines: deque[str] = deque()
        self._jobs: deque[Job] = deque()
        self._end: Exception | None = None
        self._room = asyncio.Event()
        self._room.set()

    # -- in the loop -----------------------------------------------------------------------------

    async def put(self, line: str) -> None:
        """Add a line, when there is room for it."""
        await self._room.wait()
        with self._stir:
            self._lines.append(line)
            if len(self._lines) >= MOST_LINES:
                self._room.clear()
            self._stir.notify()

    def post(self, job: Job) -> None:
        """Add work."""
        with self._stir:
            self._jobs.append(job)
            if len(self._jobs) > MOST_JOBS:
                self._jobs.clear()
                self._end = TooSlow()
            self._stir.notify()

    def end(self, why: Exception, *, at_once: bool = False) -> None:
        """There will be no more lines; ``at_once``: those that wait are of no use any more."""
        with self._stir:
            if at_once:
                self._lines.clear()
            self._end = self._end or why
            self._stir.notify()

    # -- in the thread ---------------------------------------------------------------------------

    def get(self) -> str | Job:
        """Work if there is some, else the next line, as soon as there is one.

        Raises:
            Exception: what ``end`` was given, after the last line.
        """
        with self._stir:
            while not (self._jobs or self._lines or self._end):
                self._stir.wait()
            if isinstance(self._end, TooSlow):
                raise self._end
            if self._jobs:
                return self._jobs.popleft()
            if self._lines:
                line = self._lines.popleft()
                self._loop.call_soon_threadsafe(self._room.set)
                return line
            assert self._end is not None  # noqa: S101 - tells the type checker
            raise self._end

    def work(self) -> None:
        """Do all the work that waits."""
        while True:
            with self._stir:
                if not self._jobs:
                    return
                job = self._jobs.popleft()
            job()


class Bridge:
    """Calls from the thread into the loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, inbox: Inbox) -> None:
        """``inbox`` is that of the thread."""
        self.inbox = inbox
        self._loop = loop

    def wait_for(self, work: Coroutine[Any, Any, T]) -> T:
        """What some work in the loop leads to."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def ask(self, question: Callable[[], T]) -> T:
        """What a quick question leads to, when it is put in the loop."""

        async def asked() -> T:
            return question()

        return self.wait_for(asked())


class FarLink:
    """A viewer's end of a game, for the thread."""

    def __init__(self, link: Link, bridge: Bridge) -> None:
        """``link`` belongs to the loop."""
        self._link = link
        self._bridge = bridge

    @property
    def viewer(self) -> Viewer:
        """Whose end this is."""
        return self._link.viewer

    @property
    def view(self) -> Any:
        """What the viewer may know now."""
        return self._bridge.ask(lambda: self._link.view)

    async def submit(self, line: str) -> Reply:
        """Ask for a command, in the loop."""
        return await self._link.submit(line)

    def answer(self, line: str) -> Reply:
        """Ask for a command, and hear what it led to."""
        reply = self._bridge.wait_for(self._link.submit(line))
        self._bridge.inbox.work()
        return reply

    def feed(self, hear: Callable[[FeedItem], None]) -> Callable[[], None]:
        """Be told in the thread what happens from now on."""
        post = self._bridge.inbox.post
        stop = self._bridge.ask(lambda: self._link.feed(lambda news: post(lambda: hear(news))))
        return lambda: self._bridge.ask(stop)


class FarTable:
    """A game on the host, for the thread."""

    plays_computers = False

    def __init__(self, place: TableProtocol, bridge: Bridge) -> None:
        """``place`` belongs to the loop."""
        self._place = place
        self._bridge = bridge

    @property
    def rules(self) -> AnyRuleset:
        """Of this game."""
        return self._place.rules

    @property
    def header(self) -> Header:
        """What its log is the log of."""
        return self._bridge.ask(lambda: self._place.header)

    @property
    def players(self) -> tuple[Player, ...]:
        """Who sits where."""
        return self._bridge.ask(lambda: self._place.players)

    @property
    def now(self) -> int:
        """The entry of the log that was made last."""
        return self._bridge.ask(lambda: self._place.now)

    @property
    def owes(self) -> frozenset[Seat]:
        """The seats that the game waits for."""
        return self._bridge.ask(lambda: self._place.owes)

    def player(self, seat: Seat) -> Player:
        """Who sits on a seat."""
        return self._bridge.ask(lambda: self._place.player(seat))

    def is_here(self, seat: Seat) -> bool:
        """Whether the person plays a seat."""
        return self._bridge.ask(lambda: self._place.is_here(seat))

    def to_act(self) -> Seat | None:
        """A seat that owes an answer, the person's if there is one; None: the game is over."""
        return self._bridge.ask(self._place.to_act)

    def link(self, viewer: Viewer) -> FarLink:
        """A viewer's end of this game."""
        return FarLink(self._bridge.ask(lambda: self._place.link(viewer)), self._bridge)

    def chronicle(self, viewer: Viewer) -> Chronicle:
        """How the game went. It is told in the thread: nothing in it changes what is."""
        return self._bridge.ask(lambda: self._place.chronicle(viewer))

    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return self._bridge.ask(self._place.outcome)

    def numbers(self) -> Mapping[str, tuple[int, ...]]:
        """The numbers of all seats, as far as they may be known."""
        return self._bridge.ask(self._place.numbers)
