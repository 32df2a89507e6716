"""Level 3: own lists against lists of the rivals, and a draw from the mix that nobody can use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.core.dice import Dice, pick
from engine.core.record import replace
from engine.rulesets.gd6.bot.careful import Scale, best_list, guesses, styles
from engine.rulesets.gd6.bot.guesses import by_style, neighbours
from engine.rulesets.gd6.bot.homing import settled
from engine.rulesets.gd6.bot.listing import Scene, list_of
from engine.rulesets.gd6.bot.merit import merits, standing
from engine.rulesets.gd6.bot.regret import draw, mixes
from engine.rulesets.gd6.bot.sketch import Sketch
from engine.rulesets.gd6.bot.style import Style
from engine.rulesets.gd6.bot.trial import Orders

MOST: Final = 20
"""Own lists, and guesses about the rivals."""

CELLS: Final = 9000
"""Cells of the table, times the territories of the map: a large map takes longer."""

ROUNDS: Final = 200
"""Rounds of regret matching."""

LEAST: Final = 8
"""Percent of the mix below which a list is not drawn."""

NOISE: Final = 25
"""Worth that chance adds to territories in lists made for variety."""


def mixed_list(scene: Scene, dice: Dice) -> Sketch:
    """A list drawn from the mix that regret matching finds."""
    scene = settled(scene, dice)
    best = best_list(scene, dice)
    rivals = neighbours(scene)
    if not rivals:
        return best
    count = _count(scene)
    own = _own_lists(scene, rivals, best, count, dice)
    theirs = _their_lists(scene, rivals, count, dice)
    rows, columns = _table(scene, rivals, own, theirs)
    mix, _ = mixes(rows, columns, ROUNDS)
    return own[draw(mix, LEAST, dice)]


def _count(scene: Scene) -> int:
    """How many lists of either side fit into the budget."""
    return next(
        (count for count in range(MOST, 4, -1) if count * count * scene.board.geo.size <= CELLS), 4
    )


def _varied(style: Style, dice: Dice) -> Style:
    """Nearly the same mind."""
    return replace(style, noise=NOISE, idle=10 * dice.roll(3), margin=dice.roll(3))


def _own_lists(
    scene: Scene, rivals: Sequence[int], best: Sketch, count: int, dice: Dice
) -> list[Sketch]:
    """So many lists at most, no two alike: the careful one, plain ones, and some for variety."""
    minds = styles(rivals)
    found = {best.orders(): best}
    for style in minds:
        sketch = list_of(scene, scene.seat, style)
        found.setdefault(sketch.orders(), sketch)
    for _ in range(2 * count):
        if len(found) >= count:
            break
        sketch = list_of(scene, scene.seat, _varied(pick(dice, minds), dice), dice)
        found.setdefault(sketch.orders(), sketch)
    return list(found.values())[:count]


def _their_lists(scene: Scene, rivals: Sequence[int], count: int, dice: Dice) -> list[Orders]:
    """So many guesses about what the rivals do together."""
    found = guesses(scene, rivals)
    minds = styles((scene.seat,))
    found += [by_style(scene, rivals, style) for style in minds[1:]]
    while len(found) < count:
        found.append(
            {
                rival: list_of(scene, rival, _varied(pick(dice, minds), dice), dice).orders()
                for rival in rivals
            }
        )
    return found[:count]


def _table(
    scene: Scene, rivals: Sequence[int], own: Sequence[Sketch], theirs: Sequence[Orders]
) -> tuple[list[list[int]], list[list[int]]]:
    """What each pair of lists pays the seat, and the rivals in the mean."""
    scale = Scale(scene, rivals, theirs)
    rows, columns = [], []
    for sketch in own:
        orders = sketch.orders()
        found = [merits(scale.after({**guess, scene.seat: orders})) for guess in theirs]
        rows.append([standing(each, scene.seat) for each in found])
        columns.append(
            [sum(standing(each, rival) for rival in rivals) // len(rivals) for each in found]
        )
    return rows, columns
