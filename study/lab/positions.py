"""Positions of a game for programs: the view of a seat as arrays of fixed shape, and as text.

The arrays follow from the records of the view, for every ruleset:

* a plane is an array of its rows, under the path of its field (``terrain``, ``world.land``);
* a roster, or a tuple of any length, is a table: a row for each record, in its order. The first
  column, ``is_there``, is 1 for a record and 0 for an empty row, which is 0 throughout;
* all other fields are one row of ``numbers``.

Numbers are unchanged. Yes and no are 1 and 0. A word of a closed list is its position in the list
from 1 on. Any other text is a hash of its letters (0: empty). A value that may be absent has a
column ``NAME.is_there`` in front of it. A list inside a record has a column ``NAME.count`` and then
columns for its first elements. ``bytes`` are left out. ``ViewLayout.columns`` names every column.
"""

from __future__ import annotations

import enum
import types
import typing
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from operator import attrgetter, itemgetter
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from engine.core.containers import Plane, Roster
from engine.core.ids import Seat
from engine.core.record import UNSET, Known, Record, UnsetType
from engine.core.ruleset import AnyRuleset
from engine.tabletop.board import NOBODY, Board
from engine.tabletop.presenter import presenter_of

Cells: TypeAlias = npt.NDArray[np.int32]

NUMBERS: Final = "numbers"
"""Name of the array of all fields that are neither planes nor tables."""

_LOWEST, _HIGHEST = -(1 << 31), (1 << 31) - 1
_LISTED: Final = (12, 4)
"""Maximum elements with columns of a list inside a record, and of a list inside that list."""
_FEWEST_ROWS: Final = 32
_FEWEST_PIECES: Final = 128
"""Minimum rows of a roster, since the first view may have none of its pieces."""
_WORDS: Final = 65_521
"""Numbers of words are at most this prime, so that few words share a number."""

ColumnFiller: TypeAlias = Callable[[Any], list[int]]


class Columns(NamedTuple):
    """Columns of a value: their names, and the function that fills them."""

    names: tuple[str, ...]
    write: ColumnFiller


# -- columns of a type -------------------------------------------------------------------------


def columns_of(hint: Any, name: str = "", depth: int = 0) -> Columns:
    """Return the columns of a value of a type; none for a type without numbers.

    >>> columns_of(tuple[int, bool], "at").names
    ('at.0', 'at.1')
    >>> columns_of(int | None, "left").write(7)
    [1, 7]
    """
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        known = next((extra for extra in args[1:] if isinstance(extra, Known)), None)
        return columns_of(args[0], name, depth) if known is None else _choice(tuple(known), name)
    if origin is typing.Literal:
        return _choice(args, name)
    if origin in (typing.Union, types.UnionType):
        return _union(args, name, depth)
    if _is_listed(hint):
        return _list(args[0], name, depth)
    if origin is tuple:
        parts = [columns_of(arg, _below(name, at), depth) for at, arg in enumerate(args)]
        return _joined(parts, [itemgetter(at) for at in range(len(args))])
    return _simple(hint, name, depth) if isinstance(hint, type) else Columns((), _nothing)


def _simple(kind: type, name: str, depth: int) -> Columns:
    if issubclass(kind, enum.Enum):
        return _choice(tuple(kind), name)
    if issubclass(kind, int | float):
        return Columns((name,), _number)
    if issubclass(kind, str):
        return Columns((name,), _word)
    if issubclass(kind, Record):
        hints = _hints(kind)
        fields = kind.__struct_fields__
        parts = [columns_of(hints[field], _below(name, field), depth) for field in fields]
        return _joined(parts, [attrgetter(field) for field in fields])
    return Columns((), _nothing)


def _is_listed(hint: Any) -> bool:
    """Return whether a type is a list of any length."""
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    return origin is Roster or (origin is tuple and len(args) == 2 and args[1] is ...)


def _below(name: str, part: object) -> str:
    return f"{name}.{part}" if name else str(part)


@cache
def _hints(kind: type[Record]) -> Mapping[str, Any]:
    return typing.get_type_hints(kind, include_extras=True)


def _nothing(_value: Any) -> list[int]:
    return []


def _number(value: Any) -> list[int]:
    return [min(max(int(value), _LOWEST), _HIGHEST)]


def _word(value: str) -> list[int]:
    return [1 + zlib.crc32(value.encode()) % _WORDS if value else 0]


