"""Which units of the side to act could still do something."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.kit.grid import STEPS, Place
from engine.kit.memo import recent
from engine.rulesets.weltendaemmerung import sight
from engine.rulesets.weltendaemmerung.lookup import Position
from engine.rulesets.weltendaemmerung.moving import is_beside, step_price
from engine.rulesets.weltendaemmerung.reach import below, strike
from engine.rulesets.weltendaemmerung.state import ATTACK, MOVE, Unit
from engine.rulesets.weltendaemmerung.tables import enterable


@recent
def idle(position: Position) -> tuple[Unit, ...]:
    """The units of the side to act that could still act in this phase, in id order.

    In the Bewegungsphase those that could take a step, in the Angriffsphase those with something
    to attack in reach. Rules: WD-MOVE-2, WD-ATT-1.
    """
    if position.winner >= 0:
        return ()
    living = [unit for unit in position.units.values() if unit.alive]
    own = [unit for unit in living if unit.b > 0 and sight.side(unit) == position.player]
    taken = {(unit.x, unit.y) for unit in living}
    if position.phase == MOVE:
        return tuple(unit for unit in own if _can_step(position, unit, taken))
    if position.phase != ATTACK:
        return ()
    enemies = [unit for unit in living if sight.side(unit) != position.player]
    near = _enemy_in_reach(position, own, enemies)
    return tuple(
        unit
        for unit, found in zip(own, near, strict=True)
        if found or _can_besiege(position, unit, taken)
    )


def _can_step(position: Position, unit: Unit, taken: set[Place]) -> bool:
    opens = enterable()[unit.type]
    dear = position.options.last_step == "must_afford"
    for dx, dy in STEPS[sight.ways(position)]:
        x, y = unit.x + dx, unit.y + dy
        if (x, y) in taken or not position.terrain.has(x, y):
            continue
        if not opens[position.terrain[y, x]] or not is_beside(position, unit, x, y):
            continue
        if not dear or step_price(position, unit, x, y) <= unit.b:
            return True
    return False


def _enemy_in_reach(
    position: Position, own: Sequence[Unit], enemies: Sequence[Unit]
) -> Sequence[bool]:
    """For each own unit whether any enemy is in reach; all pairs at once. Rules: WD-ATT-2."""
    if not own or not enemies:
        return [False] * len(own)
    here = np.array([(unit.x, unit.y) for unit in own])[:, None, :]
    there = np.array([(unit.x, unit.y) for unit in enemies])[None, :, :]
    limits = np.array([below(unit.type, position.options) for unit in own])[:, None]
    squares = ((here - there) ** 2).sum(axis=2)
    found: list[bool] = (squares < limits).any(axis=1).tolist()
    return found


def _can_besiege(position: Position, unit: Unit, taken: set[Place]) -> bool:
    """Whether there is something to break in reach. Rules: WD-SIEGE-1."""
    if not sight.row(unit).breaks:
        return False
    return any(
        there not in taken and sight.can_break(position, unit, *there)
        for there in strike(position, unit)
    )
