"""Questions that the presenter and the tools ask of a view: who may act, what is called how."""

from __future__ import annotations

from engine.kit.grid import Place, Ways
from engine.rulesets.weltendaemmerung.fighting import breaks
from engine.rulesets.weltendaemmerung.gates import land_of
from engine.rulesets.weltendaemmerung.lookup import Position, side_of, site_at, unit_at
from engine.rulesets.weltendaemmerung.state import PHASES, SIDES, Terrain, Unit, View
from engine.rulesets.weltendaemmerung.tables import UnitRow, terrain_table, units_table


def row(unit: Unit) -> UnitRow:
    """The numbers of a unit's type. Rules: WD-UNIT-1."""
    return units_table()[unit.type]


def side(unit: Unit) -> int:
    """Whose unit it is. Rules: WD-UNIT-1."""
    return side_of(unit.type)


def type_name(unit: Unit) -> str:
    """What a unit is called, such as "sword bearers"."""
    return row(unit).english


def whose(unit: Unit) -> str:
    """A unit with its owner, such as "Dailor's wolf riders"."""
    return f"{SIDES[side(unit)]}'s {type_name(unit)}"


def ground_name(terrain: int) -> str:
    """What a terrain is called."""
    return terrain_table()[terrain].english


def round_now(view: View) -> int:
    """The number of the round that is being played, from 1. Rules: WD-TURN-3."""
    return min(view.completed + 1, view.rounds)


def phase_name(view: View) -> str:
    """The phase as the book calls it. Rules: WD-TURN-1."""
    return PHASES[view.phase]


def is_acting(view: View) -> bool:
    """Whether it is the viewer who is to act."""
    return view.winner < 0 and view.viewer == view.player


def own_unit(view: View, x: int, y: int) -> Unit | None:
    """The living unit on a tile, if it belongs to the viewer, who is to act."""
    unit = unit_at(view, x, y)
    return unit if unit is not None and is_acting(view) and side(unit) == view.player else None


def ways(position: Position) -> Ways:
    """How many neighbours a tile has in this game. Rules: WD-MOVE-1, section 19.1."""
    return 8 if position.options.steps == "eight" else 4


def can_break(position: Position, unit: Unit, x: int, y: int) -> bool:
    """Whether a siege of the building on a free tile would succeed.

    Rules: WD-SIEGE-1, WD-SIEGE-2, WD-SIEGE-4, WD-SIEGE-5.
    """
    terrain = position.terrain[y, x]
    if not breaks(unit.type, terrain):
        return False
    if terrain != Terrain.GATE:
        return True
    site = site_at(position, x, y)
    return x < position.frontier and site is not None and not site.ruined


def workable(view: View) -> tuple[Place, ...]:
    """The gate sites that the side to act may work. Rules: WD-GATE-2, WD-GATE-5."""
    return tuple(
        (site.x, site.y)
        for site in view.sites.values()
        if not site.ruined and land_of(view, site.x) == view.player
    )
