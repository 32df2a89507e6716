"""Protocol between supervisor and workers: work by name, messages, frames, and the way to a worker.

A worker reads its work and its pieces from one pipe and writes results to another. A message is a
MessagePack value behind its length, so the same bytes can go to another machine.
"""

from __future__ import annotations

import collections.abc
import contextlib
import json
import os
import signal
import subprocess
import sys
import traceback
import typing
from collections import deque
from collections.abc import Callable, Iterator
from importlib import import_module
from time import monotonic, perf_counter
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from engine.core.codec import decoder, encode
from engine.core.printable import clipped

NO_MEMORY: Final = 112
"""Exit code of a worker that got no more memory."""

_LONGEST_CAUSE: Final = 300
"""Characters of an exception's text."""

_CHUNK: Final = 1 << 18
"""Bytes that are read from a pipe at once."""

_LENGTH: Final = 4
"""Bytes of a frame's length, the most significant one first."""

_BOOT: Final = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from tui.farm.worker import main; main(int(sys.argv[2]))"
)
"""Program of a worker; its arguments are the path of modules and the pipe of its life."""


# -- work --------------------------------------------------------------------------------------


class WorkTypes(NamedTuple):
    """Types of a work function, from its annotations."""

    setup: Any
    piece: Any
    value: Any


def name_of(work: Callable[..., Any]) -> str:
    """Name of a work function as "module:function".

    Raises:
        ValueError: another process would not find it by that name.
    """
    home, name = sys.modules.get(getattr(work, "__module__", "")), getattr(work, "__name__", "")
    spec = getattr(home, "__spec__", None)
    if spec is None or getattr(home, name, None) is not work:
        raise ValueError(f"{work!r} is no function at the top of a module that can be imported")
    return f"{spec.name}:{name}"


def work_of(name: str) -> Callable[[Any], Callable[[Any], Any]]:
    """Work function of a name."""
    module, _, function = name.partition(":")
    found: Callable[[Any], Callable[[Any], Any]] = getattr(import_module(module), function)
    return found


def types_of(work: Callable[..., Any]) -> WorkTypes:
    """Types of the setup, the pieces and the results of a work function.

    Raises:
        ValueError: its annotations do not say them.
    """
    try:
        hints = typing.get_type_hints(work)
    except NameError as problem:
        raise ValueError(f"{work!r}: {problem}") from None
    returned = hints.pop("return", None)
    shape = typing.get_args(returned)
    if typing.get_origin(returned) is not collections.abc.Callable or len(hints) != 1:
        raise ValueError(f"{work!r} needs annotations (setup: S) -> Callable[[P], R]")
    if shape[0] is ... or len(shape[0]) != 1:
        raise ValueError(f"{work!r} returns a function of one piece, and says of which type")
    (setup,) = hints.values()
    return WorkTypes(setup, shape[0][0], shape[1])


# -- messages ----------------------------------------------------------------------------------


class Assignment(msgspec.Struct, tag=1, array_like=True):
    """First message to a worker: its work, and how long a piece may take of the processor."""

    work: str
    setup: bytes
    processor_time: float | None


class Batch(msgspec.Struct, tag=2, array_like=True):
    """Pieces for a worker, by number."""

    pieces: list[tuple[int, bytes]]


class Recall(msgspec.Struct, tag=3, array_like=True):
    """Demand for the pieces that a worker has not begun."""


class Ready(msgspec.Struct, tag=4, array_like=True):
    """A worker is set up."""


class Unfit(msgspec.Struct, tag=5, array_like=True):
    """A worker cannot be set up."""

    cause: str


class Finished(msgspec.Struct, tag=6, array_like=True):
    """A piece was carried out."""

    number: int
    value: bytes
    seconds: float


class Failed(msgspec.Struct, tag=7, array_like=True):
    """A piece raised an exception."""

    number: int
    cause: str
    seconds: float


class Returned(msgspec.Struct, tag=8, array_like=True):
    """Numbers of the pieces that a worker gives back."""

    numbers: list[int]


Order: TypeAlias = Assignment | Batch | Recall
Answer: TypeAlias = Ready | Unfit | Finished | Failed | Returned


def carry_out(
    function: Callable[[Any], Any], types: WorkTypes, number: int, data: bytes
) -> Finished | Failed:
    """Carry out one piece. Whatever it raises is its result, but for Ctrl-C.

    Raises:
        MemoryError: there is not enough memory for it.
    """
    begun = perf_counter()
    try:
        value = encode(function(decoder(types.piece).decode(data)))
    except (MemoryError, KeyboardInterrupt):
        raise
    except BaseException as problem:  # noqa: BLE001 - also sys.exit() in a piece is its own affair
        return Failed(number, cause_of(problem), perf_counter() - begun)
    return Finished(number, value, perf_counter() - begun)


def cause_of(problem: BaseException) -> str:
    """Type, text and place of an exception in one line."""
    text = " ".join(clipped(str(problem), _LONGEST_CAUSE).split())
    place = traceback.extract_tb(problem.__traceback__)[-1:]
    where = "".join(f" ({os.path.basename(at.filename)}:{at.lineno})" for at in place)  # noqa: PTH119
    return f"{type(problem).__name__}{': ' if text else ''}{text}{where}"


