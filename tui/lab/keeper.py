"""Keeper of the bots of one process: ends them when that process is gone, however it went.

It is run by its path, on standard input, which nobody else holds. A line there is the number of a
session that was begun, or with ``-`` before it of one that was ended. Nothing of the program is
imported, so that it starts at once and stays small.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time

MARK = "BANNERET_BOT"
"""Variable in the environment of every bot."""

_PATIENCE = 10.0
"""Seconds after which processes that are still started are given up."""

_PAUSE = 0.01


def main(mark: str) -> None:
    """Wait until standard input ends, then end all that bears a mark or is of a known session."""
    sessions: set[int] = set()
    for line in sys.stdin:
        number = int(line)
        if number > 0:
            sessions.add(number)
        else:
            sessions.discard(-number)
    until = time.monotonic() + _PATIENCE
    while end_all(sessions, mark.encode()) and time.monotonic() < until:
        time.sleep(_PAUSE)


def end_all(sessions: set[int], mark: bytes) -> int:
    """End the processes of sessions and those that bear a mark; the number of those found."""
    for session in sessions:
        with contextlib.suppress(OSError):
            os.killpg(session, signal.SIGKILL)
    found = 0
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():  # noqa: PTH112, PTH208 - starts sooner
        if name.isdecimal() and (_session(name) in sessions or is_marked(name, mark)):
            found += 1
            try:
                os.kill(int(name), signal.SIGKILL)
            except OSError:
                found -= 1
    return found


def is_marked(process: int | str, mark: bytes) -> bool:
    """True if a process was started with a mark in its environment, or one that begins with it."""
    try:
        with open(f"/proc/{process}/environ", "rb") as file:  # noqa: PTH123
            words = file.read().split(b"\0")
    except OSError:
        return False
    return any(word.startswith(MARK.encode() + b"=" + mark) for word in words)


def _session(process: str) -> int:
    """Session of a process; 0 if it is a zombie or gone."""
    try:
        with open(f"/proc/{process}/stat", "rb") as file:  # noqa: PTH123
            words = file.read().rpartition(b")")[2].split()
    except OSError:
        return 0
    return 0 if words[0] in {b"Z", b"X"} else int(words[3])


if __name__ == "__main__":
    main(sys.argv[1])
