"""Check that a view hides all secrets, by section 11 of the rule book alone."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.core.ids import Viewer
from engine.rulesets.warlords2.state import State, View
from engine.rulesets.warlords2.view import VIEWING

AWAY = 2
"""Maximum range of sight."""


def of_view(state: State, seen: View, viewer: Viewer) -> Iterator[str]:
    """Yield a sentence for each secret that is shown to a seat or the public."""
    if state.reason is not None:
        return
    yield from _others(seen, viewer)
    if VIEWING.has_fog(state):
        yield from _dark(state, seen, viewer)


def _others(seen: View, viewer: Viewer) -> Iterator[str]:
    """Yield the private facts of other sides that are shown."""
    for side in seen.sides.values():
        if side.id != viewer and (side.gold, side.order, side.quest) != (0, (), None):
            yield f"the purse, the line or the quest of side {side.id} is shown"
    for city in seen.cities.values():
        if city.owner != viewer and (city.making, city.left, city.vector) != (-1, 0, -1):
            yield f"what city {city.id} makes is shown"
    for army in seen.armies.values():
        if army.owner != viewer and (army.points, army.goal, army.xp) != (0, None, 0):
            yield f"what army {army.id} can and wants is shown"
    if any(transit.army.owner != viewer for transit in seen.transits.values()):
        yield "an army off the map is shown"
    asked = seen.question
    if asked is not None and asked.side != viewer and (asked.name, asked.city) != ("", -1):
        yield "the question of another is shown"


def _dark(state: State, seen: View, viewer: Viewer) -> Iterator[str]:
    """Yield faults in undiscovered land: records beyond the sight of the viewer's armies."""
    own = [army.at for army in state.armies.values() if army.owner == viewer]
    for army in seen.armies.values():
        near = any(max(abs(army.x - x), abs(army.y - y)) <= AWAY for x, y in own)
        if army.owner != viewer and not near:
            yield f"army {army.id} is shown out of sight"
    dark = np.ones_like(seen.terrain.cells, dtype=bool)
    if viewer >= 0:
        dark = state.discovered.cells >> viewer & 1 == 0
    if any(np.any(plane.cells[dark]) for plane in (seen.terrain, seen.roads, seen.art)):
        yield "land is shown that was never discovered"
