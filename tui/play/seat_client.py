"""Seat client: the view, the cursor and the commands of one viewer at a table.

The screen's ``Session`` and line mode's ``LineSeat`` build on it. It knows no widgets and no text
input.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from engine.core.ids import Viewer
from engine.core.link import FeedItem, Link, Reply
from engine.tabletop.ask import AnyAsk, Intent, in_menu
from engine.tabletop.board import Board, Line, Status
from engine.tabletop.focus import Direction, Focus, Push
from engine.tabletop.presenter import presenter_of
from engine.tabletop.roles import Tone
from tui.play.table_protocol import TableProtocol

WATCHING: Final = "You only watch."


class SeatClient:
    """One viewer's end of a table: view, cursor and commands.

    The cursor is settled again after every accepted command.
    """

    table: TableProtocol
    viewer: Viewer
    link: Link

    def __init__(self, table: TableProtocol, viewer: Viewer) -> None:
        """Take the first view and put the cursor at its start; ``listen`` begins the feed."""
        self.table = table
        self.presenter = presenter_of(table.rules)
        self.zoom = self.presenter.zooms[0]
        self.lines: list[Line] = []
        """Lines reported to this viewer; the screen removes those it has shown."""
        self.note = ""
        """The last refusal or remark, in one line."""
        self.refused: Reply | None = None
        """The last refusal, with its rule id."""
        self._intents: tuple[Intent, ...] | None = None
        self._unlisten = _nothing
        self.look_as(viewer)
        self.focus: Focus = self.presenter.settle(self.view, self.presenter.start(self.view))

    # -- view and feed ---------------------------------------------------------------------------

    def look_as(self, viewer: Viewer) -> None:
        """Switch to another viewer's link and view; the feed of the old one ends."""
        self.close()
        self.viewer = viewer
        self.link = self.table.link(viewer)
        self._take(self.link.view)

    def listen(self) -> None:
        """Subscribe to the feed of the viewer."""
        self._unlisten = self.link.feed(self._hear)

    def close(self) -> None:
        """End the viewer's feed."""
        self._unlisten()
        self._unlisten = _nothing

    def _take(self, view: Any) -> None:
        """Replace the view, and the board and status built from it."""
        self.view = view
        self.board: Board = self.presenter.board(view, self.zoom)
        self.status: Status = self.presenter.status(view)
        self._intents = None

    def _hear(self, news: FeedItem) -> None:
        """Take the view after an entry, and add the lines about its events."""
        before = self.view
        self._take(news.view)
        if news.change == "rewound":
            self.lines.append(Line(self._taken_back(), Tone.QUIET))
        for event, earlier, after in news.steps(before):
            self._tell(event, earlier, after)

    def _taken_back(self) -> str:
        """Return the line that reports an undone command."""
        return "Taken back."

    def _tell(self, event: Any, before: Any, after: Any) -> None:
        """Add the lines of one event; ``before`` and ``after`` are the views around it."""
        raise NotImplementedError

    @property
    def watches(self) -> bool:
        """True if no player at this end controls the viewer's seat in a game that goes on."""
        return not self.status.over and not self.table.is_here(self.viewer)

    def none_of(self, kind: str) -> str:
        """Return why the cursor cannot jump to a cell of a kind."""
        if kind == "enemy":
            return "No enemy in sight."
        if kind != "idle":
            return "There is none."
        if self.watches:
            return WATCHING
        left = self.status.left
        return (
            f"Still {left}, but no place to go to." if left else "Nothing left to do in this phase."
        )

    # -- cursor ----------------------------------------------------------------------------------

    @property
    def at(self) -> tuple[int, int]:
        """The cell of the cursor."""
        return self.focus.x, self.focus.y

    def look_at(self, focus: Focus) -> None:
        """Set the focus as it is, without ``settle``."""
        if focus != self.focus:
            self.focus = focus
            self._intents = None

    def settle(self) -> None:
        """Let the presenter correct the focus: a piece that can no longer be held is dropped."""
        self.look_at(self.presenter.settle(self.view, self.focus))

    def point(self, x: int, y: int) -> None:
        """Move the cursor to a cell, within the board.

        A held piece that cannot be held there is dropped.
        """
        kept = self.presenter.settle(self.view, Focus(x, y, self.focus.held))
        if (kept.x, kept.y) != (x, y):
            kept = self.presenter.settle(self.view, Focus(x, y))
        self.look_at(kept)

    def let_go(self) -> None:
        """Drop the held piece."""
        self.look_at(Focus(*self.at))

    # -- commands --------------------------------------------------------------------------------

    async def step(self, direction: Direction, times: int = 1, *, asks: bool = True) -> str:
        """Push the stick ``times`` times; a refusal or a dialogue ends the series.

        Returns:
            The intent of the dialogue to open, or an empty text. Without ``asks`` a dialogue that
            only confirms a line is skipped, and the line is submitted.
        """
        for _ in range(times):
            before = self.focus
            push = self.presenter.step(self.view, self.focus, direction)
            if self._opens(push, asks=asks):
                return push.intent
            if not await self._follow(push) or self.focus == before:
                break
        return ""

    async def fire(self, *, asks: bool = True) -> str:
        """Press the button.

        Returns:
            The intent of the dialogue to open, as for ``step``.
        """
        push = self.presenter.fire(self.view, self.focus)
        if self.watches:
            self.note = WATCHING if push.focus == Focus(*self.at) else ""
            self.look_at(push.focus)
            return ""
        if self._opens(push, asks=asks):
            return push.intent
        await self._follow(push)
        return ""

    async def submit(self, line: str) -> Reply:
        """Submit a line of notation, settle the cursor, and return the reply.

        ``note`` and ``refused`` are set to a refusal, or cleared.
        """
        reply = await self._send(line)
        self.note = "" if reply.ok else refusal(reply)
        self.refused = None if reply.ok else reply
        self.settle()
        if reply.ok:
            self._face_due()
        return reply

    def _face_due(self) -> None:
        """Move the cursor to the cell that the question to answer next is about."""
        at = next((one.at for one in self.intents() if one.due and one.at is not None), None)
        if at is not None:
            self.point(*at)

    def intents(self) -> tuple[Intent, ...]:
        """Return the intents at the cursor, in the order of a menu."""
        if self._intents is None:
            found = () if self.watches else self.presenter.intents(self.view, self.focus)
            self._intents = in_menu(found)
        return self._intents

    def ask(self, intent: str, answers: Sequence[str]) -> AnyAsk | str:
        """Return the next question of an intent after some answers, or its line of notation.

        Raises:
            ValueError: the intent is not possible here.
        """
        return self.presenter.ask(self.view, self.focus, intent, answers)

    @property
    def is_refused(self) -> bool:
        """True if a line was refused since ``refused`` was cleared."""
        return self.refused is not None

    async def _send(self, line: str) -> Reply:
        return await self.link.submit(line)

    def _opens(self, push: Push, *, asks: bool) -> bool:
        """Return whether a press opens a dialogue; if so, move the cursor to its subject."""
        if not push.intent or (push.line and not asks):
            return False
        self.note = push.note
        self.look_at(push.focus)
        return True

    async def _follow(self, push: Push) -> bool:
        """Execute a press that opens no dialogue; return False if its line was refused."""
        self.note = push.note
        if not push.line:
            self.look_at(push.focus)
            return True
        before = self.focus
        reply = await self._send(push.line)
        if reply.ok:
            self.look_at(self.presenter.settle(self.view, push.focus))
            self._face_due()
            return True
        self.note, self.refused = refusal(reply), reply
        self.look_at(push.refused or before)
        return False


