"""Commands that are possible now."""

from __future__ import annotations

from collections.abc import Iterator

from engine.rulesets.weltendaemmerung.commands import (
    AnyCommand,
    Attack,
    EndPhase,
    MoveUnit,
    StepUnit,
    WorkGate,
)
from engine.rulesets.weltendaemmerung.fighting import breaks, is_in_reach
from engine.rulesets.weltendaemmerung.gates import land_of
from engine.rulesets.weltendaemmerung.lookup import side_of, site_at
from engine.rulesets.weltendaemmerung.moving import is_beside, step_price
from engine.rulesets.weltendaemmerung.state import ATTACK, MOVE, Terrain, Unit, View
from engine.rulesets.weltendaemmerung.tables import enterable, units_table
from engine.tabletop.focus import DELTAS

Place = tuple[int, int]


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
