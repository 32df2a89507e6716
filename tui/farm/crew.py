"""Crew of a farm: the workers on its machines, those that run and those that may be started."""

from __future__ import annotations

import selectors
from collections.abc import Callable, Iterable, Sequence
from time import monotonic
from typing import Final

from tui.farm.checks import Spool
from tui.farm.links import LocalMachine, Machine, WorkerLink
from tui.farm.protocol import Assignment, Piece

MOST_FAILED_STARTS: Final = 3
"""Consecutive workers that end before they are set up, after which no others are started."""

MOST_RETURNS: Final = 8
"""The same for another machine that has had a worker before; it is given time to come back."""

LONGEST_PAUSE: Final = 60.0
"""Seconds between two starts on a machine that is given time, at most."""

LONE: Final = 60.0
"""Seconds that a farm without any worker waits for a cluster to have one."""

JUDGE: Final = "local judge"
"""Name of the machine whose worker decides where no other is left to: this one."""


class FarmFault(Exception):
    """The work cannot be done at all; the text is one line: which function, and what is wrong."""


class MachineStarts:
    """Starts of workers on a machine: how many may run, and how the last starts went."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.limit: int | None = None
        """Most workers that may run; None: all it has names for."""
        self.failed = 0
        self.has_succeeded = False
        self.not_before = 0.0

    def count_success(self) -> None:
        """Take note of a worker that was set up."""
        self.failed, self.has_succeeded, self.not_before = 0, True, 0.0

    def count_failure(self) -> bool:
        """Take note of a worker that ended before it was set up; True if that is enough."""
        self.failed += 1
        may_return = self.has_succeeded and not self.machine.is_local
        if may_return:
            self.not_before = monotonic() + min(LONGEST_PAUSE, 2.0 ** (self.failed - 1))
        return self.failed >= (MOST_RETURNS if may_return else MOST_FAILED_STARTS)


class Crew:
    """Workers of a farm. A name that was found faulty is used no more."""

    def __init__(
        self,
        machines: Sequence[Machine],
        first: Assignment,
        notice: Callable[[str], None],
    ) -> None:
        """Set up the crew; nothing runs yet.

        Args:
            machines: machines whose workers there may be.
            first: assignment of each worker.
            notice: told in a line of each worker and machine that is used no more.
        """
        self._name, self._first, self._notice = first.work, first, notice
        self._starts = [MachineStarts(machine) for machine in machines]
        self._judge: MachineStarts | None = None
        self._names: dict[str, MachineStarts] = {}
        """Starts on the machine of each worker that there may be now."""
        self._owners: dict[str, MachineStarts] = {}
        """The same for each worker that runs."""
        self._retired: set[str] = set()
        self._silent: set[str] = set()
        """Names of the machines that were named for not answering."""
        self._spools: dict[str, Spool] = {}
        self._empty_since: float | None = None
        self.workers: list[WorkerLink] = []
        self._selector = selectors.DefaultSelector()

    @property
    def ready(self) -> list[WorkerLink]:
        """Workers that can be given pieces."""
        return [worker for worker in self.workers if worker.is_ready]

    @property
    def size(self) -> int:
        """Number of workers that there may be."""
        return len(self._names)

    def refresh(self) -> None:
        """Look at which workers there may be now.

        Raises:
            FarmFault: there has been none for a long time.
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
        """True if the worker is only there to decide between others."""
        return worker.name.startswith(JUDGE + " ")

    def is_remote(self, worker: WorkerLink) -> bool:
        """True if the worker is on another machine."""
        return not self._state_of(worker).machine.is_local

    # -- starts --------------------------------------------------------------------------------

    def start(self, count: int) -> None:
        """Start workers, at most so many. If the system gives no more, those there are go on.

        Raises:
            FarmFault: there is none, and none can be started.
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
        """Have this machine judge if a piece waits that every worker has carried out."""
        running = {worker.name for worker in self.workers}
        usable = running | {name for name, state in self._names.items() if state.limit != 0}
        if self._judge is None and any(usable <= set(piece.voters) for piece in copies):
            self._judge = MachineStarts(LocalMachine(1, JUDGE))

    def _free(self) -> list[tuple[str, MachineStarts]]:
        """Names of workers that could be started now."""
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
        """Take note of a worker that was set up."""
        worker.is_ready = True
        self._state_of(worker).count_success()

    def patience_with(self, worker: WorkerLink) -> float | None:
        """Return the seconds in which a worker must answer at first; None without a limit."""
        return self._state_of(worker).machine.patience

    def name_silent(self, worker: WorkerLink) -> None:
        """Say once for each machine that it has not answered yet, and how long it may take."""
        machine = self._state_of(worker).machine
        if machine.name not in self._silent:
            self._silent.add(machine.name)
            self._notice(
                f"{machine.name} has not answered yet; waiting up to {machine.patience:g} s"
            )

    def count_failed_start(self, worker: WorkerLink) -> None:
        """Start no more workers on a machine after some have failed in a row.

        Raises:
            FarmFault: there is no other.
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
        """Raise a line as a fault if there is no worker that is ready or may become so."""
        hopeful = {worker.name for worker in self.ready}
        hopeful |= {name for name, state in self._names.items() if state.limit != 0}
        if all(name in self._retired or name.startswith(JUDGE) for name in hopeful):
            raise FarmFault(line)

    # -- ends ----------------------------------------------------------------------------------

    def listen(self, patience: float) -> list[WorkerLink]:
        """Workers from which something has come in; what was left to be sent goes out meanwhile."""
        full = [worker for worker in self.workers if worker.has_unsent]
        for worker in full:
            self._selector.register(worker.orders, selectors.EVENT_WRITE, worker)
        ready = {key.fd: key.data for key, _ in self._selector.select(patience)}
        for worker in full:
            self._selector.unregister(worker.orders)
            worker.flush()
        return list(ready.values())

    def remove(self, worker: WorkerLink) -> None:
        """End a worker, if it runs, and forget it."""
        self.workers.remove(worker)
        self._selector.unregister(worker.answers)
        worker.close()

    def retire(self, name: str, line: str) -> None:
        """Use a worker no more, and say why.

        Raises:
            FarmFault: there is no other.
        """
        self._retired.add(name)
        line = f"worker {name}: {line}"
        self._notice(line)
        self._need_others(f"{self._name}: {line}")

    def close(self) -> None:
        """End all workers and let go of their machines."""
        for worker in tuple(self.workers):
            self.remove(worker)
        for spool in self._spools.values():
            spool.close()
        for state in self._starts:
            state.machine.close()
        self._selector.close()

    # -- what they have done -------------------------------------------------------------------

    def spool(self, name: str) -> Spool:
        """Pieces that a worker alone has carried out in this run."""
        if name not in self._spools:
            self._spools[name] = Spool()
        return self._spools[name]

    def clear_spools(self) -> None:
        """Forget the pieces of an earlier run."""
        for spool in self._spools.values():
            spool.clear()
