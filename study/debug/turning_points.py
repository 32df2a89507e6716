"""Fate of a recorded game: how often computer players reach the same end from each place.

A curve has points, each the share of continuations from the end of an entry that end as sought, and
turning points, the steepest steps between two points. All shares are of the same number of games,
so that the swings of a curve add up to its end minus its start. The swing of an entry has two
parts. With its command kept and its dice thrown again, there is a third share: the difference from
the share before the entry is the part of the choice, the rest is the part of the dice.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import sqrt
from typing import Any, Final

from engine.core.codec import encode
from engine.core.ids import REFEREE, Seat
from engine.core.notation import write
from engine.core.record import Record
from engine.core.replay import fold
from engine.core.ruleset import Outcome
from engine.debug.line import GameLine
from engine.tabletop.board import NOBODY
from study.debug.continuing import (
    ContinuationCount,
    ContinuationCounter,
    ContinuationPiece,
    ContinuationSetup,
    EndSought,
)
from study.debug.debugger import Debugger
from tui.console.exits import Wrong
from tui.play.seats import seat_name

PLACES: Final = 13
"""Number of evenly spread points with which a curve begins."""

MOMENTS: Final = 3
"""Maximum turning points of a curve."""

MOST_REFINED: Final = 18
"""Maximum points that are added around the steepest steps."""

_LEAST: Final = 0.05
"""Minimum swing of a step that is examined more closely."""

_Z: Final = 1.959964
"""Normal quantile of an interval of 95 %."""


class FatePoint(Record, frozen=True):
    """Continuations from the end of an entry: their number, and how many end as sought."""

    index: int
    """Position of the entry in the line."""
    step: int
    place: str
    round: int
    same: int
    games: int

    @property
    def share(self) -> float:
        """Share of continuations that end as sought, from 0 to 1."""
        return self.same / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval of the share, of 95 %."""
        return wilson(self.same, self.games)


class TurningPoint(Record, frozen=True):
    """Step between two points of a curve: one entry, or several if it was not examined further."""

    before: FatePoint
    after: FatePoint
    seat: Seat = NOBODY
    """Seat that gave the command; NOBODY for several entries, or if it is unknown."""
    command: str = ""
    """Command in notation; empty for several entries, or if it is unknown."""
    kept: int | None = None
    """Continuations that end as sought with the same command and new dice; None if not tried."""

    @property
    def swing(self) -> float:
        """Change of the share, from -1 to 1."""
        return (self.after.same - self.before.same) / self.after.games

    @property
    def choice(self) -> float | None:
        """Part of the swing due to the command; None if it was not tried."""
        return None if self.kept is None else (self.kept - self.before.same) / self.after.games

    @property
    def dice(self) -> float | None:
        """Part of the swing due to the dice of the entry; None if it was not tried."""
        return None if self.kept is None else (self.after.same - self.kept) / self.after.games

    @property
    def is_certain(self) -> bool:
        """True if the intervals of the two points do not overlap."""
        (low, high), (from_, to) = self.before.interval, self.after.interval
        return high < from_ or to < low


class FateQuestion(Record, frozen=True):
    """Question about a line of play: the end that is sought, and the players."""

    end: EndSought
    level: str
    """Level of the computer players in the continuations."""
    runs: int = 40
    """Continuations from each point."""
    seed: int = 1
    """Seed of the continuations, independent of that of the game."""
    steps: tuple[int, ...] | None = None
    """Steps whose entries give the only points of the curve.

    None for evenly spread points, with more around the steepest steps.
    """


class FateCurve(Record, frozen=True):
    """Fate of a line of play: its points in order, and its turning points, steepest first."""

    question: FateQuestion
    points: tuple[FatePoint, ...]
    turning_points: tuple[TurningPoint, ...]
    stuck: int = 0
    """Continuations that were abandoned."""
    faults: int = 0
    """Continuations in which the rules or a player raised an exception."""

    def by_round(self) -> tuple[tuple[int, float], ...]:
        """Return (round, share at its last point) for each round that has a point."""
        return tuple({point.round: point.share for point in self.points}.items())