def _choice(words: Sequence[object], name: str) -> Columns:
    places = {word: place for place, word in enumerate(words, 1)}
    return Columns((name,), lambda value: [places.get(value, 0)])


def _joined(parts: Sequence[Columns], getters: Sequence[Callable[[Any], Any]]) -> Columns:
    used = [(get, part.write) for get, part in zip(getters, parts, strict=True) if part.names]
    names = tuple(chain.from_iterable(part.names for part in parts))

    def write(value: Any) -> list[int]:
        found: list[int] = []
        for get, fill in used:
            found += fill(get(value))
        return found

    return Columns(names, write)


def _union(args: Sequence[Any], name: str, depth: int) -> Columns:
    """Return the columns of a value that may be absent, or that is one of several types."""
    absent = (types.NoneType, UnsetType)
    kinds = [arg for arg in args if arg not in absent]
    parts = [columns_of(kind, name, depth) for kind in kinds]
    if len(kinds) == 1:
        return _optional(parts[0], name)
    names = (_below(name, "kind"), *chain.from_iterable(part.names for part in parts))
    blanks = [[0] * len(part.names) for part in parts]

    def write(value: Any) -> list[int]:
        at = next((n for n, kind in enumerate(kinds) if _is_of(value, kind)), -1)
        filled = [part.write(value) if n == at else blanks[n] for n, part in enumerate(parts)]
        return [at + 1, *chain.from_iterable(filled)]

    return Columns(names, write)


def _is_of(value: Any, kind: Any) -> bool:
    if typing.get_origin(kind) is typing.Literal:
        return value in typing.get_args(kind)
    plain = typing.get_origin(kind) or kind
    return isinstance(plain, type) and isinstance(value, plain)


def _optional(part: Columns, name: str) -> Columns:
    blank = [0] * (1 + len(part.names))

    def write(value: Any) -> list[int]:
        return blank if value is None or value is UNSET else [1, *part.write(value)]

    return Columns((_below(name, "is_there"), *part.names), write)


def _list(element: Any, name: str, depth: int) -> Columns:
    most = _LISTED[depth] if depth < len(_LISTED) else 0
    parts = [columns_of(element, _below(name, at), depth + 1) for at in range(most)]
    width = sum(len(part.names) for part in parts)
    names = (_below(name, "count"), *chain.from_iterable(part.names for part in parts))

    def write(value: Any) -> list[int]:
        found = [len(value)]
        for part, one in zip(parts, _elements(value), strict=False):
            found += part.write(one)
        return found + [0] * (1 + width - len(found))

    return Columns(names, write)


def _elements(value: Any) -> Iterable[Any]:
    return value.values() if isinstance(value, Roster) else value


# -- the layout of a view ----------------------------------------------------------------------


class _ViewPart(NamedTuple):
    """Plane, table or run of numbers of a view."""

    name: str
    """Path of its field."""
    kind: str
    columns: Columns = Columns((), _nothing)

    def value(self, view: Any) -> Any:
        """Return its value in a view."""
        return attrgetter(self.name)(view)


class ViewLayout:
    """Arrays of the views of a game: names, shapes, and the columns of each.

    Shapes follow from a first view. A table has four rows for each of its records there, rounded up
    to a power of two, and at least 128 for a roster and 32 for a tuple. A roster of the seats has a
    row for each. ``rows`` overrides these numbers. Records beyond the last row are left out, and so
    are cells of a plane beyond its shape.
    """

    def __init__(
        self, rules: AnyRuleset, view: Any, seats: int, rows: Mapping[str, int] | None = None
    ) -> None:
        """Lay out the views of a game with ``seats`` seats.

        Raises:
            ValueError: ``rows`` names an unknown table.
        """
        self._parts = tuple(_parts(rules.view_type, ""))
        given = dict(rows or {})
        self.columns: dict[str, tuple[str, ...]] = {}
        """Names of the columns of each table and of the numbers."""
        self.shapes: dict[str, tuple[int, ...]] = {}
        """Shape of each array."""
        single = [part for part in self._parts if part.kind == "number"]
        for part in self._parts:
            if part.kind == "plane":
                self.shapes[part.name] = part.value(view).cells.shape
            elif part.kind == "table":
                names = ("is_there", *part.columns.names)
                count = given.pop(part.name, 0) or _usual_rows(part.value(view), seats)
                self.columns[part.name], self.shapes[part.name] = names, (count, len(names))
        self.columns[NUMBERS] = tuple(chain.from_iterable(one.columns.names for one in single))
        self.shapes[NUMBERS] = (len(self.columns[NUMBERS]),)
        if given:
            tables = ", ".join(self.columns.keys() - {NUMBERS})
            raise ValueError(f"there is no table {next(iter(given))!r}; known: {tables}")

    def arrays(self, view: Any) -> dict[str, Cells]:
        """Return the arrays of a view, in new memory."""
        found: dict[str, Cells] = {}
        numbers: list[int] = []
        for part in self._parts:
            value = part.value(view)
            if part.kind == "plane":
                found[part.name] = _fitted(value.cells, self.shapes[part.name])
            elif part.kind == "table":
                found[part.name] = _table(part, value, self.shapes[part.name])
            else:
                numbers += part.columns.write(value)
        found[NUMBERS] = np.array(numbers, np.int32)
        return found


