"""Work functions for the tests of the farm: well-behaved ones, and one for each failure."""

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
    """A number, and the deed to do before returning it."""

    deed: str
    number: int = 0


class Sum(Record, frozen=True):
    """A result that contains a plane."""

    total: int
    cells: Plane | None = None


def squares(setup: int) -> Callable[[int], int]:
    """Return the square of a number plus the setup."""
    return lambda piece: piece * piece + setup


def lists(setup: tuple[int, ...]) -> Callable[[tuple[int, str]], tuple[int, tuple[str, ...]]]:
    """Return nested tuples."""
    return lambda piece: (piece[0] + sum(setup), (piece[1],) * piece[0])


def planes(setup: None) -> Callable[[int], Sum]:
    """Return a square plane of zeros with the given side."""
    return lambda side: Sum(side, Plane(np.zeros((side, side), np.int32)))


def bytes_of(setup: bytes) -> Callable[[int], bytes]:
    """Return the setup repeated ``count`` times."""
    return lambda count: setup * count


def naps(setup: float) -> Callable[[float], float]:
    """Sleep for the given seconds."""

    def nap(piece: float) -> float:
        time.sleep(piece)
        return piece + setup

    return nap


def deeds(folder: str) -> Callable[[Order], int]:
    """Do a deed. ``once-`` limits it to the first attempt; ``then-`` skips the first attempt."""

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
    """Kill the parent process, which keeps this one."""
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
    """Start a process that stays, and mark its number."""
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
    Path(folder, f"child-{child.pid}").touch()


def _forks_and_leaves(folder: str) -> None:
    """Leave a process that holds the pipes."""
    child = os.fork()
    if child == 0:
        time.sleep(1000)
    Path(folder, f"child-{child}").touch()
    os._exit(5)


def _starts_and_hangs(folder: str) -> None:
    _starts(folder)
    time.sleep(1000)


def _is_deaf(folder: str) -> None:
    """Hold the interpreter's lock: no other thread of this process can run."""
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
    """Return results that are no data."""
    return lambda piece: object() if piece == 1 else piece


def untrue(setup: None) -> Callable[[int], str]:
    """Return results of another type than annotated."""
    return lambda piece: piece  # type: ignore[return-value]  # that is the point


def unready(setup: int) -> Callable[[int], int]:
    """Fail during setup."""
    raise ValueError(f"no setup {setup}")


def stillborn(setup: int) -> Callable[[int], int]:
    """Exit before the setup is done."""
    os._exit(setup)


def only_child(folder: str) -> Callable[[float], int]:
    """Nap in the first process; exit in every other one."""
    try:
        Path(folder, "first").touch(exist_ok=False)
    except FileExistsError:
        os._exit(7)
    return busy_process(None)


def untyped(setup, piece):  # type: ignore[no-untyped-def]  # that is the point
    """Work function without annotations."""


def process(setup: None) -> Callable[[int], int]:
    """Return the process id."""
    return lambda piece: os.getpid()


def busy_process(setup: None) -> Callable[[float], int]:
    """Return the process id after a nap."""

    def nap(piece: float) -> int:
        time.sleep(piece)
        return os.getpid()

    return nap


def marking(path: str) -> Callable[[int], int]:
    """Append the piece to a file when it begins."""

    def mark(piece: int) -> int:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(f"{piece}\n")
        return sum(range(40_000))

    return mark


def pairs(setup: int) -> Callable[[int, int], int]:
    """Work function with two arguments."""
    return lambda one, other: one + other


FLIP = "FARM_TEST_FLIP"
"""Environment variable with a file path; the first process to create the file throws wrong dice."""


def throws(fair: int) -> Callable[[int], tuple[int, ...]]:
    """Throw dice by seed. A faulty process flips the first die, except for seeds below ``fair``."""
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
    """Return a greeting equal in all processes."""
    return b"rules 7f3a, numpy 2"


def other_greeting() -> bytes:
    """Return a greeting unique to this process."""
    return f"process {os.getpid()}".encode()


def daemons(setup: str) -> Callable[[int], int]:
    """Start a process that leaves the session and its parent; return its process id."""

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
