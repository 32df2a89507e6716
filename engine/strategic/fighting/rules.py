"""What rule books differ in, for this chapter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from engine.core.record import Record
from engine.kit.grid import Place
from engine.strategic.pieces import BattleClass
from engine.strategic.world import World

Fate: TypeAlias = Literal["occupy", "pillage", "sack", "raze"]
"""What becomes of a city that was taken."""


class Battleground(Record, frozen=True):
    """What a tile does to a battle on it.

    ``defence`` is what its walls, tower or ruins are worth; ``at_sea``: armies that are aboard
    fight as ships; ``mounts_last``: beside a hero the first flyer of a line fights last.
    """

    ground: BattleClass
    defence: int = 0
    at_sea: bool = False
    mounts_last: bool = False


@dataclass(frozen=True, eq=False)
class Experience:
    """What heroes learn from a battle that they survive, and the most that counts."""

    won: int
    won_city: int
    held: int
    most: int


@dataclass(frozen=True, eq=False)
class Medals:
    """When an army that attacked and won gets a medal.

    The die of 100 must be below ``chance`` less ``less`` for each medal bearer of the side, or
    below ``least``. ``strength`` and ``most`` are the most of strength and of medals. In the first
    turns, before ``early``, armies may win it alone against a foe stronger than ``worthy``.
    """

    chance: int
    less: int
    least: int
    most: int
    strength: int
    early: int
    worthy: int


@dataclass(frozen=True, eq=False)
class Spoils:
    """What taking a city costs, besides what the chapter on cities says.

    ``penalties`` are dice (count, sides, plus) that worsen the rating. ``ruin`` is the terrain of
    the tiles of a razed city, ``ruin_art`` their pictures by who razed it.
    """

    may_raze: bool
    penalties: Mapping[Fate, tuple[int, int, int]]
    ruin: int
    ruin_art: Callable[[int], tuple[int, int, int, int]]


@dataclass(frozen=True, eq=False)
class FightingRules:
    """Values, tables and policies.

    ``leadership`` is what the best hero adds, by its strength. ``cap`` is the most that a side's
    bonus comes to, ``most`` the most strength of an army in battle, ``aboard`` that of an army
    that fights as a ship. ``dice`` is the number of sides, ``rounds`` the most of a duel before
    the attacker's unit falls. ``novice_shield``: heroes of human players who fight in front of an
    attack on neutrals cannot be hit.
    """

    battleground: Callable[[World, Place], Battleground]
    leadership: tuple[int, ...]
    cap: int
    most: int
    aboard: int
    dice: int
    rounds: int
    novice_shield: bool
    experience: Experience
    medals: Medals
    spoils: Spoils
