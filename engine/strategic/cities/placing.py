"""Where new armies stand, and with what numbers they begin."""

from __future__ import annotations

from engine.kit.grid import Place
from engine.strategic.book import Book
from engine.strategic.pieces import NOBODY, STACK, Army, City
from engine.strategic.world import World, armies_at


def room_in(world: World, city: City) -> Place | None:
    """The first tile of a city with room for an army: top left, top right, bottom left or right.

    Rules: W2-9.3.
    """
    return next((at for at in city.tiles if len(armies_at(world, at)) < STACK), None)


def garrison_of(world: World, city: City) -> tuple[Army, ...]:
    """The armies on the tiles of a city, tile by tile."""
    return tuple(army for at in city.tiles for army in armies_at(world, at))


def is_crowded(world: World, book: Book) -> bool:
    """Whether there are as many armies in the world as there may be, on their way or not.

    Rules: W2-1.8.
    """
    return len(world.armies) + len(world.transits) >= book.cities.most_armies


def recruit(world: World, book: Book, city: City, number: int, at: Place) -> Army:
    """The army that a city has finished, as it begins: rested, with the city's numbers.

    Rules: W2-9.3.
    """
    rules, slot = book.cities, city.slots[city.making]
    handicap = city.owner != NOBODY and world.sides[city.owner].enhanced
    strength = slot.strength + (rules.enhanced if handicap else 0)
    return Army(
        id=number,
        owner=city.owner,
        type=slot.type,
        x=at[0],
        y=at[1],
        strength=min(strength, max(slot.strength, rules.most_strength)),
        max_move=slot.move,
        points=slot.move,
        upkeep=rules.upkeep_of_slot(slot),
        home=city.id,
    )
