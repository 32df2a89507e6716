"""Planes of a map as rows of text in scenario files, and back.

Terrain and roads have one sign for each tile, numbers two hexadecimal digits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from engine.core.containers import Plane
from engine.core.ruleset import ScenarioFault
from engine.kit.fields import Numbers

ROAD: Final = "+"
"""Sign of a road in the rows of roads; every other tile there is BARE."""

BARE: Final = "."


class RowRules(NamedTuple):
    """Rule ids for faults of rows: the size of maps, and the signs of terrain."""

    size: str
    sign: str


def plane_of(
    rows: Sequence[str],
    field: str,
    known: Mapping[str, int],
    rules: RowRules,
    size: tuple[int, int] | None = None,
) -> Plane:
    """Convert rows of signs to a plane, uint8 of shape (height, width).

    Args:
        rows: The rows of the scenario.
        field: The name of the field, for faults.
        known: The number of each sign.
        rules: The rule ids for faults.
        size: The required number of columns and rows; None accepts any.

    Raises:
        ScenarioFault: The rows differ in size, do not fit ``size``, or contain an unknown sign.
    """
    width = size[0] if size else len(rows[0]) if rows else 0
    if not width or (size and len(rows) != size[1]):
        text = f"{len(rows)} rows, the map has {size[1]}" if size else "there are no rows"
        raise ScenarioFault(field, text, rules.size)
    values = []
    for number, row in enumerate(rows):
        if len(row) != width:
            text = f"{len(row)} tiles wide, not {width}"
            raise ScenarioFault(f"{field}[{number}]", text, rules.size)
        strange = next((sign for sign in row if sign not in known), None)
        if strange is not None:
            text = f"the sign {strange!r} is none of {''.join(known)!r}"
            raise ScenarioFault(f"{field}[{number}]", text, rules.sign)
        values.append([known[sign] for sign in row])
    return Plane(np.array(values, dtype=np.uint8))


def road_plane(rows: Sequence[str], rules: RowRules, size: tuple[int, int]) -> Plane:
    """Convert rows of roads to a plane of 0 and 1; without rows, it is all 0.

    Raises:
        ScenarioFault: The rows do not fit ``size``, or contain an unknown sign.
    """
    if not rows:
        return Plane(np.zeros((size[1], size[0]), dtype=np.uint8))
    return plane_of(rows, "roads", {BARE: 0, ROAD: 1}, rules, size)


def numbers_of(rows: Sequence[str], field: str, size: tuple[int, int], rule: str) -> Plane:
    """Convert rows of two hexadecimal digits for each tile to a plane of uint8.

    Raises:
        ScenarioFault: The rows do not fit the map, or contain other signs.
    """
    width, height = size
    if len(rows) != height:
        raise ScenarioFault(field, f"{len(rows)} rows, the map has {height}", rule)
    data = b"".join(
        hex_bytes(row, f"{field}[{number}]", width, rule) for number, row in enumerate(rows)
    )
    return Plane(np.frombuffer(data, dtype=np.uint8).reshape(height, width))


def hex_bytes(text: str, place: str, count: int, rule: str) -> bytes:
    """Parse ``count`` bytes that are written with two hexadecimal digits each.

    Raises:
        ScenarioFault: The text has another length, or contains other signs.
    """
    if len(text) != 2 * count:
        raise ScenarioFault(place, f"{len(text)} hexadecimal digits, not {2 * count}", rule)
    try:
        return bytes(int(text[at : at + 2], 16) for at in range(0, len(text), 2))
    except ValueError:
        raise ScenarioFault(place, "not all are hexadecimal digits", rule) from None


def hex_rows(plane: Plane) -> tuple[str, ...]:
    """Convert a plane to rows of hexadecimal digits; the inverse of ``numbers_of``."""
    return tuple(bytes(row.tolist()).hex() for row in plane.cells)


def rows_of(cells: Numbers, letters: str) -> tuple[str, ...]:
    """Convert cells to rows of signs; ``letters`` are the signs of the numbers from 0."""
    return tuple("".join(letters[code] for code in row) for row in cells.tolist())


def road_rows(roads: Plane) -> tuple[str, ...]:
    """Convert roads to rows of signs, or to () if the map has no road."""
    return rows_of(roads.cells, BARE + ROAD) if roads.cells.any() else ()
