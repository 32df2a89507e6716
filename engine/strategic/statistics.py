"""Numbers of each side, for charts and summaries."""

from __future__ import annotations

from collections.abc import Mapping

from engine.strategic.world import World, armies_of, cities_of


def statistics(world: World) -> Mapping[str, tuple[int, ...]]:
    """By side: cities, armies and their strength, heroes, gold."""
    armies = [armies_of(world, side) for side in world.sides]
    return {
        "cities": tuple(len(cities_of(world, side)) for side in world.sides),
        "armies": tuple(map(len, armies)),
        "strength": tuple(sum(army.strength for army in own) for own in armies),
        "gold": tuple(side.gold for side in world.sides.values()),
        "heroes": tuple(sum(army.hero is not None for army in own) for own in armies),
    }