WENT_ON: Final = "The game went on before you answered."
"""Reason why a question is closed without an answer."""


class AskDriver:
    """The dialogue of one intent: questions and answers until they make a line of notation.

    The caller answers ``question`` until it is None; then either ``line`` or ``fault`` is set.
    """

    def __init__(self, client: SeatClient, intent: str) -> None:
        """Begin the dialogue of ``intent`` with its first question."""
        self.question: AnyAsk | None = None
        self.line = ""
        """The command that results from the answers."""
        self.fault = ""
        """The reason why the intent is not possible."""
        self.is_repeated = False
        """True if the last answer did not fit, so that the same question is open."""
        self._client = client
        self._intent = intent
        self._answers: list[str] = []
        self._view = client.view
        self._stage = client.status.stage
        ends = next((one.ends for one in client.intents() if one.name == intent), "")
        self._is_of_turn = ends != "game"
        """False if the intent resigns, which a player may do in any turn."""
        self._go_on()

    @property
    def lost(self) -> str:
        """Reason why answers no longer count, because the game went on; empty if they still do."""
        client = self._client
        if client.view is self._view:
            return ""
        has_ended = self._is_of_turn and client.status.stage != self._stage
        return WENT_ON if has_ended or not self._is_asked_still() else ""

    def _is_asked_still(self) -> bool:
        """Return whether the answers so far still lead to the same question or line."""
        try:
            found = self._client.ask(self._intent, self._answers)
        except ValueError as fault:
            return str(fault) == self.fault
        return found == (self.question or self.line)

    def answer(self, answer: str) -> None:
        """Answer the question and set the next one; an answer that does not fit is dropped."""
        self._answers.append(answer)
        self._go_on()

    def why_not_at(self, at: tuple[int, int]) -> str:
        """Return why a cell cannot be the next answer; empty if the ruleset gives no reason."""
        client = self._client
        return client.presenter.why_not_at(
            client.view, client.focus, self._intent, self._answers, at
        )

    def _go_on(self) -> None:
        before, self.question = self.question, None
        try:
            found = self._client.ask(self._intent, self._answers)
        except ValueError as fault:
            self.fault = str(fault)
            return
        if isinstance(found, str):
            self.line = found
            return
        self.question = found
        self.is_repeated = found == before
        if self.is_repeated:
            self._answers.pop()


def refusal(reply: Reply) -> str:
    """Return a refusal in one line. The command ``why`` shows its rule."""
    return reply.text


def _nothing() -> None:
    """End a missing feed: do nothing."""
