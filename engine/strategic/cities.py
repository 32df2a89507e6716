"""Cities: production, buying, vectors, neutral garrisons, income and upkeep."""

from __future__ import annotations

from collections.abc import Iterable

from engine.core.containers import Roster
from engine.core.dice import Dice
from engine.core.record import replace
from engine.kit.grid import Place
from engine.strategic import costs, item_records
from engine.strategic.commands import BuySlot, Produce, RenameCity, SetVector, StopProduction
from engine.strategic.decision import Decision, new_ids, roll
from engine.strategic.events import (
    ArmyArrived,
    ArmyMade,
    ArmySent,
    CityChanged,
    Counted,
    IncomeCame,
    SlotBought,
    TransitsLost,
    TransitsMoved,
)
from engine.strategic.pieces import (
    NOBODY,
    NONE,
    STACK,
    TO_FLAG,
    Army,
    City,
    Slot,
    Transit,
    UnitType,
)
from engine.strategic.refusal import Refusal, refuse
from engine.strategic.settings import CityRules, RuleSettings
from engine.strategic.world import (
    World,
    armies_at,
    armies_of,
    cities_of,
    city_at,
    flies,
    is_boat,
    own_city,
)

# -- Production ------------------------------------------------------------------------------------


def produce(work: Decision, book: RuleSettings, side: int, command: Produce) -> None:  # noqa: ARG001
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


def stop_production(work: Decision, book: RuleSettings, side: int, command: StopProduction) -> None:  # noqa: ARG001
    """Make nothing any more.

    Rules: W2-9.3.

    Raises:
        Refused: no such city, or it makes nothing.
    """
    city = own_city(work.state, side, command.city, "W2-9.3")
    if city.making == NONE:
        refuse(Refusal.NOTHING_TO_DO, "The city makes nothing.", "W2-9.3")
    work.emit(CityChanged(city=replace(city, making=NONE, left=0), what="stop"))


def rename(work: Decision, book: RuleSettings, side: int, command: RenameCity) -> None:
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


def pass_turn(work: Decision, book: RuleSettings, side: int) -> None:
    """A turn passes for the cities of a side; in id order they make what is done.

    Rules: W2-9.3.
    """
    count_down(work, book, cities_of(work.state, side))


def count_down(work: Decision, book: RuleSettings, cities: Iterable[City]) -> None:
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


def _finish(work: Decision, book: RuleSettings, city: City) -> None:
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


def room_in(world: World, city: City) -> Place | None:
    """The first tile of a city with room for an army: top left, top right, bottom left or right.

    Rules: W2-9.3.
    """
    return next((at for at in city.tiles if len(armies_at(world, at)) < STACK), None)


def garrison_of(world: World, city: City) -> tuple[Army, ...]:
    """The armies on the tiles of a city, tile by tile."""
    return tuple(army for at in city.tiles for army in armies_at(world, at))


def is_crowded(world: World, book: RuleSettings) -> bool:
    """Whether there are as many armies in the world as there may be, on their way or not.

    Rules: W2-1.8.
    """
    return len(world.armies) + len(world.transits) >= book.cities.most_armies


def recruit(world: World, book: RuleSettings, city: City, number: int, at: Place) -> Army:
    """The army that a city has finished, as it begins: rested, with the city's numbers.

    Rules: W2-9.3.
    """
    rules, slot = book.cities, city.slots[city.making]
    handicap = city.owner != NOBODY and world.sides[city.owner].enhanced
    strength = slot.strength + (rules.enhanced if handicap else 0)
    return Army(
        id=number,
        owner=city.owner,
        type=slot.type,
        x=at[0],
        y=at[1],
        strength=min(strength, max(slot.strength, rules.most_strength)),
        max_move=slot.move,
        points=slot.move,
        upkeep=rules.upkeep_of_slot(slot),
        home=city.id,
    )


# -- Buying ----------------------------------------------------------------------------------------


_BUYING = "W2-9.4"


def buy_slot(work: Decision, book: RuleSettings, side: int, command: BuySlot) -> None:
    """Put a type into a slot of a city, or into the next empty one.

    Rules: W2-9.4, W2-9.1.

    Raises:
        Refused: no such city, slot or type, it is not for sale, or there is too little gold.
    """
    world = work.state
    city = own_city(world, side, command.city, _BUYING)
    if not 0 <= command.slot < min(len(city.slots) + 1, book.cities.most_slots):
        refuse(Refusal.NO_SUCH_SLOT, "The city has no such place for a type.", _BUYING)
    kind = world.types.get(command.type)
    if kind is None:
        refuse(Refusal.NO_SUCH_TYPE, "There is no such type.", _BUYING)
    if not book.cities.for_sale(city, kind):
        refuse(Refusal.NOT_FOR_SALE, f"{kind.name} cannot be bought.", _BUYING)
    gold = world.sides[side].gold - kind.price
    if gold < 0:
        refuse(Refusal.NO_MONEY, f"{kind.name} cost {kind.price} gold.", _BUYING)
    able = _with_slot(book, city, command.slot, kind)
    work.emit(SlotBought(city=able, slot=command.slot, price=kind.price, gold=gold))


def _with_slot(book: RuleSettings, city: City, place: int, kind: UnitType) -> City:
    new = Slot(kind.id, kind.strength, kind.turns, kind.move, kind.cost)
    slots = (*city.slots[:place], new, *city.slots[place + 1 :])
    able = replace(city, slots=slots, defence=book.cities.defence(len(slots)))
    return replace(able, making=NONE, left=0) if city.making == place else able


