"""A recorded game as a line of steps, with the state after each of them.

A step is one event. Step 0 is before the first event, step n after the n-th, counted across
entries. People name steps by places: ``41`` is after entry 41, ``41.3`` after the third event of
entry 41, ``41.0`` before its first. Entries have the numbers of the log: 0 sets the game up, 1 is
the first command.

The line of a seat contains what the seat saw: its states are views, and its events redacted. Its
entries count the visible ones only, so that no number reveals hidden entries.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Any, Final

from engine.core.feed import RedactedEvent, changes, knows_all, recorded
from engine.core.ids import HOUSE, Viewer
from engine.core.log import AnyEntry, Entry, EventLog
from engine.core.record import Record
from engine.core.replay import fold
from engine.core.ruleset import AnyRuleset

_PLACE: Final = re.compile(r"(?P<entry>\d{1,9})(?:\.(?P<event>\d{1,9}))?", re.ASCII)
_PERCENT: Final = re.compile(r"(?P<share>\d{1,3})%", re.ASCII)


class NoPlace(ValueError):
    """Raised if a text is not a place of this game; one line that says which places exist."""


class NumberedEvent(Record, frozen=True):
    """One event of a line: the entry it belongs to, its number there (from 1), itself."""

    number: int
    """Number of the step in the line, from 1."""
    entry: AnyEntry
    event_number: int
    event: Any


class GameLine:
    """Entries of one line of a log, and the states between their events.

    All states are kept once they are reached; they share unchanged parts.
    """

    def __init__(
        self,
        rules: AnyRuleset,
        entries: Sequence[AnyEntry],
        states: Sequence[Any],
        origins: Sequence[tuple[int, int]] | None = None,
    ) -> None:
        """Use ``whole_line`` or ``seat_line`` instead.

        Args:
            rules: the ruleset.
            entries: of the line.
            states: the known ones, from step 0; the events lead to the others.
            origins: for each event the position of its entry in the log's line, and its number
                there (from 0); None if this is the log's line.
        """
        self.rules = rules
        self.entries = tuple(entries)
        self._origins = origins
        self.starts: list[int] = [0]
        """Steps before each entry, and after the last one the length of the line."""
        for entry in self.entries:
            self.starts.append(self.starts[-1] + len(entry.events))
        self._index = {entry.seq: index for index, entry in enumerate(self.entries)}
        self._states: list[Any] = list(states)

    def __len__(self) -> int:
        """Return the number of events."""
        return self.starts[-1]

    def state(self, step: int) -> Any:
        """Return the state (or view) after ``step`` events.

        Raises:
            BrokenLog: an event before the step cannot be applied.
        """
        while (known := len(self._states)) <= step:
            # Start from the known states, so that an interrupted walk continues.
            entry = self.entries[self.index_at(known)]
            self._states += recorded(self.rules, self._states[-1], entry).states[1:]
        return self._states[step]

    def states(self) -> Sequence[Any]:
        """Return the states at all steps, from 0 to the length of the line.

        Raises:
            BrokenLog: an event cannot be applied.
        """
        self.state(len(self))
        return self._states

    def index_at(self, step: int) -> int:
        """Return the position in ``entries`` of the entry that led to a step; -1 at step 0."""
        return bisect_left(self.starts, step) - 1

    def step(self, number: int) -> NumberedEvent:
        """Return the event that led to step ``number``, which is at least 1."""
        index = self.index_at(number)
        entry, place = self.entries[index], number - self.starts[index]
        return NumberedEvent(number, entry, place, entry.events[place - 1])

    def steps(self, first: int = 1, last: int | None = None) -> Iterator[NumberedEvent]:
        """Yield the events that led to the steps from ``first`` to ``last`` (default: the end)."""
        for number in range(max(1, first), (len(self) if last is None else last) + 1):
            yield self.step(number)

    def before(self, step: int) -> int:
        """Return the step before the entry whose event led to ``step``."""
        return self.starts[max(0, self.index_at(step))]

    def step_from(self, index: int, event: int = 0) -> int:
        """Return the first step at or after an event of the log's line (position, number)."""
        if self._origins is None:
            return self.starts[index] + event + 1
        return bisect_left(self._origins, (index, event)) + 1

    def origin(self, step: int) -> tuple[int, int]:
        """Return the event of the log's line that led to a step from 1 on, as (position, number).

        The inverse of ``step_from``.
        """
        if self._origins is not None:
            return self._origins[step - 1]
        index = self.index_at(step)
        return index, step - self.starts[index] - 1

    # -- places ----------------------------------------------------------------------------------

    def place(self, step: int) -> str:
        """Return the place of a step: ``41`` after an entry, ``41.3`` inside one, first ``0.0``."""
        if step <= 0:
            return f"{self.entries[0].seq}.0" if self.entries else "0.0"
        index = self.index_at(step)
        entry, event = self.entries[index], step - self.starts[index]
        return str(entry.seq) if event == len(entry.events) else f"{entry.seq}.{event}"

    def step_at(self, text: str) -> int:
        """Return the step of a place: ``41``, ``41.3``, ``41^``, ``50%``, ``start`` or ``end``.

        ``^`` after a place means one step before its event, after a whole entry the step before the
        entry.

        Raises:
            NoPlace: the place does not exist.
        """
        text = text.strip()
        if text.endswith("^"):
            named = text.rstrip("^")
            return max(0, self.earlier(named) - (len(text) - len(named) - 1))
        if text == "start":
            return self.starts[1] if self.entries else 0
        if text == "end":
            return len(self)
        if (found := _PERCENT.fullmatch(text)) and int(found["share"]) <= 100:
            return round(len(self) * int(found["share"]) / 100)
        if (found := _PLACE.fullmatch(text)) is None:
            raise NoPlace(
                f"{text[:40]!r} is no place; try 41, 41.3, r7, 50%, start, end, @mark or ?QUERY"
            )
        return self._numbered(int(found["entry"]), found["event"])

    def earlier(self, text: str) -> int:
        """Return the step before a place: before the entry, or before the event it names.

        Raises:
            NoPlace: the place does not exist.
        """
        step = self.step_at(text)
        is_whole = _PLACE.fullmatch(text) is not None and "." not in text
        return self.before(step) if is_whole else max(0, step - 1)

    def _numbered(self, number: int, event: str | None) -> int:
        index = self._index.get(number)
        if index is None:
            last = self.entries[-1].seq if self.entries else -1
            raise NoPlace(f"there is no entry {number} on this line; it ends with entry {last}")
        length = len(self.entries[index].events)
        if event is None:
            return self.starts[index + 1]
        if int(event) > length:
            raise NoPlace(f"entry {number} has {length} events, not {event}")
        return self.starts[index] + int(event)

    def index_of(self, number: int) -> int | None:
        """Return the position in ``entries`` of the entry with a number, or None if missing."""
        return self._index.get(number)

    def span(self, index: int) -> range:
        """Return the steps that the events of an entry led to."""
        return range(self.starts[index] + 1, self.starts[index + 1] + 1)


