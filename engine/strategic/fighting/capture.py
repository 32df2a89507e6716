"""Cities that change hands, and what becomes of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from engine.core.record import replace
from engine.strategic.book import Book
from engine.strategic.cities.owned import own_city
from engine.strategic.commands import Raze, Settle
from engine.strategic.desk import Desk
from engine.strategic.events import (
    Answered,
    Asked,
    CityRazed,
    CitySettled,
    CityTaken,
    DeedsCounted,
    TransitsLost,
)
from engine.strategic.fighting.aftermath import added
from engine.strategic.fighting.rules import Fate
from engine.strategic.heroes import quests
from engine.strategic.pieces import NOBODY, NONE, City, Deeds, Question, Slot, side_bit
from engine.strategic.refusal import Refusal, refuse
from engine.strategic.turns import diplomacy
from engine.strategic.world import World, cities_of


def take(work: Desk, book: Book, city: int, side: int) -> None:
    """A side takes a city that is not its own, and is asked what is to become of it.

    Where nothing but staying in it is possible, it is not asked.

    Rules: W2-9.2, W2-14.1.
    """
    world = work.state
    town = world.cities[city]
    loot, purses = looted(world, book, town, side)
    taken = CityTaken(
        city=replace(
            _idle(town),
            owner=side,
            original=_original(town, side),
            attacked_by=town.attacked_by | side_bit(side),
        ),
        loser=town.owner,
        loot=loot,
        gold=purses,
        art=book.cities.art(side),
        others=_unvectored(world, city),
    )
    work.emit(taken)
    _lose_transits(work, city, town.owner)
    winner = work.state.sides[side]
    work.emit(DeedsCounted((replace(winner, deeds=added(winner.deeds, Deeds(cities_won=1))),)))
    quests.on_gold(work, book, side, city, loot)
    if fates(work.state, book, city) == ("occupy",):
        _keep(work, book, work.state.cities[city], side, "occupy")
    else:
        work.emit(Asked(Question("fate", side, city=city)))


def looted(
    world: World, book: Book, city: City, side: int
) -> tuple[int, tuple[tuple[int, int], ...]]:
    """What the taker of a city finds, and the purses of both sides afterwards: (side, gold).

    The loser loses twice as much as the winner gains; neutral cities hold nothing.

    Rules: W2-9.2.
    """
    if city.owner == NOBODY:
        return 0, ()
    loser, winner = world.sides[city.owner], world.sides[side]
    count = len(cities_of(world, city.owner))
    part = loser.gold if count < 2 else loser.gold // count
    loot = part // 2
    most = book.cities.most_gold
    purses = (side, min(most, winner.gold + loot)), (city.owner, max(0, loser.gold - 2 * loot))
    return loot, tuple(sorted(purses))


def fates(world: World, book: Book, city: int) -> tuple[Fate, ...]:
    """What can become of a city that was taken. Rules: W2-9.2."""
    slots = len(world.cities[city].slots)
    found: list[Fate] = ["occupy"]
    if slots >= 1:
        found.append("pillage")
    if slots >= 2:
        found.append("sack")
    if book.fighting.spoils.may_raze:
        found.append("raze")
    return tuple(found)


def settle(work: Desk, book: Book, side: int, command: Settle) -> None:
    """The winner says what is to become of the city.

    Raises:
        Refused: that was not asked, or cannot be done to this city.

    Rules: W2-9.2, W2-12.3.
    """
    question = work.state.question
    if question is None or question.kind != "fate" or question.side != side:
        refuse(Refusal.NO_QUESTION, "No city waits for your decision.", "W2-9.2")
    if command.fate not in fates(work.state, book, question.city):
        refuse(Refusal.NOT_ALLOWED, _why_not(command.fate), "W2-9.2")
    work.emit(Answered("fate", side, command.fate))
    if command.fate == "raze":
        _destroy(work, book, question.city, side)
    else:
        _keep(work, book, work.state.cities[question.city], side, command.fate)


def raze(work: Desk, book: Book, side: int, command: Raze) -> None:
    """A side destroys a city of its own.

    Raises:
        Refused: the city is not its own, or razing is not played with.

    Rules: W2-9.2, W2-12.3, W2-17.
    """
    city = own_city(work.state, side, command.city, "W2-9.2")
    if not book.fighting.spoils.may_raze:
        refuse(Refusal.NOT_ALLOWED, _why_not("raze"), "W2-9.2")
    _destroy(work, book, city.id, side)


def ruin(work: Desk, book: Book, city: int, side: int) -> None:
    """A city of a side is no more: a block of ruins that nobody owns. Rules: W2-9.2, W2-3.4."""
    spoils, town = book.fighting.spoils, work.state.cities[city]
    fallen = replace(_idle(town), owner=NOBODY, slots=(), defence=0, razed=True)
    work.emit(
        CityRazed(
            city=fallen,
            side=side,
            terrain=spoils.ruin,
            art=spoils.ruin_art(side),
            others=_unvectored(work.state, city),
        )
    )


def worth(world: World, slots: Iterable[Slot]) -> int:
    """What production slots bring when they are plundered: half of each price. Rules: W2-9.2."""
    return sum(abs(world.types[slot.type].price) // 2 for slot in slots)


def _keep(
    work: Desk, book: Book, city: City, side: int, fate: Literal["occupy", "pillage", "sack"]
) -> None:
    """The winner stays in the city and takes from it what it chose. Rules: W2-9.2, W2-12.3."""
    kept = {"occupy": len(city.slots), "pillage": len(city.slots) - 1, "sack": 1}[fate]
    gain = worth(work.state, city.slots[kept:])
    left = replace(city, slots=city.slots[:kept], defence=book.cities.defence(kept))
    gold = min(book.cities.most_gold, work.state.sides[side].gold + gain)
    work.emit(
        CitySettled(
            city=city if fate == "occupy" else left, side=side, fate=fate, gain=gain, gold=gold
        )
    )
    _worsen(work, book, side, fate)
    quests.on_gold(work, book, side, city.id, gain)
    quests.after_city(work, book, side, city.id, fate)


def _destroy(work: Desk, book: Book, city: int, side: int) -> None:
    """A side razes a city that it holds, and bears what is thought of it. Rules: W2-9.2."""
    ruin(work, book, city, side)
    _worsen(work, book, side, "raze")
    quests.after_city(work, book, side, city, "raze")


def _worsen(work: Desk, book: Book, side: int, fate: Fate) -> None:
    """What others think of a side gets worse by what it does to cities. Rules: W2-12.3."""
    penalty = book.fighting.spoils.penalties.get(fate)
    if penalty is not None:
        diplomacy.worsen(work, book, side, penalty)


def _idle(city: City) -> City:
    """A city that makes nothing and sends nothing anywhere."""
    return replace(city, making=NONE, left=0, vector=NONE)


def _original(city: City, taker: int) -> int:
    """Whom the city was first taken from, nobody once that side has it back. Rules: W2-9.2."""
    if city.original == taker:
        return NOBODY
    return city.owner if city.original == NOBODY else city.original


def _unvectored(world: World, city: int) -> tuple[City, ...]:
    """The cities whose armies were sent to a city, as they are when they no longer are."""
    return tuple(replace(c, vector=NONE) for c in world.cities.values() if c.vector == city)


def _lose_transits(work: Desk, city: int, loser: int) -> None:
    """Armies of the loser on their way to the city are destroyed. Rules: W2-9.2, W2-9.5."""
    bound = tuple(
        transit.id
        for transit in work.state.transits.values()
        if transit.target == city and transit.army.owner == loser
    )
    if bound:
        work.emit(TransitsLost(bound))


def _why_not(fate: Fate) -> str:
    if fate == "raze":
        return "Cities are not razed in this game."
    return "The city has too little left for that."
