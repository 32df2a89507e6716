"""Cities: production, buying, vectors, neutral garrisons, income and upkeep."""

from __future__ import annotations

from collections.abc import Iterable

from engine.core.containers import Roster
from engine.core.dice import Dice
from engine.core.record import replace
from engine.kit.grid import Place
from engine.strategic import item_records, sight
from engine.strategic.commands import BuySlot, Produce, RenameCity, SetVector, StopProduction
from engine.strategic.decision import Decision, lose_transits, new_ids, roll
from engine.strategic.events.cities import (
    ArmyArrived,
    ArmyMade,
    ArmySent,
    CityChanged,
    Counted,
    SlotBought,
    TransitsMoved,
)
from engine.strategic.events.heroes import GoldChanged, GoldReason
from engine.strategic.events.turns import IncomeCame
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


def produce(decision: Decision, _settings: RuleSettings, side: int, command: Produce) -> None:
    """Begin to make what is in a slot; what was being made is given up.

    Raises:
        Refused: no such city or slot, or the city makes that already.
    """
    city = own_city(decision.state, side, command.city, "produce")
    if not 0 <= command.slot < len(city.slots):
        refuse(Refusal.NO_SUCH_SLOT, "The city cannot make that.", "produce")
    if command.slot == city.making:
        refuse(Refusal.NOTHING_TO_DO, "The city makes that already.", "produce")
    begin(decision, city, command.slot)


def begin(decision: Decision, city: City, slot: int) -> None:
    """Let a city begin to make what is in a slot."""
    begun = replace(city, making=slot, left=city.slots[slot].turns)
    decision.emit(CityChanged(city=begun, what="produce"))


def stop_production(
    decision: Decision, _settings: RuleSettings, side: int, command: StopProduction
) -> None:
    """Make nothing any more.

    Raises:
        Refused: no such city, or it makes nothing.
    """
    city = own_city(decision.state, side, command.city, "produce")
    if city.making == NONE:
        refuse(Refusal.NOTHING_TO_DO, "The city makes nothing.", "produce")
    rest(decision, city)


def rest(decision: Decision, city: City) -> None:
    """Let a city make nothing."""
    decision.emit(CityChanged(city=replace(city, making=NONE, left=0), what="stop"))


def rename(decision: Decision, settings: RuleSettings, side: int, command: RenameCity) -> None:
    """Rename a city.

    Raises:
        Refused: no such city, or not a name that fits.
    """
    city = own_city(decision.state, side, command.city, "command")
    name, most = command.name, settings.cities.name_length
    if name != name.strip() or not name.isprintable() or not 0 < len(name) <= most:
        text = f"A name has 1 to {most} letters, without blanks around it."
        refuse(Refusal.BAD_NAME, text, "city")
    if name == city.name:
        refuse(Refusal.NOTHING_TO_DO, "The city is called that already.", "command")
    decision.emit(CityChanged(city=replace(city, name=name), what="name"))


def pass_turn(decision: Decision, settings: RuleSettings, side: int) -> None:
    """Production of a side's cities for one turn, in id order."""
    count_down(decision, settings, cities_of(decision.state, side))


def count_down(decision: Decision, settings: RuleSettings, cities: Iterable[City]) -> None:
    """Production of some cities for one turn, in this order."""
    busy = tuple(city for city in cities if city.making != NONE)
    count(decision, ((city.id, city.left - 1) for city in busy if city.left > 0))
    for city in busy:
        if city.left <= 1:
            _finish(decision, settings, decision.state.cities[city.id])


def count(decision: Decision, lefts: Iterable[tuple[int, int]]) -> None:
    """Set the turns until cities have made their armies: (city, turns left), if there are any."""
    rows = tuple(lefts)
    if rows:
        decision.emit(Counted(lefts=rows))


