"""Cities that a side may give orders to."""

from __future__ import annotations

from engine.strategic.pieces import City
from engine.strategic.refusal import Refusal, refuse
from engine.strategic.world import World


def own_city(world: World, side: int, number: int, rule: str) -> City:
    """A standing city of a side.

    Raises:
        Refused: there is none with this number.
    """
    city = world.cities.get(number)
    if city is None or city.razed or city.owner != side:
        refuse(Refusal.NO_SUCH_CITY, "You have no such city.", rule)
    return city
