"""Reductions of a case to a part of its land."""

from __future__ import annotations

import typing
from collections.abc import Iterator, Mapping
from typing import Any

from engine.core.record import Record, replace
from engine.debug.cases import Case
from engine.debug.land import SMALLEST, grids, place_of, without_pictures
from engine.debug.paths import Path, put, value
from engine.debug.reductions import without_rows
from engine.debug.scenario_tree import hints, rows_of


def crops(case: Case) -> Iterator[Case]:
    """A case with less land: right, below, left and above, half of it first, then less.

    What stands on the land that goes, goes too.
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
    """A case without the rows that stand on land that goes."""
    gone = []
    for row in rows_of(case.scenario):
        place = place_of(value(case.scenario, row.path))
        at = (place[0] if across else place[1]) if place is not None else None
        if at is not None and (at >= size - amount if behind else 0 <= at < amount):
            gone.append(row)
    yield from (without_rows(case, gone) if gone else [case])


def _cropped(
    case: Case, maps: Mapping[Path, tuple[str, ...]], amount: int, *, across: bool, behind: bool
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
    """A record whose places all are further left and up."""
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
