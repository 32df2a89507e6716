"""Partings of two rule sets: the first difference of their decisions, its cause, and groups.

Each side's decision at an entry is plain data, because it comes from a separate process. It has
``events``, or the reason for their absence (``refused``, ``raised``, ``throw``, ``unheard``), and
the requested throws. The cause is found in the calls and returns of both sides: the first function
in which they differ, and the rules that it names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final, TypeAlias

from engine.core.record import Record

EntryOutcome: TypeAlias = Mapping[str, Any]
"""Decision of one side at an entry."""

TraceStep: TypeAlias = Sequence[str]
"""``call`` or ``return``, the function (module:name), and a mark of the values."""

_INDEX: Final = re.compile(r"\[[^\]]*\]")
_ABSENT: Final = "nothing"
_MOST_SHOWN: Final = 60


class OutcomeDifference(Record, frozen=True):
    """First difference of two decisions of one entry.

    ``event`` counts from 1, and is 0 if the decisions differ as a whole. Then ``tag`` is the kind
    of difference: ``refused``, ``raised``, ``throws``, ``seat``, ``state``, ``died``.
    """

    event: int
    tag: str
    field: str
    here: str
    there: str

    @property
    def is_of_event(self) -> bool:
        """True if both sides decided on events."""
        return self.event > 0

    def __str__(self) -> str:
        """Describe the difference without numbers of entries or events."""
        if not self.is_of_event:
            return f"{self.tag} {self.field}".strip()
        if self.field:
            return f"{without_indices(self.field)} at first '{self.tag}'"
        if self.there == _ABSENT:
            return f"no '{self.here}' any more"
        if self.here == _ABSENT:
            return f"one more '{self.there}'"
        return f"'{self.there}' instead of '{self.here}'"


class PartingCause(Record, frozen=True):
    """Function in which two decisions part, and the rules that it or its callers name."""

    function: str
    """Name of the function, as ``module:name``."""
    rules: tuple[str, ...] = ()
    at: str = ""
    """File and line in the tree of the other side."""
    how: str = ""


class Parting(Record, frozen=True):
    """First difference of a game under two rule sets, at entry ``seq``."""

    seq: int
    difference: OutcomeDifference
    cause: PartingCause | None = None

    @property
    def place(self) -> str:
        """Place of the difference: ``41``, or ``41.3`` for the third event."""
        event = self.difference.event
        return f"{self.seq}.{event}" if event else str(self.seq)

    @property
    def signature(self) -> str:
        """Text that is the same for all games that part for this reason."""
        return str(self.difference) if self.cause is None else self.cause.function

    def __str__(self) -> str:
        rules = ", ".join(self.cause.rules) if self.cause is not None else ""
        return f"{rules} {self.difference}".strip()


# -- the first difference --------------------------------------------------------------------------


def first_difference(here: EntryOutcome, there: EntryOutcome) -> OutcomeDifference | None:
    """Return the first difference of two sides' decisions at an entry, or None."""
    for kind in ("refused", "raised", "throw", "unheard"):
        if here.get(kind) != there.get(kind):
            return _as_a_whole(kind, here, there)
    found = _first_of_events(here.get("events", ()), there.get("events", ()))
    if found is None and here.get("throws") != there.get("throws"):
        asked = (throws_text(side.get("throws", ())) for side in (here, there))
        return OutcomeDifference(0, "throws", "", *asked)
    return found


_KINDS: Final = {
    "refused": "refused",
    "raised": "raised",
    "throw": "asks for other throws",
    "unheard": "seat not listened to",
}


def _as_a_whole(kind: str, here: EntryOutcome, there: EntryOutcome) -> OutcomeDifference:
    """Return the difference of two decisions if at least one has no events."""
    shown = (_outcome(side) for side in (here, there))
    code = there.get(kind) or here.get(kind)
    name = str(code) if kind in ("refused", "raised") else ""
    word = _KINDS[kind] if there.get(kind) is not None else f"no longer {_KINDS[kind]}"
    return OutcomeDifference(0, word, name, *shown)


def _outcome(side: EntryOutcome) -> str:
    """Describe the decision of a side in a few words."""
    if "refused" in side:
        return f"refused {side['refused']}: {side.get('text', '')}"
    if "raised" in side:
        return f"raised {side['raised']}: {side.get('text', '')}"
    if "throw" in side:
        return str(side["throw"])
    if "unheard" in side:
        return "the seat is not listened to"
    events = side.get("events", ())
    return f"{len(events)} event{'' if len(events) == 1 else 's'}"


def _first_of_events(here: Sequence[Any], there: Sequence[Any]) -> OutcomeDifference | None:
    for number, (one, other) in enumerate(zip_longest(here, there), 1):
        if one == other:
            continue
        tags = [_ABSENT if event is None else tag_of(event) for event in (one, other)]
        if tags[0] == tags[1]:
            return OutcomeDifference(number, tags[0], *differing_field(one, other))
        return OutcomeDifference(number, tag_of(other if one is None else one), "", *tags)
    return None


