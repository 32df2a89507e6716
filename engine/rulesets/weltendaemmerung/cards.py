"""Cards of the panel: a unit with its gauges, its risk if it stops here, and both forces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from engine.rulesets.weltendaemmerung.lookup import (
    COMMANDER,
    statistics,
    type_name,
    unit_row,
    unit_side,
    whose,
)
from engine.rulesets.weltendaemmerung.state import (
    ATTACK,
    MOVE,
    SIDES,
    Unit,
    View,
)
from engine.rulesets.weltendaemmerung.stopping import strikers_of, survival
from engine.tabletop.board import Line
from engine.tabletop.english import many
from engine.tabletop.panel import chance_line, force_lines, gauge, heading
from engine.tabletop.roles import Tone

_COUNTED: Final = ("units", "life", "attack")
"""Statistics that are compared beside the map."""


def unit_rule(unit: Unit) -> str:
    """Return the rule that explains a unit best."""
    return "WD-WIN-1" if unit.type == COMMANDER else "WD-UNIT-1"


def unit_card(view: View, unit: Unit) -> Iterator[Line]:
    """Describe a unit: name, life, points, range and attack. See: WD-UNIT-1, WD-TURN-4."""
    row, side, at = unit_row(unit), unit_side(unit), (unit.x, unit.y)
    rule = unit_rule(unit)
    yield heading(whose(unit), side, rule, at)
    life = gauge("life", unit.v, row.v)
    yield Line(f"Life {unit.v}/{row.v}", rule=rule, at=at, gauge=life)
    readiness = ""
    if view.phase == ATTACK and side == view.player:
        readiness = ", ready" if unit.b else ", done"
    else:
        left = unit.b if view.phase == MOVE else unit.b_max
        moves = gauge("moves", left, unit.b_max)
        yield Line(f"Moves {left}/{unit.b_max}", rule=rule, at=at, gauge=moves)
    yield Line(f"Range {row.r}  Attack {row.a}{readiness}", rule=rule, at=at)


# -- forces --------------------------------------------------------------------------------


def forces(view: View) -> tuple[Line, ...]:
    """Return living units, life and attack of both sides. See: WD-WIN-6."""
    numbers = statistics(view)
    return force_lines(SIDES, [(name, numbers[name]) for name in _COUNTED])


# -- if you stop here --------------------------------------------------------------------


def stop_lines(view: View, unit: Unit, *, carried: bool) -> Iterator[Line]:
    """Yield the enemies that can strike one of the viewer's units here, and its chance.

    The chance is a lower bound, because it assumes that all of them strike.

    See: WD-ATT-1 to WD-ATT-3.
    """
    if view.winner >= 0 or unit_side(unit) != view.viewer:
        return
    at = (unit.x, unit.y)
    yield heading("If you stop here", rule="WD-ATT-2", at=at)
    foes = strikers_of(view, unit, carried=carried)
    if not foes:
        yield Line("No enemy can strike it", Tone.GOOD, rule="WD-ATT-2", at=at)
        return
    count = many(len(foes), "enemy", "enemies")
    counted = Counter(type_name(foe) for foe in foes)
    names = [f"{name} ({n})" if n > 1 else name for name, n in counted.most_common()]
    chance = survival(view, unit, foes)
    tone = Tone.BAD if chance < 1 else Tone.NORMAL
    yield Line(f"{count} can strike it", tone, rule="WD-ATT-2", at=at)
    yield Line(f"by {', '.join(names)}", Tone.QUIET, rule="WD-ATT-2", at=at)
    yield chance_line("Survives all", chance, "WD-ATT-3", at)
