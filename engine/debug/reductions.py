"""Reductions of a case: ways to make its position smaller or plainer, whatever the game is.

A position is a tree of records. A row is a record in one of its lists; a piece is a row that stands
somewhere, or belongs to somebody and is not as it is by default. Where rows have no id of their own, commands name them by their
number in the list, so that removing one may need other numbers in the commands. Whether a
reduction makes sense is not asked here: rules check a position, and a test keeps it or not.
"""

from __future__ import annotations

import typing
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

import msgspec

from engine.core.record import Command, Record, Scenario, replace
from engine.debug.cases import Case, Step
from engine.debug.paths import Path, put, value

_OWNERS: Final = ("owner", "seat", "side")
_WORDS: Final = frozenset({"name", "title", "about"})
_SMALLEST: Final = 3
"""Rows and columns that a map keeps; a narrower one is no map of any game."""


class Row(NamedTuple):
    """A record or a word in a list of a position: the path of the list and its number there."""

    rows: Path
    number: int

    @property
    def path(self) -> Path:
        """Path of the row."""
        return (*self.rows, self.number)


class Detail(NamedTuple):
    """A field of a position that has another value than it has by default."""

    path: Path
    plain: Any


class Order(NamedTuple):
    """A part of a command: an item of one of its lists, or a field that is not as by default."""

    step: int
    name: str
    index: int = -1
    """Number of the item; -1: the whole field."""


class Cell(NamedTuple):
    """A square of a map that is written as rows of signs."""

    rows: Path
    x: int
    y: int
    sign: str


# -- what a position consists of -------------------------------------------------------------------


@cache
def _hints(kind: type[Record]) -> Mapping[str, Any]:
    return typing.get_type_hints(kind)


def _records(scenario: Record, path: Path = ()) -> Iterator[tuple[Path, Record]]:
    """All records of a position with their paths, those above before those below."""
    yield path, scenario
    for name in scenario.__struct_fields__:
        below = getattr(scenario, name)
        if isinstance(below, Record):
            yield from _records(below, (*path, name))
        elif isinstance(below, tuple):
            for number, row in enumerate(below):
                if isinstance(row, Record):
                    yield from _records(row, (*path, name, number))


def _is_list(kind: type[Record], name: str) -> bool:
    """True if a field may hold any number of values."""
    hint = _hints(kind)[name]
    origins = [hint, *typing.get_args(hint)]
    return any(typing.get_origin(one) is tuple and ... in typing.get_args(one) for one in origins)


def rows_of(scenario: Scenario) -> list[Row]:
    """The rows of a position that may be removed: outer ones first, then what they consist of."""
    found: list[Row] = []
    for path, record in _records(scenario):
        is_row = bool(path) and isinstance(path[-1], int)
        for name in record.__struct_fields__:
            rows = getattr(record, name)
            if not isinstance(rows, tuple) or not rows or not _is_list(type(record), name):
                continue
            if isinstance(rows[0], Record) or is_row:
                found += [Row((*path, name), number) for number in range(len(rows))]
    return sorted(found, key=lambda row: len(row.rows))


def pieces(scenario: Scenario) -> int:
    """Number of pieces: rows that stand somewhere, or belong to somebody and are not plain."""
    return sum(is_piece(value(scenario, row.path)) for row in rows_of(scenario))


def is_piece(row: Any) -> bool:
    """True if a row stands somewhere, or belongs to somebody and is not as it is by default.

    A unit that waits outside of the game, or a land without an owner, is no piece.
    """
    if not isinstance(row, Record):
        return False
    fields = row.__struct_fields__
    if "x" in fields and "y" in fields:
        return True
    owners = [getattr(row, name) for name in _OWNERS if name in fields]
    is_owned = any(isinstance(owner, int) and owner >= 0 for owner in owners)
    return is_owned and any(_own_details(row))


def grids(scenario: Scenario) -> dict[Path, tuple[str, ...]]:
    """The maps of a position that are written as rows of signs, all of the size of the largest."""
    found: dict[Path, tuple[str, ...]] = {}
    for path, record in _records(scenario):
        if path and isinstance(path[-1], int):
            continue
        for name in record.__struct_fields__:
            rows = getattr(record, name)
            if _is_grid(rows):
                found[(*path, name)] = rows
    largest = max(((len(rows), len(rows[0])) for rows in found.values()), default=(0, 0))
    return {path: rows for path, rows in found.items() if (len(rows), len(rows[0])) == largest}


