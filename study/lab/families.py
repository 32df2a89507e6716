"""Families of bots: a process and all that it has started, even if it hides elsewhere.

They are found through ``/proc``: all processes in the session of the bot or below it, and orphans
with its mark in their environment. Orphans become children of this process, so none is lost.
Without ``/proc`` only the process group is known.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from secrets import token_hex
from typing import IO, Final, NamedTuple

from study.lab import keeper

_LAST_ROUND: Final = 5.0
"""Seconds after which processes that do not end are left alone."""

_LONGEST_PAUSE: Final = 0.02
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")
_HAS_PROC: Final = Path("/proc/self/stat").exists()
_SET_SUBREAPER: Final = 36


class ProcessRow(NamedTuple):
    """A process of this machine, as ``/proc`` shows it."""

    process: int
    is_alive: bool
    is_running: bool
    """True if it works, or waits for a processor."""
    parent: int
    group: int
    session: int
    seconds: float
    """Processor time, with that of reaped children."""
    memory: int
    """Bytes in use."""


def process_rows() -> Iterator[ProcessRow]:
    """Yield a row for each process of this machine."""
    if _HAS_PROC:
        for name in os.listdir("/proc"):  # noqa: PTH208 - a third of the time of iterdir()
            if name.isdecimal() and (row := process_row(int(name))) is not None:
                yield row


def process_row(process: int) -> ProcessRow | None:
    """Return the row of one process, or None if it does not exist."""
    try:
        with open(f"/proc/{process}/stat", "rb") as file:  # noqa: PTH123 - as above
            words = file.read().rpartition(b")")[2].split()
    except OSError:
        return None
    parent, group, session = map(int, words[1:4])
    seconds = sum(map(int, words[11:15])) / _TICKS
    is_alive, is_running, memory = words[0] not in {b"Z", b"X"}, words[0] == b"R", int(words[21])
    return ProcessRow(
        process, is_alive, is_running, parent, group, session, seconds, memory * _PAGE
    )


class BotFamily:
    """A bot's process, its group and session, and all that it has started."""

    def __init__(self, process: int, mark: str) -> None:
        """Name a process; ``mark`` is in its environment under ``keeper.MARK``."""
        self.process = process
        self._mark = mark.encode()

    def limit(self, memory: int) -> None:
        """Limit the bytes of address space, and forbid core files."""
        if hasattr(resource, "prlimit"):
            for kind, most in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CORE, 0)):
                with contextlib.suppress(OSError, ValueError):
                    resource.prlimit(self.process, kind, (most, most))

    def living(self) -> list[ProcessRow]:
        """Return the rows of the running processes, and reap those that have ended."""
        rows = self._rows()
        _wait_for(row.process for row in rows if row.process != self.process and not row.is_alive)
        return [row for row in rows if row.is_alive]

    def kill(self) -> int:
        """Kill repeatedly until only the bot itself remains to be reaped.

        Returns how many other processes ran at the beginning.
        """
        until, pause = time.monotonic() + _LAST_ROUND, 0.0005
        seen: set[int] = set()
        rows = self._rows()
        others = sum(row.is_alive and row.process != self.process for row in rows)
        while True:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process, signal.SIGKILL)
            for row in rows:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(row.process, signal.SIGKILL)
            seen.update(row.process for row in rows if row.process != self.process)
            _wait_for(seen)
            is_left = any(row.is_alive or row.process != self.process for row in rows)
            if not is_left or time.monotonic() >= until:
                return others
            time.sleep(pause)
            pause = min(_LONGEST_PAUSE, 2 * pause)
            rows = self._rows()

    def _rows(self) -> list[ProcessRow]:
        """Return the rows of the family: its session, marked orphans, and their descendants."""
        rows, here = list(process_rows()), os.getpid()
        found = {
            row.process
            for row in rows
            if self.process in {row.process, row.group, row.session}
            or (row.parent == here and row.is_alive and keeper.is_marked(row.process, self._mark))
        }
        while more := {row.process for row in rows if row.parent in found} - found:
            found |= more
        return [row for row in rows if row.process in found]


def _wait_for(processes: Iterable[int]) -> None:
    """Reap those of these processes that have ended and are children of this one."""
    for process in tuple(processes):
        with contextlib.suppress(ChildProcessError):
            os.waitpid(process, os.WNOHANG)


# -- the keeper --------------------------------------------------------------------------------


class BotKeeper:
    """The keeper of this process's bots (see ``study.lab.keeper``), with care for their orphans."""

    def __init__(self) -> None:
        """Start the keeper."""
        self.mark = token_hex(8)
        """Beginning of the marks of all bots of this process."""
        self._bots = self._running = 0
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter
            [sys.executable, "-I", "-S", keeper.__file__, self.mark],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        atexit.register(self.close)

    def begin(self) -> str:
        """Return the mark of a bot to be started, and adopt orphans from now on."""
        self._bots += 1
        self._running += 1
        if self._running == 1:
            _become_subreaper(is_one=True)
        return f"{self.mark}.{self._bots}."

    def watch(self, process: int) -> None:
        """Have the keeper kill a bot if this process dies."""
        self._tell(process)

    def end(self, process: int | None) -> None:
        """Note that a bot has ended; None means that it was not started."""
        if process is not None:
            self._tell(-process)
        self._running -= 1
        if self._running == 0:
            _become_subreaper(is_one=False)

    def close(self) -> None:
        """End the keeper; it kills the bots that are left."""
        self._stdin.close()
        self._process.wait()

    @property
    def _stdin(self) -> IO[bytes]:
        assert self._process.stdin is not None  # noqa: S101 - it was asked for
        return self._process.stdin

    def _tell(self, number: int) -> None:
        with contextlib.suppress(OSError, ValueError):
            os.write(self._stdin.fileno(), b"%d\n" % number)


@cache
def bot_keeper() -> BotKeeper:
    """Return the keeper of this process; it is started on the first call."""
    return BotKeeper()


def guard_workers() -> None:
    """Have everything that workers leave behind end with this process, however it ends."""
    os.environ.setdefault(keeper.MARK, bot_keeper().mark)


def _become_subreaper(*, is_one: bool) -> None:
    """Make orphans below this process its children, or stop that; does nothing except on Linux."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET_SUBREAPER, int(is_one), 0, 0, 0)
