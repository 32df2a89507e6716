"""Ways of several rounds, for planning: how long a unit is under way, and by which tiles.

All units are taken to stay where they are.
"""

from __future__ import annotations

from engine.kit.memo import recent_each
from engine.kit.patches import flat, place
from engine.kit.travel import Journeys, Purse, journeys
from engine.rulesets.weltendaemmerung import sight
from engine.rulesets.weltendaemmerung.lookup import unit_at
from engine.rulesets.weltendaemmerung.reach import patch
from engine.rulesets.weltendaemmerung.state import MOVE, Unit, View
from engine.tabletop.board import Mark
from engine.tabletop.focus import Focus
from engine.tabletop.roles import Sign

_DEAREST = 99
"""Higher prices do not fit on a tile."""


def traveller(view: View, focus: Focus) -> Unit | None:
    """The unit that is held, or stands at the focus, whoever it belongs to."""
    held = view.units.get(focus.held)
    return held if held is not None and held.alive else unit_at(view, focus.x, focus.y)


def route(view: View, focus: Focus, x: int, y: int) -> tuple[Mark, ...]:
    """The soonest way of that unit to a tile, with the prices of all steps so far.

    Rules: WD-MOVE-2, WD-MOVE-3, WD-MOVE-4, WD-MOVE-6, WD-MOVE-8.
    """
    unit = traveller(view, focus)
    if unit is None or not view.terrain.has(x, y):
        return ()
    stride = view.terrain.width + 2
    line = from_unit(view, unit.id).way(flat(x, y, stride))
    return tuple(
        Mark(*place(stop.at, stride), Sign.PATH, priced(stop.cost), stop.turn) for stop in line
    )


def priced(cost: int) -> str:
    """A price in at most two characters."""
    return str(cost) if cost <= _DEAREST else "++"


def turns(view: View, focus: Focus) -> tuple[Mark, ...]:
    """For every tile the unit can get to, in which turn from now on; 1 is this one."""
    unit = traveller(view, focus)
    if unit is None:
        return ()
    found, stride = from_unit(view, unit.id), view.terrain.width + 2
    stops = [found.stop(at) for at in sorted(found.known) if at != found.start]
    return tuple(
        Mark(*place(stop.at, stride), Sign.REACH, priced(stop.turn + 1), stop.turn)
        for stop in stops
    )


@recent_each
def from_unit(view: View, number: int) -> Journeys:
    """Every way of a unit, from where it stands."""
    unit, stride = view.units[number], view.terrain.width + 2
    start = flat(unit.x, unit.y, stride)
    return journeys(patch(view, unit), start, purse(view, unit))


def purse(view: View, unit: Unit) -> Purse:
    """The points a unit has now, or will have when its side moves next. Rules: WD-TURN-1.

    Before Eldoin moves all units have full points; where the Bewegungsphase of a side is over, it
    goes on in the next round.
    """
    moves = view.phase == MOVE and view.player <= sight.side(unit)
    spent = unit.b_max - unit.b if moves else unit.b_max
    return Purse(unit.b_max, spent, strict=view.options.last_step == "must_afford")