def _is_grid(rows: Any) -> bool:
    if not isinstance(rows, tuple) or len(rows) < _SMALLEST or not isinstance(rows[0], str):
        return False
    width = len(rows[0])
    return width >= _SMALLEST and all(isinstance(row, str) and len(row) == width for row in rows)


# -- rows ------------------------------------------------------------------------------------------


def without_rows(case: Case, gone: Sequence[Row]) -> Iterator[Case]:
    """A case without some rows, in up to four forms.

    As it is; with commands that know of it; with the ground made plain where the rows stood;
    with both. Commands no longer name the missing rows among others, and name rows without an id
    by the numbers that they have now.
    """
    lists: dict[Path, set[int]] = {}
    for row in gone:
        lists.setdefault(row.rows, set()).add(row.number)
    scenario: Any = case.scenario
    for path, numbers in sorted(lists.items(), key=lambda item: -len(item[0])):
        rows = value(scenario, path)
        left = tuple(row for number, row in enumerate(rows) if number not in numbers)
        scenario = put(scenario, path, left)
    plainer = _levelled(scenario, (value(case.scenario, row.path) for row in gone))
    shifts = [(path, numbers) for path, numbers in lists.items() if _is_numbered(case, path)]
    ids = {
        found
        for row in gone
        if isinstance(found := getattr(value(case.scenario, row.path), "id", None), int)
    }
    steps = tuple(_without_ids(_shifted(step, shifts), ids) for step in case.steps)
    made = [scenario, plainer] if plainer != scenario else [scenario]
    for one in made:
        yield replace(case, scenario=one)
        if steps != case.steps:
            yield replace(case, scenario=one, steps=steps)


def _is_numbered(case: Case, path: Path) -> bool:
    """True if the rows of a list have no ids of their own."""
    rows = value(case.scenario, path)
    return isinstance(rows[0], Record) and "id" not in rows[0].__struct_fields__


def _shifted(step: Step, shifts: Iterable[tuple[Path, set[int]]]) -> Step:
    """A step whose command names rows by the numbers they have once others are gone."""
    command = step.command
    for path, gone in shifts:
        stem = str(path[-1])[:3]
        for name in command.__struct_fields__:
            if name.startswith(stem):
                command = _with_numbers(command, name, lambda old, gone=gone: _behind(old, gone))
    return replace(step, command=command)


def _without_ids(step: Step, gone: Collection[int]) -> Step:
    """A step whose command does not name some rows by their ids, if it names others too."""
    command = step.command
    for name in command.__struct_fields__:
        now = getattr(command, name)
        if isinstance(now, tuple) and len(now) > 1 and _is_list(type(command), name):
            left = tuple(one for one in now if one not in gone)
            command = replace(command, **{name: left}) if left and left != now else command
    return replace(step, command=command)


def _behind(old: int, gone: set[int]) -> int:
    return old - sum(number < old for number in gone)


def _with_numbers(command: Command, name: str, shift: Callable[[int], int]) -> Command:
    """A command with the numbers in one of its fields replaced; places stay."""
    now = getattr(command, name)
    if isinstance(now, int) and not isinstance(now, bool):
        return replace(command, **{name: shift(now)})
    if isinstance(now, tuple) and all(isinstance(one, int) for one in now):
        return replace(command, **{name: tuple(map(shift, now))})
    return command


def _levelled(scenario: Any, gone: Iterable[Any]) -> Any:
    """A position whose maps have the commonest sign where removed rows stood.

    A row may cover the squares to the right of it and below that have the same sign.
    """
    places = [
        (row.x, row.y)
        for row in gone
        if isinstance(row, Record) and {"x", "y"} <= set(row.__struct_fields__)
    ]
    for path, rows in grids(scenario).items():
        common = commonest(rows)
        cells = [
            (x, y)
            for left, top in places
            for x in (left, left + 1)
            for y in (top, top + 1)
            if _sign(rows, x, y) == _sign(rows, left, top)
        ]
        scenario = put(scenario, path, _painted(rows, cells, common))
    return scenario


def commonest(rows: Sequence[str]) -> str:
    """The sign that a map has most of; of several the first in the order of signs."""
    counts = Counter("".join(rows))
    return min(counts, key=lambda sign: (-counts[sign], sign))


def _sign(rows: Sequence[str], x: int, y: int) -> str:
    return rows[y][x] if 0 <= y < len(rows) and 0 <= x < len(rows[y]) else ""


