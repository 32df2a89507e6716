"""Trying lists out: the real resolver on an imagined position."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.dice import Scripted
from engine.core.record import replace
from engine.core.work import Work
from engine.rulesets.gd6.evolve import evolve
from engine.rulesets.gd6.lands import Job
from engine.rulesets.gd6.orders import AnyOrder
from engine.rulesets.gd6.stages import due, readable
from engine.rulesets.gd6.state import Player, State

Orders = Mapping[int, tuple[AnyOrder, ...]]
"""The list of each seat; a seat without one is idle."""


def outcome_of(state: State, orders: Orders) -> State:
    """The position after the Movement Phase of this turn.

    ``state`` is the position before the lists are carried out. If somebody would have to choose
    another site, the turn ends there.
    """
    players: list[Player] = [
        replace(player, orders=orders.get(player.id, ()), sealed=True)
        for player in state.players.values()
    ]
    work: Job = Work(replace(state, players=state.players.put(*players)), evolve, Scripted())
    lists = readable(work, orders)
    for stage in due(state.phase):
        if stage.run(work, lists) is False:
            break
    return work.state
