"""One ear for each pair of eyes: what happened is redacted once, for all who look with them.

Games are decided in threads of their own. An ear hears there, and tells in the loop.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple

from engine.core.feed import AnyChange, changes
from engine.core.ids import Viewer
from engine.core.link import FeedItem, Reply
from engine.core.record import replace
from engine.core.refused import Denied
from engine.tabletop.presenter import presenter_of
from tui.plain.hosting.listeners import Listeners
from tui.plain.table import Table

MOST_WAITING: Final = 4096
"""News that are kept back at most for those who watch with a delay."""

Submit = Callable[[str], Awaitable[Reply]]


class Ear:
    """What one viewer may know, for any number of links. Make and use it in the loop."""

    def __init__(self, table: Table, viewer: Viewer, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to hear a game."""
        self.viewer = viewer
        self._table = table
        self._loop = loop
        self._links: Listeners[[FeedItem]] = Listeners()
        # Listen first: what is decided in between is told twice rather than never.
        self._stop = table.game.listen(self._hear)
        self.told = len(table.game.log)
        """So many entries of the log were told of."""
        self.view: Any = table.game.view(viewer)

    @property
    def is_used(self) -> bool:
        """Whether anybody listens."""
        return len(self._links) > 0

    def add(self, told: Callable[[FeedItem], None]) -> Callable[[], None]:
        """Tell somebody what happens from now on; the answer stops it."""
        return self._links.add(told)

    def close(self) -> None:
        """Hear no more."""
        self._stop()
        self._links.clear()

    def _hear(self, change: AnyChange) -> None:
        """In the thread of the game: redact, and hand over to the loop."""
        item = change.item(self.viewer)
        if item is not None:
            entry = change.entry
            seq = entry.seq if entry is not None else self._table.game.head
            self._loop.call_soon_threadsafe(self._tell, seq, item)

    def _tell(self, seq: int, news: FeedItem) -> None:
        self.told = seq + 1
        self.view = news.view
        self._links.tell(news)


class Later(NamedTuple):
    """News that are kept back."""

    round: int
    """In which they happened."""
    seq: int
    """The entry that they tell of."""
    news: FeedItem


class DelayedEar(Ear):
    """An ear that tells everything some rounds later."""

    def __init__(
        self, table: Table, viewer: Viewer, loop: asyncio.AbstractEventLoop, rounds: int
    ) -> None:
        """Begin with what was to be seen so many rounds ago, as far as the log tells.

        Nothing may happen in the game meanwhile.
        """
        self._status = presenter_of(table.rules).status
        self._rounds = rounds
        self._back: deque[Later] = deque()
        super().__init__(table, viewer, loop)
        until = self._status(self.view).round - rounds
        self.told, self.view = seen_before(table, viewer, until, self._back)

    def _tell(self, seq: int, news: FeedItem) -> None:
        status = self._status(news.view)
        self._back.append(Later(status.round, seq, news))
        over = status.over or len(self._back) > MOST_WAITING
        while self._back and (over or self._back[0].round + self._rounds <= status.round):
            _, number, kept = self._back.popleft()
            super()._tell(number, kept)


def seen_before(table: Table, viewer: Viewer, until: int, later: deque[Later]) -> tuple[int, Any]:
    """The entries to the end of a round, and the view then; what came after goes to ``later``."""
    rules, status = table.rules, presenter_of(table.rules).status
    view: Any = None
    last = 0
    line = table.game.log.line()
    for entry, change in zip(line, changes(rules, line), strict=True):
        then = change.view(viewer)
        number = status(then).round
        if view is None or number <= until:
            view, last = then, entry.seq + 1
        elif (item := change.item(viewer)) is not None:
            later.append(Later(number, entry.seq, item))
    return last, view


class Ears:
    """The ears of one game, by viewer and by so many rounds later."""

    def __init__(self, table: Table, loop: asyncio.AbstractEventLoop) -> None:
        """Nobody listens yet."""
        self._table = table
        self._loop = loop
        self._ears: dict[tuple[Viewer, int], Ear] = {}

    def get(self, viewer: Viewer, rounds: int) -> Ear:
        """The ear of a viewer, made if there is none."""
        key = viewer, rounds
        if key not in self._ears:
            self._ears[key] = self._new(viewer, rounds)
        return self._ears[key]

    def lacks(self, viewer: Viewer, rounds: int) -> bool:
        """Whether ``get`` would have to look back, which takes a while."""
        return rounds > 0 and (viewer, rounds) not in self._ears

    def prepare(self, viewer: Viewer, rounds: int) -> None:
        """Make an ear that has to look back, in any thread while nothing happens in the game."""
        if self.lacks(viewer, rounds):
            made = self._new(viewer, rounds)
            if self._ears.setdefault((viewer, rounds), made) is not made:
                made.close()

    def close_unused(self) -> None:
        """Those that nobody listens with hear no more."""
        for key, ear in tuple(self._ears.items()):
            if not ear.is_used:
                self._ears.pop(key).close()

    def close(self) -> None:
        """All hear no more."""
        for ear in self._ears.values():
            ear.close()

    def _new(self, viewer: Viewer, rounds: int) -> Ear:
        if rounds:
            return DelayedEar(self._table, viewer, self._loop, rounds)
        return Ear(self._table, viewer, self._loop)


class HostLink:
    """A viewer's end of a game that is decided in another thread."""

    def __init__(self, ear: Ear, submit: Submit | None, loop: asyncio.AbstractEventLoop) -> None:
        """Take an end; without ``submit`` it is for watching only."""
        self._ear = ear
        self._submit = submit
        self._loop = loop
        self._count = 0

    @property
    def viewer(self) -> Viewer:
        """Whose end this is."""
        return self._ear.viewer

    @property
    def view(self) -> Any:
        """What the viewer may know now."""
        return self._ear.view

    async def submit(self, line: str) -> Reply:
        """Ask for a command."""
        if self._submit is None:
            return Reply(
                ok=False, code=str(Denied.NOT_YOUR_TURN), text="Who watches gives no commands."
            )
        return await self._submit(line)

    def answer(self, line: str) -> Reply:
        """As ``submit``, for other threads than the loop's, which wait for it."""
        return asyncio.run_coroutine_threadsafe(self.submit(line), self._loop).result()

    def feed(self, hear: Callable[[FeedItem], None]) -> Callable[[], None]:
        """Be told what happens from now on."""

        def told(news: FeedItem) -> None:
            numbered = replace(news, count=self._count)
            self._count += 1
            hear(numbered)

        return self._ear.add(told)
