"""Texts of a new map: names of cities and sites, and signposts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.core.dice import Dice, shuffle
from engine.kit.fields import Mask
from engine.kit.grid import Place, square
from engine.strategic.generate.settlements import by_sectors, clear, tiles
from engine.strategic.pieces import City, Sign

_LONGEST: Final = 15
"""Maximum length of a city's name."""

_ACROSS: Final = 4
"""Number of sectors across and down that signs are dealt to, and of tiles between two signs."""

_WINDS: Final = (
    "north",
    "north-east",
    "east",
    "south-east",
    "south",
    "south-west",
    "west",
    "north-west",
)


def city_names(
    dice: Dice, first: Sequence[str], second: Sequence[str], count: int
) -> tuple[str, ...]:
    """Return different names of cities; every first word is used once before any is used twice."""
    words = [*shuffle(dice, first), *shuffle(dice, first), *shuffle(dice, first)]
    found: dict[str, None] = {}
    for word in words:
        for _ in range(20):
            name = word + second[dice.roll(len(second)) - 1]
            if name not in found and len(name) <= _LONGEST:
                found[name] = None
                break
    return tuple(found)[:count]


def numbered(dice: Dice, words: Sequence[str], count: int) -> tuple[str, ...]:
    """Return ``count`` words in a drawn order; a repeated word gets a number."""
    order = shuffle(dice, words)
    rounds = (number // len(order) for number in range(count))
    return tuple(
        order[number % len(order)] + ("" if lap == 0 else f" {'I' * (lap + 1)}")
        for number, lap in enumerate(rounds)
    )


def signposts(
    dice: Dice, free: Mask, cities: Sequence[City], away: int, count: int
) -> tuple[Sign, ...]:
    """Return up to ``count`` signs on free tiles ``away`` from cities, with the two nearest."""
    left = free.copy()
    for city in cities:
        for tile in tiles((city.x, city.y)):
            clear(left, tile, away)
    places = by_sectors(dice, left, count, _ACROSS, _ACROSS)
    return tuple(Sign(x, y, sign_text((x, y), cities)) for x, y in places)


def sign_text(at: Place, cities: Sequence[City]) -> str:
    """Return the two cities nearest to a place, with their directions."""
    near = sorted(cities, key=lambda city: (square((city.x - at[0], city.y - at[1])), city.id))[:2]
    return "\n".join(f"{city.name}: {_wind(at, city)}" for city in near)


def _wind(at: Place, city: City) -> str:
    """Return the direction of a city as one of eight winds."""
    dx, dy = city.x - at[0], city.y - at[1]
    if abs(dx) > 2 * abs(dy):
        return _WINDS[2] if dx > 0 else _WINDS[6]
    if abs(dy) > 2 * abs(dx):
        return _WINDS[4] if dy > 0 else _WINDS[0]
    if dx > 0:
        return _WINDS[3] if dy > 0 else _WINDS[1]
    return _WINDS[5] if dy > 0 else _WINDS[7]
