"""Trying lists out: the real resolver on an imagined position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.core.dice import Scripted
from engine.core.record import replace
from engine.core.work import Work
from engine.rulesets.gd6.bot.listing import Scene, list_of
from engine.rulesets.gd6.bot.style import Style
from engine.rulesets.gd6.evolve import evolve
from engine.rulesets.gd6.lands import Job
from engine.rulesets.gd6.orders import AnyOrder
from engine.rulesets.gd6.state import Player, State
from engine.rulesets.gd6.turns import resolve

Orders = Mapping[int, tuple[AnyOrder, ...]]
"""The list of each seat; a seat without one is idle."""


def outcome_of(state: State, orders: Orders) -> State:
    """The position when the next turn is open, or the game over.

    ``state`` is the position before the lists are carried out. If somebody would have to choose
    another site, it is the position in which that is to be done.
    """
    players: list[Player] = [
        replace(player, orders=orders.get(player.id, ()), sealed=True)
        for player in state.players.values()
    ]
    work: Job = Work(replace(state, players=state.players.put(*players)), evolve, Scripted())
    resolve(work)
    return work.state


def played_on(state: State, seats: Sequence[int], style: Style, turns: int) -> State:
    """The position so many turns later, if these seats play level 1 in a style; others are idle."""
    for _ in range(turns):
        if state.reason or state.choosing:
            break
        scene = Scene(state)
        playing = [seat for seat in seats if seat in scene.board.seats]
        orders = {seat: list_of(scene, seat, style).orders() for seat in playing}
        state = outcome_of(state, orders)
    return state
