"""Premises of a state that a decision may depend on, each with other possible values.

The pieces involved come first, in this order: the row in question, rows that the command names,
rows at its places, the row of the acting seat, changed rows, and rows that the events name. Rows
that these refer to follow. The numbers and words of the state itself come after the first few of
them, its tuples and options at the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import islice
from typing import Any, Final, Literal, TypeAlias, get_args, get_origin

import numpy as np

from engine.core.containers import Plane, Roster
from engine.core.ids import Seat
from engine.core.record import Record
from engine.debug.paths import MISSING, PathKey, StatePath, children, put, value
from engine.debug.scenario_tree import hints

GONE: Final = MISSING
"""Other value of a piece: it is removed."""

_DEPTH: Final = 3
"""Maximum depth of keys below a row."""
_ROWS: Final = 24
"""Maximum number of rows of pieces."""
_FIRST: Final = 6
"""Number of rows that come before the fields of the state itself."""
_CELLS: Final = 6
_ITEMS: Final = 12
"""Maximum number of cells, and of items of a tuple, to check."""
_WORDS: Final = 8
"""A text counts as a word with a meaning if its column has fewer different ones than this."""
_SEATS: Final = 16

Named: TypeAlias = tuple[str, int]
"""A number in a message, with the name of its field."""


class Premise(Record, frozen=True):
    """A value in a state, and other possible values, the nearest first."""

    path: StatePath
    value: Any
    others: tuple[Any, ...]


def premises(
    before: Any, after: Any, asked: StatePath, seat: Seat, messages: Iterable[Any]
) -> Iterator[Premise]:
    """Yield the premises of ``before`` that a decision may depend on, each once, likeliest first.

    Args:
        before: the state before the decision.
        after: the state after it; ``before`` if the decision failed.
        asked: path of the value in question; empty for none.
        seat: the seat that acts.
        messages: the command, then the events.
    """
    seen: set[StatePath] = set()
    for premise in _premises(
        before, after, asked, seat, [one for one in messages if one is not None]
    ):
        if premise.path not in seen and premise.others:
            seen.add(premise.path)
            yield premise


def changed(before: Any, premise: Premise, other: Any) -> Any:
    """Return the state with another value of a premise."""
    if other is not GONE:
        return put(before, premise.path, other)
    *above, key = premise.path
    return put(before, tuple(above), value(before, above).drop(key))


def _premises(
    before: Any, after: Any, asked: StatePath, seat: Seat, messages: list[Any]
) -> Iterator[Premise]:
    places = list(dict.fromkeys(place for one in messages for place in _places(one)))
    rows = list(islice(_rows(before, after, asked, seat, messages), _ROWS))
    for row in rows[:_FIRST]:
        yield from _below(before, row, value(before, row))
    plain = [(name, at) for name, at in children(before) if not isinstance(at, Plane | Roster)]
    for name, at in plain:
        if not isinstance(at, Record | tuple):
            yield from _below(before, (name,), at)
    for row in rows[_FIRST:]:
        yield from _below(before, row, value(before, row))
    for row in rows:
        if row != asked[:2]:
            yield Premise(row, value(before, row), (GONE,))
    for name, at in plain:
        yield from _below(before, (name,), at)
    for name, at in children(before):
        if isinstance(at, Plane):
            yield from _cells(at, name, places)


# -- pieces involved -------------------------------------------------------------------------------


def _rows(
    before: Any, after: Any, asked: StatePath, seat: Seat, messages: list[Any]
) -> Iterator[StatePath]:
    """Yield the paths of the rows of pieces involved, each once."""
    seen: dict[StatePath, None] = {}
    for path in _candidates(before, after, asked, seat, messages):
        if path not in seen and value(before, path) is not MISSING:
            seen[path] = None
            yield path
    for path in list(seen):
        for other in _referred(before, value(before, path)):
            if other not in seen:
                seen[other] = None
                yield other


def _candidates(
    before: Any, after: Any, asked: StatePath, seat: Seat, messages: list[Any]
) -> Iterator[StatePath]:
    rosters = [(str(name), at) for name, at in children(before) if isinstance(at, Roster)]
    if len(asked) > 1 and isinstance(value(before, asked[:1]), Roster):
        row = value(before, asked[:2])
        if row is not MISSING:
            yield asked[0], row.id
    for message in messages[:1]:
        yield from _named(rosters, message)
        yield from _standing(rosters, set(_places(message)))
    yield from ((name, seat) for name, at in rosters if seat in at and max(at) < _SEATS)
    for name, at in rosters:
        now = value(after, (name,))
        yield from ((name, row.id) for row in at.values() if now.get(row.id) is not row)
    for message in messages[1:]:
        yield from _named(rosters, message)


def _named(rosters: list[tuple[str, Roster[Any]]], message: Any) -> Iterator[StatePath]:
    """Yield rows whose ids a message names: in rosters like the field's name, or else in any."""
    for field, number in _numbers(message):
        alike = [name for name, at in rosters if _is_alike(field, name) and number in at]
        for name in alike or [name for name, at in rosters if number in at]:
            yield name, number


def _referred(before: Any, row: Any) -> Iterator[StatePath]:
    """Yield rows of the state that fields of a row refer to."""
    for field, number in _numbers(row):
        for name, at in children(before):
            if isinstance(at, Roster) and _is_alike(field, str(name)) and number in at:
                yield name, number


