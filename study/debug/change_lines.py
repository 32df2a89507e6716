"""Changed values as answers: fields with old and new value, cells of planes together, the board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, islice
from typing import Any, Final

import numpy as np

from engine.core.codec import encode_json, plain
from engine.core.containers import Plane, Roster
from engine.core.record import Record
from engine.debug.difference import Difference, differences, is_there
from engine.debug.paths import MISSING, PathKey, StatePath, write
from engine.tabletop.board import Board
from engine.tabletop.english import many
from engine.tabletop.presenter import AnyPresenter
from study.debug.debugger import Answer

_LONGEST: Final = 60
"""Maximum characters of a value in a line."""

_CELLS: Final = 6
"""Maximum cells of a plane in a line; the others are counted."""

_PARTS: Final = 6
"""Maximum parts of a value in a line."""

_COLUMNS, _ROWS = 34, 14
"""Maximum cells of an excerpt of a board; two of them fit side by side into 80 columns."""


def value_text(value: Any) -> str:
    """Return a value in a few words: numbers and texts unchanged, records as JSON, clipped."""
    if not is_there(value):
        return "nothing"
    if isinstance(value, Plane):
        return f"{value.width}x{value.height} cells"
    if isinstance(value, Roster):
        return many(len(value), "record")
    if isinstance(value, str):
        text = value if value and " " not in value else f'"{value}"'
    elif isinstance(value, Record | tuple):
        text = encode_json(value).decode()
    else:
        text = str(value)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


def value_data(value: Any) -> Any:
    """Return a value as JSON data; a missing value is None."""
    return plain_json(value) if is_there(value) else None


def plain_json(value: Any) -> Any:
    """Return a value as plain data; planes become lists of rows."""
    if isinstance(value, Plane):
        return value.cells.tolist()
    return plain(value) if isinstance(value, Record) else value


def change_lines(found: Sequence[Difference], place: str) -> Iterator[Answer]:
    """Yield a line for each record or value that differs; cells of a plane share a line.

    ``place`` is the place of the change in each answer.
    """
    for (path, kind), group in groupby(found, key=_group_of):
        rows = list(group)
        match kind:
            case "cells":
                yield _cells_line(path, rows, place)
            case "fields":
                yield _fields_line(path, rows, place)
            case _:
                yield _line(rows[0], place)


def _group_of(one: Difference) -> tuple[StatePath, str]:
    """Return the path by which differences are grouped, and its kind: plane, record or value."""
    above, key = one.path[:-1], one.path[-1] if one.path else ""
    if isinstance(key, tuple):
        return above, "cells"
    is_field = isinstance(key, str) and bool(above) and isinstance(above[-1], int)
    return (above, "fields") if is_field else (one.path, "value")


def _line(one: Difference, place: str) -> Answer:
    data = {"path": one.text, "old": value_data(one.old), "new": value_data(one.new)}
    return Answer(f"    {one.text}  {change_text(one.old, one.new)}", place, data)


def change_text(old: Any, new: Any) -> str:
    """Return the old and the new value in a few words."""
    if old is MISSING:
        return f"made: {value_text(new)}"
    if new is MISSING:
        return f"gone: {value_text(old)}"
    return f"{value_text(old)} -> {value_text(new)}"


def parts_text(old: Any, new: Any) -> str:
    """Return the changed parts of a record, roster or plane, old and new, or the whole value."""
    if type(old) is not type(new) or not isinstance(old, Record | Roster | Plane):
        return change_text(old, new)
    found = list(islice(differences(old, new), _PARTS + 1))
    told = [f"{one.text} {change_text(one.old, one.new)}" for one in found[:_PARTS]]
    return ", ".join(told) + (", ..." if len(found) > _PARTS else "")


def _fields_line(path: StatePath, fields: Sequence[Difference], place: str) -> Answer:
    told = [f"{one.path[-1]} {change_text(one.old, one.new)}" for one in fields]
    rows = [[one.path[-1], value_data(one.old), value_data(one.new)] for one in fields]
    data = {"path": write(path), "fields": rows}
    return Answer(f"    {write(path)}  {', '.join(told)}", place, data)


def _cells_line(path: StatePath, cells: Sequence[Difference], place: str) -> Answer:
    shown = [f"{_cell(one.path[-1])} {one.old} -> {one.new}" for one in cells[:_CELLS]]
    more = f", and {len(cells) - _CELLS} more" if len(cells) > _CELLS else ""
    count = many(len(cells), "cell")
    rows = [[*_xy(one.path[-1]), one.old, one.new] for one in cells]
    data = {"path": write(path), "cells": rows}
    return Answer(f"    {write(path)}  {count}: {', '.join(shown)}{more}", place, data)


def _xy(key: PathKey) -> tuple[int, int]:
    return key if isinstance(key, tuple) else (0, 0)


def _cell(key: PathKey) -> str:
    return write((key,))


# -- the board -------------------------------------------------------------------------------------


def board_lines(presenter: AnyPresenter, one: Any, other: Any) -> Iterator[str]:
    """Yield excerpts of two boards side by side, around their differences; none if equal.

    Args:
        presenter: presenter of the game.
        one: view on the left.
        other: view on the right.
    """
    boards = [presenter.board(view, presenter.zooms[0]) for view in (one, other)]
    left, right = boards
    if left.ground.cells.shape != right.ground.cells.shape:
        return
    changed = (left.ground.cells != right.ground.cells) | (left.piece.cells != right.piece.cells)
    changed |= left.owner.cells != right.owner.cells
    if not changed.any():
        return
    across, down = _window(changed, 1, _COLUMNS), _window(changed, 0, _ROWS)
    count = many(int(changed.sum()), "cell")
    yield f"    board, {count} differ: from {across[0]},{down[0]}"
    for y in down:
        rows = [_row(board, presenter, across, y) for board in boards]
        yield f"    {rows[0]}    {rows[1]}".rstrip()


def _window(changed: Any, axis: int, most: int) -> range:
    """Return the columns (axis 1) or rows (axis 0) of the first changes, with a margin of one."""
    at = np.flatnonzero(changed.any(axis=1 - axis))
    first = max(0, int(at[0]) - 1)
    return range(first, min(int(at[-1]) + 2, first + most, changed.shape[axis]))


def _row(board: Board, presenter: AnyPresenter, across: range, y: int) -> str:
    """Return a row of an excerpt, in ASCII: pieces over the ground."""
    return "".join(presenter.symbols[board.piece[y, x] or board.ground[y, x]].ascii for x in across)
