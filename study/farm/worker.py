"""Worker of a farm: carries out pieces that come in on a pipe, one after another.

It runs in its own process, which ends with its pipe. A thread reads the pipe all the time, so that
even in the middle of a piece others can be taken back and the end of the supervisor is noticed. On
Linux, the system itself kills the process group when the supervisor is gone, even if the code of a
piece blocks all threads.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import resource
import select
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from threading import RLock
from typing import Any, Final, NoReturn

from engine.core import codec
from study.farm.links import boot_command, end_of
from study.farm.orphans import end_orphans, marked, new_mark
from study.farm.protocol import (
    CHUNK,
    NO_MEMORY,
    Assignment,
    Batch,
    Ended,
    Frames,
    Ready,
    Recall,
    Returned,
    Unfit,
    WorkerAnswer,
    WorkerOrder,
    WorkTypes,
    become_worker,
    carry_out,
    cause_of,
    framed,
    function_of,
    greeting_of,
    types_of,
)
from tui.console.exits import Wrong
from tui.console.lifeline import TiedProcess, tie

_LOOK: Final = 100
"""Milliseconds between two checks whether the worker has ended."""

_HUNG_UP: Final = select.POLLHUP | select.POLLERR | getattr(select, "POLLRDHUP", 0)


def main(life: int) -> NoReturn:
    """Serve the supervisor that started this process, until it closes the pipe.

    Standard input and output are the pipes. The pieces see ``/dev/null`` in their place.

    Args:
        life: a pipe without content that is closed when the supervisor ends, however it does.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with(life)
    orders, answers = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    codec.share(RLock())
    serve(orders, answers)


def stdio_main() -> None:
    """Serve a remote supervisor on standard input and output, until it hangs up.

    The worker is a child of this process, which reports how the worker has ended, and kills it with
    everything its pieces have started when the supervisor hangs up. Nothing is written to standard
    error once the worker runs.

    Raises:
        Wrong: standard input is a terminal.
    """
    if os.isatty(0):
        raise Wrong("a worker reads its pieces from a pipe; --on ssh:USER@HOST starts it")
    theirs, life = os.pipe()
    mark = new_mark()
    worker: TiedProcess[bytes] = TiedProcess(  # our own interpreter
        boot_command(theirs),
        stderr=subprocess.DEVNULL,
        pass_fds=(theirs,),
        start_new_session=True,
        env=marked(mark),
    )
    os.close(theirs)
    hung_up = select.poll()
    hung_up.register(0, _HUNG_UP & ~select.POLLHUP & ~select.POLLERR)
    is_heard = True
    while is_heard and worker.poll() is None:
        is_heard = not any(event & _HUNG_UP for _, event in hung_up.poll(_LOOK))
    worker.end()
    end_orphans(mark)
    os.close(life)
    if is_heard:
        with contextlib.suppress(OSError):
            sys.stdout.flush()
            os.write(1, framed(Ended(end_of(worker.returncode))))


def end_with(life: int) -> None:
    """Have the system kill this process group when a pipe's other end closes, if it can."""
    fcntl.fcntl(life, fcntl.F_SETFD, fcntl.FD_CLOEXEC)
    if tie(life, -os.getpgrp()):
        with contextlib.suppress(BlockingIOError):
            os.read(life, 1)
            end()  # it was closed before the signal was ordered


def end() -> NoReturn:
    """End this process and everything that its pieces have started."""
    if os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(0)


def serve(orders: int, answers: int) -> NoReturn:
    """Carry out the pieces that come in, until the supervisor hangs up.

    Args:
        orders: pipe to read from.
        answers: pipe to write to.
    """
    become_worker()
    inbox = WorkerInbox(orders, answers)
    first = inbox.first()
    greeting = b""
    try:
        greeting = greeting_of(first.greet)
        work = function_of(first.work)
        types = types_of(work)
        limit_memory(first.memory)
        function = work(codec.decoder(types.setup).decode(first.setup))
    except MemoryError:
        os._exit(NO_MEMORY)
    except BaseException as problem:  # noqa: BLE001 - the supervisor says what is wrong
        inbox.answer(Unfit(cause_of(problem), greeting))
        end()
    inbox.answer(Ready(greeting))
    while True:
        _carry_out_next(inbox, function, types, first.processor_time)


def limit_memory(most: int | None) -> None:
    """Limit the address space of this process and its children to ``most`` bytes, if not None."""
    if most is not None:
        _, highest = resource.getrlimit(resource.RLIMIT_AS)
        most = most if highest == resource.RLIM_INFINITY else min(most, highest)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _carry_out_next(
    inbox: WorkerInbox,
    function: Callable[[Any], Any],
    types: WorkTypes,
    processor_time: float | None,
) -> None:
    """Wait for a piece and carry it out; the system ends the process if it takes too long."""
    number, data = inbox.next_piece()
    try:
        with _at_most(processor_time):
            answer = carry_out(function, types, number, data)
    except MemoryError:
        os._exit(NO_MEMORY)
    inbox.answer(answer)


@contextlib.contextmanager
def _at_most(processor_time: float | None) -> Iterator[None]:
    """Kill the process if a ``with`` block takes more than ``processor_time`` seconds."""
    if processor_time is None:
        yield
        return
    signal.setitimer(signal.ITIMER_PROF, processor_time)
    yield
    signal.setitimer(signal.ITIMER_PROF, 0)


class WorkerInbox:
    """Queue of pieces for this worker, filled by a thread from the pipe; also sends answers."""

    def __init__(self, orders: int, answers: int) -> None:
        self._orders, self._answers = orders, answers
        self._first: deque[Assignment] = deque()
        self._pieces: deque[tuple[int, bytes]] = deque()
        self._waiting = threading.Semaphore(0)
        """Counts the assignment and the pieces, including those that were given back."""
        self._writing = threading.Lock()
        threading.Thread(target=self._read, daemon=True).start()

    def first(self) -> Assignment:
        """Wait for the assignment and return it."""
        self._waiting.acquire()
        return self._first.popleft()

    def next_piece(self) -> tuple[int, bytes]:
        """Wait for the next piece; return its number and content."""
        while True:
            self._waiting.acquire()
            with contextlib.suppress(IndexError):  # it was given back
                return self._pieces.popleft()

    def answer(self, message: WorkerAnswer) -> None:
        """Send a message to the supervisor; end this process if it is gone."""
        data = memoryview(framed(message))
        with self._writing:
            try:
                while data:
                    data = data[os.write(self._answers, data) :]
            except OSError:
                end()

    def _read(self) -> None:
        """Take in messages until the supervisor hangs up."""
        frames = Frames(WorkerOrder)
        try:
            while data := os.read(self._orders, CHUNK):
                for message in frames.messages(data):
                    self._take(message)
        finally:
            end()

    def _take(self, message: WorkerOrder) -> None:
        match message:
            case Assignment():
                self._first.append(message)
                self._waiting.release()
            case Batch(pieces=pieces):
                self._pieces.extend(pieces)
                self._waiting.release(len(pieces))
            case Recall():
                self.answer(Returned(self._emptied()))

    def _emptied(self) -> list[int]:
        """Remove the pieces that are not begun; return their numbers in order."""
        numbers = []
        with contextlib.suppress(IndexError):
            while True:
                numbers.append(self._pieces.pop()[0])
        return numbers[::-1]
