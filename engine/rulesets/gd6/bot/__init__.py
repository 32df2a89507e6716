"""Computer players in three levels (section 16 of the rule book)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engine.core.dice import Dice
from engine.core.ruleset import Bot, Offers
from engine.rulesets.gd6.bot.careful import careful_list
from engine.rulesets.gd6.bot.listing import Scene, list_of, scene_of
from engine.rulesets.gd6.bot.mixing import mixed_list
from engine.rulesets.gd6.bot.settling import plain_site
from engine.rulesets.gd6.bot.sketch import Sketch, sealed
from engine.rulesets.gd6.bot.style import EASY
from engine.rulesets.gd6.commands import AnyCommand
from engine.rulesets.gd6.state import View


class Player:
    """A computer player that thinks in one way."""

    def __init__(self, think: Callable[[Scene, Dice], Sketch]) -> None:
        """Think so."""
        self._think = think

    def plan(
        self,
        view: View,
        offers: Offers[AnyCommand],  # noqa: ARG002 - the view tells everything in this game
        dice: Dice,
    ) -> Sequence[AnyCommand]:
        """The whole list, and the seal."""
        return sealed(view, self._think(scene_of(view), dice).orders())

    def rest(
        self,
        view: View,
        offers: Offers[AnyCommand],  # noqa: ARG002 - as above
    ) -> Sequence[AnyCommand]:
        """An empty list, and the seal."""
        return sealed(view, ())


def greedy_list(scene: Scene, dice: Dice) -> Sketch:
    """Level 1: the best move by what it gains for the units it takes, again and again."""
    seat = scene.seat
    if scene.settles(seat):
        scene = scene.with_homes({seat: plain_site(scene.state, seat, dice)})
    return list_of(scene, seat, EASY)


LEVELS: Final[Mapping[str, Bot[View, AnyCommand]]] = {
    "easy": Player(greedy_list),
    "normal": Player(careful_list),
    "hard": Player(mixed_list),
}
