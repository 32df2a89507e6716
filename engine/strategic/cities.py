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
    """Start production of a slot; this abandons the current production.

    Raises:
        Refused: The side has no such city, the city no such slot, or it makes that already.
    """
    city = own_city(decision.state, side, command.city, "produce")
    if not 0 <= command.slot < len(city.slots):
        refuse(Refusal.NO_SUCH_SLOT, "The city cannot make that.", "produce")
    if command.slot == city.making:
        refuse(Refusal.NOTHING_TO_DO, "The city makes that already.", "produce")
    begin(decision, city, command.slot)


def begin(decision: Decision, city: City, slot: int) -> None:
    """Start production of a slot in a city, without checks."""
    begun = replace(city, making=slot, left=city.slots[slot].turns)
    decision.emit(CityChanged(city=begun, what="produce"))


def stop_production(
    decision: Decision, _settings: RuleSettings, side: int, command: StopProduction
) -> None:
    """Stop the production of a city.

    Raises:
        Refused: The side has no such city, or it makes nothing.
    """
    city = own_city(decision.state, side, command.city, "produce")
    if city.making == NONE:
        refuse(Refusal.NOTHING_TO_DO, "The city makes nothing.", "produce")
    rest(decision, city)


def rest(decision: Decision, city: City) -> None:
    """Stop the production of a city, without checks."""
    decision.emit(CityChanged(city=replace(city, making=NONE, left=0), what="stop"))


def rename(decision: Decision, settings: RuleSettings, side: int, command: RenameCity) -> None:
    """Rename a city.

    Raises:
        Refused: The side has no such city, the name is not valid, or it is the present one.
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
    """Advance the production of a side's cities by one turn, in id order."""
    count_down(decision, settings, cities_of(decision.state, side))


def count_down(decision: Decision, settings: RuleSettings, cities: Iterable[City]) -> None:
    """Advance the production of cities by one turn, in the given order."""
    busy = tuple(city for city in cities if city.making != NONE)
    count(decision, ((city.id, city.left - 1) for city in busy if city.left > 0))
    for city in busy:
        if city.left <= 1:
            _finish(decision, settings, decision.state.cities[city.id])


def count(decision: Decision, lefts: Iterable[tuple[int, int]]) -> None:
    """Set the turns until cities finish their armies, from (city, turns left) pairs, if any."""
    rows = tuple(lefts)
    if rows:
        decision.emit(Counted(lefts=rows))


def _finish(decision: Decision, settings: RuleSettings, city: City) -> None:
    """Complete the production of a city; without money or room, try again next turn."""
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
    """Send a city's finished army toward the city's vector, and start the next army's count."""
    world, rules = decision.state, settings.cities
    ends, far = target_tiles(world, city.owner, city.vector), rules.journey_to
    rounds = far(world, city, ends[0]) if far is not None and ends else rules.journey
    transit = Transit(id=army.id, army=army, target=city.vector, due=world.turn + rounds)
    decision.emit(ArmySent(city=city.id, left=city.slots[city.making].turns, transit=transit))


def post(decision: Decision, city: City, army: Army) -> None:
    """Put a city's finished army on the map, and start the next army's count."""
    decision.emit(ArmyMade(city=city.id, left=city.slots[city.making].turns, army=army))


def _pay_for(decision: Decision, settings: RuleSettings, side: int, slot: Slot) -> None:
    """Pay for an army that a city has made, where the rules set a price."""
    price = settings.cities.unit_price(slot) if settings.cities.unit_price is not None else 0
    if price and side in decision.state.sides:
        add_gold(decision, settings, side, -price, "production")


def room_in(world: World, city: City) -> Place | None:
    """Return the first city tile with room for an army, in the order of ``tiles``, or None."""
    return next((at for at in city.tiles if len(armies_at(world, at)) < STACK), None)


def garrison_of(world: World, city: City) -> tuple[Army, ...]:
    """Return the armies on the tiles of a city, tile by tile."""
    return tuple(army for at in city.tiles for army in armies_at(world, at))


def is_crowded(world: World, settings: RuleSettings) -> bool:
    """Return whether the world is at its army limit, armies in transit included."""
    return len(world.armies) + len(world.transits) >= settings.cities.most_armies


