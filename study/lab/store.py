"""Folder of a run: its plan, its results, saved games, and standard error of bots.

=====================  ======================================================================
``plan.toml``          the plan
``setup.bin``          the plan's games as they were last set up: scenarios, hashes of code
``results.jsonl``      one game per line, in the order in which they ended; lines are appended
``times.jsonl``        processor times of the bots, by the key of the game
``games/KEY.bnr``      games that are kept
``logs/KEY-SEAT.txt``  standard error of bots that broke a game off
``stopped``            exists if the run was stopped by hand before its end
``progress.json``      its state while it is played, a few seconds old, and at its end
=====================  ======================================================================

A reported row is on the disk. A last line torn by the end of the process is cut off.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from time import sleep
from typing import Any, BinaryIO, Final, Self

import msgspec
from platformdirs import user_data_path

from engine.core.archive import Archive, Header, SaveFault, SeatPlayer
from engine.core.codec import decoder, encode, encode_json, json_decoder
from engine.core.log import AnyEntry
from engine.core.record import Record
from engine.core.registry import find
from engine.core.ruleset import entry_type
from study.lab.games import GameResult, ReportedGame, SeatTime
from study.lab.plans import PLAN_FILE, LabPlan, LabSetup, read_plan, write_plan
from study.lab.progress import RunStatus
from tui.console.exits import Wrong
from tui.console.files import content, is_file, read_file
from tui.play.scenarios import seed_bytes

RESULTS: Final = "results.jsonl"
_TIMES: Final = "times.jsonl"
_SETUP: Final = "setup.bin"
_STOPPED: Final = "stopped"
_PROGRESS: Final = "progress.json"
_LOCK: Final = "lock"
_MOMENT: Final = 0.05
_MOST_SETUP: Final = 1 << 28
_MOST_STATUS: Final = 1 << 24
_MOST_ROWS: Final = 1 << 30
"""Maximum bytes of the setup, of the state, and of the rows of a run."""
_WRITING: Final = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
_APPENDING: Final = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC


class GameTimes(Record, frozen=True):
    """Processor times of the bots of a game, by seat."""

    key: str
    seats: tuple[SeatTime, ...]


def default_runs() -> Path:
    """Return the user's folder of runs."""
    return user_data_path("banneret", appauthor=False) / "lab"


def run_path(plan: LabPlan, output: str | None, runs: str | None) -> Path:
    """Return the folder for the run of a plan: ``output``, or one named after the plan."""
    if output:
        return Path(output)
    digest = hashlib.blake2b(encode_json(plan), digest_size=3).hexdigest()
    scenario = Path(plan.scenarios[0]).stem if plan.scenarios else ""
    words = filter(None, (plan.ruleset, scenario, digest))
    return (Path(runs) if runs else default_runs()) / "-".join(words)


def run_named(name: str, runs: str | None) -> Path:
    """Return the folder of a run, by its name among the runs or by a path.

    Raises:
        Wrong: it does not exist, or cannot be read.
    """
    found = [Path(name), (Path(runs) if runs else default_runs()) / name]
    for path in found:
        if is_file(path / PLAN_FILE):
            return path
    raise Wrong(f"{name}: there is no run with a {PLAN_FILE}")


