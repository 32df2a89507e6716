"""Which army a command is about."""

from __future__ import annotations

from engine.strategic.pieces import Army
from engine.strategic.refusal import Refusal, refuse
from engine.strategic.world import World


def own_army(world: World, side: int, army: int, rule: str) -> Army:
    """An army of the side.

    Raises:
        Refused: there is none.
    """
    found = world.armies.get(army)
    if found is None or found.owner != side:
        refuse(Refusal.NO_SUCH_ARMY, "You have no such army.", rule)
    return found


def own_hero(world: World, side: int, army: int, rule: str) -> Army:
    """A hero of the side.

    Raises:
        Refused: there is none, or it is no hero.
    """
    found = own_army(world, side, army, rule)
    if found.hero is None:
        refuse(Refusal.NOT_A_HERO, "Only a hero can do that.", rule)
    return found


def own_group(world: World, side: int, armies: tuple[int, ...], rule: str) -> tuple[Army, ...]:
    """Armies of the side that stand together, as listed.

    Raises:
        Refused: none is named, one is named twice or is not the side's, or they stand apart.
    """
    found = tuple(own_army(world, side, army, rule) for army in armies)
    if not found or len(set(armies)) != len(armies):
        refuse(Refusal.NO_SUCH_ARMY, "Name each army once.", rule)
    if len({army.at for army in found}) > 1:
        refuse(Refusal.NOT_TOGETHER, "Those armies do not stand together.", rule)
    return found
