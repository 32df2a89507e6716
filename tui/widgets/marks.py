"""Marks by drawn cell at every zoom; one mark is chosen if several are on a cell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from itertools import product
from typing import Final, TypeAlias

from engine.core.record import replace
from engine.tabletop.board import Board, BoardMark
from engine.tabletop.roles import MarkSign

DrawnCell: TypeAlias = tuple[int, int]
"""Column and row of a drawn cell, which may represent several cells or a part of one."""

_RANKS: Final = {sign: rank for rank, sign in enumerate([
    MarkSign.IDLE, MarkSign.REACH, MarkSign.STRIKE, MarkSign.DANGER, MarkSign.PATH,
    MarkSign.TARGET, MarkSign.HELD,
])}  # fmt: skip
"""Rank of each sign; of several marks on a cell the one with the highest rank is shown."""

_ONE_TO_ONE: Final = ((1, 1), (1, 1))


def loudest(board: Board | None, marks: Iterable[BoardMark]) -> dict[DrawnCell, BoardMark]:
    """Return the mark of the highest rank for each drawn cell of a board."""
    shown: dict[DrawnCell, BoardMark] = {}
    (own, usual), (own_down, usual_down) = board.spans if board else _ONE_TO_ONE
    for mark in marks:
        at = (mark.x * own // usual, mark.y * own_down // usual_down)
        here = shown.get(at)
        if here is None or _rank(here, board) <= _rank(mark, board):
            shown[at] = mark
    if board is not None and (own > usual or own_down > usual_down):
        _fill_gaps(board, shown)
        _fill_places(board, shown)
    if board is not None and board.narrow:
        _spread_texts(board, shown)
    return shown


def _rank(mark: BoardMark, board: Board | None) -> int:
    """Return the rank of a mark; on boards of narrow cells a text outranks the frame of a place."""
    is_text = board is not None and board.narrow and mark.sign is MarkSign.PATH and mark.text[1:]
    return len(_RANKS) if is_text else _RANKS[mark.sign]


def _spread_texts(board: Board, shown: dict[DrawnCell, BoardMark]) -> None:
    """Write texts of a path that are longer than a cell into the cells to the right."""
    long = [(at, one) for at, one in shown.items() if one.sign is MarkSign.PATH and one.text[1:]]
    for (x, y), mark in long:
        for column, character in enumerate(mark.text[: board.width - x], x):
            shown[column, y] = replace(mark, text=character, short="")


def _fill_gaps(board: Board, shown: dict[DrawnCell, BoardMark]) -> None:
    """Lay marks without text on the other drawn cells that represent the same cells.

    Areas are filled; lines, such as the frame of a place, stay lines and as thin as borders are.
    """
    signs: dict[MarkSign, set[DrawnCell]] = {}
    for mark in shown.values():
        signs.setdefault(mark.sign, set()).add((mark.x, mark.y))
    for mark in list(shown.values()):
        if board.narrow and mark.text[1:]:
            continue
        plain = replace(mark, text="", short="")
        for at in _stands_for(board, mark, signs[mark.sign]):
            shown.setdefault(at, plain)


def _fill_places(board: Board, shown: dict[DrawnCell, BoardMark]) -> None:
    """Extend an area that covers most of a place to all of it below its first row, the name.

    Borders grow with a board, so its cells are not as evenly spaced as those of the default zoom.
    """
    for place in board.places:
        mark = shown.get((place.x + place.width // 2, place.y + place.height - 1))
        if mark is None or mark.sign is MarkSign.PATH:
            continue
        across = range(place.x, place.x + place.width)
        down = range(place.y + 1, place.y + place.height)
        inside = list(product(across, down))
        covered = sum(at in shown and shown[at].sign is mark.sign for at in inside)
        if 2 * covered > len(inside):
            plain = replace(mark, text="", short="")
            for at in inside:
                shown.setdefault(at, plain)


def _stands_for(board: Board, mark: BoardMark, alike: Set[DrawnCell]) -> Iterator[DrawnCell]:
    """Yield the drawn cells of a mark, given the cells with the same sign."""
    (own, usual), (own_down, usual_down) = board.spans
    left, top = mark.x * own // usual, mark.y * own_down // usual_down
    across = range(left, max(left + 1, (mark.x + 1) * own // usual))
    down = range(top, max(top + 1, (mark.y + 1) * own_down // usual_down))
    x, y = mark.x, mark.y
    beside, below = (x + 1, y) in alike, (x, y + 1) in alike
    is_alone = not (beside or below or (x - 1, y) in alike or (x, y - 1) in alike)
    # A line that continues only across a corner would have a gap there.
    beside |= any((x + 1, y + dy) in alike and (x, y + dy) not in alike for dy in (-1, 1))
    if is_alone or _is_of_area((x, y), alike):
        yield from product(across, down)
        return
    if beside:
        yield from ((column, top) for column in across)
    if below:
        yield from ((left, row) for row in down)


def _is_of_area(at: DrawnCell, alike: Set[DrawnCell]) -> bool:
    """Return whether a cell is one of four in a square."""
    x, y = at
    return any(
        {(x + dx, y), (x, y + dy), (x + dx, y + dy)} <= alike for dx in (-1, 1) for dy in (-1, 1)
    )
