"""The workers of a farm: start them, replace them, and stop using the faulty ones."""

from __future__ import annotations

import selectors
from collections.abc import Callable, Iterable, Sequence
from time import monotonic
from typing import Final

from study.farm.checks import Spool
from study.farm.links import LocalMachine, Machine, WorkerLink
from study.farm.protocol import Assignment, Piece

MOST_FAILED_STARTS: Final = 3
"""Consecutive failed starts after which a machine gets no more workers."""

MOST_RETURNS: Final = 8
"""Consecutive failed starts after which a remote machine that has worked before is given up."""

LONGEST_PAUSE: Final = 60.0
"""Maximum seconds between two attempts to reach such a machine; the delay doubles each time."""

LONE: Final = 60.0
"""Seconds without any worker after which the farm gives up."""

JUDGE: Final = "local judge"
"""Name of this machine as a tie-breaker, once every other worker has voted."""


class FarmFault(Exception):
    """The work cannot be done at all. The text is one line: the function and the cause."""


class MachineStarts:
    """Start limits and recent failures of one machine."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.limit: int | None = None
        """Maximum number of running workers; None means one for each of the machine's names."""
        self.failed = 0
        self.has_succeeded = False
        self.not_before = 0.0

    def count_success(self) -> None:
        """Reset the failure count after a worker has started."""
        self.failed, self.has_succeeded, self.not_before = 0, True, 0.0

    def count_failure(self) -> bool:
        """Count a failed start; return True if the machine has reached its limit.

        A remote machine that has worked before also gets a growing pause before its next start.
        """
        self.failed += 1
        may_return = self.has_succeeded and not self.machine.is_local
        if may_return:
            self.not_before = monotonic() + min(LONGEST_PAUSE, 2.0 ** (self.failed - 1))
        return self.failed >= (MOST_RETURNS if may_return else MOST_FAILED_STARTS)