# -- Vectors ---------------------------------------------------------------------------------------


_VECTORING = "W2-9.5"


def set_vector(work: Decision, book: RuleSettings, side: int, command: SetVector) -> None:
    """Say where a city's finished armies go.

    Rules: W2-9.5.

    Raises:
        Refused: no such city or target, nothing new, or the target has all the sources it may have.
    """
    world = work.state
    city = own_city(world, side, command.city, _VECTORING)
    target = _target(world, side, city, command)
    if target == city.vector:
        refuse(Refusal.NOTHING_TO_DO, "The city's armies go there already.", _VECTORING)
    if target != NONE and len(sources(world, side, target)) >= book.cities.sources:
        text = f"Only {book.cities.sources} cities can send their armies to one place."
        refuse(Refusal.TOO_MANY, text, _VECTORING)
    work.emit(CityChanged(city=replace(city, vector=target), what="vector"))


def _target(world: World, side: int, city: City, command: SetVector) -> int:
    if command.flag and command.to is not None:
        refuse(Refusal.NOT_ALLOWED, "Armies go to a city or to the flag, not to both.", _VECTORING)
    if command.flag:
        if world.sides[side].flag is None:
            refuse(Refusal.NOT_ALLOWED, "You have planted no flag.", _VECTORING)
        return TO_FLAG
    if command.to is None:
        return NONE
    if own_city(world, side, command.to, _VECTORING).id == city.id:
        refuse(Refusal.NOT_ALLOWED, "That is the city itself.", _VECTORING)
    return command.to


def sources(world: World, side: int, target: int) -> tuple[City, ...]:
    """The cities of a side that send their armies to a city, or to the flag (TO_FLAG).

    Rules: W2-9.5.
    """
    return tuple(city for city in cities_of(world, side) if city.vector == target)


def receive_transits(work: Decision, book: RuleSettings, side: int) -> None:
    """The armies of a side that are due arrive, in the order in which they left.

    Rules: W2-9.3, W2-9.5.
    """
    for transit in due_transits(work.state, side):
        _arrive(work, book, transit)


def due_transits(world: World, side: int) -> tuple[Transit, ...]:
    """The armies of a side that arrive in this turn, in the order in which they left.

    They all left in the same turn: first those that cities sent, city by city, then those that
    found no place and turned back.

    Rules: W2-9.3.
    """
    found = [t for t in world.transits.values() if t.army.owner == side and t.due <= world.turn]
    return tuple(sorted(found, key=lambda t: (t.due, t.homeward, t.army.home, t.id)))


def _arrive(work: Decision, book: RuleSettings, transit: Transit) -> None:
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


def _place(world: World, book: RuleSettings, transit: Transit) -> Place | None:
    """Where an army arrives, None if there is no place for it."""
    army = transit.army
    tiles: tuple[Place, ...] = ()
    if transit.target == TO_FLAG:
        flag = world.sides[army.owner].flag
        tiles = () if flag is None else (flag,)
    elif _is_own(world, army.owner, transit.target):
        tiles = world.cities[transit.target].tiles
    return next((at for at in tiles if _has_room(world, book, army, at)), None)


def _has_room(world: World, book: RuleSettings, army: Army, at: Place) -> bool:
    stack, city = armies_at(world, at), city_at(world, at)
    is_free = len(stack) < STACK and all(other.owner == army.owner for other in stack)
    is_ours = city is None or city.owner == army.owner
    return is_free and is_ours and _carries(world, book, army, at)


def _carries(world: World, book: RuleSettings, army: Army, at: Place) -> bool:
    """Whether the ground of a tile carries an army: water and port cities carry boats."""
    rules, code = book.moving, world.terrain[at[1], at[0]]
    if flies(world, army):
        return rules.air[code] != 0
    if is_boat(world, army):
        return code in rules.boats or bool(costs.harbours(world, rules)[at[1], at[0]])
    return rules.foot[code] != 0


def _is_own(world: World, side: int, number: int) -> bool:
    city = world.cities.get(number)
    return city is not None and city.owner == side and not city.razed


# -- Neutral cities --------------------------------------------------------------------------------


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


def refill_neutrals(work: Decision, book: RuleSettings) -> None:
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
    count_down(work, book, (work.state.cities[city.id] for city in eager))


def _lacks(world: World, book: RuleSettings, city: City) -> bool:
    """Whether a neutral city makes armies: it was attacked, and has too few."""
    if not city.attacked_by or city.tier == NONE or not city.slots:
        return False
    return len(garrison_of(world, city)) < book.cities.refill_to


# -- Income and upkeep -----------------------------------------------------------------------------


def income(world: World, side: int) -> int:
    """What the cities of a side bring in a turn, and what its heroes' purses add for each city.

    Rules: W2-9.6.
    """
    cities = cities_of(world, side)
    return sum(city.income for city in cities) + len(cities) * item_records.purses(world, side)


def upkeep(world: World, book: RuleSettings, side: int) -> int:
    """What the armies of a side on the map cost in a turn.

    Rules: W2-9.6.
    """
    return sum(book.cities.upkeep(army) for army in armies_of(world, side))


def keep_accounts(work: Decision, book: RuleSettings, side: int) -> None:
    """Income comes, upkeep is paid; a purse is never below 0 nor too full.

    Rules: W2-9.6.
    """
    world = work.state
    comes, goes = income(world, side), upkeep(world, book, side)
    gold = max(0, min(world.sides[side].gold + comes - goes, book.cities.most_gold))
    work.emit(IncomeCame(side=side, income=comes, upkeep=goes, gold=gold))
