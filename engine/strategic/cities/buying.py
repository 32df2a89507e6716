"""Cities learn to make other types, for gold (section 9.4)."""

from __future__ import annotations

from engine.core.record import replace
from engine.strategic.book import Book
from engine.strategic.cities.owned import own_city
from engine.strategic.commands import BuySlot
from engine.strategic.desk import Desk
from engine.strategic.events import SlotBought
from engine.strategic.pieces import NONE, City, Slot, UnitType
from engine.strategic.refusal import Refusal, refuse

_RULE = "W2-9.4"


def buy(work: Desk, book: Book, side: int, command: BuySlot) -> None:
    """Put a type into a slot of a city, or into the next empty one.

    Rules: W2-9.4, W2-9.1.

    Raises:
        Refused: no such city, slot or type, it is not for sale, or there is too little gold.
    """
    world = work.state
    city = own_city(world, side, command.city, _RULE)
    if not 0 <= command.slot < min(len(city.slots) + 1, book.cities.most_slots):
        refuse(Refusal.NO_SUCH_SLOT, "The city has no such place for a type.", _RULE)
    kind = world.types.get(command.type)
    if kind is None:
        refuse(Refusal.NO_SUCH_TYPE, "There is no such type.", _RULE)
    if not book.cities.for_sale(city, kind):
        refuse(Refusal.NOT_FOR_SALE, f"{kind.name} cannot be bought.", _RULE)
    gold = world.sides[side].gold - kind.price
    if gold < 0:
        refuse(Refusal.NO_MONEY, f"{kind.name} cost {kind.price} gold.", _RULE)
    able = _with_slot(book, city, command.slot, kind)
    work.emit(SlotBought(city=able, slot=command.slot, price=kind.price, gold=gold))


def _with_slot(book: Book, city: City, place: int, kind: UnitType) -> City:
    new = Slot(kind.id, kind.strength, kind.turns, kind.move, kind.cost)
    slots = (*city.slots[:place], new, *city.slots[place + 1 :])
    able = replace(city, slots=slots, defence=book.cities.defence(len(slots)))
    return replace(able, making=NONE, left=0) if city.making == place else able
