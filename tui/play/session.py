"""Screen session: the seat client of the person at this screen whose turn it is.

It adds the overlay of the cursor, the tours of the jump keys, and handing over to the next person.
It knows no widgets.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.core.ids import PUBLIC, Seat, Viewer
from engine.core.link import FeedItem
from engine.core.record import replace
from engine.tabletop.board import Board, Line, Overlay
from engine.tabletop.fact import EventMoment, Fact
from engine.tabletop.focus import Direction, Focus
from engine.tabletop.presenter import presenter_of
from engine.tabletop.report import SeatNumbers
from tui.play.annals import Annals
from tui.play.picking import Tour
from tui.play.playback import PlaybackScene, about, has_lost_place
from tui.play.seat_client import SeatClient
from tui.play.table_protocol import TableProtocol
from tui.replay.history import curves_of

_EARLIER = 40
"""Number of entries whose messages are repeated when a game is resumed."""

_REMEMBERED = 80
"""Number of entries with which the annals of a resumed game begin."""


class Session(SeatClient):
    """Seat client of a game screen: the person who must act, or acted last."""

    def __init__(self, table: TableProtocol, viewer: Viewer | None = None) -> None:
        """Begin as ``viewer``, or as the person here whose turn it is."""
        self.facts: list[Fact] = []
        """Facts of the events that have not been shown yet."""
        self.lost: list[Line] = []
        """Lines about places that others took from this viewer since its last turn."""
        self.moments: list[EventMoment] = []
        """Moments of those events, for animation."""
        self.board_before: Board | None = None
        """Board before those events; None if there are none."""
        self.spot: tuple[int, int] | None = None
        """Cell of the latest event that has a cell."""
        self.on_news: Callable[[], None] | None = None
        self.annals = Annals(presenter_of(table.rules).round_word)
        """Notable events since the game was begun or resumed, by round."""
        self._is_past_due = False
        """True if events from before the game was resumed are still missing in the annals."""
        self.past: list[SeatNumbers] | None = None
        """Statistics at the end of each earlier round; None if they must be read from the log."""
        self._curves: list[list[int]] | None = None
        self._overlay: Overlay | None = None
        self._forces: tuple[Line, ...] | None = None
        self._tours: dict[str, Tour] = {}
        """Tours of this stage of the game, by kind of jump."""
        self._stage: tuple[int, str, Seat] | None = None
        self._left: dict[Viewer, Focus] = {}
        """Focus of each person when another sat down."""
        super().__init__(table, _first_viewer(table) if viewer is None else viewer)
        self.annals.begin(self.status.round)
        self.past = [] if self.status.round <= 1 else None
        self.listen()

    # -- state of the game -----------------------------------------------------------------------

    @property
    def overlay(self) -> Overlay:
        """Marks and panel for the cursor."""
        if self._overlay is None:
            self._overlay = self.presenter.overlay(self.view, self.focus)
        return self._overlay

    @property
    def forces(self) -> tuple[Line, ...]:
        """Panel lines that compare the sides."""
        if self._forces is None:
            self._forces = self.presenter.forces(self.view)
        return self._forces

    @property
    def curves(self) -> list[list[int]]:
        """Leading statistic by seat, one value per round; empty for a seat if ever unknown."""
        if self._curves is None:
            self._curves = self.curves_at(self.view)
        return self._curves

    def curves_at(self, view: Any) -> list[list[int]]:
        """Return the leading number of each seat by rounds, up to the moment of a view."""
        begun = max(0, self.presenter.status(view).round - self.first_round)
        lead = self.presenter.lead
        rounds = [*(self.past or ())[:begun], self.presenter.numbers(view)]
        return curves_of(rounds, lead) if all(lead in row for row in rounds) else []

    @property
    def names(self) -> list[str]:
        """Names of the players at the table, by seat."""
        return [player.name for player in self.table.players]

    @property
    def acting(self) -> Seat | None:
        """Seat that is to act; None when the game is over."""
        return self.table.to_act()

    @property
    def computer_acts(self) -> bool:
        """True if the next seat to act belongs to a computer player or to a person elsewhere."""
        seat = self.acting
        return seat is not None and not self.table.is_here(seat)

    @property
    def person_next(self) -> Seat | None:
        """Seat of another person at this screen who must act; None if there is none."""
        seat = self.acting
        if seat is None or not self.table.is_here(seat) or seat == self.viewer:
            return None
        return seat

    def earlier(self) -> tuple[Line, ...]:
        """Return the messages of the latest entries before a resumed game.

        The annals get them too.
        """
        self._is_past_due = True
        return tuple(line for _, line in self.table.chronicle(self.viewer).told(_EARLIER))

    def chronicle(self, most: int) -> list[Line]:
        """Return notable events by round, newest first, in at most about ``most`` lines."""
        self._read_past()
        return self.annals.lines(self.names, self.viewer, most)

    def _read_past(self) -> None:
        """Begin the annals of a resumed game with the events before."""
        if self._is_past_due:
            self._is_past_due = False
            self.annals.tellings = self.table.chronicle(self.viewer).tellings(_REMEMBERED)

    def chronicle_of(self, played: Sequence[PlaybackScene], most: int) -> list[Line]:
        """Return notable events of scenes by round, newest first, as ``chronicle`` does."""
        annals, status = Annals(self.presenter.round_word), self.presenter.status
        self._read_past()
        first = status(played[0].view if played[0].before is None else played[0].before).round
        annals.add(told for told in self.annals.tellings if told.round < first)
        for scene in played:
            before = status(scene.view if scene.before is None else scene.before)
            annals.begin(before.round)
            annals.hear(scene.lines, scene.facts, status(scene.view).round, -1)
        return annals.lines(self.names, self.viewer, most)

    @property
    def first_round(self) -> int:
        """Round with which the curves begin."""
        return max(1, self.status.round - len(self.past or ()))

    # -- cursor ----------------------------------------------------------------------------------

    def look_at(self, focus: Focus) -> None:
        """Set the focus without settling it."""
        if focus != self.focus:
            self._overlay = None
        super().look_at(focus)

    def leap(self, direction: Direction) -> bool:
        """Move the cursor to the next thing in a direction, as the ruleset defines it.

        Return False if there is none.
        """
        found = self.presenter.stride(self.view, self.focus, direction)
        if found is None:
            return False
        self.look_at(found)
        return True

    def jump(self, kind: str, by: int) -> bool:
        """Go to the nearest unvisited thing of a kind (``by`` 1), or back (-1).

        Returns:
            False if there is nothing of that kind.
        """
        cells = self.presenter.jumps(self.view, self.focus, kind)
        if not cells:
            return False
        tour = self._tours.setdefault(kind, Tour(self.board))
        self.point(*tour.go(cells, self.at, by))
        return True

    def tell_past(self, rounds: list[SeatNumbers]) -> None:
        """Set ``past``, the statistics of earlier rounds, as read from the log."""
        self.past, self._curves = rounds, None

    def hand_over(self) -> None:
        """Switch to the person who must act.

        In games with secrets each person has a separate cursor, as its position would reveal
        something.
        """
        seat, at = self.person_next, self.focus
        if seat is None:
            return
        self.forget_news()
        self.lost = []
        self._left[self.viewer] = at
        self.look_as(seat)
        self.listen()
        if self.table.rules.traits.hidden:
            self.annals = Annals(self.presenter.round_word)
            self.annals.begin(self.status.round)
            self.past = None
            at = self._left.get(seat) or self.presenter.start(self.view)
        self.look_at(self.presenter.settle(self.view, Focus(at.x, at.y)))

    def forget_news(self) -> None:
        """Drop the events that were not shown yet, since they belong to another person's view."""
        self.facts, self.moments, self.board_before = [], [], None

    def redraw(self) -> None:
        """Build the board again at the present zoom."""
        self._take(self.view)

    # -- feed ------------------------------------------------------------------------------------

    def _take(self, view: Any) -> None:
        super()._take(view)
        if self.status.stage != self._stage:
            self._stage, self._tours = self.status.stage, {}
        self._overlay = self._forces = self._curves = None

    def _hear(self, news: FeedItem) -> None:
        if self.board_before is None:
            self.board_before = self.board
        round_, view = self.status.round, self.view
        super()._hear(news)
        if news.change == "rewound":
            self.annals.rewind(self.table.now)
        if self.status.round != round_ and self.past is not None:
            self._end_round(view, is_next=news.change != "rewound")
        self.annals.begin(self.status.round)
        if self.on_news is not None:
            self.on_news()

    def _end_round(self, view: Any, *, is_next: bool) -> None:
        """Store the numbers at the end of a round; after an undo they must be read from the log."""
        if is_next and self.past is not None:
            self.past.append(self.presenter.numbers(view))
        else:
            self.past = None

    def _tell(self, event: Any, before: Any, after: Any) -> None:
        facts = self.presenter.facts(event, before, after)
        self.facts += facts
        told = about(self.presenter.tell(event, after), facts)
        said = [replace(line, entry=self.table.now) for line in told]
        self.lines += said
        self.lost += said if has_lost_place(facts, self.viewer) else []
        self.annals.hear(said, facts, self.status.round, self.table.now)
        places = [line.at for line in said if line.at is not None]
        self.spot = places[-1] if places else self.spot
        self.moments += self.presenter.moments(event, before)


def _first_viewer(table: TableProtocol) -> Viewer:
    """Return the person here who must act, or else the first one; the public without any."""
    people = [player.seat for player in table.players if table.is_here(player.seat)]
    seat = table.to_act()
    if seat in people and seat is not None:
        return seat
    return people[0] if people else PUBLIC
