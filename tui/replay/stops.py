"""Stops: queries that are tested on a game while it is played.

``--stop-when`` ends a game at the first match. ``--always`` names what must never be false,
``--sometimes`` what should happen in at least one game. Statistics, such as ``units``, are those
after the entry of a moment; a query that does not apply to a moment breaks no promise.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Sequence
from typing import Any

from engine.core.archive import Header
from engine.core.feed import AnyChange
from engine.core.log import EventLog
from engine.core.record import Record
from engine.core.ruleset import AnyRuleset
from engine.tabletop.fact import Fact
from tui.replay.query import Scope, parse
from tui.replay.timeline import Moment, SeatStatistics, Story

PostMortem = Callable[[Header, EventLog[Any, Any]], str]
"""Stores a bundle about the end of a log; returns the name of its file."""


class Stops(Record, frozen=True):
    """Queries of ``--stop-when``, ``--always`` and ``--sometimes``, as typed."""

    stop_when: str = ""
    always: tuple[str, ...] = ()
    sometimes: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """True if there is no query."""
        return not (self.stop_when or self.always or self.sometimes)


def stops_of(args: Namespace) -> Stops:
    """Return the queries in parsed arguments."""
    return Stops(args.stop_when or "", tuple(args.always), tuple(args.sometimes))


class StopFound(Record, frozen=True):
    """A stop that was reached: its query, its place, and whether it is a broken promise."""

    query: str
    place: str
    is_broken: bool

    def __str__(self) -> str:
        if self.is_broken:
            return f"{self.place}: not always {self.query}"
        return f"{self.place}: {self.query}"


class StopReached(Exception):
    """A stop was reached in a game; ``found`` is the stop."""

    def __init__(self, found: StopFound) -> None:
        super().__init__(str(found))
        self.found = found


class StopWatch:
    """The queries of one game in progress."""

    def __init__(self, rules: AnyRuleset, seats: Sequence[str], stops: Stops) -> None:
        """Parse the queries of ``stops``.

        Raises:
            BadQuery: a query cannot be parsed; the text gives the column.
        """
        self.stops = stops
        names = tuple(rules.statistics(rules.empty()))
        self._stop = parse(stops.stop_when, seats, names) if stops.stop_when else None
        self._always = [parse(text, seats, names) for text in stops.always]
        self._sometimes = [parse(text, seats, names) for text in stops.sometimes]
        self._seats = len(seats)
        self._story = Story(rules, ())
        self.seen: set[str] = set()
        """Queries of ``sometimes`` that have matched so far."""
        self.found: StopFound | None = None
        """The stop that was reached; later changes are not tested."""

    def take(self, change: AnyChange) -> None:
        """Test the next change of the game; set ``found`` if a stop is reached."""
        if self.found is None and change.entry is not None:
            before = len(self._story.moments)
            self._story.take(change)
            numbers = self._story.numbers[-1] if self._story.numbers else {}
            happened = [Scope(moment, numbers) for moment in self._story.moments[before:]]
            last = len(change.entry.events) - 1
            self.found = self._stopped(happened, last, numbers, change.entry.seq)

    def stop(self, change: AnyChange) -> None:
        """Test the next change, as a listener of the game.

        Raises:
            StopReached: a stop is reached, which ends the game.
        """
        was_running = self.found is None
        self.take(change)
        if was_running and self.found is not None:
            raise StopReached(self.found)

    def _stopped(
        self, happened: Sequence[Scope], last: int, numbers: SeatStatistics, entry: int
    ) -> StopFound | None:
        after = [
            Scope(Moment(entry, last, Fact("phase", seat)), numbers) for seat in range(self._seats)
        ]
        for scope in happened:
            self.seen |= {one.text for one in self._sometimes if one.test(scope)}
        for scope in (*happened, *after):
            for query in self._always:
                if query.opposite(scope):
                    return StopFound(query.text, _place(entry, scope), is_broken=True)
        for scope in happened:
            if self._stop is not None and self._stop.test(scope):
                return StopFound(self._stop.text, _place(entry, scope), is_broken=False)
        return None


def _place(entry: int, scope: Scope) -> str:
    return f"{entry}.{scope.moment.event + 1}"


def never(stops: Stops, seen: set[str]) -> list[str]:
    """Return the queries of ``sometimes`` that matched in no game."""
    return [text for text in stops.sometimes if text not in seen]
