"""How good a position is for each seat, in whole numbers; ten make an army."""

from __future__ import annotations

from typing import Final

from engine.core.record import Record
from engine.rulesets.gd6.bot.board import Board
from engine.rulesets.gd6.state import State

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
    """The merit of each seat when a turn has been opened; 0 of one that is out."""
    board = Board(state)
    turns = min(HORIZON, board.turns_left + 1)
    found = dict.fromkeys(state.players, 0)
    for seat in state.winners:
        found[seat] = VICTORY // len(state.winners)
    if state.reason:
        return found
    for seat in board.seats:
        lands = board.lands(seat)
        found[seat] = sum(_held(board, at, seat, turns, weights) for at in lands)
        if any(board.hq[at] for at in lands):
            found[seat] += weights.home * turns // HORIZON
    return found


def _held(board: Board, at: int, seat: int, turns: int, weights: Weights) -> int:
    """What a territory and the units on it are worth to its owner."""
    income = weights.land_income
    worth = weights.land
    if board.hq[at]:
        worth += weights.hq
        income += weights.hq_income
    if board.construct[at] == "library":
        income += weights.library
    elif board.construct[at] == "bivouac" and not board.wasteland[at]:
        income += weights.bivouac
    if board.wasteland[at]:
        income //= 2
    worth += income * turns // HORIZON
    if income > weights.land_income:
        worth -= _risk(board, at, seat, worth) * weights.risk // 100
    return worth + weights.army * board.health(at)


def _risk(board: Board, at: int, seat: int, worth: int) -> int:
    """What is lost if the strongest rival in reach comes here."""
    spare = board.threat(seat, at) - board.price(at)
    return worth * min(4, spare) // 4 if spare > 0 else 0


def standing(found: dict[int, int], seat: int) -> int:
    """What the merits come to for one seat: its own against the others' mean and best."""
    others = [merit for other, merit in found.items() if other != seat]
    own = found.get(seat, 0)
    if not others:
        return 2 * own
    return 2 * own - sum(others) // len(others) - max(others)