def _painted(rows: Sequence[str], cells: Iterable[tuple[int, int]], sign: str) -> tuple[str, ...]:
    made = [list(row) for row in rows]
    for x, y in cells:
        if _sign(rows, x, y):
            made[y][x] = sign
    return tuple("".join(row) for row in made)


# -- land ------------------------------------------------------------------------------------------


def cells_of(scenario: Scenario) -> list[Cell]:
    """The squares of the maps that have another sign than the commonest."""
    return [
        Cell(path, x, y, common)
        for path, rows in grids(scenario).items()
        if (common := commonest(rows))
        for y, row in enumerate(rows)
        for x, sign in enumerate(row)
        if sign != common
    ]


def without_cells(case: Case, gone: Sequence[Cell]) -> Iterator[Case]:
    """A case with some squares of its maps made plain."""
    scenario: Any = case.scenario
    for path, rows in grids(scenario).items():
        of_this = [cell for cell in gone if cell.rows == path]
        if of_this:
            cells = [(cell.x, cell.y) for cell in of_this]
            scenario = put(scenario, path, _painted(rows, cells, of_this[0].sign))
    yield replace(case, scenario=scenario)


def crops(case: Case) -> Iterator[Case]:
    """A case with less land: right, below, left and above, half of it first, then less."""
    maps = grids(case.scenario)
    if not maps:
        return
    rows = next(iter(maps.values()))
    for across, behind in ((True, True), (False, True), (True, False), (False, False)):
        size = len(rows[0]) if across else len(rows)
        amount = size // 2
        while amount and size - amount >= _SMALLEST:
            yield _cropped(case, maps, amount, across=across, behind=behind)
            amount //= 2


def _cropped(
    case: Case, maps: Mapping[Path, tuple[str, ...]], amount: int, *, across: bool, behind: bool
) -> Case:
    scenario: Any = case.scenario
    kept = slice(None, -amount) if behind else slice(amount, None)
    for path, rows in maps.items():
        left = tuple(row[kept] for row in rows) if across else rows[kept]
        scenario = put(scenario, path, left)
    if behind:
        return replace(case, scenario=scenario)
    dx, dy = (amount, 0) if across else (0, amount)
    steps = tuple(replace(step, command=_moved(step.command, dx, dy)) for step in case.steps)
    return replace(case, scenario=_moved(scenario, dx, dy), steps=steps)


def _moved(record: Any, dx: int, dy: int) -> Any:
    """A record whose places all are further left and up."""
    fields = set(record.__struct_fields__)
    changed: dict[str, Any] = {}
    if {"x", "y"} <= fields and record.x >= 0:
        changed = {"x": record.x - dx, "y": record.y - dy}
    for name in record.__struct_fields__:
        now = getattr(record, name)
        if isinstance(now, Record):
            changed[name] = _moved(now, dx, dy)
        elif isinstance(now, tuple) and now:
            changed[name] = _moved_list(now, _hints(type(record))[name], dx, dy)
    return replace(record, **changed) if changed else record


def _moved_list(now: tuple[Any, ...], hint: Any, dx: int, dy: int) -> Any:
    kinds = [one for one in (hint, *typing.get_args(hint)) if typing.get_origin(one) is tuple]
    for kind in kinds:
        if typing.get_args(kind) == (int, int):
            if all(isinstance(one, int) for one in now):
                return (now[0] - dx, now[1] - dy)
            return tuple((x - dx, y - dy) for x, y in now)
    return tuple(_moved(one, dx, dy) if isinstance(one, Record) else one for one in now)


# -- seats -----------------------------------------------------------------------------------------


def without_seat(case: Case, seat: int, seats: int) -> Case:
    """A case without a seat: its rows, its steps; seats behind it move up."""

    def now(old: Any) -> Any:
        return old - 1 if isinstance(old, int) and old > seat else old

    steps = tuple(
        replace(step, seat=now(step.seat)) for step in case.steps if step.seat != seat
    )
    return replace(case, scenario=_reseated(case.scenario, seat, seats, now), steps=steps)


def _reseated(record: Any, seat: int, seats: int, now: Callable[[Any], Any]) -> Any:
    changed: dict[str, Any] = {}
    for name in record.__struct_fields__:
        old = getattr(record, name)
        if name in _OWNERS and isinstance(old, int):
            changed[name] = -1 if old == seat else now(old)
        elif isinstance(old, Record):
            changed[name] = _reseated(old, seat, seats, now)
        elif isinstance(old, tuple) and _is_list(type(record), name):
            changed[name] = _reseated_list(old, seat, seats, now)
    return replace(record, **changed) if changed else record


