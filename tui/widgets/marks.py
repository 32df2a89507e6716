"""Marks by drawn cell: the one that is shown where several lie, at every zoom."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

from engine.core.record import replace
from engine.tabletop.board import Board, BoardMark
from engine.tabletop.roles import MarkSign

DrawnCell: TypeAlias = tuple[int, int]
"""Column and row of a cell as it is drawn, which may stand for several or for a part of one."""

_RANKS: Final = {sign: rank for rank, sign in enumerate([
    MarkSign.IDLE, MarkSign.REACH, MarkSign.STRIKE, MarkSign.DANGER, MarkSign.PATH,
    MarkSign.TARGET, MarkSign.HELD,
])}  # fmt: skip
"""Rank of signs where several marks lie on one cell; the highest is shown."""

_ONE_TO_ONE: Final = ((1, 1), (1, 1))


def loudest(board: Board | None, marks: Iterable[BoardMark]) -> dict[DrawnCell, BoardMark]:
    """One mark for each drawn cell of a board: the one of the highest rank."""
    shown: dict[DrawnCell, BoardMark] = {}
    (own, usual), (own_down, usual_down) = board.spans if board else _ONE_TO_ONE
    for mark in marks:
        at = (mark.x * own // usual, mark.y * own_down // usual_down)
        here = shown.get(at)
        if here is None or _RANKS[here.sign] <= _RANKS[mark.sign]:
            shown[at] = mark
    if board is not None and (own > usual or own_down > usual_down):
        _fill_gaps(board, shown)
    return shown


def _fill_gaps(board: Board, shown: dict[DrawnCell, BoardMark]) -> None:
    """Lay marks without text on the further drawn cells that stand for the same cells."""
    (own, usual), (own_down, usual_down) = board.spans
    for mark in list(shown.values()):
        plain = replace(mark, text="", short="")
        right, low = -(-(mark.x + 1) * own // usual), -(-(mark.y + 1) * own_down // usual_down)
        for y in range(mark.y * own_down // usual_down, low):
            for x in range(mark.x * own // usual, right):
                if board.unzoomed(x, y) == (mark.x, mark.y):
                    shown.setdefault((x, y), plain)