def _finish(decision: Decision, settings: RuleSettings, city: City) -> None:
    """Complete the production of a city; without money or room it is tried again next turn."""
    world, slot = decision.state, city.slots[city.making]
    paid = city.owner not in world.sides or settings.cities.pays_for(world.sides[city.owner], slot)
    if not paid or is_crowded(world, settings):
        return
    number = new_ids(world, 1)[0]
    if city.vector != NONE:
        send(decision, settings, city, recruit(world, settings, city, number, (city.x, city.y)))
        _pay_for(decision, settings, city.owner, slot)
        return
    at = room_in(world, city)
    if at is not None:
        post(decision, city, recruit(world, settings, city, number, at))
        _pay_for(decision, settings, city.owner, slot)


def send(decision: Decision, settings: RuleSettings, city: City, army: Army) -> None:
    """Send an army that a city has made on its way; the city begins the next one."""
    world, rules = decision.state, settings.cities
    ends, far = target_tiles(world, city.owner, city.vector), rules.journey_to
    rounds = far(world, city, ends[0]) if far is not None and ends else rules.journey
    transit = Transit(id=army.id, army=army, target=city.vector, due=world.turn + rounds)
    decision.emit(ArmySent(city=city.id, left=city.slots[city.making].turns, transit=transit))


def post(decision: Decision, city: City, army: Army) -> None:
    """Put an army that a city has made on the map; the city begins the next one."""
    decision.emit(ArmyMade(city=city.id, left=city.slots[city.making].turns, army=army))


def _pay_for(decision: Decision, settings: RuleSettings, side: int, slot: Slot) -> None:
    """Book the price of an army that a city has made, where armies have one."""
    price = settings.cities.unit_price(slot) if settings.cities.unit_price is not None else 0
    if price and side in decision.state.sides:
        add_gold(decision, settings, side, -price, "production")


def room_in(world: World, city: City) -> Place | None:
    """First tile of a city with room for an army: top left, top right, bottom left or right."""
    return next((at for at in city.tiles if len(armies_at(world, at)) < STACK), None)


def garrison_of(world: World, city: City) -> tuple[Army, ...]:
    """Armies on the tiles of a city, tile by tile."""
    return tuple(army for at in city.tiles for army in armies_at(world, at))


def is_crowded(world: World, settings: RuleSettings) -> bool:
    """True if there are as many armies in the world as there may be, on their way or not."""
    return len(world.armies) + len(world.transits) >= settings.cities.most_armies


def recruit(world: World, settings: RuleSettings, city: City, number: int, at: Place) -> Army:
    """Army that a city has finished, as it begins: rested, with the city's numbers."""
    rules, slot = settings.cities, city.slots[city.making]
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


def buy_slot(decision: Decision, settings: RuleSettings, side: int, command: BuySlot) -> None:
    """Put a type into a slot of a city, or into the next empty one.

    Raises:
        Refused: no such city, slot or type, it is not for sale, or there is too little gold.
    """
    world = decision.state
    city = own_city(world, side, command.city, "buy")
    if not 0 <= command.slot < min(len(city.slots) + 1, settings.cities.most_slots):
        refuse(Refusal.NO_SUCH_SLOT, "The city has no such place for a type.", "buy")
    kind = world.types.get(command.type)
    if kind is None:
        refuse(Refusal.NO_SUCH_TYPE, "There is no such type.", "buy")
    if not settings.cities.for_sale(world, city, kind):
        refuse(Refusal.NOT_FOR_SALE, f"{kind.name} cannot be bought.", "buy")
    gold = world.sides[side].gold - kind.price
    if gold < 0:
        refuse(Refusal.NO_MONEY, f"{kind.name} cost {kind.price} gold.", "buy")
    able = _with_slot(settings, city, command.slot, kind)
    decision.emit(SlotBought(city=able, slot=command.slot, price=kind.price, gold=gold))


def _with_slot(settings: RuleSettings, city: City, place: int, kind: UnitType) -> City:
    new = Slot(kind.id, kind.strength, kind.turns, kind.move, kind.cost)
    slots = (*city.slots[:place], new, *city.slots[place + 1 :])
    able = replace(city, slots=slots, defence=settings.cities.defence(len(slots)))
    return replace(able, making=NONE, left=0) if city.making == place else able


