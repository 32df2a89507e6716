"""Level 2: lists tried out against three guesses, and the best one changed for the better."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.dice import Dice
from engine.core.record import replace
from engine.rulesets.gd6.bot.changes import changed
from engine.rulesets.gd6.bot.guesses import by_style, neighbours, repeated
from engine.rulesets.gd6.bot.listing import Situation, list_of
from engine.rulesets.gd6.bot.merit import merits, standing
from engine.rulesets.gd6.bot.sketch import Sketch
from engine.rulesets.gd6.bot.style import BOLD, KEEPER, SWARM, USUAL, Style
from engine.rulesets.gd6.bot.trial import Orders, outcome_of

CHANGES = 16
"""Changes that are tried."""


class Scale:
    """Weighs lists of one seat against guesses about the others."""

    def __init__(self, situation: Situation, guesses: Sequence[Orders]) -> None:
        self.situation = situation
        self.guesses = guesses
        self._known: dict[object, int] = {}

    def weigh(self, sketch: Sketch) -> int:
        """Worst case and mean together; more is better."""
        orders = sketch.orders()
        if orders not in self._known:
            seat = self.situation.seat
            found = [
                standing(merits(outcome_of(self.situation.state, {**guess, seat: orders})), seat)
                for guess in self.guesses
            ]
            self._known[orders] = min(found) + sum(found) // len(found)
        return self._known[orders]


def styles(rivals: Sequence[int]) -> list[Style]:
    """In how many minds a seat can be."""
    hunters = [replace(BOLD, grudge=rival) for rival in rivals[:3]]
    return [USUAL, BOLD, KEEPER, SWARM, *hunters]


def guesses(situation: Situation, rivals: Sequence[int]) -> list[Orders]:
    """Everybody idle, everybody as last turn, everybody by plain rules."""
    found: list[Orders] = [{}]
    if rivals:
        found += [repeated(situation, rivals), by_style(situation, rivals, USUAL)]
    return found


def careful_list(situation: Situation, dice: Dice) -> Sketch:
    """The best list that is found with a fixed number of trials."""
    rivals = neighbours(situation)
    scale = Scale(situation, guesses(situation, rivals))
    seat = situation.seat
    best = max(
        (list_of(situation, seat, style) for style in styles(rivals)),
        key=scale.weigh,
    )
    return climb(scale, best, dice, CHANGES)


def climb(scale: Scale, sketch: Sketch, dice: Dice, changes: int) -> Sketch:
    """The list after so many attempts to better it."""
    situation, best = scale.situation, scale.weigh(sketch)
    for _ in range(changes):
        other = changed(sketch, situation.board, situation.seat, dice)
        weight = scale.weigh(other)
        if weight > best:
            sketch, best = other, weight
    return sketch
