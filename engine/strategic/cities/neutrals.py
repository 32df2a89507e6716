"""Who keeps the cities that belong to nobody (section 9.7)."""

from __future__ import annotations

from engine.core.containers import Roster
from engine.core.dice import Dice
from engine.core.record import replace
from engine.kit.grid import Place
from engine.strategic.book import Book
from engine.strategic.chance import roll
from engine.strategic.cities.placing import garrison_of
from engine.strategic.cities.production import step
from engine.strategic.cities.rules import CityRules
from engine.strategic.desk import Desk
from engine.strategic.events import CityChanged
from engine.strategic.pieces import NOBODY, NONE, Army, City, Slot, UnitType
from engine.strategic.world import World, cities_of

_TIERS = 4


def garrison(
    dice: Dice, rules: CityRules, types: Roster[UnitType], city: City, number: int
) -> tuple[City, Army]:
    """A neutral city that knows its tier, and the army, with this number, that keeps it at first.

    A city that can make nothing is kept as weakly as any. The army stands on the first tile.

    Rules: W2-9.7.
    """
    at = (city.x, city.y)
    if rules.tier_plus is None or not city.slots:
        kind = types[rules.keeper]
        slot = Slot(kind.id, kind.strength, kind.turns, kind.move, kind.cost)
        return city, posted(rules, city, slot, number, at)
    tier = min(rules.most_tier, roll(dice, 1, _TIERS, rules.tier_plus))
    known = replace(city, tier=tier)
    return known, posted(rules, known, city.slots[tier_slot(known)], number, at)


def posted(rules: CityRules, city: City, slot: Slot, number: int, at: Place) -> Army:
    """An army that stands in a city when the game begins: it cannot move before it has rested.

    Rules: W2-9.3, W2-9.7.
    """
    return Army(
        id=number,
        owner=city.owner,
        type=slot.type,
        x=at[0],
        y=at[1],
        strength=slot.strength,
        max_move=slot.move,
        points=0,
        upkeep=rules.upkeep_of_slot(slot),
        home=city.id,
    )


def tier_slot(city: City) -> int:
    """The slot that a city's tier stands for: the last where there are fewer.

    Rules: W2-9.7.
    """
    return min(city.tier, len(city.slots) - 1)


def run(work: Desk, book: Book) -> None:
    """A round passes for neutral cities that have been attacked: they fill up again.

    Rules: W2-9.7.
    """
    if not book.cities.refills:
        return
    eager = tuple(city for city in cities_of(work.state, NOBODY) if _lacks(work.state, book, city))
    for city in eager:
        if city.making == NONE:
            slot = tier_slot(city)
            begun = replace(city, making=slot, left=city.slots[slot].turns)
            work.emit(CityChanged(city=begun, what="produce"))
    step(work, book, (work.state.cities[city.id] for city in eager))


def _lacks(world: World, book: Book, city: City) -> bool:
    """Whether a neutral city makes armies: it was attacked, and has too few."""
    if not city.attacked_by or city.tier == NONE or not city.slots:
        return False
    return len(garrison_of(world, city)) < book.cities.refill_to
