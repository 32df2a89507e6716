"""Lookups that every chapter uses: units and tiles of a position, the side to move, names."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.refused import Refused
from engine.core.work import Work
from engine.rulesets.weltendaemmerung.commands import Refusal
from engine.rulesets.weltendaemmerung.events import AnyEvent
from engine.rulesets.weltendaemmerung.state import (
    DAILOR,
    ELDOIN,
    GATES,
    PHASES,
    SIDES,
    Position,
    Site,
    State,
    Terrain,
    Unit,
    View,
)
from engine.rulesets.weltendaemmerung.tables import UnitRow, terrain_table, units_table
from engine.tabletop.focus import NOTHING, Focus

Decision = Work[State, AnyEvent]
FIRST_DAILOR = 7
COMMANDER = 6


# -- units and tiles ---------------------------------------------------------------------


def side_of(kind: int) -> int:
    """Who owns units of a type; the type alone says it. Rules: WD-UNIT-1."""
    return DAILOR if kind >= FIRST_DAILOR else ELDOIN


def unit_side(unit: Unit) -> int:
    """Whose unit it is. Rules: WD-UNIT-1."""
    return side_of(unit.type)


def unit_row(unit: Unit) -> UnitRow:
    """The numbers of a unit's type. Rules: WD-UNIT-1."""
    return units_table()[unit.type]


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


def land_of(position: Position, x: int) -> int:
    """Whose side of the frontier a column is. Rules: WD-GATE-2."""
    return ELDOIN if x < position.frontier else DAILOR


def statistics(state: Position) -> Mapping[str, tuple[int, ...]]:
    """Living units, their life and attack in total, and standing gates, of Eldoin and Dailor."""
    units, life, attack, gates = [0, 0], [0, 0], [0, 0], [0, 0]
    for unit in state.units.values():
        if unit.alive:
            side = side_of(unit.type)
            units[side] += 1
            life[side] += unit.v
            attack[side] += units_table()[unit.type].a
    for site in state.sites.values():
        gates[land_of(state, site.x)] += state.terrain[site.y, site.x] == Terrain.GATE
    named = {"units": units, "life": life, "attack": attack, "gates": gates}
    return {name: tuple(numbers) for name, numbers in named.items()}


# -- the side to move --------------------------------------------------------------------


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


def is_acting(view: View) -> bool:
    """Whether it is the viewer who is to act."""
    return view.winner < 0 and view.viewer == view.player


def acting_unit_at(view: View, x: int, y: int) -> Unit | None:
    """The living unit on a tile, if it belongs to the viewer, who is to act."""
    unit = unit_at(view, x, y)
    return unit if unit is not None and is_acting(view) and unit_side(unit) == view.player else None


def held_unit(view: View, focus: Focus) -> Unit | None:
    """The unit that is carried, or chosen as attacker, if it still can be."""
    unit = view.units.get(focus.held) if focus.held != NOTHING else None
    if unit is None or not unit.alive or view.phase == GATES:
        return None
    return unit if is_acting(view) and unit_side(unit) == view.player else None


def is_end_tile(view: View, x: int, y: int) -> bool:
    """Whether the button ends the phase here. Rules: WD-TURN-6."""
    if view.options.end_tile != "on" or view.terrain[y, x] != Terrain.END:
        return False
    return unit_at(view, x, y) is None


# -- names -------------------------------------------------------------------------------


def type_name(unit: Unit) -> str:
    """What a unit is called, such as "sword bearers"."""
    return unit_row(unit).english


def whose(unit: Unit) -> str:
    """A unit with its owner, such as "Dailor's wolf riders"."""
    return f"{SIDES[unit_side(unit)]}'s {type_name(unit)}"


def ground_name(terrain: int) -> str:
    """What a terrain is called."""
    return terrain_table()[terrain].english


def current_round(view: View) -> int:
    """The number of the round that is being played, from 1. Rules: WD-TURN-3."""
    return min(view.completed + 1, view.rounds)


def phase_name(view: View) -> str:
    """The phase as the book calls it. Rules: WD-TURN-1."""
    return PHASES[view.phase]
