"""Loading (fold), seeking (Cursor) and verifying logs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Generic, TypeVar

from engine.core.codec import digest, layout, plain
from engine.core.decision import is_heard
from engine.core.dice import Scripted, WrongThrow, unpack
from engine.core.ids import ROOT
from engine.core.log import AnyEntry, Entry, EventLog
from engine.core.record import Command, Event, Record
from engine.core.refused import Refused
from engine.core.ruleset import AnyRuleset, Ruleset

S = TypeVar("S")
C = TypeVar("C", bound=Command)
E = TypeVar("E", bound=Event)
V = TypeVar("V")


def place(entry: int, event: int = -1) -> str:
    """Return the place of an event (from 0) of an entry, as people write it: events count from 1.

    >>> place(41, 2), place(41)
    ('41.3', '41')
    """
    return str(entry) if event < 0 else f"{entry}.{event + 1}"


class BrokenLog(ValueError):
    """Raised if an event cannot be applied, or leads to an impossible state.

    ``event`` counts from 0 and is -1 if the entry as a whole is invalid. The text has the place as
    people write it, with events from 1: ``entry 41.3``.
    """

    def __init__(self, entry: int, event: int, reason: str) -> None:
        super().__init__(f"entry {place(entry, event)}: {reason}")
        self.entry = entry
        self.event = event
        self.reason = reason


def apply(rules: Ruleset[S, C, E, V], state: S, entry: Entry[C, E]) -> S:
    """Return the state after an entry.

    Raises:
        BrokenLog: evolving an event failed, which cannot happen in a sound log.
    """
    for number, event in enumerate(entry.events):
        try:
            state = rules.evolve(state, event)
        except Exception as problem:
            reason = f"{type(problem).__name__}: {problem}"
            raise BrokenLog(entry.seq, number, reason) from problem
    return state


def fold(rules: Ruleset[S, C, E, V], entries: Iterable[Entry[C, E]], start: S | None = None) -> S:
    """Return the state after recorded entries: apply their events without running rules.

    Raises:
        BrokenLog: an event cannot be applied.
    """
    state = rules.empty() if start is None else start
    for entry in entries:
        state = apply(rules, state, entry)
    return state


class Divergence(Record, frozen=True):
    """First difference between a log and the current rules: entry, event, field, both values.

    ``event`` counts from 0; it is -1 if the entry as a whole differs.
    """

    seq: int
    event: int
    field: str
    recorded: str
    now: str

    def __str__(self) -> str:
        return f"entry {self.place}, {self.field}: recorded {self.recorded}, now {self.now}"

    @property
    def place(self) -> str:
        """Place of the difference, as people write it."""
        return place(self.seq, self.event)


class Verdict(Record, frozen=True):
    """Result of verifying: numbers of entries and marks compared, and the first difference."""

    entries: int
    marks: int
    not_comparable: int
    """Number of marks with another layout of the state, which prove nothing."""
    divergence: Divergence | None = None


def verify(rules: AnyRuleset, log: EventLog[Any, Any]) -> Verdict:
    """Decide every command of every branch again with the recorded throws; return the verdict.

    Stop at the first difference. Entries are checked in the order written.
    """
    states: dict[int, Any] = {ROOT: rules.empty()}
    last_use = {entry.parent: entry.seq for entry in log.entries}
    marks = strange = 0
    for entry in log.entries:
        before = states[entry.parent]
        found = _compare(rules, before, entry)
        if found is not None:
            return Verdict(entry.seq, marks, strange, found)
        try:
            after = apply(rules, before, entry)
        except BrokenLog as broken:
            unfit = Divergence(entry.seq, broken.event, "event", "unfit", broken.reason)
            return Verdict(entry.seq, marks, strange, unfit)
        if entry.seq in last_use:
            states[entry.seq] = after
        if last_use[entry.parent] == entry.seq:
            del states[entry.parent]
        if entry.mark is None:
            continue
        if entry.mark.layout != layout(rules.state_type):
            strange += 1
            continue
        if entry.mark.digest.hex() != (now := _digest_of(after)):
            parted = Divergence(entry.seq, -1, "mark", entry.mark.digest.hex(), now)
            return Verdict(entry.seq, marks, strange, parted)
        marks += 1
    return Verdict(len(log), marks, strange)


def _digest_of(state: Any) -> str:
    """Return the digest of a state in hex, or the error if it has none."""
    try:
        return digest(state).hex()
    except (ValueError, TypeError, OverflowError, RecursionError) as problem:
        return f"{type(problem).__name__}: {problem}"


def _compare(rules: AnyRuleset, before: Any, entry: AnyEntry) -> Divergence | None:
    dice = Scripted(unpack(entry.throws))
    try:
        if entry.command is None:
            now = rules.begin(*rules.setup(entry.events[0]), dice)
        elif not is_heard(rules, before, entry.seat):
            return Divergence(entry.seq, -1, "seat", str(entry.seat), "not listened to")
        else:
            now = rules.decide(before, entry.seat, entry.command, dice)
    except Refused as refused:
        return Divergence(entry.seq, -1, "command", "accepted", f"refused, {refused.code}")
    except WrongThrow as wrong:
        return Divergence(entry.seq, -1, "throws", f"{len(dice.thrown)} fitted", str(wrong))
    except Exception as problem:  # noqa: BLE001 - anything that today's rules make of it
        return Divergence(
            entry.seq, -1, "command", "accepted", f"{type(problem).__name__}: {problem}"
        )
    found = first_difference(entry.seq, entry.events, now)
    if found is None and (left := dice.left()):
        return Divergence(entry.seq, -1, "throws", f"{left} more", "not asked for")
    return found


def first_difference(
    seq: int, recorded: Sequence[Event], now: Sequence[Event]
) -> Divergence | None:
    """Return the first event and field in which two lists of events differ, or None."""
    for number, (old, new) in enumerate(zip(recorded, now, strict=False)):
        if old != new:
            path, was, is_now = _differing_field(plain(old), plain(new))
            return Divergence(seq, number, path, was, is_now)
    if len(recorded) != len(now):
        number = min(len(recorded), len(now))
        return Divergence(seq, number, "event", _tag_at(recorded, number), _tag_at(now, number))
    return None


def _tag_at(events: Sequence[Event], number: int) -> str:
    return str(plain(events[number])["t"]) if number < len(events) else "nothing"


def _differing_field(old: Any, new: Any, path: str = "") -> tuple[str, str, str]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*old, *(key for key in new if key not in old)]:
            if old.get(key) != new.get(key):
                below = f"{path}.{key}" if path else str(key)
                return _differing_field(old.get(key), new.get(key), below)
    if isinstance(old, list | tuple) and isinstance(new, list | tuple) and len(old) == len(new):
        for number, (was, is_now) in enumerate(zip(old, new, strict=True)):
            if was != is_now:
                return _differing_field(was, is_now, f"{path}[{number}]")
    return path, _short(old), _short(new)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


class Keyframes(Generic[S]):
    """States stored every ``every`` events, by entry number: they bound the cost of seeking."""

    def __init__(self, every: int = 256) -> None:
        self.every = every
        self.states: dict[int, S] = {}


class Cursor(Generic[S, C, E]):
    """A position in a line of a log, and the state there: seek anywhere, step both ways.

    Position -1 is before the first entry. Keyframes are added while walking, or handed in.
    """

    def __init__(
        self,
        rules: Ruleset[S, C, E, Any],
        line: Sequence[Entry[C, E]],
        keyframes: Keyframes[S] | None = None,
    ) -> None:
        self.rules = rules
        self.line = tuple(line)
        self.keyframes = keyframes or Keyframes()
        self._index = -1
        self._state = rules.empty()
        self._weights = _running_events(self.line)

    @property
    def index(self) -> int:
        """Position in the line; -1 before its first entry."""
        return self._index

    @property
    def state(self) -> S:
        """State after the entry at this position."""
        return self._state

    @property
    def entry(self) -> Entry[C, E] | None:
        """The entry at this position; None before the first."""
        return self.line[self._index] if self._index >= 0 else None

    def seek(self, index: int) -> S:
        """Go to a position, clamped to the line, and return the state there.

        Raises:
            BrokenLog: an event before that position cannot be applied.
        """
        index = max(-1, min(index, len(self.line) - 1))
        at, state = self._nearest(index)
        for number in range(at + 1, index + 1):
            state = apply(self.rules, state, self.line[number])
            self._remember(number, state)
        self._index, self._state = index, state
        return state

    def step(self, by: int) -> S:
        """Go ``by`` entries forward, or back if negative, and return the state there.

        The position is clamped to the line.

        Raises:
            BrokenLog: an event before that position cannot be applied.
        """
        return self.seek(self._index + by)

    def _nearest(self, index: int) -> tuple[int, S]:
        best, state = -1, self.rules.empty()
        if self._index <= index:
            best, state = self._index, self._state
        for place in range(index, best, -1):
            known = self.keyframes.states.get(self.line[place].seq)
            if known is not None:
                return place, known
        return best, state

    def _remember(self, number: int, state: S) -> None:
        before = self._weights[number - 1] if number else 0
        every = self.keyframes.every
        if number == 0 or self._weights[number] // every != before // every:
            self.keyframes.states[self.line[number].seq] = state


def _running_events(line: Sequence[AnyEntry]) -> list[int]:
    total, out = 0, []
    for entry in line:
        total += len(entry.events)
        out.append(total)
    return out