def wilson(same: int, games: int) -> tuple[float, float]:
    """Return Wilson's interval of 95 % for a share.

    >>> wilson(0, 0)
    (0.0, 1.0)
    """
    if not games:
        return 0.0, 1.0
    share, z2 = same / games, _Z * _Z / games
    middle = (share + z2 / 2) / (1 + z2)
    half = _Z * sqrt(share * (1 - share) / games + z2 / games / 4) / (1 + z2)
    return middle - half if same else 0.0, middle + half if same < games else 1.0


# -- the end to search for -------------------------------------------------------------------------


def end_sought(bench: Debugger, of: str | None = None) -> EndSought:
    """Return the end to count: the moment of a query, or the end of the game.

    Without a query it is a win of the recorded winners; if the game is not over, of the viewer, or
    else of the leading seat.

    Raises:
        Wrong: the query cannot be read, or the game is secret and not over, or has no entry.
    """
    if not bench.line.entries:
        raise Wrong("this game has no entry yet")
    found = _outcome(bench)
    if found is None and bench.rules.traits.hidden and bench.knows_all:
        raise Wrong("this game has secrets and is not over; ask for a seat, with --seat NAME")
    if of == "fault":
        return EndSought("fault", "the rules have a fault")
    if of is not None:
        return EndSought("query", of, query=bench.query(of).text)
    if found is not None:
        return EndSought("winners", _wins(bench, found.winners), found.winners)
    seat = bench.viewer if bench.viewer >= 0 else min(bench.story.ahead, default=0)
    return EndSought("winners", _wins(bench, (seat,)), (seat,))


def _outcome(bench: Debugger) -> Outcome | None:
    """Return the recorded outcome, which every viewer knows; None if the game is not over."""
    return bench.rules.outcome(fold(bench.rules, bench.opened.log.line(bench.head)))


def _wins(bench: Debugger, won: Sequence[Seat]) -> str:
    names = " and ".join(seat_name(bench.seats, seat) for seat in won)
    return f"{names or 'nobody'} win{'s' if len(won) < 2 else ''}"


# -- the curve -------------------------------------------------------------------------------------


def fate_curve(
    bench: Debugger,
    question: FateQuestion,
    *,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
    stop: Callable[[], bool] | None = None,
    place: Callable[[int], str] | None = None,
) -> FateCurve:
    """Return the fate of a line as its viewer can know it.

    The same question has the same answer, for any number of jobs.

    Args:
        bench: the line, and the viewer.
        question: the question about it.
        jobs: number of processes.
        progress: called with the number of games played, and of those expected so far.
        stop: called now and then; True ends the search.
        place: returns the place of a step, if it differs from the viewer's.

    Raises:
        SearchStopped: the search was stopped.
        Stuck: a process died twice over the same games.
    """
    setup = ContinuationSetup(
        bench.rules.name,
        tuple(bench.seats),
        (question.level,) * len(bench.seats),
        question.seed,
        question.end,
        REFEREE if bench.knows_all else bench.viewer,
    )
    search: _CurveSearch | None = None

    def shown(played: int) -> None:
        if progress is not None and search is not None:
            progress(played, max(played, search.expected))

    with ContinuationCounter(setup, question.runs, jobs, progress=shown, stop=stop) as counter:
        search = _CurveSearch(bench, question.end, counter, place or bench.place)
        if question.steps is not None:
            search.find([max(0, bench.line.index_at(step)) for step in question.steps])
        else:
            search.find(spread(bench.line))
            search.refine()
        turning, total = search.turning_points(), search.total
    return FateCurve(question, search.points(), turning, total.stuck, total.faults)


def spread(line: GameLine) -> list[int]:
    """Return the positions of the entries with which a curve begins."""
    last = len(line.entries) - 1
    return sorted({round(number * last / (PLACES - 1)) for number in range(PLACES)})


