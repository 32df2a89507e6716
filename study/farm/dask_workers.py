"""Workers of a Dask cluster, whose scheduler and workers run where Banneret is installed.

Dask carries batches to a worker and answers back. On the worker, a farm with one process carries
them out, so a piece can kill only that process, and its limits are watched next to it.
``distributed`` is imported only when a cluster is named.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from time import monotonic
from typing import Any, Final

import msgspec

from engine.core.codec import decoder, encode
from study.farm.crew import FarmFault
from study.farm.dispatch import BATCH_SECONDS
from study.farm.links import Machine, WorkerLink
from study.farm.protocol import (
    CHUNK,
    Assignment,
    Batch,
    Dropped,
    Failed,
    Finished,
    Frames,
    Piece,
    Ready,
    Returned,
    Unfit,
    WorkerAnswer,
    cause_of,
    framed,
    function_of,
    greeting_of,
    types_of,
)
from study.farm.runs import Done, Result
from study.farm.supervisor import Farm
from tui.console.exits import Wrong

MOST_OUT: Final = 2
"""Maximum batches per worker at a time: one in progress and one to continue with."""

CONNECTING: Final = 10.0
"""Seconds to wait for the first answer of a scheduler."""

_LOOK: Final = 0.5
"""Seconds between two requests to the scheduler for its list of workers."""

_IDLE: Final = 30.0
"""Seconds without pieces after which a worker ends its process for them."""


class DaskCluster(Machine):
    """Cluster behind a scheduler. Each thread of its workers counts as a worker."""

    def __init__(self, address: str, patience: float = CONNECTING) -> None:
        """Remember the address HOST:PORT without connecting.

        Raises:
            Wrong: ``distributed`` is not installed.
        """
        self.name = f"dask://{address}"
        if find_spec("distributed") is None:
            raise Wrong(f"--on {self.name}: this needs pip install 'banneret[cluster]'")
        self._scheduler, self._patience = f"tcp://{address}", patience
        self._client: Any = None
        self._looked = 0.0
        self._addresses: dict[str, str] = {}

    def names(self) -> Sequence[str]:
        """Return the names of its workers.

        Raises:
            FarmFault: no scheduler answers.
        """
        if self._client is None or monotonic() - self._looked > _LOOK:
            self._look()
        return tuple(self._addresses)

    def has(self, name: str) -> bool:
        """Return whether the scheduler had the worker when last asked."""
        return name in self._addresses

    def start(self, name: str, first: Assignment) -> WorkerLink:
        """Set up a worker on the cluster."""
        return DaskWorker(name, self, self._addresses[name], first)

    def submit(self, address: str, *task: Any) -> tuple[Any, Any]:
        """Submit a task to one worker; return the client and the future.

        The future must be awaited in the event loop of the client.
        """
        future = self._client.submit(
            carried_out, *task, workers=[address], allow_other_workers=False, pure=False
        )
        return self._client, future

    def _look(self) -> None:
        """Ask the scheduler for its workers."""
        try:
            if self._client is None:
                distributed = import_module("distributed")
                for own in ("distributed", "distributed.client", "distributed.core"):
                    logging.getLogger(own).setLevel(logging.CRITICAL)
                self._client = distributed.Client(
                    self._scheduler, timeout=self._patience, set_as_default=False
                )
            threads = self._client.nthreads()
        except (OSError, RuntimeError, ValueError) as problem:
            raise FarmFault(f"{self.name}: no scheduler answers") from problem
        self._addresses = {
            f"{self.name} {address.rpartition('/')[2]}{f' {number + 1}' if count > 1 else ''}": (
                address
            )
            for address, count in sorted(threads.items())
            for number in range(count)
        }
        self._looked = monotonic()

    def close(self) -> None:
        """Disconnect from the cluster."""
        if self._client is not None:
            with contextlib.suppress(OSError, RuntimeError):
                self._client.close()


class DaskWorker(WorkerLink):
    """Link to a worker of a cluster. Answers arrive one batch at a time."""

    def __init__(self, name: str, cluster: DaskCluster, address: str, first: Assignment) -> None:
        """Set up a worker on the cluster with its assignment."""
        answers, self._bell = os.pipe()
        os.set_blocking(answers, False)
        os.set_blocking(self._bell, False)
        super().__init__(name, answers)
        self._cluster, self._address = cluster, address
        assignment = msgspec.msgpack.encode(first)
        self._key = sha256(assignment).hexdigest()
        self._inbox: deque[bytes | BaseException] = deque()
        self._closing = threading.Lock()
        self._is_closed = False
        self._out: list[Future[None]] = []
        self._end = "the cluster has it no longer"
        self._submit(assignment, [])

    @property
    def has_ended_itself(self) -> bool:
        """False: any of the pieces, or the machine, may be the cause of its end."""
        return False

    def may_have_begun(self) -> int:
        """Return the number of pieces in hand: the worker may have begun all of them."""
        return len(self.hand)

    def room(self, size: int) -> int:
        """Return how many more pieces the worker may get, if a batch has ``size`` of them."""
        is_alone = any(piece.breaks for piece in self.hand)
        out = sum(not each.done() for each in self._out)
        return 0 if is_alone or out >= MOST_OUT else size

    def is_long_at_it(self, seconds: float) -> bool:  # noqa: ARG002 - no clock runs here
        """Return False: deadlines are watched on the worker itself."""
        return False

    def finished(self, number: int) -> Piece | None:
        """Remove a piece from the worker's hand and return it.

        Hang up and return None if absent.
        """
        self.since = monotonic()
        found = next((piece for piece in self.hand if piece.number == number), None)
        if found is None:
            self.has_hung_up = True
        else:
            self.hand.remove(found)
        return found

    def hand_over(self, batch: Batch) -> None:
        """Submit a batch of pieces."""
        self._submit(None, batch.pieces)

    def _submit(self, assignment: bytes | None, pieces: list[tuple[int, bytes]]) -> None:
        client, future = self._cluster.submit(self._address, self._key, assignment, pieces)
        waiting = self._fetch(client, future)
        self._out = [each for each in self._out if not each.done()]
        self._out.append(asyncio.run_coroutine_threadsafe(waiting, client.loop.asyncio_loop))

    async def _fetch(self, client: Any, future: Any) -> None:
        """Wait for the answers of a batch, in the event loop of the client."""
        said: bytes | BaseException
        try:
            done = await client.gather([future], errors="skip", asynchronous=True)
            said = done[0] if done else await future.exception(asynchronous=True)
        except Exception as problem:  # noqa: BLE001 - whatever it is, the supervisor goes on
            said = problem
        with self._closing:
            if not self._is_closed:
                self._inbox.append(said)
                with contextlib.suppress(BlockingIOError):
                    os.write(self._bell, b".")

    def received(self) -> Iterator[WorkerAnswer]:
        """Yield the messages that have arrived; set ``has_hung_up`` if no more will come."""
        with contextlib.suppress(BlockingIOError):
            os.read(self.answers, CHUNK)
        while self._inbox:
            said = self._inbox.popleft()
            if isinstance(said, bytes) and said:
                yield from Frames(WorkerAnswer).messages(said)
            else:
                yield from self._failed(said)

    def _failed(self, problem: bytes | BaseException) -> Iterator[WorkerAnswer]:
        """Handle the failure of a whole batch: the worker died, or cannot be set up."""
        is_killed = type(problem).__name__ in {"KilledWorker", "CancelledError"}
        if isinstance(problem, BaseException):
            cause = problem if problem.__cause__ is None else problem.__cause__
            self._end = cause_of(cause)
            if not self.is_ready and not is_killed:
                yield Unfit(self._end)
        self.has_hung_up = True

    def is_gone(self) -> bool:
        """Return whether the scheduler no longer has the worker."""
        return not self._cluster.has(self.name)

    def kill(self) -> None:
        """Cancel the worker's batches."""
        for each in self._out:
            each.cancel()

    def close(self) -> None:
        """Cancel its batches and close the pipe."""
        self.kill()
        with self._closing:
            self._is_closed = True
            os.close(self.answers)
            os.close(self._bell)

    def end(self) -> str:
        """Return what is known about the end of the worker."""
        return self._end