def _reseated_list(
    old: tuple[Any, ...], seat: int, seats: int, now: Callable[[Any], Any]
) -> tuple[Any, ...]:
    rows = old
    if len(old) == seats:
        rows = old[:seat] + old[seat + 1 :]
        if sorted(map(repr, old)) == sorted(map(repr, range(seats))):
            rows = tuple(now(one) for one in old if one != seat)
    elif any(_belongs(row, seat) for row in old):
        rows = tuple(row for row in old if not _belongs(row, seat))
    return tuple(
        _reseated(row, seat, seats, now) if isinstance(row, Record) else row for row in rows
    )


def _belongs(row: Any, seat: int) -> bool:
    return isinstance(row, Record) and any(
        getattr(row, name, None) == seat for name in ("owner", "seat")
    )


# -- details ---------------------------------------------------------------------------------------


def details_of(scenario: Scenario) -> list[Detail]:
    """Fields of a position that could have their default instead, alike fields together."""
    found = [
        Detail((*path, name), plain)
        for path, record in _records(scenario)
        for name, plain in _own_details(record)
    ]
    return sorted(found, key=lambda one: [len(one.path), *_names(one.path)])


def _own_details(record: Record) -> Iterator[tuple[str, Any]]:
    """Names of fields of a record that are not as they are by default, with the defaults."""
    for info in msgspec.structs.fields(record):
        default = _default(info)
        if default is msgspec.NODEFAULT and info.name in _WORDS:
            default = ""
        if default is not msgspec.NODEFAULT and info.name != "id":
            if getattr(record, info.name) != default:
                yield info.name, default


def busy_rows(scenario: Scenario) -> list[Row]:
    """Rows that are not as they are by default."""
    rows = ((row, value(scenario, row.path)) for row in rows_of(scenario))
    return [row for row, now in rows if isinstance(now, Record) and any(_own_details(now))]


def with_plain_rows(case: Case, plain: Sequence[Row]) -> Iterator[Case]:
    """A case with some rows of its position as they are by default."""
    scenario: Any = case.scenario
    for row in sorted(plain, key=lambda one: -len(one.rows)):
        now = value(scenario, row.path)
        scenario = put(scenario, row.path, replace(now, **dict(_own_details(now))))
    yield replace(case, scenario=scenario)


def _default(info: msgspec.structs.FieldInfo) -> Any:
    if info.default_factory is not msgspec.NODEFAULT:
        return info.default_factory()
    return info.default


def _names(path: Path) -> list[str]:
    return [key for key in path if isinstance(key, str)]


def without_details(case: Case, gone: Sequence[Detail]) -> Iterator[Case]:
    """A case with some fields of its position as they are by default."""
    scenario: Any = case.scenario
    for one in sorted(gone, key=lambda detail: -len(detail.path)):
        scenario = put(scenario, one.path, one.plain)
    yield replace(case, scenario=scenario)


# -- commands --------------------------------------------------------------------------------------


def orders_of(case: Case) -> list[Order]:
    """What commands could do without: fields, then items of lists."""
    found: list[Order] = []
    for number, step in enumerate(case.steps):
        command = step.command
        found += [Order(number, name) for name, _ in _own_details(command)]
        for name in command.__struct_fields__:
            now = getattr(command, name)
            if isinstance(now, tuple) and _is_list(type(command), name):
                found += [Order(number, name, index) for index in range(len(now))]
    return sorted(found, key=lambda one: one.index >= 0)


def without_orders(case: Case, gone: Sequence[Order]) -> Iterator[Case]:
    """A case whose commands say less."""
    steps = list(case.steps)
    for number in {one.step for one in gone}:
        command = steps[number].command
        plain = dict(_own_details(command))
        for name in {one.name for one in gone if one.step == number}:
            items = {one.index for one in gone if (one.step, one.name) == (number, name)}
            if -1 in items:
                command = replace(command, **{name: plain[name]})
                continue
            listed = enumerate(getattr(command, name))
            left = tuple(item for index, item in listed if index not in items)
            command = replace(command, **{name: left})
        steps[number] = replace(steps[number], command=command)
    yield replace(case, steps=tuple(steps))
