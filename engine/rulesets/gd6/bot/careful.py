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

TRIALS = 768
"""Changes that are tried, times the territories of the map: a large map takes longer."""

FEWEST, MOST = 6, 40
"""Changes that are tried at least and at most."""

SLACK = 30
"""How far a list may fall behind before it is given up."""

HOPELESS = -1_000_000
"""The weight of a list that was given up."""

AHEAD = 1
"""Turns that are played on after a trial."""


Found = tuple[int, ...]
"""What a list comes to against each guess."""


class Scale:
    """Weighs lists of one seat against guesses about the others."""

    def __init__(self, scene: Scene, rivals: Sequence[int], guesses: Sequence[Orders]) -> None:
        self.scene = scene
        self.guesses = guesses
        self._seats = (scene.seat, *rivals)
        self._known: dict[object, Found] = {}

    def after(self, orders: Orders) -> State:
        """The position that is judged."""
        return played_on(outcome_of(self.scene.state, orders), self._seats, USUAL, AHEAD)

    def weigh(self, sketch: Sketch, best: Found = ()) -> Found:
        """What a list comes to; cut short when it falls behind the best one."""
        orders, seat = sketch.orders(), self.scene.seat
        if orders not in self._known:
            found: list[int] = []
            for guess in self.guesses:
                found.append(standing(merits(self.after({**guess, seat: orders})), seat))
                if best and sum(found) + SLACK < sum(best[: len(found)]):
                    break
            self._known[orders] = tuple(found)
        return self._known[orders]

    def total(self, found: Found) -> int:
        """Worst case and mean together; more is better."""
        if len(found) < len(self.guesses):
            return HOPELESS
        return min(found) + sum(found) // len(found)


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
    return best_of(scene, dice, max(FEWEST, min(MOST, TRIALS // scene.board.geo.size)))


def best_of(scene: Scene, dice: Dice, trials: int) -> Sketch:
    """The best list for the seat of a scene that so many changes find."""
    rivals = neighbours(scene)
    return climbed(Scale(scene, rivals, guesses(scene, rivals)), rivals, dice, trials)


def climbed(scale: Scale, rivals: Sequence[int], dice: Dice, trials: int) -> Sketch:
    """The best of the plain lists, changed for the better as often as so many trials allow."""
    scene = scale.scene
    best: tuple[Found, Sketch] = (), Sketch()
    for style in styles(rivals):
        best = _better(scale, best, list_of(scene, scene.seat, style))
    for _ in range(trials):
        best = _better(scale, best, changed(best[1], scene.board, scene.seat, dice))
    return best[1]


def _better(scale: Scale, best: tuple[Found, Sketch], other: Sketch) -> tuple[Found, Sketch]:
    found = scale.weigh(other, best[0])
    return (found, other) if scale.total(found) > scale.total(best[0]) else best
