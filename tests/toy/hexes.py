"""The geometry of the map: hexes in rows, odd rows shifted half a hex to the right."""

from __future__ import annotations

from engine.tabletop.focus import Direction
from tests.toy.state import Band, Seen, Terrain

Hex = tuple[int, int]


def step(at: Hex, direction: Direction) -> Hex:
    """Return the hex next to ``at`` in a direction.

    Up and down, which hexes lack, keep the column.
    """
    x, y = at
    shift = y % 2
    return {
        "left": (x - 1, y),
        "right": (x + 1, y),
        "up": (x, y - 1),
        "down": (x, y + 1),
        "up-left": (x - 1 + shift, y - 1),
        "up-right": (x + shift, y - 1),
        "down-left": (x - 1 + shift, y + 1),
        "down-right": (x + shift, y + 1),
    }[direction]


def beside(at: Hex) -> tuple[Hex, ...]:
    """Return the six hexes around a hex, even those off the map.

    >>> beside((1, 1))
    ((0, 1), (2, 1), (1, 0), (2, 0), (1, 2), (2, 2))
    """
    return (
        step(at, "left"),
        step(at, "right"),
        step(at, "up-left"),
        step(at, "up-right"),
        step(at, "down-left"),
        step(at, "down-right"),
    )


def distance(one: Hex, other: Hex) -> int:
    """Return the number of steps between two hexes, across water too.

    >>> distance((0, 0), (2, 3))
    4
    """
    (ax, ay), (bx, by) = one, other
    over = abs((ax - ay // 2) - (bx - by // 2))
    skew = (ax - ay // 2 + ay) - (bx - by // 2 + by)
    return max(over, abs(ay - by), abs(skew))


def is_land(seen: Seen, at: Hex) -> bool:
    """Return whether a hex is on the map and bands can stand on it."""
    return seen.terrain.has(*at) and seen.terrain[at[1], at[0]] != Terrain.WATER


def paths(seen: Seen, start: Hex, longest: int) -> list[tuple[Hex, ...]]:
    """Return a shortest path over land to each hex at most ``longest`` steps away."""
    found: dict[Hex, tuple[Hex, ...]] = {start: ()}
    for _ in range(longest):
        for at, path in list(found.items()):
            for other in beside(at):
                if is_land(seen, other):
                    found.setdefault(other, (*path, other))
    return [path for path in found.values() if path]


def standing(seen: Seen, at: Hex) -> tuple[Band, ...]:
    """Return the living bands on a hex, in id order."""
    return tuple(band for band in seen.bands.values() if band.alive and (band.x, band.y) == at)