# -- Vectors ---------------------------------------------------------------------------------------


def set_vector(decision: Decision, settings: RuleSettings, side: int, command: SetVector) -> None:
    """Set the vector of a city: where its finished armies go.

    Raises:
        Refused: no such city or target, nothing new, or the target has all the sources it may have.
    """
    world = decision.state
    city = own_city(world, side, command.city, "vector")
    target = _target(world, side, city, command)
    if target == city.vector:
        refuse(Refusal.NOTHING_TO_DO, "The city's armies go there already.", "vector")
    together = settings.cities.together and NONE not in {target, city.vector}
    moved = sources(world, side, city.vector) if together else (city,)
    all_sources = {one.id for one in (*moved, *sources(world, side, target))} - {target}
    if target != NONE and len(all_sources) > settings.cities.sources:
        text = f"Only {settings.cities.sources} cities can send their armies to one place."
        refuse(Refusal.TOO_MANY, text, "vector")
    for one in moved:
        to = NONE if one.id == target else target
        decision.emit(CityChanged(city=replace(one, vector=to), what="vector"))


def _target(world: World, side: int, city: City, command: SetVector) -> int:
    if command.flag and command.to is not None:
        refuse(Refusal.NOT_ALLOWED, "Armies go to a city or to the flag, not to both.", "vector")
    if command.flag:
        if world.sides[side].flag is None:
            refuse(Refusal.NOT_ALLOWED, "You have planted no flag.", "vector")
        return TO_FLAG
    if command.to is None:
        return NONE
    if own_city(world, side, command.to, "vector").id == city.id:
        refuse(Refusal.NOT_ALLOWED, "That is the city itself.", "vector")
    return command.to


def sources(world: World, side: int, target: int) -> tuple[City, ...]:
    """Cities of a side that send their armies to a city, or to the flag (TO_FLAG)."""
    return tuple(city for city in cities_of(world, side) if city.vector == target)


def lose_flag(decision: Decision, side: int) -> None:
    """Stop the vectors to the rally flag of a side, and remove the armies on their way there."""
    for city in sources(decision.state, side, TO_FLAG):
        decision.emit(CityChanged(city=replace(city, vector=NONE), what="vector"))
    own = [t for t in decision.state.transits.values() if t.army.owner == side]
    lose_transits(decision, (transit for transit in own if transit.target == TO_FLAG))


def receive_transits(decision: Decision, settings: RuleSettings, side: int) -> None:
    """Arrival of a side's transits that are due, in the order of departure."""
    for transit in due_transits(decision.state, side):
        _arrive(decision, settings, transit)


def due_transits(world: World, side: int) -> tuple[Transit, ...]:
    """Armies of a side that arrive in this turn, in the order in which they left.

    They all left in the same turn: first those that cities sent, city by city, then those that
    found no place and turned back.
    """
    found = [t for t in world.transits.values() if t.army.owner == side and t.due <= world.turn]
    return tuple(sorted(found, key=lambda t: (t.due, t.homeward, t.army.home, t.id)))


def _arrive(decision: Decision, settings: RuleSettings, transit: Transit) -> None:
    world, army = decision.state, transit.army
    at = _place(world, settings, transit)
    if at is not None:
        receive(decision, transit, at)
    elif transit.homeward or not _is_own(world, army.owner, army.home):
        lose_transits(decision, (transit,))
    else:
        due_home = world.turn + settings.cities.journey
        back = replace(transit, target=army.home, due=due_home, homeward=True)
        decision.emit(TransitsMoved(transits=(back,)))


def receive(decision: Decision, transit: Transit, at: Place) -> None:
    """Put an army that was on its way on a tile, rested."""
    rested = replace(transit.army, x=at[0], y=at[1], points=transit.army.max_move)
    decision.emit(ArmyArrived(transit=transit.id, army=rested))


def _place(world: World, settings: RuleSettings, transit: Transit) -> Place | None:
    """Tile of arrival of a transit, or None if there is no room."""
    army = transit.army
    tiles = target_tiles(world, army.owner, transit.target)
    return next((at for at in tiles if _has_room(world, settings, army, at)), None)


