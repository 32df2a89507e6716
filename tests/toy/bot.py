"""A computer player that marches towards the nearest shrine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.core.dice import Dice, pick
from engine.core.ruleset import Bot, Offers
from tests.toy.commands import AnyCommand, GiveOrder, Retreat, SealOrders
from tests.toy.hexes import Hex, distance
from tests.toy.state import Terrain, View


class Easy:
    """Sends each band towards the nearest shrine and never stakes a lantern."""

    def plan(self, view: View, offers: Offers[AnyCommand], dice: Dice) -> Sequence[AnyCommand]:
        """Return orders for all bands and then the seal, or a retreat if one is due."""
        retreats = [command for command in offers() if isinstance(command, Retreat)]
        if retreats:
            return (pick(dice, retreats),)
        orders = (_order(view, offers, band, dice) for band in view.bands)
        return (*(order for order in orders if order is not None), SealOrders())

    def rest(self, view: View, offers: Offers[AnyCommand]) -> Sequence[AnyCommand]:
        """Return the shortest way to end the turn: a retreat if one is due, else the seal."""
        retreats = (command for command in offers() if isinstance(command, Retreat))
        return (next(retreats, SealOrders()),)


def _order(view: View, offers: Offers[AnyCommand], band: int, dice: Dice) -> GiveOrder | None:
    """Return an order that takes a band nearest to a shrine; None if no march takes it nearer."""
    marches = [command for command in offers(band) if isinstance(command, GiveOrder)]
    here = _to_shrine(view, (view.bands[band].x, view.bands[band].y))
    nearest = min((_to_shrine(view, march.path[-1]) for march in marches), default=here)
    if nearest >= here:
        return None
    return pick(dice, [march for march in marches if _to_shrine(view, march.path[-1]) == nearest])


def _to_shrine(view: View, at: Hex) -> int:
    rows, columns = (view.terrain.cells == Terrain.SHRINE).nonzero()
    shrines = zip(columns.tolist(), rows.tolist(), strict=True)
    return min((distance(at, shrine) for shrine in shrines), default=0)


LEVELS: Final[Mapping[str, Bot[View, AnyCommand]]] = {"easy": Easy()}
"""Computer players, weakest first."""
