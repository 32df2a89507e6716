"""Reductions of the land of a case: maps of rows of signs, made plainer or smaller."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from engine.core.record import Record, Scenario, replace
from engine.debug.cases import Case
from engine.debug.paths import StatePath, put
from engine.debug.scenario_tree import own_details, records

SMALLEST: Final = 3
"""Minimum rows and columns of a map; no game has a narrower one."""


class Cell(NamedTuple):
    """A square of a map that is written as rows of signs."""

    rows: StatePath
    x: int
    y: int
    sign: str


def grids(scenario: Scenario) -> dict[StatePath, tuple[str, ...]]:
    """Return the maps of a position that are rows of signs, one sign per square, by path."""
    found = _all_grids(scenario)
    height = max((len(rows) for rows in found.values()), default=0)
    width = min((len(rows[0]) for rows in found.values() if len(rows) == height), default=0)
    return {path: rows for path, rows in found.items() if _size(rows) == (width, height)}


def _all_grids(scenario: Scenario) -> dict[StatePath, tuple[str, ...]]:
    found: dict[StatePath, tuple[str, ...]] = {}
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
    """Return a position without other rows of signs, such as pictures of the squares."""
    maps, made = grids(scenario), scenario
    pictures = [path for path in _all_grids(scenario) if path not in maps]
    for path, record in records(scenario):
        for name, default in own_details(record):
            if (*path, name) in pictures and default == ():
                made = put(made, (*path, name), default)
    return made


def _is_grid(rows: Any) -> bool:
    if not isinstance(rows, tuple) or len(rows) < SMALLEST or not isinstance(rows[0], str):
        return False
    width = len(rows[0])
    return width >= SMALLEST and all(isinstance(row, str) and len(row) == width for row in rows)


def commonest(rows: Sequence[str]) -> str:
    """Return the most frequent sign of a map; among equals the first in the order of signs."""
    counts = Counter("".join(rows))
    return min(counts, key=lambda sign: (-counts[sign], sign))


def levelled(scenario: Any, gone: Iterable[Any]) -> Any:
    """Return a position whose maps have the most frequent sign in place of removed rows.

    A row may cover the squares to the right of it and below that have the same sign.
    """
    places = [found for row in gone if (found := place_of(row)) is not None]
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


def place_of(row: Any) -> tuple[int, int] | None:
    """Return the square of a row as (x, y), or None if it has none."""
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
    """Return the squares of the maps whose sign is not the most frequent one."""
    return [
        Cell(path, x, y, common)
        for path, rows in grids(scenario).items()
        if (common := commonest(rows))
        for y, row in enumerate(rows)
        for x, sign in enumerate(row)
        if sign != common
    ]


def without_cells(case: Case, gone: Sequence[Cell]) -> Iterator[Case]:
    """Yield a case with the given squares of its maps made plain."""
    scenario = without_pictures(case.scenario)
    for path, rows in grids(scenario).items():
        of_this = [cell for cell in gone if cell.rows == path]
        if of_this:
            cells = [(cell.x, cell.y) for cell in of_this]
            scenario = put(scenario, path, _painted(rows, cells, of_this[0].sign))
    yield replace(case, scenario=scenario)
