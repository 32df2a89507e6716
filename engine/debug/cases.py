"""Cases: a position, with the commands and throws from there, to be decided again.

A case is a recorded game without its results. Deciding it gives an outcome for each step. A test
decides whether a case still shows the fault of interest, by a signature that does not depend on the
numbers of pieces and entries.
"""

from __future__ import annotations

import hashlib
import re
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

from engine.core.codec import convert, decoder, encode, plain
from engine.core.decision import is_heard, mark, states_around
from engine.core.dice import Dice, Seeded, Throw, pack, unpack
from engine.core.ids import HOUSE, ROOT, Seat
from engine.core.log import AnyEntry, Entry, EventLog
from engine.core.notation import read, write
from engine.core.options import Value
from engine.core.record import Command, Record, Scenario, replace, tag
from engine.core.refused import Refused
from engine.core.replay import first_difference
from engine.core.ruleset import AnyRuleset

_SEED: Final = b"case"
"""Seed of throws that a script does not have; the same for every case."""

_INDEX: Final = re.compile(r"\[\d+\]")


class CaseStep(Record, frozen=True):
    """A command of a seat, with the values of its throws."""

    seat: Seat
    command: Command
    throws: tuple[int, ...] = ()


class Case(Record, frozen=True):
    """A position with options, and the steps from there.

    ``throws`` are those of the set-up.
    """

    scenario: Scenario
    options: Mapping[str, Value]
    steps: tuple[CaseStep, ...]
    throws: tuple[int, ...] = ()


class _Packed(Record, frozen=True):
    """A case in a form that can be read without a ruleset."""

    scenario: Any
    options: dict[str, int | str]
    steps: tuple[tuple[int, str, tuple[int, ...]], ...]
    throws: tuple[int, ...]


def packed(case: Case) -> bytes:
    """Encode a case as bytes, the same for the same case."""
    steps = tuple((step.seat, write(step.command), step.throws) for step in case.steps)
    return encode(_Packed(plain(case.scenario), dict(case.options), steps, case.throws))


def unpacked(rules: AnyRuleset, data: bytes) -> Case:
    """Decode a case that ``packed`` encoded.

    Raises:
        msgspec.ValidationError: the data is not a case of this ruleset.
    """
    told: _Packed = decoder(_Packed).decode(data)
    return Case(
        scenario=convert(told.scenario, rules.scenario_type),
        options=told.options,
        steps=tuple(
            CaseStep(seat, read(line, rules.command_type), throws)
            for seat, line, throws in told.steps
        ),
        throws=told.throws,
    )


def digest_of(case: Case) -> str:
    """Return the hash of a case, 32 hexadecimal digits."""
    return hashlib.blake2b(packed(case), digest_size=16).hexdigest()


def case_of(rules: AnyRuleset, line: Sequence[AnyEntry]) -> Case:
    """Return the case of a recorded line of play.

    Raises:
        ValueError: its first entry does not set a game up.
    """
    scenario, options = rules.setup(line[0].events[0])
    steps = tuple(
        CaseStep(entry.seat, entry.command, _values(entry))
        for entry in line[1:]
        if entry.command is not None
    )
    return Case(scenario, dict(options), steps, _values(line[0]))


def _values(entry: AnyEntry) -> tuple[int, ...]:
    return tuple(value for _, value in unpack(entry.throws))


# -- deciding a case -------------------------------------------------------------------------------


class LooseDice:
    """Dice that return the values of a script while it lasts, then those of a fixed stream.

    A value that is too high for the die wraps around from 1, so that a case whose dice change can
    continue.
    """

    def __init__(self, values: Sequence[int], number: int) -> None:
        """Use ``values`` first; ``number`` is the number of the step."""
        self._values = values
        self._rest = Seeded(_SEED, number, "decide")
        self._thrown: list[Throw] = []

    @property
    def thrown(self) -> tuple[Throw, ...]:
        """All throws so far, in order."""
        return tuple(self._thrown)

    def roll(self, sides: int) -> int:
        """Roll once and return a value from 1 to ``sides``."""
        told = len(self._thrown)
        value = self._rest.roll(sides)
        if told < len(self._values):
            value = (self._values[told] - 1) % sides + 1
        self._thrown.append((sides, value))
        return value


