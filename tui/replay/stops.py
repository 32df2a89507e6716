"""Stops: queries that a running game is watched by, as it is played.

``--stop-when`` ends a game at the first moment that fits. ``--always`` names what must never be
false, ``--sometimes`` what should happen in one game at least. Statistics, such as ``units``, are
those after the entry of a moment; a moment of which a query says nothing breaks no promise.
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
"""Keeps a bundle about the end of a log; the name of its file."""


class Stops(Record, frozen=True):
    """Queries that games are watched by, as they are written."""

    stop_when: str = ""
    always: tuple[str, ...] = ()
    sometimes: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """True if nothing is watched."""
        return not (self.stop_when or self.always or self.sometimes)


def stops_of(args: Namespace) -> Stops:
    """Stops of a command line."""
    return Stops(args.stop_when or "", tuple(args.always), tuple(args.sometimes))


class StopFound(Record, frozen=True):
    """A stop that was reached: its query, the place, and if it is a broken promise."""

    query: str
    place: str
    is_broken: bool

    def __str__(self) -> str:
        if self.is_broken:
            return f"{self.place}: not always {self.query}"
        return f"{self.place}: {self.query}"


class StopReached(Exception):
    """A stop was reached in a game; ``found`` says which."""

    def __init__(self, found: StopFound) -> None:
        super().__init__(str(found))
        self.found = found


class StopWatch:
    """One game under watch: it is given every change, and says where to stop."""

    def __init__(self, rules: AnyRuleset, seats: Sequence[str], stops: Stops) -> None:
        """Read the queries.

        Raises:
            BadQuery: one cannot be read, with the column.
        """
        self.stops = stops
        names = tuple(rules.statistics(rules.empty()))
        self._stop = parse(stops.stop_when, seats, names) if stops.stop_when else None
        self._always = [parse(text, seats, names) for text in stops.always]
        self._sometimes = [parse(text, seats, names) for text in stops.sometimes]
        self._seats = len(seats)
        self._story = Story(rules, ())
        self.seen: set[str] = set()
        """Queries of ``sometimes`` that were true by now."""
        self.found: StopFound | None = None
        """The stop that was reached; nothing is watched behind it."""

    def take(self, change: AnyChange) -> None:
        """Look at the next change of the game; ``found`` is the stop that is reached in it."""
        if self.found is None and change.entry is not None:
            before = len(self._story.moments)
            self._story.take(change)
            numbers = self._story.numbers[-1] if self._story.numbers else {}
            happened = [Scope(moment, numbers) for moment in self._story.moments[before:]]
            last = len(change.entry.events) - 1
            self.found = self._stopped(happened, last, numbers, change.entry.seq)

    def stop(self, change: AnyChange) -> None:
        """Look at the next change of the game as ``take`` does, as a listener that ends it.

        Raises:
            StopReached: a stop is reached in it.
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
    """The queries of ``sometimes`` that were true in no game."""
    return [text for text in stops.sometimes if text not in seen]
