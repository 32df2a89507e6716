"""Paths into a state: ``armies[15].points``, ``sides.Orrin.gold``, ``terrain[4,7]``.

A path leads to a field of a record, to a record of a roster by its id, or to a cell of a plane by x
and y. A row of a tuple is named by its number or by the value of its field ``name``. Views have
paths like states.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Any, Final, TypeAlias

from engine.core.containers import Plane, Roster
from engine.core.record import Record, replace

PathKey: TypeAlias = str | int | tuple[int, int]
"""A field or name, a number or id, or a cell (x, y)."""

StatePath: TypeAlias = tuple[PathKey, ...]

MISSING: Final = object()
"""Value of a path that leads nowhere in this state, such as that of a lost piece."""

_NAMES: Final = 6
"""Maximum number of names that are listed."""

_PART: Final = re.compile(
    r"\.?(?:(?P<name>[^\W\d][\w-]*)|\"(?P<quoted>[^\"]*)\"|\[(?P<x>-?\d{1,9})(?:,(?P<y>-?\d{1,9}))?\])"
)


class NoPath(ValueError):
    """Raised if a text is not a path of a state; one line that names the nearest one."""


def read(text: str) -> StatePath:
    """Parse a written path; return its keys.

    Raises:
        NoPath: the text is invalid.

    >>> read("armies[15].points")
    ('armies', 15, 'points')
    """
    keys: list[PathKey] = []
    at = 0
    while at < len(text):
        found = _PART.match(text, at)
        if found is None:
            raise NoPath(f"{text[:60]!r} is no path: {text[at:][:20]!r} cannot stand in one")
        if found["x"] is None:
            keys.append(found["name"] if found["name"] is not None else found["quoted"])
        else:
            x = int(found["x"])
            keys.append(x if found["y"] is None else (x, int(found["y"])))
        at = found.end()
    if not keys:
        raise NoPath("a path has at least one name, such as armies[15].points")
    return tuple(keys)


def write(path: Sequence[PathKey]) -> str:
    """Return a path as text that ``read`` can parse.

    >>> write(("armies", 15, "points"))
    'armies[15].points'
    """
    out = ""
    for key in path:
        if isinstance(key, str):
            plain = re.fullmatch(r"[^\W\d][\w-]*", key) is not None
            out += ("." if out else "") + (key if plain else f'"{key}"')
        else:
            out += f"[{key[0]},{key[1]}]" if isinstance(key, tuple) else f"[{key}]"
    return out


def value(state: Any, path: Sequence[PathKey]) -> Any:
    """Return the value at a path; ``MISSING`` if it leads nowhere."""
    for key in path:
        state = _below(state, key)
        if state is MISSING:
            break
    return state


def find(states: Sequence[Any], text: str) -> StatePath:
    """Parse a path that has a value in at least one of these states.

    Rows may be named in any case, and by the beginning of their names if no other row has it.

    Raises:
        NoPath: the text is invalid or has no value; the message names the nearest path.
    """
    path = read(text)
    reach, best = 0, states[-1] if states else None
    for state in reversed(states):
        at, path = state, _with_whole_names(state, path)
        for depth, key in enumerate(path):
            at, above = _below(at, key), at
            if at is MISSING:
                if depth >= reach:
                    reach, best = depth, above
                break
        else:
            return path
    raise NoPath(_nearest(path, reach, best))


def _with_whole_names(state: Any, path: StatePath) -> StatePath:
    """Complete the keys of a path to the names of the rows that they begin.

    Raises:
        NoPath: a key begins the names of several rows.
    """
    keys: list[PathKey] = []
    for key in path:
        is_name = isinstance(state, Roster | tuple) and isinstance(key, str)
        keys.append(_whole_name(state, str(key)) if is_name else key)
        state = _below(state, keys[-1])
    return tuple(keys)


def _whole_name(at: Any, key: str) -> str:
    names = [name for row in _rows(at) if isinstance(name := _name(row), str) and name]
    if key in names:
        return key
    wanted = key.casefold()
    found = [name for name in names if name.casefold() == wanted]
    found = found or [name for name in names if name.casefold().startswith(wanted)]
    if len(found) > 1:
        raise NoPath(f"{key!r} can be {', '.join(sorted(set(found))[:_NAMES])}")
    return found[0] if found else key


def _nearest(path: StatePath, depth: int, at: Any) -> str:
    """Return the error text of a path whose key ``depth`` leads nowhere from the value ``at``."""
    head, wrong = write(path[:depth]) or "the state", write(path[depth : depth + 1])
    known = [write((key,)) for key, _ in children(at)]
    close = get_close_matches(wrong, known, 1, 0.5) or known[:1]
    hint = f"; the nearest is {write(path[:depth] + read(close[0]))}" if close else ""
    return f"{head} has no {wrong}{hint}"


def complete(state: Any, text: str) -> list[str]:
    """Return paths that begin with a text, at most one key longer, in the order of the state.

    Rows are offered by their ids and by their names; an invalid path gets no offers.
    """
    cut = max(text.rfind("."), text.rfind("["))
    try:
        head = read(text[:cut]) if cut > 0 else ()
    except NoPath:
        return []
    at = value(state, head)
    keys = [key for key, _ in children(at)]
    if isinstance(at, Roster | tuple):
        keys += [name for row in _rows(at) if isinstance(name := _name(row), str) and name]
    paths = (write((*head, key)) for key in keys)
    return [path for path in paths if path.startswith(text)]


def children(at: Any) -> Iterator[tuple[PathKey, Any]]:
    """Yield the keys below a value with their values; none for a plane, with its many cells."""
    if isinstance(at, Record):
        yield from ((name, getattr(at, name)) for name in at.__struct_fields__)
    elif isinstance(at, Roster):
        yield from ((row.id, row) for row in at.values())
    elif isinstance(at, tuple):
        yield from enumerate(at)


def _below(at: Any, key: PathKey) -> Any:
    if isinstance(at, Record):
        return getattr(at, key, MISSING) if key in at.__struct_fields__ else MISSING
    if isinstance(at, Plane):
        return at[key[1], key[0]] if isinstance(key, tuple) and at.has(*key) else MISSING
    if isinstance(at, Roster | tuple) and isinstance(key, str):
        return next((row for row in _rows(at) if _name(row) == key), MISSING)
    if isinstance(at, Roster) and isinstance(key, int):
        return at.get(key, MISSING)
    if isinstance(at, tuple) and isinstance(key, int) and 0 <= key < len(at):
        return at[key]
    return MISSING


def _rows(at: Any) -> Iterator[Any]:
    return iter(at.values() if isinstance(at, Roster) else at)


def _name(row: Any) -> Any:
    return getattr(row, "name", MISSING) if isinstance(row, Record) else MISSING


def put(state: Any, path: Sequence[PathKey], new: Any) -> Any:
    """Return a state with another value at a path; everything else is shared.

    Raises:
        NoPath: the path leads nowhere.
    """
    if not path:
        return new
    key, rest = path[0], path[1:]
    below = _below(state, key)
    if below is MISSING:
        raise NoPath(f"there is no {write(path)}")
    return _replaced(state, key, put(below, rest, new))


def _replaced(at: Any, key: PathKey, new: Any) -> Any:
    """Return a copy of a container with another value at ``key``."""
    if isinstance(at, Record):
        return replace(at, **{str(key): new})
    if isinstance(at, Plane) and isinstance(key, tuple):
        return at.put(*key, new)
    if isinstance(at, Roster):
        return at.put(new)
    rows = enumerate(at)
    index = key if isinstance(key, int) else next(n for n, row in rows if _name(row) == key)
    return (*at[:index], new, *at[index + 1 :])
