"""Bots for the game of wagers, with decisions whose worth everybody can compute."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.core.dice import Dice
from engine.core.ruleset import Offers
from tests.debug.wagers import AnyCommand, Surrender, Turn, Wager, Wait


class Patient:
    """Waits, as the level does."""

    def plan(self, view: Turn, offers: Offers[Any], dice: Dice) -> Sequence[AnyCommand]:
        return (Wait(), Wait())

    def rest(self, view: Turn, offers: Offers[Any]) -> Sequence[AnyCommand]:
        return (Wait(),)


class Blunderer(Patient):
    """Surrenders now and then, which costs half a game, and wagers as often, which wins 1/12."""

    def plan(self, view: Turn, offers: Offers[Any], dice: Dice) -> Sequence[AnyCommand]:
        chance = dice.roll(12)
        if chance == 1:
            return (Surrender(),)
        return (Wager(),) if chance == 2 else (Wait(),)


class Failing(Patient):
    """Raises an exception in the middle of the game."""

    def plan(self, view: Turn, offers: Offers[Any], dice: Dice) -> Sequence[AnyCommand]:
        if view.number > 10:
            raise RuntimeError("no idea")
        return (Wait(),)
