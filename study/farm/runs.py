"""Runs of a farm: waiting pieces, and results that are not delivered yet."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from time import monotonic
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from study.farm.protocol import Piece

P = TypeVar("P")
R = TypeVar("R")


class Done(NamedTuple, Generic[P, R]):
    """A piece that was done, with its result."""

    number: int
    """Number of the piece in its run, from 0."""
    piece: P
    value: R
    seconds: float
    """Wall-clock time of the piece in its worker."""


class Lost(NamedTuple, Generic[P]):
    """Piece without a result; ``kind`` and ``cause`` say why.

    ``raised``: it raised an exception, or its result cannot be written. It is not tried again.
    ``died``: two workers died over it. ``deadline``: it passed a deadline in two attempts.
    ``memory``: it asked for more memory than allowed in two attempts. ``differs``: it had a
    different result on each of three workers.
    """

    number: int
    """Number of the piece in its run, from 0."""
    piece: P
    kind: str
    cause: str
    """One line for people."""


class Void(NamedTuple, Generic[P]):
    """Delivered result that no longer counts, since its worker was found faulty.

    The piece is carried out again, and its result arrives with the others.
    """

    number: int
    """Number of the piece in its run, from 0."""
    piece: P
    worker: str


class FarmProgress(NamedTuple):
    """Progress of a run."""

    done: int
    lost: int
    per_second: float
    """Results per second since the run began."""


Result: TypeAlias = Done[P, R] | Lost[P]


class FarmRun(Generic[P, R]):
    """Pieces of a run that wait, and results that wait for the caller or for their turn."""

    def __init__(
        self,
        pieces: Iterable[P],
        *,
        ordered: bool,
        progress: Callable[[FarmProgress], None] | None,
        void: Callable[[Void[P]], None] | None = None,
    ) -> None:
        """Begin a run; ``void`` is called with delivered results that no longer count."""
        self._source: Iterator[tuple[int, Any]] = enumerate(pieces)
        self._is_ordered, self._progress, self._void = ordered, progress, void
        self.most = 1
        """Maximum number of pieces between their iterator and the delivery of their results."""
        self._begun = monotonic()
        self._taken = self._handed = self._next = self._done = self._lost = 0
        self._is_exhausted = False
        self._waiting: deque[Piece] = deque()
        self._copies: deque[Piece] = deque()
        self._held: dict[int, tuple[Result[P, R], str]] = {}
        """Results that wait for earlier ones, with their workers."""
        self._results: deque[Result[P, R] | Void[P]] = deque()

    @property
    def is_over(self) -> bool:
        """True if the result of every piece was delivered."""
        return self._is_exhausted and self._handed == self._taken

    @property
    def copies(self) -> Iterable[Piece]:
        """Pieces that wait for a second worker."""
        return self._copies

    def waiting(self, count: int) -> int:
        """Try to take pieces until ``count`` wait; return how many wait."""
        waiting = len(self._waiting) + len(self._copies)
        room = min(count - waiting, self.most - (self._taken - self._handed))
        if room > 0 and not self._is_exhausted:
            fresh = [Piece(number, value) for number, value in islice(self._source, room)]
            self._is_exhausted = len(fresh) < room
            self._taken += len(fresh)
            self._waiting.extend(fresh)
            waiting += len(fresh)
        return waiting

    def taken(self, count: int, worker: str = "", *, only_copies: bool = False) -> list[Piece]:
        """Return the next pieces for a worker; a piece that broke links comes alone.

        Args:
            count: maximum number of pieces.
            worker: its name; it gets no piece that it has carried out.
            only_copies: only pieces that another worker has carried out.
        """
        pieces = [piece for piece in self._copies if worker not in piece.voters][:count]
        for piece in pieces:
            self._copies.remove(piece)
        if only_copies or len(pieces) == count:
            return pieces
        for _ in range(min(count - len(pieces), self.waiting(count))):
            if not self._waiting or (pieces and self._waiting[0].breaks):
                break
            pieces.append(self._waiting.popleft())
            if pieces[-1].breaks:
                break
        return pieces

    def again(self, pieces: Iterable[Piece]) -> None:
        """Put pieces back at the front of the queue.

        A piece that already has an answer waits in ``copies`` for that of a second worker.
        """
        pieces = list(pieces)
        self._copies.extend(piece for piece in pieces if piece.voters)
        self._waiting.extendleft(piece for piece in reversed(pieces) if not piece.voters)

    def report(self, result: Result[P, R], worker: str = "") -> None:
        """Take the result of a piece; ``worker`` did it if no second worker has confirmed it."""
        self._count(result, 1)
        if self._is_ordered and result.number >= self._next:
            self._held[result.number] = result, worker
            while self._next in self._held:
                self._results.append(self._held.pop(self._next)[0])
                self._next += 1
        else:
            self._results.append(result)
        if self._progress is not None:
            seconds = max(monotonic() - self._begun, 1e-6)
            self._progress(
                FarmProgress(self._done, self._lost, (self._done + self._lost) / seconds)
            )

    def void(self, worker: str, done: Iterable[tuple[int, P, bool]]) -> None:
        """Repeat the results of a worker; report those already delivered as void in time.

        Args:
            worker: its name.
            done: number, piece, and whether it was carried out, of each result; read lazily.
        """
        held = [result for result, name in self._held.values() if name == worker]
        for result in held:
            del self._held[result.number]
            self._count(result, -1)
        self.again([Piece(result.number, result.piece) for result in held])
        numbers = {result.number for result in held}
        rest = (each for each in done if each[0] not in numbers)
        self._source = chain(self._voided(worker, rest), self._source)
        self._is_exhausted = False

    def _voided(self, worker: str, done: Iterable[tuple[int, P, bool]]) -> Iterator[tuple[int, P]]:
        """Yield the pieces of delivered results; report each as void when it is taken again."""
        for number, piece, was_done in done:
            self._results.append(Void(number, piece, worker))
            self._handed -= 1
            self._taken -= 1
            self._done -= was_done
            self._lost -= not was_done
            yield number, piece

    def _count(self, result: Result[P, R], step: int) -> None:
        if isinstance(result, Done):
            self._done += step
        else:
            self._lost += step

    def release(self) -> None:
        """Release the results that wait for earlier ones, which will not come."""
        self._results.extend(self._held[number][0] for number in sorted(self._held))
        self._held.clear()

    def results(self) -> Iterator[Result[P, R]]:
        """Yield the results that may be delivered now."""
        while self._results:
            result = self._results.popleft()
            if isinstance(result, Void):
                if self._void is not None:
                    self._void(result)
                continue
            self._handed += 1
            yield result
