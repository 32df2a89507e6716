"""Lock of a save: an exclusive ``flock`` on the file itself, held by an open descriptor.

It belongs to the inode, so symbolic links, hard links and renamed files lead to the same lock. It
ends with the process and leaves no file. Readers take no lock.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import Final

from engine.core.archive import SaveFault

PRIVATE: Final = 0o600
"""File mode of saves."""

_FLAGS: Final = os.O_APPEND | os.O_CLOEXEC
_MOST_TRIES: Final = 10
"""Maximum attempts to lock a file that is being replaced."""


class Lock:
    """Exclusive lock on an open file; ``release`` closes the file."""

    def __init__(self, path: Path, fd: int) -> None:
        """Lock an open descriptor; ``lock_of`` and ``locked_new`` call this.

        Raises:
            SaveFault: another writer holds the lock. The descriptor is closed then.
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
        """Return whether the path still leads to the locked file, which may have been replaced."""
        try:
            return os.path.samestat(os.fstat(self.fd), self.path.stat())
        except FileNotFoundError:
            return False

    @property
    def may_write(self) -> bool:
        """True if the file was opened for writing."""
        return fcntl.fcntl(self.fd, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDWR

    def release(self) -> None:
        """Unlock and close; may be called again."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1


def lock_of(path: Path) -> Lock:
    """Take the lock of a save. A read-only file is locked too, so that it can be removed.

    Raises:
        SaveFault: another writer holds the lock, or the file cannot be opened.
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
    """Create an empty file and take its lock.

    Raises:
        FileExistsError: the name is taken.
        SaveFault: the file cannot be created.
    """
    try:
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | _FLAGS, PRIVATE)
    except FileExistsError:
        raise
    except OSError as problem:
        raise SaveFault(f"{path.name}: {problem.strerror}") from None
    return Lock(path, fd)
