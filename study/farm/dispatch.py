"""Dispatch: give pieces to workers, take in their answers, and replace lost workers."""

from __future__ import annotations

import signal
from collections.abc import Callable, Sequence
from typing import Final, Generic, TypeVar

import msgspec

from engine.core.codec import decoder
from study.farm.checks import Agreements, Checks, other_greeting
from study.farm.crew import Crew, FarmFault
from study.farm.links import Machine, WorkerLink
from study.farm.protocol import (
    Assignment,
    Dropped,
    Ended,
    Failed,
    Finished,
    Piece,
    Ready,
    Returned,
    Unfit,
    WorkerAnswer,
    WorkTypes,
)
from study.farm.runs import Done, FarmRun, Lost, Result

BATCH_SECONDS: Final = 0.5
"""Seconds of work that a worker is given in advance."""

MOST_BATCH: Final = 256
"""Maximum number of pieces that a worker has in hand."""

STARTING: Final = 60.0
"""Seconds that a worker may take to start, in addition to the deadline of a piece."""

QUIET: Final = 5.0
"""Seconds after which a remote machine without an answer is reported."""

MOST_BREAKS: Final = 4
"""Maximum number of broken links for a piece; at the next one it is lost."""

_NEWEST: Final = 0.2
"""Weight of the newest piece in the mean duration of pieces."""

P = TypeVar("P")
R = TypeVar("R")


