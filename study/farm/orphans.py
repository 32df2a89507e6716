"""Kill the processes that a worker's pieces left behind, in any session and process group.

They are found by a mark in their environment: copies of the worker and programs that it starts
inherit it. Without ``/proc``, only the process group of a worker is known.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from secrets import token_hex
from typing import Final

_MARK: Final = "BANNERET_WORKER"
"""Variable in the environment of every worker."""

_LAST_ROUND: Final = 5.0
"""Seconds after which processes that do not end are left alone."""

_PAUSE: Final = 0.005


def new_mark() -> str:
    """Return the mark of a worker to be started, which begins with that of this process."""
    return f"{os.environ.get(_MARK, '')}{token_hex(8)}."


def marked(mark: str) -> dict[str, str]:
    """Return the environment of a worker with a mark."""
    return {**os.environ, _MARK: mark}


def end_orphans(mark: str) -> None:
    """Kill all processes with a mark, repeatedly until none is left."""
    until, word = time.monotonic() + _LAST_ROUND, f"{_MARK}={mark}".encode()
    while (found := _with(word)) and time.monotonic() < until:
        for process in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        time.sleep(_PAUSE)


def _with(word: bytes) -> list[int]:
    """Return the processes with a variable in their environment. Ended ones have none."""
    found = []
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():  # noqa: PTH112, PTH208 - fast
        if name.isdecimal() and int(name) != os.getpid():
            with (
                contextlib.suppress(OSError),
                open(f"/proc/{name}/environ", "rb") as file,  # noqa: PTH123 - as above
            ):
                if any(each.startswith(word) for each in file.read().split(b"\0")):
                    found.append(int(name))
    return found
