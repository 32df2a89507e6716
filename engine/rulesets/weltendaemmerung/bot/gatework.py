"""The Torphase: Dailor leaves his gates open, Eldoin shuts what the enemy could reach."""

from __future__ import annotations

from engine.rulesets.weltendaemmerung.bot.goals import FAR, field
from engine.rulesets.weltendaemmerung.bot.kinds import KINDS, NUMBER
from engine.rulesets.weltendaemmerung.bot.situation import Situation
from engine.rulesets.weltendaemmerung.state import DAILOR, ELDOIN, Site, Terrain

WARNING = 2
"""Rounds of march from which an enemy has a gate shut."""


def dailor_gates(sit: Situation) -> list[tuple[int, int]]:
    """Own gates that are shut, to be opened."""
    view = sit.view
    return [
        (site.x, site.y)
        for site in _own(sit, DAILOR)
        if view.terrain[site.y, site.x] == Terrain.GATE
    ]


def eldoin_gates(sit: Situation) -> list[tuple[int, int]]:
    """Sites to be worked: shut those an enemy on foot can reach in time, open the others."""
    view = sit.view
    made: list[tuple[int, int]] = []
    for site in _own(sit, ELDOIN):
        shut = view.terrain[site.y, site.x] == Terrain.GATE
        if shut != _is_near(sit, site):
            made.append((site.x, site.y))
    return made


def _own(sit: Situation, side: int) -> list[Site]:
    """A side's sites that can be worked. Rules: WD-GATE-2, WD-GATE-5."""
    frontier = sit.view.frontier
    return [
        site
        for site in sit.view.sites.values()
        if not site.ruined and (site.x >= frontier) == (side == DAILOR)
    ]


def _is_near(sit: Situation, site: Site) -> bool:
    """Whether an enemy on foot could stand on an open site within the warning."""
    board = sit.board
    where = board.tile(site.x, site.y)
    axe = NUMBER["axe"]
    walk = KINDS[axe]
    extra = [0 if walk.enter[code] else FAR for code in board.ground]
    for tile, code in enumerate(board.ground):
        if code == Terrain.GATE and not board.is_foreign_gate(tile):
            extra[tile] = 0
    extra[where] = 0
    far = field(board, axe, (where,), extra)
    return any(
        KINDS[board.kind[slot]].kind == "ground"
        and far[board.at[slot]] <= WARNING * board.b_max[slot]
        for slot in sit.dailor
    )
