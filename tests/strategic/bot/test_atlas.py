"""Distances that computer players plan with: carried on where more land is known."""

from __future__ import annotations

from engine.core.containers import Plane
from engine.core.record import replace
from engine.rulesets.warlords2.book import book_of
from engine.strategic.bot.atlas import FAR, Atlas
from engine.strategic.costs import BRIDGES, ROADS, Mode, Mover
from engine.strategic.world import World
from tests.strategic import ground

LAND = ("....m.....", "..w.......", "..ww..h...", "..........", "...fff....", "..........")
GOALS = (((0, 0),), ((9, 5), (8, 5)))

WALKER = Mover(0, Mode.GROUND, ROADS | BRIDGES)
FLYER = Mover(0, Mode.AIR, 0)


def partly(world: World, columns: int) -> World:
    """The world of which only the first columns and the last one are known."""
    cells = world.terrain.cells.copy()
    cells[:, columns:-1] = 0
    return replace(world, terrain=Plane(cells))


def test_distances_carried_on_are_those_of_the_whole_land() -> None:
    world = ground.world(LAND, armies=[ground.army(1, 0, 0)])
    book = book_of(world.options)
    for who in (WALKER, FLYER):
        for goal in GOALS:
            known = Atlas(partly(world, 1), book, who)
            known.to(goal)
            for columns in (3, 4, 7, 9):
                part = partly(world, columns)
                known = Atlas(part, book, who, (known,))
                assert known.carries_on(goal)
                assert (known.to(goal) == Atlas(part, book, who).to(goal)).all()


def test_nothing_is_carried_on_where_a_way_has_become_longer() -> None:
    world = ground.world(LAND, armies=[ground.army(1, 0, 0)])
    book, goal = book_of(world.options), GOALS[0]
    known = Atlas(world, book, WALKER)
    known.to(goal)
    part = Atlas(partly(world, 4), book, WALKER, (known,))
    assert not part.carries_on(goal)
    assert part.to(goal).item(0, 6) == FAR


def test_distances_nearby_are_exact_up_to_their_limit() -> None:
    world = ground.world(LAND, armies=[ground.army(1, 0, 0)])
    known = Atlas(world, book_of(world.options), WALKER)
    near = known.near((0, 0), 6).copy()
    whole = known.to(((0, 0),))
    assert (near[whole <= 6] == whole[whole <= 6]).all()
    assert (near >= whole).all()
