"""Worker of a farm: carries out pieces that come in on a pipe, one after the other.

It runs in a process of its own, which ends with its pipe. A thread reads the pipe all the while, so
that pieces can be taken back, and the end of the supervisor is noticed, in the middle of a piece.
Where it can (Linux), the system itself kills the process group when the supervisor is gone, also
while a piece is in code that lets no thread run.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import threading
from collections import deque
from collections.abc import Callable
from threading import RLock
from typing import Any, Final, NoReturn

from engine.core import codec
from tui.farm.protocol import (
    NO_MEMORY,
    Answer,
    Assignment,
    Batch,
    Frames,
    Order,
    Ready,
    Recall,
    Returned,
    Unfit,
    WorkTypes,
    carry_out,
    cause_of,
    framed,
    types_of,
    work_of,
)

_CHUNK: Final = 1 << 18


def main(life: int) -> NoReturn:
    """Serve the supervisor that started this process, until it closes the pipe.

    Standard input and output are the pipes. The pieces get others, which lead nowhere.

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


def end_with(life: int) -> None:
    """Have the system kill this process group when a pipe's other end is closed, if it can."""
    fcntl.fcntl(life, fcntl.F_SETFD, fcntl.FD_CLOEXEC)
    if hasattr(fcntl, "F_SETSIG"):
        fcntl.fcntl(life, fcntl.F_SETOWN, -os.getpgrp())
        fcntl.fcntl(life, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(life, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
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
    inbox = Inbox(orders, answers)
    first = inbox.first()
    try:
        work = work_of(first.work)
        types = types_of(work)
        function = work(codec.decoder(types.setup).decode(first.setup))
    except MemoryError:
        os._exit(NO_MEMORY)
    except BaseException as problem:  # noqa: BLE001 - the supervisor says what is wrong
        inbox.answer(Unfit(cause_of(problem)))
        end()
    inbox.answer(Ready())
    while True:
        _carry_out_next(inbox, function, types, first.processor_time)


def _carry_out_next(
    inbox: Inbox, function: Callable[[Any], Any], types: WorkTypes, processor_time: float | None
) -> None:
    """Wait for a piece and carry it out; the system ends the process if it takes too long."""
    number, data = inbox.next_piece()
    try:
        signal.setitimer(signal.ITIMER_PROF, processor_time or 0)
        answer = carry_out(function, types, number, data)
        signal.setitimer(signal.ITIMER_PROF, 0)
    except MemoryError:
        os._exit(NO_MEMORY)
    inbox.answer(answer)


class Inbox:
    """Pieces that wait for this worker, and the way back. A thread fills it from the pipe."""

    def __init__(self, orders: int, answers: int) -> None:
        self._orders, self._answers = orders, answers
        self._first: deque[Assignment] = deque()
        self._pieces: deque[tuple[int, bytes]] = deque()
        self._waiting = threading.Semaphore(0)
        """Counts the assignment and the pieces, also those that were given back."""
        self._writing = threading.Lock()
        threading.Thread(target=self._read, daemon=True).start()

    def first(self) -> Assignment:
        """The work of this process."""
        self._waiting.acquire()
        return self._first.popleft()

    def next_piece(self) -> tuple[int, bytes]:
        """Number and content of the next piece, as soon as there is one."""
        while True:
            self._waiting.acquire()
            with contextlib.suppress(IndexError):  # it was given back
                return self._pieces.popleft()

    def answer(self, message: Answer) -> None:
        """Send a message to the supervisor; if it is gone, end."""
        data = memoryview(framed(message))
        with self._writing:
            try:
                while data:
                    data = data[os.write(self._answers, data) :]
            except OSError:
                end()

    def _read(self) -> None:
        """Take in what comes, until the supervisor hangs up."""
        frames = Frames(Order)
        try:
            while data := os.read(self._orders, _CHUNK):
                for message in frames.messages(data):
                    self._take(message)
        finally:
            end()

    def _take(self, message: Order) -> None:
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
        """Numbers of the pieces that nobody has begun; they are no longer there."""
        numbers = []
        with contextlib.suppress(IndexError):
            while True:
                numbers.append(self._pieces.pop()[0])
        return numbers[::-1]
