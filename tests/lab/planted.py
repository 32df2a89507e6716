"""A bot with a planted best parameter: it plays the better the nearer it is to 0.7."""

from __future__ import annotations

from typing import Any

from engine.core.dice import Dice
from engine.core.registry import find


class Planted:
    """The normal player, or the easy one where the dice and the distance say so."""

    def __init__(self, x: float = 0.5) -> None:
        self.x = x

    def plan(self, view: Any, offers: Any, dice: Dice) -> Any:
        is_good = dice.roll(1000) <= 1000 * max(0.0, 1 - 2.2 * abs(self.x - 0.7))
        level = "normal" if is_good else "easy"
        return find("weltendaemmerung").bots[level].plan(view, offers, dice)
