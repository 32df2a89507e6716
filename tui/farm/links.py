"""Links to workers, and the machines they run on: the supervisor's end, however one is reached."""

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

from tui.console.lifeline import TiedProcess
from tui.farm.orphans import end_orphans, marked, new_mark
from tui.farm.protocol import (
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

_BOOT: Final = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from tui.farm.worker import main; main(int(sys.argv[2]))"
)
"""Program of a worker; its arguments are the path of modules and the pipe of its life."""


class WorkerLink(ABC):
    """Supervisor's end of a worker, and the pieces the worker has in hand."""

    orders: int = -1
    """Descriptor that can be written to when the worker takes more; -1 without one."""
    fault: str = ""
    """Reason why it was given up, if it did not end on its own account."""
    has_unsent: bool = False
    """True if the worker did not take everything yet."""

    def __init__(self, name: str, answers: int) -> None:
        """``answers`` is a descriptor that can be read when something has come in."""
        self.name, self.answers = name, answers
        self.hand: deque[Piece] = deque()
        self.is_ready = self.has_hung_up = False
        self.since = monotonic()
        """Moment since when it has been starting, or has had the first piece of its hand."""

    def is_long_at_it(self, seconds: float) -> bool:
        """True if it has had the first piece of its hand for longer than this."""
        return bool(self.hand) and monotonic() - self.since > seconds

    def is_long_at_start(self, seconds: float) -> bool:
        """True if it has been starting for longer than this."""
        return not self.is_ready and monotonic() - self.since > seconds

    def room(self, size: int) -> int:
        """Number of pieces it can be given, if it is to have ``size``."""
        is_alone = bool(self.hand) and self.hand[0].breaks > 0
        return size - len(self.hand) if len(self.hand) <= size // 2 and not is_alone else 0

    def give(self, pieces: Sequence[Piece]) -> None:
        """Give it pieces."""
        if not self.hand:
            self.since = monotonic()
        self.hand.extend(pieces)
        self.hand_over(Batch([(piece.number, piece.data) for piece in pieces]))

    def finished(self, number: int) -> Piece | None:
        """Take the piece it had begun out of its hand; None if it speaks of another."""
        if not self.hand or self.hand[0].number != number:
            self.has_hung_up = True
            return None
        self.since = monotonic()
        return self.hand.popleft()

    def take_back(self, numbers: Sequence[int]) -> list[Piece]:
        """Take pieces out of its hand that it did not begin."""
        known = {piece.number: piece for piece in self.hand}
        back = [known.pop(number) for number in numbers if number in known]
        self.hand = deque(known.values())
        return back

    def may_have_begun(self) -> int:
        """Number of pieces of its hand, from the first, that it may have begun."""
        return 1

    @property
    def has_ended_itself(self) -> bool:
        """True if the worker has ended; False if only the way to it is known to be cut."""
        return True

    @abstractmethod
    def hand_over(self, batch: Batch) -> None:
        """Send pieces, as far as they are taken now."""

    @abstractmethod
    def received(self) -> Iterator[WorkerAnswer]:
        """Messages that have come in; ``has_hung_up`` afterwards if no more will come."""

    @abstractmethod
    def is_gone(self) -> bool:
        """True if the worker has ended, also while something it started holds its pipe."""

    @abstractmethod
    def kill(self) -> None:
        """End the worker and everything it started. An end it has met itself stays its end."""

    @abstractmethod
    def close(self) -> None:
        """Kill it and let go of the way to it."""

    @abstractmethod
    def end(self) -> str:
        """The end of a killed worker: "SIGSEGV", "exit code 3", "no memory"."""

    def flush(self) -> None:  # noqa: B027 - most have nothing left
        """Send what is left to be sent, as far as it is taken now."""

    def recall(self) -> None:  # noqa: B027 - not every way to a worker leads back
        """Ask for the pieces that it has not begun, unless it has been asked."""


