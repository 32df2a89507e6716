"""Feed hub: one redacted feed per viewer of a game, shared by its links.

Games are decided in threads of their own. A feed listens there, and reports in the loop.
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
from host.server.listeners import Listeners
from tui.play.table import Table

MOST_WAITING: Final = 4096
"""Maximum number of feed items that are held back for delayed spectators."""

Submit = Callable[[str], Awaitable[Reply]]


class ViewerFeed:
    """Feed of one viewer for any number of links; create and use it in the event loop."""

    def __init__(self, table: Table, viewer: Viewer, loop: asyncio.AbstractEventLoop) -> None:
        """Subscribe to the game of a table."""
        self.viewer = viewer
        self._table = table
        self._loop = loop
        self._links: Listeners[[FeedItem]] = Listeners()
        # Listen first: an entry decided in between is then reported twice rather than never.
        self._stop = table.game.listen(self._hear)
        self.told = len(table.game.log)
        """Number of log entries that were reported."""
        self.view: Any = table.game.view(viewer)

    @property
    def is_used(self) -> bool:
        """True if any link listens to this feed."""
        return len(self._links) > 0

    def add(self, told: Callable[[FeedItem], None]) -> Callable[[], None]:
        """Call ``told`` for every later feed item. Call the result to unsubscribe."""
        return self._links.add(told)

    def close(self) -> None:
        """End the feed."""
        self._stop()
        self._links.clear()

    def _hear(self, change: AnyChange) -> None:
        """Redact a change in the thread of the game, and pass it to the loop."""
        item = change.item(self.viewer)
        if item is not None:
            entry = change.entry
            seq = entry.seq if entry is not None else self._table.game.head
            self._loop.call_soon_threadsafe(self._tell, seq, item)

    def _tell(self, seq: int, news: FeedItem) -> None:
        self.told = seq + 1
        self.view = news.view
        self._links.tell(news)


class HeldItem(NamedTuple):
    """A feed item that is held back."""

    round: int
    """Round in which it happened."""
    seq: int
    """Number of its entry."""
    news: FeedItem


class DelayedFeed(ViewerFeed):
    """Feed that reports each item some rounds later."""

    def __init__(
        self, table: Table, viewer: Viewer, loop: asyncio.AbstractEventLoop, rounds: int
    ) -> None:
        """Start with the view of some rounds ago, as far as the log goes back.

        The game must not change in the meantime.
        """
        self._status = presenter_of(table.rules).status
        self._rounds = rounds
        self._back: deque[HeldItem] = deque()
        super().__init__(table, viewer, loop)
        until = self._status(self.view).round - rounds
        self.told, self.view = seen_before(table, viewer, until, self._back)

    def _tell(self, seq: int, news: FeedItem) -> None:
        status = self._status(news.view)
        self._back.append(HeldItem(status.round, seq, news))
        over = status.over or len(self._back) > MOST_WAITING
        while self._back and (over or self._back[0].round + self._rounds <= status.round):
            _, number, kept = self._back.popleft()
            super()._tell(number, kept)


def seen_before(
    table: Table, viewer: Viewer, until: int, later: deque[HeldItem]
) -> tuple[int, Any]:
    """Return (number of entries up to the end of round ``until``, the view then).

    Feed items of later rounds are added to ``later``.
    """
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
            later.append(HeldItem(number, entry.seq, item))
    return last, view


class FeedHub:
    """Feeds of one game, by viewer and by delay in rounds."""

    def __init__(self, table: Table, loop: asyncio.AbstractEventLoop) -> None:
        self._table = table
        self._loop = loop
        self._feeds: dict[tuple[Viewer, int], ViewerFeed] = {}

    def get(self, viewer: Viewer, rounds: int) -> ViewerFeed:
        """Return the feed of a viewer with a delay; create it if it is missing."""
        key = viewer, rounds
        if key not in self._feeds:
            self._feeds[key] = self._new(viewer, rounds)
        return self._feeds[key]

    def lacks(self, viewer: Viewer, rounds: int) -> bool:
        """Return whether ``get`` would have to replay the log, which takes a while."""
        return rounds > 0 and (viewer, rounds) not in self._feeds

    def prepare(self, viewer: Viewer, rounds: int) -> None:
        """Make a feed that has to replay the log, in any thread, while the game does not change."""
        if self.lacks(viewer, rounds):
            made = self._new(viewer, rounds)
            if self._feeds.setdefault((viewer, rounds), made) is not made:
                made.close()

    def close_unused(self) -> None:
        """End the feeds without links."""
        for key, feed in tuple(self._feeds.items()):
            if not feed.is_used:
                self._feeds.pop(key).close()

    def close(self) -> None:
        """End all feeds."""
        for feed in self._feeds.values():
            feed.close()

    def _new(self, viewer: Viewer, rounds: int) -> ViewerFeed:
        if rounds:
            return DelayedFeed(self._table, viewer, self._loop, rounds)
        return ViewerFeed(self._table, viewer, self._loop)


class HostLink:
    """Link of a viewer to a game that is decided in another thread."""

    def __init__(
        self, feed: ViewerFeed, submit: Submit | None, loop: asyncio.AbstractEventLoop
    ) -> None:
        """Link to a feed; without ``submit`` it is only for watching."""
        self._source = feed
        self._submit = submit
        self._loop = loop
        self._count = 0

    @property
    def viewer(self) -> Viewer:
        """Viewer of this link."""
        return self._source.viewer

    @property
    def view(self) -> Any:
        """Current view of the viewer."""
        return self._source.view

    async def submit(self, line: str) -> Reply:
        """Submit a line of notation."""
        if self._submit is None:
            return Reply(
                ok=False, code=str(Denied.NOT_YOUR_TURN), text="Who watches gives no commands."
            )
        return await self._submit(line)

    def answer(self, line: str) -> Reply:
        """Submit a line from a thread other than the loop's, and wait for the reply."""
        return asyncio.run_coroutine_threadsafe(self.submit(line), self._loop).result()

    def feed(self, hear: Callable[[FeedItem], None]) -> Callable[[], None]:
        """Call ``hear`` for every later feed item, numbered from 0.

        Call the result to unsubscribe.
        """

        def told(news: FeedItem) -> None:
            numbered = replace(news, count=self._count)
            self._count += 1
            hear(numbered)

        return self._source.add(told)