class _CurveSearch:
    """Points found so far, and the games that remain to be played."""

    def __init__(
        self,
        bench: Debugger,
        end: EndSought,
        counter: ContinuationCounter,
        place: Callable[[int], str],
    ) -> None:
        self._bench, self._counter, self._place = bench, counter, place
        self._found: dict[int, FatePoint] = {}
        self.total = ContinuationCount()
        self.expected = 0
        """Number of games to play, as far as known."""
        story = bench.story
        self._rounds = [(bench.line.step_from(index), number) for index, number in story.rounds]
        self._since: int | None = None
        """Step since which the sought moment has happened."""
        if end.kind == "query":
            self._since = min(bench.matches(end.query), default=None)

    def points(self) -> tuple[FatePoint, ...]:
        """Return the points, in order."""
        return tuple(self._found[index] for index in sorted(self._found))

    def find(self, indices: Sequence[int]) -> None:
        """Count continuations from the ends of entries."""
        new = [index for index in dict.fromkeys(indices) if index not in self._found]
        line = self._bench.line
        known = [at for at in new if self._since is not None and line.starts[at + 1] >= self._since]
        for index in known:
            self._found[index] = self._point(index, self._counter.runs)
        asked = [index for index in new if index not in self._found]
        pieces = [self._piece(index + 1) for index in asked]
        for index, result in zip(asked, self._count(pieces), strict=True):
            self._found[index] = self._point(index, result.same)

    def _count(self, pieces: Sequence[ContinuationPiece]) -> list[ContinuationCount]:
        self.expected += self._counter.runs * len(pieces)
        results = self._counter.count(pieces)
        self.total = sum(results, self.total)
        return results

    def _piece(self, entry: int, seat: Seat = -1, command: str = "") -> ContinuationPiece:
        """Return a piece of games that start before the entry at a position in the line."""
        position = self._bench.line.state(self._bench.line.starts[entry])
        return ContinuationPiece(encode(position), entry, 0, 0, seat, command)

    def _point(self, index: int, same: int) -> FatePoint:
        step = self._bench.line.starts[index + 1]
        at = bisect_right(self._rounds, step, key=lambda row: row[0]) - 1
        number = self._rounds[at][1] if at >= 0 else 0
        return FatePoint(index, step, self._place(step), number, same, self._counter.runs)

    def _steps(self) -> list[tuple[FatePoint, FatePoint]]:
        """Return the steps of the curve, steepest first; of equally steep ones the earlier."""
        points = self.points()
        return sorted(
            pairwise(points), key=lambda step: (-abs(step[1].same - step[0].same), step[0].index)
        )

    def refine(self) -> None:
        """Halve the steepest steps until they are single entries."""
        for _ in range(MOST_REFINED):
            left = MOST_REFINED + PLACES - len(self._found)
            least = max(1, _LEAST * self._counter.runs)
            halves = [
                (first.index + last.index) // 2
                for first, last in self._steps()[:MOMENTS]
                if last.index - first.index > 1 and abs(last.same - first.same) >= least
            ]
            if not halves or left <= 0:
                return
            self.find(halves[:left])

    def turning_points(self) -> tuple[TurningPoint, ...]:
        """Return the steepest steps; those of a single entry are split into choice and dice."""
        steps = [step for step in self._steps()[:MOMENTS] if step[0].same != step[1].same]
        made = [self._turning_point(*step) for step in steps]
        asked = [one for one in made if one.command and one.kept is None]
        pieces = [self._piece(one.after.index, one.seat, one.command) for one in asked]
        kept = dict(zip((one.after.index for one in asked), self._count(pieces), strict=True))
        return tuple(
            TurningPoint(one.before, one.after, one.seat, one.command, kept[one.after.index].same)
            if one.after.index in kept
            else one
            for one in made
        )

    def _turning_point(self, before: FatePoint, after: FatePoint) -> TurningPoint:
        entry: Any = self._bench.line.entries[after.index]
        if after.index - before.index > 1 or entry.command is None:
            return TurningPoint(before, after)
        is_settled = self._bench.knows_all and not entry.throws
        kept = after.same if is_settled else None
        return TurningPoint(before, after, entry.seat, write(entry.command), kept)
