"""Levels of the computer players: a plan for the rest of a phase.

The hard level simulates several postures for some rounds and takes the best.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engine.core.dice import Dice
from engine.core.ruleset import Bot, Offers
from engine.rulesets.weltendaemmerung.bot.attacking import strikes, volley
from engine.rulesets.weltendaemmerung.bot.board import BotBoard, PlannedMove
from engine.rulesets.weltendaemmerung.bot.dailor import dailor_marches, sieges
from engine.rulesets.weltendaemmerung.bot.eldoin import eldoin_marches, gate_work
from engine.rulesets.weltendaemmerung.bot.kinds import PROFILES, SIMPLE, USUAL, WORTH, Posture
from engine.rulesets.weltendaemmerung.bot.situation import Assessment
from engine.rulesets.weltendaemmerung.commands import (
    AnyCommand,
    Attack,
    EndPhase,
    MoveUnit,
    WorkGate,
)
from engine.rulesets.weltendaemmerung.fighting import MODIFIERS
from engine.rulesets.weltendaemmerung.state import ATTACK, DAILOR, ELDOIN, MOVE, View


class PhasePlanner:
    """Computer player with one posture; with ``searches``, with the best posture in each phase."""

    def __init__(self, style: Posture, *, searches: bool = False) -> None:
        """Set the posture, and whether moves are chosen by search."""
        self._style = style
        self._searches = searches

    def plan(
        self,
        view: View,
        offers: Offers[AnyCommand],  # noqa: ARG002 - everything is in the view
        dice: Dice,
    ) -> Sequence[AnyCommand]:
        """Return the commands for the rest of the phase, or its next attacks."""
        board = BotBoard(view)
        if view.phase == MOVE:
            return self._moves(board, dice)
        if view.phase == ATTACK:
            return self._attacks(board)
        sites = gate_work(Assessment(board), view.player)
        return (*(WorkGate(board.place(tile)) for tile in sites), EndPhase())

    def rest(
        self,
        view: View,  # noqa: ARG002 - every phase is ended alike
        offers: Offers[AnyCommand],  # noqa: ARG002 - as above
    ) -> Sequence[AnyCommand]:
        """Return the end of the phase."""
        return (EndPhase(),)

    def _moves(self, board: BotBoard, dice: Dice) -> Sequence[AnyCommand]:
        made = (
            best_marches(board, dice) if self._searches else marches(Assessment(board), self._style)
        )
        return (*(MoveUnit(board.ids[one.slot], one.path) for one in made), EndPhase())

    def _attacks(self, board: BotBoard) -> Sequence[AnyCommand]:
        """Return attacks that cannot be refused; the others are planned once these are decided."""
        sit, side = Assessment(board), board.player
        made: list[AnyCommand] = []
        if side == DAILOR:
            for slot, tile in sieges(sit):
                made.append(Attack(board.ids[slot], board.place(tile)))
                board.b[slot] = 0
        for slot, victim in strikes(sit, side, self._style):
            made.append(Attack(board.ids[slot], board.place(board.at[victim])))
        return made or (EndPhase(),)


LEVELS: Final[Mapping[str, Bot[View, AnyCommand]]] = {
    "easy": PhasePlanner(SIMPLE),
    "normal": PhasePlanner(USUAL),
    "hard": PhasePlanner(USUAL, searches=True),
}


# -- the search for the best posture -----------------------------------------------------


ELDOIN_SMALL: tuple[Posture, ...] = (
    USUAL,
    Posture(home=12.0, leash=4),
    Posture(home=2.0, cover=1.6, caution=0.5),
    Posture(caution=3.0),
    Posture(home=5.0, cover=1.5, reserve=4),
)
"""Eldoin's postures on a board with few units."""

ELDOIN_LARGE: tuple[Posture, ...] = (
    Posture(refuge=0.3, watch=1.8, reserve=5),
    Posture(refuge=0.3, watch=1.8, reserve=5, home=10.0, leash=4),
    Posture(refuge=0.3, watch=1.8, reserve=5, cover=1.6, caution=0.5),
    Posture(refuge=0.3, watch=1.8, reserve=5, caution=3.0),
)
"""Eldoin's postures on a board with many units: the commander goes behind the walls."""

DAILOR_POSTURES: tuple[Posture, ...] = (
    USUAL,
    Posture(courage=0.0),
    Posture(courage=0.3),
    Posture(courage=0.75, caution=1.5),
    Posture(courage=0.5, hunger=1.5, progress=4.0),
    SIMPLE,
)
"""Dailor's postures, which differ mainly in the odds that he demands under fire."""

