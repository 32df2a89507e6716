"""Going on: groups walk as far as they can, find what was hidden, attack who is at the goal."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from engine.core.containers import Plane
from engine.core.record import replace
from engine.kit.grid import Place, is_beside
from engine.strategic.book import Book
from engine.strategic.desk import Desk
from engine.strategic.events import GroupMoved, MarchStopped
from engine.strategic.fighting import battle, capture
from engine.strategic.heroes import items
from engine.strategic.moving import costs, groups, ports, sight
from engine.strategic.moving.groups import Mode, Mover
from engine.strategic.pieces import STACK, Army, side_bit
from engine.strategic.turns import diplomacy
from engine.strategic.world import World, armies_at, city_at

Path: TypeAlias = tuple[Place, ...]


class Orders(NamedTuple):
    """Who goes, the tiles to go along, and whether treaties are to be broken."""

    armies: tuple[int, ...]
    path: Path
    betray: bool = False

    @property
    def goal(self) -> Place:
        """Where the way ends."""
        return self.path[-1]


class Stretch(NamedTuple):
    """How far a group gets: its way, the points it has left, and whose tile bars it then.

    Where it had to turn back for lack of room, the way leads there and back.
    """

    path: Path
    left: int
    barred: Place | None = None


def advance(work: Desk, book: Book, who: Mover, orders: Orders) -> None:
    """Walk, and attack whoever is at the goal if the group gets beside it.

    Rules: W2-6.4, W2-12.3.
    """
    group = _rows(work.state, orders.armies)
    found = stretch(work.state, book, who, group, orders.path)
    if found.path:
        _enter(work, book, who, group, found.path, groups.points(group) - found.left)
    here = found.path[-1] if found.path else group[0].at
    if found.barred is None:
        return
    ready = found.barred == orders.goal and is_beside(here, orders.goal, 8)
    if not ready or not _may_attack(work.state, book, who, orders, here):
        before = sight.visible(work.state, book, who.side)
        sight.look_along(work, book, who.side, (here,), before, flying=who.mode is Mode.AIR)
        work.emit(MarchStopped(orders.armies, found.barred))
    elif found.left > 0:
        _attack(work, book, who, orders)


def gets_on(
    world: World,
    book: Book,
    who: Mover,
    group: tuple[Army, ...],
    path: Path,
    *,
    betray: bool = True,
) -> bool:
    """Whether a group would go or attack at all on this way, as far as is known.

    What is on a tile that its side has not discovered is seen when it is tried.

    Rules: W2-6.4, W2-11.
    """
    if sight.is_unknown(world, book, who.side, path[0]):
        return groups.points(group) > 0
    if stretch(world, book, who, group, path[:1]).path:
        return True
    found = stretch(world, book, who, group, path)
    if found.path:
        return True
    orders = Orders(tuple(army.id for army in group), path, betray)
    ready = found.left > 0 and len(path) == 1 and found.barred is not None
    return ready and _may_attack(world, book, who, orders, group[0].at)


def strikes(world: World, book: Book, who: Mover, group: tuple[Army, ...], path: Path) -> bool:
    """Whether a group attacks at the end of a way this turn, as far as is known.

    Rules: W2-6.4, W2-12.3.
    """
    found = stretch(world, book, who, group, path)
    here = found.path[-1] if found.path else group[0].at
    if found.barred != path[-1] or found.left <= 0 or not is_beside(here, path[-1], 8):
        return False
    orders = Orders(tuple(army.id for army in group), path)
    return _may_attack(world, book, who, orders, here)


def may_step(world: World, book: Book, who: Mover, here: Place, there: Place) -> bool:
    """Whether a step can be made as a last one, points left aside. Rules: W2-5.2, W2-6.6."""
    able = costs.entry(world, book, who, there) > 0
    return able and costs.links(world, book, who, here, there)


def stretch(world: World, book: Book, who: Mover, group: tuple[Army, ...], path: Path) -> Stretch:
    """How far a group gets on a way with the points it has.

    It passes its own full stacks but does not stop on one; stopped there by somebody who had not
    been seen, it goes back to the last tile with room and does not get back what it has paid.

    Rules: W2-4.5b, W2-6.2, W2-6.4.
    """
    first, here, left = world, group[0].at, groups.points(group)
    stopped, barred = Stretch((), left), None
    gone: list[Place] = []
    for there in path:
        if costs.is_held(world, who.side, there):
            barred = there
            break
        cost = costs.step(world, book, who, here, there)
        if not cost:
            barred = there
            break
        if cost > left:
            break
        left, here = left - cost, there
        gone.append(there)
        if _has_room(first, group, there):
            stopped = Stretch(tuple(gone), left)
        world = _seen_from(world, book, who, group, there)
    if barred is not None and len(stopped.path) < len(gone):
        if costs.is_attack(first, book, who.side, barred):
            return stopped
        back = (group[0].at, *gone)[len(stopped.path) : -1]
        return Stretch((*gone, *reversed(back)), left, barred)
    return stopped._replace(barred=barred)


def _has_room(world: World, group: tuple[Army, ...], at: Place) -> bool:
    """Whether a group could stop on a tile. Rules: W2-6.1, W2-6.4."""
    staying = sum(army not in group for army in armies_at(world, at))
    return staying + len(group) <= STACK


def _seen_from(world: World, book: Book, who: Mover, group: tuple[Army, ...], at: Place) -> World:
    """The position as it will be known when the group has come to a tile.

    Only if it then sees somebody new is that another one than before. Rules: W2-4.5a, W2-11.
    """
    if not sight.has_fog(world, book):
        return world
    flying = who.mode is Mode.AIR
    span = sight.span(world, book.moving, at, who.side, flying=flying)
    seen = sight.visible(world, book, who.side)
    near = sight.square(world, at, span)
    strangers = (army for army in world.armies.values() if army.owner != who.side)
    if not any(near[army.y, army.x] and not seen[army.y, army.x] for army in strangers):
        return world
    found = world.discovered.edit()
    found[near] |= side_bit(who.side)
    moved = (replace(army, x=at[0], y=at[1]) for army in group)
    return replace(world, discovered=Plane(found), armies=world.armies.put(*moved))


def _enter(
    work: Desk, book: Book, who: Mover, group: tuple[Army, ...], path: Path, paid: int
) -> None:
    """Armies come to the end of a way, aboard or ashore if need be, and look around.

    Rules: W2-6.2, W2-6.4, W2-6.6, W2-11.
    """
    world, rules, at = work.state, book.moving, path[-1]
    ends = ports.is_coast_step(world, rules, who, at)
    armies = tuple(army.id for army in group)
    before = sight.visible(world, book, who.side)
    points = tuple(0 if ends else max(0, army.points - paid) for army in group)
    aboard = tuple(ports.aboard_at(world, rules, army, who.mode, at) for army in group)
    work.emit(GroupMoved(armies, path, points, aboard))
    sight.look_along(work, book, who.side, path, before, flying=who.mode is Mode.AIR)
    items.pick_up_all(work, book, armies)


def _may_attack(world: World, book: Book, who: Mover, orders: Orders, here: Place) -> bool:
    """Whether the step to the goal can be an attack, now that it is seen who is there.

    Rules: W2-6.4, W2-6.6, W2-12.3.
    """
    goal = orders.goal
    if not may_step(world, book, who, here, goal):
        return False
    return orders.betray or diplomacy.may_attack(world, book, who.side, goal)


def _attack(work: Desk, book: Book, who: Mover, orders: Orders) -> None:
    """A group attacks a tile beside it, and whoever is left of it moves in.

    Rules: W2-4.5c, W2-6.4, W2-9.2.
    """
    goal = orders.goal
    paid = book.moving.attack(costs.entry(work.state, book, who, goal))
    group = _rows(work.state, orders.armies)
    if not battle.attack(work, book, group, goal, betray=orders.betray):
        return
    _enter(work, book, who, _rows(work.state, orders.armies), (goal,), paid)
    city = city_at(work.state, goal)
    if city is not None and city.owner != who.side:
        capture.take(work, book, city.id, who.side)


def _rows(world: World, armies: tuple[int, ...]) -> tuple[Army, ...]:
    """The armies that are still there."""
    return tuple(world.armies[army] for army in armies if army in world.armies)
