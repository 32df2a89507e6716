"""Line mode's seat client: the lines a person has heard, and the cursor of one viewer."""

from __future__ import annotations

from collections.abc import Coroutine, Iterator, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple, TypeVar

from engine.core.ids import PUBLIC, REFEREE, Viewer
from engine.core.link import Reply
from engine.core.refused import Denied
from engine.tabletop.board import NOWHERE, BoardPlace, Find, Line
from engine.tabletop.fact import Fact
from engine.tabletop.focus import Direction
from engine.tabletop.roles import Role
from tui.play.chronicle import EntryTold
from tui.play.seat_client import SeatClient
from tui.play.speech import apart, bearing, offset
from tui.play.table_protocol import BlockingLink, BlockingTable
from tui.replay.history import History

_T = TypeVar("_T")

_EARLIER: Final = 200
"""Number of entries whose messages are repeated when a game is resumed."""


class _Accepted(NamedTuple):
    """Accepted command: the view and the cell of the cursor before it, and its effect in words."""

    view: Any
    at: tuple[int, int]
    words: str


class LineSeat(SeatClient):
    """Seat client whose calls are complete on return; ``lines`` keeps all reported lines.

    All clients of a session get news at the same time, each what its viewer may know.
    """

    table: BlockingTable
    link: BlockingLink

    def __init__(self, table: BlockingTable, viewer: Viewer) -> None:
        """Follow a table as ``viewer``; the lines of earlier entries count as printed."""
        self.shown = 0
        """Number of lines that have been printed."""
        self.acted = 0
        """Number of commands that were accepted."""
        self.ended = 0
        """Number of phases or turns that have ended."""
        self.left = 0
        """Number of lines before the command with which the viewer last ended a turn.

        ``again`` repeats those after it.
        """
        self.is_unsaved = False
        """True if the last command could not be saved, and so changed nothing."""
        self.opened = ""
        """Intent whose dialogue the last press of stick or button opens; empty if it opens none."""
        self._stood = False
        """True if a piece stood under the cursor before the last command."""
        self._trail: list[_Accepted] = []
        """The viewer's commands in this phase."""
        self._label = ""
        """Label of the command that is being submitted, if it has one."""
        super().__init__(table, viewer)
        self._remember()
        self.listen()

    # -- what the viewer sees --------------------------------------------------------------------

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the players."""
        return tuple(player.name for player in self.table.players)

    @property
    def todo(self) -> str:
        """Blank and sentence on how many pieces can still act; empty if none can."""
        status = self.status
        if status.over or not (status.todo and self.presenter.jumps(self.view, self.focus, "idle")):
            return ""
        return f" {status.left}."

    def pieces(self) -> list[Find]:
        """Return the named things in sight that are pieces on the board."""
        finds = self.presenter.finds(self.view)
        if self.has_areas or any(find.kind == "unit" for find in finds):
            return [find for find in finds if find.kind == "unit"]
        board, symbols = self.board.piece, self.presenter.symbols
        drawn = [(find.kind, int(board[find.at[1], find.at[0]])) for find in finds]
        others = {kind for kind, sign in drawn if not sign or symbols[sign].role is Role.WRITING}
        return [find for find in finds if find.kind not in others]

    def places(self) -> list[Find]:
        """Return the named things in sight that are not pieces."""
        pieces = {find.kind for find in self.pieces()}
        return [find for find in self.presenter.finds(self.view) if find.kind not in pieces]

    def names_by_cell(self) -> dict[tuple[int, int], str]:
        """Return the name of the first thing in each cell (x, y) that has any."""
        return {find.at: find.text for find in reversed(self.presenter.finds(self.view))}

    @property
    def has_areas(self) -> bool:
        """True if the board consists of areas, so that distances in cells mean nothing."""
        covered = sum(place.width * place.height for place in self.board.places)
        return 4 * covered > self.board.width * self.board.height

    def area_at(self, at: tuple[int, int]) -> BoardPlace | None:
        """Return the place around a cell on a board of areas; None outside all of them."""
        found = int(self.board.place[at[1], at[0]]) if self.has_areas else NOWHERE
        return next((place for place in self.board.places if place.id == found), None)

    def words_for(self, at: tuple[int, int]) -> str:
        """Return the name of the area at a cell, or else the cell as ``x,y``."""
        area = self.area_at(at)
        return area.label if area is not None else f"{at[0]},{at[1]}"

    def way_to(self, at: tuple[int, int]) -> str:
        """Return in words where a cell is from the cursor.

        That is the offset in cells; on a board of areas only the direction.
        """
        away = apart(self.board, self.at, at)
        return bearing(*away) if self.has_areas else offset(*away)

    def unheard(self) -> list[Line]:
        """Return the lines that were not printed yet; count them as printed."""
        found = self.lines[self.shown :]
        self.shown = len(self.lines)
        return found

    def facts(self) -> Iterator[Fact]:
        """Yield the facts of the whole game so far, limited to what this viewer knows."""
        story = self.table.chronicle(self.viewer).story()
        for _ in story.walk():
            pass
        yield from (moment.fact for moment in story.moments)

    def history(self) -> History:
        """Return the statistics of each round so far, limited to what this viewer knows."""
        viewer = self.viewer if self.table.outcome() is None else REFEREE
        history = self.table.chronicle(viewer).history()
        for _ in history.walk():
            pass
        return history

    # -- what the person does --------------------------------------------------------------------

    def follow(self) -> None:
        """Move the cursor with the piece that was under it before the last command, if it moved."""
        spot = self.lines[-1].at if len(self.lines) > self.shown else None
        x, y = self.at
        if spot is not None and self._stood and not self.board.piece[y, x]:
            self.point(*spot)

    def push(self, direction: Direction) -> bool:
        """Push the stick once; return False if the cursor did not move or the line was refused."""
        before = self.focus
        return self._carry_out(self.step(direction)) and self.focus != before

    def press(self) -> bool:
        """Press the button; return False if its line of notation was refused."""
        return self._carry_out(self.fire())

    def give(self, line: str, label: str = "") -> Reply:
        """Submit a line of notation; ``label`` describes it if no reported line does."""
        self._stood = bool(self.board.piece[self.focus.y, self.focus.x])
        self._label = label
        try:
            return _finished(self.submit(line))
        finally:
            self._label = ""

    # -- inside ----------------------------------------------------------------------------------

    def _carry_out(self, press: Coroutine[Any, Any, str]) -> bool:
        """Execute a press of stick or button; return False if its line was refused."""
        self.refused = None
        self.opened = _finished(press)
        return not self.is_refused

    async def _send(self, line: str) -> Reply:
        view, at, known, ended = self.view, self.at, len(self.lines), self.ended
        before = self.status
        reply = self.link.answer(line)
        self.is_unsaved = reply.code == Denied.NOT_SAVED
        if reply.ok:
            self.acted += 1
            waits, has_ended = self.viewer not in self.table.owes, self.ended != ended
            if self.table.rules.traits.simultaneous:
                is_left = waits or has_ended
            else:  # after an answer in the turn of another, that turn is in a later phase
                is_left = has_ended and self.status.at_track <= before.at_track
            if is_left:
                self.left = known
            said = self.lines[-1].text if len(self.lines) > known else ""
            self._trail.append(_Accepted(view, at, said or self._label or line))
        return reply

    def _taken_back(self) -> str:
        """Go back to where the cursor was before the undone command, and name it, if it is known.

        The command is known by the position before it, as a branch may undo several.
        """
        for before in reversed(self._trail):
            if before.view == self.view:
                del self._trail[self._trail.index(before) :]
                self.point(*before.at)
                return f"Taken back: {before.words.rstrip('.')}."
        return "Taken back."

    def _tell(self, event: Any, before: Any, after: Any) -> None:  # noqa: ARG002 - of the feed
        if event.ends_phase:
            self.ended += 1
            self._trail.clear()
        self.lines += self.presenter.tell(event, after)

    def _remember(self) -> None:
        """Add the messages of the latest entries to ``lines``."""
        begun: list[tuple[EntryTold, int]] = []
        for told in self.table.chronicle(self.viewer).told_by_entry(_EARLIER):
            begun.append((told, len(self.lines)))
            self.lines += told.lines
        self.shown = len(self.lines)
        self.left = self._left_of(begun)

    def _left_of(self, begun: Sequence[tuple[EntryTold, int]]) -> int:
        """Return the number of lines before the command with which the viewer ended a turn last.

        ``begun``: the entries, and the number of lines before each. If all act at once it is the
        first of the viewer's last commands in a row.
        """
        mine = [told.seat == self.viewer for told, _ in begun]
        if self.table.rules.traits.simultaneous:
            ends = [own and not before for before, own in pairwise([False, *mine])]
        else:
            ends = [own and told.ends_turn for own, (told, _) in zip(mine, begun, strict=True)]
        return max((lines for (_, lines), end in zip(begun, ends, strict=True) if end), default=0)


def seats_here(table: BlockingTable) -> dict[Viewer, LineSeat]:
    """Return a seat client for each seat that a person at this end plays, by viewer.

    If there are none, return clients for the seats that a computer plays for this person; if there
    are none of those either, one for the public.

    Raises:
        PermissionError: the public may not watch.
    """
    own = table.own_seats
    played = [seat for seat in own if table.is_here(seat)]
    return {viewer: LineSeat(table, viewer) for viewer in played or own or (PUBLIC,)}


def _finished(work: Coroutine[Any, Any, _T]) -> _T:
    """Return the result of a coroutine that never waits, because its link answers at once."""
    try:
        work.send(None)
    except StopIteration as done:
        result: _T = done.value
        return result
    raise RuntimeError("a command of line mode waits for something")
