"""How far somebody has come in the lessons, kept in the state folder. Knows no widgets."""

from __future__ import annotations

import contextlib
from pathlib import Path

import msgspec

from tui.console.faults import folder
from tui.play.lesson_steps import PlayedLine


class Reached(msgspec.Struct, frozen=True):
    """A place in a lesson."""

    steps: int = 0
    """How many are behind."""
    of: int = 0
    played: tuple[PlayedLine, ...] = ()

    @property
    def is_done(self) -> bool:
        """Whether the lesson was finished."""
        return 0 < self.of <= self.steps

    @property
    def words(self) -> str:
        """For a list; empty if it was not begun."""
        if self.is_done:
            return "done"
        return f"step {self.steps + 1} of {self.of}" if self.steps else ""


def progress_file() -> Path:
    """Where it is kept."""
    return folder() / "lessons.json"


def load() -> dict[str, Reached]:
    """All lessons that were begun, by name; nothing if the file cannot be read."""
    try:
        return msgspec.json.decode(progress_file().read_bytes(), type=dict[str, Reached])
    except (OSError, ValueError):
        return {}


def keep(name: str, reached: Reached) -> None:
    """Remember a place; if that fails, the lesson goes on all the same."""
    path = progress_file()
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        fresh = path.with_suffix(".new")
        fresh.write_bytes(msgspec.json.format(msgspec.json.encode({**load(), name: reached})))
        fresh.replace(path)
