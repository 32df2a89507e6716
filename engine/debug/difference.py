"""Differences between two states or views, by path, and patches built from them.

Shared parts are skipped by identity, so neighbouring states are compared in microseconds. A
difference is a field, an added or removed record of a roster, a cell of a plane, or an item at the
end of a tuple. Written as lines of JSON, the differences are a patch: applied to the first state it
gives the second one, byte for byte.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, Final

import numpy as np

from engine.core.codec import convert, digest, encode_json
from engine.core.containers import Plane, Roster
from engine.core.log import AnyEntry
from engine.core.record import UNSET, Record
from engine.debug.paths import MISSING, PathKey, StatePath, read, value, write


class Difference(Record, frozen=True):
    """A place in a state where two states differ, with both values.

    ``MISSING`` represents a record or an item that one of them does not have.
    """

    path: StatePath
    old: Any
    new: Any

    @property
    def text(self) -> str:
        """The path as text."""
        return write(self.path)


def differences(old: Any, new: Any, path: StatePath = ()) -> Iterator[Difference]:
    """Yield the differences between two values of the same type, in the order of their fields."""
    if old is new:
        return
    kind = type(old)
    if kind is not type(new):
        yield Difference(path, old, new)
    elif isinstance(old, Record):
        for name in old.__struct_fields__:
            yield from differences(getattr(old, name), getattr(new, name), (*path, name))
    elif isinstance(old, Roster):
        yield from _rows(old, new, path)
    elif isinstance(old, Plane):
        yield from _cells(old, new, path)
    elif isinstance(old, tuple):
        yield from _items(old, new, path)
    elif old != new:
        yield Difference(path, old, new)


def _rows(old: Roster[Any], new: Roster[Any], path: StatePath) -> Iterator[Difference]:
    for key in sorted({*old, *new}):
        yield from differences(old.get(key, MISSING), new.get(key, MISSING), (*path, key))


def _cells(old: Plane, new: Plane, path: StatePath) -> Iterator[Difference]:
    if old.cells.dtype != new.cells.dtype or old.cells.shape != new.cells.shape:
        yield Difference(path, old, new)
        return
    for y, x in np.argwhere(old.cells != new.cells).tolist():
        yield Difference((*path, (x, y)), old[y, x], new[y, x])


def _items(old: tuple[Any, ...], new: tuple[Any, ...], path: StatePath) -> Iterator[Difference]:
    """Yield differences item by item; all are one if neither tuple begins with the other."""
    common = min(len(old), len(new))
    if len(old) != len(new) and digest(old[:common]) != digest(new[:common]):
        yield Difference(path, old, new)
        return
    for index, (was, now) in enumerate(zip_longest(old, new, fillvalue=MISSING)):
        yield from differences(was, now, (*path, index))


# -- patches ---------------------------------------------------------------------------------------


_DIGESTS: Final = "from", "to"


class NoPatch(ValueError):
    """Raised if a patch is invalid or does not fit a state; one line."""


def patch(old: Any, new: Any) -> Iterator[str]:
    """Yield the lines of a patch that turns one state into another of the same type.

    Lines of JSON: the digests of both states, then each difference with its path.
    """
    yield _line({"from": digest(old).hex(), "to": digest(new).hex()})
    for found in differences(old, new):
        row: dict[str, Any] = {"path": found.text}
        row |= {"old": found.old} if is_there(found.old) else {}
        row |= {"new": found.new} if is_there(found.new) else {}
        yield _line(row)


def is_there(one: Any) -> bool:
    """Return whether a value is present: neither missing nor an unset field."""
    return one is not MISSING and one is not UNSET


def _line(row: dict[str, Any]) -> str:
    return encode_json(row).decode()


def patched(state: Any, lines: Iterable[str]) -> Any:
    """Return the state that a patch makes of ``state``.

    Raises:
        NoPatch: a line is invalid, or the patch is for another state.
    """
    head, *rows = [_read(line) for line in lines] or [{}]
    if head.keys() != set(_DIGESTS):
        raise NoPatch("a patch begins with the digests of both states")
    if head["from"] != digest(state).hex():
        raise NoPatch(f"the patch is of the state {head['from']}, not of {digest(state).hex()}")
    plain = json.loads(encode_json(state))
    for row in _ordered(rows):
        plain = _put(plain, state, read(row["path"]), row)
    try:
        made = convert(plain, type(state))
    except ValueError as problem:
        raise NoPatch(f"the patch does not make a state: {problem}") from None
    if digest(made).hex() != head["to"]:
        raise NoPatch(f"the patch makes the state {digest(made).hex()}, not {head['to']}")
    return made


def _read(line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError:
        row = None
    if not isinstance(row, dict) or not (row.keys() == set(_DIGESTS) or "path" in row):
        raise NoPatch(f"no line of a patch: {line[:60]!r}")
    return row


def _ordered(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Sort rows: those that remove something last and in reverse, to keep indices valid."""
    stay = [row for row in rows if "new" in row]
    return stay + [row for row in reversed(rows) if "new" not in row]


def _put(plain: Any, typed: Any, path: StatePath, row: dict[str, Any]) -> Any:
    """Put the value of a row at a path of a state's plain data, in place.

    Args:
        plain: the data in its JSON form.
        typed: the value of which it is the data, or ``MISSING``.
        path: the remaining path.
        row: a line of the patch.
    """
    if not path:
        return row["new"]
    key, rest = path[0], path[1:]
    if isinstance(key, tuple):
        plain["rows"][key[1]][key[0]] = row["new"]
        return plain
    at = _at(plain, typed, key)
    below = value(typed, (key,))
    if rest and below is MISSING:
        raise NoPatch(f"there is no {row['path']}")
    if not rest and "new" not in row:
        del plain[at]
    elif not rest and at == len(plain) and isinstance(plain, list):
        plain.append(row["new"])
    else:
        plain[at] = _put(plain[at], below, rest, row) if rest else row["new"]
    return plain


def _at(plain: Any, typed: Any, key: PathKey) -> Any:
    """Return the key of plain data for a key of a path: rosters are lists of their records."""
    if isinstance(typed, Roster):
        found = (index for index, row in enumerate(plain) if row["id"] == key)
        return next(found, len(plain))
    return key


# -- first difference of two lines -----------------------------------------------------------------


def is_same_entry(one: AnyEntry, other: AnyEntry) -> bool:
    """Return whether seat, command and events of two entries are the same."""
    return (one.seat, one.command, one.events) == (other.seat, other.command, other.events)


def fork(
    one: Sequence[AnyEntry],
    other: Sequence[AnyEntry],
    same: Callable[[AnyEntry, AnyEntry], bool] = is_same_entry,
) -> int:
    """Return the number of entries that two lines have in common at their start.

    Branches of one log are compared with ``operator.is_``: they part where the log does, even if
    both continue with the same command.
    """
    for index, (left, right) in enumerate(zip(one, other, strict=False)):
        if not same(left, right):
            return index
    return min(len(one), len(other))
