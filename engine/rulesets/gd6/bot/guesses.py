"""What rivals might do, as far as a view tells."""

from __future__ import annotations

from collections.abc import Sequence

from engine.rulesets.gd6.bot.listing import Scene, list_of
from engine.rulesets.gd6.bot.sketch import Sketch
from engine.rulesets.gd6.bot.style import Style
from engine.rulesets.gd6.bot.trial import Orders
from engine.rulesets.gd6.orders import UNITS
from engine.rulesets.gd6.stages_spawn import per_territories

MARGIN = 1
"""Rivals from whom so many borders more than units go in a turn part own land are held for idle."""


def neighbours(scene: Scene) -> list[int]:
    """The rivals who can matter to this seat's land in this turn."""
    board = scene.board
    own = board.lands(scene.seat) or list(scene.homes.values())
    far = board.longest + MARGIN
    found = []
    for rival in board.seats:
        if rival == scene.seat:
            continue
        if scene.settles(rival):
            found.append(rival)
            continue
        armed = [at for at in board.lands(rival) if board.health(at) or board.hq[at]]
        if any(board.geo.apart[at][other] <= far for at in armed for other in own):
            found.append(rival)
    return found


def by_style(scene: Scene, rivals: Sequence[int], style: Style) -> Orders:
    """Every rival plays level 1 in a style."""
    return {rival: list_of(scene, rival, style).orders() for rival in rivals}


def repeated(scene: Scene, rivals: Sequence[int]) -> Orders:
    """Every rival spawns where it did last turn and goes the ways it went."""
    return {rival: _again(scene, rival).orders() for rival in rivals}


def _again(scene: Scene, rival: int) -> Sketch:
    board, sketch = scene.board, Sketch()
    allowed = set(board.spawn_places(rival)) if "spawn" in scene.due else set()
    left = per_territories(board.opened.get(rival, 0))
    there = {at: board.units[at].copy() for at in board.lands(rival)}
    for deed in scene.state.deeds:
        if deed.seat != rival or deed.kind not in ("spawn", "move"):
            continue
        if deed.kind == "spawn":
            count = min(deed.count, left) if deed.at in allowed else 0
            if count:
                sketch.spawns[deed.at] = sketch.spawns.get(deed.at, 0) + count
                there.setdefault(deed.at, [0] * len(UNITS))[0] += count
                left -= count
        elif deed.at in there:
            unit = next((place for place, name in enumerate(UNITS) if name == deed.what), 0)
            count, there[deed.at][unit] = there[deed.at][unit], 0
            if count:
                sketch.moves.append(((deed.at, deed.to), unit, count))
    return sketch
