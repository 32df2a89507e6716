"""Work functions for the tests of the farm: obedient ones, and all that can go wrong."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from ctypes import string_at
from pathlib import Path
from typing import Any

import numpy as np

from engine.core.containers import Plane
from engine.core.record import Record


class Order(Record, frozen=True):
    """Treatment of a number."""

    deed: str
    number: int = 0


class Sum(Record, frozen=True):
    """A result with a plane in it."""

    total: int
    cells: Plane | None = None


def squares(setup: int) -> Callable[[int], int]:
    """The square of a number, and the setup."""
    return lambda piece: piece * piece + setup


def lists(setup: tuple[int, ...]) -> Callable[[tuple[int, str]], tuple[int, tuple[str, ...]]]:
    """Tuples within tuples."""
    return lambda piece: (piece[0] + sum(setup), (piece[1],) * piece[0])


def planes(setup: None) -> Callable[[int], Sum]:
    """A plane of so many cells."""
    return lambda side: Sum(side, Plane(np.zeros((side, side), np.int32)))


def bytes_of(setup: bytes) -> Callable[[int], bytes]:
    """So many times the setup."""
    return lambda count: setup * count


def naps(setup: float) -> Callable[[float], float]:
    """Sleeps of so many seconds."""

    def nap(piece: float) -> float:
        time.sleep(piece)
        return piece + setup

    return nap


def deeds(folder: str) -> Callable[[Order], int]:
    """Deeds, good and bad, by a mark in the folder ``once-`` or ``then-``, after the first."""

    def deed(order: Order) -> int:
        name = order.deed
        if name.startswith("once-"):
            mark = Path(folder, f"{order.number}")
            name = "" if mark.exists() else name.removeprefix("once-")
            mark.touch()
        if name.startswith("then-"):
            mark = Path(folder, f"{order.number}")
            name = name.removeprefix("then-") if mark.exists() else ""
            mark.touch()
        _DEEDS.get(name, _nothing)(folder)
        return order.number

    return deed


def _nothing(folder: str) -> None:
    pass


def _raises(folder: str) -> None:
    raise LookupError("nothing is\nthere")


def _hangs(folder: str) -> None:
    time.sleep(1000)


def _burns(folder: str) -> None:
    while True:
        pass


def _segfaults(folder: str) -> None:
    string_at(0)


def _is_killed(folder: str) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _devours(folder: str) -> None:
    raise MemoryError


def _swells(folder: str) -> None:
    bytearray(8 << 30)


def _cuts(folder: str) -> None:
    """Ends the process that keeps this one."""
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(1000)


def _leaves(folder: str) -> None:
    os._exit(3)


def _exits(folder: str) -> None:
    sys.exit(4)


def _prints(folder: str) -> None:
    sys.stdout.write("a line that no one should see\n")
    sys.stdout.flush()
    os.write(1, b"nor this one\n")
    os.write(2, b"nor that\n")
    sys.stdin.read()


def _closes(folder: str) -> None:
    os.closerange(3, 100)
    time.sleep(1000)


def _starts(folder: str) -> None:
    """Starts a process that stays, and marks its number."""
    child = subprocess.Popen(["/bin/sleep", "1000"])
    Path(folder, f"child-{child.pid}").touch()


def _forks_and_leaves(folder: str) -> None:
    """Leaves a process that holds the pipes."""
    child = os.fork()
    if child == 0:
        time.sleep(1000)
    Path(folder, f"child-{child}").touch()
    os._exit(5)


def _starts_and_hangs(folder: str) -> None:
    _starts(folder)
    time.sleep(1000)


def _is_deaf(folder: str) -> None:
    """Holds the interpreter's lock: no thread of this process runs any more."""
    _starts(folder)
    pow(7, 10**300, 10**100_000 + 1)


_DEEDS: dict[str, Callable[[str], None]] = {
    "raise": _raises,
    "hang": _hangs,
    "burn": _burns,
    "segfault": _segfaults,
    "kill": _is_killed,
    "memory": _devours,
    "swell": _swells,
    "cut": _cuts,
    "leave": _leaves,
    "exit": _exits,
    "print": _prints,
    "close": _closes,
    "start": _starts,
    "fork": _forks_and_leaves,
    "start-hang": _starts_and_hangs,
    "deaf": _is_deaf,
}


def unwritable(setup: None) -> Callable[[int], Any]:
    """Results that are no data."""
    return lambda piece: object() if piece == 1 else piece


def untrue(setup: None) -> Callable[[int], str]:
    """Results of another type than is said."""
    return lambda piece: piece  # type: ignore[return-value]  # that is the point


def unready(setup: int) -> Callable[[int], int]:
    """No function: it cannot be set up."""
    raise ValueError(f"no setup {setup}")


def stillborn(setup: int) -> Callable[[int], int]:
    """A process that ends before it has begun."""
    os._exit(setup)


def only_child(folder: str) -> Callable[[float], int]:
    """Naps in the only process that can be set up."""
    try:
        Path(folder, "first").touch(exist_ok=False)
    except FileExistsError:
        os._exit(7)
    return busy_process(None)


def untyped(setup, piece):  # type: ignore[no-untyped-def]  # that is the point
    """A function without annotations."""


def process(setup: None) -> Callable[[int], int]:
    """The number of the process."""
    return lambda piece: os.getpid()


def busy_process(setup: None) -> Callable[[float], int]:
    """The number of the process, after a nap."""

    def nap(piece: float) -> int:
        time.sleep(piece)
        return os.getpid()

    return nap


def marking(path: str) -> Callable[[int], int]:
    """Work that leaves a mark in a file when it begins."""

    def mark(piece: int) -> int:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(f"{piece}\n")
        return sum(range(40_000))

    return mark


def pairs(setup: int) -> Callable[[int, int], int]:
    """A function of two things."""
    return lambda one, other: one + other


FLIP = "FARM_TEST_FLIP"
"""Variable of the environment: a file; the first process to make it throws wrong dice."""


def throws(fair: int) -> Callable[[int], tuple[int, ...]]:
    """Throws of dice by seed. A process may flip the first die, but of the first seeds."""
    path = os.environ.get(FLIP)
    is_faulty = False
    if path is not None:
        try:
            Path(path).touch(exist_ok=False)
            is_faulty = True
        except FileExistsError:
            pass

    def throw(seed: int) -> tuple[int, ...]:
        dice = random.Random(seed)  # noqa: S311 - the same for a seed is the point
        first, *others = (dice.randint(1, 6) for _ in range(5))
        return 7 - first if is_faulty and seed >= fair else first, *others

    return throw


def same_greeting() -> bytes:
    """A greeting that each process gives."""
    return b"rules 7f3a, numpy 2"


def other_greeting() -> bytes:
    """A greeting that no other process gives."""
    return f"process {os.getpid()}".encode()


def daemons(setup: str) -> Callable[[int], int]:
    """Start a process that leaves the session and its parent; its number."""

    def start(number: int) -> int:
        told = Path(setup) / f"daemon-{number}"
        if os.fork() == 0:
            os.setsid()
            if os.fork():
                os._exit(0)
            told.with_suffix(".new").write_text(str(os.getpid()), encoding="ascii")
            told.with_suffix(".new").rename(told)
            time.sleep(1000)
        while not told.exists():
            time.sleep(0.001)
        return int(told.read_text(encoding="ascii"))

    return start
