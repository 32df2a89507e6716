"""The feed: the events of a game as each viewer may know them.

An accepted entry becomes one ``Change`` with the states around each of its events. A change redacts
its events and builds the views around them on demand, once for each viewer, and shares them among
all screens, hosts, replays and dumps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, Generic, TypeAlias, TypeVar

from engine.core.decision import states_around
from engine.core.dice import Scripted, Seeded, WrongThrow
from engine.core.ids import REFEREE, ROOT, Viewer
from engine.core.link import FeedItem
from engine.core.log import AnyEntry, Entry
from engine.core.record import Command, Event
from engine.core.refused import Refused
from engine.core.replay import BrokenLog
from engine.core.ruleset import AnyRuleset

S = TypeVar("S")
C = TypeVar("C", bound=Command)
E = TypeVar("E", bound=Event)


def knows_all(rules: AnyRuleset, viewer: Viewer) -> bool:
    """Return whether nothing in this game is hidden from the viewer."""
    return viewer == REFEREE or not rules.traits.hidden


KnownViews: TypeAlias = dict[tuple[Viewer, int], Any]
"""Views by (viewer, number of the change's events that have happened)."""


class RedactedEvent:
    """An event as one viewer may know it; ``number`` is its position among the entry's events."""

    __slots__ = ("_change", "_viewer", "event", "number")

    def __init__(self, change: AnyChange, viewer: Viewer, number: int, event: Any) -> None:
        self.number = number
        self.event = event
        self._change = change
        self._viewer = viewer

    @property
    def before(self) -> Any:
        """The view just before this event."""
        return self._change.view(self._viewer, self.number)

    @property
    def after(self) -> Any:
        """The view just after this event."""
        return self._change.view(self._viewer, self.number + 1)


class Change(Generic[S, C, E]):
    """An entry with the states around its events, or a move of the head (``entry`` is None).

    ``states`` has the state before the first event and the one after each event. A move of the head
    (undo, branch) has the states before and after it.
    """

    def __init__(
        self,
        rules: AnyRuleset,
        entry: Entry[C, E] | None,
        states: tuple[S, ...],
        views: KnownViews | None = None,
    ) -> None:
        self.rules = rules
        self.entry = entry
        self.states = states
        self._views: KnownViews = {} if views is None else views
        self._events: dict[Viewer, tuple[tuple[int, Any], ...]] = {}
        self._items: dict[Viewer, FeedItem | None] = {}

    @property
    def before(self) -> S:
        """The state before the change."""
        return self.states[0]

    @property
    def after(self) -> S:
        """The state after the change."""
        return self.states[-1]

    def view(self, viewer: Viewer, number: int = -1) -> Any:
        """Return the viewer's view after ``number`` events; by default after the whole change."""
        key = viewer, number if number >= 0 else len(self.states) - 1
        view = self._views.get(key)
        if view is None:
            view = self._views[key] = self.rules.view(self.states[key[1]], viewer)
        return view

    def events(self, viewer: Viewer) -> tuple[RedactedEvent, ...]:
        """Return the events visible to the viewer, each redacted between its own two states."""
        known = self._events.get(viewer)
        if known is None:
            known = self._events[viewer] = tuple(self._redacted(viewer))
        return tuple(RedactedEvent(self, viewer, number, event) for number, event in known)

    def item(self, viewer: Viewer) -> FeedItem | None:
        """Return the viewer's feed item for this change, or None if the viewer sees none of it.

        A move of the head is sent to the viewers whose view it changes. The item's count is 0.
        """
        if viewer not in self._items:
            self._items[viewer] = self._item(viewer)
        return self._items[viewer]

    def last_views(self) -> KnownViews:
        """Return the views already built of the last state, for the next change.

        The next change begins with that state.
        """
        last = len(self.states) - 1
        return {(viewer, 0): view for (viewer, at), view in self._views.items() if at == last}

    def _redacted(self, viewer: Viewer) -> Iterator[tuple[int, Any]]:
        """Yield the number and the redacted form of each event visible to the viewer."""
        whole = knows_all(self.rules, viewer)
        for number, event in enumerate(self.entry.events if self.entry is not None else ()):
            before, after = self.states[number : number + 2]
            known = event if whole else self.rules.redact(event, before, after, viewer)
            if known is not None:
                yield number, known

    def _item(self, viewer: Viewer) -> FeedItem | None:
        if self.entry is None:
            view = self.view(viewer)
            return FeedItem(0, "rewound", (), view) if view != self.view(viewer, 0) else None
        known = self.events(viewer)
        if not known:
            return None
        events = tuple(redacted.event for redacted in known)
        views = tuple(redacted.after for redacted in known[:-1])
        return FeedItem(0, "played", events, self.view(viewer), views)


AnyChange: TypeAlias = Change[Any, Any, Any]


def recorded(
    rules: AnyRuleset, before: Any, entry: AnyEntry, views: KnownViews | None = None
) -> AnyChange:
    """Return the change made by an entry of a log, evolved from the state before it.

    ``views`` are views of the state ``before`` that are built already.

    Raises:
        BrokenLog: an event cannot be applied.
    """
    states = [before]
    for number, event in enumerate(entry.events):
        try:
            states.append(rules.evolve(states[-1], event))
        except Exception as problem:
            reason = f"{type(problem).__name__}: {problem}"
            raise BrokenLog(entry.seq, number, reason) from problem
    return Change(rules, entry, tuple(states), views)


def changes(
    rules: AnyRuleset, entries: Iterable[AnyEntry], start: Any = None
) -> Iterator[AnyChange]:
    """Yield the changes of successive entries, from ``start`` (default: the empty state).

    Raises:
        BrokenLog: an event cannot be applied.
    """
    state = rules.empty() if start is None else start
    views: KnownViews | None = None
    for entry in entries:
        change = recorded(rules, state, entry, views)
        yield change
        state, views = change.after, change.last_views()


# -- foresight: results of an order for its own seat ---------------------------------------------

_SEED: Final = b"foresight"
"""Seed of imagined states; no stored result depends on it."""


def is_foreseen(rules: AnyRuleset, before: Any, entry: AnyEntry) -> bool:
    """Return whether the seat could predict every result of its order.

    Decide the order again on a state imagined from the seat's earlier view. A new result, a dice
    roll or a refusal means that something hidden took part; undo would then give it away for free.
    """
    seat = entry.seat
    imagined = rules.imagine(rules.view(before, seat), Seeded(_SEED, entry.seq, "imagine"))
    try:
        events = rules.decide(imagined, seat, entry.command, Scripted())
    except (Refused, WrongThrow):
        return False
    return told(rules, imagined, events, seat) == told(rules, before, entry.events, seat)


def told(
    rules: AnyRuleset, before: Any, events: Sequence[Event], viewer: Viewer
) -> tuple[tuple[Event, ...], Any]:
    """Return the redacted events of a decision that a viewer sees, and the view after them."""
    entry: AnyEntry = Entry(0, ROOT, viewer, None, tuple(events))
    change: AnyChange = Change(rules, entry, states_around(rules, before, events))
    return tuple(known.event for known in change.events(viewer)), change.view(viewer)