def target_tiles(world: World, side: int, target: int) -> tuple[Place, ...]:
    """Tiles of the place that armies of a side are sent to; none if it is lost."""
    if target == TO_FLAG:
        flag = world.sides[side].flag
        return () if flag is None else (flag,)
    return world.cities[target].tiles if _is_own(world, side, target) else ()


def _has_room(world: World, settings: RuleSettings, army: Army, at: Place) -> bool:
    stack, city = armies_at(world, at), city_at(world, at)
    is_free = len(stack) < STACK and all(other.owner == army.owner for other in stack)
    is_ours = city is None or city.owner == army.owner
    return is_free and is_ours and _carries(world, settings, army, at)


def _carries(world: World, settings: RuleSettings, army: Army, at: Place) -> bool:
    """True if the ground of a tile carries an army: water and port cities carry boats."""
    rules, code = settings.moving, world.terrain[at[1], at[0]]
    if flies(world, army):
        return rules.air[code] != 0
    if is_boat(world, army):
        return code in rules.boats or bool(sight.harbours(world, rules)[at[1], at[0]])
    return rules.foot[code] != 0


def _is_own(world: World, side: int, number: int) -> bool:
    city = world.cities.get(number)
    return city is not None and city.owner == side and not city.razed


# -- Neutral cities --------------------------------------------------------------------------------


_TIERS = 4


def garrison(
    dice: Dice, rules: CityRules, types: Roster[UnitType], city: City, number: int
) -> tuple[City, Army]:
    """Neutral city with its tier, and the army, with this number, of its first garrison.

    A city that can make nothing is kept as weakly as any. The army stands on the first tile.
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
    """Army that stands in a city when the game begins, without points for its first turn."""
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
    """Slot that a city's tier stands for: the last where there are fewer."""
    return min(city.tier, len(city.slots) - 1)


def refill_neutrals(decision: Decision, settings: RuleSettings) -> None:
    """Production of neutral cities that have been attacked, for one round."""
    if not settings.cities.refills:
        return
    eager = tuple(
        city for city in cities_of(decision.state, NOBODY) if _lacks(decision.state, settings, city)
    )
    for city in eager:
        if city.making == NONE:
            begin(decision, city, tier_slot(city))
    count_down(decision, settings, (decision.state.cities[city.id] for city in eager))


def _lacks(world: World, settings: RuleSettings, city: City) -> bool:
    """True if a neutral city makes armies: it was attacked, and has too few."""
    if not city.attacked_by or city.tier == NONE or not city.slots:
        return False
    return len(garrison_of(world, city)) < settings.cities.refill_to


# -- Income and upkeep -----------------------------------------------------------------------------


def income(world: World, side: int) -> int:
    """Income of a side in a turn: of its cities, and of its heroes' purses for each city."""
    cities = cities_of(world, side)
    return sum(city.income for city in cities) + len(cities) * item_records.purses(world, side)


def upkeep(world: World, settings: RuleSettings, side: int) -> int:
    """Upkeep of a side's armies on the map in a turn."""
    return sum(settings.cities.upkeep(army) for army in armies_of(world, side))


def add_gold(
    decision: Decision, settings: RuleSettings, side: int, gold: int, reason: GoldReason
) -> None:
    """Add gold to a side, or take it away; its purse stays between 0 and its maximum."""
    had = decision.state.sides[side].gold
    has = max(0, min(had + gold, settings.cities.most_gold))
    decision.emit(GoldChanged(side, has - had, has, reason))


def keep_accounts(decision: Decision, settings: RuleSettings, side: int) -> None:
    """Book income and upkeep; gold stays between 0 and its maximum."""
    world = decision.state
    comes, goes = income(world, side), upkeep(world, settings, side)
    gold = max(0, min(world.sides[side].gold + comes - goes, settings.cities.most_gold))
    decision.emit(IncomeCame(side=side, income=comes, upkeep=goes, gold=gold))
