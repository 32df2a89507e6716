"""A game played on in one's head: both sides' plans on a light board, for search."""

from __future__ import annotations

from collections.abc import Callable

from engine.rulesets.weltendaemmerung.bot.attacking import volley
from engine.rulesets.weltendaemmerung.bot.board import Board
from engine.rulesets.weltendaemmerung.bot.gatework import gate_work
from engine.rulesets.weltendaemmerung.bot.kinds import KINDS
from engine.rulesets.weltendaemmerung.bot.moving_dailor import March, dailor_marches
from engine.rulesets.weltendaemmerung.bot.moving_eldoin import eldoin_marches
from engine.rulesets.weltendaemmerung.bot.numbers import WORTH
from engine.rulesets.weltendaemmerung.bot.situation import Situation
from engine.rulesets.weltendaemmerung.bot.style import Style
from engine.rulesets.weltendaemmerung.state import ATTACK, DAILOR, ELDOIN, MOVE

VICTORY = 5000.0
"""What a won game is worth; a round earlier is worth a little more."""

DOORSTEP = 800.0
"""What a unit is worth that could step onto the west edge, were nobody in its way."""


def marches(sit: Situation, style: Style) -> list[March]:
    """The moves of the side to play, made on the board; a step onto the edge wins."""
    board = sit.board
    if board.player == ELDOIN:
        return eldoin_marches(sit, style)
    made = dailor_marches(sit, style)
    if sit.edge_wins and any(x == 0 for x, _ in (one.path[-1] for one in made)):
        board.winner = DAILOR
    return made


def play_phase(board: Board, style: Style, roll: Callable[[], int]) -> None:
    """One phase of the side to play, and its end."""
    sit = Situation(board)
    if board.phase == MOVE:
        marches(sit, style)
    elif board.phase == ATTACK:
        volley(sit, board.player, style, roll)
    else:
        for tile in gate_work(sit, board.player):
            board.work(tile, board.player)
    if board.winner < 0:
        board.end_phase()


def play_on(
    board: Board, styles: tuple[Style, Style], rounds: int, roll: Callable[[], int]
) -> None:
    """Play until so many rounds are finished, or the game is."""
    last = board.completed + rounds
    while board.winner < 0 and board.completed < last:
        play_phase(board, styles[board.player], roll)


def worth_of(board: Board) -> float:
    """How good a position is for Dailor: units and what they can still do, or the victory."""
    if board.winner >= 0:
        sign = 1 if board.winner == DAILOR else -1
        return sign * (VICTORY + 20.0 * (board.rounds - board.completed))
    sit = Situation(board)
    left = max(1, board.rounds - board.completed)
    worth = 0.0
    for slot in sit.eldoin:
        kind = board.kind[slot]
        if slot != sit.commander:
            worth -= WORTH[kind] * (0.5 + 0.5 * board.v[slot] / KINDS[kind].life)
        else:
            worth -= 10.0 * board.v[slot]
    for slot in sit.dailor:
        kind = board.kind[slot]
        rounds = sit.to_goal(kind)[board.at[slot]] / board.b_max[slot]
        use = max(0.2, 1.0 - 0.6 * min(1.0, rounds / left))
        worth += WORTH[kind] * (0.5 + 0.5 * board.v[slot] / KINDS[kind].life) * (0.5 + use)
        if sit.edge_wins and sit.to_edge(kind)[board.at[slot]] <= board.b_max[slot]:
            worth += DOORSTEP
    return worth
