"""How a group of armies moves: on foot, in the air or on water, and what it is good at."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple

from engine.strategic.heroes import effects
from engine.strategic.moving.rules import MovingRules
from engine.strategic.pieces import Army
from engine.strategic.world import World

ROADS: Final = 0x01
BRIDGES: Final = 0x02
WOODS: Final = 0x04
HILLS: Final = 0x08
"""The flags of a group: its bonuses and abilities. Rules: W2-4.4, W2-5.1."""

WISE: Final = {"woods": WOODS, "hills": HILLS}


class Mode(IntEnum):
    """How a group moves. Rules: W2-5.1."""

    GROUND = 0
    AIR = 1
    WATER = 2


class Mover(NamedTuple):
    """All that matters of a group for prices: equal movers have equal ways.

    ``aboard``: some member is embarked. ``boats``: some member is a boat.
    """

    side: int
    mode: Mode
    flags: int
    aboard: bool = False
    boats: bool = False


def flies(world: World, army: Army) -> bool:
    """Whether an army flies: by nature, or with an item. Rules: W2-6.1."""
    by_nature = "fly" in world.types[army.type].traits
    return by_nature or (army.hero is not None and effects.flies(world, army.id))


def is_boat(world: World, army: Army) -> bool:
    """Whether an army is a boat. Rules: W2-6.6."""
    return "boat" in world.types[army.type].traits


def is_afloat(world: World, rules: MovingRules, army: Army) -> bool:
    """Whether an army is embarked, or on water without anything to fly with any more."""
    if army.aboard:
        return True
    on_water = world.terrain[army.y, army.x] in rules.water
    return on_water and not is_boat(world, army) and not flies(world, army)


def mover(world: World, rules: MovingRules, armies: tuple[Army, ...]) -> Mover | None:
    """How a group moves; None: its armies cannot go together.

    Rules: W2-4.4, W2-6.1, W2-6.2.
    """
    side = armies[0].owner
    winged = [army for army in armies if flies(world, army)]
    walkers = [army for army in armies if not flies(world, army)]
    if _all_fly(world, rules, winged, walkers):
        return Mover(side, Mode.AIR, ROADS | BRIDGES | WOODS | HILLS)
    boats = [army for army in walkers if is_boat(world, army)]
    afloat = [army for army in walkers if is_afloat(world, rules, army)]
    flags = 0 if boats else ROADS | BRIDGES
    flags |= _abilities(world, rules, [army for army in walkers if army not in boats])
    if len(boats) + len(afloat) == len(walkers):
        return Mover(side, Mode.WATER, flags, bool(afloat), bool(boats))
    return None if boats or afloat else Mover(side, Mode.GROUND, flags)


def _all_fly(world: World, rules: MovingRules, winged: list[Army], walkers: list[Army]) -> bool:
    if not walkers:
        return True
    carriers = any("fly" in world.types[army.type].traits for army in winged)
    return rules.riders and carriers and all(army.hero is not None for army in walkers)


def _abilities(world: World, rules: MovingRules, walkers: list[Army]) -> int:
    """The terrains that a group is wise in; flyers do not count. Rules: W2-6.2."""
    enough = all if rules.all_wise else any
    return sum(
        WISE[trait]
        for trait, _ in rules.wise
        if enough(trait in world.types[army.type].traits for army in walkers)
    )


def points(armies: tuple[Army, ...]) -> int:
    """What a group can spend: what its tiredest member can. Rules: W2-6.2."""
    return min(army.points for army in armies)
