"""Continuations of a recorded game: how many of them end in a certain way, from a position on.

This is work for a farm: a piece is a position with some games to play from it. A game depends only
on its number and its position, so results do not depend on the worker or the time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, Final, Literal, TypeAlias

from engine.core.codec import decoder
from engine.core.dice import Seeded
from engine.core.ids import REFEREE, Seat, Viewer
from engine.core.notation import read
from engine.core.record import Record
from engine.core.refused import Refused
from engine.core.registry import find
from engine.core.ruleset import AnyRuleset
from study.farm.runs import Lost
from study.farm.supervisor import Farm
from tui.console.exits import Stuck
from tui.play.continuation import Continuation
from tui.replay.query import Query, parse
from tui.replay.timeline import Story

LONGEST: Final = 2_000
"""Consecutive turns after which a continuation is abandoned."""

EndKind: TypeAlias = Literal["winners", "query", "fault"]


class EndSought(Record, frozen=True):
    """The end that is counted in continuations."""

    kind: EndKind
    text: str
    """The end in words, such as ``Orrin wins``."""
    winners: tuple[Seat, ...] = ()
    query: str = ""


class ContinuationSetup(Record, frozen=True):
    """What all continuations of a game have in common."""

    ruleset: str
    seats: tuple[str, ...]
    levels: tuple[str, ...]
    seed: int
    end: EndSought
    viewer: Viewer = REFEREE
    """The seat whose views the positions are; REFEREE if they are states."""


class ContinuationPiece(Record, frozen=True):
    """A position, and the numbers of the games to play from it."""

    position: bytes
    """Encoded state, or encoded view if the setup has a viewer."""
    entry: int
    """Number of the next entry."""
    first: int
    """Number of the first of the games."""
    count: int
    seat: Seat = -1
    command: str = ""
    """Command of the seat with which each of the games begins; empty for none."""


class ContinuationCount(Record, frozen=True):
    """Results of some games: how many were played, and how many ended as sought."""

    games: int = 0
    same: int = 0
    stuck: int = 0
    """Games that computer players did not finish."""
    faults: int = 0
    """Games in which the rules or a player raised an exception."""

    def __add__(self, other: ContinuationCount) -> ContinuationCount:
        """Return the sums of both counts."""
        return ContinuationCount(
            self.games + other.games,
            self.same + other.same,
            self.stuck + other.stuck,
            self.faults + other.faults,
        )


def continuations(
    setup: ContinuationSetup,
) -> Callable[[ContinuationPiece], ContinuationCount]:
    """Return the function that plays the games of a piece."""
    rules = find(setup.ruleset)
    query = None
    if setup.end.kind == "query":
        numbers = rules.statistics(rules.empty()) if setup.viewer == REFEREE else {}
        query = parse(setup.end.query, setup.seats, tuple(numbers))
    return partial(_counted, rules, setup, query)


def _counted(
    rules: AnyRuleset, setup: ContinuationSetup, query: Query | None, piece: ContinuationPiece
) -> ContinuationCount:
    """Play the games of a piece and return their total; ``query`` is the end sought, if any."""
    kind = rules.state_type if setup.viewer == REFEREE else rules.view_type
    position: Any = decoder(kind).decode(piece.position)
    total = ContinuationCount()
    for number in range(piece.first, piece.first + piece.count):
        seed = b"fate/%d/%d" % (setup.seed, number)
        state = position
        if setup.viewer != REFEREE:
            state = rules.imagine(position, Seeded(seed, piece.entry, "imagine"))
        total += _played(rules, setup, query, piece, state, seed)
    return total


def _played(
    rules: AnyRuleset,
    setup: ContinuationSetup,
    query: Query | None,
    piece: ContinuationPiece,
    state: Any,
    seed: bytes,
) -> ContinuationCount:
    """Play one game and return its result."""
    story = None if query is None else Story(rules, (), setup.viewer)
    game = Continuation(
        rules,
        state,
        setup.levels,
        seed,
        piece.entry,
        booked=None if story is None else story.take,
    )
    try:
        if piece.command:
            _begin(game, piece)
        stuck = game.play(LONGEST)
    except Exception:  # noqa: BLE001 - a fault in the rules is a finding, not an end
        return ContinuationCount(1, int(setup.end.kind == "fault"), 0, 1)
    same = False
    if query is not None and story is not None:
        same = bool(query.search(story))
    elif setup.end.kind == "winners":
        outcome = rules.outcome(game.state)
        same = outcome is not None and outcome.winners == setup.end.winners
    return ContinuationCount(1, int(same), int(bool(stuck)), 0)


def _begin(game: Continuation, piece: ContinuationPiece) -> None:
    """Submit the command of a piece; in an imagined position it may be impossible."""
    try:
        game.submit(piece.seat, read(piece.command, game.rules.command_type))
    except Refused:
        return


class SearchStopped(Exception):
    """Counting was stopped before its end."""


class ContinuationCounter:
    """Counts continuations on a farm, with progress and a way to stop."""

    def __init__(
        self,
        setup: ContinuationSetup,
        runs: int,
        jobs: int = 1,
        *,
        progress: Callable[[int], None] | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> None:
        """Prepare to count; nothing runs yet.

        Args:
            setup: what all games have in common.
            runs: games from each position.
            jobs: number of processes; 1 means this one.
            progress: called with the number of games played so far.
            stop: called now and then; counting stops when it returns True.
        """
        self.played = 0
        self.runs = runs
        self._chunk = -(-runs // 8)
        self._farm: Farm[ContinuationSetup, ContinuationPiece, ContinuationCount] = Farm(
            continuations, setup, workers=0 if jobs == 1 else jobs
        )
        self._progress, self._stop = progress, stop

    def __enter__(self) -> ContinuationCounter:
        return self

    def __exit__(self, *problem: object) -> None:
        self._farm.close()

    def count(self, positions: Iterable[ContinuationPiece]) -> list[ContinuationCount]:
        """Return the results for each position; the caller leaves the numbers of games open.

        Raises:
            SearchStopped: counting was stopped.
            Stuck: a process died twice over the same games.
        """
        asked = list(positions)
        totals = [ContinuationCount() for _ in asked]
        numbers, pieces = self._pieces(asked)
        for result in self._farm.run(pieces):
            if isinstance(result, Lost):
                raise Stuck(f"games from entry {result.piece.entry} on: {result.cause}")
            totals[numbers[result.number]] += result.value
            self.played += result.value.games
            if self._progress is not None:
                self._progress(self.played)
            if self._stop is not None and self._stop():
                raise SearchStopped
        return totals

    def _pieces(
        self, asked: list[ContinuationPiece]
    ) -> tuple[list[int], Iterator[ContinuationPiece]]:
        """Return the number of the position for each small piece, and the pieces."""
        rows = [
            (number, piece, first)
            for number, piece in enumerate(asked)
            for first in range(0, self.runs, self._chunk)
        ]
        made = (
            ContinuationPiece(
                piece.position,
                piece.entry,
                first,
                min(self._chunk, self.runs - first),
                piece.seat,
                piece.command,
            )
            for _, piece, first in rows
        )
        return [number for number, _, _ in rows], made
