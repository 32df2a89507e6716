"""Armies rest: what they can move in a turn (section 6.3)."""

from __future__ import annotations

from collections import Counter

from engine.kit.grid import Place
from engine.strategic.book import Book
from engine.strategic.desk import Desk
from engine.strategic.events import PointsRefilled
from engine.strategic.heroes import items
from engine.strategic.world import World, armies_of


def run(work: Desk, book: Book, side: int) -> None:
    """All armies of a side get their points.

    Rules: W2-6.3.
    """
    world = work.state
    bearers = speed_bearers(world, side)
    after = ((army, book.turns.refill(army, bearers[army.at])) for army in armies_of(world, side))
    points = tuple((army.id, rested) for army, rested in after if rested != army.points)
    if points:
        work.emit(PointsRefilled(side=side, points=points))


def speed_bearers(world: World, side: int) -> Counter[Place]:
    """On which tiles of a side heroes have something that speeds up, and how many.

    Rules: W2-6.3.
    """
    return Counter(
        army.at
        for army in armies_of(world, side)
        if army.hero is not None and items.speed(world, army.id) > 0
    )
