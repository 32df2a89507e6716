"""Bots for the game of wagers whose mistakes have a known cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.core.dice import Dice
from engine.core.ruleset import Offers
from tests.debug.wagers import AnyCommand, Surrender, Turn, Wager, Wait


class Patient:
    """Bot that always waits, like the built-in level."""

    def plan(self, view: Turn, offers: Offers[Any], dice: Dice) -> Sequence[AnyCommand]:
        return (Wait(), Wait())

    def rest(self, view: Turn, offers: Offers[Any]) -> Sequence[AnyCommand]:
        return (Wait(),)


class Blunderer(Patient):
    """Bot that surrenders 1 time in 12 (costs 1/2 a game) and wagers as often (gains 1/12)."""

    def plan(self, view: Turn, offers: Offers[Any], dice: Dice) -> Sequence[AnyCommand]:
        chance = dice.roll(12)
        if chance == 1:
            return (Surrender(),)
        return (Wager(),) if chance == 2 else (Wait(),)


class Failing(Patient):
    """Bot that raises an exception in mid-game."""

    def plan(self, view: Turn, offers: Offers[Any], dice: Dice) -> Sequence[AnyCommand]:
        if view.number > 10:
            raise RuntimeError("no idea")
        return (Wait(),)
