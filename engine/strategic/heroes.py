"""Heroes: offers, recruitment, experience and levels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Literal

from engine.core.record import replace
from engine.kit.grid import Place
from engine.strategic.commands import Hire
from engine.strategic.decision import Decision, answer, ask, asked_of, grow_armies, new_ids, pick
from engine.strategic.events.cities import ArmiesPlaced
from engine.strategic.events.heroes import HeroHired
from engine.strategic.hero_settings import LevelRules, OfferRules
from engine.strategic.item_records import carried
from engine.strategic.pieces import NONE, STACK, Army, City, Hero, Item, Question, UnitType
from engine.strategic.refusal import Refusal, refuse
from engine.strategic.routes import DIRECTIONS
from engine.strategic.settings import RuleSettings
from engine.strategic.sight import look_around
from engine.strategic.world import World, armies_at, armies_of, cities_of, city_at, is_on_map

# -- Offers ----------------------------------------------------------------------------------------


def offer(decision: Decision, settings: RuleSettings, side: int) -> None:
    """Phase of a turn's start in which a hero may be offered.

    In the first round one is there for nothing; later one may offer itself. People are asked
    whether they want it, computers take it.
    """
    if decision.state.turn == 1:
        _first(decision, settings, side)
    else:
        _later(decision, settings, side)


def _first(decision: Decision, settings: RuleSettings, side: int) -> None:
    """Free hero in the capital, with the side's standard; in another city if there is no room."""
    world = decision.state
    if not _may_come(world, settings):
        return
    city = _capital(world, side) or _home(decision, side)
    if city is None:
        return
    name, female = _name(decision, settings.heroes.offers)
    free = Question("hero", side, city=city.id, name=name, female=female)
    join(decision, settings, free, _standard(world, side))


def _later(decision: Decision, settings: RuleSettings, side: int) -> None:
    """Draw the offer of a hero for money, with companions."""
    world, rules = decision.state, settings.heroes.offers
    own = heroes_of(world, side)
    if not _may_come(world, settings) or len(own) >= rules.most(len(cities_of(world, side))):
        return
    price = rules.price(decision.dice, bool(own))
    if not rules.comes(decision.dice, world.sides[side].gold, price):
        return
    city = _home(decision, side)
    if city is None:
        return
    allies = rules.companions(decision.dice, price)
    kinds = [kind for kind in world.types.values() if rules.may_join(kind)]
    ally = pick(decision.dice, kinds).id if kinds else NONE
    name, female = _name(decision, rules)
    question = Question(
        "hero",
        side,
        city=city.id,
        price=price,
        name=name,
        female=female,
        ally=ally,
        allies=allies if kinds else 0,
    )
    if world.sides[side].human:
        ask(decision, question)
    else:
        join(decision, settings, question)


def hire(decision: Decision, settings: RuleSettings, side: int, order: Hire) -> None:
    """Answer the offer of a hero.

    The rest of the turn's start is not done here.

    Raises:
        Refused: no hero has offered itself to the side.
    """
    question = asked_of(decision.state, side, "hero")
    if question is None:
        refuse(Refusal.NO_QUESTION, "No hero offers to join you.", "offer")
    answer(decision, question, "yes" if order.accept else "no")
    if order.accept:
        join(decision, settings, question)


def heroes_of(world: World, side: int) -> tuple[Army, ...]:
    """Heroes of a side, in id order."""
    return tuple(army for army in armies_of(world, side) if army.hero is not None)


def _may_come(world: World, settings: RuleSettings) -> bool:
    """True if there may be one more hero in the world."""
    heroes = sum(army.hero is not None for army in world.armies.values())
    return heroes < settings.heroes.offers.most_in_world and vacancies(world, settings) > 0


def _capital(world: World, side: int) -> City | None:
    """Side's capital if it has it and there is room in it."""
    at = world.sides[side].capital
    city = city_at(world, at) if at is not None else None
    return city if city is not None and city.owner == side and places_in(world, city) else None


def _home(decision: Decision, side: int) -> City | None:
    """Random city of the side with room for a hero."""
    world = decision.state
    homes = [city for city in cities_of(world, side) if places_in(world, city)]
    return pick(decision.dice, homes) if homes else None


def _name(decision: Decision, rules: OfferRules) -> tuple[str, bool]:
    """Name of a new hero, one that nobody bears if there is one left."""
    borne = {army.hero.name for army in decision.state.armies.values() if army.hero is not None}
    free = [name for name in rules.names if name[0] not in borne]
    return pick(decision.dice, free or rules.names)


def _standard(world: World, side: int) -> tuple[Item, ...]:
    """Side's standard, if nobody has had it yet."""
    return tuple(
        item
        for item in world.items.values()
        if item.kind == "standard" and item.side == side and item.where == "unused"
    )


def join(
    decision: Decision, settings: RuleSettings, deal: Question, items: tuple[Item, ...] = ()
) -> None:
    """Place a hero and its companions in a city; companions without room are lost."""
    world = decision.state
    room = places_in(world, world.cities[deal.city])[: vacancies(world, settings)]
    hero = replace(
        new_army(_hero_type(world), deal.side, room[0]),
        level=settings.heroes.levels.first,
        hero=Hero(deal.name, female=deal.female),
    )
    joined = numbered(world, [hero, *_companions(world, deal, room[1:])])
    hired = HeroHired(
        deal.side,
        deal.price,
        world.sides[deal.side].gold - deal.price,
        joined[0],
        joined[1:],
        tuple(carried(item, joined[0].id) for item in items),
    )
    decision.emit(hired)
    look_from(decision, settings, joined)


