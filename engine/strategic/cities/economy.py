"""Income and upkeep (section 9.6)."""

from __future__ import annotations

from engine.strategic.book import Book
from engine.strategic.desk import Desk
from engine.strategic.events import IncomeCame
from engine.strategic.heroes import items
from engine.strategic.world import World, armies_of, cities_of


def income(world: World, side: int) -> int:
    """What the cities of a side bring in a turn, and what its heroes' purses add for each city.

    Rules: W2-9.6.
    """
    cities = cities_of(world, side)
    return sum(city.income for city in cities) + len(cities) * items.purses(world, side)


def upkeep(world: World, book: Book, side: int) -> int:
    """What the armies of a side on the map cost in a turn.

    Rules: W2-9.6.
    """
    return sum(book.cities.upkeep(army) for army in armies_of(world, side))


def run(work: Desk, book: Book, side: int) -> None:
    """Income comes, upkeep is paid; a purse is never below 0 nor too full.

    Rules: W2-9.6.
    """
    world = work.state
    comes, goes = income(world, side), upkeep(world, book, side)
    gold = max(0, min(world.sides[side].gold + comes - goes, book.cities.most_gold))
    work.emit(IncomeCame(side=side, income=comes, upkeep=goes, gold=gold))
