"""A computer player that settles where there is most room, raises armies and spreads out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.core.dice import Dice, pick
from engine.core.ruleset import Bot, Offers
from engine.rulesets.gd6.commands import AnyCommand, Concede, DropOrders, SealList
from engine.rulesets.gd6.orders import Move, PlaceHq, Spawn
from engine.rulesets.gd6.state import NOBODY, View


class Easy:
    """Writes one line at a time, as long as there is something plain to do; then seals."""

    def plan(self, view: View, offers: Offers[AnyCommand], dice: Dice) -> Sequence[AnyCommand]:
        """The next line of the list, or the seal."""
        offered = list(offers())
        first = offered[0]
        sites: list[AnyCommand] = [one for one in offered if isinstance(one, PlaceHq)]
        armies: list[AnyCommand] = [one for one in offered if isinstance(one, Spawn)]
        free: list[AnyCommand] = [
            one for one in offered if isinstance(one, Move) and _is_free(view, one)
        ]
        if isinstance(first, DropOrders | Concede):
            return (first,)
        for wanted in (sites, armies, free):
            if wanted:
                return (pick(dice, wanted),)
        return (SealList(),)


def _is_free(view: View, move: Move) -> bool:
    """Whether every territory on the way is neutral and not yet gone to."""
    gone = {
        at
        for order in view.players[view.viewer].orders
        if isinstance(order, Move)
        for at in order.path[1:]
    }
    return all(view.territories[at].owner == NOBODY and at not in gone for at in move.path[1:])


LEVELS: Final[Mapping[str, Bot[View, AnyCommand]]] = {"easy": Easy()}