def _companions(world: World, deal: Question, room: tuple[Place, ...]) -> list[Army]:
    if not deal.allies:
        return []
    kind = world.types[deal.ally]
    return [new_army(kind, deal.side, at) for at in room[: deal.allies]]


def _hero_type(world: World) -> UnitType:
    """Type that heroes are of."""
    return next(kind for kind in world.types.values() if "hero" in kind.traits)


# -- Recruitment -----------------------------------------------------------------------------------


ROUND: Final = ((0, 0), *DIRECTIONS)
"""The tile itself and those around it, from north clockwise."""


def new_army(kind: UnitType, side: int, at: Place) -> Army:
    """New army with the usual numbers of its type, all its points and no upkeep.

    It has no number yet (0).
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


def vacancies(world: World, settings: RuleSettings) -> int:
    """Number of armies that may still be added to the world."""
    return max(0, settings.heroes.most_armies - len(world.armies) - len(world.transits))


def places_in(world: World, city: City) -> tuple[Place, ...]:
    """Free places in a city: each tile once for every army that fits."""
    return _places(world, city.tiles)


def room_beside(
    world: World, settings: RuleSettings, side: int, at: Place, kind: UnitType
) -> tuple[Place, ...]:
    """Free places on a tile and around it for a type: each tile once for every army that fits.

    Not beside others' armies on the same tile, nor in others' cities, nor where the type cannot be.
    """
    around = ((at[0] + dx, at[1] + dy) for dx, dy in ROUND)
    return _places(world, (near for near in around if _is_open(world, settings, side, near, kind)))


def _is_open(world: World, settings: RuleSettings, side: int, at: Place, kind: UnitType) -> bool:
    if not is_on_map(world, at) or any(army.owner != side for army in armies_at(world, at)):
        return False
    city = city_at(world, at)
    if city is not None and city.owner != side:
        return False
    return settings.heroes.may_stand(world, kind, at)


def _places(world: World, tiles: Iterable[Place]) -> tuple[Place, ...]:
    return tuple(at for at in tiles for _ in range(STACK - len(armies_at(world, at))))


def join_at(
    decision: Decision,
    settings: RuleSettings,
    hero: Army,
    allies: tuple[int, int],
    reason: Literal["allies", "reward"],
) -> None:
    """Place allies, (type, number), on a hero's tile or around it; those without room are lost."""
    world, (type_, count) = decision.state, allies
    kind = world.types[type_]
    places = room_beside(world, settings, hero.owner, hero.at, kind)
    places = places[: min(count, vacancies(world, settings))]
    joined = numbered(world, [new_army(kind, hero.owner, at) for at in places])
    place(decision, settings, joined, reason)


def place(
    decision: Decision,
    settings: RuleSettings,
    joined: tuple[Army, ...],
    reason: Literal["allies", "reward"],
) -> None:
    """Put new armies of a side on the map, if there are any."""
    if joined:
        decision.emit(ArmiesPlaced(joined, reason))
        look_from(decision, settings, joined)


def look_from(decision: Decision, settings: RuleSettings, armies: Sequence[Army]) -> None:
    """Discover the surroundings of new armies."""
    look_around(decision, settings, armies[0].owner, armies)


# -- Experience ------------------------------------------------------------------------------------


def title(rules: LevelRules, hero: Army) -> str:
    """Title of a hero of its level; the first one is that of new heroes."""
    female = hero.hero is not None and hero.hero.female
    titles = rules.titles_female if female else rules.titles
    return titles[min(max(0, hero.level - rules.first), len(titles) - 1)]


def learned(rules: LevelRules, army: Army, xp: int) -> Army:
    """Army with more experience if it is a hero."""
    if army.hero is None:
        return army
    return replace(army, xp=min(army.xp + xp, rules.most_xp))


def gain(decision: Decision, settings: RuleSettings, armies: Iterable[int], xp: int) -> None:
    """Add experience to the heroes among some armies."""
    before = [decision.state.armies[army] for army in armies]
    after = (learned(settings.heroes.levels, army, xp) for army in before)
    grown = (new for old, new in zip(before, after, strict=True) if new != old)
    grow_armies(decision, grown, "experience")


def level_up(decision: Decision, settings: RuleSettings, side: int) -> None:
    """Raise each hero that has learned enough by one level."""
    rules = settings.heroes.levels
    own = armies_of(decision.state, side)
    grow_armies(decision, (raised(rules, army) for army in own if is_due(rules, army)), "level")


def is_due(rules: LevelRules, army: Army) -> bool:
    """True if a hero has learned enough for the next level."""
    if army.hero is None or army.level >= len(rules.thresholds):
        return False
    return army.xp >= rules.thresholds[army.level]


def raised(rules: LevelRules, hero: Army) -> Army:
    """Hero one level higher."""
    return replace(
        hero,
        level=hero.level + 1,
        strength=min(hero.strength + rules.strength, rules.most_strength),
        max_move=hero.max_move + rules.move,
    )
