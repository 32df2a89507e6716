"""New armies that come from nowhere: heroes, their companions, allies; and where they find room."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from engine.core.record import replace
from engine.kit.grid import Place
from engine.strategic.book import Book
from engine.strategic.desk import Desk, new_ids
from engine.strategic.events import ArmiesPlaced
from engine.strategic.moving.sight import look_around
from engine.strategic.pieces import STACK, Army, City, UnitType
from engine.strategic.world import World, armies_at, city_at, is_on_map

ROUND: tuple[Place, ...] = (
    (0, 0),
    (0, -1),
    (1, -1),
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
)
"""The tile itself and those around it, from north clockwise. Rules: W2-1.2, W2-10.5."""


def recruit(kind: UnitType, side: int, at: Place) -> Army:
    """An army with the usual numbers of its type, all its points and no upkeep.

    It has no number yet (0). Rules: W2-9.3, W2-10.1, W2-10.5.
    """
    return Army(
        id=0,
        owner=side,
        type=kind.id,
        x=at[0],
        y=at[1],
        strength=kind.strength,
        max_move=kind.move,
        points=kind.move,
        upkeep=0,
    )


def numbered(world: World, armies: Sequence[Army]) -> tuple[Army, ...]:
    """New armies with their numbers."""
    ids = new_ids(world, len(armies))
    return tuple(replace(army, id=id_) for army, id_ in zip(armies, ids, strict=True))


def vacancies(world: World, book: Book) -> int:
    """How many more armies there may be in the world, on the map or off. Rules: W2-1.8."""
    return max(0, book.heroes.most_armies - len(world.armies) - len(world.transits))


def room_in(world: World, city: City) -> tuple[Place, ...]:
    """Where armies can be set down in a city, a tile once for each army.

    Rules: W2-9.3, W2-10.1.
    """
    return _places(world, city.tiles)


def room_beside(
    world: World, book: Book, side: int, at: Place, kind: UnitType
) -> tuple[Place, ...]:
    """Where armies of a type can be set down on a tile or beside it, a tile once for each army.

    Not beside others' armies on the same tile, nor in others' cities, nor where the type cannot be.

    Rules: W2-10.5.
    """
    around = ((at[0] + dx, at[1] + dy) for dx, dy in ROUND)
    return _places(world, (near for near in around if _is_open(world, book, side, near, kind)))


def _is_open(world: World, book: Book, side: int, at: Place, kind: UnitType) -> bool:
    if not is_on_map(world, at) or any(army.owner != side for army in armies_at(world, at)):
        return False
    city = city_at(world, at)
    if city is not None and city.owner != side:
        return False
    return book.heroes.may_stand(world, kind, at)


def _places(world: World, tiles: Iterable[Place]) -> tuple[Place, ...]:
    return tuple(at for at in tiles for _ in range(STACK - len(armies_at(world, at))))


def join_at(
    work: Desk, book: Book, hero: Army, allies: tuple[int, int], reason: Literal["allies", "reward"]
) -> None:
    """Allies, (type, how many), join a hero on its tile or around it; who finds no room is lost.

    Rules: W2-10.5, W2-10.6, W2-1.8.
    """
    world, (type_, count) = work.state, allies
    kind = world.types[type_]
    places = room_beside(world, book, hero.owner, hero.at, kind)
    places = places[: min(count, vacancies(world, book))]
    joined = numbered(world, [recruit(kind, hero.owner, at) for at in places])
    if joined:
        work.emit(ArmiesPlaced(joined, reason))
        look(work, book, joined)


def look(work: Desk, book: Book, armies: Sequence[Army]) -> None:
    """New armies see what is around them. Rules: W2-11."""
    look_around(work, book, armies[0].owner, armies)
