"""Signposts beside the roads of a new map (section 15.11)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.containers import Plane
from engine.core.dice import Dice
from engine.kit.grid import Place
from engine.rulesets.warlords2.recipe import recipe
from engine.rulesets.warlords2.terrain import Terrain
from engine.strategic.generate.settlements import by_sectors, clear, tiles
from engine.strategic.generate.shapes import around
from engine.strategic.pieces import City, Sign

_WINDS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")


def signposts(
    dice: Dice, terrain: Plane, roads: Plane, cities: Sequence[City], count: int
) -> tuple[Sign, ...]:
    """Up to so many signs on plains beside roads, each pointing to the two nearest cities.

    Rules: W2-15.11.
    """
    paved = roads.cells > 0
    free = (terrain.cells == Terrain.PLAINS) & ~paved & (around(paved) > 0)
    for city in cities:
        for tile in tiles((city.x, city.y)):
            clear(free, tile, recipe().signs.from_cities)
    places = by_sectors(dice, free, count, 4, 4)
    return tuple(Sign(x, y, _text((x, y), cities)) for x, y in places)


def _text(at: Place, cities: Sequence[City]) -> str:
    near = sorted(cities, key=lambda city: (_square(at, city), city.id))[:2]
    return "\n".join(f"{city.name}: {_wind(at, city)}" for city in near)


def _square(at: Place, city: City) -> int:
    return (city.x - at[0]) ** 2 + (city.y - at[1]) ** 2


def _wind(at: Place, city: City) -> str:
    """The direction of a city, one of eight."""
    dx, dy = city.x - at[0], city.y - at[1]
    if abs(dx) > 2 * abs(dy):
        return _WINDS[2] if dx > 0 else _WINDS[6]
    if abs(dy) > 2 * abs(dx):
        return _WINDS[4] if dy > 0 else _WINDS[0]
    if dx > 0:
        return _WINDS[3] if dy > 0 else _WINDS[1]
    return _WINDS[5] if dy > 0 else _WINDS[7]
