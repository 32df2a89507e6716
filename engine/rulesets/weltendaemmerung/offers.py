"""Commands that are possible now, and the units that still have one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from engine.kit.grid import STEPS, Place
from engine.kit.memo import recent
from engine.rulesets.weltendaemmerung.commands import (
    AnyCommand,
    Attack,
    EndPhase,
    MoveUnit,
    StepUnit,
    WorkGate,
)
from engine.rulesets.weltendaemmerung.fighting import (
    breaks,
    can_break,
    is_in_reach,
    squared_range,
    tiles_in_range,
)
from engine.rulesets.weltendaemmerung.lookup import land_of, side_of, site_at, unit_row, unit_side
from engine.rulesets.weltendaemmerung.moving import is_beside, step_directions, step_price
from engine.rulesets.weltendaemmerung.state import ATTACK, MOVE, Position, Terrain, Unit, View
from engine.rulesets.weltendaemmerung.tables import enterable, units_table
from engine.tabletop.focus import DELTAS


def offers(view: View, about: int | None = None) -> Iterator[AnyCommand]:
    """Everything the viewer's side may do now; paths only of one step, as examples.

    ``about`` narrows it to one unit. Rules: WD-MOVE-2, WD-ATT-1, WD-SIEGE-1, WD-GATE-3, WD-TURN-6.
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
        yield from _gates(view)
    if about is None:
        yield EndPhase()


def _moves(view: View, own: list[Unit]) -> Iterator[AnyCommand]:
    taken = {(unit.x, unit.y) for unit in view.units.values() if unit.alive}
    for unit in own:
        path: Place | None = None
        for direction, (dx, dy) in DELTAS.items():
            to = (unit.x + dx, unit.y + dy)
            if _can_step(view, unit, to, taken):
                yield StepUnit(unit=unit.id, direction=direction)
                path = path or to
        if path is not None:
            yield MoveUnit(unit=unit.id, path=(path,))


def _can_step(view: View, unit: Unit, to: Place, taken: set[Place]) -> bool:
    x, y = to
    if unit.b == 0 or not view.terrain.has(x, y) or to in taken:
        return False
    if not enterable()[unit.type][view.terrain[y, x]] or not is_beside(view, unit, x, y):
        return False
    return view.options.last_step == "always" or step_price(view, unit, x, y) <= unit.b


def _attacks(view: View, own: list[Unit]) -> Iterator[AnyCommand]:
    enemies = [
        unit for unit in view.units.values() if unit.alive and side_of(unit.type) != view.player
    ]
    taken = {(unit.x, unit.y) for unit in view.units.values() if unit.alive}
    for unit in own:
        if unit.b == 0:
            continue
        reach = units_table()[unit.type].r
        for enemy in enemies:
            if is_in_reach(view.options, reach, enemy.x - unit.x, enemy.y - unit.y):
                yield Attack(unit=unit.id, at=(enemy.x, enemy.y))
        if units_table()[unit.type].breaks:
            yield from _sieges(view, unit, reach, taken)


def _sieges(view: View, unit: Unit, reach: int, taken: set[Place]) -> Iterator[AnyCommand]:
    for y in range(max(0, unit.y - reach), min(view.terrain.height, unit.y + reach + 1)):
        for x in range(max(0, unit.x - reach), min(view.terrain.width, unit.x + reach + 1)):
            if (x, y) in taken or not breaks(unit.type, view.terrain[y, x]):
                continue
            if not is_in_reach(view.options, reach, x - unit.x, y - unit.y):
                continue
            if view.terrain[y, x] != Terrain.GATE or _may_ruin(view, x, y):
                yield Attack(unit=unit.id, at=(x, y))


def _may_ruin(view: View, x: int, y: int) -> bool:
    site = site_at(view, x, y)
    return x < view.frontier and site is not None and not site.ruined


def _gates(view: View) -> Iterator[AnyCommand]:
    for site in view.sites.values():
        if not site.ruined and land_of(view, site.x) == view.player:
            yield WorkGate(at=(site.x, site.y))


# -- idle units --------------------------------------------------------------------------


@recent
def idle(position: Position) -> tuple[Unit, ...]:
    """The units of the side to act that could still act in this phase, in id order.

    In the Bewegungsphase those that could take a step, in the Angriffsphase those with something
    to attack in reach. Rules: WD-MOVE-2, WD-ATT-1.
    """
    if position.winner >= 0:
        return ()
    living = [unit for unit in position.units.values() if unit.alive]
    own = [unit for unit in living if unit.b > 0 and unit_side(unit) == position.player]
    taken = {(unit.x, unit.y) for unit in living}
    if position.phase == MOVE:
        return tuple(unit for unit in own if _has_step(position, unit, taken))
    if position.phase != ATTACK:
        return ()
    enemies = [unit for unit in living if unit_side(unit) != position.player]
    near = _enemy_in_reach(position, own, enemies)
    return tuple(
        unit
        for unit, found in zip(own, near, strict=True)
        if found or _can_besiege(position, unit, taken)
    )


def _has_step(position: Position, unit: Unit, taken: set[Place]) -> bool:
    opens = enterable()[unit.type]
    dear = position.options.last_step == "must_afford"
    for dx, dy in STEPS[step_directions(position)]:
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
    limits = np.array([squared_range(unit.type, position.options) for unit in own])[:, None]
    squares = ((here - there) ** 2).sum(axis=2)
    found: list[bool] = (squares < limits).any(axis=1).tolist()
    return found


def _can_besiege(position: Position, unit: Unit, taken: set[Place]) -> bool:
    """Whether there is something to break in reach. Rules: WD-SIEGE-1."""
    if not unit_row(unit).breaks:
        return False
    return any(
        there not in taken and can_break(position, unit, *there)
        for there in tiles_in_range(position, unit)
    )
