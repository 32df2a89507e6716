"""Writing saves: what is acknowledged is on the disk."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from filelock import FileLock, Timeout

from engine.core.archive import Comment, Notice, SaveFault
from engine.core.codec import encode
from engine.core.log import AnyEntry
from engine.core.record import Record
from saves.frames import AGAIN, COMMENT, ENGINE, ENTRY, HEAD, HEADER, START, pack_frame
from saves.payloads import (
    AgainPayload,
    CommentPayload,
    EnginePayload,
    HeaderPayload,
    HeadPayload,
    NoticePayload,
)

PRIVATE = 0o600


class Writer:
    """An open save. ``patient`` False: every frame is synced before the call returns.

    A frame that cannot be written whole, or synced, is taken back; the file then ends as before.
    """

    def __init__(self, path: Path, lock: FileLock, fd: int, *, chain: bytes, entries: int) -> None:
        """Take over an open file that ends with a whole frame; ``create`` and ``resume`` do it."""
        self.path = path
        self.patient = False
        self._lock = lock
        self._fd = fd
        self._chain = chain
        self._entries = entries
        self._good = os.fstat(fd).st_size
        self._written = 0
        self._dirty = False
        self._broken = ""

    @property
    def name(self) -> str:
        """The name it has in its archive."""
        return self.path.stem

    @property
    def size(self) -> int:
        """Bytes that are written."""
        return self._good

    def entry(self, entry: AnyEntry) -> None:
        """Append an entry.

        Raises:
            SaveFault: it cannot be kept; nothing changed.
        """
        self._append(ENTRY, entry.seq, entry)
        self._entries = entry.seq + 1

    def head(self, seq: int) -> None:
        """Append that the game goes on from entry ``seq``.

        Raises:
            SaveFault: it cannot be kept; nothing changed.
        """
        self._append(HEAD, self._entries, HeadPayload(seq))

    def again(self, seq: int, carried: Sequence[int]) -> None:
        """Append that the game goes on from entry ``seq`` with copies of these later entries.

        Raises:
            SaveFault: it cannot be kept; nothing changed.
        """
        self._append(AGAIN, self._entries, AgainPayload(seq, tuple(carried)))
        self._entries += len(carried)

    def comment(self, comment: Comment) -> None:
        """Append a remark.

        Raises:
            SaveFault: it cannot be kept; nothing changed.
        """
        self._append(COMMENT, self._entries, CommentPayload(comment.seq, comment.text))

    def notice(self, notice: Notice) -> None:
        """Append what happened at the table; the next frame that is synced syncs it too.

        Raises:
            SaveFault: it cannot be kept; nothing changed.
        """
        patient, self.patient = self.patient, True
        fields = {name: getattr(notice, name) for name in NoticePayload.__struct_fields__}
        try:
            self._append(notice.kind, self._entries, NoticePayload(**fields))
        finally:
            self.patient = patient

    def header(self, header: HeaderPayload) -> None:
        """Write the first frame."""
        self._append(HEADER, 0, header)

    def engine(self, writer: EnginePayload) -> None:
        """Append that another version writes from here on."""
        self._append(ENGINE, self._entries, writer)

    def sync(self) -> None:
        """Return when everything is on the disk.

        Raises:
            SaveFault: the disk does not take it.
        """
        if not self._dirty:
            return
        try:
            os.fsync(self._fd)
        except OSError as problem:
            self._broken = f"{self.path.name}: {problem.strerror}; open the game again"
            raise SaveFault(self._broken) from None
        self._dirty = False

    def close(self) -> None:
        """Sync, unlock and close; more than once does no harm.

        Raises:
            SaveFault: the last of it cannot be synced; the file is closed all the same.
        """
        if self._fd < 0:
            return
        try:
            if not self._broken:
                self.sync()
        finally:
            os.close(self._fd)
            self._fd = -1
            self._lock.release()

    def _append(self, kind: str, seq: int, record: Record) -> None:
        if self._broken or self._fd < 0:
            raise SaveFault(self._broken or f"{self.path.name}: closed")
        try:
            packed, chain = pack_frame(kind, seq, encode(record), self._chain)
        except (ValueError, OverflowError) as problem:
            raise SaveFault(f"{self.path.name}: {problem}") from None
        try:
            self._write(packed)
            if not self.patient:
                os.fsync(self._fd)
        except OSError as problem:
            self._take_back()
            if len(packed) == self._written and self._dirty:
                # Patient frames before it may be lost now, and no later sync would say so.
                self._broken = f"{self.path.name}: {problem.strerror}; open the game again"
            raise SaveFault(f"{self.path.name}: {problem.strerror or problem}") from None
        self._dirty = self.patient
        self._good += len(packed)
        self._chain = chain

    def _write(self, packed: bytes) -> None:
        self._written = 0
        while self._written < len(packed):
            self._written += os.write(self._fd, memoryview(packed)[self._written :])

    def _take_back(self) -> None:
        try:
            os.ftruncate(self._fd, self._good)
        except OSError as problem:
            self._broken = f"{self.path.name}: {problem.strerror}; open the game again"


def lock_of(path: Path) -> FileLock:
    """The lock of a save, taken.

    Raises:
        SaveFault: somebody else writes it.
    """
    # A save is opened, written and closed in whichever thread is free.
    path_of_lock = str(path.with_suffix(".lock"))
    lock = FileLock(path_of_lock, timeout=0, mode=PRIVATE, thread_local=False)
    try:
        lock.acquire()
    except Timeout:
        raise SaveFault(f"{path.stem}: this game is open in another window or program") from None
    except OSError as problem:
        raise SaveFault(f"{path.stem}: {problem.strerror or problem}") from None
    return lock


def create(path: Path, header: HeaderPayload) -> Writer:
    """A new save with its header.

    Raises:
        FileExistsError: the name is taken.
        SaveFault: it cannot be written.
    """
    lock = lock_of(path)
    try:
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC
        fd = os.open(path, flags, PRIVATE)
    except FileExistsError:
        lock.release()
        raise
    except OSError as problem:
        lock.release()
        raise SaveFault(f"{path.name}: {problem.strerror}") from None
    writer = Writer(path, lock, fd, chain=START, entries=0)
    try:
        writer.header(header)
        _sync_folder(path.parent)
    except (OSError, SaveFault) as problem:
        path.unlink(missing_ok=True)
        writer.close()
        raise SaveFault(f"{path.name}: {problem}") from None
    return writer


def resume(path: Path, lock: FileLock, *, good: int, chain: bytes, entries: int) -> Writer:
    """Go on with a save whose sound part has ``good`` bytes and ends with ``chain``.

    What lies behind that is put aside into a file of its own and cut off.

    Raises:
        SaveFault: it cannot be written.
    """
    try:
        fd = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)
        if os.fstat(fd).st_size > good:
            put_aside(path, good)
            os.ftruncate(fd, good)
            os.fsync(fd)
    except OSError as problem:
        raise SaveFault(f"{path.name}: {problem.strerror}") from None
    return Writer(path, lock, fd, chain=chain, entries=entries)


def put_aside(path: Path, good: int) -> Path:
    """Copy everything behind the first ``good`` bytes into ``NAME.torn-N``; its path."""
    rest = path.read_bytes()[good:]
    number = 1
    while True:
        aside = path.with_suffix(f".torn-{number}")
        try:
            fd = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE)
        except FileExistsError:
            number += 1
            continue
        with os.fdopen(fd, "wb") as file:
            file.write(rest)
            file.flush()
            os.fsync(file.fileno())
        return aside


def _sync_folder(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
