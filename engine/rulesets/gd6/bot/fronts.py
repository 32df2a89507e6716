"""Where own units are wanted: at the borders, most where something can be won or lost."""

from __future__ import annotations

from engine.rulesets.gd6.bot.board import Board
from engine.rulesets.gd6.bot.marching import March
from engine.rulesets.gd6.forces import speeds
from engine.rulesets.gd6.orders import UNITS
from engine.rulesets.gd6.state import NOBODY

SLOPE = 12
"""How much less a place pulls for every border it is away."""

NOWHERE = -10_000
"""The pull of places from which no border can be reached."""


def pulls(board: Board, seat: int, worth: list[int]) -> list[int]:
    """How much units are drawn to each own territory, over own land."""
    field = [NOWHERE] * (board.geo.size + 1)
    lands = board.lands(seat)
    for at in lands:
        foreign = [other for other in board.geo.near[at] if board.owner[other] != seat]
        if foreign:
            field[at] = _pull(board, seat, at, max(worth[other] for other in foreign))
    wave = sorted((at for at in lands if field[at] > NOWHERE), key=lambda at: (-field[at], at))
    while wave:
        risen: list[int] = []
        for at in wave:
            for other in board.geo.near[at]:
                if board.owner[other] == seat and field[other] < field[at] - SLOPE:
                    field[other] = field[at] - SLOPE
                    risen.append(other)
        wave = risen
    return field


def _pull(board: Board, seat: int, at: int, best: int) -> int:
    """The pull of a border territory by itself."""
    pull = best + 2 * min(10, sum(board.units[at]))
    if any(board.owner[other] not in (NOBODY, seat) for other in board.geo.near[at]):
        pull += 20
    if board.hq[at]:
        pull += 4 * max(0, min(10, board.threat(seat, at) - board.health(at)))
    return pull


def rally(march: March) -> None:
    """Send what is left to where it is wanted. Rules: GD-MOVE-1, GD-MOVE-2."""
    board = march.board
    field = pulls(board, march.seat, march.worth)
    for at, units in march.free.items():
        for unit in range(len(UNITS)):
            if units[unit]:
                path = _uphill(board, march.seat, field, at, speeds()[unit])
                if len(path) > 1:
                    march.take(path, unit, units[unit])


def _uphill(board: Board, seat: int, field: list[int], start: int, steps: int) -> tuple[int, ...]:
    path = [start]
    for _ in range(steps):
        here = path[-1]
        own = [other for other in board.geo.near[here] if board.owner[other] == seat]
        best = max(own, key=lambda other: (field[other], -other), default=here)
        if field[best] <= field[here]:
            break
        path.append(best)
    return tuple(path)
