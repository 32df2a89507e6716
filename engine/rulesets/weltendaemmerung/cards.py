"""Cards of the panel: a unit with its gauges, its fate if it stops here, and both forces."""

from __future__ import annotations

from typing import Final

from engine.rulesets.weltendaemmerung.lookup import (
    COMMANDER,
    statistics,
    unit_row,
    unit_side,
    whose,
)
from engine.rulesets.weltendaemmerung.state import ATTACK, MOVE, SIDES, Unit, View
from engine.tabletop.board import Line
from engine.tabletop.panel import force_lines, gauge, heading

_COUNTED: Final = ("units", "life", "attack")
"""Statistics that are compared beside the map."""


def unit_rule(unit: Unit) -> str:
    """Rule that explains a unit best."""
    return "WD-WIN-1" if unit.type == COMMANDER else "WD-UNIT-1"


def unit_card(view: View, unit: Unit) -> list[Line]:
    """Name, life, points, range and attack of a unit. Rules: WD-UNIT-1, WD-TURN-4."""
    row, side, at = unit_row(unit), unit_side(unit), (unit.x, unit.y)
    rule = unit_rule(unit)
    life = gauge("life", unit.v, row.v)
    lines = [
        heading(whose(unit), side, rule, at),
        Line(f"Life {unit.v}/{row.v}", rule=rule, at=at, gauge=life),
    ]
    readiness = ""
    if view.phase == ATTACK and side == view.player:
        readiness = ", ready" if unit.b else ", done"
    else:
        left = unit.b if view.phase == MOVE else unit.b_max
        moves = gauge("moves", left, unit.b_max)
        lines.append(Line(f"Moves {left}/{unit.b_max}", rule=rule, at=at, gauge=moves))
    lines.append(Line(f"Range {row.r}  Attack {row.a}{readiness}", rule=rule, at=at))
    return lines


# -- forces --------------------------------------------------------------------------------


def forces(view: View) -> tuple[Line, ...]:
    """Living units, life and attack of both sides. Rules: WD-WIN-6."""
    numbers = statistics(view)
    return force_lines(SIDES, [(name, numbers[name]) for name in _COUNTED])
