"""Runs of a farm: pieces that wait, and their results on the way to the caller."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from time import monotonic
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from tui.farm.links import Piece

P = TypeVar("P")
R = TypeVar("R")


class Done(NamedTuple, Generic[P, R]):
    """Result of a piece that was carried out."""

    number: int
    """Number of the piece in its run, from 0."""
    piece: P
    value: R
    seconds: float
    """Wall clock time of the piece in its worker."""


class Lost(NamedTuple, Generic[P]):
    """Piece without a result; ``kind`` and ``cause`` say why.

    ``raised``: it raised an exception, or its result cannot be written. It is not tried again.
    ``died``: two workers died over it. ``deadline``: it was tried twice and passed a deadline.
    """

    number: int
    """Number of the piece in its run, from 0."""
    piece: P
    kind: str
    cause: str
    """One line for people."""


class FarmProgress(NamedTuple):
    """Progress of a run."""

    done: int
    lost: int
    per_second: float
    """Results a second since the run began."""


Result: TypeAlias = Done[P, R] | Lost[P]


class FarmRun(Generic[P, R]):
    """Pieces of a run that wait, and results that wait for the caller or for their turn."""

    def __init__(
        self,
        pieces: Iterable[P],
        *,
        most: int,
        ordered: bool,
        progress: Callable[[FarmProgress], None] | None,
    ) -> None:
        """``most``: pieces that may be on their way from their iterator to the caller."""
        self._source: Iterator[tuple[int, Any]] = enumerate(pieces)
        self._most, self._is_ordered, self._progress = most, ordered, progress
        self._begun = monotonic()
        self._taken = self._handed = self._next = self._done = self._lost = 0
        self._is_exhausted = False
        self._waiting: deque[Piece] = deque()
        self._held: dict[int, Result[P, R]] = {}
        self._results: deque[Result[P, R]] = deque()

    @property
    def is_over(self) -> bool:
        """True if every piece has a result that was handed on."""
        return self._is_exhausted and self._handed == self._taken

    def waiting(self, count: int) -> int:
        """Number of pieces that wait, after more were taken until ``count`` do."""
        room = min(count - len(self._waiting), self._most - (self._taken - self._handed))
        if room > 0 and not self._is_exhausted:
            fresh = [Piece(number, value) for number, value in islice(self._source, room)]
            self._is_exhausted = len(fresh) < room
            self._taken += len(fresh)
            self._waiting.extend(fresh)
        return len(self._waiting)

    def taken(self, count: int) -> list[Piece]:
        """The next pieces, at most ``count``."""
        return [self._waiting.popleft() for _ in range(min(count, self.waiting(count)))]

    def again(self, pieces: Iterable[Piece]) -> None:
        """Put pieces back that have no result; they are the next ones."""
        self._waiting.extendleft(reversed(list(pieces)))

    def report(self, result: Result[P, R]) -> None:
        """Take in the result of a piece."""
        self._done += isinstance(result, Done)
        self._lost += isinstance(result, Lost)
        if self._is_ordered:
            self._held[result.number] = result
            while self._next in self._held:
                self._results.append(self._held.pop(self._next))
                self._next += 1
        else:
            self._results.append(result)
        if self._progress is not None:
            seconds = max(monotonic() - self._begun, 1e-6)
            self._progress(
                FarmProgress(self._done, self._lost, (self._done + self._lost) / seconds)
            )

    def release(self) -> None:
        """Let go of results that wait for others before them, for those do not come any more."""
        self._results.extend(self._held[number] for number in sorted(self._held))
        self._held.clear()

    def results(self) -> Iterator[Result[P, R]]:
        """Results whose turn it is."""
        while self._results:
            self._handed += 1
            yield self._results.popleft()