class WorkerProcess(WorkerLink):
    """Link to a process by its pipes.

    The process leads a group of its own, so that whatever its pieces start ends with it.
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
            OSError: the system gives no process.
        """
        self._process: TiedProcess[bytes] = TiedProcess(  # our interpreter, or the way to another
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
        """True if the pipe did not take everything yet."""
        return bool(self._unsent)

    def send(self, message: WorkerOrder) -> None:
        """Send a message, as far as the pipe takes it now."""
        self._unsent += framed(message)
        self.flush()

    def hand_over(self, batch: Batch) -> None:
        """Send pieces, as far as the pipe takes them now."""
        self.send(batch)

    def flush(self) -> None:
        """Send what is left to be sent, as far as the pipe takes it now."""
        with contextlib.suppress(BlockingIOError):
            try:
                while self._unsent:
                    del self._unsent[: os.write(self.orders, self._unsent)]
            except BrokenPipeError:
                self._unsent.clear()

    def received(self) -> Iterator[WorkerAnswer]:
        """Messages that have come in; ``has_hung_up`` afterwards if no more will come."""
        with contextlib.suppress(BlockingIOError):
            while data := os.read(self.answers, CHUNK):
                try:
                    yield from self._frames.messages(data)
                except msgspec.MsgspecError:
                    self._is_garbled = True
                    break
            self.has_hung_up = True

    def is_gone(self) -> bool:
        """True if the process has ended, also while something it started holds its pipe."""
        return self._process.poll() is not None

    def recall(self) -> None:
        """Ask for the pieces that it has not begun, unless it has been asked."""
        if not self._is_recalling:
            self._is_recalling = True
            self.send(Recall())

    def take_back(self, numbers: Sequence[int]) -> list[Piece]:
        """Take pieces out of its hand that it did not begin."""
        self._is_recalling = False
        return super().take_back(numbers)

    def kill(self) -> None:
        """End the process and everything it started. An end it has met itself stays its end."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def close(self) -> None:
        """Kill it and close the pipes."""
        self.kill()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()

    def end(self) -> str:
        """The end of a killed process: "SIGSEGV", "exit code 3", "no memory"."""
        return end_of(self._process.returncode)


class LocalWorker(WorkerProcess):
    """Link to a worker on this machine, which does not outlive this process."""

    def __init__(self, name: str, first: Assignment) -> None:
        """Start a worker with its work.

        Raises:
            OSError: the system gives no process.
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
        """End the process and everything it started, in other sessions too."""
        super().kill()
        end_orphans(self._mark)

    def close(self) -> None:
        """Kill it and close the pipes."""
        super().close()
        os.close(self._life)


def boot_command(life: int) -> tuple[str, ...]:
    """Command of a worker on this machine, whose life hangs on a pipe."""
    return (sys.executable, "-P", "-c", _BOOT, json.dumps(sys.path), str(life))


def end_of(code: int | None) -> str:
    """The end of a process by its return code, as ``subprocess`` gives it."""
    if code == NO_MEMORY:
        return "no memory"
    if code is not None and code < 0:
        with contextlib.suppress(ValueError):
            return signal.Signals(-code).name
    return f"exit code {code}"


class Machine(ABC):
    """Machine on which a farm may have workers, or a cluster of them."""

    name: str
    """The name a user gave it."""
    is_local = False
    patience: float | None = None
    """Seconds in which a worker must answer at first; None: no limit of the machine's own."""
    """True if it is this machine, with this very program."""

    @abstractmethod
    def names(self) -> Sequence[str]:
        """Names of the workers that it may have now; a name never comes to mean another."""

    @abstractmethod
    def start(self, name: str, first: Assignment) -> WorkerLink:
        """Start the worker of a name with its work.

        Raises:
            OSError: the system gives no process.
        """

    def close(self) -> None:  # noqa: B027 - most hold nothing
        """Let go of the machine."""


class LocalMachine(Machine):
    """This machine."""

    name = "local"
    is_local = True

    def __init__(self, workers: int | None = None, name: str = "local") -> None:
        """``workers`` is the number of processes; None: as many as there are processors."""
        self.name = name
        self._count = (os.cpu_count() or 1) if workers is None else workers

    def names(self) -> Sequence[str]:
        """Names of its workers."""
        return [f"{self.name} {number + 1}" for number in range(self._count)]

    def start(self, name: str, first: Assignment) -> WorkerLink:
        """Start a worker in a process of its own."""
        return LocalWorker(name, first)