# -- frames ------------------------------------------------------------------------------------


def framed(message: Order | Answer) -> bytes:
    """Bytes of a message behind their number."""
    data = msgspec.msgpack.encode(message)
    return len(data).to_bytes(_LENGTH, "big") + data


class Frames:
    """Messages out of the bytes of a pipe."""

    def __init__(self, kind: Any) -> None:
        """``kind`` is the union of the messages that may come."""
        self._decoder = msgspec.msgpack.Decoder(kind)
        self._rest = bytearray()

    def messages(self, data: bytes) -> Iterator[Any]:
        """Messages that are complete with these bytes.

        Raises:
            msgspec.MsgspecError: the bytes are no such message.
        """
        self._rest += data
        at = 0
        try:
            while (begin := at + _LENGTH) <= len(self._rest):
                end = begin + int.from_bytes(self._rest[at:begin], "big")
                if end > len(self._rest):
                    break
                message = self._decoder.decode(self._rest[begin:end])
                at = end
                yield message
        finally:
            del self._rest[:at]


# -- the way to a worker -----------------------------------------------------------------------


class Piece:
    """Piece of a run on its way."""

    __slots__ = ("data", "deaths", "number", "value")

    def __init__(self, number: int, value: Any) -> None:
        self.number, self.value = number, value
        self.data = encode(value)
        self.deaths = 0


class WorkerProcess:
    """Supervisor's end of a worker: its process, its pipes, and the pieces it has in hand.

    The process leads a group of its own, so that whatever its pieces start ends with it.
    """

    def __init__(self, first: Assignment) -> None:
        """Start a process with its work.

        Raises:
            OSError: the system gives no process.
        """
        theirs, self._life = os.pipe()
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own interpreter
                (sys.executable, "-c", _BOOT, json.dumps(sys.path), str(theirs)),
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                pass_fds=(theirs,),
                start_new_session=True,
            )
        except OSError:
            os.close(self._life)
            raise
        finally:
            os.close(theirs)
        assert self._process.stdin is not None  # noqa: S101 - for the type checker
        assert self._process.stdout is not None  # noqa: S101 - for the type checker
        self.orders, self.answers = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self.orders, False)
        os.set_blocking(self.answers, False)
        self._frames = Frames(Answer)
        self._unsent = bytearray()
        self.hand: deque[Piece] = deque()
        self.is_ready = self.is_recalling = self.has_hung_up = False
        self.since = monotonic()
        """Moment since when it has been starting, or has had the first piece of its hand."""
        self.send(first)

    @property
    def has_unsent(self) -> bool:
        """True if the pipe did not take everything yet."""
        return bool(self._unsent)

    def send(self, message: Order) -> None:
        """Send a message, as far as the pipe takes it now."""
        self._unsent += framed(message)
        self.flush()

    def flush(self) -> None:
        """Send what is left to be sent, as far as the pipe takes it now."""
        with contextlib.suppress(BlockingIOError):
            try:
                while self._unsent:
                    del self._unsent[: os.write(self.orders, self._unsent)]
            except BrokenPipeError:
                self._unsent.clear()

    def received(self) -> Iterator[Answer]:
        """Messages that have come in; ``has_hung_up`` afterwards if no more will come."""
        with contextlib.suppress(BlockingIOError):
            while data := os.read(self.answers, _CHUNK):
                try:
                    yield from self._frames.messages(data)
                except msgspec.MsgspecError:
                    break
            self.has_hung_up = True

    def is_gone(self) -> bool:
        """True if the process has ended, also while something it started holds its pipe."""
        return self._process.poll() is not None

    def give(self, pieces: list[Piece]) -> None:
        """Give it pieces."""
        if not self.hand:
            self.since = monotonic()
        self.hand.extend(pieces)
        self.send(Batch([(piece.number, piece.data) for piece in pieces]))

    def finished(self, number: int) -> Piece | None:
        """Take the piece it had begun out of its hand; None if it speaks of another."""
        if not self.hand or self.hand[0].number != number:
            self.has_hung_up = True
            return None
        self.since = monotonic()
        return self.hand.popleft()

    def take_back(self, numbers: list[int]) -> list[Piece]:
        """Take pieces out of its hand that it did not begin."""
        back = [piece for piece in self.hand if piece.number in set(numbers)]
        self.hand = deque(piece for piece in self.hand if piece not in back)
        self.is_recalling = False
        return back

    def kill(self) -> None:
        """End the process and everything it started. An end it has met itself stays its end."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def close(self) -> None:
        """Kill it and close the pipes."""
        self.kill()
        os.close(self._life)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def end(self) -> str:
        """The end of a killed process: "SIGSEGV", "exit code 3", "no memory"."""
        code = self._process.returncode
        if code == NO_MEMORY:
            return "no memory"
        if code is not None and code < 0:
            with contextlib.suppress(ValueError):
                return signal.Signals(-code).name
        return f"exit code {code}"
