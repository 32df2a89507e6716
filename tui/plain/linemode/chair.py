"""A person at a table: what the person sees, where the cursor is, what has been told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from engine.core.ids import PUBLIC, REFEREE, Viewer
from engine.core.link import FeedItem, Reply
from engine.tabletop.ask import AnyAsk, Intent, in_menu
from engine.tabletop.board import Board, Find, Line, Status
from engine.tabletop.fact import Fact
from engine.tabletop.focus import Direction, Focus, Push
from engine.tabletop.presenter import presenter_of
from engine.tabletop.roles import Tone
from tui.history import History
from tui.plain.sitting import Waiting

_EARLIER: Final = 200
"""Entries that are told again when a game is taken up."""


class Chair:
    """One viewer's seat. All chairs of a table hear at the same time, each what it may know."""

    def __init__(self, table: Waiting, viewer: Viewer) -> None:
        """Sit down; what happened before is remembered."""
        self.table = table
        self.viewer = viewer
        self.presenter = presenter_of(table.rules)
        self.link = table.link(viewer)
        self.lines: list[Line] = []
        """All that was told to this viewer."""
        self.shown = 0
        """So many of the lines have been said."""
        self.left = 0
        """So many of the lines were there when the viewer had acted last."""
        self.came = 0
        """So many of the lines were there when the viewer came back to act."""
        self.acted = 0
        """So many commands of this chair were accepted."""
        self.opened = ""
        """The intent whose dialogue the last press leads to; empty if it leads to none."""
        self._stood = False
        self._trail: list[tuple[int, int]] = []
        self._intents: tuple[Intent, ...] | None = None
        self._take(self.link.view)
        self.focus: Focus = self.presenter.settle(self.view, self.presenter.start(self.view))
        self._remember()
        self._stop = self.link.feed(self._hear)

    # -- what is to be known ---------------------------------------------------------------------

    @property
    def at(self) -> tuple[int, int]:
        """The cell of the cursor."""
        return self.focus.x, self.focus.y

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players."""
        return tuple(player.name for player in self.table.players)

    def intents(self) -> tuple[Intent, ...]:
        """What may be wanted at the cursor."""
        if self._intents is None:
            self._intents = in_menu(self.presenter.intents(self.view, self.focus))
        return self._intents

    def pieces(self) -> list[Find]:
        """Everything with a name that stands on the board as a piece."""
        finds = self.presenter.finds(self.view)
        board = self.board.piece
        others = {find.kind for find in finds if not board[find.at[1], find.at[0]]}
        return [find for find in finds if find.kind not in others]

    def places(self) -> list[Find]:
        """Everything with a name that is no piece."""
        pieces = {find.kind for find in self.pieces()}
        return [find for find in self.presenter.finds(self.view) if find.kind not in pieces]

    def unheard(self) -> list[Line]:
        """What was told and not said yet; it counts as said from now on."""
        found = self.lines[self.shown :]
        self.shown = len(self.lines)
        return found

    def facts(self) -> Iterator[Fact]:
        """Everything that happened in this game, as far as this viewer knows."""
        story = self.table.chronicle(self.viewer).story()
        for _ in story.walk():
            pass
        yield from (moment.fact for moment in story.moments)

    def history(self) -> History:
        """How the numbers of this game went, as far as this viewer knows them."""
        viewer = self.viewer if self.table.outcome() is None else REFEREE
        history = self.table.chronicle(viewer).history()
        for _ in history.walk():
            pass
        return history

    # -- what the person does --------------------------------------------------------------------

    def point(self, x: int, y: int) -> None:
        """Put the cursor on a cell, as far as the board goes; what is carried is let go."""
        kept = self.presenter.settle(self.view, Focus(x, y, self.focus.held))
        if (kept.x, kept.y) != (x, y):
            kept = self.presenter.settle(self.view, Focus(x, y))
        self._look_at(kept)

    def follow(self) -> None:
        """Go where the piece went that stood under the cursor, if it did."""
        spot = self.lines[-1].at if len(self.lines) > self.shown else None
        x, y = self.at
        if spot is not None and self._stood and not self.board.piece[y, x]:
            self.point(*spot)

    def go_back(self) -> None:
        """Put the cursor where it was before the command that was taken back."""
        if self._trail:
            self.point(*self._trail.pop())

    def release(self) -> None:
        """Hold nothing."""
        self._look_at(Focus(*self.at))

    def step(self, direction: Direction) -> tuple[bool, str]:
        """Push the stick: whether it led anywhere, and why not."""
        before = self.focus
        reply, note = self._follow(self.presenter.step(self.view, self.focus, direction))
        return reply and self.focus != before, note

    def press(self) -> tuple[bool, str]:
        """Press the button: whether that was allowed, and what is to be said of it."""
        return self._follow(self.presenter.fire(self.view, self.focus))

    def submit(self, line: str) -> Reply:
        """Ask for a command."""
        self._stood = bool(self.board.piece[self.focus.y, self.focus.x])
        at = self.at
        reply = self.link.answer(line)
        if reply.ok:
            self.acted += 1
            if line != "undo":
                self._trail.append(at)
            self._look_at(self.presenter.settle(self.view, self.focus))
        return reply

    def ask(self, intent: str, answers: Sequence[str]) -> AnyAsk | str:
        """The next question, or a line of notation.

        Raises:
            ValueError: it cannot be wanted here.
        """
        return self.presenter.ask(self.view, self.focus, intent, answers)

    def sit_down(self) -> None:
        """Come back to act."""
        self.came = len(self.lines)

    def stand_up(self) -> None:
        """Have acted."""
        self.left = len(self.lines)

    def close(self) -> None:
        """Hear no more."""
        self._stop()

    # -- inside ----------------------------------------------------------------------------------

    def _follow(self, push: Push) -> tuple[bool, str]:
        self.opened = push.intent
        if push.intent or not push.line:
            self._look_at(push.focus)
            return True, push.note
        before = self.focus
        reply = self.link.answer(push.line)
        if reply.ok:
            self.acted += 1
            self._trail.append((before.x, before.y))
            self._look_at(self.presenter.settle(self.view, push.focus))
            return True, push.note
        self._look_at(push.refused or before)
        return False, refusal(reply)

    def _look_at(self, focus: Focus) -> None:
        self.focus = focus
        self._intents = None

    def _take(self, view: Any) -> None:
        self.view = view
        self.board: Board = self.presenter.board(view, self.presenter.zooms[0])
        self.status: Status = self.presenter.status(view)
        self._intents = None

    def _hear(self, news: FeedItem) -> None:
        before = self.view
        self._take(news.view)
        if news.change == "rewound":
            self.lines.append(Line("Taken back.", Tone.QUIET))
        for event, _, after in news.steps(before):
            self.lines += self.presenter.tell(event, after)

    def _remember(self) -> None:
        """Take over what the last entries say."""
        for seat, line in self.table.chronicle(self.viewer).told(_EARLIER):
            self.lines.append(line)
            if seat == self.viewer:
                self.left = len(self.lines)
        self.shown = self.came = len(self.lines)


def refusal(reply: Reply) -> str:
    """A refusal in a line, with its rule."""
    return f"{reply.text} [{reply.rule}]" if reply.rule else reply.text


def chairs(table: Waiting) -> dict[Viewer, Chair]:
    """A chair for every person here; one for a spectator where there are none."""
    people = [player.seat for player in table.players if table.is_here(player.seat)]
    return {viewer: Chair(table, viewer) for viewer in people or [PUBLIC]}
