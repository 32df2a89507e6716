"""Supervisor of a farm: gives pieces to worker processes and delivers their results."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from time import monotonic, sleep
from types import TracebackType
from typing import Final, Generic, Self, TypeVar

from engine.core.codec import decoder, encode
from study.farm.checks import Checks
from study.farm.crew import FarmFault
from study.farm.dispatch import MOST_BATCH, Dispatcher
from study.farm.links import LocalMachine, Machine
from study.farm.protocol import Assignment, Failed, carry_out, cause_of, name_of, types_of
from study.farm.runs import FarmProgress, FarmRun, Result

__all__ = ["Farm", "FarmFault"]

TICK: Final = 0.1
"""Maximum seconds between two checks of deadlines, deaths and Ctrl-C."""

S = TypeVar("S")
P = TypeVar("P")
R = TypeVar("R")


class Farm(Generic[S, P, R]):
    """Worker processes for one function and one setup, kept from run to run.

    Workers are started when there is a piece for them and replaced when they die. They ignore
    Ctrl-C and write nothing to the terminal. None outlives its farm, not even if this process is
    killed. Processes that a piece has started end with their worker.
    """

    def __init__(  # noqa: PLR0913 - a keyword for each thing that may be limited or chosen
        self,
        work: Callable[[S], Callable[[P], R]],
        setup: S,
        *,
        workers: int | None = None,
        deadline: float | None = None,
        processor_time: float | None = None,
        memory: int | None = None,
        machines: Sequence[Machine] = (),
        checks: Checks[P] | None = None,
        notice: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Prepare the farm without starting anything.

        Args:
            work: function at the top of a module that workers can import, with annotated types. It
                is called with the setup and returns the function for the pieces.
            setup: given to each worker once.
            workers: number of processes; None means one per processor. 0 means that pieces are
                carried out in this process: without limits, and a piece can crash it, but with
                equal results. Not with ``machines``.
            deadline: seconds of wall-clock time that a piece may take.
            processor_time: seconds of processor time that a piece may take.
            memory: bytes of address space that a worker may take.
            machines: where the workers are; only this machine if empty. The farm closes them.
            checks: what workers on other machines must prove.
            notice: called with one line whenever a worker or a machine is dropped.

        Raises:
            ValueError: a function cannot be found by its name or lacks annotations, or the numbers
                make no sense.
        """
        limits = [limit for limit in (deadline, processor_time, memory) if limit is not None]
        if (workers or 0) < 0 or any(limit <= 0 for limit in limits):
            raise ValueError("workers, deadline, processor time and memory are above 0")
        if workers == 0 and limits:
            raise ValueError("a deadline or a limit of memory needs a worker process")
        if machines and workers is not None:
            raise ValueError("machines say themselves how many workers they have")
        self._is_here = workers == 0
        self._work, self._name, self.types = work, name_of(work), types_of(work)
        self._checks: Checks[P] = Checks() if checks is None else checks
        greet = "" if self._checks.greet is None else name_of(self._checks.greet)
        self._assignment = Assignment(
            self._name, encode(setup), processor_time, memory, greet, deadline
        )
        self._dispatcher: Dispatcher[P, R] = Dispatcher(
            self._assignment,
            self.types,
            machines or (LocalMachine(workers),),
            self._checks,
            notice,
        )
        self._function: Callable[[P], R] | None = None
        self.is_paused = False
        """While it is true, no piece is begun, and workers give back those they have not begun."""
        self._is_running = self._is_stopped = self._is_interrupted = False

    def run(
        self,
        pieces: Iterable[P],
        *,
        ordered: bool = True,
        progress: Callable[[FarmProgress], None] | None = None,
        tick: Callable[[], None] = lambda: None,
    ) -> Iterator[Result[P, R]]:
        """Yield the results of pieces, each as soon as it may be delivered.

        The pieces are taken from their iterator as they are needed. Time that the caller spends
        between two results counts for no deadline. Leaving the loop early drops the pieces in hand.
        After Ctrl-C the run yields what is done, then raises ``KeyboardInterrupt``; a second Ctrl-C
        raises it at once.

        Args:
            pieces: any number of pieces.
            ordered: whether results come in the order of the pieces, or as they are done.
            progress: called after each result that has come in.
            tick: called several times a second, even without results; with ``workers=0`` between
                two pieces.

        Raises:
            FarmFault: no worker can be set up.
            KeyboardInterrupt: Ctrl-C was pressed; everything that was done came before.
        """
        if self._is_running:
            raise RuntimeError("a farm has one run at a time")
        run: FarmRun[P, R] = FarmRun(
            pieces, ordered=ordered, progress=progress, void=self._checks.void
        )
        self._is_running = True
        try:
            yield from self._here(run, tick) if self._is_here else self._supervised(run, tick)
        finally:
            self._is_running = False
            self._dispatcher.end_run()

    @property
    def ready(self) -> int:
        """Number of workers that are set up. With ``workers=0`` this process is the only one."""
        return int(self._function is not None) if self._is_here else self._dispatcher.ready

    def stop(self) -> None:
        """End the run, from any thread: it yields what is done. Later runs yield nothing."""
        self._is_stopped = True

    def close(self) -> None:
        """Kill the workers, even in the middle of a piece. The farm cannot be used afterwards."""
        self._is_stopped = True
        self._dispatcher.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # -- a run ---------------------------------------------------------------------------------

    def _here(self, run: FarmRun[P, R], tick: Callable[[], None]) -> Iterator[Result[P, R]]:
        """Carry out pieces in this process; yield their results."""
        if self._function is None:
            setup = decoder(self.types.setup).decode(self._assignment.setup)
            try:
                self._function = self._work(setup)
            except Exception as problem:
                raise FarmFault(f"{self._name}: {cause_of(problem)}") from problem
        run.most = MOST_BATCH
        while not self._is_stopped:
            tick()
            if self.is_paused:
                sleep(TICK)
                continue
            if not (pieces := run.taken(1)):
                return
            (piece,) = pieces
            try:
                answer = carry_out(self._function, self.types, piece.number, piece.data)
            except MemoryError as problem:
                answer = Failed(piece.number, cause_of(problem), 0)
            run.report(self._dispatcher.result(piece, answer))
            yield from run.results()

    def _supervised(self, run: FarmRun[P, R], tick: Callable[[], None]) -> Iterator[Result[P, R]]:
        """Have workers carry out pieces; yield their results."""
        with self._deferred_interrupt():
            while not self._is_stopped:
                if self.is_paused:
                    self._dispatcher.hold_back()
                else:
                    self._dispatcher.give_out(run)
                if run.is_over:
                    return
                self._dispatcher.listen(run, TICK)
                yield from self._handed(run)
                tick()
            self._dispatcher.listen(run, 0)
            run.release()
            yield from self._handed(run)
            if self._is_interrupted:
                raise KeyboardInterrupt

    @contextlib.contextmanager
    def _deferred_interrupt(self) -> Iterator[None]:
        """Let the first Ctrl-C in a ``with`` block stop the run without cutting results in half."""
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
        """Yield results to the caller; the time it takes over them counts for no deadline."""
        for result in run.results():
            left = monotonic()
            yield result
            self._dispatcher.pause(monotonic() - left)
