"""Lock of a host's folder: one host at a time, and whether one runs."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tui.console.exits import Wrong


@contextmanager
def only_host(folder: Path) -> Iterator[None]:
    """Lock a folder against other hosts during a ``with`` block; the lock ends with the process.

    Raises:
        Wrong: another host uses it.
    """
    fd = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise Wrong(f"{folder}: another host runs with this folder") from None
    finally:
        os.close(fd)


def host_runs(folder: Path) -> bool:
    """Return whether a host runs with a folder."""
    fd = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(fd)
    return False
