"""Computer players in three levels (section 16 of the rule book)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.core.dice import Dice
from engine.core.ruleset import Bot, Offers
from engine.rulesets.gd6.bot.listing import Situation, list_of
from engine.rulesets.gd6.bot.sketch import sealed
from engine.rulesets.gd6.bot.style import EASY
from engine.rulesets.gd6.commands import AnyCommand
from engine.rulesets.gd6.state import View


class Greedy:
    """Level 1: the best move by what it gains for the units it takes, again and again."""

    def plan(
        self,
        view: View,
        offers: Offers[AnyCommand],  # noqa: ARG002 - the view tells everything in this game
        dice: Dice,
    ) -> Sequence[AnyCommand]:
        """The whole list, and the seal."""
        situation = Situation(view)
        return sealed(view, list_of(situation, view.viewer, EASY, dice).orders())


LEVELS: Final[Mapping[str, Bot[View, AnyCommand]]] = {"easy": Greedy()}
