"""Archive of saves in a folder, with keyframe files beside them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any

from msgspec.structs import asdict
from platformdirs import user_data_path

from engine.core.archive import Header, Opened, SaveFault, SaveFile, SaveInfo
from engine.core.record import replace
from engine.core.registry import UnknownRuleset, find
from engine.core.save_names import checked_name, safe_name
from engine.core.sources import rules_hash
from saves import side_files
from saves.frames import AGAIN, ENTRY, Fault, Frame, scan
from saves.lock import lock_of, save_faults
from saves.payloads import (
    FORMAT,
    AgainPayload,
    EnginePayload,
    HeaderPayload,
    LaterVersion,
    read_payload,
)
from saves.reader import (
    NothingBegun,
    Reading,
    read,
    read_bytes,
    read_header,
    read_sound,
    without_entries,
)
from saves.side_files import SUFFIX
from saves.stamp import engine_version
from saves.writer import Writer, create, put_aside, resume, write_new


def default_folder() -> Path:
    """Return the folder of a player's own saves."""
    return user_data_path("banneret", appauthor=False) / "saves"


class Folder:
    """Archive in a folder, which is created for the first save. Files are private to their owner.

    A save is identified by its name in the folder, or by a path with a slash.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Use a folder, by default the user's own."""
        self.path = path or default_folder()

    def create(self, name: str, header: Header) -> SaveFile:
        """Create a save; a number is added to a name that is taken.

        Raises:
            SaveFault: the file cannot be written, or no character of the name is allowed.
        """
        if "/" in name:
            return self.create_at(Path(name), header)
        try:
            clean = safe_name(name)
        except ValueError as problem:
            raise SaveFault(str(problem)) from None
        with save_faults(str(self.path)):
            self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
        number = 1
        while True:
            path = self.path / f"{clean if number == 1 else f'{clean} {number}'}{SUFFIX}"
            try:
                if not path.exists() and not path.with_suffix("").is_file():
                    return create(path, _payload(header))
            except FileExistsError:
                pass
            number += 1

    def create_at(self, path: Path, header: Header) -> SaveFile:
        """Create a save at a path.

        Raises:
            SaveFault: the file exists, has a reserved name, or cannot be written.
        """
        side_files.check_name(path)
        if not os.path.isdir(path.parent):  # noqa: PTH112 - False for names that are too long
            raise SaveFault(f"{path}: there is no folder {path.parent}")
        try:
            return create(path, _payload(header))
        except FileExistsError:
            raise SaveFault(f"{path}: is there already") from None

    def open(self, name: str) -> Reading:
        """Open a save for writing: lock it, read it, and cut off a torn end.

        Raises:
            SaveFault: the save is damaged, locked, or cannot be written.
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
        remarks = tuple(f"{remark}; put aside" for remark in found.remarks)
        return replace(found, file=writer, remarks=remarks)

    def read(self, name: str) -> Reading:
        """Read a save without changing anything.

        Raises:
            SaveFault: the save is missing or damaged.
        """
        return read(self.find(name))

    def find(self, name: str) -> Path:
        """Return the file of a save.

        Raises:
            SaveFault: there is no save with that name.
        """
        inside = self.path / f"{name}{SUFFIX}"
        outside = Path(name)
        with save_faults(name[:40]):  # it may be longer than any file system allows
            if "/" not in name and inside.is_file():
                return inside
            if outside.is_file():
                return outside
        if os.path.lexists(outside):
            raise SaveFault(f"{name[:200]}: no regular file, so no saved game")
        where = "" if "/" in name else f" in {self.path}"
        raise SaveFault(f"{name}: there is no such save{where}")

    def listing(self) -> tuple[SaveInfo, ...]:
        """Return all saves, latest first; an unreadable one has its fault."""
        if not self.path.is_dir():
            return ()
        found = [_info(path) for path in self.path.glob(f"*{SUFFIX}")]
        return tuple(sorted(found, key=lambda info: (-info.modified, info.name)))

    def rename(self, old: str, new: str) -> None:
        """Rename a save and the files beside it.

        Raises:
            SaveFault: the save is open, or the new name is taken, or cannot be a name as it is.
        """
        source = self.find(old)
        try:
            target = source.with_name(checked_name(new) + SUFFIX)
        except ValueError as problem:
            raise SaveFault(str(problem)) from None
        if target.exists():
            raise SaveFault(f"{target.stem}: there is a save of that name")
        side_files.check_name(target)
        with lock_of(source), save_faults(old):
            source.rename(target)
            side_files.move(source, target)

    def copy(self, name: str) -> str:
        """Copy a save and return the name of the copy.

        Raises:
            SaveFault: the save is missing, or the copy cannot be written.
        """
        source = self.find(name)
        targets = (source.with_name(f"{source.stem} {number}{SUFFIX}") for number in count(2))
        with save_faults(name):
            return write_new(targets, read_bytes(source)).stem

    def delete(self, name: str) -> None:
        """Remove a save and its side files, except torn ends that were put aside.

        Raises:
            SaveFault: the save is open, or cannot be removed.
        """
        path = self.find(name)
        with lock_of(path), save_faults(name):
            path.unlink()
        side_files.remove(path)

    def repair(self, name: str) -> tuple[str, ...]:
        """Cut a save before its first damage; the rest is put aside in a file. Return remarks.

        Raises:
            LaterVersion: the save is sound, but of a later version.
            SaveFault: the first entry cannot be read.
        """
        path = self.find(name)
        with lock_of(path), save_faults(name):
            data = read_bytes(path)
            good = _readable(data, path)
            if good == len(data):
                return ("nothing is wrong with it",)
            found, _ = read_sound(data[:good] if good > _first_end(data) else data, path)
            aside = put_aside(path, good)
            with path.open("r+b") as file:
                file.truncate(good)
                os.fsync(file.fileno())
        return (
            f"kept {len(found.log)} entries, {good} bytes",
            f"put {len(data) - good} bytes aside in {aside.name}",
        )

    def keyframes(self, opened: Opened, state_type: Any) -> Mapping[int, Any]:
        """Return the stored states of a save, by entry number."""
        if not isinstance(opened, Reading):
            return {}
        return side_files.load_keyframes(Path(opened.path), state_type, opened.chains)

    def keep_keyframes(self, opened: Opened, states: Mapping[int, Any]) -> None:
        """Store states of a save, by entry number; a failure is ignored."""
        if isinstance(opened, Reading) and states:
            kind = type(next(iter(states.values())))
            side_files.store_keyframes(Path(opened.path), kind, opened.chains, states)

    def marks(self, opened: Opened, whose: str) -> Mapping[str, str]:
        """Return the places that a viewer has named, by name; {} if the file has no valid marks."""
        if not isinstance(opened, Reading):
            return {}
        return side_files.load_marks(Path(opened.path)).get(whose, {})

    def keep_marks(self, opened: Opened, whose: str, marks: Mapping[str, str]) -> None:
        """Store the places that a viewer has named, by name, beside the save.

        Does nothing for a game that was not read from a file.

        Raises:
            SaveFault: they cannot be written.
        """
        if not isinstance(opened, Reading):
            return
        save = Path(opened.path)
        try:
            side_files.store_marks(save, {**side_files.load_marks(save), whose: dict(marks)})
        except OSError as problem:
            raise SaveFault(problem.strerror or str(problem)) from None


def _payload(header: Header) -> HeaderPayload:
    try:
        rules = find(header.ruleset)
    except UnknownRuleset as problem:
        raise SaveFault(str(problem)) from None
    whole = replace(header, rules_hash=header.rules_hash or rules_hash(rules))
    return HeaderPayload(format=FORMAT, engine=engine_version(), **asdict(whole))


def _info(path: Path) -> SaveInfo:
    """Return the header and number of entries of a save for a list; broken saves have a fault."""
    size, modified = 0, 0.0
    try:
        stat = path.stat()
        size, modified = stat.st_size, stat.st_mtime
        data = read_bytes(path)
        header, _ = read_header(data, path.name)
        frames = list(scan(data))
        entries = sum(_entries(frame, path) for frame in frames)
    except (OSError, SaveFault) as problem:
        return SaveInfo(path.stem, "", "", (), 0, size, modified, fault=str(problem))
    except Exception as problem:  # noqa: BLE001 - one save must not hide the others
        fault = f"{path.name}: {type(problem).__name__}"
        return SaveInfo(path.stem, "", "", (), 0, size, modified, fault=fault)
    last = frames[-1]
    broken = without_entries(data, path.name, last if isinstance(last, Fault) else None)
    if isinstance(broken, NothingBegun):
        broken = SaveFault(f"{path.name}: empty, no game was begun in it")
    fault = "" if entries else str(broken)
    return SaveInfo(
        path.stem, header.ruleset, header.title, header.players, entries, size, modified, fault
    )


def _entries(frame: Frame | Fault, path: Path) -> int:
    """Return the number of entries that a frame adds to a log.

    Raises:
        SaveFault: the payload does not match the frame's kind.
    """
    if isinstance(frame, Fault) or frame.kind not in (ENTRY, AGAIN):
        return 0
    if frame.kind == ENTRY:
        return 1
    told: AgainPayload = read_payload(AgainPayload, frame.payload, path.name)
    return len(told.entries)


def _first_end(data: bytes) -> int:
    """Return the offset at which the header ends."""
    return next(frame.end for frame in scan(data) if not isinstance(frame, Fault))


def _readable(data: bytes, path: Path) -> int:
    """Return the length of the longest readable beginning in whole frames; bisects.

    Raises:
        LaterVersion: the save is sound, but of a later version.
        SaveFault: no beginning can be read.
    """
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