class Dispatcher(Generic[P, R]):
    """Gives pieces to workers, and checks the workers and their answers."""

    def __init__(
        self,
        assignment: Assignment,
        types: WorkTypes,
        machines: Sequence[Machine],
        checks: Checks[P],
        notice: Callable[[str], None],
    ) -> None:
        """Prepare the dispatcher without starting anything.

        Args:
            assignment: first message to each worker, with the limits of a piece.
            types: types of pieces and results.
            machines: where the workers are.
            checks: what workers on other machines must prove.
            notice: called with one line whenever a worker or a machine is dropped.
        """
        self._assignment, self._name, self._types = assignment, assignment.work, types
        self._checks = checks
        self._greeting = checks.greet() if checks.greet is not None else b""
        self._proofs = [Piece(-1 - n, piece) for n, (piece, _) in enumerate(checks.proofs)]
        are_all_local = all(machine.is_local for machine in machines)
        is_twice = checks.twice > 0 and (checks.local or not are_all_local)
        self._agreements = Agreements(checks.twice) if is_twice else None
        self._crew = Crew(machines, assignment, notice)
        self._mean: float | None = None

    def close(self) -> None:
        """Kill the workers, even in the middle of a piece."""
        self._crew.close()

    def end_run(self) -> None:
        """Drop all pieces in hand after a run has ended."""
        for worker in tuple(self._crew.workers):
            if worker.hand:
                self._crew.remove(worker)
        self._crew.clear_spools()
        if self._agreements is not None:
            self._agreements.clear()

    def pause(self, seconds: float) -> None:
        """Extend all deadlines by ``seconds``, which the caller has just spent."""
        for worker in self._crew.workers:
            worker.since += seconds

    # -- pieces go out -------------------------------------------------------------------------

    @property
    def ready(self) -> int:
        """Number of workers that accept pieces."""
        return len(self._crew.ready)

    def hold_back(self) -> None:
        """Give out no more pieces, and recall those that workers have not begun."""
        for worker in self._crew.ready:
            if len(worker.hand) > 1:
                worker.recall()

    def give_out(self, run: FarmRun[P, R]) -> None:
        """Give pieces to the workers that have room, and start workers for pieces that wait."""
        self._crew.refresh()
        run.most = 2 * MOST_BATCH * max(1, self._crew.size)
        ready = self._crew.ready
        free = [worker for worker in ready if not worker.is_long_at_it(BATCH_SECONDS)]
        size = self._share(run, free)
        for worker in free:
            is_judge = self._crew.is_judge(worker)
            room = worker.room(size)
            if room and (pieces := run.taken(room, worker.name, only_copies=is_judge)):
                worker.give(pieces)
        starting = len(self._crew.workers) - len(ready)
        self._crew.start(run.waiting(max(1, self._crew.size)) - starting)
        self._crew.find_for(run.copies)
        self._share_out(ready)

    def _share(self, run: FarmRun[P, R], free: Sequence[WorkerLink]) -> int:
        """Return how many pieces a worker should have: a batch, or its share of what is left."""
        batch = self._batch()
        count = run.waiting(batch * len(free)) + sum(len(worker.hand) for worker in free)
        return min(batch, -(-count // max(1, len(free))))

    def _batch(self) -> int:
        """Return how many pieces take a worker half a second, by the mean duration so far."""
        if self._mean is None:
            return 1
        return max(1, min(MOST_BATCH, int(BATCH_SECONDS / max(self._mean, 1e-6))))

    def _share_out(self, ready: Sequence[WorkerLink]) -> None:
        """Recall pieces from the worker with the most, if another one has nothing to do."""
        idle = [each for each in ready if not each.hand and not self._crew.is_judge(each)]
        if not idle:
            return
        fullest = max(ready, key=lambda worker: len(worker.hand))
        behind = list(fullest.hand)[1:]
        if any(each.name not in piece.voters for piece in behind for each in idle):
            fullest.recall()

    # -- answers come in -----------------------------------------------------------------------

    def listen(self, run: FarmRun[P, R], patience: float) -> None:
        """Wait for answers, take them in, and check every worker."""
        for worker in self._crew.listen(patience):
            if worker in self._crew.workers:
                self._take_answers(worker, run)
        for worker in tuple(self._crew.workers):
            self._look_after(worker, run)

    def _take_answers(self, worker: WorkerLink, run: FarmRun[P, R]) -> None:
        for answer in worker.received():
            self._take(answer, worker, run)
            if worker not in self._crew.workers:
                return  # it was found faulty, and its pipes are closed

    def _take(self, answer: WorkerAnswer, worker: WorkerLink, run: FarmRun[P, R]) -> None:
        match answer:
            case Ready(greeting=greeting):
                self._welcome(worker, greeting, run)
            case Unfit(cause=cause, greeting=greeting):
                if not self._crew.is_remote(worker):
                    raise FarmFault(f"{self._name}: {cause}")
                is_other = bool(greeting) and greeting != self._greeting
                line = other_greeting(self._greeting, greeting) if is_other else cause
                self._dismiss(worker, line, run)
            case Finished() | Failed():
                piece = worker.finished(answer.number)
                if piece is not None:
                    self._take_result(piece, answer, worker, run)
            case Dropped(number=number, kind=kind, cause=cause):
                piece = worker.finished(number)
                if piece is not None:
                    self._give_up(piece, kind, cause, run)
            case Returned(numbers=numbers):
                self._take_back(worker, numbers, run)
            case Ended():
                worker.has_hung_up = True

    def _take_back(self, worker: WorkerLink, numbers: list[int], run: FarmRun[P, R]) -> None:
        """Take back pieces that were not begun. Proofs stay with this worker."""
        back = worker.take_back(numbers)
        run.again(piece for piece in back if piece.number >= 0)
        if proofs := [piece for piece in back if piece.number < 0]:
            worker.give(proofs)

    def _welcome(self, worker: WorkerLink, greeting: bytes, run: FarmRun[P, R]) -> None:
        """Accept a worker that is set up; if it must prove itself, send the proofs first."""
        is_checked = self._checks.local or self._crew.is_remote(worker)
        if is_checked and greeting != self._greeting:
            self._dismiss(worker, other_greeting(self._greeting, greeting), run)
        elif is_checked and self._proofs:
            worker.give(self._proofs)
        else:
            self._crew.count_success(worker)

    def _take_result(
        self, piece: Piece, answer: Finished | Failed, worker: WorkerLink, run: FarmRun[P, R]
    ) -> None:
        """Take in a result: a proof, a vote on a piece done twice, or a single result."""
        if piece.number < 0:
            self._take_proof(piece, answer, worker, run)
            return
        mean = answer.seconds if self._mean is None else self._mean
        self._mean = mean + _NEWEST * (answer.seconds - mean)
        if self._agreements is None:
            run.report(self.result(piece, answer))
        elif self._agreements.concerns(piece.number):
            self._take_vote(piece, answer, worker, run)
        else:
            result: Result[P, R] = self.result(piece, answer)
            was_done = isinstance(result, Done)
            self._crew.spool(worker.name).add(piece.number, piece.data, was_done=was_done)
            run.report(result, worker.name)

    def _take_proof(
        self, piece: Piece, answer: Finished | Failed, worker: WorkerLink, run: FarmRun[P, R]
    ) -> None:
        index = -1 - piece.number
        if not isinstance(answer, Finished) or answer.value != self._checks.proofs[index][1]:
            self._dismiss(worker, f"piece {index} of the proofs came out otherwise", run)
        elif not worker.hand:
            self._crew.count_success(worker)

    def _take_vote(
        self, piece: Piece, answer: Finished | Failed, worker: WorkerLink, run: FarmRun[P, R]
    ) -> None:
        """Take in one of the answers that must agree, and retire workers with a different one."""
        assert self._agreements is not None  # noqa: S101 - for the type checker
        ruling = self._agreements.vote(worker.name, answer)
        if ruling is None:
            piece.voters = self._agreements.voters(piece.number)
            piece.deaths = piece.breaks = 0
            run.again([piece])
        elif ruling.answer is None:
            cause = f"it came out otherwise on each of {', '.join(ruling.odd)}"
            run.report(Lost(piece.number, piece.value, "differs", cause))
        else:
            run.report(self.result(piece, ruling.answer))
            for name in ruling.odd:
                self._void(name, piece.number, ruling.agreed, run)

    def _void(self, name: str, number: int, agreed: Sequence[str], run: FarmRun[P, R]) -> None:
        """Retire a faulty worker, and repeat everything that only it has done."""
        assert self._agreements is not None  # noqa: S101 - for the type checker
        self._agreements.forget(name)
        spool = self._crew.spool(name)
        line = (
            f"piece {number} came out otherwise than on {' and '.join(agreed)}; "
            f"its {spool.count} other results are void"
        )
        run.void(name, spool.pieces(decoder(self._types.piece).decode))
        for worker in tuple(self._crew.workers):
            if worker.name == name:
                self._dismiss(worker, line, run)
                return
        self._crew.retire(name, line)

    def _dismiss(self, worker: WorkerLink, line: str, run: FarmRun[P, R]) -> None:
        """Remove and retire an unfit worker, and give the pieces in its hand to others."""
        run.again(piece for piece in worker.hand if piece.number >= 0)
        worker.hand.clear()
        self._crew.remove(worker)
        self._crew.retire(worker.name, line)

    def result(self, piece: Piece, answer: Finished | Failed) -> Result[P, R]:
        """Convert the answer of a worker to the result of a piece."""
        if isinstance(answer, Failed):
            return Lost(piece.number, piece.value, "raised", answer.cause)
        try:
            value = decoder(self._types.value).decode(answer.value)
        except (msgspec.MsgspecError, ValueError) as problem:
            cause = f"the result is not of the type that {self._name} says: {problem}"
            return Lost(piece.number, piece.value, "raised", cause)
        return Done(piece.number, piece.value, value, answer.seconds)

    # -- ends of workers -----------------------------------------------------------------------

    def _look_after(self, worker: WorkerLink, run: FarmRun[P, R]) -> None:
        """Replace a worker that is gone or late. Recall pieces that wait behind a long one."""
        if worker.has_hung_up or worker.is_gone():
            self._bury(worker, run)
            return
        deadline = self._assignment.deadline
        if deadline is not None and worker.is_long_at_it(deadline):
            self._bury(worker, run, late=worker.hand[0])
            return
        if self._is_late_at_start(worker):
            self._bury(worker, run)
            return
        if worker.is_ready and worker.is_long_at_it(BATCH_SECONDS) and len(worker.hand) > 1:
            worker.recall()

    def _is_late_at_start(self, worker: WorkerLink) -> bool:
        """Return whether a worker takes too long to start; report a slow machine."""
        patience = self._crew.patience_with(worker)
        if patience is None:
            deadline = self._assignment.deadline
            return deadline is not None and worker.is_long_at_start(deadline + STARTING)
        if worker.is_long_at_start(QUIET):
            self._crew.name_silent(worker)
        if not worker.is_long_at_start(patience):
            return False
        worker.fault = f"no answer within {patience:g} s"
        return True

    def _bury(self, worker: WorkerLink, run: FarmRun[P, R], late: Piece | None = None) -> None:
        """Remove a worker.

        The piece that it had begun is tried once more, the others are given out.

        ``late`` is the piece that took too long. If its result arrived at the last moment, no piece
        is to blame. A broken link does not count as a death either, but it is limited to
        ``MOST_BREAKS``.
        """
        worker.kill()
        self._take_answers(worker, run)
        if worker not in self._crew.workers:
            return  # its last messages proved it faulty
        self._crew.remove(worker)
        hand = [piece for piece in worker.hand if piece.number >= 0]
        worker.hand.clear()
        if not worker.is_ready:
            self._crew.count_failed_start(worker)
        elif late is None and not worker.has_ended_itself:
            self._count_break(hand, worker, run)
        elif hand and (late is None or late is hand[0]):
            hand[0].deaths += 1
            if hand[0].deaths > 1:
                lost = hand.pop(0)
                self._give_up(lost, *self._end(worker.end(), is_late=late is not None), run)
        run.again(hand)

    def _count_break(self, hand: list[Piece], worker: WorkerLink, run: FarmRun[P, R]) -> None:
        """Count a broken link for the pieces it may be due to; give up repeat offenders."""
        suspects = hand[: worker.may_have_begun()]
        for piece in suspects:
            piece.breaks = piece.breaks + 1 if len(suspects) == 1 else max(1, piece.breaks)
            if piece.breaks > MOST_BREAKS:
                hand.remove(piece)
                self._give_up(piece, "died", f"the process died: {worker.end()}", run)

    def _give_up(self, piece: Piece, kind: str, cause: str, run: FarmRun[P, R]) -> None:
        """Report a piece as lost, unless a worker has carried it out before."""
        known = self._agreements.only_vote(piece.number) if self._agreements is not None else None
        if known is None:
            run.report(Lost(piece.number, piece.value, kind, cause))
        else:
            run.report(self.result(piece, known))

    def _end(self, end: str, *, is_late: bool) -> tuple[str, str]:
        """Return kind and cause of a loss, by how the last worker ended over the piece."""
        if is_late:
            return "deadline", f"longer than {self._assignment.deadline:g} s"
        if self._assignment.processor_time is not None and end == signal.SIGPROF.name:
            return (
                "deadline",
                f"longer than {self._assignment.processor_time:g} s of processor time",
            )
        if self._assignment.memory is not None and end == "no memory":
            return "memory", f"more than {self._assignment.memory / 1e6:g} MB of memory"
        return "died", f"the process died: {end}"
