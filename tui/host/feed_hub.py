"""One ear for each pair of eyes: what happened is redacted once, for all who look with them.

Games are decided in threads of their own. An ear hears there, and tells in the loop.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple

from engine.core.game import Heard
from engine.core.ids import Viewer
from engine.core.link import News, Reply
from engine.core.record import replace
from engine.core.refused import Denied
from engine.tabletop.presenter import presenter_of
from tui.host.listeners import Listeners
from tui.play.table import Table, visible
from tui.replay.timeline import telling

MOST_WAITING: Final = 4096
"""News that are kept back at most for those who watch with a delay."""

Submit = Callable[[str], Awaitable[Reply]]


class ViewerFeed:
    """What one viewer may know, for any number of links. Make and use it in the loop."""

    def __init__(self, table: Table, viewer: Viewer, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to hear a game."""
        self.viewer = viewer
        self._table = table
        self._loop = loop
        self._links: Listeners[[News]] = Listeners()
        # Listen first: what is decided in between is told twice rather than never.
        self._stop = table.game.listen(self._hear)
        self.told = len(table.game.log)
        """So many entries of the log were told of."""
        self.view: Any = table.game.view(viewer)

    @property
    def is_used(self) -> bool:
        """Whether anybody listens."""
        return len(self._links) > 0

    def add(self, told: Callable[[News], None]) -> Callable[[], None]:
        """Tell somebody what happens from now on; the answer stops it."""
        return self._links.add(told)

    def close(self) -> None:
        """Hear no more."""
        self._stop()
        self._links.clear()

    def _hear(self, heard: Heard[Any, Any, Any]) -> None:
        """In the thread of the game: redact, and hand over to the loop."""
        rules = self._table.rules
        view = rules.view(heard.after, self.viewer)
        if heard.entry is None:
            if rules.view(heard.before, self.viewer) == view:
                return
            seq = self._table.game.head
            news = News(0, "rewound", (), view)
        else:
            told = visible(rules, heard, self.viewer)
            if not told:
                return
            seq = heard.entry.seq
            views = tuple(rules.view(state, self.viewer) for _, state in told[:-1])
            news = News(0, "played", tuple(event for event, _ in told), view, views)
        self._loop.call_soon_threadsafe(self._tell, seq, news)

    def _tell(self, seq: int, news: News) -> None:
        self.told = seq + 1
        self.view = news.view
        self._links.tell(news)


class HeldNews(NamedTuple):
    """News that are kept back."""

    round: int
    """In which they happened."""
    seq: int
    """The entry that they tell of."""
    news: News


class DelayedFeed(ViewerFeed):
    """An ear that tells everything some rounds later."""

    def __init__(
        self, table: Table, viewer: Viewer, loop: asyncio.AbstractEventLoop, rounds: int
    ) -> None:
        """Begin with what was to be seen so many rounds ago, as far as the log tells.

        Nothing may happen in the game meanwhile.
        """
        self._status = presenter_of(table.rules).status
        self._rounds = rounds
        self._back: deque[HeldNews] = deque()
        super().__init__(table, viewer, loop)
        until = self._status(self.view).round - rounds
        self.told, self.view = seen_before(table, viewer, until, self._back)

    def _tell(self, seq: int, news: News) -> None:
        status = self._status(news.view)
        self._back.append(HeldNews(status.round, seq, news))
        over = status.over or len(self._back) > MOST_WAITING
        while self._back and (over or self._back[0].round + self._rounds <= status.round):
            _, number, kept = self._back.popleft()
            super()._tell(number, kept)


def seen_before(
    table: Table, viewer: Viewer, until: int, later: deque[HeldNews]
) -> tuple[int, Any]:
    """The entries to the end of a round, and the view then; what came after goes to ``later``."""
    rules, status = table.rules, presenter_of(table.rules).status
    state = rules.empty()
    view: Any = None
    last = 0
    for entry in table.game.log.line():
        told = []
        for after, seen in telling(rules, state, entry, viewer):
            state = after
            told += [seen] if seen is not None else []
        then = rules.view(state, viewer)
        number = status(then).round
        if view is None or number <= until:
            view, last = then, entry.seq + 1
        elif told:
            events, views = zip(*((seen.event, seen.after) for seen in told), strict=True)
            later.append(HeldNews(number, entry.seq, News(0, "played", events, then, views[:-1])))
    return last, view


class FeedHub:
    """The ears of one game, by viewer and by so many rounds later."""

    def __init__(self, table: Table, loop: asyncio.AbstractEventLoop) -> None:
        """Nobody listens yet."""
        self._table = table
        self._loop = loop
        self._feeds: dict[tuple[Viewer, int], ViewerFeed] = {}

    def get(self, viewer: Viewer, rounds: int) -> ViewerFeed:
        """The ear of a viewer, made if there is none."""
        key = viewer, rounds
        if key not in self._feeds:
            self._feeds[key] = self._new(viewer, rounds)
        return self._feeds[key]

    def lacks(self, viewer: Viewer, rounds: int) -> bool:
        """Whether ``get`` would have to look back, which takes a while."""
        return rounds > 0 and (viewer, rounds) not in self._feeds

    def prepare(self, viewer: Viewer, rounds: int) -> None:
        """Make an ear that has to look back, in any thread while nothing happens in the game."""
        if self.lacks(viewer, rounds):
            made = self._new(viewer, rounds)
            if self._feeds.setdefault((viewer, rounds), made) is not made:
                made.close()

    def close_unused(self) -> None:
        """Those that nobody listens with hear no more."""
        for key, feed in tuple(self._feeds.items()):
            if not feed.is_used:
                self._feeds.pop(key).close()

    def close(self) -> None:
        """All hear no more."""
        for feed in self._feeds.values():
            feed.close()

    def _new(self, viewer: Viewer, rounds: int) -> ViewerFeed:
        if rounds:
            return DelayedFeed(self._table, viewer, self._loop, rounds)
        return ViewerFeed(self._table, viewer, self._loop)


class HostLink:
    """A viewer's end of a game that is decided in another thread."""

    def __init__(
        self, feed: ViewerFeed, submit: Submit | None, loop: asyncio.AbstractEventLoop
    ) -> None:
        """Take an end; without ``submit`` it is for watching only."""
        self._source = feed
        self._submit = submit
        self._loop = loop
        self._count = 0

    @property
    def viewer(self) -> Viewer:
        """Whose end this is."""
        return self._source.viewer

    @property
    def view(self) -> Any:
        """What the viewer may know now."""
        return self._source.view

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

    def feed(self, hear: Callable[[News], None]) -> Callable[[], None]:
        """Be told what happens from now on."""

        def told(news: News) -> None:
            numbered = replace(news, count=self._count)
            self._count += 1
            hear(numbered)

        return self._source.add(told)
