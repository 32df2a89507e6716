"""Fate of a recorded game: from which place on computer players reach the same end, and how often.

A curve has points, each the share of continuations from the end of an entry that end as was looked
for, and turning points, the steepest steps between two points. All shares are of the same number of
games, so that the swings of a curve add up to its end minus its start. The swing of an entry is the
sum of two parts. With its command kept and its dice thrown again a share lies between those before
and behind it: what is gained up to there is the choice's part, the rest is that of the dice.
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
from tui.console.exits import Wrong
from tui.debug.continuing import (
    ContinuationCount,
    ContinuationCounter,
    ContinuationPiece,
    ContinuationSetup,
    EndSought,
)
from tui.debug.debugger import Debugger
from tui.play.seats import seat_name

PLACES: Final = 13
"""Points that a curve begins with, evenly spread."""

MOMENTS: Final = 3
"""Turning points of a curve."""

MOST_REFINED: Final = 18
"""Points that are added around the steepest steps."""

_LEAST: Final = 0.05
"""Swing below which a step is not looked at more closely."""

_Z: Final = 1.959964
"""Normal quantile of an interval of 95 %."""


class FatePoint(Record, frozen=True):
    """Continuations from the end of an entry: how many, and how many of them end as looked for."""

    index: int
    """Position of the entry in the line."""
    step: int
    place: str
    round: int
    same: int
    games: int

    @property
    def share(self) -> float:
        """Share of continuations that end as looked for, from 0 to 1."""
        return self.same / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval of the share, of 95 %."""
        return wilson(self.same, self.games)


class TurningPoint(Record, frozen=True):
    """Step of a curve: one entry, or several if it was not looked at closely enough."""

    before: FatePoint
    after: FatePoint
    seat: Seat = NOBODY
    """Seat that gave the command; NOBODY if several entries are meant, or if it is not known."""
    command: str = ""
    """In notation; empty as above."""
    kept: int | None = None
    """Continuations that end as looked for if the command is kept and its dice are thrown again;
    None if that was not tried."""

    @property
    def swing(self) -> float:
        """Change of the share, from -1 to 1."""
        return (self.after.same - self.before.same) / self.after.games

    @property
    def choice(self) -> float | None:
        """Part of the swing that the command has; None if that was not tried."""
        return None if self.kept is None else (self.kept - self.before.same) / self.after.games

    @property
    def dice(self) -> float | None:
        """Part of the swing that the dice of the entry have; None if that was not tried."""
        return None if self.kept is None else (self.after.same - self.kept) / self.after.games

    @property
    def is_certain(self) -> bool:
        """True if the intervals of the two points do not overlap."""
        (low, high), (from_, to) = self.before.interval, self.after.interval
        return high < from_ or to < low


class FateQuestion(Record, frozen=True):
    """Question about a line of play: the end that is looked for, and who plays."""

    end: EndSought
    level: str
    """Computer players that play the continuations."""
    runs: int = 40
    """Continuations from each point."""
    seed: int = 1
    """Seed of the continuations; it has nothing to do with that of the game."""
    steps: tuple[int, ...] | None = None
    """Steps of the line, whose entries' ends are the only points; None: some that are evenly
    spread, and more around the steepest."""


class FateCurve(Record, frozen=True):
    """Fate of a line of play: its points in order, and its turning points, steepest first."""

    question: FateQuestion
    points: tuple[FatePoint, ...]
    turning_points: tuple[TurningPoint, ...]
    stuck: int = 0
    """Continuations that were given up."""
    faults: int = 0
    """Continuations in which the rules or a player raised an exception."""

    def by_round(self) -> tuple[tuple[int, float], ...]:
        """The share at the last point of each round that has one."""
        return tuple({point.round: point.share for point in self.points}.items())


def wilson(same: int, games: int) -> tuple[float, float]:
    """Wilson's interval of 95 % for a share.

    >>> wilson(0, 0)
    (0.0, 1.0)
    """
    if not games:
        return 0.0, 1.0
    share, z2 = same / games, _Z * _Z / games
    middle = (share + z2 / 2) / (1 + z2)
    half = _Z * sqrt(share * (1 - share) / games + z2 / games / 4) / (1 + z2)
    return middle - half if same else 0.0, middle + half if same < games else 1.0


# -- the end that is looked for --------------------------------------------------------------------


def end_sought(bench: Debugger, of: str | None = None) -> EndSought:
    """The end of the game, or the moment of a query.

    Without a query it is the recorded winners. Of a game that is not over it is that the viewer
    wins, or else who leads.

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
    """The recorded outcome, which everybody knows."""
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
    """The fate of a line as its viewer can know it.

    The same question has the same answer, for any number of jobs.

    Args:
        bench: the line, and the viewer.
        question: what is asked about it.
        jobs: number of processes.
        progress: called with the games that were played, and those to be played as far as known.
        stop: asked now and then; True ends the search.
        place: the place of a step, if it is not to be as the viewer counts.

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
    """Positions of the entries that a curve begins with."""
    last = len(line.entries) - 1
    return sorted({round(number * last / (PLACES - 1)) for number in range(PLACES)})


class _CurveSearch:
    """Points found so far, and what is still to be asked."""

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
        """Games to be played, as far as known."""
        story = bench.story
        self._rounds = [(bench.line.step_from(index), number) for index, number in story.rounds]
        self._since: int | None = None
        """Step from which on the moment that is looked for has been."""
        if end.kind == "query":
            self._since = min(bench.matches(end.query), default=None)

    def points(self) -> tuple[FatePoint, ...]:
        """The points, in order."""
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
        """Games from before the entry of a position in the line."""
        position = self._bench.line.state(self._bench.line.starts[entry])
        return ContinuationPiece(encode(position), entry, 0, 0, seat, command)

    def _point(self, index: int, same: int) -> FatePoint:
        step = self._bench.line.starts[index + 1]
        at = bisect_right(self._rounds, step, key=lambda row: row[0]) - 1
        number = self._rounds[at][1] if at >= 0 else 0
        return FatePoint(index, step, self._place(step), number, same, self._counter.runs)

    def _steps(self) -> list[tuple[FatePoint, FatePoint]]:
        """The steps of the curve, steepest first; of equally steep ones the earlier."""
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
        """The steepest steps, each that is one entry split into choice and dice."""
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
