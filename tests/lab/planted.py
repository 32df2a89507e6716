"""A bot with a planted optimum: it plays best with the parameter ``x`` at 0.7."""

from __future__ import annotations

from typing import Any

from engine.core.dice import Dice
from engine.core.registry import find


class Planted:
    """Bot that plays as ``normal`` more often the nearer ``x`` is to 0.7, or else as ``easy``."""

    def __init__(self, x: float = 0.5) -> None:
        self.x = x

    def plan(self, view: Any, offers: Any, dice: Dice) -> Any:
        is_good = dice.roll(1000) <= 1000 * max(0.0, 1 - 2.2 * abs(self.x - 0.7))
        level = "normal" if is_good else "easy"
        return find("weltendaemmerung").bots[level].plan(view, offers, dice)
