"""Heroes that offer their services."""

from __future__ import annotations

from engine.core.record import replace
from engine.kit.grid import Place
from engine.strategic.book import Book
from engine.strategic.chance import pick
from engine.strategic.commands import Hire
from engine.strategic.desk import Desk
from engine.strategic.events import Answered, Asked, HeroHired
from engine.strategic.heroes.goods import carried
from engine.strategic.heroes.joining import look, numbered, recruit, room_in, vacancies
from engine.strategic.heroes.rules import OfferRules
from engine.strategic.pieces import NONE, Army, City, Hero, Item, Question, UnitType
from engine.strategic.refusal import Refusal, refuse
from engine.strategic.world import World, armies_of, cities_of, city_at


def offer(work: Desk, book: Book, side: int) -> None:
    """The step of a turn's start at which a hero may come.

    In the first round one is there for nothing; later one may offer itself. People are asked
    whether they want it, computers take it.

    Rules: W2-10.1, W2-13.2.
    """
    if work.state.turn == 1:
        _first(work, book, side)
    else:
        _later(work, book, side)


def _first(work: Desk, book: Book, side: int) -> None:
    """A free hero in the capital, with the side's standard; elsewhere if there is no room.

    Rules: W2-10.1, W2-10.3.
    """
    world = work.state
    if not _may_come(world, book):
        return
    city = _capital(world, side) or _home(work, side)
    if city is None:
        return
    name, female = _name(work, book.heroes.offers)
    free = Question("hero", side, city=city.id, name=name, female=female)
    _join(work, book, free, _standard(world, side))


def _later(work: Desk, book: Book, side: int) -> None:
    """Perhaps a hero for money, with companions. Rules: W2-10.1."""
    world, rules = work.state, book.heroes.offers
    own = heroes_of(world, side)
    if not _may_come(world, book) or len(own) >= rules.most(len(cities_of(world, side))):
        return
    price = rules.price(work.dice, bool(own))
    if not rules.comes(work.dice, world.sides[side].gold, price):
        return
    city = _home(work, side)
    if city is None:
        return
    allies = rules.companions(work.dice, price)
    kinds = [kind for kind in world.types.values() if rules.may_join(kind)]
    ally = pick(work.dice, kinds).id if kinds else NONE
    name, female = _name(work, rules)
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
        work.emit(Asked(question))
    else:
        _join(work, book, question)


def hire(work: Desk, book: Book, side: int, order: Hire) -> None:
    """The hero who offers itself is taken, or not.

    The rest of the turn's start is not done here.

    Rules: W2-10.1.

    Raises:
        Refused: no hero has offered itself to the side.
    """
    question = work.state.question
    if question is None or question.kind != "hero" or question.side != side:
        refuse(Refusal.NO_QUESTION, "No hero offers to join you.", "W2-10.1")
    work.emit(Answered("hero", side, "yes" if order.accept else "no"))
    if order.accept:
        _join(work, book, question)


def heroes_of(world: World, side: int) -> tuple[Army, ...]:
    """The heroes of a side, in id order."""
    return tuple(army for army in armies_of(world, side) if army.hero is not None)


def _may_come(world: World, book: Book) -> bool:
    """Whether there may be one more hero in the world. Rules: W2-1.8, W2-10.1."""
    heroes = sum(army.hero is not None for army in world.armies.values())
    return heroes < book.heroes.offers.most_in_world and vacancies(world, book) > 0


def _capital(world: World, side: int) -> City | None:
    """The side's capital if it has it and there is room in it."""
    at = world.sides[side].capital
    city = city_at(world, at) if at is not None else None
    return city if city is not None and city.owner == side and room_in(world, city) else None


def _home(work: Desk, side: int) -> City | None:
    """One of the side's cities with room for a hero. Rules: W2-10.1."""
    world = work.state
    homes = [city for city in cities_of(world, side) if room_in(world, city)]
    return pick(work.dice, homes) if homes else None


def _name(work: Desk, rules: OfferRules) -> tuple[str, bool]:
    """The name of a new hero, one that nobody bears if there is one left."""
    borne = {army.hero.name for army in work.state.armies.values() if army.hero is not None}
    free = [name for name in rules.names if name[0] not in borne]
    return pick(work.dice, free or rules.names)


def _standard(world: World, side: int) -> tuple[Item, ...]:
    """The side's standard, if nobody has had it yet. Rules: W2-10.1."""
    return tuple(
        item
        for item in world.items.values()
        if item.kind == "standard" and item.side == side and item.where == "unused"
    )


def _join(work: Desk, book: Book, deal: Question, items: tuple[Item, ...] = ()) -> None:
    """A hero and its companions stand in a city; companions without room are lost.

    Rules: W2-10.1, W2-9.3, W2-1.8.
    """
    world = work.state
    room = room_in(world, world.cities[deal.city])[: vacancies(world, book)]
    hero = replace(
        recruit(_hero_type(world), deal.side, room[0]), hero=Hero(deal.name, female=deal.female)
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
    work.emit(hired)
    look(work, book, joined)


def _companions(world: World, deal: Question, room: tuple[Place, ...]) -> list[Army]:
    if not deal.allies:
        return []
    kind = world.types[deal.ally]
    return [recruit(kind, deal.side, at) for at in room[: deal.allies]]


def _hero_type(world: World) -> UnitType:
    """The type that heroes are of. Rules: W2-7."""
    return next(kind for kind in world.types.values() if "hero" in kind.traits)
