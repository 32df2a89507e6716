"""How good a position is for each seat, in whole numbers; ten make an army."""

from __future__ import annotations

from typing import Final

from engine.core.record import Record
from engine.rulesets.gd6.bot.board import Board
from engine.rulesets.gd6.state import NOBODY, State

HORIZON: Final = 8
"""Turns for which income is reckoned."""

VICTORY: Final = 100_000


class Weights(Record, frozen=True):
    """Worth in tenths of an army; of what brings income, for the whole horizon."""

    army: int = 10
    land: int = 15
    land_income: int = 30
    hq: int = 20
    hq_income: int = 90
    home: int = 120
    """Having a headquarters at all."""
    library: int = 30
    bivouac: int = 70
    risk: int = 40
    """Percent of what can be taken that is reckoned as lost."""


WEIGHTS: Final = Weights()


def merits(state: State, weights: Weights = WEIGHTS) -> dict[int, int]:
    """The merit of each seat that still plays, when a turn has been opened."""
    board = Board(state)
    turns = min(HORIZON, board.turns_left + 1)
    found = dict.fromkeys(board.seats, 0)
    for seat in state.winners:
        found[seat] = VICTORY // len(state.winners)
    if state.reason:
        return found
    land = weights.land + weights.land_income * turns // HORIZON
    homes: set[int] = set()
    for at in range(1, board.geo.size + 1):
        seat = board.owner[at]
        if seat not in found:
            continue
        worth = land + _built(board, at, turns, weights)
        if board.hq[at] and seat not in homes:
            worth += weights.home * turns // HORIZON
            homes.add(seat)
        if board.wasteland[at]:
            worth = worth * 2 // 3
        found[seat] += worth + weights.army * board.health(at)
        if worth > land:
            found[seat] -= _risk(board, at, seat, worth) * weights.risk // 100
    return found


def _built(board: Board, at: int, turns: int, weights: Weights) -> int:
    """The worth of what stands on a territory."""
    incomes = {"library": weights.library, "bivouac": weights.bivouac}
    worth = incomes.get(board.construct[at] or "", 0) * turns // HORIZON
    if board.hq[at]:
        worth += weights.hq + weights.hq_income * turns // HORIZON
    return worth


def _risk(board: Board, at: int, seat: int, worth: int) -> int:
    """What is lost if the strongest rival in reach comes here."""
    forces: dict[int, int] = {}
    owner = board.owner
    for other in board.geo.within[at][2]:
        rival = owner[other]
        if rival not in (NOBODY, seat):
            forces[rival] = forces.get(rival, 0) + board.strike(other)
    spare = max(forces.values(), default=0) - board.price(at)
    return worth * min(4, spare) // 4 if spare > 0 else 0


def standing(found: dict[int, int], seat: int) -> int:
    """What the merits come to for one seat: its own against the others' mean and best."""
    others = [merit for other, merit in found.items() if other != seat]
    own = found.get(seat, 0)
    if not others:
        return 2 * own
    return 2 * own - sum(others) // len(others) - max(others)
