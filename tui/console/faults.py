"""Fault reports of rules and screens: files that a player can send to the maintainers."""

from __future__ import annotations

import contextlib
from itertools import count
from pathlib import Path
from traceback import format_exception

from platformdirs import user_state_path

from engine.core.codec import encode_json
from engine.core.game import Bug
from engine.core.record import Record

MOST = 50
"""Maximum number of reports; the oldest are deleted first."""


def folder() -> Path:
    """Return the folder of fault reports and of the screen's diagnostics."""
    return user_state_path("banneret", appauthor=False)


class ScreenFault(Record, frozen=True):
    """Unhandled exception of a screen: the open screens, and its trace."""

    screens: tuple[str, ...]
    """Class names of the open screens, the topmost last."""
    error: str
    trace: str


def screen_fault(error: BaseException, screens: tuple[str, ...]) -> ScreenFault:
    """Return a fault for ``error``; its trace has source locations but no values of variables."""
    trace = "".join(format_exception(error))
    return ScreenFault(screens, f"{type(error).__name__}: {error}", trace)


def keep(bug: Bug) -> None:
    """Write a report of a fault of the rules; do nothing if it cannot be written."""
    keep_report(bug)


def keep_report(found: Bug | ScreenFault) -> Path | None:
    """Write a report; return its path, or None if it cannot be written."""
    with contextlib.suppress(OSError):
        place = folder() / "reports"
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        known = reports()
        last = int(known[-1].stem.partition("-")[2]) if known else 0
        path = _fresh(place, last + 1, encode_json(found) + b"\n")
        for old in known[: max(0, len(known) + 1 - MOST)]:
            old.unlink(missing_ok=True)
        return path
    return None


def _fresh(place: Path, first: int, data: bytes) -> Path:
    """Write a new file with the first free number, as other processes may write reports too."""
    for number in count(first):
        path = place / f"fault-{number:04}.json"
        with contextlib.suppress(FileExistsError), path.open("xb") as file:
            file.write(data)
            return path
    raise AssertionError


def reports() -> list[Path]:
    """Return the report files, oldest first."""
    return sorted((folder() / "reports").glob("fault-[0-9]*.json"))
