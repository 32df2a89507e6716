"""Questions about a position that every chapter asks."""

from __future__ import annotations

from engine.core.refused import Refused
from engine.core.work import Work
from engine.rulesets.weltendaemmerung.events import AnyEvent
from engine.rulesets.weltendaemmerung.refusal import Refusal
from engine.rulesets.weltendaemmerung.state import DAILOR, ELDOIN, Site, State, Unit, View

Job = Work[State, AnyEvent]
Position = State | View

FIRST_DAILOR = 7
COMMANDER = 6


def side_of(kind: int) -> int:
    """Who owns units of a type; the type alone says it. Rules: WD-UNIT-1."""
    return DAILOR if kind >= FIRST_DAILOR else ELDOIN


def unit_at(position: Position, x: int, y: int) -> Unit | None:
    """The living unit on a tile."""
    for unit in position.units.rows():
        if unit.x == x and unit.y == y and unit.alive:
            return unit
    return None


def site_at(position: Position, x: int, y: int) -> Site | None:
    """The gate site on a tile."""
    for site in position.sites.rows():
        if site.x == x and site.y == y:
            return site
    return None


def living(position: Position, side: int) -> int:
    """How many units of a side live. Rules: WD-WIN-6."""
    return sum(unit.alive and side_of(unit.type) == side for unit in position.units.rows())


def own_unit(state: State, unit: int) -> Unit:
    """A living unit of the player to move.

    Raises:
        Refused: NOT_YOURS; also for a dead or an unknown unit.
    """
    found = state.units.get(unit)
    if found is None or not found.alive or side_of(found.type) != state.player:
        raise Refused(Refusal.NOT_YOURS, "That is no living unit of yours.", "WD-UNIT-1")
    return found


def need_phase(state: State, phase: int, text: str, rule: str) -> None:
    """Refuse outside a phase.

    Raises:
        Refused: WRONG_PHASE.
    """
    if state.phase != phase:
        raise Refused(Refusal.WRONG_PHASE, text, rule)
