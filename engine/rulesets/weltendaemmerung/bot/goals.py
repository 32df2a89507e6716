"""How far it is: fields of distance to a goal, through what can be opened or broken."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from engine.rulesets.weltendaemmerung.bot.kinds import WALLS
from engine.rulesets.weltendaemmerung.state import DAILOR, Terrain

FAR: Final = 9999
"""No way there."""

OWN_GATE: Final = 2
"""What a shut gate costs its own side on top: it will be opened."""

KEPT: Final = 192
"""Fields kept for positions of the same terrain: the same question has the same answer."""


class Walk(NamedTuple):
    """How a type walks over a terrain. Types that walk alike have equal walks.

    ``gate`` and ``wall`` are what it counts to have one broken.
    """

    ground: bytes
    stride: int
    frontier: int
    side: int
    flies: bool
    enter: tuple[bool, ...]
    price: tuple[int, ...]
    gate: int
    wall: int


@lru_cache(maxsize=KEPT)
def tolls_of(walk: Walk) -> list[int]:
    """What each tile costs on top, or FAR, for a type that cannot simply walk on it.

    Only Dailor breaks buildings, and gates only west of the frontier. Rules: WD-SIEGE-1,
    WD-SIEGE-4.
    """
    table = [0 if may else FAR for may in (*walk.enter, False)]
    on_foot = not walk.flies and walk.enter[Terrain.MEADOW]
    if on_foot and walk.side == DAILOR:
        for code in WALLS:
            table[code] = walk.wall
    made = [table[code] for code in walk.ground]
    if not on_foot:
        return made
    for tile, code in enumerate(walk.ground):
        if code == Terrain.GATE:
            foreign = (tile % walk.stride - 1 < walk.frontier) == (walk.side == DAILOR)
            made[tile] = (walk.gate if walk.side == DAILOR else FAR) if foreign else OWN_GATE
    return made


@lru_cache(maxsize=KEPT)
def field(walk: Walk, goals: tuple[int, ...]) -> list[int]:
    """The points a type needs from every tile to the nearest goal, units left aside.

    Prices are those of the tiles left, as in WD-MOVE-2; FAR where there is no way.
    """
    return flood(walk, goals, tolls_of(walk), FAR)


def flood(walk: Walk, goals: tuple[int, ...], tolls: list[int], limit: int) -> list[int]:
    """A field under other tolls, and only as far as a limit."""
    ground, price = walk.ground, walk.price
    steps = (-walk.stride, walk.stride, -1, 1)
    leaving = [price[code] for code in ground]
    far = [FAR] * len(ground)
    queues: list[list[int]] = [[] for _ in range(64)]
    for goal in goals:
        if far[goal]:
            far[goal] = 0
            queues[0].append(goal)
    spent, left = 0, len(queues[0])
    while left and spent <= limit:
        queue = queues[spent]
        for tile in queue:
            if far[tile] != spent:
                continue
            base = spent + tolls[tile]
            for step in steps:
                back = tile + step
                cost = base + leaving[back]
                if cost < far[back] and tolls[back] < FAR:
                    far[back] = cost
                    while cost >= len(queues):
                        queues.extend([] for _ in range(64))
                    queues[cost].append(back)
                    left += 1
        left -= len(queue)
        spent += 1
    return far
