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
    """Run the phase of a turn's start in which a hero can be offered.

    In the first round, each side gets a hero for free. Later a hero can offer to join for gold:
    human players are asked, computer players accept.
    """
    if decision.state.turn == 1:
        _first(decision, settings, side)
    else:
        _later(decision, settings, side)


def _first(decision: Decision, settings: RuleSettings, side: int) -> None:
    """Place a free hero with the side's standard in the capital, else in a random city."""
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
    """Draw the offer of a hero for gold, with companions."""
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
    """Answer the offer of a hero; the caller runs the rest of the turn's start.

    Raises:
        Refused: No hero has offered to join the side.
    """
    question = asked_of(decision.state, side, "hero")
    if question is None:
        refuse(Refusal.NO_QUESTION, "No hero offers to join you.", "offer")
    answer(decision, question, "yes" if order.accept else "no")
    if order.accept:
        join(decision, settings, question)


def heroes_of(world: World, side: int) -> tuple[Army, ...]:
    """Return the heroes of a side, in id order."""
    return tuple(army for army in armies_of(world, side) if army.hero is not None)


def _may_come(world: World, settings: RuleSettings) -> bool:
    """Return whether the world has room for one more hero."""
    heroes = sum(army.hero is not None for army in world.armies.values())
    return heroes < settings.heroes.offers.most_in_world and vacancies(world, settings) > 0


def _capital(world: World, side: int) -> City | None:
    """Return the side's capital if it owns it and the capital has room, otherwise None."""
    at = world.sides[side].capital
    city = city_at(world, at) if at is not None else None
    return city if city is not None and city.owner == side and places_in(world, city) else None


def _home(decision: Decision, side: int) -> City | None:
    """Draw a city of the side with room for a hero; return None if there is none."""
    world = decision.state
    homes = [city for city in cities_of(world, side) if places_in(world, city)]
    return pick(decision.dice, homes) if homes else None


def _name(decision: Decision, rules: OfferRules) -> tuple[str, bool]:
    """Draw the name of a new hero, an unused one if any is left."""
    borne = {army.hero.name for army in decision.state.armies.values() if army.hero is not None}
    free = [name for name in rules.names if name[0] not in borne]
    return pick(decision.dice, free or rules.names)


def _standard(world: World, side: int) -> tuple[Item, ...]:
    """Return the side's standard if it is still unused, otherwise ()."""
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
    """Return the unit type of heroes."""
    return next(kind for kind in world.types.values() if "hero" in kind.traits)


# -- Recruitment -----------------------------------------------------------------------------------


ROUND: Final = ((0, 0), *DIRECTIONS)
"""Offsets of a tile itself and of its neighbours, clockwise from north."""


def new_army(kind: UnitType, side: int, at: Place) -> Army:
    """Return a new army with its type's numbers and full points, without upkeep.

    Its id is 0; ``numbered`` sets it.
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
    """Return new armies with unused ids in place of 0."""
    ids = new_ids(world, len(armies))
    return tuple(replace(army, id=id_) for army, id_ in zip(armies, ids, strict=True))


def vacancies(world: World, settings: RuleSettings) -> int:
    """Return the number of armies that the world still has room for."""
    return max(0, settings.cities.most_armies - len(world.armies) - len(world.transits))


def places_in(world: World, city: City) -> tuple[Place, ...]:
    """Return the free places in a city: each tile once for every army that fits."""
    return _places(world, city.tiles)


def room_beside(
    world: World, settings: RuleSettings, side: int, at: Place, kind: UnitType
) -> tuple[Place, ...]:
    """Return the free places for a type on a tile and around it.

    Each tile is listed once for every army that fits. Tiles with armies of other sides, in their
    cities, or closed to the type are left out.
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
    """Place allies, given as (type, number), on or around a hero's tile; the rest is lost."""
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
    """Put new armies of a side on the map; emit nothing for none."""
    if joined:
        decision.emit(ArmiesPlaced(joined, reason))
        look_from(decision, settings, joined)


def look_from(decision: Decision, settings: RuleSettings, armies: Sequence[Army]) -> None:
    """Discover the surroundings of new armies."""
    look_around(decision, settings, armies[0].owner, armies)


# -- Experience ------------------------------------------------------------------------------------


def title(rules: LevelRules, hero: Army) -> str:
    """Return the title of a hero by its level."""
    female = hero.hero is not None and hero.hero.female
    titles = rules.titles_female if female else rules.titles
    return titles[min(max(0, hero.level - rules.first), len(titles) - 1)]


def learned(rules: LevelRules, army: Army, xp: int) -> Army:
    """Return a hero with ``xp`` more experience; any other army unchanged."""
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
    """Raise each hero of a side with enough experience by one level."""
    rules = settings.heroes.levels
    own = armies_of(decision.state, side)
    grow_armies(decision, (raised(rules, army) for army in own if is_due(rules, army)), "level")


def is_due(rules: LevelRules, army: Army) -> bool:
    """Return whether a hero has enough experience for the next level."""
    if army.hero is None or army.level >= len(rules.thresholds):
        return False
    return army.xp >= rules.thresholds[army.level]


def raised(rules: LevelRules, hero: Army) -> Army:
    """Return a hero one level higher."""
    return replace(
        hero,
        level=hero.level + 1,
        strength=min(hero.strength + rules.strength, rules.most_strength),
        max_move=hero.max_move + rules.move,
    )
