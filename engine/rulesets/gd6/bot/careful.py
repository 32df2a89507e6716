"""Level 2: lists tried out against three guesses, and the best one changed for the better."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.dice import Dice
from engine.core.record import replace
from engine.rulesets.gd6.bot.changes import changed
from engine.rulesets.gd6.bot.guesses import by_style, neighbours, repeated
from engine.rulesets.gd6.bot.homing import settled
from engine.rulesets.gd6.bot.listing import Scene, list_of
from engine.rulesets.gd6.bot.merit import merits, standing
from engine.rulesets.gd6.bot.sketch import Sketch
from engine.rulesets.gd6.bot.style import BOLD, EASY, KEEPER, SWARM, USUAL, Style
from engine.rulesets.gd6.bot.trial import Orders, outcome_of, played_on
from engine.rulesets.gd6.state import State

TRIALS = 1200
"""Changes that are tried, times the territories of the map: a large map takes longer."""

FEWEST, MOST = 6, 40
"""Changes that are tried at least and at most."""

AHEAD = 1
"""Turns that are played on after a trial."""


class Scale:
    """Weighs lists of one seat against guesses about the others."""

    def __init__(self, scene: Scene, guesses: Sequence[Orders]) -> None:
        self.scene = scene
        self.guesses = guesses
        self._known: dict[object, int] = {}

    def after(self, orders: Orders) -> State:
        """The position that is judged."""
        return played_on(outcome_of(self.scene.state, orders), USUAL, AHEAD)

    def weigh(self, sketch: Sketch) -> int:
        """Worst case and mean together; more is better."""
        orders = sketch.orders()
        if orders not in self._known:
            seat = self.scene.seat
            found = [
                standing(merits(self.after({**guess, seat: orders})), seat)
                for guess in self.guesses
            ]
            self._known[orders] = min(found) + sum(found) // len(found)
        return self._known[orders]


def styles(rivals: Sequence[int]) -> list[Style]:
    """In how many minds a seat can be."""
    hunters = [replace(BOLD, grudge=rival) for rival in rivals[:3]]
    return [USUAL, BOLD, KEEPER, SWARM, *hunters]


def guesses(scene: Scene, rivals: Sequence[int]) -> list[Orders]:
    """Everybody as last turn, everybody by plain rules, carelessly and with more care."""
    if not rivals:
        return [{}]
    plain = [by_style(scene, rivals, style) for style in (EASY, USUAL)]
    return [repeated(scene, rivals), *plain]


def careful_list(scene: Scene, dice: Dice) -> Sketch:
    """Level 2: the best list that is found with a fixed number of trials."""
    return best_list(settled(scene, dice), dice)


def best_list(scene: Scene, dice: Dice) -> Sketch:
    """The same when the site is chosen."""
    rivals = neighbours(scene)
    scale = Scale(scene, guesses(scene, rivals))
    seat = scene.seat
    best = max(
        (list_of(scene, seat, style) for style in styles(rivals)),
        key=scale.weigh,
    )
    return climb(scale, best, dice, max(FEWEST, min(MOST, TRIALS // scene.board.geo.size)))


def climb(scale: Scale, sketch: Sketch, dice: Dice, changes: int) -> Sketch:
    """The list after so many attempts to better it."""
    scene, best = scale.scene, scale.weigh(sketch)
    for _ in range(changes):
        other = changed(sketch, scene.board, scene.seat, dice)
        weight = scale.weigh(other)
        if weight > best:
            sketch, best = other, weight
    return sketch