class CaseOutcome(Record, frozen=True):
    """Result of a step under some rules: events, or a refusal's code, or a fault."""

    events: tuple[Any, ...] = ()
    refused: str = ""
    fault: str = ""
    """Type of the exception and the function that raised it."""
    throws: tuple[Throw, ...] = ()


class DecidedStep(Record, frozen=True):
    """A decided step of a case with the states around it; ``number`` -1 is the set-up."""

    number: int
    outcome: CaseOutcome
    before: Any
    after: Any


CaseDecider: TypeAlias = Callable[[Case], Iterator[CaseOutcome]]
"""Function that yields the outcomes of the set-up and of each step, up to the first fault, under
other rules."""


def decided(rules: AnyRuleset, case: Case) -> Iterator[DecidedStep]:
    """Decide a case step by step, the set-up first, and yield each step; end after a fault.

    A refused step changes nothing, and the next one is decided.
    """
    before = rules.empty()
    begin = partial(rules.begin, case.scenario, case.options)
    outcome, after = _outcome(rules, before, begin, LooseDice(case.throws, -1))
    yield DecidedStep(-1, outcome, before, after)
    for number, step in enumerate(() if outcome.refused else case.steps):
        if outcome.fault:
            return
        before = after
        outcome, after = _step_outcome(rules, before, step, number)
        yield DecidedStep(number, outcome, before, after)


def outcomes(rules: AnyRuleset, case: Case) -> Iterator[CaseOutcome]:
    """Yield the outcomes of a case: a ``CaseDecider`` with these rules."""
    return (one.outcome for one in decided(rules, case))


def _step_outcome(
    rules: AnyRuleset, before: Any, step: CaseStep, number: int
) -> tuple[CaseOutcome, Any]:
    if not is_heard(rules, before, step.seat):
        return CaseOutcome(refused="not_your_turn"), before
    decide = partial(rules.decide, before, step.seat, step.command)
    return _outcome(rules, before, decide, LooseDice(step.throws, number))


def _outcome(
    rules: AnyRuleset, before: Any, decide: Callable[[Dice], tuple[Any, ...]], dice: LooseDice
) -> tuple[CaseOutcome, Any]:
    try:
        events = decide(dice)
        after = states_around(rules, before, events)[-1]
    except Refused as refused:
        return CaseOutcome(refused=str(refused.code)), before
    except Exception as problem:  # noqa: BLE001 - a fault of the rules may be the finding
        return CaseOutcome(fault=fault_signature(problem), throws=dice.thrown), before
    return CaseOutcome(tuple(events), throws=dice.thrown), after


def fault_signature(problem: BaseException) -> str:
    """Return the type of an exception and the innermost function of a package that raised it."""
    frames = traceback.walk_tb(problem.__traceback__)
    names = [
        f"{frame.f_globals.get('__name__', '')}.{frame.f_code.co_qualname}" for frame, _ in frames
    ]
    own = [name for name in names if name.partition(".")[0] not in {"msgspec", "numpy", "builtins"}]
    return f"{type(problem).__name__} in {(own or names or ['?'])[-1]}"


# -- tests of a case -------------------------------------------------------------------------------


class CaseVerdict(Record, frozen=True):
    """Finding of a test in a case.

    ``case`` is the same case without irrelevant parts: refused steps, unused throws, and steps
    after the finding.
    """

    signature: str
    case: Case


Keep: TypeAlias = Callable[[Case], CaseVerdict | None]
"""Test of a case: its verdict, or None without a finding."""


def keep_fault(rules: AnyRuleset) -> Keep:
    """Return a test for a bug of the rules that shows while they decide a step."""

    def keep(case: Case) -> CaseVerdict | None:
        known = list(outcomes(rules, case))
        if len(known) < 2 or not known[-1].fault:
            return None
        return CaseVerdict(known[-1].fault, trimmed(case, known, len(known) - 2))

    return keep


