"""How far it is: fields of distance to a goal, through what can be opened or broken."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.rulesets.weltendaemmerung.bot.board import Board
from engine.rulesets.weltendaemmerung.bot.kinds import KINDS, OFF, WALLS
from engine.rulesets.weltendaemmerung.state import DAILOR, Terrain

FAR: Final = 9999
"""No way there."""


def tolls_of(board: Board, kind: int, gate: int, wall: int) -> list[int]:
    """What each tile costs on top, or FAR, for a type that cannot simply walk on it.

    Shut gates of its own side will be opened, so they cost little; those of the enemy must be
    broken, and so must walls.
    """
    its = KINDS[kind]
    table = [0 if its.enter[code] else FAR for code in range(OFF + 1)]
    ground = board.ground
    if its.kind != "ground":
        return [table[code] for code in ground]
    if its.side == DAILOR:
        for code in WALLS:
            table[code] = wall
    made = [table[code] for code in ground]
    for tile, code in enumerate(ground):
        if code == Terrain.GATE:
            foreign = board.is_western(tile) == (its.side == DAILOR)
            made[tile] = (gate if its.side == DAILOR else FAR) if foreign else 2
    return made


def field(board: Board, kind: int, goals: Iterable[int], tolls: list[int]) -> list[int]:
    """The points a type needs from every tile to the nearest goal, units left aside.

    Prices are those of the tiles left, as in WD-MOVE-2; FAR where there is no way.
    """
    price, ground, steps = KINDS[kind].price, board.ground, board.neighbours()
    far = [FAR] * len(ground)
    queues: list[list[int]] = [[] for _ in range(64)]
    for goal in goals:
        if far[goal]:
            far[goal] = 0
            queues[0].append(goal)
    spent, left = 0, len(queues[0])
    while left:
        queue = queues[spent]
        for tile in queue:
            left -= 1
            if far[tile] != spent:
                continue
            base = spent + tolls[tile]
            for step in steps:
                back = tile + step
                if tolls[back] >= FAR:
                    continue
                cost = base + price[ground[back]]
                if cost < far[back]:
                    far[back] = cost
                    while cost >= len(queues):
                        queues.extend([] for _ in range(64))
                    queues[cost].append(back)
                    left += 1
        spent += 1
    return far
