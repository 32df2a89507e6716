"""Offers: commands that are worth trying in a position; few of them are refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from engine.kit.grid import is_beside
from engine.strategic import commands as do
from engine.strategic import costs
from engine.strategic.pieces import NONE, TO_FLAG, UNKNOWN_TYPE, Army, City, Site
from engine.strategic.settings import RuleSettings
from engine.strategic.world import World, cities_of, is_on_map, items_of, site_at, stacks

_LONG: Final = 3
"""Last round in which resigning is not offered."""

_ENOUGH: Final = 2
"""Number of cities up to which razing one is not offered."""

_FAR: Final = 2
"""Number of stacks for which distant goals are offered."""

_AROUND: Final = tuple((dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy)


def candidates(world: World, side: int, about: int | None) -> Iterator[do.AnyCommand]:
    """Yield commands that a side might give now; with ``about``, only those of this army."""
    if world.question is not None:
        if world.question.side == side and about is None:
            yield from _ANSWERS.get(world.question.kind, ())
        return
    own = (stack for stack in stacks(world.armies).values() if stack[0].owner == side)
    for number, stack in enumerate(own):
        if about is None or any(army.id == about for army in stack):
            orders = _of_stack(world, stack, far=number < _FAR)
            yield from (order for order in orders if about is None or about in _named(order))
    if about is not None:
        return
    for city in cities_of(world, side):
        yield from _of_city(world, side, city)
    yield from _of_side(world, side)
    yield do.EndTurn()


def is_plain_step(world: World, settings: RuleSettings, order: do.AnyCommand) -> bool:
    """Return whether an order is a march to the next tile that needs no path search."""
    if not isinstance(order, do.March):
        return False
    group = tuple(world.armies[army] for army in order.armies)
    at = group[0].at
    who = costs.mover(world, settings.moving, group)
    if (
        who is None
        or not is_beside(at, order.to, 8)
        or costs.is_attack(world, settings, who.side, order.to)
    ):
        return False
    able = costs.entry(world, settings, who, order.to) > 0
    return able and costs.links(world, settings, who, at, order.to) and group[0].goal != order.to


_ANSWERS: Final[Mapping[str, tuple[do.AnyCommand, ...]]] = {
    "fate": (do.Settle("occupy"), do.Settle("pillage"), do.Settle("sack"), do.Settle("raze")),
    "hero": (do.Hire(), do.Hire(accept=False)),
    "sage": (
        do.AskSage("items"),
        do.AskSage("gold"),
        do.AskSage("maps"),
        do.AskSage("allies"),
    ),
    "yield": (do.AnswerYield(), do.AnswerYield(accept=False)),
}
"""Answers to the shared questions, by kind."""


def _named(order: do.AnyCommand) -> tuple[int, ...]:
    """Return the armies that an order is for."""
    if isinstance(order, do.Search | do.TakeQuest | do.Drop | do.PlantFlag | do.PickUp):
        return (order.army,)
    if isinstance(order, do.March | do.Walk | do.SetGoal | do.Defend | do.Disband | do.Bless):
        return order.armies
    return ()


def _of_stack(world: World, stack: tuple[Army, ...], *, far: bool) -> Iterator[do.AnyCommand]:
    """Yield orders for a stack; ``far`` adds distant goals, whose search takes a while."""
    x, y = stack[0].at
    ids = tuple(army.id for army in stack)
    beside = [(x + dx, y + dy) for dx, dy in _AROUND if is_on_map(world, (x + dx, y + dy))]
    for at in beside[:: 1 + len(beside) // 5]:
        yield do.March(ids, at)
    for at in beside[:: len(beside) - 1]:
        yield do.Walk(ids[:1], (at,))
    yield do.Defend(ids, on=not all(army.defends for army in stack))
    for number, city in enumerate(_targets(world, stack[0]) if far else ()):
        yield do.March(ids, city.tiles[number], betray=number > 0)
        yield do.SetGoal(ids, (city.x, city.y))
    if any(army.goal or army.to_flag for army in stack):
        yield do.GoOn()
        yield do.SetGoal(ids)
    yield do.SetGoal(ids, flag=True)
    yield from _of_heroes(world, stack)
    if len(stack) > 1:
        yield do.Disband(ids[-1:], sure=True)


def _targets(world: World, army: Army) -> list[City]:
    """Return the two nearest cities of other owners."""
    foreign = [c for c in world.cities.values() if c.owner != army.owner and not c.razed]
    foreign.sort(key=lambda c: (max(abs(c.x - army.x), abs(c.y - army.y)), c.id))
    return foreign[:2]


def _nearest_sites(world: World, army: Army) -> list[Site]:
    """Return the three nearest sites that have not been searched."""
    left = [site for site in world.sites.values() if not site.searched]
    left.sort(key=lambda s: (max(abs(s.x - army.x), abs(s.y - army.y)), s.id))
    return left[:3]


def _of_heroes(world: World, stack: tuple[Army, ...]) -> Iterator[do.AnyCommand]:
    site = site_at(world, stack[0].at)
    if site is not None and site.kind == "temple":
        yield do.Bless(tuple(army.id for army in stack))
    for army in stack:
        if army.hero is None:
            continue
        for place in _nearest_sites(world, army)[: 3 - world.turn % 2]:
            yield do.March((army.id,), (place.x, place.y))
        if site is not None:
            yield do.Search(army.id)
            yield do.TakeQuest(army.id)
        for item in items_of(world, army.id):
            yield do.Drop(army.id, item.id)
            if item.kind == "standard":
                yield do.PlantFlag(army.id)
        for item in world.items.values():
            if item.where in ("ground", "planted") and (item.x, item.y) == army.at:
                yield do.PickUp(army.id, item.id)


def _of_city(world: World, side: int, city: City) -> Iterator[do.AnyCommand]:
    for slot in range(len(city.slots)):
        if slot != city.making:
            yield do.Produce(city.id, slot)
    if city.making != NONE:
        yield do.StopProduction(city.id)
    for other in cities_of(world, side)[:3]:
        if other.id != city.id:
            yield do.SetVector(city.id, other.id)
    if world.sides[side].flag is not None and city.vector != TO_FLAG:
        yield do.SetVector(city.id, flag=True)
    if city.vector != NONE:
        yield do.SetVector(city.id)
    yield do.RenameCity(city.id, f"{city.name[:12]} II")
    if len(cities_of(world, side)) > _ENOUGH:
        yield do.Raze(city.id)
    yield from _purchases(world, side, city)


def _purchases(world: World, side: int, city: City) -> Iterator[do.AnyCommand]:
    gold = world.sides[side].gold
    for kind in world.types.values():
        if 0 <= kind.price <= gold:
            yield do.BuySlot(city.id, min(len(city.slots), 3), kind.id)


def _of_side(world: World, side: int) -> Iterator[do.AnyCommand]:
    own = world.sides[side]
    for other in world.sides.values():
        if other.id != side and other.alive and own.stances:
            yield do.SetStance(other.id, (own.stances[other.id] + 1) % 3)
    kinds = (kind for kind in world.types if kind != UNKNOWN_TYPE.id)
    by_place = sorted(kinds, key=lambda kind: (own.order[kind], kind))
    yield do.SetFightOrder((*by_place[1:], by_place[0]))
    if world.turn > _LONG:
        yield do.Resign()
