"""What a game was like: states along its log, so that nobody waits until all of it is folded."""

from __future__ import annotations

import contextlib
from typing import Any, Final

from engine.core.replay import BrokenLog, Cursor, Keyframes
from tui.play.table import Table

EVERY: Final = 1024
"""Events between two remembered states: folding so many takes some two milliseconds."""

NEAR: Final = 64
"""Entries that are not worth a thread."""


class Past:
    """The remembered states of one game."""

    def __init__(self, table: Table, every: int = EVERY) -> None:
        """Nothing is remembered yet."""
        self.keyframes: Keyframes[Any] = Keyframes(every)
        self._table = table
        self._reached = 0
        """So many entries there were when it was looked back last."""

    @property
    def is_far(self) -> bool:
        """Whether so much has happened since that looking back takes a while."""
        return len(self._table.game.log) - self._reached > NEAR

    def look_back(self) -> None:
        """Remember states up to now. Nothing may happen in the game meanwhile."""
        log = self._table.game.log
        self._reached = len(log)
        cursor: Cursor[Any, Any, Any] = Cursor(self._table.rules, log.line(), self.keyframes)
        with contextlib.suppress(BrokenLog):  # whoever reads the log is told of it
            cursor.seek(self._reached)
