"""Places for cities, sites and signs."""

from __future__ import annotations

import numpy as np

from engine.core.dice import Dice
from engine.kit.grid import Place
from engine.strategic.generate.shapes import Mask, around


def blocks(free: Mask, margin: int) -> Mask:
    """Where a block of 2x2 free tiles can have its top left tile, so far from the edge at least."""
    room = np.zeros_like(free)
    room[:-1, :-1] = free[:-1, :-1] & free[1:, :-1] & free[:-1, 1:] & free[1:, 1:]
    inside = np.zeros_like(free)
    height, width = free.shape
    inside[margin : height - margin - 1, margin : width - margin - 1] = True
    return np.asarray(room & inside)


def beside(mask: Mask) -> Mask:
    """The top left tiles of the 2x2 blocks that touch the mask with a side or a corner."""
    near = around(mask) > 0
    touching = near.copy()
    touching[:-1] |= near[1:]
    touching[:, :-1] |= near[:, 1:]
    touching[:-1, :-1] |= near[1:, 1:]
    return touching


def towns(dice: Dice, room: Mask, coast: Mask, count: int, gap: int) -> tuple[Place, ...]:
    """Top left tiles of up to ``count`` cities with at least ``gap`` tiles between any two.

    Every third lies at the coast if it can. Of three places that are drawn for a city the one
    farthest from all others is taken, so that no part of the land is forgotten.
    """
    left = room.copy()
    found: list[Place] = []
    for number in range(count):
        wanted = left & coast if number % 3 == 0 else left
        at = _lonely(dice, wanted if wanted.any() else left, found)
        if at is None:
            break
        found.append(at)
        clear(left, at, gap + 1)
    return tuple(found)


def clear(left: Mask, at: Place, reach: int) -> None:
    """Take away everything up to ``reach`` tiles from a place."""
    x, y = at
    left[max(y - reach, 0) : y + reach + 1, max(x - reach, 0) : x + reach + 1] = False


def _lonely(dice: Dice, mask: Mask, others: list[Place]) -> Place | None:
    free = np.flatnonzero(mask)
    if not free.size:
        return None
    best: tuple[int, Place] | None = None
    for _ in range(3 if others else 1):
        y, x = divmod(int(free[dice.roll(free.size) - 1]), mask.shape[1])
        away = min((max(abs(x - a), abs(y - b)) for a, b in others), default=0)
        if best is None or away > best[0]:
            best = away, (x, y)
    return best[1] if best else None


def by_sectors(dice: Dice, free: Mask, count: int, across: int, gap: int) -> tuple[Place, ...]:
    """Up to ``count`` free tiles, one after the other from each of ``across`` squared sectors.

    A tile takes all free tiles up to ``gap`` from it away; sectors without room are passed over.
    """
    left = free.copy()
    found: list[Place] = []
    height, width = free.shape
    empty = 0
    number = 0
    while len(found) < count and empty < across * across:
        row, column = divmod(number % (across * across), across)
        number += 1
        sector = np.zeros_like(left)
        sector[
            row * height // across : (row + 1) * height // across,
            column * width // across : (column + 1) * width // across,
        ] = True
        choices = np.flatnonzero(left & sector)
        if not choices.size:
            empty += 1
            continue
        empty = 0
        y, x = divmod(int(choices[dice.roll(choices.size) - 1]), width)
        found.append((x, y))
        clear(left, (x, y), gap)
    return tuple(found)
