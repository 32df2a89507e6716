"""Branches in memory: recorded entries decided again from a place, with one thing changed.

Each entry is decided with its recorded throws as long as the rules ask for the same dice. From the
first different die, the stream of the game's own seed continues, so that a branch has the throws
that the game itself would have had. A branch ends at the first recorded entry that is no longer
legal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from engine.core.codec import convert, decoder, encode
from engine.core.containers import Roster
from engine.core.decision import is_heard, mark, states_around
from engine.core.dice import Dice, Seeded, Throw, pack, unpack
from engine.core.ids import ROOT, Seat
from engine.core.log import AnyEntry, Entry
from engine.core.notation import write
from engine.core.options import OptionFault, Value
from engine.core.printable import clipped
from engine.core.record import Command, Record, replace
from engine.core.refused import Denied, Refused
from engine.core.replay import first_difference
from engine.core.ruleset import AnyRuleset, ScenarioFault
from engine.debug.paths import NoPath, PathKey, find, put, value
from engine.debug.paths import write as path_text

_WORDS: Final[Mapping[str, Any]] = {"yes": True, "no": False, "none": None}


_LONGEST_REASON: Final = 200
"""Maximum characters of a reason that quotes a value."""


class NoBranch(ValueError):
    """Raised if a change is impossible; one line that says what is possible."""


class ReplayedDice:
    """Dice of an entry that is decided again: its recorded throws, then the stream of its game."""

    def __init__(
        self, stream: Dice, recorded: Iterable[Throw], forced: Mapping[int, int] | None = None
    ) -> None:
        """Use the throws of an entry.

        Args:
            stream: dice of the same game, entry and purpose; they roll along, so that they can
                continue where the recorded throws end.
            recorded: the throws of the entry.
            forced: values by the number of the throw, from 1; each fits the recorded die.
        """
        self._stream = stream
        self._recorded = iter(recorded)
        self._forced = forced or {}
        self._fits = True
        self._thrown: list[Throw] = []

    @property
    def thrown(self) -> tuple[Throw, ...]:
        """All throws so far, in order."""
        return tuple(self._thrown)

    def roll(self, sides: int) -> int:
        """Return the recorded or forced throw while the die fits, then throws of the stream."""
        drawn = self._stream.roll(sides)
        wanted, known = next(self._recorded, (0, 0)) if self._fits else (0, 0)
        self._fits = self._fits and wanted == sides
        if self._fits:
            drawn = self._forced.get(len(self._thrown) + 1, known)
        self._thrown.append((sides, drawn))
        return drawn


class BranchChange(Record, frozen=True):
    """The one change to the first entry of a branch; empty if it has none."""

    throw: tuple[int, int] | None = None
    """Number of a throw, from 1, and its new value."""
    command: Any = None
    """Command that replaces the recorded one."""
    options: dict[str, Value] = {}  # noqa: RUF012 - a default of a frozen record
    """Options with new values; the first entry sets the game up."""


class IllegalEntry(Record, frozen=True):
    """A recorded entry that is illegal on a branch, and the reason."""

    seq: int
    seat: Seat
    command: str
    """In notation; empty for the entry that begins a game."""
    code: str
    reason: str
    rule: str = ""


@dataclass(frozen=True)
class PlayedBranch:
    """Entries of a branch, the states around them, and the first illegal entry."""

    states: tuple[Any, ...]
    """The state before the branch, then the one after each of its entries."""
    entries: tuple[AnyEntry, ...]
    illegal: IllegalEntry | None
    left: int
    """Number of recorded entries from the illegal one on."""

    @property
    def end(self) -> Any:
        """State at the end of the branch."""
        return self.states[-1]


def branched(
    rules: AnyRuleset,
    seed: bytes,
    start: Any,
    recorded: Sequence[AnyEntry],
    premise: BranchChange | None = None,
) -> PlayedBranch:
    """Decide recorded entries again, the first of them with a change; return the branch.

    Up to the first different result, the entries are the recorded objects. Later ones keep their
    numbers and parents.

    Args:
        rules: the ruleset.
        seed: of the game.
        start: the state before the first of the entries.
        recorded: consecutive entries of a line.
        premise: the change; None for none.

    Raises:
        NoBranch: the change does not fit the first entry.
        OptionFault, ScenarioFault: no game can begin with the options.
    """
    premise = premise or BranchChange()
    if recorded:
        _check(premise, recorded[0])
    states, same = [start], True
    entries: list[AnyEntry] = []
    for number, entry in enumerate(recorded):
        made = _decided(rules, seed, states[-1], entry, BranchChange() if number else premise)
        if isinstance(made, IllegalEntry):
            return PlayedBranch(tuple(states), tuple(entries), made, len(recorded) - number)
        new, after = made
        same = same and _is_alike(entry, new)
        entries.append(entry if same else new)
        states.append(after)
    return PlayedBranch(tuple(states), tuple(entries), None, 0)


def _is_alike(old: AnyEntry, new: AnyEntry) -> bool:
    """Return whether two entries are equal, including their marks if these are comparable."""
    if (old.command, old.events, old.throws) != (new.command, new.events, new.throws):
        return False
    if old.mark is None or new.mark is None or old.mark.layout != new.mark.layout:
        return True
    return old.mark == new.mark


def _check(premise: BranchChange, entry: AnyEntry) -> None:
    """Refuse a change that does not fit the entry.

    Raises:
        NoBranch: the throw does not exist or cannot have the value, or the entry has no command.
    """
    if premise.command is not None and entry.command is None:
        raise NoBranch(f"entry {entry.seq} sets the game up; it has no command to replace")
    if premise.throw is None:
        return
    throws = list(unpack(entry.throws))
    number, wanted = premise.throw
    if not 1 <= number <= len(throws):
        shown = " ".join(f"{n}:d{sides}={got}" for n, (sides, got) in enumerate(throws[:12], 1))
        known = f"it has {shown}{' ...' if len(throws) > 12 else ''}" if throws else "it has none"
        raise NoBranch(f"entry {entry.seq} has no throw {number}; {known}")
    sides = throws[number - 1][0]
    if not 1 <= wanted <= sides:
        raise NoBranch(f"throw {number} of entry {entry.seq} is a d{sides}; it cannot be {wanted}")


def _decided(
    rules: AnyRuleset, seed: bytes, before: Any, entry: AnyEntry, premise: BranchChange
) -> tuple[AnyEntry, Any] | IllegalEntry:
    """Decide an entry again; return it with the state after it, or the reason if it is illegal."""
    forced = dict((premise.throw,)) if premise.throw else {}
    stream = Seeded(seed, entry.seq, "decide")
    dice = ReplayedDice(stream, unpack(entry.throws), forced)
    command = entry.command if premise.command is None else premise.command
    try:
        if command is None:
            scenario, options = rules.setup(entry.events[0])
            events = rules.begin(scenario, {**options, **premise.options}, dice)
        elif is_heard(rules, before, entry.seat):
            events = rules.decide(before, entry.seat, command, dice)
        else:
            return _illegal(entry, command, Denied.NOT_YOUR_TURN, "it is not this seat's turn")
        states = states_around(rules, before, events)
    except Refused as refused:
        return _illegal(entry, command, refused.code, refused.text, refused.rule)
    except Exception as problem:
        if command is None:
            raise
        trouble = f"a fault in the rules: {type(problem).__name__}: {problem}"
        return _illegal(entry, command, Denied.RULES_BUG, trouble)
    thrown, made = pack(dice.thrown), mark(rules, states[-1], events)
    new = replace(entry, command=command, events=tuple(events), throws=thrown, mark=made)
    return new, states[-1]


def _illegal(
    entry: AnyEntry, command: Command | None, code: str, reason: str, rule: str = ""
) -> IllegalEntry:
    text = write(command) if command is not None else ""
    return IllegalEntry(entry.seq, entry.seat, text, str(code), reason, rule)


# -- other values ----------------------------------------------------------------------------------


def with_value(rules: AnyRuleset, state: Any, text: str, wanted: str) -> Any:
    """Return a state with another value at a path; ``wanted`` is read as the current value's type.

    Raises:
        NoPath: the path leads nowhere.
        NoBranch: no state can have that value there.
    """
    path = find([state], text)
    if path[-1] == "id":
        raise NoBranch(f"{path_text(path)} stays as it is: an id is a name for ever")
    try:
        new = put(state, path, _fitting(state, path, wanted))
        return decoder(rules.state_type).decode(encode(new))
    except NoPath:
        raise
    except (ValueError, OverflowError, TypeError, RecursionError) as problem:
        why = clipped(str(problem), _LONGEST_REASON)
        raise NoBranch(f"{path_text(path)} cannot be {clipped(wanted, 40)}: {why}") from None


def _fitting(state: Any, path: Sequence[PathKey], wanted: str) -> Any:
    """Parse the wanted value; a row of a roster is a record of its type and keeps its id.

    Raises:
        ValueError: the value is not such a row.
    """
    old = value(state, path)
    new = _read(old, wanted)
    if not isinstance(value(state, path[:-1]), Roster):
        return new
    row = convert(new, type(old))
    if row.id != old.id:
        raise ValueError(f"its id stays {old.id}")
    return row


def _read(old: Any, text: str) -> Any:
    """Parse a value: a number, ``yes``, ``no``, ``none``, JSON, or the text itself."""
    if isinstance(old, str):
        return text
    if text in _WORDS:
        return _WORDS[text]
    try:
        return msgspec.json.decode(text.encode())
    except msgspec.DecodeError:
        return text


def begun_anew(rules: AnyRuleset, seed: bytes, state: Any, first: AnyEntry) -> tuple[AnyEntry, Any]:
    """Return the entry that begins a new game with a state as its position, and the state after it.

    The options are those of the game with the given first entry.

    Raises:
        ScenarioFault: the position is invalid.
        NoBranch: the rules fail on the state.
    """
    _, options = rules.setup(first.events[0])
    dice = Seeded(seed, 0, "decide")
    try:
        events = rules.begin(rules.position(state), options, dice)
        after = states_around(rules, rules.empty(), events)[-1]
    except (ScenarioFault, OptionFault):
        raise
    except Exception as problem:
        text = clipped(f"{type(problem).__name__}: {problem}", _LONGEST_REASON)
        raise NoBranch(f"no game can begin from that position: {text}") from problem
    thrown, made = pack(dice.thrown), mark(rules, after, events)
    return Entry(0, ROOT, first.seat, None, tuple(events), thrown, made), after


def renumbered(entries: Iterable[AnyEntry]) -> tuple[AnyEntry, ...]:
    """Return the entries of one line, numbered from 0, each the parent of the next.

    An entry that already has the right number and parent is not copied.
    """
    return tuple(
        entry
        if (entry.seq, entry.parent) == (number, number - 1)
        else replace(entry, seq=number, parent=number - 1)
        for number, entry in enumerate(entries)
    )


# -- comparing -------------------------------------------------------------------------------------


class BranchParting(Record, frozen=True):
    """First difference of two lines: position of the entry in both, event, field, both values."""

    index: int
    event: int
    """Number in the entry, from 1; 0: the entry as a whole."""
    field: str
    recorded: str
    now: str


def parting(recorded: Sequence[AnyEntry], branch: Sequence[AnyEntry]) -> BranchParting | None:
    """Return the first difference in events; None if all events are equal.

    A command or a throw that leads to the same events does not count as a difference.
    """
    for index, (old, new) in enumerate(zip(recorded, branch, strict=False)):
        if old is new or old.events == new.events:
            continue
        found = first_difference(old.seq, old.events, new.events)
        assert found is not None  # noqa: S101 - the events differ
        return BranchParting(index, found.event + 1, found.field, found.recorded, found.now)
    if len(recorded) == len(branch):
        return None
    index = min(len(recorded), len(branch))
    ends = ("played", "nothing") if len(recorded) > len(branch) else ("nothing", "played")
    return BranchParting(index, 0, "entry", *ends)
