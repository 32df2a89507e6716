"""The Torphase: Dailor leaves his gates open, Eldoin shuts what the enemy could reach."""

from __future__ import annotations

from engine.rulesets.weltendaemmerung.bot.goals import FAR, flood
from engine.rulesets.weltendaemmerung.bot.kinds import KINDS, NUMBER
from engine.rulesets.weltendaemmerung.bot.situation import Situation
from engine.rulesets.weltendaemmerung.state import ELDOIN, Terrain

WARNING = 2
"""Rounds of march from which an enemy has a gate shut."""


def gate_work(sit: Situation, side: int) -> list[int]:
    """The sites that a side should work now."""
    board = sit.board
    made: list[int] = []
    for tile in board.usable(side):
        shut = board.ground[tile] == Terrain.GATE
        if shut != (side == ELDOIN and _is_near(sit, tile)):
            made.append(tile)
    return made


def _is_near(sit: Situation, where: int) -> bool:
    """Whether an enemy on foot could stand on an open site within the warning."""
    board = sit.board
    axe = NUMBER["axe"]
    walk = sit.walk(axe)
    tolls = [0 if walk.enter[code] else FAR for code in board.ground]
    for tile, code in enumerate(board.ground):
        if code == Terrain.GATE and not board.is_western(tile):
            tolls[tile] = 0
    tolls[where] = 0
    foes = [slot for slot in sit.dailor if KINDS[board.kind[slot]].kind == "ground"]
    limit = WARNING * max((board.b_max[slot] for slot in foes), default=0)
    far = flood(walk, (where,), tolls, limit)
    return any(far[board.at[slot]] <= WARNING * board.b_max[slot] for slot in foes)
