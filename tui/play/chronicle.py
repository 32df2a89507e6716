"""Chronicle of a game: its log in words, redacted for one viewer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final, NamedTuple

from engine.core.feed import changes
from engine.core.ids import HOUSE, Seat, Viewer
from engine.core.log import AnyEntry, EventLog
from engine.core.record import replace
from engine.core.replay import BrokenLog, Cursor, Keyframes
from engine.core.ruleset import AnyRuleset
from engine.tabletop.board import Line
from engine.tabletop.presenter import presenter_of
from engine.tabletop.roles import Tone
from tui.play.annals import Telling, telling
from tui.play.playback import PlaybackScene, about, resolution, scenes, stretch, told_of
from tui.replay.history import History
from tui.replay.losses_table import Reckoning
from tui.replay.timeline import Story

BEFORE: Final = -1
"""Position before the first entry of a log."""

_FARTHER: Final = 4
"""Factor by which more entries are read when too few had a message."""


class EntryTold(NamedTuple):
    """Messages of an entry, the seat that acted, and whether its turn may have ended with it.

    An entry after which a turn has reached a later phase has not ended it.
    """

    seat: Seat
    lines: list[Line]
    ends_turn: bool = False


class Chronicle:
    """Log of a game for one viewer; everything it returns is redacted for that viewer."""

    def __init__(
        self,
        rules: AnyRuleset,
        log: EventLog[Any, Any],
        viewer: Viewer,
        keyframes: Keyframes[Any] | None = None,
    ) -> None:
        """Read a log that may still grow; ``keyframes`` are states along it, which save time."""
        self.rules = rules
        self.viewer = viewer
        self._log = log
        self.numbered = True
        """True if lines carry their entry numbers, which reveal how many entries are secret."""
        self._keyframes = keyframes

    def __len__(self) -> int:
        """Return the number of entries."""
        return len(self._line())

    def told(self, latest: int) -> Iterator[tuple[Seat, Line]]:
        """Yield (seat that acted, message) for the latest ``latest`` entries that have messages."""
        for told in self.told_by_entry(latest):
            for line in told.lines:
                yield told.seat, line

    def told_by_entry(self, latest: int) -> Iterator[EntryTold]:
        """Yield the messages of each of the latest entries that have any.

        Secret entries of others do not count, so they displace nothing. Lines have the numbers of
        their entries if the chronicle is ``numbered``.
        """
        cursor = Cursor(self.rules, self._line(), self._keyframes)
        reach, found = latest, list[EntryTold]()
        try:
            while True:
                start = max(BEFORE, len(cursor.line) - 1 - reach)
                found = list(self._told_from(cursor, start))
                if start == BEFORE or len(found) >= latest:
                    break
                reach *= _FARTHER
        except BrokenLog as broken:
            yield EntryTold(HOUSE, [Line(f"The log is broken: {broken}", Tone.BAD)])
        yield from found[-latest:]

    def _told_from(self, cursor: Cursor[Any, Any, Any], start: int) -> Iterator[EntryTold]:
        """Yield the lines of each entry after a position, unless it has none."""
        presenter = presenter_of(self.rules)
        entries = cursor.line[start + 1 :]
        for entry, change in zip(
            entries, changes(self.rules, entries, cursor.seek(start)), strict=True
        ):
            events = list(change.events(self.viewer))
            said = [
                replace(line, entry=entry.seq) if self.numbered else line
                for told in events
                for line in told_of(presenter, told)
            ]
            if said:
                ends = any(event.ends_phase for event in entry.events) and (
                    presenter.status(events[-1].after).at_track
                    <= presenter.status(events[0].before).at_track
                )
                yield EntryTold(entry.seat, said, ends)

    def tellings(self, latest: int) -> list[Telling]:
        """Return notable events and counted moves of the latest entries on the played line."""
        cursor = Cursor(self.rules, self._line(), self._keyframes)
        presenter, found = presenter_of(self.rules), list[Telling | None]()
        start = max(BEFORE, len(cursor.line) - 1 - latest)
        round_ = 0
        entries = cursor.line[start + 1 :]
        with suppress(BrokenLog):
            known = changes(self.rules, entries, cursor.seek(start))
            for entry, change in zip(entries, known, strict=True):
                for told in change.events(self.viewer):
                    facts = presenter.facts(told.event, told.before, told.after)
                    if not round_ or told.event.ends_phase:
                        round_ = presenter.status(told.after).round
                    said = about(presenter.tell(told.event, told.after), facts)
                    number = entry.seq if self.numbered else BEFORE
                    found.append(telling(round_, said, facts, number))
        return [told for told in found if told is not None]

    def away(self) -> tuple[int, int]:
        """Return (first, end) of the entries of others since this viewer last acted, to show again.

        If all sides move at once, these are the entries in which the last orders were carried out.
        """
        if self.rules.traits.simultaneous:
            return resolution(self._line())
        return stretch(self._line(), self.viewer)

    def resolved(self) -> int:
        """Return the position after the last resolution of simultaneous orders; 0 without any."""
        return resolution(self._line())[1] if self.rules.traits.simultaneous else 0

    def scenes(self, start: int, stop: int) -> Iterator[PlaybackScene]:
        """Yield the scenes of the entries from ``start`` up to ``stop``, which is excluded.

        Raises:
            BrokenLog: an event cannot be applied.
        """
        return scenes(self.rules, self._line(), self.viewer, start, stop, self._keyframes)

    def reckoning(self) -> Reckoning:
        """Return a table of each side's losses.

        It is empty until the caller iterates its ``walk``.
        """
        return Reckoning(self.rules, self._line(), self.viewer, numbered=self.numbered)

    def story(self) -> Story:
        """Return a timeline of the whole game.

        It is empty until the caller iterates its ``walk``.
        """
        return Story(self.rules, self._line(), self.viewer)

    def history(self) -> History:
        """Return the statistics of each round; empty until the caller iterates its ``walk``."""
        return History(self.rules, self._line(), self.viewer)

    def _line(self) -> tuple[AnyEntry, ...]:
        return tuple(self._log.line())
