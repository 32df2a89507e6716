"""The strongest level: several postures, each played on in one's head, and the best of them."""

from __future__ import annotations

from collections.abc import Callable

from engine.core.dice import Dice
from engine.rulesets.weltendaemmerung.bot.board import Board
from engine.rulesets.weltendaemmerung.bot.course import marches, play_on, worth_of
from engine.rulesets.weltendaemmerung.bot.moving_dailor import March
from engine.rulesets.weltendaemmerung.bot.situation import Situation
from engine.rulesets.weltendaemmerung.bot.style import SIMPLE, USUAL, Style
from engine.rulesets.weltendaemmerung.state import DAILOR

ELDOIN_SMALL: tuple[Style, ...] = (
    USUAL,
    Style(home=12.0, leash=4),
    Style(home=2.0, cover=1.6, caution=0.5),
    Style(caution=3.0),
    Style(home=5.0, cover=1.5, reserve=4),
)
"""Eldoin's postures on a board with few units."""

ELDOIN_LARGE: tuple[Style, ...] = (
    Style(refuge=0.3, watch=1.8, reserve=5),
    Style(refuge=0.3, watch=1.8, reserve=5, home=10.0, leash=4),
    Style(refuge=0.3, watch=1.8, reserve=5, cover=1.6, caution=0.5),
    Style(refuge=0.3, watch=1.8, reserve=5, caution=3.0),
)
"""Eldoin's postures on a board with many: the commander goes behind the walls."""

DAILOR_POSTURES: tuple[Style, ...] = (
    USUAL,
    Style(courage=0.0),
    Style(courage=0.3),
    Style(courage=0.75, caution=1.5),
    Style(courage=0.5, hunger=1.5, progress=4.0),
    SIMPLE,
)
"""What Dailor chooses from: how good the odds must be before he comes under fire."""

OPPONENTS = (USUAL, SIMPLE, USUAL)
"""Whom the trials are played against, in turn."""

FEW = 40
"""Up to so many units on the board a search goes deep."""

DEEP, SHALLOW = 6, 2
"""Rounds that are played on."""

DOUBT = 200.0
"""How much better than the best so far one of Eldoin's later postures must look on a large board.

He plays for time: what pays for him shows long after the few rounds that are played on.
"""

MODIFIERS = (0, 1, 1, 2, 2, 3, 3, 4)


def best_marches(board: Board, dice: Dice) -> list[March]:
    """The moves of the posture that comes out best against a usual opponent.

    The budget is a count: postures times trials times rounds.
    """
    side = board.player
    units = sum(board.alive)
    few = units <= FEW
    rounds, trials = (DEEP, 3) if few else (SHALLOW, 1)
    postures = DAILOR_POSTURES if side == DAILOR else ELDOIN_SMALL if few else ELDOIN_LARGE
    doubt = 0.0 if few or side == DAILOR else DOUBT
    sign = 1 if side == DAILOR else -1
    best: list[March] = []
    best_worth = float("-inf")
    tried: list[list[March]] = []
    for style in postures:
        trial = board.copy()
        made = marches(Situation(trial), style)
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
    """Modifiers for a future: the mean where only one is tried. Rules: WD-RNG-1."""
    if trials == 1:
        return lambda: 2
    return lambda: MODIFIERS[dice.roll(8) - 1]
