"""Progress of a run: one line on a terminal, a line a minute elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Final

from tui.console.printing import raw
from tui.farm.supervisor import Farm
from tui.lab.games import ReportedGame
from tui.lab.plans import GameTask, LabSetup
from tui.lab.store import RunFolder

_MINUTE: Final = 60.0


class LineWatcher:
    """Progress as lines of text on standard error."""

    def __init__(self) -> None:
        self._total = self._done = self._faults = 0
        self._began = self._told = monotonic()
        self._is_terminal = sys.stderr.isatty()

    def begin(self, total: int, known: int) -> None:
        """Hear how many games there are."""
        del known
        self._total, self._done, self._faults, self._began = total, 0, 0, monotonic()

    def played(self, game: ReportedGame) -> None:
        """Count a game."""
        self._done += 1
        self._faults += game.result.fault is not None

    def tick(self, farm: Farm[LabSetup, GameTask, ReportedGame]) -> bool:
        """Tell how far it is, now and then."""
        del farm
        now = monotonic()
        if now - self._told >= (0.2 if self._is_terminal else _MINUTE):
            self._told = now
            self._tell(now)
        return False

    def end(self) -> None:
        """Tell how far it came."""
        if self._total:
            self._tell(monotonic())
            sys.stderr.write("\n" if self._is_terminal else "")

    def _tell(self, now: float) -> None:
        rate = self._done / max(now - self._began, 1e-6)
        left = (self._total - self._done) / max(rate, 1e-6)
        faults = f", {self._faults} broken off" if self._faults else ""
        text = f"{self._done}/{self._total} games{faults}, {rate:.1f} a second, {left:.0f} s left"
        if self._is_terminal:
            raw(sys.stderr).write(f"\r\x1b[K{text}")
            sys.stderr.flush()
        else:
            sys.stderr.write(f"{text}\n")


@contextmanager
def watcher_of(folder: RunFolder, setup: LabSetup, *, json: bool) -> Iterator[LineWatcher]:
    """Whoever watches a run of a command."""
    del folder, setup, json
    watcher = LineWatcher()
    try:
        yield watcher
    finally:
        watcher.end()
