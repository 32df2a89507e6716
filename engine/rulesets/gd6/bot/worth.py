"""What territories are worth and where danger is, before anything is tried out."""

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


def reach(board: Board, seat: int, at: int) -> int:
    """What a seat could bring to a territory within two borders."""
    return sum(
        board.strike(other) for other in board.geo.within[at][2] if board.owner[other] == seat
    )


def threat(board: Board, seat: int, at: int) -> int:
    """The strongest that a single rival of the seat could bring to a territory."""
    found: dict[int, int] = {}
    owner = board.owner
    for other in board.geo.within[at][2]:
        rival = owner[other]
        if rival not in (NOBODY, seat):
            found[rival] = found.get(rival, 0) + board.strike(other)
    return max(found.values(), default=0)


def is_contested(board: Board, seat: int, at: int) -> bool:
    """Whether some rival has units within two borders."""
    owner = board.owner
    return any(
        owner[other] not in (NOBODY, seat) and board.strike(other)
        for other in board.geo.within[at][2]
    )
