"""What has a name to be searched for."""

from __future__ import annotations

import numpy as np

from engine.rulesets.weltendaemmerung import sight
from engine.rulesets.weltendaemmerung.gates import land_of
from engine.rulesets.weltendaemmerung.lookup import unit_at
from engine.rulesets.weltendaemmerung.state import SIDES, Site, Terrain, Unit, View
from engine.tabletop.board import Find


def finds(view: View) -> tuple[Find, ...]:
    """Living units, gate sites, and End tiles nobody stands on. Rules: WD-UNIT-1, WD-GATE-2."""
    units = [_unit(unit) for unit in view.units.values() if unit.alive]
    sites = [_site(view, site) for site in view.sites.values()]
    return (*units, *sites, *_ends(view))


def _unit(unit: Unit) -> Find:
    side = sight.side(unit)
    text = f"{sight.type_name(unit)} {unit.id} ({SIDES[side]})"
    return Find(text, "unit", (unit.x, unit.y), side)


def _site(view: View, site: Site) -> Find:
    owner = land_of(view, site.x)
    shut = view.terrain[site.y, site.x] == Terrain.GATE
    word = "ruined gate" if site.ruined else "gate" if shut else "open gate"
    text = f"{word} {site.x},{site.y} ({SIDES[owner]})"
    return Find(text, "gate", (site.x, site.y), owner)


def _ends(view: View) -> list[Find]:
    rows, columns = np.nonzero(view.terrain.cells == Terrain.END)
    places = zip(columns.tolist(), rows.tolist(), strict=True)
    return [
        Find(f"{sight.ground_name(Terrain.END)} {x},{y}", "place", (x, y))
        for x, y in places
        if unit_at(view, x, y) is None
    ]
