"""Field towers (section 6.7)."""

from __future__ import annotations

from engine.strategic.book import Book
from engine.strategic.desk import Desk
from engine.strategic.events import TowersBuilt, TowersFell
from engine.strategic.pieces import Tower
from engine.strategic.world import armies_at, armies_of


def build(work: Desk, book: Book, side: int) -> None:
    """Armies of a side that defend build towers where there are none of theirs.

    Rules: W2-6.7.
    """
    world = work.state
    places = sorted(
        {
            army.at
            for army in armies_of(world, side)
            if army.defends and not army.aboard and book.turns.builds_on(world, army.at)
        },
        key=lambda at: (at[1], at[0]),
    )
    towers = (Tower(id=y * world.width + x, x=x, y=y, owner=side) for x, y in places)
    new = tuple(tower for tower in towers if world.towers.get(tower.id) != tower)
    if new:
        work.emit(TowersBuilt(towers=new))


def drop_unmanned(work: Desk) -> None:
    """Towers fall where no army of their owner stands.

    Rules: W2-2.4, W2-6.7.
    """
    world = work.state
    fallen = tuple(
        tower.id
        for tower in world.towers.values()
        if not any(army.owner == tower.owner for army in armies_at(world, (tower.x, tower.y)))
    )
    if fallen:
        work.emit(TowersFell(towers=fallen))
