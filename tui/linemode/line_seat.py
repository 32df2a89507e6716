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

    All clients of a session hear at the same time, each what its viewer may know.
    """

    table: BlockingTable
    link: BlockingLink

    def __init__(self, table: BlockingTable, viewer: Viewer) -> None:
        """Take a seat; the lines of earlier entries count as said."""
        self.shown = 0
        """Number of lines that have been said."""
        self.acted = 0
        """Number of commands that were accepted."""
        self.ended = 0
        """Number of phases or turns that have ended."""
        self.left = 0
        """Number of lines before the command with which the viewer ended a turn last."""
        self.is_unsaved = False
        """True if the last command could not be saved, and so changed nothing."""
        self.opened = ""
        """Intent whose dialogue the last press opens, or an empty text."""
        self._stood = False
        """True if a piece stood under the cursor before the last command."""
        self._trail: list[_Accepted] = []
        """The viewer's commands in this phase."""
        self._label = ""
        """Label of the command that is being submitted, if it has one."""
        super().__init__(table, viewer)
        self._remember()
        self.listen()

    # -- what is to be known ---------------------------------------------------------------------

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the players."""
        return tuple(player.name for player in self.table.players)

    @property
    def todo(self) -> str:
        """Sentence that counts the pieces that can still act, after a blank; empty without any."""
        status = self.status
        if status.over or not (status.todo and self.presenter.jumps(self.view, self.focus, "idle")):
            return ""
        return f" {status.left}."

    def pieces(self) -> list[Find]:
        """Return the things with a name that are pieces on the board."""
        finds = self.presenter.finds(self.view)
        if self.has_areas or any(find.kind == "unit" for find in finds):
            return [find for find in finds if find.kind == "unit"]
        board, symbols = self.board.piece, self.presenter.symbols
        drawn = [(find.kind, int(board[find.at[1], find.at[0]])) for find in finds]
        others = {kind for kind, sign in drawn if not sign or symbols[sign].role is Role.WRITING}
        return [find for find in finds if find.kind not in others]

    def places(self) -> list[Find]:
        """Return the things with a name that are no pieces."""
        pieces = {find.kind for find in self.pieces()}
        return [find for find in self.presenter.finds(self.view) if find.kind not in pieces]

    def names_by_cell(self) -> dict[tuple[int, int], str]:
        """Return the names of things by their cells; of several in a cell the first."""
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
        """Return the name of an area, else the cell as ``x,y``."""
        area = self.area_at(at)
        return area.label if area is not None else f"{at[0]},{at[1]}"

    def way_to(self, at: tuple[int, int]) -> str:
        """Return where a cell lies from the cursor: in cells, or between areas the direction."""
        away = apart(self.board, self.at, at)
        return bearing(*away) if self.has_areas else offset(*away)

    def unheard(self) -> list[Line]:
        """Return the lines not said yet; they count as said from now on."""
        found = self.lines[self.shown :]
        self.shown = len(self.lines)
        return found

    def facts(self) -> Iterator[Fact]:
        """Yield what happened in the whole game, as facts, as far as this viewer knows it."""
        story = self.table.chronicle(self.viewer).story()
        for _ in story.walk():
            pass
        yield from (moment.fact for moment in story.moments)

    def history(self) -> History:
        """Return the numbers of the whole game by rounds, as far as this viewer knows them."""
        viewer = self.viewer if self.table.outcome() is None else REFEREE
        history = self.table.chronicle(viewer).history()
        for _ in history.walk():
            pass
        return history

    # -- what the person does --------------------------------------------------------------------

    def follow(self) -> None:
        """Move the cursor with the piece that stood under it, if it has moved."""
        spot = self.lines[-1].at if len(self.lines) > self.shown else None
        x, y = self.at
        if spot is not None and self._stood and not self.board.piece[y, x]:
            self.point(*spot)

    def push(self, direction: Direction) -> bool:
        """Push the stick once; return whether the cursor moved and no line was refused."""
        before = self.focus
        return self._carry_out(self.step(direction)) and self.focus != before

    def press(self) -> bool:
        """Press the button; return False if its line was refused."""
        return self._carry_out(self.fire())

    def give(self, line: str, label: str = "") -> Reply:
        """Submit a line of notation; ``label`` says in words what it does if no line reports it."""
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
        """Take the lines of the latest entries."""
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
    """Return a seat client for each seat that a person here plays, by viewer.

    Without any they are those of the seats that a computer plays for the person, and without these
    the public's.

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
