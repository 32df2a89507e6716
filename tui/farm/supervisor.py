"""Supervisor of a farm: gives pieces out to worker processes and hands their results on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Generic, NamedTuple, Self, TypeVar

S = TypeVar("S")
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
    ``died``: two workers died over it. ``deadline``: two workers passed a deadline with it.
    """

    number: int
    """Number of the piece in its run, from 0."""
    piece: P
    kind: str
    cause: str
    """One line for people."""


class Pace(NamedTuple):
    """Progress of a run."""

    done: int
    lost: int
    per_second: float
    """Results a second since the run began."""


class FarmFault(Exception):
    """The work cannot be done at all; the text is one line: what is wrong with which function."""


class Farm(Generic[S, P, R]):
    """Worker processes for one function and one setup, kept from run to run.

    Workers are started when there is a piece for them and replaced when they die. They ignore
    Ctrl-C and write nothing to the terminal. None outlives its farm, not even if this process is
    killed; processes that a piece has started end with their worker.
    """

    def __init__(
        self,
        work: Callable[[S], Callable[[P], R]],
        setup: S,
        *,
        workers: int | None = None,
        deadline: float | None = None,
        processor_time: float | None = None,
    ) -> None:
        """Set up the farm; nothing runs yet.

        Args:
            work: function at the top of a module that workers can import, with annotated types. It
                is called with the setup and returns the function for the pieces.
            setup: given to each worker once.
            workers: number of processes; None: as many as there are processors. 0: pieces are
                carried out in this process. They have no deadline then, and nothing survives
                their death, but the results are equal.
            deadline: seconds of wall clock that a piece may take.
            processor_time: seconds of processor time that a piece may take.

        Raises:
            ValueError: the function cannot be found by its name or lacks annotations, or the
                numbers make no sense.
        """
        raise NotImplementedError

    def run(
        self,
        pieces: Iterable[P],
        *,
        ordered: bool = True,
        progress: Callable[[Pace], None] | None = None,
    ) -> Iterator[Done[P, R] | Lost[P]]:
        """Results of pieces, each as soon as it may be handed on.

        The pieces are taken from their iterator as they are needed. Time that the caller spends
        between two results counts for no deadline. Leaving the loop early drops the pieces in
        hand. At Ctrl-C the run yields what is done, then raises ``KeyboardInterrupt``; a second
        Ctrl-C raises it at once.

        Args:
            pieces: in any number.
            ordered: results in the order of the pieces; otherwise as they are done.
            progress: called after each result that has come in.

        Raises:
            FarmFault: no worker can be set up.
            KeyboardInterrupt: Ctrl-C was pressed, after everything that was done.
        """
        raise NotImplementedError

    def stop(self) -> None:
        """End the run, from any thread: it yields what is done, and no more."""
        raise NotImplementedError

    def close(self) -> None:
        """End the workers, also in the middle of a piece. The farm cannot be used afterwards."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        """The farm itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the farm."""
        self.close()