# -- on a worker of the cluster ----------------------------------------------------------------


class ClusterFarms:
    """Farms of one process on a worker of a cluster, by the key of their assignment."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._assignments: dict[str, Assignment] = {}
        self._idle: list[tuple[str, float, Farm[Any, Any, Any]]] = []
        """Idle farms as (key, time when it became idle, farm), the newest last."""

    def learn(self, key: str, assignment: bytes) -> Assignment:
        """Remember an assignment by its key and return it."""
        first = msgspec.msgpack.decode(assignment, type=Assignment)
        self._assignments[key] = first
        return first

    def knows(self, key: str) -> bool:
        """Return whether the assignment is known; a restarted worker knows none."""
        return key in self._assignments

    @contextlib.contextmanager
    def borrowed(self, key: str) -> Iterator[Farm[Any, Any, Any]]:
        """Lend an idle or new farm for a batch; an exception in the block closes it."""
        farm = self._taken(key)
        try:
            yield farm
        except BaseException:
            farm.close()
            raise
        with self._lock:
            self._idle.append((key, monotonic(), farm))
        sweeping = threading.Timer(_IDLE + 1, self._sweep)
        sweeping.daemon = True
        sweeping.start()

    def _taken(self, key: str) -> Farm[Any, Any, Any]:
        with self._lock:
            for place in range(len(self._idle) - 1, -1, -1):
                if self._idle[place][0] == key:
                    return self._idle.pop(place)[2]
        first = self._assignments[key]
        work = function_of(first.work)
        return Farm(
            work,
            decoder(types_of(work).setup).decode(first.setup),
            workers=1,
            deadline=first.deadline,
            processor_time=first.processor_time,
            memory=first.memory,
        )

    def _sweep(self) -> None:
        self.close(_IDLE)

    def close(self, seconds: float = 0) -> None:
        """Close the farms that have been idle for at least ``seconds``."""
        until = monotonic() - seconds
        with self._lock:
            old = [farm for _, since, farm in self._idle if since <= until]
            self._idle = [each for each in self._idle if each[1] > until]
        for farm in old:
            farm.close()


FARMS: Final = ClusterFarms()
"""Farms of this process."""


def carried_out(key: str, assignment: bytes | None, pieces: list[tuple[int, bytes]]) -> bytes:
    """Do a batch of pieces; return the answers as frames, empty without the assignment.

    Args:
        key: names the assignment.
        assignment: sent first; this process then greets.
        pieces: numbers and contents.
    """
    if assignment is None and not FARMS.knows(key):
        return b""
    greeting = b""
    try:
        if assignment is not None:
            first = FARMS.learn(key, assignment)
            greeting = greeting_of(first.greet)
            types_of(function_of(first.work))
            return framed(Ready(greeting))
        with FARMS.borrowed(key) as farm:
            return b"".join(map(framed, _answers(farm, pieces)))
    except FarmFault as problem:
        return framed(Unfit(str(problem), greeting))
    except Exception as problem:  # noqa: BLE001 - the supervisor says what is wrong
        return framed(Unfit(cause_of(problem), greeting))


def _answers(farm: Farm[Any, Any, Any], pieces: list[tuple[int, bytes]]) -> Iterator[WorkerAnswer]:
    """Yield the answers to pieces; give back those that were not begun in time."""
    until = monotonic() + MOST_OUT * BATCH_SECONDS
    rest = deque(pieces)
    numbers: list[int] = []

    def in_time() -> Iterator[Any]:
        while rest and monotonic() < until:
            number, data = rest.popleft()
            numbers.append(number)
            yield decoder(farm.types.piece).decode(data)

    for result in farm.run(in_time(), ordered=False):
        yield _answer(numbers[result.number], result)
    if rest:
        yield Returned([number for number, _ in rest])


def _answer(number: int, result: Result[Any, Any]) -> WorkerAnswer:
    if isinstance(result, Done):
        return Finished(number, encode(result.value), result.seconds)
    if result.kind == "raised":
        return Failed(number, result.cause, 0)
    return Dropped(number, result.kind, result.cause)
