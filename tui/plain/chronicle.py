"""How a game went, as far as one viewer may know it. Knows no widgets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from engine.core.ids import HOUSE, Seat, Viewer
from engine.core.log import AnyEntry, EventLog
from engine.core.record import replace
from engine.core.replay import BrokenLog, Cursor, Keyframes
from engine.core.ruleset import AnyRuleset
from engine.tabletop.board import Line
from engine.tabletop.presenter import presenter_of
from engine.tabletop.roles import Tone
from tui.history import History
from tui.playback import Scene, resolution, scenes, stretch, told_of
from tui.reckoning import Reckoning
from tui.timeline import Story, telling

BEFORE: Final = -1
"""Where a log is before its first entry."""


class Chronicle:
    """The line of a log that is played, told to one viewer: whatever it gives is redacted."""

    def __init__(
        self,
        rules: AnyRuleset,
        log: EventLog[Any, Any],
        viewer: Viewer,
        keyframes: Keyframes[Any] | None = None,
    ) -> None:
        """Tell from a log, which may grow meanwhile; ``keyframes`` are states along it."""
        self.rules = rules
        self.viewer = viewer
        self._log = log
        self._keyframes = keyframes

    def __len__(self) -> int:
        """So many entries there are."""
        return len(self._line())

    def told(self, latest: int) -> Iterator[tuple[Seat, Line]]:
        """What the latest entries say, with who made them; each line knows its entry."""
        rules, presenter = self.rules, presenter_of(self.rules)
        cursor = Cursor(rules, self._line(), self._keyframes)
        try:
            cursor.seek(max(BEFORE, len(cursor.line) - 1 - latest))
            while cursor.index < len(cursor.line) - 1:
                state = cursor.state
                entry = cursor.line[cursor.index + 1]
                for _, told in telling(rules, state, entry, self.viewer):
                    if told is not None:
                        for line in told_of(presenter, told):
                            yield entry.seat, replace(line, entry=entry.seq)
                cursor.step(1)
        except BrokenLog as broken:
            yield HOUSE, Line(f"The log is broken: {broken}", Tone.BAD)

    def away(self) -> tuple[int, int]:
        """The entries that are worth being shown again: others' since this viewer acted last.

        Where everybody moves at once: how the last orders were carried out.
        """
        if self.rules.traits.simultaneous:
            return resolution(self._line())
        return stretch(self._line(), self.viewer)

    def resolved(self) -> int:
        """Where the last carrying out of everybody's orders ends; 0 if there was none."""
        return resolution(self._line())[1] if self.rules.traits.simultaneous else 0

    def scenes(self, start: int, stop: int) -> Iterator[Scene]:
        """What happened in some entries, scene by scene.

        Raises:
            BrokenLog: an event cannot be applied.
        """
        return scenes(self.rules, self._line(), self.viewer, start, stop, self._keyframes)

    def reckoning(self) -> Reckoning:
        """Who lost what, to be walked through."""
        return Reckoning(self.rules, self._line(), self.viewer)

    def story(self) -> Story:
        """The whole game, to be walked through."""
        return Story(self.rules, self._line(), self.viewer)

    def history(self) -> History:
        """The numbers of all rounds, to be walked through."""
        return History(self.rules, self._line(), self.viewer)

    def _line(self) -> tuple[AnyEntry, ...]:
        return tuple(self._log.line())
