"""The one door for files that a command is given: regular ones only, read up to a bound.

A pipe would wait for a writer, a device may never end, and a large file takes its size in memory.
"""

from __future__ import annotations

import errno
import os
import stat
import tomllib
from pathlib import Path
from typing import Any, BinaryIO, Final

from tui.console.exits import Wrong

MOST_SETTINGS: Final = 1 << 20
"""Most bytes of a player's own file of settings, keys or macros."""


def opened(path: Path) -> BinaryIO:
    """Open a regular file for reading, without waiting.

    Raises:
        OSError: it cannot be opened, or is no regular file.
    """
    try:
        number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except ValueError as problem:  # a null character in the name
        raise OSError(errno.EINVAL, str(problem)) from None
    refused = _refusal(os.fstat(number).st_mode)
    if refused is not None:
        os.close(number)
        raise refused
    return os.fdopen(number, "rb")


def _refusal(mode: int) -> OSError | None:
    """Reason why a file of this mode is not read; None for a regular one."""
    if stat.S_ISDIR(mode):
        return IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    return None if stat.S_ISREG(mode) else OSError(errno.EINVAL, "not a regular file")


def read_file(path: Path, most: int) -> bytes:
    """Bytes of a regular file.

    Raises:
        OSError: it cannot be read, is no regular file, or has more than ``most`` bytes.
    """
    with opened(path) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"larger than {most} bytes")
    return data


def content(path: Path, most: int) -> bytes:
    """Bytes of a regular file, for a command.

    Raises:
        Wrong: it cannot be read, is no regular file, or has more than ``most`` bytes.
    """
    try:
        return read_file(path, most)
    except OSError as problem:
        raise Wrong(f"{path}: {problem.strerror}") from None


def settings_in(path: Path) -> dict[str, Any]:
    """The table in a player's own TOML file.

    Raises:
        OSError: it cannot be read.
        ValueError: it is no TOML, or nested too deeply.
    """
    try:
        return tomllib.loads(read_file(path, MOST_SETTINGS).decode())
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