OPPONENTS = (USUAL, SIMPLE, USUAL)
"""Postures of the opponent in the trials, in turn."""

FEW = 40
"""Maximum number of units on a board for a deep search."""

DEEP, SHALLOW = 6, 2
"""Number of rounds that a trial simulates."""

DOUBT = 200.0
"""Margin by which a later posture of Eldoin must beat the best one on a large board.

He plays for time: his gains appear long after the few rounds of a trial.
"""

VICTORY = 5000.0
"""Worth of a won game; winning a round earlier is worth a little more."""

DOORSTEP = 800.0
"""Worth of a unit that could step onto the west edge if it were not blocked."""


def best_marches(board: BotBoard, dice: Dice) -> list[PlannedMove]:
    """Return the moves of the posture with the best result in the trials.

    The budget is a count: postures times trials times rounds.
    """
    side = board.player
    units = sum(board.alive)
    few = units <= FEW
    rounds, trials = (DEEP, 3) if few else (SHALLOW, 1)
    postures = DAILOR_POSTURES if side == DAILOR else ELDOIN_SMALL if few else ELDOIN_LARGE
    doubt = 0.0 if few or side == DAILOR else DOUBT
    sign = 1 if side == DAILOR else -1
    best: list[PlannedMove] = []
    best_worth = float("-inf")
    tried: list[list[PlannedMove]] = []
    for style in postures:
        trial = board.copy()
        made = marches(Assessment(trial), style)
        if made in tried:
            continue
        tried.append(made)
        if trial.winner < 0:
            trial.end_phase()
        worth = 0.0
        for number in range(trials):
            future = trial.copy()
            foe = OPPONENTS[number % len(OPPONENTS)]
            styles = (foe, style) if side == DAILOR else (style, foe)
            play_on(future, styles, rounds, _rolls(dice, trials))
            worth += sign * worth_of(future) / trials
        if worth > best_worth + doubt:
            best, best_worth = made, worth
    return best


def _rolls(dice: Dice, trials: int) -> Callable[[], int]:
    """Return a source of modifiers; for a single trial it gives the mean. See: WD-RNG-1."""
    if trials == 1:
        return lambda: 2
    return lambda: MODIFIERS[dice.roll(8) - 1]


def marches(sit: Assessment, style: Posture) -> list[PlannedMove]:
    """Make the moves of the side to play on the board, and return them.

    A step onto the west edge wins.
    """
    board = sit.board
    if board.player == ELDOIN:
        return eldoin_marches(sit, style)
    made = dailor_marches(sit, style)
    if sit.edge_wins and any(x == 0 for x, _ in (one.path[-1] for one in made)):
        board.winner = DAILOR
    return made


def play_phase(board: BotBoard, style: Posture, roll: Callable[[], int]) -> None:
    """Play one phase of the side to play, and end it; ``roll`` returns an attack's modifier."""
    sit = Assessment(board)
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
    board: BotBoard, styles: tuple[Posture, Posture], rounds: int, roll: Callable[[], int]
) -> None:
    """Play ``rounds`` rounds, or until the game ends; ``roll`` returns an attack's modifier."""
    last = board.completed + rounds
    while board.winner < 0 and board.completed < last:
        play_phase(board, styles[board.player], roll)


def worth_of(board: BotBoard) -> float:
    """Return the worth of a position for Dailor: the victory, or the units and their prospects."""
    if board.winner >= 0:
        sign = 1 if board.winner == DAILOR else -1
        return sign * (VICTORY + 20.0 * (board.rounds - board.completed))
    sit = Assessment(board)
    left = max(1, board.rounds - board.completed)
    worth = 0.0
    for slot in sit.eldoin:
        kind = board.kind[slot]
        if slot != sit.commander:
            worth -= WORTH[kind] * (0.5 + 0.5 * board.v[slot] / PROFILES[kind].life)
        else:
            worth -= 10.0 * board.v[slot]
    for slot in sit.dailor:
        kind = board.kind[slot]
        rounds = sit.to_goal(kind)[board.at[slot]] / board.b_max[slot]
        use = max(0.2, 1.0 - 0.6 * min(1.0, rounds / left))
        worth += WORTH[kind] * (0.5 + 0.5 * board.v[slot] / PROFILES[kind].life) * (0.5 + use)
        if sit.edge_wins and sit.to_edge(kind)[board.at[slot]] <= board.b_max[slot]:
            worth += DOORSTEP
    return worth
