"""Cities make armies (section 9.3), and get names."""

from __future__ import annotations

from collections.abc import Iterable

from engine.core.record import replace
from engine.strategic.book import Book
from engine.strategic.cities.owned import own_city
from engine.strategic.cities.placing import is_crowded, recruit, room_in
from engine.strategic.commands import Produce, RenameCity, StopProduction
from engine.strategic.desk import Desk, new_ids
from engine.strategic.events import ArmyMade, ArmySent, CityChanged, Counted
from engine.strategic.pieces import NOBODY, NONE, City, Transit
from engine.strategic.refusal import Refusal, refuse
from engine.strategic.world import cities_of


def produce(work: Desk, book: Book, side: int, command: Produce) -> None:  # noqa: ARG001
    """Begin to make what is in a slot; what was being made is given up.

    Rules: W2-9.3.

    Raises:
        Refused: no such city or slot, or the city makes that already.
    """
    city = own_city(work.state, side, command.city, "W2-9.3")
    if not 0 <= command.slot < len(city.slots):
        refuse(Refusal.NO_SUCH_SLOT, "The city cannot make that.", "W2-9.3")
    if command.slot == city.making:
        refuse(Refusal.NOTHING_TO_DO, "The city makes that already.", "W2-9.3")
    begun = replace(city, making=command.slot, left=city.slots[command.slot].turns)
    work.emit(CityChanged(city=begun, what="produce"))


def stop(work: Desk, book: Book, side: int, command: StopProduction) -> None:  # noqa: ARG001
    """Make nothing any more.

    Rules: W2-9.3.

    Raises:
        Refused: no such city, or it makes nothing.
    """
    city = own_city(work.state, side, command.city, "W2-9.3")
    if city.making == NONE:
        refuse(Refusal.NOTHING_TO_DO, "The city makes nothing.", "W2-9.3")
    work.emit(CityChanged(city=replace(city, making=NONE, left=0), what="stop"))


def rename(work: Desk, book: Book, side: int, command: RenameCity) -> None:
    """Call a city otherwise.

    Rules: W2-9.1, W2-17.

    Raises:
        Refused: no such city, or not a name that fits.
    """
    city = own_city(work.state, side, command.city, "W2-17")
    name, most = command.name, book.cities.name_length
    if name != name.strip() or not name.isprintable() or not 0 < len(name) <= most:
        text = f"A name has 1 to {most} letters, without blanks around it."
        refuse(Refusal.BAD_NAME, text, "W2-9.1")
    if name == city.name:
        refuse(Refusal.NOTHING_TO_DO, "The city is called that already.", "W2-17")
    work.emit(CityChanged(city=replace(city, name=name), what="name"))


def run(work: Desk, book: Book, side: int) -> None:
    """A turn passes for the cities of a side; in id order they make what is done.

    Rules: W2-9.3.
    """
    step(work, book, cities_of(work.state, side))


def step(work: Desk, book: Book, cities: Iterable[City]) -> None:
    """A turn passes for cities, in this order.

    Rules: W2-9.3.
    """
    busy = tuple(city for city in cities if city.making != NONE)
    lefts = tuple((city.id, city.left - 1) for city in busy if city.left > 0)
    if lefts:
        work.emit(Counted(lefts=lefts))
    for city in busy:
        if city.left <= 1:
            _finish(work, book, work.state.cities[city.id])


def _finish(work: Desk, book: Book, city: City) -> None:
    """A city lets go of what it has made; without money or room it tries again next turn."""
    world, slot = work.state, city.slots[city.making]
    paid = city.owner == NOBODY or book.cities.pays_for(world.sides[city.owner], slot)
    if not paid or is_crowded(world, book):
        return
    number = new_ids(world, 1)[0]
    if city.vector != NONE:
        army = recruit(world, book, city, number, (city.x, city.y))
        due = world.turn + book.cities.journey
        transit = Transit(id=number, army=army, target=city.vector, due=due)
        work.emit(ArmySent(city=city.id, left=slot.turns, transit=transit))
        return
    at = room_in(world, city)
    if at is not None:
        army = recruit(world, book, city, number, at)
        work.emit(ArmyMade(city=city.id, left=slot.turns, army=army))
