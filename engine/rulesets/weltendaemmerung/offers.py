"""Commands that are possible now, and the units that still have one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from engine.kit.grid import STEPS, Place
from engine.kit.identity_cache import identity_cache
from engine.rulesets.weltendaemmerung.commands import (
    AnyCommand,
    Attack,
    EndPhase,
    MoveUnit,
    StepUnit,
    WorkGate,
)
from engine.rulesets.weltendaemmerung.fighting import (
    is_in_reach,
    siege_tiles,
    squared_range,
)
from engine.rulesets.weltendaemmerung.lookup import side_of, unit_row, unit_side
from engine.rulesets.weltendaemmerung.moving import has_step, step_directions
from engine.rulesets.weltendaemmerung.phases import workable_sites
from engine.rulesets.weltendaemmerung.state import ATTACK, MOVE, Position, Unit, View
from engine.tabletop.focus import DELTAS


def offers(view: View, about: int | None = None) -> Iterator[AnyCommand]:
    """Yield commands that are possible for the viewer now; paths only of one step, as examples.

    ``about`` restricts them to one unit. See: WD-MOVE-2, WD-ATT-1, WD-SIEGE-1, WD-GATE-3,
    WD-TURN-6.
    """
    if view.winner >= 0 or view.viewer != view.player:
        return
    own = [
        unit
        for unit in view.units.rows()
        if unit.alive and side_of(unit.type) == view.player and about in (None, unit.id)
    ]
    if view.phase == MOVE:
        yield from _moves(view, own)
    elif view.phase == ATTACK:
        yield from _attacks(view, own)
    elif about is None:
        yield from (WorkGate(at=site) for site in workable_sites(view))
    if about is None:
        yield EndPhase()


def _moves(view: View, own: list[Unit]) -> Iterator[AnyCommand]:
    taken = {(unit.x, unit.y) for unit in view.units.values() if unit.alive}
    for unit in own:
        path: Place | None = None
        for direction, (dx, dy) in DELTAS.items():
            to = (unit.x + dx, unit.y + dy)
            if to not in taken and has_step(view, unit, *to):
                yield StepUnit(unit=unit.id, direction=direction)
                path = path or to
        if path is not None:
            yield MoveUnit(unit=unit.id, path=(path,))


def _attacks(view: View, own: list[Unit]) -> Iterator[AnyCommand]:
    enemies = [
        unit for unit in view.units.values() if unit.alive and side_of(unit.type) != view.player
    ]
    taken = {(unit.x, unit.y) for unit in view.units.values() if unit.alive}
    for unit in own:
        if unit.b == 0:
            continue
        reach = unit_row(unit).r
        for enemy in enemies:
            if is_in_reach(view.options, reach, enemy.x - unit.x, enemy.y - unit.y):
                yield Attack(unit=unit.id, at=(enemy.x, enemy.y))
        yield from (Attack(unit=unit.id, at=there) for there in siege_tiles(view, unit, taken))


# -- idle units --------------------------------------------------------------------------


@identity_cache
def idle(position: Position) -> tuple[Unit, ...]:
    """Return the units of the side to act that have a command left in this phase, in id order.

    In the movement phase these are units that can step, in the attack phase units with a target in
    range. See: WD-MOVE-2, WD-ATT-1.
    """
    if position.winner >= 0:
        return ()
    living = [unit for unit in position.units.values() if unit.alive]
    own = [unit for unit in living if unit.b > 0 and unit_side(unit) == position.player]
    taken = {(unit.x, unit.y) for unit in living}
    if position.phase == MOVE:
        return tuple(unit for unit in own if _can_step(position, unit, taken))
    if position.phase != ATTACK:
        return ()
    enemies = [unit for unit in living if unit_side(unit) != position.player]
    near = _enemy_in_reach(position, own, enemies)
    return tuple(
        unit
        for unit, found in zip(own, near, strict=True)
        if found or any(siege_tiles(position, unit, taken))
    )


def _can_step(position: Position, unit: Unit, taken: set[Place]) -> bool:
    for dx, dy in STEPS[step_directions(position)]:
        x, y = unit.x + dx, unit.y + dy
        if (x, y) not in taken and has_step(position, unit, x, y):
            return True
    return False


def _enemy_in_reach(
    position: Position, own: Sequence[Unit], enemies: Sequence[Unit]
) -> Sequence[bool]:
    """Return for each own unit whether any enemy is in its range. See: WD-ATT-2."""
    if not own or not enemies:
        return [False] * len(own)
    here = np.array([(unit.x, unit.y) for unit in own])[:, None, :]
    there = np.array([(unit.x, unit.y) for unit in enemies])[None, :, :]
    limits = np.array([squared_range(unit.type, position.options) for unit in own])[:, None]
    squares = ((here - there) ** 2).sum(axis=2)
    found: list[bool] = (squares < limits).any(axis=1).tolist()
    return found
