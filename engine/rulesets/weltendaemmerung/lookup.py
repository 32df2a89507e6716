"""Lookups that every chapter uses: units and tiles of a position, the side to move, names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from engine.core.decision import BaseDecision
from engine.core.refused import Refused
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

Decision: TypeAlias = BaseDecision[State, AnyEvent]
"""State, dice and events of a command that is being decided."""

FIRST_DAILOR: Final = 7
"""Number of Dailor's first unit type."""

COMMANDER: Final = 6
"""Number of the type of Eldoin's commander."""


# -- units and tiles ---------------------------------------------------------------------


def side_of(kind: int) -> int:
    """Return the side that owns the units of a type. Rules: WD-UNIT-1."""
    return DAILOR if kind >= FIRST_DAILOR else ELDOIN


def unit_side(unit: Unit) -> int:
    """Return the side that owns a unit. See: WD-UNIT-1."""
    return side_of(unit.type)


def unit_row(unit: Unit) -> UnitRow:
    """Return the table row of a unit's type. Rules: WD-UNIT-1."""
    return units_table()[unit.type]


def unit_at(position: Position, x: int, y: int) -> Unit | None:
    """Return the living unit on a tile, or None."""
    for unit in position.units.rows():
        if unit.x == x and unit.y == y and unit.alive:
            return unit
    return None


def site_at(position: Position, x: int, y: int) -> Site | None:
    """Return the gate site on a tile, or None."""
    for site in position.sites.rows():
        if site.x == x and site.y == y:
            return site
    return None


def living(position: Position, side: int) -> int:
    """Return the number of a side's living units. Rules: WD-WIN-6."""
    return sum(unit.alive and side_of(unit.type) == side for unit in position.units.rows())


def land_of(position: Position, x: int) -> int:
    """Return the side that owns a column's land: Eldoin west of the frontier. Rules: WD-GATE-2."""
    return ELDOIN if x < position.frontier else DAILOR


def statistics(state: Position) -> Mapping[str, tuple[int, ...]]:
    """Count living units, their total life and attack, and shut gates, each for both sides."""
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
    """Return a living unit of the player to move, by id.

    Raises:
        Refused: NOT_YOURS, also for a destroyed or an unknown unit.
    """
    found = state.units.get(unit)
    if found is None or not found.alive or side_of(found.type) != state.player:
        raise Refused(Refusal.NOT_YOURS, "That is not your unit.", "WD-UNIT-1")
    return found


def need_phase(state: State, phase: int, text: str, rule: str) -> None:
    """Refuse a command outside its phase.

    Raises:
        Refused: WRONG_PHASE.
    """
    if state.phase != phase:
        raise Refused(Refusal.WRONG_PHASE, text, rule)


def is_acting(view: View) -> bool:
    """Return whether the viewer is the player to move and the game is not over."""
    return view.winner < 0 and view.viewer == view.player


def acting_unit_at(view: View, x: int, y: int) -> Unit | None:
    """Return the living unit on a tile that the viewer may act with now, or None."""
    unit = unit_at(view, x, y)
    return unit if unit is not None and is_acting(view) and unit_side(unit) == view.player else None


def held_unit(view: View, focus: Focus) -> Unit | None:
    """Return the unit carried or chosen as attacker; None if it is gone or may not act."""
    unit = view.units.get(focus.held) if focus.held != NOTHING else None
    if unit is None or not unit.alive or view.phase == GATES:
        return None
    return unit if is_acting(view) and unit_side(unit) == view.player else None


def is_end_tile(view: View, x: int, y: int) -> bool:
    """Return whether the button ends the phase here: a free End tile. Rules: WD-TURN-6."""
    if view.options.end_tile != "on" or view.terrain[y, x] != Terrain.END:
        return False
    return unit_at(view, x, y) is None


# -- names -------------------------------------------------------------------------------


def type_name(unit: Unit) -> str:
    """Return the name of a unit's type, such as "sword bearers"."""
    return unit_row(unit).english


def whose(unit: Unit) -> str:
    """Return the name of a unit with its owner, such as "Dailor's wolf riders"."""
    return f"{SIDES[unit_side(unit)]}'s {type_name(unit)}"


def acting(unit: Unit, verb: str) -> str:
    """Return a unit with owner and verb: "Dailor's wolf riders hit", "Eldoin's eagle hits"."""
    several = type_name(unit).endswith(("s", "men"))
    return f"{whose(unit)} {verb}{'' if several else 's'}"


def ground_name(terrain: int) -> str:
    """Return the name of a terrain."""
    return terrain_table()[terrain].english


def current_round(view: View) -> int:
    """Return the number of the round in play, from 1. See: WD-TURN-3."""
    return min(view.completed + 1, view.rounds)


def phase_name(view: View) -> str:
    """Return the name of the phase in the rule book. See: WD-TURN-1."""
    return PHASES[view.phase]


def ending_of(view: View) -> str:
    """Return what ends the phase, as text: ``end movement``. See: WD-TURN-5."""
    return ("end movement", "end attacks", "end gate work")[view.phase]
