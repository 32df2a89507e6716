"""How what heroes carry changes hands; what it does is in ``effects``, and can be had here too."""

from __future__ import annotations

from collections.abc import Iterable

from engine.kit.grid import Place
from engine.strategic import commands as cmd
from engine.strategic.book import Book
from engine.strategic.desk import Desk
from engine.strategic.events import FlagSet, ItemsMoved
from engine.strategic.heroes import quests
from engine.strategic.heroes.effects import command, flies, purses, speed, standards, weapons
from engine.strategic.heroes.goods import bag, carried, laid, lost, lying, planted
from engine.strategic.heroes.who import own_hero
from engine.strategic.pieces import Army, Item
from engine.strategic.refusal import Refusal, refuse
from engine.strategic.world import World

__all__ = [
    "command",
    "drop",
    "fall",
    "flies",
    "pick_up",
    "pick_up_all",
    "plant",
    "purses",
    "speed",
    "standards",
    "weapons",
]


def pick_up_all(work: Desk, book: Book, armies: tuple[int, ...]) -> None:
    """The first hero of a group takes what lies where it stands.

    The side's own planted standard stays; one of another side is captured.

    Rules: W2-6.4, W2-10.3.
    """
    world = work.state
    heroes = (world.armies[army] for army in armies if world.armies[army].hero is not None)
    hero = next(heroes, None)
    if hero is None:
        return
    found = [
        item for item in lying(world, hero.at) if item.where == "ground" or item.side != hero.owner
    ]
    if found:
        _take(work, book, hero, found)


def pick_up(work: Desk, book: Book, side: int, order: cmd.PickUp) -> None:
    """A hero takes one thing that lies, or is planted, where it stands.

    Rules: W2-10.3, W2-17.

    Raises:
        Refused: no such hero, or nothing like that lies there.
    """
    hero = own_hero(work.state, side, order.army, "W2-10.3")
    found = [item for item in lying(work.state, hero.at) if item.id == order.item]
    if not found:
        refuse(Refusal.NO_SUCH_ITEM, "That does not lie here.", "W2-10.3")
    _take(work, book, hero, found)


def _take(work: Desk, book: Book, hero: Army, found: Iterable[Item]) -> None:
    """Things go to a hero, planted ones no longer mark a flag, and a quest may be done."""
    things = tuple(found)
    work.emit(ItemsMoved(tuple(carried(item, hero.id) for item in things), "picked"))
    for item in things:
        if item.where == "planted":
            work.emit(FlagSet(item.side, None))
    quests.check(work, book, hero.owner)


def drop(work: Desk, book: Book, side: int, order: cmd.Drop) -> None:
    """A hero lays something down.

    Rules: W2-10.3, W2-17.

    Raises:
        Refused: no such hero, it does not have that, or there is only water.
    """
    hero, item = _thing(work.state, side, order.army, order.item)
    _need_ground(work.state, book, hero.at)
    work.emit(ItemsMoved((laid(item, hero.at),), "dropped"))


def plant(work: Desk, book: Book, side: int, order: cmd.PlantFlag) -> None:
    """A hero plants its side's standard: the tile is the rally flag.

    Rules: W2-10.3, W2-9.5.

    Raises:
        Refused: no such hero, it does not carry the standard, or there is only water.
    """
    hero = own_hero(work.state, side, order.army, "W2-10.3")
    flags = [i for i in bag(work.state, hero.id) if i.kind == "standard" and i.side == side]
    if not flags:
        refuse(Refusal.NO_SUCH_ITEM, "That hero does not carry your standard.", "W2-10.3")
    _need_ground(work.state, book, hero.at)
    work.emit(ItemsMoved((planted(flags[0], hero.at),), "planted"))
    work.emit(FlagSet(side, hero.at))


def _thing(world: World, side: int, army: int, item: int) -> tuple[Army, Item]:
    hero = own_hero(world, side, army, "W2-10.3")
    things = [thing for thing in bag(world, hero.id) if thing.id == item]
    if not things:
        refuse(Refusal.NO_SUCH_ITEM, "That hero does not carry that.", "W2-10.3")
    return hero, things[0]


def _need_ground(world: World, book: Book, at: Place) -> None:
    """Refuse where things cannot lie. Rules: W2-17."""
    if world.terrain[at[1], at[0]] in book.heroes.items.afloat:
        refuse(Refusal.NOT_ALLOWED, "Nothing can be laid down on water.", "W2-17")


def fall(work: Desk, book: Book, dead: tuple[Army, ...], at: Place) -> None:
    """What dead heroes carried drops on a tile; on the open sea it is lost.

    Call it for every army that goes, however it goes; others than heroes carry nothing.

    Rules: W2-8.6, W2-13.1.
    """
    world = work.state
    things = [item for army in dead for item in bag(world, army.id)]
    if not things:
        return
    if world.terrain[at[1], at[0]] in book.heroes.items.sinks:
        work.emit(ItemsMoved(tuple(lost(item) for item in things), "lost"))
    else:
        work.emit(ItemsMoved(tuple(laid(item, at) for item in things), "fallen"))
