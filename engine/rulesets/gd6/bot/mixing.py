"""Level 3: lists that the rivals are likely to write, the best answer to them, and a draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.core.dice import Dice
from engine.rulesets.gd6.bot.careful import HOPELESS, Found, Scale, best_list, best_of, climbed
from engine.rulesets.gd6.bot.guesses import by_style, neighbours
from engine.rulesets.gd6.bot.homing import likely_homes, settled_against
from engine.rulesets.gd6.bot.listing import Scene
from engine.rulesets.gd6.bot.merit import merits, standing
from engine.rulesets.gd6.bot.regret import draw, mixes
from engine.rulesets.gd6.bot.sketch import Sketch
from engine.rulesets.gd6.bot.style import USUAL
from engine.rulesets.gd6.bot.trial import Orders
from engine.rulesets.gd6.orders import AnyOrder

MOST_GUESSES: Final = 3
"""Guesses about the rivals, each a list for every one of them."""

PLANS: Final = 6
"""Lists of rivals that are planned; who has many rivals makes fewer guesses."""

GUESSED: Final = 160
"""Changes tried in a rival's list, times the territories of the map."""

TRIALS: Final = 960
"""Changes tried in the own list, times the territories of the map."""

FEWEST: Final = 4
"""Changes that are tried at least."""

LEEWAY: Final = 10
"""How much less than the best a list may come to and still be drawn."""

MOST_DRAWN: Final = 6
"""Lists among which the draw is made."""

ROUNDS: Final = 200
"""Rounds of regret matching."""

LEAST: Final = 8
"""Percent of the mix below which a list is not drawn."""

Written = tuple[AnyOrder, ...]


class Answers(Scale):
    """Weighs lists against what rivals are likely to do, and remembers them all."""

    def __init__(self, scene: Scene, rivals: Sequence[int], guesses: Sequence[Orders]) -> None:
        super().__init__(scene, rivals, guesses)
        self._tried: dict[Written, tuple[int, Sketch]] = {}

    def weigh(self, sketch: Sketch, best: Found = ()) -> Found:
        """The value of a list; see ``Scale``."""
        found = super().weigh(sketch, best)
        self._tried[sketch.orders()] = self.total(found), sketch
        return found

    def total(self, found: Found) -> int:
        """The mean; all guesses are as likely."""
        return HOPELESS if len(found) < len(self.guesses) else sum(found) // len(found)

    def good(self, best: Sketch) -> list[Sketch]:
        """The best list and those that come to nearly as much, the better ones first."""
        most = self._tried[best.orders()][0]
        near = [tried for tried in self._tried.values() if tried[0] >= most - LEEWAY]
        near.sort(key=lambda tried: (-tried[0], tried[1] is not best))
        return [sketch for _, sketch in near[:MOST_DRAWN]]


def mixed_list(scene: Scene, dice: Dice) -> Sketch:
    """Level 3: one of the best answers to what the rivals are likely to do."""
    rivals_now = max(1, len(scene.board.seats) - 1)
    homes = likely_homes(scene, dice, max(1, min(MOST_GUESSES, PLANS // rivals_now)))
    scene = settled_against(scene, homes, dice)
    rivals = neighbours(scene)
    if not rivals:
        return best_list(scene, dice)
    scale = Answers(scene, rivals, _guesses(scene, rivals, homes, dice))
    best = climbed(scale, rivals, dice, _share(TRIALS, scene))
    return _drawn(scale, rivals, scale.good(best), dice)


def _share(trials: int, scene: Scene) -> int:
    """Changes that are tried; a large map takes longer for each."""
    return max(FEWEST, trials // scene.board.geo.size)


def _guesses(
    scene: Scene, rivals: Sequence[int], homes: Sequence[Mapping[int, int]], dice: Dice
) -> list[Orders]:
    """Lists that rivals may write together: each plans as level 2 does, as often as time allows.

    Where that is once, they play by plain rules in a second guess.
    """
    count, trials = max(1, min(MOST_GUESSES, PLANS // len(rivals))), _share(GUESSED, scene)
    found: list[Orders] = []
    for number in range(count):
        sites = {**homes[number % len(homes)], **scene.homes}
        found.append(
            {
                rival: best_of(Scene(scene.state, scene.due, rival, sites), dice, trials).orders()
                for rival in rivals
            }
        )
    return found if count > 1 else [*found, by_style(scene, rivals, USUAL)]


def _drawn(scale: Answers, rivals: Sequence[int], own: Sequence[Sketch], dice: Dice) -> Sketch:
    """One of the lists, drawn from the mix that regret matching finds."""
    if len(own) == 1:
        return own[0]
    rows, columns = [], []
    for sketch in own:
        orders = sketch.orders()
        found = [
            merits(scale.after({**guess, scale.scene.seat: orders})) for guess in scale.guesses
        ]
        rows.append([standing(each, scale.scene.seat) for each in found])
        columns.append(
            [sum(standing(each, rival) for rival in rivals) // len(rivals) for each in found]
        )
    mix, _ = mixes(rows, columns, ROUNDS)
    return own[draw(mix, LEAST, dice)]