def _is_alike(field: str, roster: str) -> bool:
    """Return whether a field such as ``city`` may hold an id of a roster such as ``cities``."""
    stem = field.rstrip("s")
    stem = stem[:-1] if len(stem) > 3 and stem[-1] in "ye" else stem
    return len(stem) > 2 and roster.startswith(stem)


def _standing(rosters: list[tuple[str, Roster[Any]]], places: set[Any]) -> Iterator[StatePath]:
    for name, at in rosters:
        yield from ((name, row.id) for row in at.values() if places and _place(row) in places)


def _place(row: Any) -> Any:
    names = row.__struct_fields__
    if "x" in names and "y" in names:
        return row.x, row.y
    return next((getattr(row, name) for name in ("pos", "at", "place") if name in names), None)


def _numbers(message: Any, name: str = "") -> Iterator[Named]:
    """Yield the whole numbers in a message, with the names of their fields."""
    if isinstance(message, Record):
        for field in message.__struct_fields__:
            yield from _numbers(getattr(message, field), field)
    elif isinstance(message, tuple):
        for one in message[:_ITEMS]:
            yield from _numbers(one, name)
    elif isinstance(message, int) and not isinstance(message, bool):
        yield name, int(message)


def _places(message: Any) -> Iterator[tuple[int, int]]:
    """Yield the pairs of whole numbers in a message, and its ``x`` and ``y``."""
    if isinstance(message, Record):
        at = _place(message)
        if isinstance(at, tuple):
            yield from _places(at)
        for field in message.__struct_fields__:
            yield from _places(getattr(message, field))
    elif isinstance(message, tuple):
        if len(message) == 2 and all(type(one) is int for one in message):
            yield message[0], message[1]
        else:
            for one in message[:_ITEMS]:
                yield from _places(one)


# -- values and their neighbours -------------------------------------------------------------------


def _cells(plane: Plane, name: PathKey, places: list[tuple[int, int]]) -> Iterator[Premise]:
    """Yield the cells of a plane at some places, each with the plane's nearest other values."""
    inside = [place for place in places if plane.has(*place)][:_CELLS]
    known = [int(one) for one in np.unique(plane.edit())] if inside else []
    for x, y in inside:
        at = int(plane[y, x])
        others = sorted((one for one in known if one != at), key=lambda one: (abs(one - at), one))
        yield Premise((name, (x, y)), at, tuple(others[:3]))


def _below(
    before: Any, path: StatePath, at: Any, hint: Any = None, depth: int = 0
) -> Iterator[Premise]:
    """Yield the premises at a path and below it, except ids and free texts."""
    if isinstance(at, Record):
        if depth < _DEPTH:
            for name in at.__struct_fields__:
                if name != "id":
                    below = getattr(at, name)
                    kind = hints(type(at)).get(name)
                    yield from _below(before, (*path, name), below, kind, depth + 1)
    elif isinstance(at, tuple) and not _is_place(at):
        if depth < _DEPTH and len(at) <= _ITEMS:
            for number, below in enumerate(at):
                yield from _below(before, (*path, number), below, None, depth + 1)
    else:
        yield Premise(path, at, tuple(_others(before, path, at, hint)))


def _is_place(at: Any) -> bool:
    return len(at) == 2 and all(type(one) is int for one in at)


def _others(before: Any, path: StatePath, at: Any, hint: Any) -> Iterator[Any]:
    if isinstance(at, bool):
        yield not at
    elif isinstance(at, Enum):
        yield from [one for one in type(at) if one is not at][:_WORDS]
    elif isinstance(at, int | float):
        yield from (at - 1, at + 1) if at else (at + 1,)
        yield from _nearest(at, _column(before, path))
    elif isinstance(at, tuple):
        yield from ((at[0] + x, at[1] + y) for x, y in ((0, -1), (1, 0), (0, 1), (-1, 0)))
    elif isinstance(at, str) or at is None:
        words = [one for one in _literals(hint) if one != at] or _words(before, path, at)
        yield from words[:_WORDS]


def _nearest(at: float, column: Iterable[Any]) -> Iterator[Any]:
    """Yield the nearest lower and higher number of a column that differ by more than 1."""
    numbers = {one for one in column if type(one) is type(at)}
    yield from sorted(one for one in numbers if one < at - 1)[-1:]
    yield from sorted(one for one in numbers if one > at + 1)[:1]


def _words(before: Any, path: StatePath, at: Any) -> list[Any]:
    """Return other values of the column, if they are few enough to be words with a meaning."""
    known = list(dict.fromkeys(one for one in _column(before, path) if one is not MISSING))
    known = [one for one in known if one != at and not isinstance(one, Record | tuple)]
    return known if len(known) < _WORDS and path[-1] not in {"name", "title", "about"} else []


def _column(before: Any, path: StatePath) -> list[Any]:
    """Return the values at the same path in all rows of the roster."""
    at = value(before, path[:1])
    if len(path) < 3 or not isinstance(at, Roster):
        return []
    return [value(row, path[2:]) for row in at.values()]


def _literals(hint: Any) -> list[Any]:
    """Return the values of a type that lists them, such as ``Literal["on", "off"] | None``."""
    if get_origin(hint) is Literal:
        return list(get_args(hint))
    if hint is type(None):
        return [None]
    return [one for part in get_args(hint) for one in _literals(part)]
