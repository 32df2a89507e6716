"""A large turn: thirteen seats spread over the large map, with about five hundred orders."""

from __future__ import annotations

from typing import Final

from engine.core.dice import Seeded, pick
from engine.core.record import replace
from engine.rulesets.gd6.commands import AnyOrder, Move
from engine.rulesets.gd6.state import State
from tests.rulesets.gd6.table import begin

SEATS: Final = 13
ORDERS: Final = 39
"""Number of orders of each seat."""


def crowded(seed: int) -> State:
    """Return a position with all lists sealed, 507 moves in total; the same for equal seeds."""
    state = begin(f'map = "world64"\nseats = {SEATS}').state
    dice = Seeded(b"speed", seed, "position")
    for here in state.territories.rows():
        owner = here.id % SEATS if here.id <= SEATS else dice.roll(SEATS) - 1
        full = replace(here, owner=owner, army=20 + dice.roll(20), construct="watchtower")
        state = replace(state, territories=state.territories.put(full))
    for player in state.players.rows():
        own = [here.id for here in state.territories.values() if here.owner == player.id]
        orders = list[AnyOrder]()
        for _ in range(ORDERS):
            path = [pick(dice, own)]
            for _ in range(dice.roll(2)):
                path.append(pick(dice, state.world.beside(path[-1])))
            orders.append(Move(tuple(path), dice.roll(3)))
        ready = replace(player, orders=tuple(orders), sealed=True, hq_built=True, status="active")
        state = replace(state, players=state.players.put(ready))
    return state
