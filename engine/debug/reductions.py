"""Reductions of a case: ways to make its position and commands smaller or plainer.

Commands name rows without an id by their number in the list, so removing a row may require other
numbers in the commands. Whether a reduction makes sense is not checked here: the rules check a
position, and a test decides whether to keep it.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from engine.core.record import Command, Record, Scenario, replace
from engine.debug.cases import Case, CaseStep
from engine.debug.land import SMALLEST, grids, levelled, place_of, without_pictures
from engine.debug.paths import StatePath, put, value
from engine.debug.scenario_tree import (
    OWNERS,
    Row,
    hints,
    is_list,
    own_details,
    records,
    rows_of,
)


class Detail(NamedTuple):
    """A field of a position whose value is not the default."""

    path: StatePath
    plain: Any


class OrderPart(NamedTuple):
    """A part of a command: an item of one of its lists, or a field that is not the default."""

    step: int
    name: str
    item: int = -1
    """Number of the item; -1: the whole field."""


def without_rows(case: Case, gone: Sequence[Row]) -> Iterator[Case]:
    """Yield a case without the given rows, in up to four forms.

    The forms are: only the rows removed; with adapted commands; with plain ground in place of the
    rows; with both. Adapted commands drop the missing rows from lists of several, and name rows
    without an id by their new numbers.
    """
    lists: dict[StatePath, set[int]] = {}
    for row in gone:
        lists.setdefault(row.rows, set()).add(row.number)
    scenario: Any = case.scenario
    for path, numbers in sorted(lists.items(), key=lambda item: -len(item[0])):
        rows = value(scenario, path)
        left = tuple(row for number, row in enumerate(rows) if number not in numbers)
        scenario = put(scenario, path, left)
    plainer = levelled(scenario, (value(case.scenario, row.path) for row in gone))
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


def _is_numbered(case: Case, path: StatePath) -> bool:
    """Return whether the rows of a list have no ids."""
    rows = value(case.scenario, path)
    return isinstance(rows[0], Record) and "id" not in rows[0].__struct_fields__


def _shifted(step: CaseStep, shifts: Iterable[tuple[StatePath, set[int]]]) -> CaseStep:
    """Adapt a step's command to the new numbers of rows after others are removed."""
    command = step.command
    for path, gone in shifts:
        stem = str(path[-1])[:3]
        for name in command.__struct_fields__:
            if name.startswith(stem):
                command = _with_numbers(command, name, partial(_behind, gone))
    return replace(step, command=command)


def _without_ids(step: CaseStep, gone: Collection[int]) -> CaseStep:
    """Drop ids from a step's command where it also names others."""
    command = step.command
    for name in command.__struct_fields__:
        now = getattr(command, name)
        if isinstance(now, tuple) and len(now) > 1 and is_list(type(command), name):
            left = tuple(one for one in now if one not in gone)
            command = replace(command, **{name: left}) if left and left != now else command
    return replace(step, command=command)


def _behind(gone: Collection[int], old: int) -> int:
    return old - sum(number < old for number in gone)


def _with_numbers(command: Command, name: str, shift: Callable[[int], int]) -> Command:
    """Replace the numbers in a field of a command; places stay."""
    now = getattr(command, name)
    if isinstance(now, int) and not isinstance(now, bool):
        return replace(command, **{name: shift(now)})
    if isinstance(now, tuple) and all(isinstance(one, int) for one in now):
        return replace(command, **{name: tuple(map(shift, now))})
    return command


def without_seat(case: Case, seat: int, seats: int) -> Case:
    """Return a case without a seat, its rows and its steps; later seats move up."""

    def now(old: Any) -> Any:
        return old - 1 if isinstance(old, int) and old > seat else old

    steps = tuple(replace(step, seat=now(step.seat)) for step in case.steps if step.seat != seat)
    return replace(case, scenario=_reseated(case.scenario, seat, seats, now), steps=steps)


def _reseated(record: Any, seat: int, seats: int, now: Callable[[Any], Any]) -> Any:
    changed: dict[str, Any] = {}
    for name in record.__struct_fields__:
        old = getattr(record, name)
        if name in OWNERS and isinstance(old, int):
            changed[name] = -1 if old == seat else now(old)
        elif isinstance(old, Record):
            changed[name] = _reseated(old, seat, seats, now)
        elif isinstance(old, tuple) and is_list(type(record), name):
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


def details_of(scenario: Scenario) -> list[Detail]:
    """Return the fields of a position that could have their default, similar ones together."""
    found = [
        Detail((*path, name), plain)
        for path, record in records(scenario)
        for name, plain in own_details(record)
    ]
    return sorted(found, key=lambda one: [len(one.path), *words_of(one.path)])


def busy_rows(scenario: Scenario) -> list[Row]:
    """Return the rows with any field that is not the default."""
    rows = ((row, value(scenario, row.path)) for row in rows_of(scenario))
    return [row for row, now in rows if isinstance(now, Record) and any(own_details(now))]


