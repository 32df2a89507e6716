"""Files that people name: tests for existence never fail, reading is bounded and never blocks.

A pipe would wait for a writer, a device may never end, and a large file takes its size in memory.
"""

from __future__ import annotations

import errno
import os
import stat
import tomllib
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO, Final

from tui.console.exits import Wrong

MOST_SETTINGS: Final = 1 << 20
"""Maximum bytes of a player's own file of settings, keys or macros."""

SAVE_BEGINS: Final = b"\x95\xa6header"
"""First bytes of every saved game."""

_LONGEST: Final = 200
"""Maximum characters of a path that an error repeats."""

# -- looking for a file ----------------------------------------------------------------------------


def is_file(path: str | Path) -> bool:
    """Return whether a path is that of a regular file.

    Unlike ``Path.is_file``, False for paths that no file system accepts and for folders that cannot
    be searched: too long, with a NUL, in a loop of links, forbidden.
    """
    return os.path.isfile(path)  # noqa: PTH113 - see above


def is_folder(path: str | Path) -> bool:
    """Return whether a path is that of a folder; like ``is_file``, never raise."""
    return os.path.isdir(path)  # noqa: PTH112 - as there


def is_there(path: str | Path) -> bool:
    """Return whether a path exists; like ``is_file``, never raise."""
    return os.path.exists(path)  # noqa: PTH110 - as there


# -- reading a file --------------------------------------------------------------------------------


def opened(path: Path) -> BinaryIO:
    """Open a regular file for reading, without blocking.

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
    """Return why a file of this mode is not read; None for a regular one."""
    if stat.S_ISDIR(mode):
        return IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    return None if stat.S_ISREG(mode) else OSError(errno.EINVAL, "not a regular file")


def read_file(path: Path, most: int) -> bytes:
    """Return the bytes of a regular file.

    Raises:
        OSError: it cannot be read, is no regular file, or has more than ``most`` bytes.
    """
    with opened(path) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"larger than {most} bytes")
    return data


def content(path: Path, most: int) -> bytes:
    """Return the bytes of a regular file, for a command, without the byte order mark of UTF-8.

    Raises:
        Wrong: it cannot be read, is no regular file, or has more than ``most`` bytes.
    """
    try:
        return read_file(path, most).removeprefix(BOM_UTF8)
    except OSError as problem:
        raise unusable(path, problem) from None


def settings_in(path: Path) -> dict[str, Any]:
    """Return the table in a player's own TOML file.

    Raises:
        OSError: it cannot be read.
        ValueError: it is no TOML, or nested too deeply.
    """
    try:
        return tomllib.loads(read_file(path, MOST_SETTINGS).decode("utf-8-sig"))
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def unusable(path: str | Path, problem: OSError | ValueError) -> Wrong:
    """Return the exception that says in one line why a path cannot be used."""
    reason = problem.strerror if isinstance(problem, OSError) else problem
    text = str(path)
    shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
    return Wrong(f"{shown}: {reason or problem}")


# -- writing a file --------------------------------------------------------------------------------


def spare_save(path: Path) -> None:
    """Refuse to write to a path that is a saved game.

    Raises:
        Wrong: the path is a saved game.
    """
    with suppress(OSError):
        with opened(path) as file:
            start = file.read(len(SAVE_BEGINS))
        if start == SAVE_BEGINS:
            raise Wrong(f"{path} is a saved game; choose another file")


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Yield the path of a new file, which replaces ``path`` if the ``with`` block succeeds.

    If the block fails, the new file is removed. It has the suffix of the path, and an unused name.
    A link is followed, a file keeps its permissions, and devices and pipes are written to directly.

    Raises:
        OSError: it cannot be written.
        Wrong: the path is a saved game.
    """
    spare_save(path)
    path = Path(os.path.realpath(path))
    if is_there(path) and not is_file(path):
        yield path
        return
    part = _new_beside(path)
    try:
        yield part
        if is_file(path):
            part.chmod(stat.S_IMODE(path.stat().st_mode))
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def put_file(path: Path, content: bytes | Iterable[str]) -> None:
    """Write bytes, or pieces of text, to a file that a user named: all of it or nothing.

    Raises:
        Wrong: it cannot be written, or the path is a saved game.
    """
    try:
        with whole(path) as part, part.open("wb") as file:
            for piece in (content,) if isinstance(content, bytes) else content:
                file.write(piece if isinstance(piece, bytes) else piece.encode())
    except OSError as problem:
        raise unusable(path, problem) from None


@contextmanager
def created(path: Path) -> Iterator[BinaryIO]:
    """Open a new file for writing; remove it if the ``with`` block fails.

    Raises:
        OSError: it exists already, or cannot be written.
    """
    file = path.open("xb")
    try:
        with file:
            yield file
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def _new_beside(path: Path) -> Path:
    names = (f".{path.stem[:200]}-{os.getpid()}-{number}{path.suffix}" for number in count())
    return next(part for part in map(path.with_name, names) if _made(part))


def _made(part: Path) -> bool:
    """Create a file; return False if it already exists."""
    with suppress(FileExistsError):
        part.open("xb").close()
        return True
    return False
