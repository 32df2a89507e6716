"""Values over time: each change of a path or a statistic along a line, and its curve.

Records that neighbouring states share are skipped by identity; only different objects are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

from engine.core.record import Record
from engine.core.ruleset import AnyRuleset, FieldMeaning
from engine.core.scenarios import seat_of
from engine.debug.difference import Difference, differences
from engine.debug.line import GameLine
from engine.debug.paths import MISSING, NoPath, StatePath, find, read, value, write

Read: TypeAlias = Callable[[Any], Any]
"""Function that reads a value from a state; ``MISSING`` if it is not there."""

Turn: TypeAlias = Literal["made", "gone", "moved", "hurt", "changed"]
"""Kind of a change in the life of a piece."""

Meanings: TypeAlias = Mapping[str, FieldMeaning]
"""Meanings of fields by their names, from the ruleset."""

_BARS: Final = "▁▂▃▄▅▆▇█"
_ASCII_BARS: Final = "_.:-=+*#"
_WIDEST: Final = 60
"""Maximum columns of a curve."""


class ValueChange(Record, frozen=True):
    """A change of a value: its step, and the value before and after."""

    step: int
    old: Any
    new: Any

    def turn(self, meanings: Meanings) -> Turn:
        """Return the kind of the change, if the value is the record of a piece."""
        if not _is_alive(self.old):
            return "made"
        if not _is_alive(self.new):
            return "gone"
        fields = list(differences(self.old, self.new))
        if any(_is_wound(one, meanings) for one in fields):
            return "hurt"
        moved = any(one.path and meanings.get(str(one.path[0])) == "place" for one in fields)
        return "moved" if moved else "changed"


def _is_alive(piece: Any) -> bool:
    """Return whether a piece exists and has not fallen."""
    return piece is not MISSING and bool(getattr(piece, "alive", True))


def _is_wound(one: Difference, meanings: Meanings) -> bool:
    """Return whether a difference takes life away."""
    if type(one.old) is not int or type(one.new) is not int or not one.path:
        return False
    meaning = meanings.get(str(one.path[-1]))
    falls, rises = one.new < one.old, one.new > one.old
    return (meaning == "strength" and falls) or (meaning == "wounds" and rises)


def wound(old: Any, new: Any, meanings: Meanings) -> Difference | None:
    """Return the difference that takes life away from a piece, or None."""
    return next((one for one in differences(old, new) if _is_wound(one, meanings)), None)


# -- followed values -------------------------------------------------------------------------------


class Followed(Record, frozen=True):
    """A followed value: its path or statistic as text, and the way to read it."""

    text: str
    read: Any
    """Function that reads the value from a state, a ``Read``."""
    first_field: str = ""
    """Field of the state that contains the value; empty if it depends on the whole state."""

    def in_state(self, state: Any) -> Any:
        """Return the value in a state; ``MISSING`` if it is not there."""
        return self.read(state)


def followed(
    rules: AnyRuleset, states: Sequence[Any], text: str, seats: Sequence[str] = ()
) -> Followed:
    """Return what a text names: a path with a value in one of the states, or ``units.Eldoin``.

    Args:
        rules: the ruleset.
        states: of a line, or some of them.
        text: the path or statistic as text.
        seats: names of the seats; none if the statistics must stay secret.

    Raises:
        NoPath: neither exists; the text names the nearest.
    """
    path = read(text)
    if seats and (found := _statistic(rules, path, seats, states[-1])) is not None:
        return found
    try:
        known = find(states, text)
    except NoPath:
        is_name = len(path) == 2 and isinstance(path[1], str)
        if not seats or not is_name or path[0] not in rules.statistics(states[-1]):
            raise
        counted = ", ".join(write((path[0], seat)) for seat in seats)
        raise NoPath(f"there is no {text}; {path[0]} is counted by seat: {counted}") from None
    return Followed(text, lambda state: value(state, known), str(known[0]))


def _statistic(
    rules: AnyRuleset, path: StatePath, seats: Sequence[str], state: Any
) -> Followed | None:
    """Find a statistic by the name of a seat; a row of that name is also reachable by its id."""
    name, who = path if len(path) == 2 else ("", "")
    seat = seat_of(seats, who) if isinstance(who, str) else None
    if seat is None or name not in rules.statistics(state):
        return None

    def counted(state: Any) -> Any:
        values = rules.statistics(state)[str(name)]
        return values[seat] if seat < len(values) else MISSING

    return Followed(write((name, seats[seat])), counted)


# -- changes ---------------------------------------------------------------------------------------


def value_changes(line: GameLine, what: Followed, first: int = 0) -> Iterator[ValueChange]:
    """Yield each change of a value after a step, in order.

    The first one is from ``MISSING`` if the value is not there at ``first``.

    Raises:
        BrokenLog: an event cannot be applied.
    """
    states = line.states()
    yield from _changes(states, what, range(first, len(line) + 1))


def last_change(line: GameLine, what: Followed, step: int) -> ValueChange | None:
    """Return the last change of a value at a step or before it, or None.

    Raises:
        BrokenLog: an event cannot be applied.
    """
    found = next(_changes(line.states(), what, range(step, -1, -1)), None)
    return None if found is None else ValueChange(found.step + 1, found.new, found.old)


def _changes(states: Sequence[Any], what: Followed, steps: Iterable[int]) -> Iterator[ValueChange]:
    """Yield changes between neighbours in an order of steps, each at the second of the two."""
    field, walk = what.first_field, iter(steps)
    step = next(walk, None)
    if step is None:
        return
    whole = getattr(states[step], field, MISSING) if field else states[step]
    old = what.in_state(states[step])
    for number in walk:
        within = getattr(states[number], field, MISSING) if field else states[number]
        if within is whole:
            continue
        whole = within
        new = what.in_state(states[number])
        if new is not old and (type(new) is not type(old) or new != old):
            yield ValueChange(number, old, new)
        old = new


# -- curves ----------------------------------------------------------------------------------------


def is_number(one: Any) -> bool:
    """Return whether a value is a whole number or a fraction; booleans do not count."""
    return isinstance(one, int | float) and not isinstance(one, bool)


def curve(start: Any, changes: Sequence[ValueChange], steps: range, *, ascii_only: bool) -> str:
    """Draw a number over a range of steps as a row of bars; empty if it is not a number.

    Steps without the value are blank.
    """
    known = [one for one in (start, *(change.new for change in changes)) if is_number(one)]
    if not known or not steps:
        return ""
    low, high = min(known), max(known)
    bars = _ASCII_BARS if ascii_only else _BARS
    width = min(_WIDEST, len(steps))
    out, at, now = "", 0, start
    for column in range(width):
        step = steps[(column + 1) * len(steps) // width - 1]
        while at < len(changes) and changes[at].step <= step:
            now, at = changes[at].new, at + 1
        share = (now - low) / (high - low) if is_number(now) and high > low else 0
        out += bars[round(share * (len(bars) - 1))] if is_number(now) else " "
    return out