def keep_parting(rules: AnyRuleset, other: CaseDecider) -> Keep:
    """Return a test for the first step that other rules decide differently.

    It finds nothing if the set-ups differ. Pass such a case through ``from_first_position`` first.
    """

    def keep(case: Case) -> CaseVerdict | None:
        known: list[CaseOutcome] = []
        for number, (ours, theirs) in enumerate(
            zip(outcomes(rules, case), other(case), strict=False), start=-1
        ):
            longer = max(ours, theirs, key=lambda one: len(one.throws))
            known.append(replace(ours, throws=longer.throws))
            if number < 0:
                if parting(None, ours, theirs) or not ours.events:
                    return None
                continue
            found = parting(case.steps[number].command, ours, theirs)
            if found:
                return CaseVerdict(found, trimmed(case, known, number))
        return None

    return keep


def parting(command: Command | None, ours: CaseOutcome, theirs: CaseOutcome) -> str:
    """Return the signature of the difference of two outcomes; empty if they are the same.

    It names the command, the event and the field, or the refusal or fault on either side, but no
    numbers of pieces.
    """
    name = tag(command) if command is not None else "set-up"
    old, new = _kind(ours), _kind(theirs)
    if old != new:
        return f"{name}: {old} / {new}"
    found = first_difference(0, ours.events, theirs.events)
    if found is None:
        return ""
    if found.field == "event":
        return f"{name}: {found.recorded} / {found.now}"
    event = tag(ours.events[found.event])
    return f"{name}: {event}.{_INDEX.sub('[]', found.field)}"


def _kind(outcome: CaseOutcome) -> str:
    if outcome.fault:
        return outcome.fault
    return f"refused {outcome.refused}" if outcome.refused else "events"


def trimmed(case: Case, known: Sequence[CaseOutcome], last: int) -> Case:
    """Return a case up to step ``last``, without refused steps before it, with the actual throws.

    Args:
        case: the case.
        known: outcomes of the set-up and of the steps up to ``last``.
        last: number of the step; -1: only the set-up.
    """
    steps = tuple(
        replace(step, throws=_made(outcome))
        for number, (step, outcome) in enumerate(zip(case.steps, known[1:], strict=False))
        if number <= last and (number == last or not outcome.refused)
    )
    return replace(case, steps=steps, throws=_made(known[0]))


def _made(outcome: CaseOutcome) -> tuple[int, ...]:
    return tuple(value for _, value in outcome.throws)


def from_first_position(rules: AnyRuleset, case: Case) -> Case:
    """Return a case that begins with the position after its set-up."""
    first = next(decided(rules, case))
    return Case(rules.position(first.after), {}, case.steps)


def needed_options(rules: AnyRuleset, case: Case) -> Case:
    """Return a case without the options that do not change the position after the set-up."""
    wanted = next(decided(rules, case)).after
    for name in sorted(case.options):
        left = {key: now for key, now in case.options.items() if key != name}
        fewer = replace(case, options=left)
        first = next(decided(rules, fewer))
        if first.outcome.events and first.after == wanted:
            case = fewer
    return case


def log_of(rules: AnyRuleset, case: Case) -> EventLog[Any, Any]:
    """Convert a case to a log. A step that the rules refuse or fail on has no events in it.

    Raises:
        ValueError: the position cannot be set up.
    """
    log: EventLog[Any, Any] = EventLog()
    for one in decided(rules, case):
        outcome, is_first = one.outcome, one.number < 0
        if is_first and not outcome.events:
            raise ValueError(outcome.fault or f"refused, {outcome.refused}")
        log.append(
            Entry(
                seq=len(log),
                parent=len(log) - 1 if len(log) else ROOT,
                seat=HOUSE if is_first else case.steps[one.number].seat,
                command=None if is_first else case.steps[one.number].command,
                events=outcome.events,
                throws=pack(outcome.throws or _unasked(case, one)),
                mark=mark(rules, one.after, outcome.events),
            )
        )
    return log


def _unasked(case: Case, one: DecidedStep) -> tuple[Throw, ...]:
    """Return the throws of a refused step, kept for other rules, as dice that are large enough."""
    if one.number < 0 or not one.outcome.refused:
        return ()
    values = case.steps[one.number].throws
    return tuple((max(values), value) for value in values)
