"""Progress in lessons, kept in the state folder."""

from __future__ import annotations

import contextlib
from pathlib import Path

import msgspec

from tui.console.faults import folder
from tui.play.lesson_steps import PlayedLine


class Reached(msgspec.Struct, frozen=True):
    """Progress in one lesson."""

    steps: int = 0
    """Number of steps that are done."""
    of: int = 0
    played: tuple[PlayedLine, ...] = ()

    @property
    def is_done(self) -> bool:
        """True if the lesson was finished."""
        return 0 < self.of <= self.steps

    @property
    def words(self) -> str:
        """Progress in words for a list; empty if the lesson was not begun."""
        if self.is_done:
            return "done"
        return f"step {self.steps + 1} of {self.of}" if self.steps else ""


def progress_file() -> Path:
    """File that keeps the progress."""
    return folder() / "lessons.json"


def load() -> dict[str, Reached]:
    """Progress of all lessons that were begun, by name; empty if the file cannot be read."""
    try:
        return msgspec.json.decode(progress_file().read_bytes(), type=dict[str, Reached])
    except (OSError, ValueError):
        return {}


def keep(name: str, reached: Reached) -> None:
    """Keep the progress of a lesson; if that fails, the lesson goes on all the same."""
    path = progress_file()
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        fresh = path.with_suffix(".new")
        fresh.write_bytes(msgspec.json.format(msgspec.json.encode({**load(), name: reached})))
        fresh.replace(path)
