"""Links to workers, and the machines they run on: the supervisor's end of every kind of link."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from time import monotonic
from typing import Final

import msgspec

from study.farm.orphans import end_orphans, marked, new_mark
from study.farm.protocol import (
    CHUNK,
    LONGEST_FRAME,
    NO_MEMORY,
    Assignment,
    Batch,
    Frames,
    Piece,
    Recall,
    WorkerAnswer,
    WorkerOrder,
    framed,
)
from tui.console.lifeline import TiedProcess

_BOOT: Final = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from study.farm.worker import main; main(int(sys.argv[2]))"
)
"""Program of a worker. Its arguments are the module path and the pipe that it lives with."""


class WorkerLink(ABC):
    """Supervisor's end of a worker, and the pieces the worker has in hand."""

    orders: int = -1
    """Descriptor that becomes writable when the worker takes more; -1 without one."""
    fault: str = ""
    """Reason why the supervisor gave it up; empty if it ended on its own."""
    has_unsent: bool = False
    """True if the worker has not taken everything yet."""

    def __init__(self, name: str, answers: int) -> None:
        """Create a link; ``answers`` is a descriptor that becomes readable with each answer."""
        self.name, self.answers = name, answers
        self.hand: deque[Piece] = deque()
        self.is_ready = self.has_hung_up = False
        self.since = monotonic()
        """Time at which the worker started, or got the piece that is now first in its hand."""

    def is_long_at_it(self, seconds: float) -> bool:
        """Return whether the worker has been at its first piece for more than ``seconds``."""
        return bool(self.hand) and monotonic() - self.since > seconds

    def is_long_at_start(self, seconds: float) -> bool:
        """Return whether the worker has been starting for more than ``seconds``."""
        return not self.is_ready and monotonic() - self.since > seconds

    def room(self, size: int) -> int:
        """Return how many more pieces the worker may get, to have ``size`` in hand."""
        is_alone = bool(self.hand) and self.hand[0].breaks > 0
        return size - len(self.hand) if len(self.hand) <= size // 2 and not is_alone else 0

    def give(self, pieces: Sequence[Piece]) -> None:
        """Add pieces to the worker's hand, and send them."""
        if not self.hand:
            self.since = monotonic()
        self.hand.extend(pieces)
        self.hand_over(Batch([(piece.number, piece.data) for piece in pieces]))

    def finished(self, number: int) -> Piece | None:
        """Remove the first piece from the worker's hand and return it.

        If its number is not ``number``, hang up and return None.
        """
        if not self.hand or self.hand[0].number != number:
            self.has_hung_up = True
            return None
        self.since = monotonic()
        return self.hand.popleft()

    def take_back(self, numbers: Sequence[int]) -> list[Piece]:
        """Remove pieces that the worker has not begun from its hand; return them."""
        known = {piece.number: piece for piece in self.hand}
        back = [known.pop(number) for number in numbers if number in known]
        self.hand = deque(known.values())
        return back

    def may_have_begun(self) -> int:
        """Return how many pieces of the hand, counted from the first, the worker may have begun."""
        return 1

    @property
    def has_ended_itself(self) -> bool:
        """True if the worker has ended; False if only its connection is known to be lost."""
        return True

    @abstractmethod
    def hand_over(self, batch: Batch) -> None:
        """Send a batch, or as much of the message as is accepted now."""

    @abstractmethod
    def received(self) -> Iterator[WorkerAnswer]:
        """Yield the messages that have arrived; set ``has_hung_up`` if no more will come."""

    @abstractmethod
    def is_gone(self) -> bool:
        """Return whether the worker has ended, even if something it started holds its pipe."""

    @abstractmethod
    def kill(self) -> None:
        """Kill the worker and everything it started; ``end`` keeps an earlier end."""

    @abstractmethod
    def close(self) -> None:
        """Kill the worker and release the connection."""

    @abstractmethod
    def end(self) -> str:
        """Describe how a killed worker ended: "SIGSEGV", "exit code 3", "no memory"."""

    def flush(self) -> None:  # noqa: B027 - most have nothing left
        """Send what is still unsent, or the part that is accepted now."""

    def recall(self) -> None:  # noqa: B027 - not every way to a worker leads back
        """Ask for the pieces that the worker has not begun, unless that was asked already."""


