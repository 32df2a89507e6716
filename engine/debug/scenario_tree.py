"""A position of any game as a tree of records: its rows, its pieces, its non-default values.

A row is a record, or a word, in a list of variable length. A piece is a row with a place; if such
rows have no place, it is one with an owner.
"""

from __future__ import annotations

import typing
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final, NamedTuple

import msgspec

from engine.core.record import Record, Scenario
from engine.debug.paths import StatePath, value

OWNERS: Final = ("owner", "seat", "side")
"""Fields that name the seat to which a row belongs."""
_PLACES: Final = ("tile", "at")
"""Fields that name the place of a row, besides x and y."""
_NONE: Final = msgspec.NODEFAULT
_WORDS: Final = frozenset({"name", "title", "about"})
"""Fields without a default that may be empty."""


class Row(NamedTuple):
    """A record or a word in a list of a position: the path of the list and its number there."""

    rows: StatePath
    number: int

    @property
    def path(self) -> StatePath:
        """Path of the row."""
        return (*self.rows, self.number)


@cache
def hints(kind: Any) -> Mapping[str, Any]:
    """Return the types of the fields of a record type, by name."""
    return typing.get_type_hints(kind)


def records(scenario: Record, path: StatePath = ()) -> Iterator[tuple[StatePath, Record]]:
    """Yield all records of a position with their paths, parents before children."""
    yield path, scenario
    for name in scenario.__struct_fields__:
        below = getattr(scenario, name)
        if isinstance(below, Record):
            yield from records(below, (*path, name))
        elif isinstance(below, tuple):
            for number, row in enumerate(below):
                if isinstance(row, Record):
                    yield from records(row, (*path, name, number))


def is_list(kind: type[Record], name: str) -> bool:
    """Return whether a field may hold any number of values."""
    hint = hints(kind)[name]
    origins = [hint, *typing.get_args(hint)]
    return any(typing.get_origin(one) is tuple and ... in typing.get_args(one) for one in origins)


def rows_of(scenario: Scenario) -> list[Row]:
    """Return the removable rows of a position; rows that others do not contain come first."""
    found: list[Row] = []
    for path, record in records(scenario):
        is_row = bool(path) and isinstance(path[-1], int)
        for name in record.__struct_fields__:
            rows = getattr(record, name)
            if not isinstance(rows, tuple) or not rows or not is_list(type(record), name):
                continue
            if isinstance(rows[0], Record) or is_row:
                found += [Row((*path, name), number) for number in range(len(rows))]
    return sorted(found, key=_inside)


def _inside(row: Row) -> tuple[bool, int]:
    """Return the sort key of a row: rows inside other rows last, then deeper lists first."""
    return any(isinstance(key, int) for key in row.rows), -len(row.rows)


def pieces(scenario: Scenario) -> int:
    """Return the number of pieces of a position."""
    return sum(is_piece(value(scenario, row.path)) for row in rows_of(scenario))


def is_piece(row: Any) -> bool:
    """Return whether a row has a place or, if such rows have no place, an owner.

    A unit that waits outside the game, or a land without an owner, is not a piece.
    """
    if not isinstance(row, Record):
        return False
    fields = row.__struct_fields__
    if "x" in fields and "y" in fields:
        return True
    busy = dict(own_details(row))
    if any(name in fields for name in _PLACES):
        return any(name in busy or name not in _defaulted(type(row)) for name in _PLACES)
    owners = [getattr(row, name) for name in OWNERS if name in fields]
    return bool(busy) and any(isinstance(owner, int) and owner >= 0 for owner in owners)


@cache
def _fields(kind: Any) -> tuple[msgspec.structs.FieldInfo, ...]:
    """Return the fields of a record type; cached, because it is slow."""
    return msgspec.structs.fields(kind)


@cache
def _defaulted(kind: Any) -> frozenset[str]:
    """Return the fields of a record type with a default, and the place fields that it lacks."""
    bare = {info.name for info in _fields(kind) if _default(info) is _NONE}
    return frozenset({*kind.__struct_fields__, *_PLACES} - bare)


def own_details(record: Record) -> Iterator[tuple[str, Any]]:
    """Yield the names of fields of a record that are not the default, with their defaults."""
    for info in _fields(type(record)):
        default = _default(info)
        if default is msgspec.NODEFAULT and info.name in _WORDS:
            default = ""
        is_plain = getattr(record, info.name) == default
        if default is not msgspec.NODEFAULT and info.name != "id" and not is_plain:
            yield info.name, default


def _default(info: msgspec.structs.FieldInfo) -> Any:
    if info.default_factory is not msgspec.NODEFAULT:
        return info.default_factory()
    return info.default
