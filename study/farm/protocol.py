"""Protocol between supervisor and workers: work by name, messages and frames.

A worker reads its work and its pieces from one pipe and writes results to another. A message is a
MessagePack value after its length, so the same bytes can go to another machine.
"""

from __future__ import annotations

import collections.abc
import os
import sys
import traceback
import typing
from collections.abc import Callable, Iterator
from importlib import import_module
from time import perf_counter
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from engine.core.codec import decoder, encode
from engine.core.printable import clipped

NO_MEMORY: Final = 112
"""Exit code of a worker that ran out of memory."""

_LONGEST_CAUSE: Final = 300
"""Maximum characters of an exception's text."""

CHUNK: Final = 1 << 18
"""Maximum bytes of one read from a pipe."""

LONGEST_FRAME: Final = 1 << 27
"""Maximum bytes of a message from a worker. Stray text, read as a length, exceeds it."""

_LENGTH: Final = 4
"""Bytes of a frame's length, the most significant one first."""


# -- work --------------------------------------------------------------------------------------


class WorkTypes(NamedTuple):
    """Types of a work function, from its annotations."""

    setup: Any
    piece: Any
    value: Any


def name_of(work: Callable[..., Any]) -> str:
    """Return the name of a work function as "module:function".

    Raises:
        ValueError: another process would not find it by that name.
    """
    home, name = sys.modules.get(getattr(work, "__module__", "")), getattr(work, "__name__", "")
    spec = getattr(home, "__spec__", None)
    if spec is None or getattr(home, name, None) is not work:
        raise ValueError(f"{work!r} is no function at the top of a module that can be imported")
    return f"{spec.name}:{name}"


def function_of(name: str) -> Callable[..., Any]:
    """Import and return the function with a name ``module:function``."""
    module, _, function = name.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), function)
    return found


_roles: Final[list[str]] = []


def become_worker() -> None:
    """Mark this process as a worker: it only does what a supervisor sends."""
    _roles.append("worker")


def is_worker() -> bool:
    """Return whether this process is a worker of a farm."""
    return bool(_roles)


def greeting_of(name: str) -> bytes:
    """Return the greeting of this process from the named function; empty without a name."""
    said: bytes = function_of(name)() if name else b""
    return said


def types_of(work: Callable[..., Any]) -> WorkTypes:
    """Return the types of the setup, the pieces and the results of a work function.

    Raises:
        ValueError: its annotations do not give them.
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


# -- pieces ------------------------------------------------------------------------------------


class Piece:
    """Piece of a run that has no result yet."""

    __slots__ = ("breaks", "data", "deaths", "number", "value", "voters")

    def __init__(self, number: int, value: Any) -> None:
        self.number, self.value = number, value
        self.data = encode(value)
        self.deaths = 0
        """Number of workers that died while doing it."""
        self.breaks = 0
        """Number of links that broke while a worker may have been busy with it.

        If it is above 0, the piece is given out alone.
        """
        self.voters: tuple[str, ...] = ()
        """Names of workers that have done it; a further one must do it too."""


# -- messages ----------------------------------------------------------------------------------


class Assignment(msgspec.Struct, tag=1, array_like=True):
    """First message to a worker: its work, and the limits of a piece."""

    work: str
    setup: bytes
    processor_time: float | None = None
    memory: int | None = None
    """Maximum bytes of address space of the process."""
    greet: str = ""
    """Name of the function that returns the greeting; empty if no greeting is wanted."""
    deadline: float | None = None
    """Seconds of wall-clock time. The supervisor watches them if it has a pipe to the worker."""


class Batch(msgspec.Struct, tag=2, array_like=True):
    """Pieces for a worker, by number."""

    pieces: list[tuple[int, bytes]]


class Recall(msgspec.Struct, tag=3, array_like=True):
    """Request for the pieces that a worker has not begun."""


class Ready(msgspec.Struct, tag=4, array_like=True):
    """Message of a worker that accepts pieces; its greeting must equal that of the farm."""

    greeting: bytes = b""


class Unfit(msgspec.Struct, tag=5, array_like=True):
    """A worker cannot be set up; it may greet."""

    cause: str
    greeting: bytes = b""


class Finished(msgspec.Struct, tag=6, array_like=True):
    """A piece was done; has its result."""

    number: int
    value: bytes
    seconds: float


class Failed(msgspec.Struct, tag=7, array_like=True):
    """A piece raised an exception."""

    number: int
    cause: str
    seconds: float


class Returned(msgspec.Struct, tag=8, array_like=True):
    """Numbers of pieces that a worker gives back unbegun."""

    numbers: list[int]


class Dropped(msgspec.Struct, tag=9, array_like=True):
    """A piece was lost permanently on the worker's machine, which has retried it."""

    number: int
    kind: str
    cause: str


class Ended(msgspec.Struct, tag=10, array_like=True):
    """A worker on another machine has ended, and how: "SIGSEGV", "exit code 3"."""

    end: str


WorkerOrder: TypeAlias = Assignment | Batch | Recall
WorkerAnswer: TypeAlias = Ready | Unfit | Finished | Failed | Returned | Dropped | Ended


def carry_out(
    function: Callable[[Any], Any], types: WorkTypes, number: int, data: bytes
) -> Finished | Failed:
    """Do one piece; an exception becomes its result, except Ctrl-C and lack of memory.

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
    if len(value) > LONGEST_FRAME // 2:
        return Failed(number, f"a result of {len(value)} bytes is too long", perf_counter() - begun)
    return Finished(number, value, perf_counter() - begun)


def cause_of(problem: BaseException) -> str:
    """Return type, text and place of an exception in one line."""
    text = " ".join(clipped(str(problem), _LONGEST_CAUSE).split())
    place = traceback.extract_tb(problem.__traceback__)[-1:]
    where = "".join(f" ({os.path.basename(at.filename)}:{at.lineno})" for at in place)  # noqa: PTH119
    return f"{type(problem).__name__}{': ' if text else ''}{text}{where}"


# -- frames ------------------------------------------------------------------------------------


def framed(message: WorkerOrder | WorkerAnswer) -> bytes:
    """Return a message as bytes, after their number."""
    data = msgspec.msgpack.encode(message)
    return len(data).to_bytes(_LENGTH, "big") + data


class Frames:
    """Splits the bytes of a pipe into messages."""

    def __init__(self, kind: Any, longest: int | None = None) -> None:
        """Expect messages of the union ``kind``, each of at most ``longest`` bytes."""
        self._decoder = msgspec.msgpack.Decoder(kind)
        self._longest = longest
        self._rest = bytearray()

    def messages(self, data: bytes) -> Iterator[Any]:
        """Yield the messages that these bytes complete.

        Raises:
            msgspec.MsgspecError: the bytes are not such a message.
        """
        self._rest += data
        at = 0
        try:
            while (begin := at + _LENGTH) <= len(self._rest):
                length = int.from_bytes(self._rest[at:begin], "big")
                if self._longest is not None and length > self._longest:
                    raise msgspec.DecodeError("no message is so long")
                end = begin + length
                if end > len(self._rest):
                    break
                message = self._decoder.decode(self._rest[begin:end])
                at = end
                yield message
        finally:
            del self._rest[:at]