class WorkerProcess(WorkerLink):
    """Link to a process by its pipes.

    The process leads its own group, so that everything its pieces start ends with it.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        *,
        inherited: Sequence[int] = (),
        stderr: int = subprocess.DEVNULL,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Start a process.

        Raises:
            OSError: the system refuses another process.
        """
        self._process: TiedProcess[bytes] = TiedProcess(  # our interpreter, or ssh
            command,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            pass_fds=inherited,
            start_new_session=True,
            env=environment,
        )
        assert self._process.stdin is not None  # noqa: S101 - for the type checker
        assert self._process.stdout is not None  # noqa: S101 - for the type checker
        super().__init__(name, self._process.stdout.fileno())
        self.orders = self._process.stdin.fileno()
        os.set_blocking(self.orders, False)
        os.set_blocking(self.answers, False)
        self._frames = Frames(WorkerAnswer, LONGEST_FRAME)
        self._unsent = bytearray()
        self._is_recalling = self._is_garbled = False

    @property
    def has_unsent(self) -> bool:  # type: ignore[override]  # nobody else sets it
        """True if the pipe has not taken everything yet."""
        return bool(self._unsent)

    def send(self, message: WorkerOrder) -> None:
        """Send a message, or the part that the pipe accepts now."""
        self._unsent += framed(message)
        self.flush()

    def hand_over(self, batch: Batch) -> None:
        """Send pieces, or the part of the message that the pipe accepts now."""
        self.send(batch)

    def flush(self) -> None:
        """Send what is still unsent, or the part that the pipe accepts now."""
        with contextlib.suppress(BlockingIOError):
            try:
                while self._unsent:
                    del self._unsent[: os.write(self.orders, self._unsent)]
            except BrokenPipeError:
                self._unsent.clear()

    def received(self) -> Iterator[WorkerAnswer]:
        """Yield the messages that have arrived; set ``has_hung_up`` if no more will come."""
        with contextlib.suppress(BlockingIOError):
            while data := os.read(self.answers, CHUNK):
                try:
                    yield from self._frames.messages(data)
                except msgspec.MsgspecError:
                    self._is_garbled = True
                    break
            self.has_hung_up = True

    def is_gone(self) -> bool:
        """Return whether the process has ended, even if something it started holds its pipe."""
        return self._process.poll() is not None

    def recall(self) -> None:
        """Ask for the pieces that the worker has not begun, unless that was asked already."""
        if not self._is_recalling:
            self._is_recalling = True
            self.send(Recall())

    def take_back(self, numbers: Sequence[int]) -> list[Piece]:
        """Remove pieces that the worker has not begun from its hand; return them."""
        self._is_recalling = False
        return super().take_back(numbers)

    def kill(self) -> None:
        """Kill the process and everything it started; ``end`` keeps an earlier end."""
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """Kill the process and close the pipes."""
        self.kill()
        self._process.end()

    def end(self) -> str:
        """Describe how a killed process ended: "SIGSEGV", "exit code 3", "no memory"."""
        return end_of(self._process.returncode)


class LocalWorker(WorkerProcess):
    """Link to a worker on this machine; the worker does not outlive this process."""

    def __init__(self, name: str, first: Assignment) -> None:
        """Start a worker and send it its assignment.

        Raises:
            OSError: the system refuses another process.
        """
        theirs, self._life = os.pipe()
        self._mark = new_mark()
        try:
            super().__init__(
                name,
                boot_command(theirs),
                inherited=(theirs,),
                environment=marked(self._mark),
            )
        except OSError:
            os.close(self._life)
            raise
        finally:
            os.close(theirs)
        self.send(first)

    def kill(self) -> None:
        """Kill the process and everything it started, in other sessions too."""
        super().kill()
        end_orphans(self._mark)

    def close(self) -> None:
        """Kill the process and close the pipes."""
        super().close()
        os.close(self._life)


def boot_command(life: int) -> tuple[str, ...]:
    """Return the command of a worker on this machine, which ends when the pipe ``life`` closes."""
    return (sys.executable, "-P", "-c", _BOOT, json.dumps(sys.path), str(life))


def end_of(code: int | None) -> str:
    """Return how a process ended, from its return code: "SIGSEGV", "exit code 3"."""
    if code == NO_MEMORY:
        return "no memory"
    if code is not None and code < 0:
        with contextlib.suppress(ValueError):
            return signal.Signals(-code).name
    return f"exit code {code}"


class Machine(ABC):
    """Machine on which a farm may have workers, or a cluster of them."""

    name: str
    """Name that the user gave it."""
    is_local = False
    """True if it is this machine, with this very program."""
    patience: float | None = None
    """Seconds within which a worker must first answer; None if the machine sets no limit."""

    @abstractmethod
    def names(self) -> Sequence[str]:
        """Return the names of workers that it may have now; a name never changes meaning."""

    @abstractmethod
    def start(self, name: str, first: Assignment) -> WorkerLink:
        """Start the named worker with its assignment.

        Raises:
            OSError: the system refuses another process.
        """

    def close(self) -> None:  # noqa: B027 - most hold nothing
        """Release the machine."""


class LocalMachine(Machine):
    """This machine."""

    name = "local"
    is_local = True

    def __init__(self, workers: int | None = None, name: str = "local") -> None:
        """Create a machine with ``workers`` processes; None means one per processor."""
        self.name = name
        self._count = (os.cpu_count() or 1) if workers is None else workers

    def names(self) -> Sequence[str]:
        """Return the names of its workers."""
        return [f"{self.name} {number + 1}" for number in range(self._count)]

    def start(self, name: str, first: Assignment) -> WorkerLink:
        """Start a worker in its own process."""
        return LocalWorker(name, first)