class Crew:
    """The workers of a farm. A worker found faulty is retired by name and never restarted."""

    def __init__(
        self,
        machines: Sequence[Machine],
        first: Assignment,
        notice: Callable[[str], None],
    ) -> None:
        """Prepare the crew without starting anything.

        Args:
            machines: where workers may run.
            first: assignment sent to every new worker.
            notice: called with one line whenever a worker or a machine is dropped.
        """
        self._name, self._first, self._notice = first.work, first, notice
        self._starts = [MachineStarts(machine) for machine in machines]
        self._judge: MachineStarts | None = None
        self._names: dict[str, MachineStarts] = {}
        """Start record of the machine of every worker that may run now, by worker name."""
        self._owners: dict[str, MachineStarts] = {}
        """Start record of the machine of every running worker, by worker name."""
        self._retired: set[str] = set()
        self._silent: set[str] = set()
        """Names of the machines already reported as silent."""
        self._spools: dict[str, Spool] = {}
        self._empty_since: float | None = None
        self.workers: list[WorkerLink] = []
        self._selector = selectors.DefaultSelector()

    @property
    def ready(self) -> list[WorkerLink]:
        """Workers that are set up and accept pieces."""
        return [worker for worker in self.workers if worker.is_ready]

    @property
    def size(self) -> int:
        """Number of workers that may run now."""
        return len(self._names)

    def refresh(self) -> None:
        """Ask the machines which workers may run now; a cluster changes over time.

        Raises:
            FarmFault: no worker has been available for ``LONE`` seconds.
        """
        states = [*self._starts, self._judge] if self._judge is not None else self._starts
        self._names = {
            name: state
            for state in states
            for name in state.machine.names()
            if name not in self._retired
        }
        if self._names or self.workers:
            self._empty_since = None
        elif self._empty_since is None:
            self._empty_since = monotonic()
        elif monotonic() - self._empty_since > LONE:
            names = ", ".join(state.machine.name for state in self._starts)
            raise FarmFault(f"{self._name}: no worker in {LONE:g} s on {names}")

    def is_judge(self, worker: WorkerLink) -> bool:
        """Return whether a worker exists only to break ties."""
        return worker.name.startswith(JUDGE + " ")

    def is_remote(self, worker: WorkerLink) -> bool:
        """Return whether a worker runs on another machine."""
        return not self._state_of(worker).machine.is_local

    # -- starts --------------------------------------------------------------------------------

    def start(self, count: int) -> None:
        """Start up to ``count`` workers.

        If the system refuses another process, cap this machine at the workers it has.

        Raises:
            FarmFault: the system refuses the first worker, so nothing would run.
        """
        free = self._free() if count > 0 else []
        for name, state in free[: max(0, count)]:
            if not self._has_room(state):
                continue
            try:
                worker = state.machine.start(name, self._first)
            except OSError as problem:
                if not self.workers:
                    raise FarmFault(
                        f"{self._name}: no worker can be started: {problem}"
                    ) from problem
                state.limit = self._running(state)
                return
            self.workers.append(worker)
            self._owners[name] = state
            self._selector.register(worker.answers, selectors.EVENT_READ, worker)

    def find_for(self, copies: Iterable[Piece]) -> None:
        """Add a tie-breaker on this machine if every usable worker has voted on one piece."""
        running = {worker.name for worker in self.workers}
        usable = running | {name for name, state in self._names.items() if state.limit != 0}
        if self._judge is None and any(usable <= set(piece.voters) for piece in copies):
            self._judge = MachineStarts(LocalMachine(1, JUDGE))

    def _free(self) -> list[tuple[str, MachineStarts]]:
        """Return the workers that may be started now, with the records of their machines."""
        running = {worker.name for worker in self.workers}
        now = monotonic()
        return [
            (name, state)
            for name, state in self._names.items()
            if name not in running and state.not_before <= now and self._has_room(state)
        ]

    def _has_room(self, state: MachineStarts) -> bool:
        return state.limit is None or self._running(state) < state.limit

    def _running(self, state: MachineStarts) -> int:
        return sum(self._state_of(worker) is state for worker in self.workers)

    def _state_of(self, worker: WorkerLink) -> MachineStarts:
        return self._owners[worker.name]

    def count_success(self, worker: WorkerLink) -> None:
        """Mark a worker as ready for pieces."""
        worker.is_ready = True
        self._state_of(worker).count_success()

    def patience_with(self, worker: WorkerLink) -> float | None:
        """Return the seconds within which a worker must first answer; None without a limit."""
        return self._state_of(worker).machine.patience

    def name_silent(self, worker: WorkerLink) -> None:
        """Report once per machine that it has not answered yet, and how long it may take."""
        machine = self._state_of(worker).machine
        if machine.name not in self._silent:
            self._silent.add(machine.name)
            self._notice(
                f"{machine.name} has not answered yet; waiting up to {machine.patience:g} s"
            )

    def count_failed_start(self, worker: WorkerLink) -> None:
        """Count a failed start; at the limit, start no more workers on that machine.

        Raises:
            FarmFault: no other machine can take over.
        """
        state = self._state_of(worker)
        if not state.count_failure():
            return
        state.limit = sum(self._state_of(other) is state for other in self.ready)
        state.failed = 0
        where = "" if state.machine.is_local else f" on {state.machine.name}"
        line = f"workers end before they begin{where}: {worker.fault or worker.end()}"
        self._need_others(f"{self._name}: {line}")
        self._notice(line)

    def _need_others(self, line: str) -> None:
        """Raise ``FarmFault`` if no worker except a tie-breaker is ready or may start."""
        hopeful = {worker.name for worker in self.ready}
        hopeful |= {name for name, state in self._names.items() if state.limit != 0}
        if all(name in self._retired or name.startswith(JUDGE) for name in hopeful):
            raise FarmFault(line)

    # -- ends ----------------------------------------------------------------------------------

    def listen(self, patience: float) -> list[WorkerLink]:
        """Wait up to ``patience`` seconds for answers, and send what is still unsent meanwhile.

        Returns the workers that have something to read or accept more to send.
        """
        full = [worker for worker in self.workers if worker.has_unsent]
        for worker in full:
            self._selector.register(worker.orders, selectors.EVENT_WRITE, worker)
        ready = {key.fd: key.data for key, _ in self._selector.select(patience)}
        for worker in full:
            self._selector.unregister(worker.orders)
            worker.flush()
        return list(ready.values())

    def remove(self, worker: WorkerLink) -> None:
        """Kill a worker and forget it."""
        self.workers.remove(worker)
        self._selector.unregister(worker.answers)
        worker.close()

    def retire(self, name: str, line: str) -> None:
        """Never use this worker again, and report why.

        Raises:
            FarmFault: no other worker is left.
        """
        self._retired.add(name)
        line = f"worker {name}: {line}"
        self._notice(line)
        self._need_others(f"{self._name}: {line}")

    def close(self) -> None:
        """Kill all workers and release their machines."""
        for worker in tuple(self.workers):
            self.remove(worker)
        for spool in self._spools.values():
            spool.close()
        for state in self._starts:
            state.machine.close()
        self._selector.close()

    # -- finished work -------------------------------------------------------------------------

    def spool(self, name: str) -> Spool:
        """Return the spool of pieces that only the worker ``name`` has done in this run."""
        if name not in self._spools:
            self._spools[name] = Spool()
        return self._spools[name]

    def clear_spools(self) -> None:
        """Forget which pieces were done, before the next run."""
        for spool in self._spools.values():
            spool.clear()
