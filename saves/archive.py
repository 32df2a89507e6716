"""A folder of saved games."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from platformdirs import user_data_path

from engine.core.archive import Header, Opened, SaveFault, SaveFile, SaveInfo
from engine.core.registry import UnknownRuleset, find
from saves import keyframes
from saves.frames import AGAIN, ENTRY, Fault, Frame, scan
from saves.lock import PRIVATE, lock_of
from saves.payloads import (
    FORMAT,
    AgainPayload,
    EnginePayload,
    HeaderPayload,
    LaterVersion,
    read_payload,
)
from saves.reader import NothingBegun, Reading, read, read_bytes, read_header, read_sound
from saves.stamp import engine_version, rules_hash
from saves.writer import Writer, create, put_aside, resume

SUFFIX: Final = ".bnr"
_NAME = re.compile(r"[^\w .+()-]", re.UNICODE)
_LONGEST_NAME: Final = 200
"""Most bytes of a name; file systems allow 255, and a number and an ending come behind it."""
_SIDE_SUFFIXES: Final = (".keys", ".lock")
"""Endings of what lies beside a save; earlier versions left ``.lock`` files."""


def default_folder() -> Path:
    """Where a player's own games live."""
    return user_data_path("banneret", appauthor=False) / "saves"


class Folder:
    """An archive in a folder, made when the first game is saved. Files are private to their owner.

    A save is named by its name in the folder, or by the path of a file anywhere.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Use a folder; the user's own by default."""
        self.path = path or default_folder()

    def create(self, name: str, header: Header) -> SaveFile:
        """A new save; a number is added to the name if it is taken.

        Raises:
            SaveFault: it cannot be written.
        """
        if "/" in name:
            return self.create_at(Path(name), header)
        clean = safe_name(name)
        self._make()
        number = 1
        while True:
            path = self.path / f"{clean if number == 1 else f'{clean} {number}'}{SUFFIX}"
            try:
                if not path.exists():
                    return create(path, _payload(header))
            except FileExistsError:
                pass
            number += 1

    def create_at(self, path: Path, header: Header) -> SaveFile:
        """A new save in a file of its own.

        Raises:
            SaveFault: the file exists, or cannot be written.
        """
        if not path.parent.is_dir():
            raise SaveFault(f"{path}: there is no folder {path.parent}")
        try:
            return create(path, _payload(header))
        except FileExistsError:
            raise SaveFault(f"{path}: is there already") from None

    def open(self, name: str) -> Reading:
        """Read a save to go on with it: takes the lock, cuts a torn end.

        Raises:
            SaveFault: it is damaged, locked, or cannot be written.
        """
        path = self.find(name)
        lock = lock_of(path)
        writer: Writer | None = None
        try:
            found = read(path)
            rules = find(found.header.ruleset)
            writer = resume(lock, good=found.good, chain=found.chain, entries=len(found.log))
            now = EnginePayload(engine_version(), rules.schema, rules_hash(rules))
            if found.writer != now:
                writer.engine(now)
        except BaseException:
            if writer is not None:
                writer.close()
            lock.release()
            raise
        fields = {key: getattr(found, key) for key in Reading.__struct_fields__}
        remarks = tuple(f"{remark}; cut off and put aside" for remark in found.remarks)
        return Reading(**{**fields, "file": writer, "remarks": remarks})

    def read(self, name: str) -> Reading:
        """Read a save without changing anything.

        Raises:
            SaveFault: it is not there or damaged.
        """
        return read(self.find(name))

    def find(self, name: str) -> Path:
        """The file of a save.

        Raises:
            SaveFault: there is none of that name.
        """
        inside = self.path / f"{name}{SUFFIX}"
        outside = Path(name)
        try:
            if "/" not in name and inside.is_file():
                return inside
            if outside.is_file():
                return outside
        except OSError as problem:  # a name longer than any file system allows
            raise SaveFault(f"{name[:40]}: {problem.strerror}") from None
        raise SaveFault(f"{name}: there is no such save in {self.path}")

    def listing(self) -> tuple[SaveInfo, ...]:
        """All saves, latest first; broken ones with their fault."""
        if not self.path.is_dir():
            return ()
        found = [_info(path) for path in self.path.glob(f"*{SUFFIX}")]
        return tuple(sorted(found, key=lambda info: (-info.modified, info.name)))

    def rename(self, old: str, new: str) -> None:
        """Give a save another name; its side files go with it.

        Raises:
            SaveFault: it is open, the new name is taken or empty.
        """
        source = self.find(old)
        target = source.with_name(safe_name(new) + SUFFIX)
        if target.exists():
            raise SaveFault(f"{target.stem}: there is a save of that name")
        lock = lock_of(source)
        try:
            source.rename(target)
            side = keyframes.path_of(source)
            if side.exists():
                side.rename(keyframes.path_of(target))
        except OSError as problem:
            raise SaveFault(f"{old}: {problem.strerror}") from None
        finally:
            lock.release()
        source.with_suffix(".lock").unlink(missing_ok=True)

    def copy(self, name: str) -> str:
        """Make a second save of the same game; the name it got.

        Raises:
            SaveFault: it is not there, or the copy cannot be written.
        """
        source = self.find(name)
        data = read_bytes(source)
        number = 2
        while True:
            target = source.with_name(f"{source.stem} {number}{SUFFIX}")
            try:
                flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
                with os.fdopen(os.open(target, flags, PRIVATE), "wb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
            except FileExistsError:
                number += 1
                continue
            except OSError as problem:
                target.unlink(missing_ok=True)
                raise SaveFault(f"{name}: {problem.strerror}") from None
            return target.stem

    def delete(self, name: str) -> None:
        """Remove a save and its side files. What was once put aside of it stays.

        Raises:
            SaveFault: it is open, or cannot be removed.
        """
        path = self.find(name)
        lock = lock_of(path)
        try:
            path.unlink()
        except OSError as problem:
            raise SaveFault(f"{name}: {problem.strerror}") from None
        finally:
            lock.release()
        for suffix in _SIDE_SUFFIXES:
            path.with_suffix(suffix).unlink(missing_ok=True)

    def repair(self, name: str) -> tuple[str, ...]:
        """Keep everything before the first damage and put the rest aside.

        Raises:
            SaveFault: not even its first entry can be read, or it is sound but of a later version.
        """
        path = self.find(name)
        lock = lock_of(path)
        try:
            data = read_bytes(path)
            good = _readable(data, path)
            if good == len(data):
                return ("nothing is wrong with it",)
            found, _ = read_sound(data[:good], path)
            aside = put_aside(path, good)
            _cut(path, good)
        except OSError as problem:
            raise SaveFault(f"{name}: {problem.strerror}") from None
        finally:
            lock.release()
        return (
            f"kept {len(found.log)} entries, {good} bytes",
            f"put {len(data) - good} bytes aside in {aside.name}",
        )

    def keyframes(self, opened: Opened, state_type: Any) -> Mapping[int, Any]:
        """Remembered states by entry."""
        if not isinstance(opened, Reading):
            return {}
        return keyframes.load(Path(opened.path), state_type, opened.chains)

    def keep_keyframes(self, opened: Opened, states: Mapping[int, Any]) -> None:
        """Remember states for next time."""
        if isinstance(opened, Reading) and states:
            kind = type(next(iter(states.values())))
            keyframes.store(Path(opened.path), kind, opened.chains, states)

    def _make(self) -> None:
        try:
            self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as problem:
            raise SaveFault(f"{self.path}: {problem.strerror}") from None


def safe_name(name: str) -> str:
    """A name that any file system takes.

    Raises:
        SaveFault: nothing is left of it.
    """
    clean = _NAME.sub("", name).strip(" .")[:80]
    clean = clean.encode()[:_LONGEST_NAME].decode(errors="ignore").strip(" .")
    if not clean:
        raise SaveFault(f"{name!r} is no name for a save")
    return clean


def _payload(header: Header) -> HeaderPayload:
    try:
        rules = find(header.ruleset)
    except UnknownRuleset as problem:
        raise SaveFault(str(problem)) from None
    return HeaderPayload(
        format=FORMAT,
        engine=engine_version(),
        ruleset=header.ruleset,
        schema=header.schema,
        seed=header.seed,
        players=header.players,
        rules_hash=header.rules_hash or rules_hash(rules),
        created=header.created,
        title=header.title,
    )


def _info(path: Path) -> SaveInfo:
    """What a list shows of a save: its header and the number of its entries."""
    size, modified = 0, 0.0
    try:
        stat = path.stat()
        size, modified = stat.st_size, stat.st_mtime
        data = read_bytes(path)
        header, _ = read_header(data, path.name)
        entries = sum(_entries(frame, path) for frame in scan(data))
    except (OSError, SaveFault) as problem:
        return SaveInfo(path.stem, "", "", (), 0, size, modified, fault=str(problem))
    fault = "" if entries else f"{path.name}: empty, no game was begun in it"
    return SaveInfo(
        path.stem, header.ruleset, header.title, header.players, entries, size, modified, fault
    )


def _entries(frame: Frame | Fault, path: Path) -> int:
    """How many entries a frame adds to a log.

    Raises:
        SaveFault: its payload is none of its kind.
    """
    if isinstance(frame, Fault) or frame.kind not in (ENTRY, AGAIN):
        return 0
    if frame.kind == ENTRY:
        return 1
    told: AgainPayload = read_payload(AgainPayload, frame.payload, path.name)
    return len(told.entries)


def _cut(path: Path, good: int) -> None:
    """Cut a file behind its first bytes."""
    fd = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    try:
        os.ftruncate(fd, good)
        os.fsync(fd)
    finally:
        os.close(fd)


def _readable(data: bytes, path: Path) -> int:
    """The length of the longest beginning that can be read, frame by frame."""
    ends = [frame.end for frame in scan(data) if not isinstance(frame, Fault)]
    low, high = 0, len(ends)
    while low < high:
        middle = (low + high + 1) // 2
        try:
            read_sound(data[: ends[middle - 1]], path)
            low = middle
        except LaterVersion:
            raise
        except NothingBegun:
            low = middle
        except SaveFault:
            high = middle - 1
    if low == 0:
        raise SaveFault(f"{path.name}: nothing in it can be read")
    return ends[low - 1]
