"""A game in progress."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from typing import Any, Generic, Protocol, TypeVar

from engine.core.dice import Seeded, pack
from engine.core.ids import HOUSE, Seat, Viewer
from engine.core.log import AnyEntry, Entry, EventLog
from engine.core.options import Value
from engine.core.record import Command, Event, Record, replace
from engine.core.refused import Denied, Refused
from engine.core.replay import apply, is_heard, mark
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
    the listeners are as before. Listeners are told after the fact: all of them hear of it, and what
    one of them raises reaches the caller then.
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
        self._listeners: dict[object, Callable[[Heard[S, C, E]], None]] = {}
        self._trail: list[tuple[int, S]] = []
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
        """Start a game.

        Raises:
            ScenarioFault: the scenario cannot be played.
            OptionFault: an option cannot be set so.
        """
        game = cls(rules, seed, journal=journal, on_bug=on_bug)
        dice = Seeded(seed, 0, "decide")
        events = rules.begin(scenario, options, dice)
        game._commit(*game._made(HOUSE, None, events, dice))
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
        key = object()
        self._listeners[key] = hear

        def stop() -> None:
            self._listeners.pop(key, None)

        return stop

    def submit(self, seat: Seat, command: C) -> Entry[C, E]:
        """Play ``command`` for ``seat``.

        Raises:
            Refused: it is not allowed; nothing has changed.
        """
        if not is_heard(self.rules, self._state, seat):
            raise Refused(Denied.NOT_YOUR_TURN, "It is not your turn.")
        dice = Seeded(self._seed, len(self.log), "decide")
        try:
            events = self.rules.decide(self._state, seat, command, dice)
            entry, after = self._made(seat, command, events, dice)
        except Refused:
            raise
        except Exception as problem:
            self._report(seat, command)
            raise Refused(
                Denied.RULES_BUG, "A fault in the rules of this game; nothing has changed."
            ) from problem
        self._commit(entry, after)
        return entry

    def can_undo(self, seat: Seat) -> bool:
        """Whether the last entry can be taken back by this seat."""
        if not self.rules.traits.undo or self.head <= 0:
            return False
        last = self.log[self.head]
        return last.seat == seat and last.command is not None and not _is_lasting(last)

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
        trail = self._reached(seq)
        if self._journal is not None:
            self._journal.head(seq)
        self.log.go(seq)
        self._trail, self._state = trail, trail[-1][1]
        self._tell(Heard(None, before, self._state))

    def _made(
        self, seat: Seat, command: C | None, events: tuple[E, ...], dice: Seeded
    ) -> tuple[Entry[C, E], S]:
        """The entry for a decision, and the state after it."""
        entry = Entry(
            seq=len(self.log),
            parent=self.head,
            seat=seat,
            command=command,
            events=events,
            throws=pack(dice.thrown),
        )
        after = apply(self.rules, self._state, entry)
        return replace(entry, mark=mark(self.rules, after, events)), after

    def _commit(self, entry: Entry[C, E], after: S) -> None:
        before = self._state
        if self._journal is not None:
            self._journal.entry(entry)
        self.log.append(entry)
        self._state = after
        _follow(self._trail, entry, after)
        self._tell(Heard(entry, before, after))

    def _tell(self, heard: Heard[S, C, E]) -> None:
        problem: Exception | None = None
        for hear in tuple(self._listeners.values()):
            try:
                hear(heard)
            except Exception as raised:  # noqa: BLE001 - the others must hear of it too
                problem = problem or raised
        if problem is not None:
            raise problem

    def _reached(self, seq: int) -> list[tuple[int, S]]:
        """The trail that ends after entry ``seq``, out of the present one if that still has it."""
        for number, (known, _) in enumerate(self._trail):
            if known == seq:
                return self._trail[: number + 1]
        trail: list[tuple[int, S]] = []
        state = self.rules.empty()
        for entry in self.log.line(seq):
            state = apply(self.rules, state, entry)
            _follow(trail, entry, state)
        return trail

    def _report(self, seat: Seat, command: Any) -> None:
        if self._on_bug is not None:
            trace = traceback.format_exc()
            self._on_bug(Bug(self.rules.name, len(self.log), seat, repr(command), trace))


def _follow(trail: list[tuple[int, S]], entry: AnyEntry, state: S) -> None:
    """Keep the states that an undo may want: those since the last entry that lasts."""
    if _is_lasting(entry):
        trail.clear()
    trail.append((entry.seq, state))


def _is_lasting(entry: AnyEntry) -> bool:
    return bool(entry.throws) or any(event.lasting for event in entry.events)
