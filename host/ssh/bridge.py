"""Bridge between the event loop of the games and a thread that plays one in lines of text.

The thread waits in ``Inbox.get`` for lines and for callbacks: feed items of the game are handled in
the thread, between two lines, so nothing there needs a lock.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Mapping
from threading import Condition
from typing import Any, Final, TypeVar

from engine.core.archive import Header, SeatPlayer
from engine.core.ids import Seat, Viewer
from engine.core.link import FeedItem, Link, Reply
from engine.core.ruleset import AnyRuleset, Outcome
from host.ssh.text import TooSlow
from tui.play.chronicle import Chronicle
from tui.play.table_protocol import BlockingTable

Callback = Callable[[], None]
T = TypeVar("T")

MOST_LINES: Final = 100
"""Maximum lines queued for the thread; reading pauses above this."""

MOST_JOBS: Final = 2_000
"""Maximum callbacks queued for a thread blocked in writing; above it the session ends."""


class Inbox:
    """Queue of lines and callbacks, filled in the loop and emptied in the thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._stir = Condition()
        self._lines: deque[str] = deque()
        self._jobs: deque[Callback] = deque()
        self._end: Exception | None = None
        self._room = asyncio.Event()
        self._room.set()

    # -- in the loop -----------------------------------------------------------------------------

    async def put(self, line: str) -> None:
        """Add a line; wait until there is space for it."""
        await self._room.wait()
        with self._stir:
            self._lines.append(line)
            if len(self._lines) >= MOST_LINES:
                self._room.clear()
            self._stir.notify()

    def post(self, job: Callback) -> None:
        """Add a callback; too many end the input with ``TooSlow``."""
        with self._stir:
            self._jobs.append(job)
            if len(self._jobs) > MOST_JOBS:
                self._jobs.clear()
                self._end = TooSlow()
            self._stir.notify()

    def end(self, why: Exception, *, at_once: bool = False) -> None:
        """End the input with an exception; ``at_once`` drops the queued lines."""
        with self._stir:
            if at_once:
                self._lines.clear()
            self._end = self._end or why
            self._stir.notify()

    # -- in the thread ---------------------------------------------------------------------------

    def get(self) -> str | Callback:
        """Return the next callback, or else the next line; block until there is one.

        Raises:
            Exception: the one given to ``end``, after the last line.
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
        """Run the queued callbacks."""
        while True:
            with self._stir:
                if not self._jobs:
                    return
                job = self._jobs.popleft()
            job()


class Bridge:
    """Lets the thread call into the event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, inbox: Inbox) -> None:
        """Connect the thread's ``inbox`` to the loop."""
        self.inbox = inbox
        self._loop = loop

    def wait_for(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine in the loop, and return its result."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def ask(self, question: Callable[[], T]) -> T:
        """Call a short function in the loop, and return its result."""

        async def asked() -> T:
            return question()

        return self.wait_for(asked())


class FarLink:
    """A viewer's link to a game, for use in the thread."""

    def __init__(self, link: Link, bridge: Bridge) -> None:
        """Wrap a link that belongs to the loop."""
        self._link = link
        self._bridge = bridge

    @property
    def viewer(self) -> Viewer:
        """Viewer of this link."""
        return self._link.viewer

    @property
    def view(self) -> Any:
        """Current view of the viewer."""
        return self._bridge.ask(lambda: self._link.view)

    async def submit(self, line: str) -> Reply:
        """Submit a line, in the loop."""
        return await self._link.submit(line)

    def answer(self, line: str) -> Reply:
        """Submit a line and handle the feed items that result from it."""
        reply = self._bridge.wait_for(self._link.submit(line))
        self._bridge.inbox.work()
        return reply

    def feed(self, hear: Callable[[FeedItem], None]) -> Callable[[], None]:
        """Subscribe; ``hear`` is called in the thread. Call the result to unsubscribe."""
        post = self._bridge.inbox.post
        stop = self._bridge.ask(lambda: self._link.feed(lambda news: post(lambda: hear(news))))
        return lambda: self._bridge.ask(stop)


class FarTable:
    """A game on the host, for use in the thread."""

    plays_computers = False

    def __init__(self, place: BlockingTable, bridge: Bridge) -> None:
        """Wrap a table ``place`` that belongs to the loop."""
        self._place = place
        self._bridge = bridge

    @property
    def rules(self) -> AnyRuleset:
        """Ruleset of the game."""
        return self._place.rules

    @property
    def header(self) -> Header:
        """Header of the game's log."""
        return self._bridge.ask(lambda: self._place.header)

    @property
    def players(self) -> tuple[SeatPlayer, ...]:
        """Players by seat."""
        return self._bridge.ask(lambda: self._place.players)

    @property
    def now(self) -> int:
        """Number of the last entry of the log."""
        return self._bridge.ask(lambda: self._place.now)

    @property
    def owes(self) -> frozenset[Seat]:
        """Seats that owe an answer."""
        return self._bridge.ask(lambda: self._place.owes)

    def player(self, seat: Seat) -> SeatPlayer:
        """Return the player of a seat."""
        return self._bridge.ask(lambda: self._place.player(seat))

    def is_here(self, seat: Seat) -> bool:
        """Return whether the person plays the seat."""
        return self._bridge.ask(lambda: self._place.is_here(seat))

    @property
    def own_seats(self) -> tuple[Seat, ...]:
        """Seats of the person, even those that a computer plays now."""
        return self._bridge.ask(lambda: self._place.own_seats)

    def times(self) -> tuple[str, ...]:
        """Return the times on the clock in sentences."""
        return self._bridge.ask(self._place.times)

    def to_act(self) -> Seat | None:
        """Return a seat that owes an answer, the person's own first; None if the game is over."""
        return self._bridge.ask(self._place.to_act)

    def link(self, viewer: Viewer) -> FarLink:
        """Return a link for a viewer."""
        return FarLink(self._bridge.ask(lambda: self._place.link(viewer)), self._bridge)

    def chronicle(self, viewer: Viewer) -> Chronicle:
        """Return the game's log as ``viewer`` may know it, to be read in the thread."""
        return self._bridge.ask(lambda: self._place.chronicle(viewer))

    def outcome(self) -> Outcome | None:
        """Return the outcome; None while the game is in progress."""
        return self._bridge.ask(self._place.outcome)

    def numbers(self) -> Mapping[str, tuple[int, ...]]:
        """Return the statistics that may be known: name to one number per seat."""
        return self._bridge.ask(self._place.numbers)
