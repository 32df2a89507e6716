"""How a game went, as far as one viewer may know it. Knows no widgets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from engine.core.feed import changes
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
from tui.timeline import Story

BEFORE: Final = -1
"""Where a log is before its first entry."""

_FARTHER: Final = 4
"""How much farther back is looked where too little was told."""


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
        self.numbered = True
        """Whether lines know their entries, whose numbers count what others do in secret."""
        self._keyframes = keyframes

    def __len__(self) -> int:
        """So many entries there are."""
        return len(self._line())

    def told(self, latest: int) -> Iterator[tuple[Seat, Line]]:
        """Tellings of the latest entries that say anything, with who made them.

        Others that act in secret do not push out what was told before. Lines know their entries
        where those are ``numbered``.
        """
        cursor = Cursor(self.rules, self._line(), self._keyframes)
        reach, found = latest, list[tuple[Seat, list[Line]]]()
        try:
            while True:
                start = max(BEFORE, len(cursor.line) - 1 - reach)
                found = list(self._told_from(cursor, start))
                if start == BEFORE or len(found) >= latest:
                    break
                reach *= _FARTHER
        except BrokenLog as broken:
            yield HOUSE, Line(f"The log is broken: {broken}", Tone.BAD)
        for seat, said in found[-latest:]:
            for line in said:
                yield seat, line

    def _told_from(
        self, cursor: Cursor[Any, Any, Any], start: int
    ) -> Iterator[tuple[Seat, list[Line]]]:
        """The lines of each entry behind a place that has any."""
        presenter = presenter_of(self.rules)
        entries = cursor.line[start + 1 :]
        for entry, change in zip(
            entries, changes(self.rules, entries, cursor.seek(start)), strict=True
        ):
            said = [
                replace(line, entry=entry.seq) if self.numbered else line
                for told in change.events(self.viewer)
                for line in told_of(presenter, told)
            ]
            if said:
                yield entry.seat, said

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
        return Reckoning(self.rules, self._line(), self.viewer, numbered=self.numbered)

    def story(self) -> Story:
        """The whole game, to be walked through."""
        return Story(self.rules, self._line(), self.viewer)

    def history(self) -> History:
        """The numbers of all rounds, to be walked through."""
        return History(self.rules, self._line(), self.viewer)

    def _line(self) -> tuple[AnyEntry, ...]:
        return tuple(self._log.line())