def with_plain_rows(case: Case, plain: Sequence[Row]) -> Iterator[Case]:
    """Yield a case in which the given rows of its position have their defaults."""
    scenario: Any = case.scenario
    for row in sorted(plain, key=lambda one: -len(one.rows)):
        now = value(scenario, row.path)
        scenario = put(scenario, row.path, replace(now, **dict(own_details(now))))
    yield replace(case, scenario=scenario)


def words_of(path: StatePath) -> tuple[str, ...]:
    """Return the names in a path, without numbers."""
    return tuple(key for key in path if isinstance(key, str))


def without_details(case: Case, gone: Sequence[Detail]) -> Iterator[Case]:
    """Yield a case in which the given fields of its position have their defaults."""
    scenario: Any = case.scenario
    for one in sorted(gone, key=lambda detail: -len(detail.path)):
        scenario = put(scenario, one.path, one.plain)
    yield replace(case, scenario=scenario)


def orders_of(case: Case) -> list[OrderPart]:
    """Return the parts that commands could do without: fields, then items of lists."""
    found: list[OrderPart] = []
    for number, step in enumerate(case.steps):
        command = step.command
        found += [OrderPart(number, name) for name, _ in own_details(command)]
        for name in command.__struct_fields__:
            now = getattr(command, name)
            if isinstance(now, tuple) and is_list(type(command), name):
                found += [OrderPart(number, name, index) for index in range(len(now))]
    return sorted(found, key=lambda one: one.item >= 0)


def without_orders(case: Case, gone: Sequence[OrderPart]) -> Iterator[Case]:
    """Yield a case with the given parts of its commands removed."""
    steps = list(case.steps)
    for number in {one.step for one in gone}:
        command = steps[number].command
        plain = dict(own_details(command))
        for name in {one.name for one in gone if one.step == number}:
            items = {one.item for one in gone if (one.step, one.name) == (number, name)}
            if -1 in items:
                command = replace(command, **{name: plain[name]})
                continue
            listed = enumerate(getattr(command, name))
            left = tuple(item for index, item in listed if index not in items)
            command = replace(command, **{name: left})
        steps[number] = replace(steps[number], command=command)
    yield replace(case, steps=tuple(steps))


# -- smaller maps ----------------------------------------------------------------------------------


def crops(case: Case) -> Iterator[Case]:
    """Yield a case with less land: cut right, below, left and above, first half of it, then less.

    Rows on the removed land are removed as well.
    """
    maps = grids(case.scenario)
    if not maps:
        return
    rows = next(iter(maps.values()))
    for across, behind in ((True, True), (False, True), (True, False), (False, False)):
        size = len(rows[0]) if across else len(rows)
        amount = size // 2
        while amount and size - amount >= SMALLEST:
            for emptied in _emptied(case, amount, size, across=across, behind=behind):
                yield _cropped(emptied, maps, amount, across=across, behind=behind)
            amount //= 2


def _emptied(case: Case, amount: int, size: int, *, across: bool, behind: bool) -> Iterator[Case]:
    """Yield a case without the rows on the land to be removed."""
    gone = []
    for row in rows_of(case.scenario):
        place = place_of(value(case.scenario, row.path))
        at = (place[0] if across else place[1]) if place is not None else None
        if at is not None and (at >= size - amount if behind else 0 <= at < amount):
            gone.append(row)
    yield from (without_rows(case, gone) if gone else [case])


def _cropped(
    case: Case,
    maps: Mapping[StatePath, tuple[str, ...]],
    amount: int,
    *,
    across: bool,
    behind: bool,
) -> Case:
    scenario = without_pictures(case.scenario)
    kept = slice(None, -amount) if behind else slice(amount, None)
    for path in maps:
        rows = value(scenario, path)
        left = tuple(row[kept] for row in rows) if across else rows[kept]
        scenario = put(scenario, path, left)
    if behind:
        return replace(case, scenario=scenario)
    dx, dy = (amount, 0) if across else (0, amount)
    steps = tuple(replace(step, command=_moved(step.command, dx, dy)) for step in case.steps)
    return replace(case, scenario=_moved(scenario, dx, dy), steps=steps)


def _moved(record: Any, dx: int, dy: int) -> Any:
    """Move all places of a record left and up."""
    kind: Any = type(record)
    fields = set(record.__struct_fields__)
    changed: dict[str, Any] = {}
    if {"x", "y"} <= fields and record.x >= 0:
        changed = {"x": record.x - dx, "y": record.y - dy}
    for name in record.__struct_fields__:
        now = getattr(record, name)
        if isinstance(now, Record):
            changed[name] = _moved(now, dx, dy)
        elif isinstance(now, tuple) and now:
            changed[name] = _moved_list(now, hints(kind)[name], dx, dy)
    return replace(record, **changed) if changed else record


def _moved_list(now: tuple[Any, ...], hint: Any, dx: int, dy: int) -> Any:
    kinds = [one for one in (hint, *typing.get_args(hint)) if typing.get_origin(one) is tuple]
    for kind in kinds:
        if typing.get_args(kind) == (int, int):
            if all(isinstance(one, int) for one in now):
                return (now[0] - dx, now[1] - dy)
            return tuple((x - dx, y - dy) for x, y in now)
    return tuple(_moved(one, dx, dy) if isinstance(one, Record) else one for one in now)
