"""The worth of territories, before anything is tried out."""

from __future__ import annotations

from engine.rulesets.gd6.bot.board import Board
from engine.rulesets.gd6.bot.style import Style
from engine.rulesets.gd6.state import NOBODY

LAND = 10
"""Worth of a plain territory; all other worths are measured by it."""


def value(board: Board, at: int, seat: int, style: Style) -> int:
    """What taking a territory is worth to a seat, in tenths of a plain territory."""
    worth = LAND
    if board.hq[at]:
        worth += style.hq
    if board.construct[at] == "library":
        worth += style.library
    owner = board.owner[at]
    for other in board.geo.near[at]:
        if board.owner[other] == NOBODY:
            worth += 5
        elif board.owner[other] == seat:
            worth += 2
    if owner not in (NOBODY, seat):
        worth += style.rival
        if board.construct[at] == "bivouac":
            worth += style.bivouac
        if owner == style.grudge:
            worth += worth // 2
    if board.wasteland[at]:
        worth //= 2
    return worth
