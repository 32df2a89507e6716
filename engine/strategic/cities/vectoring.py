"""Armies that go from where they are made to another place, off the map (section 9.5)."""

from __future__ import annotations

from engine.core.record import replace
from engine.kit.grid import Place
from engine.strategic.book import Book
from engine.strategic.cities.owned import own_city
from engine.strategic.commands import SetVector
from engine.strategic.desk import Desk
from engine.strategic.events import ArmyArrived, CityChanged, TransitsLost, TransitsMoved
from engine.strategic.moving import groups, ports
from engine.strategic.pieces import NONE, STACK, TO_FLAG, Army, City, Transit
from engine.strategic.refusal import Refusal, refuse
from engine.strategic.world import World, armies_at, cities_of, city_at

_RULE = "W2-9.5"


def vector(work: Desk, book: Book, side: int, command: SetVector) -> None:
    """Say where a city's finished armies go.

    Rules: W2-9.5.

    Raises:
        Refused: no such city or target, nothing new, or the target has all the sources it may have.
    """
    world = work.state
    city = own_city(world, side, command.city, _RULE)
    target = _target(world, side, city, command)
    if target == city.vector:
        refuse(Refusal.NOTHING_TO_DO, "The city's armies go there already.", _RULE)
    if target != NONE and len(sources(world, side, target)) >= book.cities.sources:
        text = f"Only {book.cities.sources} cities can send their armies to one place."
        refuse(Refusal.TOO_MANY, text, _RULE)
    work.emit(CityChanged(city=replace(city, vector=target), what="vector"))


def _target(world: World, side: int, city: City, command: SetVector) -> int:
    if command.flag and command.to is not None:
        refuse(Refusal.NOT_ALLOWED, "Armies go to a city or to the flag, not to both.", _RULE)
    if command.flag:
        if world.sides[side].flag is None:
            refuse(Refusal.NOT_ALLOWED, "You have planted no flag.", _RULE)
        return TO_FLAG
    if command.to is None:
        return NONE
    if own_city(world, side, command.to, _RULE).id == city.id:
        refuse(Refusal.NOT_ALLOWED, "That is the city itself.", _RULE)
    return command.to


def sources(world: World, side: int, target: int) -> tuple[City, ...]:
    """The cities of a side that send their armies to a city, or to the flag (TO_FLAG).

    Rules: W2-9.5.
    """
    return tuple(city for city in cities_of(world, side) if city.vector == target)


def run(work: Desk, book: Book, side: int) -> None:
    """The armies of a side that are due arrive, in the order in which they left.

    Rules: W2-9.3, W2-9.5.
    """
    for transit in due(work.state, side):
        _arrive(work, book, transit)


def due(world: World, side: int) -> tuple[Transit, ...]:
    """The armies of a side that arrive in this turn, in the order in which they left.

    They all left in the same turn: first those that cities sent, city by city, then those that
    found no place and turned back.

    Rules: W2-9.3.
    """
    found = [t for t in world.transits.values() if t.army.owner == side and t.due <= world.turn]
    return tuple(sorted(found, key=lambda t: (t.due, t.homeward, t.army.home, t.id)))


def _arrive(work: Desk, book: Book, transit: Transit) -> None:
    world, army = work.state, transit.army
    at = _place(world, book, transit)
    if at is not None:
        rested = replace(army, x=at[0], y=at[1], points=army.max_move)
        work.emit(ArmyArrived(transit=transit.id, army=rested))
    elif transit.homeward or not _is_own(world, army.owner, army.home):
        work.emit(TransitsLost(transits=(transit.id,)))
    else:
        due_home = world.turn + book.cities.journey
        back = replace(transit, target=army.home, due=due_home, homeward=True)
        work.emit(TransitsMoved(transits=(back,)))


def _place(world: World, book: Book, transit: Transit) -> Place | None:
    """Where an army arrives, None if there is no place for it."""
    army = transit.army
    tiles: tuple[Place, ...] = ()
    if transit.target == TO_FLAG:
        flag = world.sides[army.owner].flag
        tiles = () if flag is None else (flag,)
    elif _is_own(world, army.owner, transit.target):
        tiles = world.cities[transit.target].tiles
    return next((at for at in tiles if _has_room(world, book, army, at)), None)


def _has_room(world: World, book: Book, army: Army, at: Place) -> bool:
    stack, city = armies_at(world, at), city_at(world, at)
    is_free = len(stack) < STACK and all(other.owner == army.owner for other in stack)
    is_ours = city is None or city.owner == army.owner
    return is_free and is_ours and _carries(world, book, army, at)


def _carries(world: World, book: Book, army: Army, at: Place) -> bool:
    """Whether the ground of a tile carries an army: water and port cities carry boats."""
    rules, code = book.moving, world.terrain[at[1], at[0]]
    if groups.flies(world, army):
        return rules.air[code] != 0
    if groups.is_boat(world, army):
        return code in rules.boats or bool(ports.harbours(world, rules)[at[1], at[0]])
    return rules.foot[code] != 0


def _is_own(world: World, side: int, number: int) -> bool:
    city = world.cities.get(number)
    return city is not None and city.owner == side and not city.razed
