"""How much armies are worth in a fight, roughly: cheap enough to weigh every goal of every group.

A battle to the death gives each hit to one side or the other, so what an army is worth in it is
close to proportional to the odds of its die (strength against what is left of the die). Exact
chances come from ``engine.strategic.battle``, before an attack is ordered.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from engine.strategic import item_records as items
from engine.strategic.battle_records import Battleground
from engine.strategic.pieces import CLASSES, NOBODY, Army
from engine.strategic.settings import RuleSettings as Book
from engine.strategic.world import World

_STEEP: Final = 1.5
"""How quickly the chance of one army against one grows with what they are worth."""

_SAFE: Final = 15


class Force(NamedTuple):
    """What armies are worth together, and how many they are."""

    power: float
    size: int


NOTHING: Final = Force(0.0, 0)


def together(forces: Iterable[Force]) -> Force:
    """Forces that fight one after the other."""
    listed = tuple(forces)
    return Force(sum(one.power for one in listed), sum(one.size for one in listed))


def chance(attackers: Force, defenders: Force) -> float:
    """About how likely the attackers win."""
    if not defenders.size:
        return 1.0
    if not attackers.size:
        return 0.0
    mean = 2 * attackers.size * defenders.size / (attackers.size + defenders.size)
    odds: float = (defenders.power / attackers.power) ** (_STEEP * mean**0.5)
    return 1 / (1 + odds)


def worth(army: Army) -> float:
    """What losing an army costs, in the measure in which goals are worth something."""
    value = 3 + 25 * _odds(army.strength + 1, 20)
    return value + 18 if army.hero is not None else value


def force(
    world: World, book: Book, group: Sequence[Army], field: Battleground, *, defends: bool
) -> Force:
    """What armies of one side are worth in a battle, as far as that is their own doing.

    ``defends``: the ground helps them. What foes cancel is left aside.
    """
    if not group:
        return NOTHING
    ground = CLASSES.index(field.ground)
    walls = field.defence if defends and field.ground == "city" else 0
    if group[0].owner == NOBODY:
        walls //= 2
    lead, more = 0, 0
    pack = max(0, *(world.types[army.type].pack[ground] for army in group))
    for army in group:
        if army.hero is not None:
            great = min(len(book.fighting.leadership) - 1, _weight(world, army))
            lead = max(lead, book.fighting.leadership[great])
            more += items.command(world, army.id) + items.standards(world, army.id)
    support = min(book.fighting.cap, pack + lead + more + walls)
    power = 0.0
    for army in group:
        own = world.types[army.type].own[ground]
        strength = _weight(world, army) + own + support
        if army.aboard and field.at_sea:
            strength = book.fighting.aboard
        power += _odds(strength, book.fighting.dice)
    return Force(power, len(group))


def _weight(world: World, army: Army) -> int:
    if army.hero is None:
        return army.strength
    return army.strength + items.weapons(world, army.id)


def _odds(strength: int, sides: int) -> float:
    fights = max(1, min(_SAFE, strength))
    return fights / (sides - fights)