def tag_of(event: Mapping[str, Any]) -> str:
    """Return the tag of an event as plain data."""
    return str(event.get("t", ""))


def differing_field(here: Any, there: Any, path: str = "") -> tuple[str, str, str]:
    """Return the path of the first field that differs, and both values as text.

    >>> differing_field({"a": [1, 2]}, {"a": [1, 3]})
    ('a[1]', '2', '3')
    """
    if isinstance(here, Mapping) and isinstance(there, Mapping):
        for key in [*here, *(key for key in there if key not in here)]:
            if here.get(key) != there.get(key):
                below = f"{path}.{key}" if path else str(key)
                return differing_field(here.get(key), there.get(key), below)
    if isinstance(here, list | tuple) and isinstance(there, list | tuple):
        for number, (one, other) in enumerate(zip(here, there, strict=False)):
            if one != other:
                return differing_field(one, other, f"{path}[{number}]")
    return path, _shown(here), _shown(there)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 3]}..."


def without_indices(path: str) -> str:
    """Return a path of fields without the numbers of rows.

    >>> without_indices("losses[0].count")
    'losses.count'
    """
    return _INDEX.sub("", path)


def throws_text(throws: Iterable[Sequence[int]]) -> str:
    """Return throws as text, ``d8=3 d6=1``."""
    return " ".join(f"d{sides}={value}" for sides, value in throws) or "none"


# -- cause of the difference -----------------------------------------------------------------------


def cause(
    here: Sequence[TraceStep],
    there: Sequence[TraceStep],
    functions: Mapping[str, Mapping[str, Any]],
) -> PartingCause | None:
    """Return the function in which two runs of one decision part; None if they are equal.

    It is the running function at the first difference: it calls another function, or one with other
    values, or returns something else.

    Args:
        here: calls and returns of one side.
        there: those of the other.
        functions: by name, ``rules`` and ``at`` of the functions of the other side.
    """
    stack: list[str] = []
    for one, other in zip(here, there, strict=False):
        if list(one) != list(other):
            return _cause(stack, one, other, functions) if stack else None
        if one[0] == "call":
            stack.append(one[1])
        elif stack:
            stack.pop()
    return None


def _cause(
    stack: Sequence[str],
    one: TraceStep,
    other: TraceStep,
    functions: Mapping[str, Mapping[str, Any]],
) -> PartingCause:
    name = stack[-1]
    known = functions.get(name, {})
    rules = next((found for at in reversed(stack) if (found := _rules(functions, at))), ())
    return PartingCause(name, rules, str(known.get("at", "")), _how(one, other))


def _rules(functions: Mapping[str, Mapping[str, Any]], name: str) -> tuple[str, ...]:
    return tuple(functions.get(name, {}).get("rules", ()))


def _how(one: TraceStep, other: TraceStep) -> str:
    """Describe the deviation of a function."""
    called, called_there = short_name(one[1]), short_name(other[1])
    match one[0], other[0]:
        case "return", "return":
            return f"returns {other[2]} instead of {one[2]}"
        case "call", "call" if one[1] == other[1]:
            return f"calls {called} with other values"
        case "call", "call":
            return f"calls {called_there} instead of {called}"
        case "call", _:
            return f"does not call {called}"
        case _:
            return f"calls {called_there} as well"


def short_name(function: str) -> str:
    """Return the name of a function without its module."""
    return function.partition(":")[2] or function


# -- groups ----------------------------------------------------------------------------------------


class PartedGame(Record, frozen=True):
    """A game that parts: its name, and where."""

    name: str
    parting: Parting


class PartingGroup(Record, frozen=True):
    """Games that part for one reason, the one with the earliest parting first."""

    games: tuple[PartedGame, ...]

    @property
    def smallest(self) -> PartedGame:
        """The game that needs the fewest entries to part."""
        return self.games[0]

    def __str__(self) -> str:
        words = Counter(str(game.parting) for game in self.games)
        most = max(words.values())
        usual = next(text for text in map(str, self._partings()) if words[text] == most)
        length = self.smallest.parting.seq + 1
        entries = "1 entry" if length == 1 else f"{length} entries"
        return f"{len(self.games)}x {usual} (smallest: {entries})"

    def _partings(self) -> Iterable[Parting]:
        return (game.parting for game in self.games)


def grouped(games: Iterable[PartedGame]) -> tuple[PartingGroup, ...]:
    """Return games grouped by the reason of their parting, the largest group first."""
    found: dict[str, list[PartedGame]] = {}
    for game in sorted(games, key=lambda game: (game.parting.seq, game.name)):
        found.setdefault(game.parting.signature, []).append(game)
    groups = (PartingGroup(tuple(rows)) for rows in found.values())
    return tuple(sorted(groups, key=lambda group: (-len(group.games), group.smallest.name)))
