"""Kill the bots of a process when it dies, however it dies.

Runs as a script; no other process holds its standard input. Each line is a session number: plain at
its start, with ``-`` in front at its end. Imports nothing of the program, so that it starts at once
and stays small.
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
"""Maximum seconds of killing, in case new processes keep appearing."""

_PAUSE = 0.01


def main(mark: str) -> None:
    """Wait until standard input ends, then kill all marked processes and all known sessions."""
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
    """Kill the processes of sessions and those with a mark; return how many were found."""
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
    """Return whether a mark in the environment of a process begins with ``mark``."""
    try:
        with open(f"/proc/{process}/environ", "rb") as file:  # noqa: PTH123
            words = file.read().split(b"\0")
    except OSError:
        return False
    return any(word.startswith(MARK.encode() + b"=" + mark) for word in words)


def stat_words(process: int | str) -> list[bytes]:
    """Return the state and the numbers of a process; none if it does not exist."""
    try:
        with open(f"/proc/{process}/stat", "rb") as file:  # noqa: PTH123
            return file.read().rpartition(b")")[2].split()
    except OSError:
        return []


def _session(process: str) -> int:
    """Return the session of a process; 0 if it is a zombie or gone."""
    words = stat_words(process)
    return int(words[3]) if words and words[0] not in {b"Z", b"X"} else 0


if __name__ == "__main__":
    main(sys.argv[1])
