"""Numbers per side, for charts and summaries."""

from __future__ import annotations

from collections.abc import Mapping

from engine.rulesets.weltendaemmerung.gates import land_of
from engine.rulesets.weltendaemmerung.lookup import Position, side_of
from engine.rulesets.weltendaemmerung.state import Terrain
from engine.rulesets.weltendaemmerung.tables import units_table


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