def _parts(kind: type[Record], path: str) -> Iterator[_ViewPart]:
    for field in kind.__struct_fields__:
        hint, name = _hints(kind)[field], _below(path, field)
        if hint is Plane:
            yield _ViewPart(name, "plane")
        elif _is_listed(hint):
            columns = columns_of(typing.get_args(hint)[0])
            columns = columns._replace(names=tuple(one or "value" for one in columns.names))
            yield _ViewPart(name, "table", columns)
        elif isinstance(hint, type) and issubclass(hint, Record):
            yield from _parts(hint, name)
        else:
            columns = columns_of(hint, name)
            if columns.names:
                yield _ViewPart(name, "number", columns)


def _usual_rows(value: Any, seats: int) -> int:
    is_roster = isinstance(value, Roster)
    if is_roster and tuple(value) == tuple(range(seats)):
        return seats
    fewest = _FEWEST_PIECES if is_roster else _FEWEST_ROWS
    return int(max(fewest, 1 << max(0, 4 * len(value) - 1).bit_length()))


def _fitted(cells: npt.NDArray[Any], shape: tuple[int, ...]) -> Cells:
    if cells.shape == shape:
        return cells.astype(np.int32)
    found = np.zeros(shape, np.int32)
    height, width = min(shape[0], cells.shape[0]), min(shape[1], cells.shape[1])
    found[:height, :width] = cells[:height, :width]
    return found


def _table(part: _ViewPart, value: Any, shape: tuple[int, ...]) -> Cells:
    found = np.zeros(shape, np.int32)
    write = part.columns.write
    rows = [[1, *write(one)] for one, _ in zip(_elements(value), range(shape[0]), strict=False)]
    if rows:
        found[: len(rows)] = rows
    return found


# -- as text -----------------------------------------------------------------------------------


def board_text(rules: AnyRuleset, view: Any, viewer: Seat) -> str:
    """Return the status, the board as rows of signs, and a legend of the signs.

    Each cell is two characters: ``*`` for the viewer's own or ``!`` for another seat's, and then
    the sign of line mode. For a viewer without a seat, the first character is the last digit of the
    owner's number.
    """
    presenter = presenter_of(rules)
    board, symbols = presenter.board(view, presenter.zooms[0]), presenter.symbols
    margin = len(str(board.height - 1))
    across = range(board.width)
    blank = " " * (margin + 1)
    lines = [presenter.status(view).text]
    if board.width > 10:
        lines.append(blank + "".join(f"{x // 10 % 10 or ' ':>2}" for x in across))
    lines.append(blank + "".join(f"{x % 10:>2}" for x in across))
    named: dict[str, str] = {}
    for y in range(board.height):
        row = []
        for x in across:
            symbol = symbols[int(board.piece[y, x]) or int(board.ground[y, x])]
            row.append(_whose(board, x, y, viewer) + symbol.ascii[:1])
            if symbol.ascii.strip() and not symbol.name.startswith("written "):
                named.setdefault(symbol.ascii[:1], symbol.name.partition(",")[0])
        lines.append(f"{y:>{margin}} {''.join(row)}".rstrip())
    lines.append("; ".join(f"{sign} {name}" for sign, name in sorted(named.items())))
    return "\n".join(lines)


def _whose(board: Board, x: int, y: int, viewer: Seat) -> str:
    owner = int(board.owner[y, x])
    if owner == NOBODY:
        return " "
    if viewer < 0:
        return str(owner % 10)
    return "*" if owner == viewer else "!"
