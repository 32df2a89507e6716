"""One game at one screen: who looks, where the cursor is, what was said. Knows no widgets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from engine.core.ids import PUBLIC, Seat, Viewer
from engine.core.link import FeedItem, Reply
from engine.core.record import replace
from engine.tabletop.ask import AnyAsk, Intent, in_menu
from engine.tabletop.board import Board, Line, Overlay, Status
from engine.tabletop.fact import Fact
from engine.tabletop.focus import Direction, Focus, Push
from engine.tabletop.presenter import presenter_of
from engine.tabletop.roles import Tone
from tui.plain.sitting import Sitting
from tui.playback import about
from tui.tour import Tour

_EARLIER = 40
"""Entries that are told again when a game is taken up."""


class Session:
    """What a screen shows of a table, and what a player at it can do.

    The screen looks with the eyes of whichever person is to act; while a computer player acts,
    with those of the person before.
    """

    def __init__(self, table: Sitting, viewer: Viewer | None = None) -> None:
        """Sit down at a table, to look with somebody's eyes if they are named."""
        self.table = table
        self.presenter = presenter_of(table.rules)
        self.zoom = self.presenter.zooms[0]
        self.lines: list[Line] = []
        """What was said and has not been shown yet."""
        self.facts: list[Fact] = []
        """What that meant and has not been shown yet."""
        self.note = ""
        """The last refusal or remark, in one line."""
        self.refused: Reply | None = None
        """The last refusal, for those who ask why."""
        self.rewound = False
        self.spot: tuple[int, int] | None = None
        """Where something happened last."""
        self.on_news: Callable[[], None] | None = None
        self._stop: Callable[[], None] = lambda: None
        self._overlay: Overlay | None = None
        self._tours: dict[str, Tour] = {}
        """By kind of what is jumped to, the tour of this stage of the game."""
        self._stage: tuple[int, str, Seat] | None = None
        self._left: dict[Viewer, Focus] = {}
        """Where the cursor of each person was when another sat down."""
        self.viewer: Viewer = self._first_viewer() if viewer is None else viewer
        self._attend(self.viewer)
        self.focus: Focus = self.presenter.settle(self.view, self.presenter.start(self.view))

    # -- what is to be seen ----------------------------------------------------------------------

    @property
    def overlay(self) -> Overlay:
        """Marks and panel for the cursor."""
        if self._overlay is None:
            self._overlay = self.presenter.overlay(self.view, self.focus)
        return self._overlay

    @property
    def acting(self) -> Seat | None:
        """Who is to act; None when the game is over."""
        return self.table.to_act()

    @property
    def computer_acts(self) -> bool:
        """Whether somebody is to act who is not at this screen: a computer player, for one."""
        seat = self.acting
        return seat is not None and not self.table.is_here(seat)

    @property
    def person_next(self) -> Seat | None:
        """The person who is to act and does not look at the screen now."""
        seat = self.acting
        if seat is None or not self.table.is_here(seat) or seat == self.viewer:
            return None
        return seat

    def earlier(self) -> tuple[Line, ...]:
        """What the last entries say, for a game that is taken up."""
        return tuple(line for _, line in self.table.chronicle(self.viewer).told(_EARLIER))

    # -- what a player does ----------------------------------------------------------------------

    async def step(self, direction: Direction, times: int = 1, *, asks: bool = True) -> str:
        """Push the stick so many times; a refusal or a dialogue to be opened stops it.

        Returns:
            The intent of that dialogue, empty if there is none. Without ``asks`` those that only
            ask whether to go on are not opened.
        """
        for _ in range(times):
            before = self.focus
            push = self.presenter.step(self.view, self.focus, direction)
            if self._opens(push, asks=asks):
                return push.intent
            if not await self._follow(push) or self.focus == before:
                break
        return ""

    def leap(self, direction: Direction) -> bool:
        """Go to what the ruleset thinks is next that way; whether it thinks so."""
        found = self.presenter.stride(self.view, self.focus, direction)
        if found is None:
            return False
        self.look_at(found)
        return True

    async def fire(self, *, asks: bool = True) -> str:
        """Press the button; the intent of the dialogue to be opened, as with ``step``."""
        push = self.presenter.fire(self.view, self.focus)
        if self._opens(push, asks=asks):
            return push.intent
        await self._follow(push)
        return ""

    async def submit(self, line: str) -> Reply:
        """Ask for a command."""
        reply = await self.link.submit(line)
        self.note = "" if reply.ok else _reason(reply)
        self.refused = None if reply.ok else reply
        self.look_at(self.presenter.settle(self.view, self.focus))
        return reply

    def look_at(self, focus: Focus) -> None:
        """Move the cursor."""
        if focus != self.focus:
            self.focus = focus
            self._overlay = None

    def point(self, x: int, y: int) -> None:
        """Put the cursor on a cell; what is carried stays where it is and is let go."""
        moved = Focus(x, y, self.focus.held)
        kept = self.presenter.settle(self.view, moved)
        self.look_at(kept if (kept.x, kept.y) == (x, y) else Focus(x, y))

    def let_go(self) -> None:
        """Hold nothing."""
        self.look_at(Focus(self.focus.x, self.focus.y))

    def jump(self, kind: str, by: int) -> bool:
        """Go to the nearest thing of a kind that was not gone to yet, or back to the one before.

        Returns:
            Whether there is one.
        """
        cells = self.presenter.jumps(self.view, self.focus, kind)
        if not cells:
            return False
        tour = self._tours.setdefault(kind, Tour(self.board))
        self.point(*tour.go(cells, (self.focus.x, self.focus.y), by))
        return True

    def intents(self) -> tuple[Intent, ...]:
        """Intents at the cursor, in the order of a menu."""
        return in_menu(self.presenter.intents(self.view, self.focus))

    def ask(self, intent: str, answers: Sequence[str]) -> AnyAsk | str:
        """The next question, or a line of notation."""
        return self.presenter.ask(self.view, self.focus, intent, answers)

    def hand_over(self) -> None:
        """Look with the eyes of the person who is to act.

        In games with secrets everybody has a cursor of their own: where it stood tells something.
        """
        seat, at = self.person_next, self.focus
        if seat is None:
            return
        self._left[self.viewer] = at
        self._attend(seat)
        if self.table.rules.traits.hidden:
            at = self._left.get(seat) or self.presenter.start(self.view)
        self.look_at(self.presenter.settle(self.view, Focus(at.x, at.y)))

    def redraw(self) -> None:
        """Make the board anew, for another zoom."""
        self._take(self.view)

    def close(self) -> None:
        """Hear no more news."""
        self._stop()

    # -- inside ----------------------------------------------------------------------------------

    def _opens(self, push: Push, *, asks: bool) -> bool:
        """Whether a press leads to a dialogue; the cursor goes to where it is about."""
        if not push.intent or (push.line and not asks):
            return False
        self.note = push.note
        self.look_at(push.focus)
        return True

    async def _follow(self, push: Push) -> bool:
        """Carry out what a press leads to; whether it was allowed."""
        self.note = push.note
        if not push.line:
            self.look_at(push.focus)
            return True
        before = self.focus
        reply = await self.link.submit(push.line)
        if reply.ok:
            self.look_at(self.presenter.settle(self.view, push.focus))
            return True
        self.note, self.refused = _reason(reply), reply
        self.look_at(push.refused or before)
        return False

    def _first_viewer(self) -> Viewer:
        people = [player.seat for player in self.table.players if self.table.is_here(player.seat)]
        seat = self.acting
        if seat in people and seat is not None:
            return seat
        return people[0] if people else PUBLIC

    def _attend(self, viewer: Viewer) -> None:
        self._stop()
        self.viewer = viewer
        self.link = self.table.link(viewer)
        self._stop = self.link.feed(self._hear)
        self._take(self.link.view)

    def _take(self, view: Any) -> None:
        self.view = view
        self.board: Board = self.presenter.board(view, self.zoom)
        self.status: Status = self.presenter.status(view)
        if self.status.stage != self._stage:
            self._stage, self._tours = self.status.stage, {}
        self._overlay = None

    def _hear(self, news: FeedItem) -> None:
        before = self.view
        self._take(news.view)
        if news.change == "rewound":
            self.rewound = True
            self.lines.append(Line("Taken back.", Tone.QUIET))
        for event, earlier, after in news.steps(before):
            facts = self.presenter.facts(event, earlier, after)
            self.facts += facts
            told = about(self.presenter.tell(event, after), facts)
            said = _of_entry(told, self.table.now)
            self.lines += said
            places = [line.at for line in said if line.at is not None]
            self.spot = places[-1] if places else self.spot
        if self.on_news is not None:
            self.on_news()


def _of_entry(lines: Iterable[Line], entry: int) -> list[Line]:
    """Lines that know which entry of the log they tell of."""
    return [replace(line, entry=entry) for line in lines]


def _reason(reply: Reply) -> str:
    return f"{reply.text} [{reply.rule}]" if reply.rule else reply.text
