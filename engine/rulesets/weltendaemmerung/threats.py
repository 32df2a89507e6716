"""Threats before a phase ends: own units that can be struck, and the way to the west edge."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from engine.core.record import Record
from engine.kit.move_graph import flat, place
from engine.rulesets.weltendaemmerung.lookup import COMMANDER, type_name, unit_side
from engine.rulesets.weltendaemmerung.reach import arrivals, patch, points_first
from engine.rulesets.weltendaemmerung.state import DAILOR, ELDOIN, GATES, View
from engine.rulesets.weltendaemmerung.stopping import strikers_of, survival, whole_percent
from engine.tabletop.board import Line
from engine.tabletop.roles import Tone

_MOST_NAMED: Final = 4
"""Most endangered units that are named; the others are counted."""


class UnitThreat(Record, frozen=True):
    """Danger for a unit where it stands: enemies that can strike it, and the chance that it falls.

    All of them are taken to strike it, so that the chance is an upper bound.
    """

    unit: int
    strikers: int
    falls: Fraction


def warnings(view: View) -> tuple[Line, ...]:
    """Lines about what the enemy can do before the viewer's side moves again, the worst first.

    Nothing is told in the gate phase, after which a side moves before it can be struck.

    Rules: WD-WIN-1, WD-WIN-4, WD-ATT-2, WD-ATT-3.
    """
    if view.winner >= 0 or view.phase == GATES:
        return ()
    side = view.player
    found = threats(view, side)
    first = [threat for threat in found if view.units[threat.unit].type == COMMANDER]
    others = [threat for threat in found if threat not in first]
    lines = [*(_line(view, threat) for threat in first), *_west_edge(view, side)]
    lines += [_line(view, threat) for threat in others[:_MOST_NAMED]]
    if rest := len(others[_MOST_NAMED:]):
        count = "1 more unit" if rest == 1 else f"{rest} more units"
        lines.append(Line(f"{count} can be struck", Tone.QUIET, side, "WD-ATT-2"))
    return tuple(lines)


def threats(view: View, side: int) -> tuple[UnitThreat, ...]:
    """Units of a side that the other can strike in its next attack phase, the worst first.

    Rules: WD-ATT-2.
    """
    found = []
    for unit in view.units.values():
        if unit.alive and unit_side(unit) == side:
            foes = strikers_of(view, unit, carried=False)
            if foes:
                found.append(UnitThreat(unit.id, len(foes), 1 - survival(view, unit, foes)))
    return tuple(sorted(found, key=lambda one: (-one.falls, -one.strikers, one.unit)))


def _line(view: View, threat: UnitThreat) -> Line:
    unit = view.units[threat.unit]
    chief = unit.type == COMMANDER
    who = "Your commander" if chief else type_name(unit).capitalize()
    count = "1 enemy" if threat.strikers == 1 else f"{threat.strikers} enemies"
    worst = f"{whole_percent(threat.falls)} % to fall" if threat.falls else "cannot fall yet"
    tone = Tone.BAD if threat.falls else Tone.NORMAL
    rule = "WD-WIN-1" if chief else "WD-ATT-2"
    text = f"{who}: {count} can strike, {worst}"
    return Line(text, tone, unit_side(unit), rule, (unit.x, unit.y))


def _west_edge(view: View, side: int) -> Iterator[Line]:
    """Enemies that can step onto the west edge before Eldoin moves again. Rules: WD-WIN-4."""
    if side != ELDOIN or view.options.west_edge_win != "on":
        return
    stride = view.terrain.width + 2
    for unit in view.units.values():
        points = points_first(view, unit)
        if not unit.alive or unit_side(unit) != DAILOR or not 0 < unit.x <= points:
            continue
        ends = arrivals(patch(view, unit), flat(unit.x, unit.y, stride), points, view.options)
        if any(place(at, stride)[0] == 0 for at in ends):
            text = f"{type_name(unit).capitalize()} can reach the west edge and win"
            yield Line(text, Tone.BAD, DAILOR, "WD-WIN-4", (unit.x, unit.y))
