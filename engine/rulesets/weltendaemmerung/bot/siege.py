"""What stands in the way: the shut gate or wall that a unit's cheapest line meets first."""

from __future__ import annotations

from engine.rulesets.weltendaemmerung.bot.goals import FAR
from engine.rulesets.weltendaemmerung.bot.kinds import KINDS, WALLS
from engine.rulesets.weltendaemmerung.bot.situation import Situation
from engine.rulesets.weltendaemmerung.state import Terrain


def obstacles(sit: Situation, slot: int) -> list[int]:
    """The buildings on a unit's cheapest line to its goal that must be broken, nearest first."""
    board = sit.board
    kind = KINDS[board.kind[slot]]
    goal, tolls = sit.to_goal(kind.number), sit.tolls(kind.number)
    tile = board.at[slot]
    found: list[int] = []
    if goal[tile] >= FAR:
        return found
    steps = board.neighbours()
    while goal[tile]:
        tile = min(
            (tile + step for step in steps if tolls[tile + step] < FAR),
            key=lambda to: (goal[to] + tolls[to], to),
        )
        code = board.ground[tile]
        if code in WALLS or (code == Terrain.GATE and board.is_western(tile)):
            found.append(tile)
    return found


def can_break(sit: Situation, slot: int, tile: int) -> bool:
    """Whether a unit's attack would break what stands on a tile. Rules: WD-SIEGE-1, WD-SIEGE-4."""
    board = sit.board
    code = board.ground[tile]
    kind = KINDS[board.kind[slot]]
    if board.who[tile] >= 0:
        return False
    if code == Terrain.GATE:
        return kind.breaks_gates and board.is_western(tile)
    return kind.breaks_walls and code in WALLS


def breach(sit: Situation, slot: int) -> int:
    """The building that a siege unit should break next, or -1."""
    return next((tile for tile in obstacles(sit, slot) if can_break(sit, slot, tile)), -1)


def sieges(sit: Situation) -> list[tuple[int, int]]:
    """Which unit breaks which building now: those on its line that are in range."""
    board = sit.board
    made: list[tuple[int, int]] = []
    taken: set[int] = set()
    for slot in sit.dailor:
        kind = KINDS[board.kind[slot]]
        if not kind.besieges or board.b[slot] <= 0:
            continue
        for tile in obstacles(sit, slot):
            if tile in taken or not can_break(sit, slot, tile):
                continue
            if sit.in_range(kind.range, board.at[slot], tile):
                taken.add(tile)
                made.append((slot, tile))
                break
    return made
