"""Writing saves: what is acknowledged is on the disk."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from pathlib import Path

from engine.core.archive import Comment, Notice, SaveFault
from engine.core.codec import encode
from engine.core.log import AnyEntry
from engine.core.record import Record
from saves.frames import AGAIN, COMMENT, ENGINE, ENTRY, HEAD, HEADER, START, pack_frame
from saves.lock import PRIVATE, Lock, locked_new
from saves.payloads import (
    AgainPayload,
    CommentPayload,
    EnginePayload,
    HeaderPayload,
    HeadPayload,
    NoticePayload,
)


class Writer:
    """An open save. ``patient`` False: every frame is synced before the call returns.

    A frame that cannot be written whole, or synced, is taken back; the file then ends as before.
    Nothing more is written to a file that somebody else changed or removed.
    """

    def __init__(self, lock: Lock, *, chain: bytes, entries: int) -> None:
        """Take over a locked file that ends with a whole frame; ``create`` and ``resume`` do it."""
        self.path = lock.path
        self.patient = False
        self._lock = lock
        self._chain = chain
        self._entries = entries
        self._good = os.fstat(lock.fd).st_size
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
            os.fsync(self._lock.fd)
        except OSError as problem:
            raise self._stopped(problem.strerror or str(problem)) from None
        self._dirty = False

    def close(self) -> None:
        """Sync, unlock and close; more than once does no harm.

        Raises:
            SaveFault: the last of it cannot be synced; the file is closed all the same.
        """
        if self._lock.fd < 0:
            return
        try:
            if not self._broken:
                self.sync()
        finally:
            self._lock.release()

    def _append(self, kind: str, seq: int, record: Record) -> None:
        if self._broken or self._lock.fd < 0:
            raise SaveFault(self._broken or f"{self.path.name}: closed")
        self._check()
        try:
            packed, chain = pack_frame(kind, seq, encode(record), self._chain)
        except (ValueError, OverflowError) as problem:
            raise SaveFault(f"{self.path.name}: {problem}") from None
        try:
            self._write(packed)
            if not self.patient:
                os.fsync(self._lock.fd)
        except OSError as problem:
            self._take_back()
            if len(packed) == self._written and self._dirty:
                # Patient frames before it may be lost now, and no later sync would say so.
                self._stopped(problem.strerror or str(problem))
            raise SaveFault(f"{self.path.name}: {problem.strerror or problem}") from None
        self._dirty = self.patient
        self._good += len(packed)
        self._chain = chain

    def _check(self) -> None:
        """Stop before a frame is written into a file that is not as it was left."""
        found = os.fstat(self._lock.fd)
        if found.st_nlink == 0:
            raise self._stopped("the file was removed or replaced")
        if found.st_size != self._good:
            raise self._stopped(f"another program wrote to it after byte {self._good}")

    def _stopped(self, why: str | None) -> SaveFault:
        """Write nothing any more; what is to be said about it."""
        self._broken = f"{self.path.name}: {why}; open the game again"
        return SaveFault(self._broken)

    def _write(self, packed: bytes) -> None:
        self._written = 0
        while self._written < len(packed):
            self._written += os.write(self._lock.fd, memoryview(packed)[self._written :])

    def _take_back(self) -> None:
        try:
            os.ftruncate(self._lock.fd, self._good)
        except OSError as problem:
            self._stopped(problem.strerror or str(problem))


def create(path: Path, header: HeaderPayload) -> Writer:
    """A new save with its header.

    Raises:
        FileExistsError: the name is taken.
        SaveFault: it cannot be written.
    """
    writer = Writer(locked_new(path), chain=START, entries=0)
    try:
        writer.header(header)
        _sync_folder(path.parent)
    except (OSError, SaveFault) as problem:
        path.unlink(missing_ok=True)
        writer.close()
        raise SaveFault(f"{path.name}: {problem}") from None
    return writer


def resume(lock: Lock, *, good: int, chain: bytes, entries: int) -> Writer:
    """Go on with a save whose sound part has ``good`` bytes and ends with ``chain``.

    What lies behind that is put aside into a file of its own and cut off.

    Raises:
        SaveFault: it cannot be written, or is another file than the one that was locked.
    """
    path = lock.path
    if not lock.holds_its_path():
        raise SaveFault(f"{path.name}: it was removed or replaced while it was read")
    if not lock.may_write:
        raise SaveFault(f"{path.name}: {os.strerror(errno.EACCES)}")
    try:
        if os.fstat(lock.fd).st_size > good:
            put_aside(path, good)
            os.ftruncate(lock.fd, good)
            os.fsync(lock.fd)
    except OSError as problem:
        raise SaveFault(f"{path.name}: {problem.strerror}") from None
    return Writer(lock, chain=chain, entries=entries)


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