def whole_line(rules: AnyRuleset, log: EventLog[Any, Any], head: int | None = None) -> GameLine:
    """Return the line of a log up to entry ``head`` (default: the log's), with full knowledge.

    Raises:
        IndexError: the entry does not exist.
    """
    return line_of(rules, log.line(head))


def line_of(rules: AnyRuleset, entries: Sequence[AnyEntry]) -> GameLine:
    """Return the line of these entries; the first entry sets the game up."""
    return GameLine(rules, entries, [rules.empty()])


def seat_line(
    rules: AnyRuleset, log: EventLog[Any, Any], viewer: Viewer, head: int | None = None
) -> GameLine:
    """Return the line of a log as a viewer saw it; all of it for the referee.

    Raises:
        IndexError: the entry does not exist.
        BrokenLog: an event cannot be applied.
    """
    if knows_all(rules, viewer):
        return whole_line(rules, log, head)
    entries: list[AnyEntry] = []
    states: list[Any] = []
    origins: list[tuple[int, int]] = []
    for index, change in enumerate(changes(rules, log.line(head))):
        known = change.events(viewer)
        if not known or change.entry is None:
            continue
        states += (
            [one.after for one in known]
            if states
            else [known[0].before, *(one.after for one in known)]
        )
        origins += [(index, one.number) for one in known]
        entries.append(_told(len(entries), change.entry, known, viewer))
    if not states:  # without a visible event, the present view is the line
        states.append(rules.view(fold(rules, log.line(head)), viewer))
    return GameLine(rules, entries, states, origins)


def _told(number: int, entry: AnyEntry, known: Sequence[RedactedEvent], viewer: Viewer) -> AnyEntry:
    """Return an entry as a viewer saw it: with command and seat only if it is the viewer's own."""
    is_own = entry.seat == viewer
    return Entry(
        seq=number,
        parent=number - 1,
        seat=entry.seat if is_own else HOUSE,
        command=entry.command if is_own else None,
        events=tuple(one.event for one in known),
    )
