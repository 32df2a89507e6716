"""A game in progress: submitting commands, undo, branches, listeners."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from engine.core.decision import is_heard, mark, states_around
from engine.core.dice import Scripted, Seeded, WrongThrow, pack, unpack
from engine.core.feed import Change, is_foreseen
from engine.core.ids import HOUSE, Seat, Viewer
from engine.core.log import AnyEntry, Entry, EventLog
from engine.core.options import Value
from engine.core.record import Command, Event, Record
from engine.core.refused import Denied, Refused
from engine.core.replay import apply
from engine.core.ruleset import Ruleset, Scenario

S = TypeVar("S")
C = TypeVar("C", bound=Command)
E = TypeVar("E", bound=Event)
V = TypeVar("V")


class Journal(Protocol):
    """The write-ahead port of a game. Its exceptions reach the caller."""

    def entry(self, entry: AnyEntry) -> None:
        """Store an entry."""
        ...

    def head(self, seq: int) -> None:
        """Store that the game continues from entry ``seq`` (undo, branch)."""
        ...

    def again(self, seq: int, carried: Sequence[int]) -> None:
        """Store that the game continues from entry ``seq`` with copies of these later entries."""
        ...


class Bug(Record, frozen=True):
    """An exception raised by a ruleset while deciding, with the data to reproduce it."""

    ruleset: str
    seq: int
    seat: Seat
    command: str
    trace: str


Trail: TypeAlias = list[tuple[int, S]]
"""States after the latest entries of the line, each with the number of its entry."""


class Game(Generic[S, C, E, V]):
    """A game that accepts commands, keeps the log and calls listeners.

    A change is journalled before it takes effect; if the journal raises, state and log are
    unchanged and no listener is called. Then all listeners are called; afterwards the first
    exception of a listener is raised.
    """

    def __init__(
        self,
        rules: Ruleset[S, C, E, V],
        seed: bytes,
        log: EventLog[C, E] | None = None,
        *,
        journal: Journal | None = None,
        on_bug: Callable[[Bug], None] | None = None,
    ) -> None:
        """Continue a log from its head. ``begin`` starts a new game.

        Raises:
            BrokenLog: an event of the log cannot be applied.
        """
        self.rules = rules
        self.log: EventLog[C, E] = log if log is not None else EventLog()
        self._seed = seed
        self._journal = journal
        self._on_bug = on_bug
        self._listeners: dict[object, Callable[[Change[S, C, E]], None]] = {}
        self._trail: Trail[S] = []
        self._trail = self._reached(self.log.head)
        self._state = self._trail[-1][1] if self._trail else rules.empty()

    @classmethod
    def begin(
        cls,
        rules: Ruleset[S, C, E, V],
        scenario: Scenario,
        options: Mapping[str, Value],
        seed: bytes,
        *,
        journal: Journal | None = None,
        on_bug: Callable[[Bug], None] | None = None,
    ) -> Game[S, C, E, V]:
        """Start a game from a scenario, and return it.

        Raises:
            ScenarioFault: the scenario is invalid.
            OptionFault: an option is unknown or has an invalid value.
        """
        game = cls(rules, seed, journal=journal, on_bug=on_bug)
        dice = Seeded(seed, 0, "decide")
        events = rules.begin(scenario, options, dice)
        game._commit(game._made(HOUSE, None, events, dice))
        return game

    @property
    def state(self) -> S:
        """The current state."""
        return self._state

    @property
    def head(self) -> int:
        """Number of the last entry of the current line."""
        return self.log.head

    def view(self, viewer: Viewer) -> V:
        """Return a viewer's current view."""
        return self.rules.view(self._state, viewer)

    def listen(self, hear: Callable[[Change[S, C, E]], None]) -> Callable[[], None]:
        """Call ``hear`` after every change. Call the result to unsubscribe."""
        key = object()
        self._listeners[key] = hear

        def stop() -> None:
            self._listeners.pop(key, None)

        return stop

    def submit(self, seat: Seat, command: C) -> Entry[C, E]:
        """Play ``command`` for ``seat``; return the new entry of the log, with its events.

        Raises:
            Refused: the rules do not allow it, or have a bug; nothing has changed.
        """
        if not is_heard(self.rules, self._state, seat):
            raise Refused(Denied.NOT_YOUR_TURN, "It is not your turn.")
        dice = Seeded(self._seed, len(self.log), "decide")
        try:
            events = self.rules.decide(self._state, seat, command, dice)
            change = self._made(seat, command, events, dice)
        except Refused:
            raise
        except Exception as problem:
            self._report(seat, command)
            raise Refused(
                Denied.RULES_BUG, "A fault in the rules of this game; nothing has changed."
            ) from problem
        return self._commit(change)

    def can_undo(self, seat: Seat) -> bool:
        """Return whether the seat can take its last entry back."""
        return self._without_last(seat) is not None

    def undo(self, seat: Seat) -> int:
        """Take back the seat's own last entry; return the number of the new head.

        In simultaneous games later entries of others are kept, as copies on the new line.

        Raises:
            Refused: the seat has no entry in this phase, or it cannot be undone.
        """
        found = self._without_last(seat)
        if found is None:
            raise Refused(Denied.NO_UNDO, "There is nothing here that you can take back.")
        parent, carried = found
        if not carried:
            self.go(parent)
            return self.head
        before, trail = self._state, self._reached(parent)
        if self._journal is not None:
            self._journal.again(parent, carried)
        self.log.again(parent, carried)
        for entry in self.log.line()[-len(carried) :]:
            trail.append((entry.seq, apply(self.rules, trail[-1][1], entry)))
        self._trail, self._state = trail, trail[-1][1]
        self._tell(Change(self.rules, None, (before, self._state)))
        return self.head

    def go(self, seq: int) -> None:
        """Move the head to entry ``seq``; nothing is erased.

        Raises:
            Refused: the entry does not exist.
        """
        if not 0 <= seq < len(self.log):
            raise Refused(Denied.NO_ENTRY, f"There is no entry {seq} in this game.")
        before = self._state
        trail = self._reached(seq)
        if self._journal is not None:
            self._journal.head(seq)
        self.log.go(seq)
        self._trail, self._state = trail, trail[-1][1]
        self._tell(Change(self.rules, None, (before, self._state)))

    def _without_last(self, seat: Seat) -> tuple[int, tuple[int, ...]] | None:
        """Return the entry before the seat's last one, and later entries of others.

        None if the seat has no entry in this phase, or its last one cannot be undone. The result
        must not depend on the possibly secret entries of others.
        """
        if not self.rules.traits.undo or self.head <= 0:
            return None
        others: list[Entry[C, E]] = []
        entry = self.log[self.head]
        while entry.seat != seat or entry.command is None:
            if entry.command is None or self._ends_undo(entry):
                return None
            others.append(entry)
            entry = self.log[entry.parent]
        if _is_lasting(entry) or not self._is_foreseen(entry):
            return None
        others.reverse()
        if not self._stand_alone(entry.parent, others):
            return None
        return entry.parent, tuple(other.seq for other in others)

    def _is_foreseen(self, entry: Entry[C, E]) -> bool:
        if not self.rules.traits.hidden:
            return True
        before = self._reached(entry.parent)[-1][1]
        try:
            return is_foreseen(self.rules, before, entry)
        except Exception:  # noqa: BLE001 - as in submit: a fault in the rules is reported
            self._report(entry.seat, entry.command)
            return False

    def _stand_alone(self, seq: int, entries: Iterable[Entry[C, E]]) -> bool:
        """Return whether the entries would have the same results directly after entry ``seq``."""
        state = self._reached(seq)[-1][1]
        for entry in entries:
            dice = Scripted(unpack(entry.throws))
            try:
                if not is_heard(self.rules, state, entry.seat) or entry.command is None:
                    return False
                events = self.rules.decide(state, entry.seat, entry.command, dice)
            except (Refused, WrongThrow):
                return False
            if events != entry.events or dice.left():
                return False
            state = apply(self.rules, state, entry)
        return True

    def _ends_undo(self, entry: AnyEntry) -> bool:
        """Return whether no entry before this one can be taken back by another seat.

        In simultaneous games that is the end of a phase or turn, which all viewers see.
        """
        if self.rules.traits.simultaneous:
            return any(event.ends_phase for event in entry.events)
        return True

    def _made(
        self, seat: Seat, command: C | None, events: tuple[E, ...], dice: Seeded
    ) -> Change[S, C, E]:
        """Build the change of a decision, with the states that were evolved while deciding."""
        states = states_around(self.rules, self._state, events)
        entry = Entry(
            seq=len(self.log),
            parent=self.head,
            seat=seat,
            command=command,
            events=tuple(events),
            throws=pack(dice.thrown),
            mark=mark(self.rules, states[-1], events),
        )
        return Change(self.rules, entry, states)

    def _commit(self, change: Change[S, C, E]) -> Entry[C, E]:
        entry = change.entry
        assert entry is not None  # noqa: S101 - tells the type checker
        if self._journal is not None:
            self._journal.entry(entry)
        self.log.append(entry)
        self._state = change.after
        self._follow(self._trail, entry, change.after)
        self._tell(change)
        return entry

    def _tell(self, change: Change[S, C, E]) -> None:
        problem: Exception | None = None
        for hear in tuple(self._listeners.values()):
            try:
                hear(change)
            except Exception as raised:  # noqa: BLE001 - the others must hear of it too
                problem = problem or raised
        if problem is not None:
            raise problem

    def _reached(self, seq: int) -> Trail[S]:
        """Return the trail up to entry ``seq``: cut from the current one, or folded."""
        for number, (known, _) in enumerate(self._trail):
            if known == seq:
                return self._trail[: number + 1]
        trail: Trail[S] = []
        state = self.rules.empty()
        for entry in self.log.line(seq):
            state = apply(self.rules, state, entry)
            self._follow(trail, entry, state)
        return trail

    def _follow(self, trail: Trail[S], entry: AnyEntry, state: S) -> None:
        """Append a state to a trail; drop the states that no undo can return to."""
        if _is_lasting(entry) and self._ends_undo(entry):
            trail.clear()
        trail.append((entry.seq, state))

    def _report(self, seat: Seat, command: Any) -> None:
        if self._on_bug is not None:
            trace = traceback.format_exc()
            self._on_bug(Bug(self.rules.name, len(self.log), seat, repr(command), trace))


def _is_lasting(entry: AnyEntry) -> bool:
    return bool(entry.throws) or any(event.irreversible for event in entry.events)
