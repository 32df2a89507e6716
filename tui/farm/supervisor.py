"""Supervisor of a farm: gives pieces out to worker processes and hands their results on."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from time import monotonic
from types import TracebackType
from typing import Final, Generic, Self, TypeVar

import msgspec

from engine.core.codec import decoder, encode
from tui.farm.links import LocalWorker, Piece, WorkerProcess
from tui.farm.protocol import (
    Assignment,
    Failed,
    Finished,
    Ready,
    Returned,
    Unfit,
    WorkerAnswer,
    carry_out,
    cause_of,
    name_of,
    types_of,
)
from tui.farm.runs import Done, FarmProgress, FarmRun, Lost, Result

BATCH_SECONDS: Final = 0.5
"""Time for which a worker is given pieces in advance."""

MOST_BATCH: Final = 256
"""Most pieces that a worker has in hand."""

TICK: Final = 0.1
"""Seconds after which the supervisor looks at deadlines, deaths and Ctrl-C at the latest."""

MOST_FAILED_STARTS: Final = 3
"""Consecutive workers that end before they are set up, after which no others are started."""

STARTING: Final = 60.0
"""Seconds that a worker may take to be set up, beyond the deadline of a piece."""

_NEWEST: Final = 0.2
"""Weight of the newest piece in the mean duration of pieces."""

S = TypeVar("S")
P = TypeVar("P")
R = TypeVar("R")


class FarmFault(Exception):
    """The work cannot be done at all; the text is one line: which function, and what is wrong."""


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
        self._limit = (os.cpu_count() or 1) if workers is None else workers
        limits = [limit for limit in (deadline, processor_time) if limit is not None]
        if self._limit < 0 or any(limit <= 0 for limit in limits):
            raise ValueError("workers, deadline and processor time are above 0")
        if self._limit == 0 and limits:
            raise ValueError("a deadline needs a worker process")
        self._work, self._name, self._types = work, name_of(work), types_of(work)
        self._deadline, self._processor_time = deadline, processor_time
        self._assignment = Assignment(self._name, encode(setup), processor_time)
        self._function: Callable[[P], R] | None = None
        self._workers: list[WorkerProcess] = []
        self._selector = selectors.DefaultSelector()
        self._failed_starts = 0
        self._mean: float | None = None
        self._is_running = self._is_stopped = self._is_interrupted = False

    def run(
        self,
        pieces: Iterable[P],
        *,
        ordered: bool = True,
        progress: Callable[[FarmProgress], None] | None = None,
    ) -> Iterator[Result[P, R]]:
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
        if self._is_running:
            raise RuntimeError("a farm has one run at a time")
        most = 2 * MOST_BATCH * max(1, self._limit)
        run: FarmRun[P, R] = FarmRun(pieces, most=most, ordered=ordered, progress=progress)
        self._is_running = True
        try:
            yield from self._supervised(run) if self._limit else self._here(run)
        finally:
            self._is_running = False
            for worker in tuple(self._workers):
                if worker.hand:
                    self._remove(worker)

    def stop(self) -> None:
        """End the run, from any thread: it yields what is done. Later runs yield nothing."""
        self._is_stopped = True

    def close(self) -> None:
        """End the workers, also in the middle of a piece. The farm cannot be used afterwards."""
        self._is_stopped = True
        for worker in tuple(self._workers):
            self._remove(worker)
        self._selector.close()

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

    # -- a run ---------------------------------------------------------------------------------

    def _here(self, run: FarmRun[P, R]) -> Iterator[Result[P, R]]:
        """Results of pieces that are carried out in this process."""
        if self._function is None:
            setup = decoder(self._types.setup).decode(self._assignment.setup)
            try:
                self._function = self._work(setup)
            except Exception as problem:
                raise FarmFault(f"{self._name}: {cause_of(problem)}") from problem
        while not self._is_stopped and (pieces := run.taken(1)):
            (piece,) = pieces
            try:
                answer = carry_out(self._function, self._types, piece.number, piece.data)
            except MemoryError as problem:
                answer = Failed(piece.number, cause_of(problem), 0)
            self._report(run, piece, answer)
            yield from run.results()

    def _supervised(self, run: FarmRun[P, R]) -> Iterator[Result[P, R]]:
        """Results of pieces that workers carry out."""
        with self._deferred_interrupt():
            while not self._is_stopped:
                self._give_out(run)
                if run.is_over:
                    return
                self._listen(run, TICK)
                yield from self._handed(run)
            if self._workers:
                self._listen(run, 0)
            run.release()
            yield from self._handed(run)
            if self._is_interrupted:
                raise KeyboardInterrupt

    @contextlib.contextmanager
    def _deferred_interrupt(self) -> Iterator[None]:
        """Context in which the first Ctrl-C stops the run and cuts no result in half."""
        usual = signal.default_int_handler
        is_main = threading.current_thread() is threading.main_thread()
        if not is_main or signal.getsignal(signal.SIGINT) is not usual:
            yield
            return

        def stop(number: int, frame: object) -> None:  # noqa: ARG001 - as handlers are called
            signal.signal(signal.SIGINT, usual)
            self._is_interrupted = self._is_stopped = True

        signal.signal(signal.SIGINT, stop)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, usual)

    def _handed(self, run: FarmRun[P, R]) -> Iterator[Result[P, R]]:
        """Results for the caller; the time it takes over them counts for no deadline."""
        for result in run.results():
            left = monotonic()
            yield result
            away = monotonic() - left
            for worker in self._workers:
                worker.since += away

    # -- pieces go out -------------------------------------------------------------------------

    def _give_out(self, run: FarmRun[P, R]) -> None:
        """Give pieces to the workers that want some, and start workers for those that wait."""
        ready = [worker for worker in self._workers if worker.is_ready]
        free = [worker for worker in ready if not worker.is_long_at_it(BATCH_SECONDS)]
        size = self._share(run, free)
        for worker in free:
            if len(worker.hand) <= size // 2 and (pieces := run.taken(size - len(worker.hand))):
                worker.give(pieces)
        missing = self._limit - len(self._workers)
        starting = len(self._workers) - len(ready)
        for _ in range(min(missing, run.waiting(self._limit) - starting)):
            self._start()
        if not all(worker.hand for worker in ready):
            fullest = max(ready, key=lambda worker: len(worker.hand))
            if len(fullest.hand) > 1:
                fullest.recall()

    def _share(self, run: FarmRun[P, R], free: Sequence[WorkerProcess]) -> int:
        """Number of pieces that a worker should have: a batch, or fewer if they run out."""
        batch = self._batch()
        count = run.waiting(batch * len(free)) + sum(len(worker.hand) for worker in free)
        return min(batch, -(-count // max(1, len(free))))

    def _batch(self) -> int:
        """Number of pieces that take a worker half a second, by the mean of those before."""
        if self._mean is None:
            return 1
        return max(1, min(MOST_BATCH, int(BATCH_SECONDS / max(self._mean, 1e-6))))

    def _start(self) -> None:
        """Start a worker. If the system gives no more processes, those that there are go on."""
        try:
            worker = LocalWorker("local", self._assignment)
        except OSError as problem:
            if not self._workers:
                raise FarmFault(f"{self._name}: no worker can be started: {problem}") from problem
            self._limit = len(self._workers)
            return
        self._workers.append(worker)
        self._selector.register(worker.answers, selectors.EVENT_READ, worker)

    # -- answers come in -----------------------------------------------------------------------

    def _listen(self, run: FarmRun[P, R], patience: float) -> None:
        """Wait for answers, take them in, and look after every worker."""
        full = [worker for worker in self._workers if worker.has_unsent]
        for worker in full:
            self._selector.register(worker.orders, selectors.EVENT_WRITE, worker)
        ready = {key.fd: key.data for key, _ in self._selector.select(patience)}
        for worker in full:
            self._selector.unregister(worker.orders)
            worker.flush()
        for worker in ready.values():
            self._take_answers(worker, run)
        for worker in tuple(self._workers):
            self._look_after(worker, run)

    def _take_answers(self, worker: WorkerProcess, run: FarmRun[P, R]) -> None:
        for answer in worker.received():
            self._take(answer, worker, run)

    def _take(self, answer: WorkerAnswer, worker: WorkerProcess, run: FarmRun[P, R]) -> None:
        match answer:
            case Ready():
                worker.is_ready = True
                self._failed_starts = 0
            case Unfit(cause=cause):
                raise FarmFault(f"{self._name}: {cause}")
            case Finished() | Failed():
                piece = worker.finished(answer.number)
                if piece is not None:
                    self._report(run, piece, answer)
            case Returned(numbers=numbers):
                run.again(worker.take_back(numbers))

    def _report(self, run: FarmRun[P, R], piece: Piece, answer: Finished | Failed) -> None:
        """Report what became of a piece, and learn how long pieces take."""
        mean = answer.seconds if self._mean is None else self._mean
        self._mean = mean + _NEWEST * (answer.seconds - mean)
        if isinstance(answer, Failed):
            run.report(Lost(piece.number, piece.value, "raised", answer.cause))
            return
        try:
            value = decoder(self._types.value).decode(answer.value)
        except (msgspec.MsgspecError, ValueError) as problem:
            cause = f"the result is not of the type that {self._name} says: {problem}"
            run.report(Lost(piece.number, piece.value, "raised", cause))
        else:
            run.report(Done(piece.number, piece.value, value, answer.seconds))

    def _look_after(self, worker: WorkerProcess, run: FarmRun[P, R]) -> None:
        """Replace a worker that is gone or late; take back what waits behind a long piece."""
        if worker.has_hung_up or worker.is_gone():
            self._bury(worker, run)
            return
        if self._deadline is not None:
            if worker.is_long_at_it(self._deadline):
                self._bury(worker, run, late=worker.hand[0])
                return
            if worker.is_long_at_start(self._deadline + STARTING):
                self._bury(worker, run)
                return
        if worker.is_long_at_it(BATCH_SECONDS) and len(worker.hand) > 1:
            worker.recall()

    def _bury(self, worker: WorkerProcess, run: FarmRun[P, R], late: Piece | None = None) -> None:
        """Remove a worker. The piece it had begun is tried once more, the others are given out.

        ``late`` is the piece that took too long. If its result came in at the last moment, no
        piece is to blame.
        """
        worker.kill()
        self._take_answers(worker, run)
        self._remove(worker)
        if not worker.is_ready:
            self._count_failed_start(worker)
        hand = list(worker.hand)
        worker.hand.clear()
        if hand and (late is None or late is hand[0]):
            hand[0].deaths += 1
            if hand[0].deaths > 1:
                run.report(self._lost(hand.pop(0), worker.end(), is_late=late is not None))
        run.again(hand)

    def _count_failed_start(self, worker: WorkerProcess) -> None:
        """Start no more workers after some have failed in a row; without any the work is off."""
        self._failed_starts += 1
        if self._failed_starts < MOST_FAILED_STARTS:
            return
        if not any(other.is_ready for other in self._workers):
            raise FarmFault(f"{self._name}: workers end before they begin: {worker.end()}")
        self._limit, self._failed_starts = len(self._workers), 0

    def _lost(self, piece: Piece, end: str, *, is_late: bool) -> Lost[P]:
        """Report of a piece that was tried in vain, and how the last worker ended over it."""
        if is_late:
            return Lost(piece.number, piece.value, "deadline", f"longer than {self._deadline:g} s")
        if self._processor_time is not None and end == signal.SIGPROF.name:
            cause = f"longer than {self._processor_time:g} s of processor time"
            return Lost(piece.number, piece.value, "deadline", cause)
        return Lost(piece.number, piece.value, "died", f"the process died: {end}")

    def _remove(self, worker: WorkerProcess) -> None:
        """End a worker's process, if it runs, and forget the worker."""
        self._workers.remove(worker)
        self._selector.unregister(worker.answers)
        worker.close()
