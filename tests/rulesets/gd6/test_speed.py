"""How long a large turn takes."""

from __future__ import annotations

from time import process_time

import pytest

from engine.core.dice import Scripted, Seeded, pick
from engine.core.record import replace
from engine.core.work import Work
from engine.rulesets.gd6.evolve import evolve
from engine.rulesets.gd6.lands import Job
from engine.rulesets.gd6.orders import AnyOrder, Move
from engine.rulesets.gd6.state import State
from engine.rulesets.gd6.turns import close
from tests.rulesets.gd6.table import begin

SEATS, ORDERS = 13, 39


def crowded(seed: int) -> State:
    """Thirteen seats mixed up all over the large map, with 507 moves; the same for every seed."""
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


@pytest.mark.slow
@pytest.mark.rule("GD-TURN-1")
def test_a_turn_of_thirteen_seats_and_five_hundred_orders_takes_less_than_60_ms() -> None:
    times = []
    for seed in range(9):
        state = crowded(seed)
        work: Job = Work(state, evolve, Scripted())
        start = process_time()
        close(work)
        times.append(process_time() - start)
    assert sorted(times)[len(times) // 2] < 0.060
