"""Writing saves: an acknowledged frame is on the disk."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Final

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

LONGEST_TEXT: Final = 1 << 16
"""Maximum bytes of a comment and of the texts of a notice."""


class Writer:
    """Open save that is written frame by frame.

    Unless ``patient`` is set, a frame is synced before the call returns. A frame that cannot be
    written whole, or synced, is cut off again. The writer stops permanently if another program
    changed or removed the file.
    """

    def __init__(self, lock: Lock, *, chain: bytes, entries: int) -> None:
        """Continue a locked file that ends with a whole frame; see ``create`` and ``resume``."""
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
        """Name of the save in its archive."""
        return self.path.stem

    @property
    def size(self) -> int:
        """Bytes written so far."""
        return self._good

    def entry(self, entry: AnyEntry) -> None:
        """Append an entry.

        Raises:
            SaveFault: it cannot be kept; nothing changed.
        """
        self._append(ENTRY, entry.seq, entry)
        self._entries = entry.seq + 1

    def head(self, seq: int) -> None:
        """Append a change of head: the game continues from entry ``seq``.

        Raises:
            SaveFault: it cannot be kept; nothing changed.
        """
        self._append(HEAD, self._entries, HeadPayload(seq))

    def again(self, seq: int, carried: Sequence[int]) -> None:
        """Append a change of head to entry ``seq``, followed by copies of later entries.

        Raises:
            SaveFault: it cannot be kept; nothing changed.
        """
        self._append(AGAIN, self._entries, AgainPayload(seq, tuple(carried)))
        self._entries += len(carried)

    def comment(self, comment: Comment) -> None:
        """Append a comment.

        Raises:
            SaveFault: it cannot be kept; nothing changed.
        """
        self._check_text(comment.text)
        self._append(COMMENT, self._entries, CommentPayload(comment.seq, comment.text))

    def notice(self, notice: Notice) -> None:
        """Append a notice of the table, which is synced with the next frame.

        Raises:
            SaveFault: it cannot be kept; nothing changed.
        """
        self._check_text(notice.name + notice.text)
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
        """Append that another program version, or other rules, write from here on."""
        self._append(ENGINE, self._entries, writer)

    def sync(self) -> None:
        """Put everything on the disk.

        Raises:
            SaveFault: the sync failed; the writer has stopped.
        """
        if not self._dirty:
            return
        try:
            os.fsync(self._lock.fd)
        except OSError as problem:
            raise self._stopped(problem.strerror or str(problem)) from None
        self._dirty = False

    def close(self) -> None:
        """Sync, unlock and close; may be called again.

        Raises:
            SaveFault: the last sync failed; the file is closed nevertheless.
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
                # Earlier unsynced frames may be lost, and no later sync would report it.
                self._stopped(problem.strerror or str(problem))
            raise SaveFault(f"{self.path.name}: {problem.strerror or problem}") from None
        self._dirty = self.patient
        self._good += len(packed)
        self._chain = chain

    def _check_text(self, text: str) -> None:
        size = len(text.encode(errors="surrogatepass"))
        if size > LONGEST_TEXT:
            raise SaveFault(f"{self.path.name}: a text of {size} bytes; {LONGEST_TEXT} are allowed")

    def _check(self) -> None:
        """Stop if another program changed or removed the file.

        Raises:
            SaveFault: it did.
        """
        found = os.fstat(self._lock.fd)
        if found.st_nlink == 0:
            raise self._stopped("the file was removed or replaced")
        if found.st_size != self._good:
            raise self._stopped(f"another program wrote to it after byte {self._good}")

    def _stopped(self, why: str | None) -> SaveFault:
        """Stop writing permanently and return the fault to raise."""
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
    """Create a save with its header; the file and its folder are synced.

    Raises:
        FileExistsError: the name is taken.
        SaveFault: the file cannot be written.
    """
    writer = Writer(locked_new(path), chain=START, entries=0)
    try:
        writer.header(header)
        _sync_folder(path.parent)
    except (OSError, SaveFault) as problem:
        path.unlink(missing_ok=True)
        writer.close()
        if isinstance(problem, SaveFault):
            raise
        raise SaveFault(f"{path.name}: {problem.strerror or problem}") from None
    return writer


def resume(lock: Lock, *, good: int, chain: bytes, entries: int) -> Writer:
    """Continue a save whose sound part has ``good`` bytes and ends with ``chain``.

    The bytes after that are put aside and cut off.

    Raises:
        SaveFault: the file cannot be written, or is not the one that was locked.
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
    """Copy the bytes after ``good`` to a new file ``NAME.torn-N`` and return its path."""
    rest = path.read_bytes()[good:]
    return write_new((path.with_suffix(f".torn-{number}") for number in count(1)), rest)


def write_new(paths: Iterator[Path], data: bytes) -> Path:
    """Write a private file under the first free path, sync it and return its path.

    Raises:
        OSError: it cannot be written; no file is left then.
    """
    for path in paths:
        try:
            fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE)
        except FileExistsError:
            continue
        try:
            with os.fdopen(fd, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        except OSError:
            path.unlink(missing_ok=True)
            raise
        return path
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))


def _sync_folder(folder: Path) -> None:
    """Sync the directory entry of a new file; without it a crash may lose the file."""
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
