"""Timeline of a game: its facts, markers and numbers, from one walk through its log in slices."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

from engine.core.feed import AnyChange, RedactedEvent, changes, knows_all
from engine.core.ids import REFEREE, ROOT, Seat, Viewer
from engine.core.log import AnyEntry, EventLog
from engine.core.record import Record
from engine.core.replay import BrokenLog, Keyframes
from engine.core.ruleset import AnyRuleset
from engine.tabletop.board import NOBODY, Status
from engine.tabletop.fact import Fact, FactKind
from engine.tabletop.presenter import presenter_of

MarkerKind: TypeAlias = Literal[
    "comment", "end", "lead", "capture", "loss", "battle", "round", "phase"
]
"""Kinds of markers; if several are on one cell, the rarest is shown."""

KINDS: Final[Mapping[MarkerKind, str]] = {
    "comment": "comments",
    "end": "the end",
    "lead": "changes of the lead",
    "capture": "captures",
    "loss": "losses",
    "battle": "battles",
    "round": "rounds",
    "phase": "phases",
}

USUAL: Final[frozenset[MarkerKind]] = frozenset(KINDS) - {"battle", "phase"}
"""Kinds of markers at which the jump keys stop by default."""

_MARKED: Final[Mapping[FactKind, MarkerKind]] = {
    "attack": "battle",
    "loss": "loss",
    "capture": "capture",
    "phase": "phase",
    "round": "round",
    "end": "end",
}

SeatStatistics: TypeAlias = Mapping[str, tuple[int, ...]]
"""Statistics of a game: name to one number per seat."""


class Moment(Record, frozen=True):
    """Fact with its position: entry of the line, event in it (from 0), round and phase."""

    index: int
    event: int
    fact: Fact
    round: int = 0
    phase: str = ""
    entry: int = 0
    """Number of the entry as shown to the viewer."""
    place: str = ""
    """Position as shown to the viewer: ``41.3`` is event 3 of entry 41."""


class Marker(Record, frozen=True):
    """Position on the timeline that the jump keys can reach."""

    index: int
    kind: MarkerKind
    event: int = 0
    seat: Seat = NOBODY
    text: str = ""


class Story:
    """Moments, markers and statistics of one line of a log, for one viewer.

    It is empty at first and grows while ``walk`` is iterated; it can be used in the meantime.
    """

    def __init__(
        self,
        rules: AnyRuleset,
        line: Sequence[AnyEntry],
        viewer: Viewer = REFEREE,
        keyframes: Keyframes[Any] | None = None,
        *,
        own_numbers: bool = False,
    ) -> None:
        """Start an empty story; ``keyframes`` are filled during the walk.

        With ``own_numbers`` the entries visible to the viewer are counted from 0; the numbers of
        the log would reveal hidden entries.
        """
        self.rules = rules
        self.line = tuple(line)
        self.viewer = viewer
        self.moments: list[Moment] = []
        self.markers: list[Marker] = []
        self.numbers: list[SeatStatistics] = []
        """Statistics after each entry; empty if the viewer may not know them."""
        self.rounds: list[tuple[int, int]] = []
        """(position in the line, round in play after it), whenever the round changes."""
        self.closing: list[int] = []
        """Positions of the entries that end a phase."""
        self.blow: tuple[RedactedEvent, Fact] | None = None
        """The last attack that hit, or the last answer: its event and fact."""
        self.fault = ""
        self.done = 0
        """Number of entries walked."""
        self._keyframes = keyframes
        self._weight = 0
        """Events so far."""
        self._own_numbers = own_numbers
        self._told = 0
        """Number of entries so far that the viewer knows something about."""
        self._status: Status | None = None
        self.leads: list[tuple[int, tuple[Seat, ...]]] = []
        """(position in the line, seats with the highest leading statistic after it), at changes.

        Empty if the viewer may not know the statistics. Several seats are a tie: no side leads.
        """

    @property
    def ahead(self) -> tuple[Seat, ...]:
        """Seats with the highest leading statistic now; empty if unknown."""
        return self.leads[-1][1] if self.leads else ()

    @property
    def is_whole(self) -> bool:
        """True if the whole line was read, or as much as a fault in it allows."""
        return bool(self.fault) or self.done == len(self.line)

    def walk(self) -> Iterator[int]:
        """Read the line entry by entry; yield the number of entries read so far.

        The caller may stop iterating at any time.
        """
        walked = changes(self.rules, self.line)
        for _ in self.line:
            try:
                self.take(next(walked))
            except BrokenLog as broken:
                self.fault = str(broken)
                return
            yield self.done

    def take(self, change: AnyChange) -> None:
        """Add the next entry of the line.

        Raises:
            BrokenLog: an event cannot be applied.
        """
        entry = change.entry
        assert entry is not None  # noqa: S101 - a line holds entries
        presenter, moments, known = presenter_of(self.rules), [], change.events(self.viewer)
        for nth, told in enumerate(known):
            for fact in presenter.facts(told.event, told.before, told.after):
                moments.append((told.number, nth, fact))
                if self._is_blow(told, fact):
                    self.blow = told, fact
        self._weight = self._remember(entry, change.after, self._weight)
        self._told += bool(known)
        self._book(self.done, entry, change.after, moments)
        self.done += 1

    def _is_blow(self, told: RedactedEvent, fact: Fact) -> bool:
        """Return whether a fact is the latest blow: one that hit, an attack before its answer."""
        is_answered = self.blow is not None and self.blow[0] is told
        kinds = {"attack"} if is_answered else {"attack", "defence"}
        return fact.kind in kinds and fact.amount != 0

    def _remember(self, entry: AnyEntry, state: Any, before: int) -> int:
        """Store keyframes for seeking, as far apart as a cursor does; return the events so far."""
        weight = before + len(entry.events)
        frames = self._keyframes
        if frames is not None and (not before or weight // frames.every != before // frames.every):
            frames.states.setdefault(entry.seq, state)
        return weight

    def _book(
        self, index: int, entry: AnyEntry, state: Any, moments: list[tuple[int, int, Fact]]
    ) -> None:
        before = self._status
        if before is None or any(event.ends_phase for event in entry.events):
            self._turn_page(index, state)
        now = self._status
        number = self._told - 1 if self._own_numbers else entry.seq
        for event, nth, fact in moments:
            status = now if fact.kind in {"phase", "round"} or before is None else before
            if status is not None:
                place = f"{number}.{(nth if self._own_numbers else event) + 1}"
                when = status.round, status.phase
                self.moments.append(Moment(index, event, fact, *when, number, place))
            kind = _MARKED.get(fact.kind)
            if kind is not None:
                text = fact.target if fact.kind == "capture" else fact.piece
                self.markers.append(Marker(index, kind, event, fact.seat, text))
        if knows_all(self.rules, self.viewer):
            self._count(index, state)

    def _turn_page(self, index: int, state: Any) -> None:
        """Note the end of a phase, or the beginning of the game."""
        view = self.rules.view(state, self.viewer)
        before, now = self._status, presenter_of(self.rules).status(view)
        self._status = now
        if before is not None:
            self.closing.append(index)
        if before is None or now.round != before.round:
            self.rounds.append((index, now.round))

    def _count(self, index: int, state: Any) -> None:
        numbers = self.rules.statistics(state)
        if self.numbers and numbers == self.numbers[-1]:
            numbers = self.numbers[-1]
        self.numbers.append(numbers)
        values = numbers.get(presenter_of(self.rules).lead, ())
        best = tuple(seat for seat, value in enumerate(values) if value == max(values))
        if best == self.ahead:
            return
        led = next((seats[0] for _, seats in reversed(self.leads) if len(seats) == 1), NOBODY)
        if len(best) == 1 and led not in {NOBODY, best[0]}:
            self.markers.append(Marker(index, "lead", 0, best[0]))
        self.leads.append((index, best))

    @property
    def first_round(self) -> int:
        """Round with which the game begins."""
        return max(1, self.rounds[0][1]) if self.rounds else 1

    # -- queries ---------------------------------------------------------------------------------

    def round_at(self, index: int) -> int:
        """Return the round in play after the entry at a position; 0 if it was not read yet."""
        at = bisect_right(self.rounds, index, key=lambda row: row[0]) - 1
        return self.rounds[at][1] if at >= 0 else 0

    def round_of(self, index: int) -> int:
        """Return the round in which the entry at a position is played, from 1 on."""
        return max(1, self.round_at(max(0, index - 1)))

    def start_of_round(self, number: int) -> int | None:
        """Return the position of the entry after which a round is in play; None if unknown."""
        return next((index for index, begun in self.rounds if begun == number), None)

    def history(self, name: str) -> list[list[int]]:
        """Return a statistic by seat: one value per finished round, then the latest value."""
        if not self.numbers:
            return []
        ends = [index - 1 for index, _ in self.rounds[1:]] + [len(self.numbers) - 1]
        rows = [self.numbers[index][name] for index in ends if index < len(self.numbers)]
        return [list(values) for values in zip(*rows, strict=True)]


def near(markers: Iterable[Marker], index: int, by: int) -> Marker | None:
    """Return the first marker after a position (``by`` 1), or the last before it (-1), or None."""
    if by > 0:
        return min((m for m in markers if m.index > index), key=_place, default=None)
    return max((m for m in markers if m.index < index), key=_place, default=None)


def _place(marker: Marker) -> tuple[int, int]:
    return marker.index, marker.event


# -- the bar ------------------------------------------------------------------------------------

RANK: Final[Mapping[MarkerKind, int]] = {kind: rank for rank, kind in enumerate(KINDS)}


def cell_of(index: int, total: int, width: int) -> int:
    """Return the cell of a bar for a position on a line.

    ``total`` is the number of entries, ``width`` that of cells; both ends of the line are cells.
    """
    if total < 2 or width < 2:
        return 0
    return round(index * (width - 1) / (total - 1))


def place_of(cell: int, total: int, width: int) -> int:
    """Return the position on a line of ``total`` entries for a cell of a bar of ``width`` cells."""
    if width < 2:
        return 0
    return round(min(max(0, cell), width - 1) * (total - 1) / (width - 1))


def bar(markers: Sequence[Marker], total: int, width: int) -> list[Marker | None]:
    """Return the marker to show in each cell of a bar, or None.

    Of several in one cell it is the rarest kind; of equal kinds the first.
    """
    cells: list[Marker | None] = [None] * width
    for marker in markers:
        at = cell_of(marker.index, total, width)
        there = cells[at]
        if there is None or RANK[marker.kind] < RANK[there.kind]:
            cells[at] = marker
    return cells


# -- branches of the log ---------------------------------------------------------------------------


class Branch(Record, frozen=True):
    """Branch of the log, from where it leaves another line to its last entry."""

    head: int
    """Number of its last entry."""
    leaves: int
    """Position in its line, from 0, after which it leaves the other line; -1 for the trunk."""
    length: int
    """Number of entries from the beginning of the game to its last entry."""
    lead: str
    """Lines of the tree to draw in front of it."""


_LINES: Final = ("├─ ", "└─ ", "│  ", "   ")
_ASCII: Final = ("|- ", "`- ", "|  ", "   ")


def branches(log: EventLog[Any, Any], *, ascii_only: bool = False) -> list[Branch]:
    """Return the branches of a log as rows of a tree, each below the line that it leaves.

    The trunk is the line in play, continued by its longest branch. An undone move is a branch.
    """
    tree = _Tree(log)
    if not tree.children:
        return []
    fork, last, through, nothing = _ASCII if ascii_only else _LINES
    rows: list[Branch] = []
    waiting = [(tree.children[ROOT][0], "", "")]
    while waiting:
        first, lead, below = waiting.pop()
        head, twigs = tree.line(first)
        rows.append(Branch(head, tree.depth[first] - 1, tree.depth[head] + 1, lead))
        ends = [(twig, below + fork, below + through) for twig in twigs]
        if ends:
            ends[-1] = (ends[-1][0], below + last, below + nothing)
        waiting += reversed(ends)
    return rows


class _Tree:
    """Children and depth of each entry, and the direction of the trunk."""

    def __init__(self, log: EventLog[Any, Any]) -> None:
        self.children: dict[int, list[int]] = {}
        self.depth = {ROOT: -1}
        for entry in log.entries:
            self.children.setdefault(entry.parent, []).append(entry.seq)
            self.depth[entry.seq] = self.depth[entry.parent] + 1
        self._farthest = dict(self.depth)
        for entry in reversed(log.entries):
            farthest = max(self._farthest[entry.parent], self._farthest[entry.seq])
            self._farthest[entry.parent] = farthest
        self._played = {entry.seq for entry in log.line()}

    def line(self, first: int) -> tuple[int, list[int]]:
        """Return the last entry of the line through an entry, and the first of those leaving it."""
        twigs: list[int] = []
        while below := self.children.get(first):
            onward = max(below, key=self._weight)
            twigs += [seq for seq in below if seq != onward]
            first = onward
        return first, twigs

    def _weight(self, seq: int) -> tuple[bool, int, int]:
        return seq in self._played, self._farthest[seq], -seq