def recruit(world: World, settings: RuleSettings, city: City, number: int, at: Place) -> Army:
    """Return the army that a city has finished: with full moves and the city's numbers."""
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
        Refused: There is no such city, slot or type, the type is not for sale, or the gold does not
            suffice.
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
    """Set the vector of a city: the place its finished armies go to.

    Raises:
        Refused: There is no such city or target, the vector is unchanged, or the target would
            have too many sources.
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
    """Return the cities of a side whose vector is ``target``: a city's id or TO_FLAG."""
    return tuple(city for city in cities_of(world, side) if city.vector == target)


def lose_flag(decision: Decision, side: int) -> None:
    """Cancel the vectors to a side's rally flag, and remove the armies in transit to it."""
    for city in sources(decision.state, side, TO_FLAG):
        decision.emit(CityChanged(city=replace(city, vector=NONE), what="vector"))
    own = [t for t in decision.state.transits.values() if t.army.owner == side]
    lose_transits(decision, (transit for transit in own if transit.target == TO_FLAG))


def receive_transits(decision: Decision, settings: RuleSettings, side: int) -> None:
    """Receive the transits of a side that are due, in the order of ``due_transits``."""
    for transit in due_transits(decision.state, side):
        _arrive(decision, settings, transit)


def due_transits(world: World, side: int) -> tuple[Transit, ...]:
    """Return the transits of a side that are due by this turn, in the order of arrival.

    They are sorted by due round. In a round, those that cities sent come first, by city; those that
    turned back for lack of room follow.
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
    """Put an army in transit on a tile, with full movement points."""
    rested = replace(transit.army, x=at[0], y=at[1], points=transit.army.max_move)
    decision.emit(ArmyArrived(transit=transit.id, army=rested))


def _place(world: World, settings: RuleSettings, transit: Transit) -> Place | None:
    """Return the tile where a transit arrives, or None if no tile has room."""
    army = transit.army
    tiles = target_tiles(world, army.owner, transit.target)
    return next((at for at in tiles if _has_room(world, settings, army, at)), None)


def target_tiles(world: World, side: int, target: int) -> tuple[Place, ...]:
    """Return the tiles of a vector's target, or () if the side has lost it."""
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
    """Return whether an army can stand on a tile's ground: boats need water or a port city."""
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
    """Return a neutral city with its tier and its first garrison, an army with the id ``number``.

    A city without slots gets the same garrison as a weak city. The army is on the city's first
    tile.
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
    """Return an army that starts the game in a city, without movement points in the first turn."""
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
    """Return the slot of a neutral city's tier, or the last slot if it has fewer."""
    return min(city.tier, len(city.slots) - 1)


def refill_neutrals(decision: Decision, settings: RuleSettings) -> None:
    """Advance the production of neutral cities that have been attacked, by one round."""
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
    """Return whether a neutral city makes armies: it was attacked and has too few."""
    if not city.attacked_by or city.tier == NONE or not city.slots:
        return False
    return len(garrison_of(world, city)) < settings.cities.refill_to


# -- Income and upkeep -----------------------------------------------------------------------------


def income(world: World, side: int) -> int:
    """Return a side's income per turn in gold.

    It is the income of its cities, plus its heroes' purse items, which count once for each city.
    """
    cities = cities_of(world, side)
    return sum(city.income for city in cities) + len(cities) * item_records.purses(world, side)


def upkeep(world: World, settings: RuleSettings, side: int) -> int:
    """Return the upkeep per turn, in gold, of a side's armies on the map."""
    return sum(settings.cities.upkeep(army) for army in armies_of(world, side))


def add_gold(
    decision: Decision, settings: RuleSettings, side: int, gold: int, reason: GoldReason
) -> None:
    """Add gold to a side, or remove it if negative; its gold stays between 0 and the maximum."""
    had = decision.state.sides[side].gold
    has = max(0, min(had + gold, settings.cities.most_gold))
    decision.emit(GoldChanged(side, has - had, has, reason))


def keep_accounts(decision: Decision, settings: RuleSettings, side: int) -> None:
    """Book a side's income and upkeep; its gold stays between 0 and its maximum."""
    world = decision.state
    comes, goes = income(world, side), upkeep(world, settings, side)
    gold = max(0, min(world.sides[side].gold + comes - goes, settings.cities.most_gold))
    decision.emit(IncomeCame(side=side, income=comes, upkeep=goes, gold=gold))
