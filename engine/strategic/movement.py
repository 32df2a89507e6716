"""Movement: orders to march, the progress along a path, and the attack at its end."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from engine.core.containers import Plane
from engine.core.record import replace
from engine.kit.grid import Place, is_beside
from engine.kit.identity_cache import identity_lru
from engine.strategic import (
    aftermath,
    battle,
    costs,
    crossings,
    diplomacy,
    routes,
    sight,
    sites,
    turns,
)
from engine.strategic.commands import March, Walk
from engine.strategic.costs import Mode, Mover
from engine.strategic.decision import Decision, aim
from engine.strategic.events.movement import DefendSet, GroupMoved, MarchStopped
from engine.strategic.pieces import STACK, Army, side_bit
from engine.strategic.reach import in_time
from engine.strategic.refusal import Refusal, refuse
from engine.strategic.settings import RuleSettings
from engine.strategic.world import World, armies_at, city_at, is_on_map, own_group

# -- Orders to go ----------------------------------------------------------------------------------


def march(decision: Decision, settings: RuleSettings, side: int, command: March) -> None:
    """March a group to a tile as far as its points reach, and keep the goal until it is reached.

    Raises:
        Refused: There is no such group or path, or the side must not attack the goal.
    """
    world = sight.as_known(decision.state, settings, side)
    group = own_group(world, side, command.armies, "group")
    if not is_on_map(world, command.to):
        refuse(Refusal.NO_SUCH_TILE, "There is no such tile.", "map")
    who = need_mover(world, settings, group)
    path = way(world, settings, side, group, command.to)
    if not path:
        refuse(Refusal.NO_WAY, "No way leads there.", "way")
    if not command.betray:
        _need_treaty(world, settings, side, command.to)
    _need_use(world, settings, who, group, path, command.to)
    go(decision, settings, who, MarchOrders(command.armies, path, command.betray, command.to))


def way(
    world: World, settings: RuleSettings, side: int, group: tuple[Army, ...], to: Place
) -> Path:
    """Return the tiles of a march to its goal or first coast step; () if there is no path."""
    route = routes.ordered(world, settings, side, group, to)
    if route is not None:
        alike = settings.moving.member_price is None and not settings.moving.embarks
        return route.path if alike else in_time(world, settings, group, route).path
    first = next(iter(crossings.legs(world, settings, side, group, to)), None)
    return first.path if first is not None else ()


def walk(decision: Decision, settings: RuleSettings, side: int, command: Walk) -> None:
    """March a group along given tiles as far as its points reach.

    Raises:
        Refused: There is no such group, the tiles are not neighbours, a step is closed, or the side
            must not attack the goal.
    """
    who = judged(decision.state, settings, side, command)
    go(decision, settings, who, MarchOrders(command.armies, command.path, command.betray))


def judged(world: World, settings: RuleSettings, side: int, command: Walk) -> Mover:
    """Check a walk and return its mover; used both for orders and for plans.

    Args:
        world: The position, or what the side sees of it.
        settings: The rule settings.
        side: The side that gives the order.
        command: The order.

    Raises:
        Refused: As in ``walk``.
    """
    known = sight.as_known(world, settings, side)
    group = own_group(known, side, command.armies, "group")
    who = need_mover(known, settings, group)
    line = (group[0].at, *command.path)
    if len(line) < 2:
        refuse(Refusal.NOTHING_TO_DO, "That way has no steps.", "march")
    _check_line(known, settings, who, line)
    if not command.betray:
        _need_treaty(known, settings, side, line[-1])
    _need_use(known, settings, who, group, command.path, command.path[-1])
    return who


def need_mover(world: World, settings: RuleSettings, group: tuple[Army, ...]) -> Mover:
    """Return the mover of a group.

    Raises:
        Refused: Its armies cannot move together from their tile.
    """
    who = costs.mover(world, settings.moving, group)
    if who is None:
        if costs.strands(world, settings.moving, group):
            text = "They cannot part here: some of them would no longer fly."
        elif costs.is_shut(world, settings.moving, group[0].at):
            text = "They do not get away from here without a road, or somebody who knows the way."
        else:
            text = "Boats, armies aboard and armies on land cannot go together."
        refuse(Refusal.MIXED_GROUP, text, "group")
    return who


def _need_treaty(world: World, settings: RuleSettings, side: int, at: Place) -> None:
    """Refuse an attack that would break a treaty, before any army moves."""
    if costs.is_attack(world, settings, side, at) and not diplomacy.may_attack(
        world, settings, side, at
    ):
        text = "The treaty forbids that attack; it would be treachery."
        refuse(Refusal.TREACHERY, text, "betrayal")


def _check_line(world: World, settings: RuleSettings, who: Mover, line: Path) -> None:
    """Refuse a path that cannot be walked, as far as the side knows."""
    known = costs.prices(world, settings, who)
    for number in range(1, len(line)):
        here, there = line[number - 1], line[number]
        if not is_on_map(world, there) or not is_beside(here, there, 8):
            refuse(Refusal.NOT_BESIDE, "Each tile of a way lies beside the one before.", "march")
        if sight.is_unknown(world, settings, who.side, there):
            continue
        last = number == len(line) - 1
        price, shut = known.steps[there[1], there[0]], known.shut[there[1], there[0]]
        is_plain = price and not costs.is_coast_step(world, settings.moving, who, there)
        able = is_plain or may_step(world, settings, who, here, there)
        if not able or (not last and (shut or not price)):
            refuse(Refusal.NO_WAY, f"The step to {there[0]},{there[1]} is closed.", "step")


def _need_use(
    world: World, settings: RuleSettings, who: Mover, group: tuple[Army, ...], path: Path, to: Place
) -> None:
    """Refuse orders that would change nothing, as far as the side knows."""
    bound = all(army.goal == to and not army.to_flag and not army.defends for army in group)
    if bound and not gets_on(world, settings, who, group, path):
        refuse(Refusal.NO_POINTS, "They cannot go on this turn.", "march")


def go(
    decision: Decision,
    settings: RuleSettings,
    who: Mover,
    orders: MarchOrders,
    *,
    flag: bool = False,
) -> None:
    """Move a group along its path, attack at its end, and keep the goal if it is not reached.

    ``flag``: the goal follows the rally flag.
    """
    wake(decision, settings, orders.armies)
    goal = orders.to or orders.goal
    ends = sight.goal_tiles(decision.state, settings, who.side, goal)
    advance(decision, settings, who, orders)
    alive = tuple(army for army in orders.armies if army in decision.state.armies)
    if all(decision.state.armies[army].at in ends for army in alive):
        aim(decision, alive, None)
    else:
        aim(decision, alive, None if flag else goal, flag=flag)
    if decision.state.towers:
        turns.drop_unmanned(decision)


def wake(decision: Decision, settings: RuleSettings, armies: tuple[int, ...]) -> None:
    """End the defending of armies, and what the rule book ends at every order to move."""
    awake = tuple(army for army in armies if decision.state.armies[army].defends)
    if awake:
        set_defending(decision, awake, on=False)
    if settings.moving.wakes is not None:
        settings.moving.wakes(decision, armies)


def set_defending(decision: Decision, armies: tuple[int, ...], *, on: bool) -> None:
    """Set or clear the defending flag of armies."""
    decision.emit(DefendSet(armies, on))


# -- Execution -------------------------------------------------------------------------------------


Path: TypeAlias = tuple[Place, ...]


class MarchOrders(NamedTuple):
    """Orders for a march: the armies, the path, and whether treaties can be broken.

    ``to`` is the final goal if the path ends before it.
    """

    armies: tuple[int, ...]
    path: Path
    betray: bool = False
    to: Place | None = None

    @property
    def goal(self) -> Place:
        """Last tile of the path."""
        return self.path[-1]


class Stretch(NamedTuple):
    """Progress of a group: its path, the points left to each member, and the tile that bars it.

    If it had to turn back for lack of room, the path leads there and back.
    """

    path: Path
    points: tuple[int, ...]
    barred: Place | None = None

    @property
    def left(self) -> int:
        """Points left to the group."""
        return min(self.points)


def advance(decision: Decision, settings: RuleSettings, who: Mover, orders: MarchOrders) -> None:
    """Walk along the path, and attack the goal if the group gets beside it."""
    group = _rows(decision.state, orders.armies)
    found = stretch(decision.state, settings, who, group, orders.path)
    if found.path:
        _enter(decision, settings, who, group, found.path, found.points)
    here = found.path[-1] if found.path else group[0].at
    if found.barred is None:
        return
    ends = sight.goal_tiles(decision.state, settings, who.side, orders.to or orders.goal)
    ready = found.barred == orders.goal and is_beside(here, orders.goal, 8)
    if not (ready and orders.goal in ends) or not _may_attack(
        decision.state, settings, who, orders, here
    ):
        before = sight.visible(decision.state, settings, who.side)
        sight.look_along(decision, settings, group, (here,), before, flying=who.mode is Mode.AIR)
        decision.emit(MarchStopped(orders.armies, found.barred))
    elif found.left >= costs.attack_need(decision.state, settings, who, orders.goal):
        _attack(decision, settings, who, orders)


def gets_on(
    world: World,
    settings: RuleSettings,
    who: Mover,
    group: tuple[Army, ...],
    path: Path,
    *,
    betray: bool = True,
) -> bool:
    """Return whether a group would move or attack at all on this path, as far as the side knows.

    An undiscovered tile counts as open if the group has points left; the attempt reveals its
    content.
    """
    if sight.is_unknown(world, settings, who.side, path[0]):
        return costs.points(group) > 0
    if stretch(world, settings, who, group, path[:1]).path:
        return True
    found = stretch(world, settings, who, group, path)
    if found.path:
        return True
    if len(path) > 1 or found.barred is None:
        return False
    orders = MarchOrders(tuple(army.id for army in group), path, betray)
    able = found.left >= costs.attack_need(world, settings, who, path[0])
    return able and _may_attack(world, settings, who, orders, group[0].at)


def strikes(
    world: World, settings: RuleSettings, who: Mover, group: tuple[Army, ...], path: Path
) -> bool:
    """Return whether a group attacks at the end of a path this turn, as far as the side knows."""
    found = stretch(world, settings, who, group, path)
    here = found.path[-1] if found.path else group[0].at
    if found.barred != path[-1] or not is_beside(here, path[-1], 8):
        return False
    if found.left < costs.attack_need(world, settings, who, path[-1]):
        return False
    orders = MarchOrders(tuple(army.id for army in group), path)
    return _may_attack(world, settings, who, orders, here)


def may_step(world: World, settings: RuleSettings, who: Mover, here: Place, there: Place) -> bool:
    """Return whether a step is possible as the last one, ignoring movement points."""
    able = costs.entry(world, settings, who, there) > 0
    return able and costs.links(world, settings, who, here, there)


@identity_lru(4)
def stretch(
    world: World, settings: RuleSettings, who: Mover, group: tuple[Army, ...], path: Path
) -> Stretch:
    """Return the progress of a group on a path with its present points.

    It passes its own full stacks but cannot stop on one. If an army that had not been seen bars the
    way there, it returns to the last tile with room; the points are spent.
    """
    first, here, left = world, group[0].at, tuple(army.points for army in group)
    stopped, barred = Stretch((), left), None
    gone: list[Place] = []
    prices = costs.prices(world, settings, who)
    for there in path:
        if costs.is_held(world, who.side, there):
            barred = there
            break
        cost = costs.priced_step(world, settings, who, prices, (here, there))
        if not cost:
            barred = there
            break
        if cost > min(left):
            break
        left = _paid(world, settings, group, left, there, cost)
        if costs.embarks(world, settings.moving, who, here, there):
            left = (0,) * len(group)
        here = there
        gone.append(there)
        if _has_room(first, group, there):
            stopped = Stretch(tuple(gone), left)
        seen = _seen_from(world, settings, who, group, there)
        if seen is not world:
            world, prices = seen, costs.prices(seen, settings, who)
    if barred is not None and len(stopped.path) < len(gone):
        if costs.is_attack(first, settings, who.side, barred):
            return stopped
        back = (group[0].at, *gone)[len(stopped.path) : -1]
        return Stretch((*gone, *reversed(back)), left, barred)
    return stopped._replace(barred=barred)


def _paid(
    world: World,
    settings: RuleSettings,
    group: tuple[Army, ...],
    points: tuple[int, ...],
    at: Place,
    price: int,
) -> tuple[int, ...]:
    """Return the points of each member after a step onto a tile."""
    pays = settings.moving.member_price
    if pays is None:
        return tuple(left - price for left in points)
    rows, ground = zip(group, points, strict=True), world.terrain[at[1], at[0]]
    return tuple(left - pays(world, army, ground, price) for army, left in rows)


def _has_room(world: World, group: tuple[Army, ...], at: Place) -> bool:
    """Return whether a group has room to stop on a tile."""
    staying = sum(army not in group for army in armies_at(world, at))
    return staying + len(group) <= STACK


def _seen_from(
    world: World, settings: RuleSettings, who: Mover, group: tuple[Army, ...], at: Place
) -> World:
    """Return the position as it will be known after the group has come to a tile.

    It is a new world only if the group then sees a new army.
    """
    if not sight.has_fog(world, settings):
        return world
    flying = who.mode is Mode.AIR
    span = sight.span(world, settings.moving, group, at, flying=flying)
    seen = sight.visible(world, settings, who.side)
    near = sight.square(world, at, span)
    strangers = (army for army in world.armies.values() if army.owner != who.side)
    if not any(near[army.y, army.x] and not seen[army.y, army.x] for army in strangers):
        return world
    found = world.discovered.edit()
    found[near] |= side_bit(who.side)
    moved = (replace(army, x=at[0], y=at[1]) for army in group)
    return replace(world, discovered=Plane(found), armies=world.armies.put(*moved))


def _enter(
    decision: Decision,
    settings: RuleSettings,
    who: Mover,
    group: tuple[Army, ...],
    path: Path,
    left: tuple[int, ...],
) -> None:
    """Move armies to the end of a path, embark or land them there, and discover around it."""
    world, rules, at = decision.state, settings.moving, path[-1]
    embarks = costs.embarks(world, rules, who, (group[0].at, *path)[-2], at)
    ends = embarks or costs.is_coast_step(world, rules, who, at)
    armies = tuple(army.id for army in group)
    before = sight.visible(world, settings, who.side)
    points = tuple(0 if ends else max(0, points) for points in left)
    aboard = tuple(
        (embarks and costs.boards(world, army)) or costs.aboard_at(world, rules, army, who.mode, at)
        for army in group
    )
    decision.emit(GroupMoved(armies, path, points, aboard))
    if rules.moved is not None:
        rules.moved(decision, group)
    sight.look_along(decision, settings, group, path, before, flying=who.mode is Mode.AIR)
    if settings.heroes.items.picked_up and any(army.hero is not None for army in group):
        sites.pick_up_all(decision, settings, armies)


def put_down(
    decision: Decision, settings: RuleSettings, group: tuple[Army, ...], at: Place
) -> None:
    """Put armies on another land tile without changing their movement points."""
    armies, points = tuple(army.id for army in group), tuple(army.points for army in group)
    decision.emit(GroupMoved(armies, (at,), points, (False,) * len(group)))
    aim(decision, armies, None)
    moved = tuple(decision.state.armies[army] for army in armies)
    sight.look_around(decision, settings, group[0].owner, moved)


def _may_attack(
    world: World, settings: RuleSettings, who: Mover, orders: MarchOrders, here: Place
) -> bool:
    """Return whether the step to the goal can be an attack, now that its occupants are known."""
    goal = orders.goal
    if not may_step(world, settings, who, here, goal):
        return False
    return orders.betray or diplomacy.may_attack(world, settings, who.side, goal)


def _attack(decision: Decision, settings: RuleSettings, who: Mover, orders: MarchOrders) -> None:
    """Attack a neighbouring tile; if no defender is left, move in and take its city."""
    goal = orders.goal
    paid = costs.attack_price(settings.moving, costs.entry(decision.state, settings, who, goal))
    group = _rows(decision.state, orders.armies)
    if not battle.attack(decision, settings, group, goal, betray=orders.betray):
        return
    group = _rows(decision.state, orders.armies)
    left = tuple(army.points for army in group)
    left = _paid(decision.state, settings, group, left, goal, paid)
    _enter(decision, settings, who, group, (goal,), left)
    city = city_at(decision.state, goal)
    if city is not None and city.owner != who.side:
        aftermath.take_city(decision, settings, city.id, who.side)


def _rows(world: World, armies: tuple[int, ...]) -> tuple[Army, ...]:
    """Return the armies that are still on the map."""
    return tuple(world.armies[army] for army in armies if army in world.armies)
