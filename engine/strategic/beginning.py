"""The beginning of a game: secrets, treaties, dealt cities and first sight."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import Final, TypeVar

import numpy as np

from engine.core.containers import Plane
from engine.core.dice import Dice
from engine.core.record import replace
from engine.kit.grid import square
from engine.strategic.decision import next_block
from engine.strategic.pieces import NOBODY, side_bit
from engine.strategic.settings import RuleSettings
from engine.strategic.sight import visible
from engine.strategic.world import PEACE, World

W = TypeVar("W", bound=World)

_WORD: Final = 1 << 32
_WORDS: Final = 4


def secret(dice: Dice) -> str:
    """Draw the secret of a hidden map: 16 random bytes as hexadecimal digits."""
    return "".join(f"{dice.roll(_WORD) - 1:08x}" for _ in range(_WORDS))


def kept_secret(described: W, dice: Dice, *, hidden: bool) -> W:
    """Return a position; if hidden and in mid-game, with a secret, so that ids reveal no counts.

    A position that needs no secret, or has one, is unchanged, and nothing is drawn.
    """
    if not hidden or described.lifted or described.reason is not None or described.secret:
        return described
    highest = max((described.next_id - 1, *described.armies, *described.transits))
    return replace(described, key=0, secret=secret(dice), next_id=next_block(highest))


def treaties(count: int, agreed: int) -> tuple[tuple[int, ...], ...]:
    """Return the treaty table of ``count`` sides, with the treaty ``agreed`` between any two."""
    return tuple(
        tuple(PEACE if one == other else agreed for other in range(count)) for one in range(count)
    )


def nearest_dealt(world: World, sides: Sequence[int], most: int) -> dict[int, int]:
    """Return new owners by city: in turn, each side takes the free city nearest to its capital.

    Deals out at most ``most`` cities.
    """
    free = [city for city in world.cities.values() if city.owner == NOBODY]
    owners: dict[int, int] = {}
    while free and len(owners) < most:
        side = world.sides[sides[len(owners) % len(sides)]]
        x, y = side.capital or (0, 0)
        nearest = min(free, key=lambda city: (isqrt(square((city.x - x, city.y - y))), city.id))
        owners[nearest.id] = side.id
        free.remove(nearest)
    return owners


def discovered(world: W, settings: RuleSettings) -> W:
    """Return the world with the tiles discovered that each side's armies see."""
    known = np.zeros(world.terrain.cells.shape, dtype=np.uint8)
    for side in world.sides:
        known[visible(world, settings, side)] |= np.uint8(side_bit(side))
    return replace(world, discovered=Plane(known))
