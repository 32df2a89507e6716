"""The lock of a save: an exclusive ``flock`` on the file itself, held by an open descriptor.

It belongs to the inode, so every name of the file leads to the same lock: symbolic and hard links,
and a name that was changed meanwhile. It ends with the process, however that ends, and leaves
nothing behind. Readers take none.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import Final

from engine.core.archive import SaveFault

PRIVATE: Final = 0o600
"""The mode of files of a game."""

_FLAGS: Final = os.O_APPEND | os.O_CLOEXEC
_MOST_TRIES: Final = 10
"""Times that a file may be replaced while its lock is taken."""


class Lock:
    """An open file that nobody else writes. ``release`` closes it."""

    def __init__(self, path: Path, fd: int) -> None:
        """Take over an open descriptor; ``lock_of`` and ``locked_new`` make one.

        Raises:
            SaveFault: somebody else writes the file. It is closed then.
        """
        self.path = path
        self.fd = fd
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.release()
            raise SaveFault(
                f"{path.stem}: this game is open in another window or program"
            ) from None
        except OSError as problem:
            self.release()
            raise SaveFault(f"{path.stem}: {problem.strerror or problem}") from None

    def holds_its_path(self) -> bool:
        """Whether the file of this name is still the one that is locked."""
        try:
            return os.path.samestat(os.fstat(self.fd), self.path.stat())
        except FileNotFoundError:
            return False

    @property
    def may_write(self) -> bool:
        """Whether the file was opened for writing."""
        return fcntl.fcntl(self.fd, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDWR

    def release(self) -> None:
        """Unlock and close; more than once does no harm."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1


def lock_of(path: Path) -> Lock:
    """The lock of a save, taken. A file that cannot be written is locked too, for its removal.

    Raises:
        SaveFault: somebody else writes it, or it cannot be opened.
    """
    for _ in range(_MOST_TRIES):
        try:
            try:
                fd = os.open(path, os.O_RDWR | _FLAGS)
            except PermissionError:
                fd = os.open(path, os.O_RDONLY | _FLAGS)
        except OSError as problem:
            raise SaveFault(f"{path.stem}: {problem.strerror}") from None
        lock = Lock(path, fd)
        if lock.holds_its_path():
            return lock
        lock.release()
    raise SaveFault(f"{path.stem}: another program keeps replacing it")


def locked_new(path: Path) -> Lock:
    """The lock of a file that is made by this, and is empty.

    Raises:
        FileExistsError: the name is taken.
        SaveFault: it cannot be made.
    """
    try:
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | _FLAGS, PRIVATE)
    except FileExistsError:
        raise
    except OSError as problem:
        raise SaveFault(f"{path.name}: {problem.strerror}") from None
    return Lock(path, fd)
