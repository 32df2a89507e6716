"""The strongest level: several postures, each played on in one's head, and the best of them."""

from __future__ import annotations

from collections.abc import Callable

from engine.core.dice import Dice
from engine.rulesets.weltendaemmerung.bot.board import Board
from engine.rulesets.weltendaemmerung.bot.course import marches, play_on, worth_of
from engine.rulesets.weltendaemmerung.bot.moving_dailor import March
from engine.rulesets.weltendaemmerung.bot.situation import Situation
from engine.rulesets.weltendaemmerung.bot.style import Style
from engine.rulesets.weltendaemmerung.state import DAILOR

USUAL = Style()
SIMPLE = Style(foresight=False, focus=False, courage=0.0, caution=0.0)

POSTURES: tuple[tuple[Style, ...], tuple[Style, ...]] = (
    (
        USUAL,
        Style(home=12.0, leash=4),
        Style(home=2.0, cover=1.6, caution=0.5),
        Style(caution=3.0),
        Style(home=5.0, cover=1.5, reserve=4),
    ),
    (
        USUAL,
        Style(courage=0.0),
        Style(courage=0.3),
        Style(courage=0.75, caution=1.5),
        Style(courage=0.5, hunger=1.5, progress=4.0),
        SIMPLE,
    ),
)
"""What Eldoin and Dailor choose from."""

OPPONENTS = (USUAL, SIMPLE, USUAL)
"""Whom the trials are played against, in turn."""

FEW = 40
"""Up to so many units on the board a search goes deep."""

DEEP, SHALLOW = 6, 2
"""Rounds that are played on."""

MODIFIERS = (0, 1, 1, 2, 2, 3, 3, 4)


def best_marches(board: Board, dice: Dice) -> list[March]:
    """The moves of the posture that comes out best against a usual opponent.

    The budget is a count: postures times trials times rounds.
    """
    side = board.player
    units = sum(board.alive)
    rounds, trials = (DEEP, 3) if units <= FEW else (SHALLOW, 1)
    sign = 1 if side == DAILOR else -1
    best: list[March] = []
    best_worth = float("-inf")
    tried: list[list[March]] = []
    for style in POSTURES[side]:
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
        if worth > best_worth:
            best, best_worth = made, worth
    return best


def _rolls(dice: Dice, trials: int) -> Callable[[], int]:
    """Modifiers for a future: the mean where only one is tried. Rules: WD-RNG-1."""
    if trials == 1:
        return lambda: 2
    return lambda: MODIFIERS[dice.roll(8) - 1]
