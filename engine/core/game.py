"""A game in progress."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from typing import Any, Generic, Protocol, TypeVar

from engine.core.dice import Seeded, pack
from engine.core.ids import HOUSE, ROOT, Seat, Viewer
from engine.core.log import AnyEntry, Entry, EventLog
from engine.core.options import Value
from engine.core.record import Command, Event, Record
from engine.core.refused import Denied, Refused
from engine.core.replay import apply, fold, mark
from engine.core.ruleset import Ruleset, Scenario

S = TypeVar("S")
C = TypeVar("C", bound=Command)
E = TypeVar("E", bound=Event)
V = TypeVar("V")


class Journal(Protocol):
    """Where a game writes before anything counts. What it raises reaches the caller."""

    def entry(self, entry: AnyEntry) -> None:
        """Keep an entry."""
        ...

    def head(self, seq: int) -> None:
        """Keep that the game goes on from entry ``seq`` (undo, branch)."""
        ...


class Bug(Record, frozen=True):
    """What a ruleset did wrong while deciding: enough to find it again."""

    ruleset: str
    seq: int
    seat: Seat
    command: str
    trace: str


class Heard(Record, Generic[S, C, E], frozen=True):
    """What listeners are told: an entry with the states around it, or a move of the head.

    ``entry`` is None when the head moved (undo, branch).
    """

    entry: Entry[C, E] | None
    before: S
    after: S


class Game(Generic[S, C, E, V]):
    """Accepts commands, keeps the log, answers questions.

    Nothing changes before the journal has kept it; if the journal raises, the state, the log and
    the listeners are as before.
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
        """Take up a log where it stands. ``begin`` starts a new game.

        Raises:
            BrokenLog: an event of the log cannot be applied.
        """
        self.rules = rules
        self.log: EventLog[C, E] = log if log is not None else EventLog()
        self._seed = seed
        self._journal = journal
        self._on_bug = on_bug
        self._listeners: list[Callable[[Heard[S, C, E]], None]] = []
        self._trail: list[tuple[int, S]] = []
        self._state = rules.empty()
        self._travel(self.log.head)

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
        """Start a game.

        Raises:
            ScenarioFault: the scenario cannot be played.
            OptionFault: an option cannot be set so.
        """
        game = cls(rules, seed, journal=journal, on_bug=on_bug)
        dice = Seeded(seed, 0, "decide")
        events = rules.begin(scenario, options, dice)
        game._commit(HOUSE, None, events, dice)
        return game

    @property
    def state(self) -> S:
        """The position now."""
        return self._state

    @property
    def head(self) -> int:
        """The number of the last entry of the line that is played."""
        return self.log.head

    def view(self, viewer: Viewer) -> V:
        """What the viewer may know."""
        return self.rules.view(self._state, viewer)

    def listen(self, hear: Callable[[Heard[S, C, E]], None]) -> Callable[[], None]:
        """Call ``hear`` after every change; the answer stops it."""
        self._listeners.append(hear)
        return lambda: self._listeners.remove(hear)

    def submit(self, seat: Seat, command: C) -> Entry[C, E]:
        """Play ``command`` for ``seat``.

        Raises:
            Refused: it is not allowed; nothing has changed.
        """
        if seat >= 0 and self.rules.outcome(self._state) is None:
            self._listen_to(seat)
        dice = Seeded(self._seed, len(self.log), "decide")
        try:
            events = self.rules.decide(self._state, seat, command, dice)
        except Refused:
            raise
        except Exception as problem:
            self._report(seat, command)
            raise Refused(
                Denied.RULES_BUG, "A fault in the rules of this game; nothing has changed."
            ) from problem
        return self._commit(seat, command, events, dice)

    def can_undo(self, seat: Seat) -> bool:
        """Whether the last entry can be taken back by this seat."""
        if not self.rules.traits.undo or self.head <= 0:
            return False
        last = self.log[self.head]
        lasting = bool(last.throws) or any(event.lasting for event in last.events)
        return last.seat == seat and last.command is not None and not lasting

    def undo(self, seat: Seat) -> int:
        """Take back one's own last entry; the number of the entry that is last now.

        Raises:
            Refused: it is another's, or it cannot be undone.
        """
        if not self.can_undo(seat):
            raise Refused(Denied.NO_UNDO, "There is nothing here that you can take back.")
        self.go(self.log[self.head].parent)
        return self.head

    def go(self, seq: int) -> None:
        """Go on from entry ``seq``; nothing is erased.

        Raises:
            Refused: there is no such entry.
        """
        if not 0 <= seq < len(self.log):
            raise Refused(Denied.NO_ENTRY, f"There is no entry {seq} in this game.")
        before = self._state
        if self._journal is not None:
            self._journal.head(seq)
        self.log.go(seq)
        self._travel(seq)
        self._tell(Heard(None, before, self._state))

    def _listen_to(self, seat: Seat) -> None:
        if not self.rules.may(self._state, seat):
            raise Refused(Denied.NOT_YOUR_TURN, "It is not your turn.")

    def _commit(
        self, seat: Seat, command: C | None, events: tuple[E, ...], dice: Seeded
    ) -> Entry[C, E]:
        before = self._state
        bare = Entry(
            seq=len(self.log),
            parent=self.head,
            seat=seat,
            command=command,
            events=events,
            throws=pack(dice.thrown),
        )
        after = apply(self.rules, before, bare)
        entry = Entry(
            bare.seq,
            bare.parent,
            seat,
            command,
            events,
            bare.throws,
            mark(self.rules, after, events),
        )
        if self._journal is not None:
            self._journal.entry(entry)
        self.log.append(entry)
        self._state = after
        self._follow(entry, after)
        self._tell(Heard(entry, before, after))
        return entry

    def _tell(self, heard: Heard[S, C, E]) -> None:
        for hear in tuple(self._listeners):
            hear(heard)

    def _follow(self, entry: Entry[C, E], state: S) -> None:
        """Keep the states that an undo may want: those since the last lasting entry."""
        if entry.throws or any(event.lasting for event in entry.events):
            self._trail.clear()
        self._trail.append((entry.seq, state))

    def _travel(self, seq: int) -> None:
        """Make the state that after entry ``seq``, from the trail if it is still there."""
        for number, (known, state) in enumerate(self._trail):
            if known == seq:
                del self._trail[number + 1 :]
                self._state = state
                return
        self._trail.clear()
        self._state = self.rules.empty()
        if seq != ROOT:
            for entry in self.log.line(seq):
                self._state = fold(self.rules, (entry,), self._state)
                self._follow(entry, self._state)

    def _report(self, seat: Seat, command: Any) -> None:
        if self._on_bug is not None:
            trace = traceback.format_exc()
            self._on_bug(Bug(self.rules.name, len(self.log), seat, repr(command), trace))
