"""Rule ids of a recorded game: decide an entry again, and record the functions that run.

Functions name the rules that they decide in their docstrings (``Rules: WD-ATT-4, WD-ATT-5.``);
after ``See:`` come rules that they only use or show. For functions of shared layers, a ruleset
lists them in ``rule_index.toml``: names below the layer, by rule id. None of this costs anything
without a trace.

A function with cached results does not always run. Of such a function only its own rules count, at
each call; of those that ``functools`` caches, none do. So the result never depends on earlier
calls.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import _lru_cache_wrapper, cache
from importlib import import_module
from importlib.resources import files
from inspect import unwrap
from types import CodeType, FrameType
from typing import Any, Final
from weakref import WeakKeyDictionary

from engine.core.decision import BaseDecision
from engine.core.dice import Dice, Scripted, unpack
from engine.core.log import AnyEntry
from engine.core.record import Record
from engine.core.ruleset import AnyRuleset
from engine.debug.line import GameLine
from engine.kit import identity_cache

_ID: Final = re.compile(
    r"\b([A-Z][A-Z0-9]*-(?:[A-Z]+-|\d+\.)?)(\d+)([a-z]?)(?: to \1(\d+))?\b(?!-)", re.ASCII
)
_RULES: Final = re.compile(r"\bRules?:(.*?)(?:\.(?=\s|\Z)|\n\s*\n|\Z)", re.DOTALL)

_EMIT: Final = BaseDecision.emit.__code__
_MOST_IDS: Final = 100
"""Maximum number of ids of a range ``X-1 to X-9``."""


class EventTrace(Record, frozen=True):
    """Rules of one event, and the place in the code where it was emitted."""

    rules: tuple[str, ...] = ()
    """Ids of the functions that were running, the innermost first."""
    used: tuple[str, ...] = ()
    """Ids of other functions that ran since the event before, in the order in which they began."""
    source: str = ""
    """File, line and name of the innermost function with a rule, else of the emitting function."""

    @property
    def all(self) -> tuple[str, ...]:
        """Ids in ``rules``, then those in ``used``."""
        return self.rules + self.used


class EntryTrace(Record, frozen=True):
    """Rules of an entry: those of each event, and of all functions that ran."""

    events: tuple[EventTrace, ...]
    ran: frozenset[str]


def ids(text: str) -> tuple[str, ...]:
    """Return the rule ids in a text, in order; ``X-ONE-1 to X-ONE-3`` are three.

    >>> ids("W2-13.2, W2-4.5a and WD-WIN-1 to WD-WIN-3")
    ('W2-13.2', 'W2-4.5a', 'WD-WIN-1', 'WD-WIN-2', 'WD-WIN-3')
    """
    found: list[str] = []
    for prefix, first, letter, last in _ID.findall(text):
        numbers = range(int(first), int(last or first) + 1)[:_MOST_IDS]
        found += (f"{prefix}{number}{letter}" for number in numbers)
    return tuple(dict.fromkeys(found))


def ids_of_docstring(text: str) -> tuple[str, ...]:
    """Return the rule ids in a docstring after ``Rules:``, to the end of the sentence.

    >>> ids_of_docstring("Strike without an answer. Rules: WD-ATT-3, WD-ATT-4. See: WD-NUM-4.")
    ('WD-ATT-3', 'WD-ATT-4')
    """
    return ids(" ".join(_RULES.findall(text)))


class RuleIndex:
    """The rule ids of each function, as far as a ruleset uses it; cached by code object."""

    def __init__(self, package: str, listed: Mapping[str, Sequence[str]]) -> None:
        """Use ``rule_index`` instead.

        Args:
            package: of the ruleset.
            listed: names of functions below a shared layer, by rule id.
        """
        self._package = package
        self._listed: dict[str, tuple[str, ...]] = {}
        for rule, names in listed.items():
            for name in names:
                self._listed[name] = (*self._listed.get(name, ()), rule)
        self._known: dict[CodeType, tuple[str, ...]] = {}
        self.remembered: set[CodeType] = set()
        """Code of functions whose results ``functools`` caches."""

    def ids(self, frame: FrameType) -> tuple[str, ...]:
        """Return the ids of a running function."""
        found = self._known.get(frame.f_code)
        return self._learned(frame.f_code, frame.f_globals) if found is None else found

    def ids_of(self, function: Callable[..., Any]) -> tuple[str, ...]:
        """Return the ids of a function."""
        found = self._known.get(function.__code__)
        return self._learned(function.__code__, function.__globals__) if found is None else found

    def _learned(self, code: CodeType, names: Mapping[str, Any]) -> tuple[str, ...]:
        module = str(names.get("__name__", ""))
        text = code.co_consts[0] if code.co_consts else None
        found = ids_of_docstring(text) if isinstance(text, str) else ()
        if not f"{module}.".startswith(f"{self._package}."):
            below = ".".join([*module.split(".")[2:], code.co_qualname])
            found += self._listed.get(below, ())
        if _is_remembered(names.get(code.co_name), code):
            self.remembered.add(code)
        self._known[code] = found
        return found


def _is_remembered(named: object, code: CodeType) -> bool:
    return isinstance(named, _lru_cache_wrapper) and getattr(unwrap(named), "__code__", 0) is code


def rule_index(rules: AnyRuleset) -> RuleIndex:
    """Return the index of a ruleset."""
    return _index(import_module(type(rules).__module__).__package__ or "")


@cache
def _index(package: str) -> RuleIndex:
    file = files(package).joinpath("rule_index.toml")
    listed = tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return RuleIndex(package, listed)


class _RunningTrace:
    """Recorder of the rules of running functions, and of the places where events are emitted."""

    def __init__(self, index: RuleIndex) -> None:
        self._index = index
        self._quiet: FrameType | None = None
        self._since: dict[str, None] = {}
        self.ran: set[str] = set()
        self.emitted: dict[int, tuple[Any, EventTrace]] = {}
        """By identity the event, so that it stays alive, with its trace."""

    def __call__(self, frame: FrameType, kind: str, _argument: object) -> None:
        """Record a function that begins or ends; the interpreter calls this."""
        if self._quiet is not None:
            if kind == "return" and frame is self._quiet:
                self._quiet = None
        elif kind == "call":
            code = frame.f_code
            if code is _EMIT:
                self._emitted(frame)
            elif code.co_filename == identity_cache.__file__ and code.co_name == "remembering":
                self._note(self._index.ids_of(_remembering(frame)))
                self._quiet = frame
            else:
                found = self._index.ids(frame)
                if code in self._index.remembered:
                    self._quiet = frame
                elif found:
                    self._note(found)

    def _note(self, found: Iterable[str]) -> None:
        self.ran.update(found)
        self._since.update(dict.fromkeys(found))

    def _emitted(self, frame: FrameType) -> None:
        event = frame.f_locals["event"]
        stack = list(_callers(frame))
        rules = dict.fromkeys(rule for one in stack for rule in self._index.ids(one))
        inmost = next((one for one in stack if self._index.ids(one)), stack[0])
        used = tuple(rule for rule in self._since if rule not in rules)
        trace = EventTrace(tuple(rules), used, _source(inmost))
        self.emitted[id(event)] = (event, trace)
        self._since.clear()

    def of(self, event: Any) -> EventTrace:
        """Return the trace of an event, or of the whole entry if it was not emitted separately."""
        found = self.emitted.get(id(event))
        return found[1] if found is not None else EventTrace(used=tuple(sorted(self.ran)))


def _remembering(frame: FrameType) -> Callable[..., Any]:
    """Return the function whose results a cache keeps, from the frame of the cache."""
    inner: Callable[..., Any] = frame.f_locals.get("function") or frame.f_locals["make"]
    function: Callable[..., Any] = unwrap(inner)
    return function


def _callers(frame: FrameType) -> Iterator[FrameType]:
    at = frame.f_back
    while at is not None and at.f_code is not _TRACED:
        yield at
        at = at.f_back


def _source(frame: FrameType) -> str:
    module = str(frame.f_globals.get("__name__", "")).replace(".", "/")
    return f"{module}.py:{frame.f_lineno} {frame.f_code.co_qualname}"


def traced(rules: AnyRuleset, decide: Callable[[], Sequence[Any]]) -> EntryTrace:
    """Return the rules of a call's decision; ``decide`` returns the events.

    Raises the exceptions of ``decide``.
    """
    trace = _RunningTrace(rule_index(rules))
    before = sys.getprofile()
    sys.setprofile(trace)
    try:
        events = decide()
    finally:
        sys.setprofile(before)
    return EntryTrace(tuple(trace.of(event) for event in events), frozenset(trace.ran))


_TRACED: Final = traced.__code__


def decided(rules: AnyRuleset, before: Any, entry: AnyEntry, dice: Dice) -> Sequence[Any]:
    """Decide an entry's command from a state, or its set-up from nothing; return the events.

    Raises:
        Refused: the rules do not allow the command there.
        WrongThrow: the dice are scripted and do not fit.
    """
    if entry.command is None:
        return rules.begin(*rules.setup(entry.events[0]), dice)
    return rules.decide(before, entry.seat, entry.command, dice)


def recorded_dice(entry: AnyEntry) -> Scripted:
    """Return dice that repeat the throws of an entry."""
    return Scripted(unpack(entry.throws))


_LINES: WeakKeyDictionary[GameLine, dict[int, EntryTrace | None]] = WeakKeyDictionary()


def trace_of(line: GameLine, index: int) -> EntryTrace | None:
    """Return the rules of an entry of a line, by its position there; cached with the line.

    None if the line is that of a seat, or if the current rules decide differently than recorded.
    """
    known = _LINES.setdefault(line, {})
    if index not in known:
        known[index] = _traced_again(line, index)
    return known[index]


def _traced_again(line: GameLine, index: int) -> EntryTrace | None:
    rules, entry, before = line.rules, line.entries[index], line.state(line.starts[index])
    if not isinstance(before, rules.state_type):
        return None
    events: list[Any] = []

    def again() -> Sequence[Any]:
        events[:] = made = decided(rules, before, entry, recorded_dice(entry))
        return made

    try:
        trace = traced(rules, again)
    except Exception:  # noqa: BLE001 - the current rules may raise anything
        return None
    return trace if tuple(events) == tuple(entry.events) else None


def rules_of(line: GameLine, step: int) -> tuple[str, ...]:
    """Return the ids of the rules under which a step's event was emitted, the innermost first.

    Empty before the first event, on the line of a seat, and if the current rules decide differently
    than recorded.
    """
    found = event_trace(line, step)
    return found.rules if found is not None else ()


def event_trace(line: GameLine, step: int) -> EventTrace | None:
    """Return the trace of the event that led to a step, or None."""
    if step <= 0:
        return None
    index = line.index_at(step)
    trace = trace_of(line, index)
    return None if trace is None else trace.events[step - line.starts[index] - 1]
