"""Reductions of the land of a case: maps that are rows of signs, made plain or smaller."""

from __future__ import annotations

import typing
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from engine.core.record import Record, Scenario, replace
from engine.debug.cases import Case
from engine.debug.paths import Path, put
from engine.debug.scenario_tree import hints, own_details, records

_SMALLEST: Final = 3
"""Rows and columns that a map keeps; a narrower one is no map of any game."""


class Cell(NamedTuple):
    """A square of a map that is written as rows of signs."""

    rows: Path
    x: int
    y: int
    sign: str


def grids(scenario: Scenario) -> dict[Path, tuple[str, ...]]:
    """The maps of a position that are written as rows of signs, a sign for each square."""
    found = _all_grids(scenario)
    height = max((len(rows) for rows in found.values()), default=0)
    width = min((len(rows[0]) for rows in found.values() if len(rows) == height), default=0)
    return {path: rows for path, rows in found.items() if _size(rows) == (width, height)}


def _all_grids(scenario: Scenario) -> dict[Path, tuple[str, ...]]:
    found: dict[Path, tuple[str, ...]] = {}
    for path, record in records(scenario):
        if path and isinstance(path[-1], int):
            continue
        for name in record.__struct_fields__:
            rows = getattr(record, name)
            if _is_grid(rows):
                found[(*path, name)] = rows
    return found


def _size(rows: Sequence[str]) -> tuple[int, int]:
    return len(rows[0]), len(rows)


def without_pictures(scenario: Scenario) -> Any:
    """A position without rows of signs that go along with its maps, such as pictures of squares."""
    maps, made = grids(scenario), scenario
    pictures = [path for path in _all_grids(scenario) if path not in maps]
    for path, record in records(scenario):
        for name, default in own_details(record):
            if (*path, name) in pictures and default == ():
                made = put(made, (*path, name), default)
    return made


def _is_grid(rows: Any) -> bool:
    if not isinstance(rows, tuple) or len(rows) < _SMALLEST or not isinstance(rows[0], str):
        return False
    width = len(rows[0])
    return width >= _SMALLEST and all(isinstance(row, str) and len(row) == width for row in rows)


def commonest(rows: Sequence[str]) -> str:
    """The sign that a map has most of; of several the first in the order of signs."""
    counts = Counter("".join(rows))
    return min(counts, key=lambda sign: (-counts[sign], sign))


def levelled(scenario: Any, gone: Iterable[Any]) -> Any:
    """A position whose maps have the commonest sign where removed rows stood.

    A row may cover the squares to the right of it and below that have the same sign.
    """
    places = [found for row in gone if (found := _place(row)) is not None]
    scenario = without_pictures(scenario)
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


def _place(row: Any) -> tuple[int, int] | None:
    fields = row.__struct_fields__ if isinstance(row, Record) else ()
    return (row.x, row.y) if "x" in fields and "y" in fields else None


def _sign(rows: Sequence[str], x: int, y: int) -> str:
    return rows[y][x] if 0 <= y < len(rows) and 0 <= x < len(rows[y]) else ""


def _painted(rows: Sequence[str], cells: Iterable[tuple[int, int]], sign: str) -> tuple[str, ...]:
    made = [list(row) for row in rows]
    for x, y in cells:
        if _sign(rows, x, y):
            made[y][x] = sign
    return tuple("".join(row) for row in made)


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
    scenario = without_pictures(case.scenario)
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
    scenario = without_pictures(case.scenario)
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