class RunFolder:
    """Folder of a run. It can be read at once; a ``with`` block locks it for writing."""

    def __init__(self, path: Path, plan: LabPlan, remarks: Sequence[str] = ()) -> None:
        """Wrap an existing folder; call ``create`` or ``read`` instead."""
        self.path, self.plan = path, plan
        self.remarks = list(remarks)
        """Repairs that were made, one per line."""
        self._rows: dict[str, GameResult] | None = None
        self._lock: int | None = None
        self._file: int | None = None

    @classmethod
    def create(cls, path: Path, plan: LabPlan) -> RunFolder:
        """Return the folder of a plan; create it if it does not exist.

        Raises:
            Wrong: it is the folder of another plan, or cannot be created.
        """
        known = path / PLAN_FILE
        try:
            if is_file(known):
                if read_plan(known) != plan:
                    raise Wrong(f"{path} is a run of another plan; -o gives this one a folder")
            else:
                _make_private(path)
                _write_whole(known, lambda fresh: write_plan(plan, fresh))
        except OSError as problem:
            raise Wrong(f"{path}: {problem.strerror}") from None
        return cls(path, plan)

    @classmethod
    def read(cls, path: Path) -> RunFolder:
        """Return an existing folder of a run.

        Raises:
            Wrong: its plan cannot be read.
        """
        return cls(path, read_plan(path / PLAN_FILE))

    # -- reading -------------------------------------------------------------------------------

    @property
    def rows(self) -> Mapping[str, GameResult]:
        """Rows of results by key, including those of earlier code.

        Raises:
            Wrong: a line before the last is not a row.
        """
        if self._rows is None:
            self._rows, _ = _rows_in(self.path / RESULTS)
        return self._rows

    @property
    def setup(self) -> LabSetup:
        """The games as they were last set up.

        Raises:
            Wrong: they were never set up, or the file is damaged.
        """
        path = self.path / _SETUP
        try:
            found: LabSetup = decoder(LabSetup).decode(read_file(path, _MOST_SETUP))
        except FileNotFoundError:
            raise Wrong(f"{self.path}: no game of it was played yet") from None
        except (OSError, msgspec.MsgspecError, ValueError, RecursionError) as problem:
            raise Wrong(f"{path}: {problem}") from None
        return found

    @property
    def has_setup(self) -> bool:
        """True if its games were ever set up."""
        return (self.path / _SETUP).is_file()

    @property
    def is_stopped(self) -> bool:
        """True if it was stopped by hand before its end."""
        return (self.path / _STOPPED).is_file()

    @property
    def is_locked(self) -> bool:
        """True if a process has the folder open for writing, because it plays the run."""
        try:
            lock = os.open(self.path / _LOCK, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:
            return False
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
        finally:
            os.close(lock)
        return False

    def progress(self) -> RunStatus | None:
        """Return the state last written by the process that plays the run; None without one."""
        with contextlib.suppress(OSError, msgspec.MsgspecError, ValueError, RecursionError):
            found: RunStatus = json_decoder(RunStatus).decode(
                read_file(self.path / _PROGRESS, _MOST_STATUS)
            )
            return found
        return None

    def log(self, key: str, seat: int) -> Path:
        """Return the file for the standard error of the bot on a seat of a game."""
        return self.path / "logs" / f"{key}-{seat}.txt"

    def times(self) -> dict[str, GameTimes]:
        """Return the known processor times, by the key of the game."""
        found: dict[str, GameTimes] = {}
        path = self.path / _TIMES
        for line in content(path, _MOST_ROWS).splitlines() if path.is_file() else ():
            with contextlib.suppress(msgspec.MsgspecError, ValueError, RecursionError):
                row: GameTimes = json_decoder(GameTimes).decode(line)
                found[row.key] = row
        return found

    # -- writing -------------------------------------------------------------------------------

    def __enter__(self) -> Self:
        """Lock the folder and cut a torn line off its results.

        Raises:
            Wrong: another process writes to it, or it cannot be read or written.
        """
        try:
            self._lock = os.open(self.path / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            self._open_results(self._lock)
        except OSError as problem:
            self.__exit__()
            raise Wrong(f"{self.path}: {problem.strerror}") from None
        except Wrong:
            self.__exit__()
            raise
        return self

    def _open_results(self, lock: int) -> None:
        """Open the results under a lock, without a torn line."""
        if not _is_lockable(lock):
            raise Wrong(f"{self.path}: another process is playing this run")
        path = self.path / RESULTS
        self._rows, good = _rows_in(path)
        self._file = os.open(path, _APPENDING, 0o600)
        torn = os.fstat(self._file).st_size - good
        if torn:
            os.ftruncate(self._file, good)
            os.fsync(self._file)
            self.remarks.append(f"{path}: {torn} bytes of a torn line were cut off")

    def __exit__(self, *_: object) -> None:
        for number in (self._file, self._lock):
            if number is not None:
                os.close(number)
        self._file = self._lock = None

    def keep_setup(self, setup: LabSetup) -> None:
        """Write the current setup of the games."""
        _write_whole(self.path / _SETUP, lambda fresh: fresh.write_bytes(encode(setup)))

    def add(self, rows: Sequence[GameResult]) -> None:
        """Append rows; they are on the disk when this returns.

        Raises:
            SaveFault: the disk does not accept them.
        """
        assert self._file is not None  # noqa: S101 - within its context
        assert self._rows is not None  # noqa: S101 - within its context
        if not rows:
            return
        data = memoryview(b"".join(encode_json(row) + b"\n" for row in rows))
        before = os.fstat(self._file).st_size
        try:
            while data:
                data = data[os.write(self._file, data) :]
            os.fsync(self._file)
        except OSError as problem:
            os.ftruncate(self._file, before)  # a later row must not follow half a row
            raise SaveFault(f"{self.path / RESULTS}: {problem.strerror}") from None
        self._rows |= {row.key: row for row in rows}

    def drop(self, key: str) -> None:
        """Remove a row, because its game was played on a faulty machine."""
        assert self._file is not None  # noqa: S101 - within its context
        assert self._rows is not None  # noqa: S101 - within its context
        if self._rows.pop(key, None) is None:
            return
        data = b"".join(encode_json(row) + b"\n" for row in self._rows.values())
        path = self.path / RESULTS
        _write_whole(path, lambda fresh: fresh.write_bytes(data))
        os.close(self._file)
        self._file = os.open(path, _APPENDING, 0o600)

    def add_times(self, played: Iterable[ReportedGame]) -> None:
        """Append the times of games; they may be lost if the process dies."""
        rows = (GameTimes(game.result.key, game.times) for game in played if game.times)
        data = b"".join(encode_json(row) + b"\n" for row in rows)
        with contextlib.suppress(OSError), _private(self.path / _TIMES, _APPENDING) as file:
            file.write(data)

    def keep_said(self, played: ReportedGame) -> None:
        """Write the standard error of bots in a game, if the disk allows."""
        for seat, text in played.said.items():
            path = self.log(played.result.key, int(seat))
            with contextlib.suppress(OSError):
                _make_private(path.parent)
                with _private(path) as file:
                    file.write(text.encode(errors="backslashreplace"))

    def keep_progress(self, status: RunStatus) -> None:
        """Write the state for other processes, if the disk allows."""
        path = self.path / _PROGRESS
        fresh = path.with_suffix(".new")
        with contextlib.suppress(OSError):
            with _private(fresh) as file:
                file.write(encode_json(status))
            fresh.replace(path)

    def stop(self, *, stopped: bool) -> None:
        """Mark the run as stopped by hand, or remove the mark.

        Raises:
            SaveFault: the folder cannot be written.
        """
        path = self.path / _STOPPED
        try:
            if stopped:
                _private(path).close()
            else:
                path.unlink(missing_ok=True)
        except OSError as problem:
            raise SaveFault(f"{path}: {problem.strerror}") from None


def _make_private(path: Path) -> None:
    """Create a folder, and missing ones above it, for this user only."""
    for folder in reversed((path, *path.parents)):
        if not folder.exists():
            folder.mkdir(mode=0o700, exist_ok=True)


def _private(path: Path, flags: int = _WRITING) -> BinaryIO:
    """Open a file for writing that only this user may read."""
    number = os.open(path, flags, 0o600)
    os.fchmod(number, 0o600)  # it may have been there
    return os.fdopen(number, "wb")


def _is_lockable(lock: int) -> bool:
    """Lock a folder for this process; return False if another holds it for more than a moment."""
    for pause in (_MOMENT, 0):
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        sleep(pause)  # another process may hold it only to test the lock
    return False


def _write_whole(path: Path, write: Callable[[Path], object]) -> None:
    """Write a file completely or not at all.

    Raises:
        SaveFault: it cannot be written.
    """
    fresh = path.with_suffix(".new")
    try:
        _private(fresh).close()
        write(fresh)
        with fresh.open("rb") as file:
            os.fsync(file.fileno())
        fresh.replace(path)
    except OSError as problem:
        with contextlib.suppress(OSError):
            fresh.unlink()
        raise SaveFault(f"{path}: {problem.strerror}") from None


def _rows_in(path: Path) -> tuple[dict[str, GameResult], int]:
    """Return the rows of a file of results, and the length of all whole lines in bytes.

    Raises:
        Wrong: it cannot be read, or a line before the last is not a row.
    """
    try:
        data = read_file(path, _MOST_ROWS)
    except FileNotFoundError:
        return {}, 0
    except OSError as problem:
        raise Wrong(f"{path}: {problem.strerror}") from None
    rows: dict[str, GameResult] = {}
    read, good, number = json_decoder(GameResult), 0, 0
    while (end := data.find(b"\n", good)) >= 0:
        number += 1
        try:
            row: GameResult = read.decode(data[good:end])
            _check_seats(row)
        except (msgspec.MsgspecError, ValueError, RecursionError) as problem:
            if end + 1 == len(data):
                break
            raise Wrong(f"{path}, line {number}: {problem}") from None
        rows[row.key] = row
        good = end + 1
    return rows, good


def _check_seats(row: GameResult) -> None:
    """Refuse a row about seats that the game does not have.

    Raises:
        ValueError: it names such a seat.
    """
    seats = len(row.bots)
    named = [*row.winners, *([row.fault.seat] if row.fault is not None else [])]
    if len(row.refused) != seats or not all(-1 <= seat < seats for seat in named):
        raise ValueError("it names a seat that is not at the table")


def rows_of_others(path: Path, wanted: Iterable[str]) -> dict[str, GameResult]:
    """Return rows with these keys from the runs beside a folder; skip damaged runs."""
    missing = set(wanted)
    found: dict[str, GameResult] = {}
    for other in sorted(path.absolute().parent.glob(f"*/{RESULTS}")):
        if other.parent.name == path.absolute().name or not missing:
            continue
        with contextlib.suppress(Wrong, OSError):
            rows, _ = _rows_in(other)
            found |= {key: rows[key] for key in missing & rows.keys()}
            missing -= rows.keys()
    return found


# -- saves -------------------------------------------------------------------------------------


def write_save(archive: Archive, setup: LabSetup, played: ReportedGame, name: str = "") -> str:
    """Write a played game with its log as a save; return its name, by default its key.

    An existing save with the key as its name is replaced.

    Raises:
        SaveFault: it cannot be written.
    """
    rules = find(setup.ruleset)
    entries: Sequence[AnyEntry] = decoder(entries_type(rules)).decode(played.log)
    result = played.result
    levels = {bot.name: bot.code for bot in setup.bots if bot.kind == "level"}
    scenario, _ = rules.setup(entries[0].events[0])
    names = rules.seat_names(scenario)
    players = tuple(
        SeatPlayer(seat, names[seat], levels.get(bot, bot)) for seat, bot in enumerate(result.bots)
    )
    title = f"{rules.title}: {scenario.title}"
    header = Header(rules.name, rules.schema, seed_bytes(result.seed), players, title=title)
    if not name:
        with contextlib.suppress(SaveFault):
            archive.delete(result.key)
    file = archive.create(name or result.key, header)
    file.patient = True
    try:
        for entry in entries:
            file.entry(entry)
    finally:
        file.close()
    return file.name


def entries_type(rules: Any) -> Any:
    """Return the type of the entries of a game, for decoders."""
    return tuple[entry_type(rules), ...]  # type: ignore[misc]  # a type that is known at run time
