"""Causes of a value: the event that brought it, and the throws and premises that decided it.

An entry is decided again with one throw changed at a time, then with one premise changed at a time.
Each time only the value in question is compared, never whole events. Premises are values of the
state before the entry.

A changed throw may lead to other dice than recorded, or to more of them. These get new throws,
always the same ones: the result from there is one course among many.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import Any, Final

from engine.core.decision import states_around
from engine.core.dice import Dice, Seeded, Throw, unpack
from engine.core.log import AnyEntry
from engine.core.record import Message, Record
from engine.core.refused import Refused
from engine.core.ruleset import AnyRuleset
from engine.debug.history import Followed
from engine.debug.line import GameLine
from engine.debug.paths import MISSING, StatePath, children, put, read, write
from engine.debug.premises import Premise, changed, premises
from engine.debug.tracing import decided

TRIES: Final = 2_000
"""Maximum number of decisions to try for one question."""
_WORK: Final = 40_000
"""Maximum work for one question: a decision costs its number of events and throws, plus ten."""

_PREMISE_SHARE: Final = 4
"""One in this many tries changes a premise."""
_FACES: Final = 100
"""Maximum number of faces of a die to try."""

NO_RULES: Final = object()
"""Outcome of a decision that is impossible in a changed state."""


class Denial(Record, frozen=True):
    """Outcome of a decision that is refused."""

    code: str


class ThrowCause(Record, frozen=True):
    """A throw that decides the value: other faces, each with the value that it would lead to.

    ``number`` counts the throws of the entry from 1. Faces that were not tried are left out.
    """

    number: int
    sides: int
    face: int
    outcomes: tuple[tuple[int, Any], ...]


class PremiseCause(Record, frozen=True):
    """A premise that decides the value: other values of it, each with its consequence."""

    path: StatePath
    value: Any
    outcomes: tuple[tuple[Any, Any], ...]


class OtherDice:
    """The throws of an entry with one of them changed; dice that do not fit get new throws."""

    def __init__(self, throws: Sequence[Throw], seq: int) -> None:
        self._told = throws
        self._seq = seq
        self._anew: Seeded | None = None
        self._thrown: list[Throw] = []

    @property
    def thrown(self) -> tuple[Throw, ...]:
        """All throws so far, in order."""
        return tuple(self._thrown)

    def roll(self, sides: int) -> int:
        """Return the next given throw if the die fits; from the first misfit on, a new throw."""
        at = len(self._thrown)
        if self._anew is None and at < len(self._told) and self._told[at][0] == sides:
            face = self._told[at][1]
        else:
            self._anew = self._anew or Seeded(b"causes", self._seq, "anew")
            face = self._anew.roll(sides)
        self._thrown.append((sides, face))
        return face


class CauseSearch:
    """A value that changed at a step of a line, to be compared in other courses of its entry."""

    def __init__(self, line: GameLine, what: Followed, step: int, at: int | None = None) -> None:
        """Ask for a value after its change at ``step``.

        Args:
            line: a line with full knowledge.
            what: the value.
            step: at which it changed.
            at: the step of interest. Before the end of the entry, the change with the same number
                is compared in other courses; else, and by default, the value after the whole entry.
        """
        self.line, self.what, self.step = line, what, step
        self.index = line.index_at(step)
        self.entry: AnyEntry = line.entries[self.index]
        self.start, end = line.starts[self.index], line.starts[self.index + 1]
        self.before = line.state(self.start)
        self.throws: tuple[Throw, ...] = tuple(unpack(self.entry.throws))
        states = [line.state(one) for one in range(self.start, end + 1)]
        self._number: int | None = None
        if at is not None and at < end:
            self._number = len(self._changes(states[: at - self.start + 1]))
        self.answer = self.answered(states)
        self.after = states[-1]
        self.tries = 0
        self.sampled_throws = False
        self.sampled_values = False

    @property
    def _rules(self) -> AnyRuleset:
        return self.line.rules

    # -- courses ---------------------------------------------------------------------------------

    def answered(self, states: Sequence[Any]) -> Any:
        """Return the value after a course of the entry, from its states."""
        if self._number is None:
            return self.what.in_state(states[-1])
        found = self._changes(states)
        return found[min(self._number, len(found)) - 1] if found else self.what.in_state(states[0])

    def _changes(self, states: Sequence[Any]) -> list[Any]:
        """Return the successive values of the path in a course."""
        along = [self.what.in_state(state) for state in states]
        return [new for old, new in pairwise(along) if old is not new and old != new]

    def outcome(self, before: Any, dice: Dice) -> Any:
        """Return the value after another course, a Denial, or NO_RULES if the rules fail."""
        self.tries += 1
        try:
            events = decided(self._rules, before, self.entry, dice)
            return self.answered(states_around(self._rules, before, events))
        except Refused as refused:
            return Denial(str(refused.code))
        except Exception:  # noqa: BLE001 - the state is made up, and may be impossible
            return NO_RULES

    @property
    def most_tries(self) -> int:
        """Maximum number of decisions to try: fewer if each takes more work."""
        return min(TRIES, _WORK // (10 + len(self.entry.events) + len(self.throws)))

    # -- throws ----------------------------------------------------------------------------------

    def throw_causes(self) -> Iterator[ThrowCause]:
        """Yield the throws that decide the value, in order."""
        for number, faces in enumerate(self._faces()):
            sides, face = self.throws[number]
            outcomes = [(other, self._with_throw(number, other)) for other in faces]
            if any(not same(result, self.answer) for _, result in outcomes):
                yield ThrowCause(number + 1, sides, face, tuple(outcomes))

    def _with_throw(self, number: int, face: int) -> Any:
        sides = self.throws[number][0]
        told = (*self.throws[:number], (sides, face), *self.throws[number + 1 :])
        return self.outcome(self.before, OtherDice(told, self.entry.seq))

    def _faces(self) -> Iterator[Sequence[int]]:
        """Yield the other faces to try of each throw: all, or a few of each if all are too many."""
        most = self.most_tries - self.most_tries // _PREMISE_SHARE
        whole = sum(min(sides - 1, _FACES) for sides, _ in self.throws)
        share = max(1, most // max(1, len(self.throws)))
        self.sampled_throws = whole > most or any(sides > _FACES for sides, _ in self.throws)
        left = most
        for sides, face in self.throws:
            faces = _other_faces(sides, face, min(_FACES, sides if whole <= most else share))
            yield faces[:left]
            left -= len(faces[:left])

    # -- premises ---------------------------------------------------------------------------------

    def premise_causes(self) -> Iterator[PremiseCause]:
        """Yield the premises of the state before that decide the value, the likeliest first."""
        if self.entry.command is None:
            return
        left = self.most_tries // _PREMISE_SHARE
        for premise in self._premises():
            if left <= 0:
                self.sampled_values = True
                return
            left -= len(premise.others)
            found = tuple(self._with_premise(premise))
            if any(not same(result, self.answer) for _, result in found):
                yield PremiseCause(premise.path, premise.value, found)

    def _premises(self) -> Iterator[Premise]:
        messages = (self.entry.command, *self.entry.events)
        asked = read(self.what.text)
        return premises(self.before, self.after, asked, self.entry.seat, messages)

    def _with_premise(self, premise: Premise) -> Iterator[tuple[Any, Any]]:
        for other in premise.others:
            try:
                state = changed(self.before, premise, other)
            except (ValueError, TypeError, KeyError, OverflowError):
                continue
            result = self.outcome(state, OtherDice(self.throws, self.entry.seq))
            if result is not NO_RULES:
                yield other, result

    # -- the event -------------------------------------------------------------------------------

    def origin(self) -> str:
        """Return the field of the event that the value comes from, as a path into it; or empty.

        The field holds the value itself: changing it changes the value to the same number. If no
        field does, it is one whose change leads to a third value.
        """
        state, event = self.line.state(self.step - 1), self.line.step(self.step).event
        old = self.what.in_state(state)
        now = self.what.in_state(self.line.state(self.step))
        if isinstance(now, Record):
            return next((write(path) for path, at in _parts(event) if at is now or at == now), "")
        second = ""
        for path, others in _other_messages(event):
            found = [(told, self._evolved(state, other)) for told, other in others]
            if all(then == told for told, then in found):
                return write(path)
            if not second and any(then not in (old, now, MISSING) for _, then in found):
                second = write(path)
        return second

    def _evolved(self, state: Any, event: Message) -> Any:
        """Return the value after another event; MISSING if that event is impossible."""
        try:
            return self.what.in_state(self._rules.evolve(state, event))
        except Exception:  # noqa: BLE001 - the event is made up, and may be impossible
            return MISSING


def same(one: Any, other: Any) -> bool:
    """Return whether two outcomes are equal; NO_RULES counts as equal to anything."""
    return one is NO_RULES or one is other or bool(one == other)


def _other_faces(sides: int, face: int, most: int) -> Sequence[int]:
    """Return up to ``most`` other faces of a die: the ends, the neighbours, then an even spread."""
    if sides - 1 <= most:
        return [other for other in range(1, sides + 1) if other != face]
    spread = [1 + (sides - 1) * part // max(1, most) for part in range(most + 1)]
    wanted = dict.fromkeys([1, sides, face - 1, face + 1, *spread])
    return sorted([one for one in wanted if 1 <= one <= sides and one != face][:most])


_MOST_FIELDS: Final = 40
"""Maximum number of fields of an event to try."""


def _other_messages(event: Message) -> Iterator[tuple[StatePath, list[tuple[Any, Message]]]]:
    """Yield the numbers in an event, each with other values and the events that have them."""
    numbers = ((path, others) for path, at in _parts(event) if (others := _other_leaf(at)))
    for path, others in islice(numbers, _MOST_FIELDS):
        yield path, [(other, put(event, path, other)) for other in others]


def _parts(at: Any) -> Iterator[tuple[StatePath, Any]]:
    """Yield the values inside a record or tuple, at any depth, each with its path."""
    for key, below in children(at):
        yield (key,), below
        yield from (((key, *path), part) for path, part in _parts(below))


def _other_leaf(at: Any) -> Sequence[Any]:
    if isinstance(at, bool):
        return (not at,)
    if type(at) is int:
        return (at + 1, at - 1)
    return ()
