"""The scratch pad that every chapter works on, and how what is new gets its number."""

from __future__ import annotations

from typing import Final, TypeAlias

from engine.core.work import Work
from engine.strategic.events import AnyEvent
from engine.strategic.world import World

Desk: TypeAlias = Work[World, AnyEvent]
"""One decision: the world so far, the dice, and the events it led to."""

_HALF: Final = 10
"""Bits of each half of a scrambled number."""

_MASK: Final = (1 << _HALF) - 1
_TURNS: Final = 4


def new_ids(world: World, count: int) -> tuple[int, ...]:
    """Numbers for new armies; those of transits are the numbers of their armies.

    Where the world has a key they follow no order that would tell how many armies there are.
    """
    fresh = range(world.next_id, world.next_id + count)
    return tuple(scrambled(number, world.key) for number in fresh) if world.key else tuple(fresh)


def scrambled(number: int, key: int) -> int:
    """Another number below 2**20 for every number below it, one to one."""
    left, right = number >> _HALF & _MASK, number & _MASK
    for turn in range(_TURNS):
        mixed = (right * 0x9E37 + (key >> 8 * turn) * 0x85EB + turn * 0xC2B2) & 0xFFFFFFFF
        left, right = right, left ^ (mixed >> 11 & _MASK)
    return left << _HALF | right
