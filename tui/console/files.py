"""Files that people name: looking for one never fails, and reading one is bounded."""

from __future__ import annotations

import errno
import os
import stat
from codecs import BOM_UTF8
from pathlib import Path
from typing import Final

from tui.console.exits import Wrong

_LONGEST: Final = 200
"""Characters of a path that an error repeats."""


def is_file(path: str | Path) -> bool:
    """True if a path is that of a regular file.

    Unlike ``Path.is_file``, False for words that no file system accepts and for folders that
    cannot be searched: too long, with a NUL, in a loop of links, forbidden.
    """
    return os.path.isfile(path)  # noqa: PTH113 - see above


def is_folder(path: str | Path) -> bool:
    """True if a path is that of a folder; False as in ``is_file``."""
    return os.path.isdir(path)  # noqa: PTH112 - as there


def is_there(path: str | Path) -> bool:
    """True if a path is that of anything; False as in ``is_file``."""
    return os.path.exists(path)  # noqa: PTH110 - as there


def content(path: Path, most: int) -> bytes:
    """Bytes of a file without the byte order mark of UTF-8, read up to a limit.

    A pipe is read as long as somebody writes into it; one without a writer is empty.

    Raises:
        Wrong: it cannot be read, or has more than ``most`` bytes.
    """
    try:
        with open(path, "rb", opener=_without_waiting) as file:
            os.set_blocking(file.fileno(), True)
            data = file.read(most + 1)
    except (OSError, ValueError) as problem:
        raise unusable(path, problem) from None
    if len(data) > most:
        raise Wrong(f"{path}: larger than {most} bytes")
    return data.removeprefix(BOM_UTF8)


def unusable(path: str | Path, problem: OSError | ValueError) -> Wrong:
    """The exception that says in one line why a path cannot be used."""
    reason = problem.strerror if isinstance(problem, OSError) else problem
    return Wrong(f"{_shown(path)}: {reason or problem}")


def _without_waiting(path: str, flags: int) -> int:
    """Open a file; unlike ``open``, a pipe without a writer too.

    Raises:
        IsADirectoryError: it is a folder.
    """
    handle = os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC)
    if stat.S_ISDIR(os.fstat(handle).st_mode):
        os.close(handle)
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    return handle


def _shown(path: str | Path) -> str:
    text = str(path)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
