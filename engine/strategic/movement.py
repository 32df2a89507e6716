"""Movement: orders to go, the march along a way, goals, and orders to those that stay."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from engine.core.containers import Plane
from engine.core.record import replace
from engine.kit.grid import Place, is_beside
from engine.strategic import (
    aftermath,
    battle,
    costs,
    diplomacy,
    quests,
    routes,
    sight,
    sites,
    turns,
)
from engine.strategic.commands import Defend, Disband, March, SetGoal, Walk
from engine.strategic.costs import Mode, Mover
from engine.strategic.decision import Decision
from engine.strategic.events import ArmiesRemoved, DefendSet, GoalSet, GroupMoved, MarchStopped
from engine.strategic.pieces import STACK, Army, side_bit
from engine.strategic.refusal import Refusal, refuse
from engine.strategic.settings import RuleSettings
from engine.strategic.world import World, armies_at, armies_of, city_at, is_on_map, own_group

# -- Orders to go ----------------------------------------------------------------------------------


def march(work: Decision, book: RuleSettings, side: int, command: March) -> None:
    """A group goes to a tile, as far as its points reach; the goal is kept in mind until then.

    Raises:
        Refused: no such group, no way, or the goal may not be attacked.

    Rules: W2-5.3, W2-6.1, W2-6.4, W2-6.5, W2-12.3.
    """
    world = sight.as_known(work.state, book, side)
    group = own_group(world, side, command.armies, "W2-6.1")
    if not is_on_map(world, command.to):
        refuse(Refusal.NO_SUCH_TILE, "There is no such tile.", "W2-1.1")
    who = need_mover(world, book, group)
    route = routes.ordered(world, book, side, group, command.to)
    if route is None:
        refuse(Refusal.NO_WAY, "No way leads there.", "W2-5.3")
    if not command.betray:
        _need_treaty(world, book, side, command.to)
    _need_use(world, book, who, group, route.path)
    go(work, book, who, Orders(command.armies, route.path, command.betray))


def walk(work: Decision, book: RuleSettings, side: int, command: Walk) -> None:
    """A group goes along given tiles, as far as its points reach.

    Raises:
        Refused: no such group, the tiles do not lie beside one another or a step is closed, or the
            goal may not be attacked.

    Rules: W2-5.2, W2-6.1, W2-6.4, W2-12.3.
    """
    who = judged(work.state, book, side, command)
    go(work, book, who, Orders(command.armies, command.path, command.betray))


def judged(world: World, book: RuleSettings, side: int, command: Walk) -> Mover:
    """The mover of a walk that is allowed; the same questions serve orders and plans.

    Args:
        world: the position, or what the side sees of it.
        book: the rule book.
        side: whose order it is.
        command: the order.

    Raises:
        Refused: as in ``walk``.

    Rules: W2-5.2, W2-6.1, W2-6.4, W2-12.3.
    """
    known = sight.as_known(world, book, side)
    group = own_group(known, side, command.armies, "W2-6.1")
    who = need_mover(known, book, group)
    line = (group[0].at, *command.path)
    if len(line) < 2:
        refuse(Refusal.NOTHING_TO_DO, "That way has no steps.", "W2-6.4")
    _check_line(known, book, who, line)
    if not command.betray:
        _need_treaty(known, book, side, line[-1])
    _need_use(known, book, who, group, command.path)
    return who


def need_mover(world: World, book: RuleSettings, group: tuple[Army, ...]) -> Mover:
    """How a group moves.

    Raises:
        Refused: its armies cannot go together.

    Rules: W2-6.1.
    """
    who = costs.mover(world, book.moving, group)
    if who is None:
        text = "Boats, armies aboard and armies on land cannot go together."
        refuse(Refusal.MIXED_GROUP, text, "W2-6.1")
    return who


def _need_treaty(world: World, book: RuleSettings, side: int, at: Place) -> None:
    """Refuse an attack that would break a treaty, before anybody moves. Rules: W2-12.3."""
    if costs.is_attack(world, book, side, at) and not diplomacy.may_attack(world, book, side, at):
        text = "The treaty forbids that attack; it would be treachery."
        refuse(Refusal.TREACHERY, text, "W2-12.3")


def _check_line(world: World, book: RuleSettings, who: Mover, line: Path) -> None:
    """Refuse a way that cannot be gone, as far as the side knows."""
    known = costs.prices(world, book, who)
    for number in range(1, len(line)):
        here, there = line[number - 1], line[number]
        if not is_on_map(world, there) or not is_beside(here, there, 8):
            refuse(Refusal.NOT_BESIDE, "Each tile of a way lies beside the one before.", "W2-6.4")
        if sight.is_unknown(world, book, who.side, there):
            continue
        last = number == len(line) - 1
        price, shut = known.steps[there[1], there[0]], known.shut[there[1], there[0]]
        is_plain = price and not costs.is_coast_step(world, book.moving, who, there)
        able = is_plain or may_step(world, book, who, here, there)
        if not able or (not last and (shut or not price)):
            refuse(Refusal.NO_WAY, f"The step to {there[0]},{there[1]} is closed.", "W2-5.2")


def _need_use(
    world: World, book: RuleSettings, who: Mover, group: tuple[Army, ...], path: Path
) -> None:
    """Refuse orders that would change nothing, as far as the side knows. Rules: W2-6.4."""
    bound = all(army.goal == path[-1] and not army.to_flag and not army.defends for army in group)
    if bound and not gets_on(world, book, who, group, path):
        refuse(Refusal.NO_POINTS, "They cannot go on this turn.", "W2-6.4")


def go(
    work: Decision, book: RuleSettings, who: Mover, orders: Orders, *, flag: bool = False
) -> None:
    """A group goes along its way, attacks at its end, and keeps in mind what is left of it.

    ``flag``: the goal is wherever the rally flag is.

    Rules: W2-6.4, W2-6.5, W2-6.7, W2-11.
    """
    wake(work, orders.armies)
    advance(work, book, who, orders)
    alive = tuple(army for army in orders.armies if army in work.state.armies)
    if all(work.state.armies[army].at == orders.goal for army in alive):
        aim(work, alive, None)
    else:
        aim(work, alive, None if flag else orders.goal, flag=flag)
    if work.state.towers:
        turns.drop_unmanned(work)


def wake(work: Decision, armies: tuple[int, ...]) -> None:
    """Any order to move ends defending. Rules: W2-6.7."""
    awake = tuple(army for army in armies if work.state.armies[army].defends)
    if awake:
        work.emit(DefendSet(awake, on=False))


def aim(work: Decision, armies: tuple[int, ...], goal: Place | None, *, flag: bool = False) -> None:
    """Armies have a goal, or none; nothing happens where that is so already. Rules: W2-6.5."""
    rows = (work.state.armies[army] for army in armies)
    other = tuple(army.id for army in rows if army.goal != goal or army.to_flag != flag)
    if other:
        work.emit(GoalSet(other, goal, flag))


# -- Execution -------------------------------------------------------------------------------------


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


def advance(work: Decision, book: RuleSettings, who: Mover, orders: Orders) -> None:
    """Walk, and attack whoever is at the goal if the group gets beside it.

    Rules: W2-6.4, W2-12.3.
    """
    group = _rows(work.state, orders.armies)
    found = stretch(work.state, book, who, group, orders.path)
    if found.path:
        _enter(work, book, who, group, found.path, costs.points(group) - found.left)
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
    book: RuleSettings,
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
        return costs.points(group) > 0
    if stretch(world, book, who, group, path[:1]).path:
        return True
    found = stretch(world, book, who, group, path)
    if found.path:
        return True
    orders = Orders(tuple(army.id for army in group), path, betray)
    ready = found.left > 0 and len(path) == 1 and found.barred is not None
    return ready and _may_attack(world, book, who, orders, group[0].at)


def strikes(
    world: World, book: RuleSettings, who: Mover, group: tuple[Army, ...], path: Path
) -> bool:
    """Whether a group attacks at the end of a way this turn, as far as is known.

    Rules: W2-6.4, W2-12.3.
    """
    found = stretch(world, book, who, group, path)
    here = found.path[-1] if found.path else group[0].at
    if found.barred != path[-1] or found.left <= 0 or not is_beside(here, path[-1], 8):
        return False
    orders = Orders(tuple(army.id for army in group), path)
    return _may_attack(world, book, who, orders, here)


def may_step(world: World, book: RuleSettings, who: Mover, here: Place, there: Place) -> bool:
    """Whether a step can be made as a last one, points left aside. Rules: W2-5.2, W2-6.6."""
    able = costs.entry(world, book, who, there) > 0
    return able and costs.links(world, book, who, here, there)


def stretch(
    world: World, book: RuleSettings, who: Mover, group: tuple[Army, ...], path: Path
) -> Stretch:
    """How far a group gets on a way with the points it has.

    It passes its own full stacks but does not stop on one; stopped there by somebody who had not
    been seen, it goes back to the last tile with room and does not get back what it has paid.

    Rules: W2-4.5b, W2-6.2, W2-6.4.
    """
    first, here, left = world, group[0].at, costs.points(group)
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


def _seen_from(
    world: World, book: RuleSettings, who: Mover, group: tuple[Army, ...], at: Place
) -> World:
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
    work: Decision, book: RuleSettings, who: Mover, group: tuple[Army, ...], path: Path, paid: int
) -> None:
    """Armies come to the end of a way, aboard or ashore if need be, and look around.

    Rules: W2-6.2, W2-6.4, W2-6.6, W2-11.
    """
    world, rules, at = work.state, book.moving, path[-1]
    ends = costs.is_coast_step(world, rules, who, at)
    armies = tuple(army.id for army in group)
    before = sight.visible(world, book, who.side)
    points = tuple(0 if ends else max(0, army.points - paid) for army in group)
    aboard = tuple(costs.aboard_at(world, rules, army, who.mode, at) for army in group)
    work.emit(GroupMoved(armies, path, points, aboard))
    sight.look_along(work, book, who.side, path, before, flying=who.mode is Mode.AIR)
    sites.pick_up_all(work, book, armies)


def _may_attack(world: World, book: RuleSettings, who: Mover, orders: Orders, here: Place) -> bool:
    """Whether the step to the goal can be an attack, now that it is seen who is there.

    Rules: W2-6.4, W2-6.6, W2-12.3.
    """
    goal = orders.goal
    if not may_step(world, book, who, here, goal):
        return False
    return orders.betray or diplomacy.may_attack(world, book, who.side, goal)


def _attack(work: Decision, book: RuleSettings, who: Mover, orders: Orders) -> None:
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
        aftermath.take_city(work, book, city.id, who.side)


def _rows(world: World, armies: tuple[int, ...]) -> tuple[Army, ...]:
    """The armies that are still there."""
    return tuple(world.armies[army] for army in armies if army in world.armies)


# -- Goals, defending, disbanding ------------------------------------------------------------------


def set_goal(work: Decision, book: RuleSettings, side: int, command: SetGoal) -> None:
    """Armies are told where to go, or to forget it; they do not go yet.

    Raises:
        Refused: no such armies or tile, they cannot go together, or nothing would change.

    Rules: W2-6.5, W2-6.7.
    """
    world = work.state
    group = own_group(world, side, command.armies, "W2-6.5")
    goal = command.to
    if goal is not None and not is_on_map(world, goal):
        refuse(Refusal.NO_SUCH_TILE, "There is no such tile.", "W2-1.1")
    if command.flag and (goal is not None or world.sides[side].flag is None):
        text = "You have planted no flag." if goal is None else "Name a tile or the flag, not both."
        refuse(Refusal.NO_SUCH_TILE, text, "W2-6.5")
    target = world.sides[side].flag if command.flag else goal
    if target == group[0].at:
        refuse(Refusal.NOTHING_TO_DO, "They are there already.", "W2-6.5")
    if target is not None:
        need_mover(world, book, group)
    if all(army.goal == goal and army.to_flag == command.flag for army in group):
        refuse(Refusal.NOTHING_TO_DO, "That is their goal already.", "W2-6.5")
    if target is not None:
        wake(work, command.armies)
    aim(work, command.armies, goal, flag=command.flag)


def go_on(work: Decision, book: RuleSettings, side: int) -> None:
    """All armies that have a goal go on, those with the same one together.

    Who finds no way any more forgets the goal. If a city is taken on the way, the rest waits until
    it is said what becomes of it.

    Raises:
        Refused: nobody can go on.

    Rules: W2-6.5.
    """
    before = len(work.events)
    for armies in _bound(work.state, side):
        group = tuple(work.state.armies[army] for army in armies if army in work.state.armies)
        if group and work.state.question is None and work.state.reason is None:
            _continue(work, book, side, group)
    if len(work.events) == before:
        refuse(Refusal.NOTHING_TO_DO, "Nobody can go on this turn.", "W2-6.5")


def _bound(world: World, side: int) -> list[tuple[int, ...]]:
    """The armies with a goal, in groups of those that stand together and have the same one."""
    found: dict[tuple[Place, Place | None, bool], list[int]] = {}
    for army in armies_of(world, side):
        if army.goal is not None or army.to_flag:
            found.setdefault((army.at, army.goal, army.to_flag), []).append(army.id)
    return [tuple(armies) for armies in found.values()]


def _continue(work: Decision, book: RuleSettings, side: int, group: tuple[Army, ...]) -> None:
    """A group goes on to its goal by a new way."""
    world, armies = work.state, tuple(army.id for army in group)
    flag = group[0].to_flag
    goal = world.sides[side].flag if flag else group[0].goal
    who = costs.mover(world, book.moving, group)
    if goal is None or goal == group[0].at:
        aim(work, armies, None)
    elif who is not None and costs.points(group) > 0:
        known = sight.as_known(world, book, side)
        route = routes.ordered(known, book, side, group, goal)
        if route is None:
            aim(work, armies, None)
        elif gets_on(known, book, who, group, route.path, betray=False):
            go(work, book, who, Orders(armies, route.path), flag=flag)


def defend(work: Decision, book: RuleSettings, side: int, command: Defend) -> None:  # noqa: ARG001 - as others
    """Armies defend where they stand, or do not any more.

    Raises:
        Refused: no such armies, or they do so already.

    Rules: W2-6.7.
    """
    group = own_group(work.state, side, command.armies, "W2-6.7")
    other = tuple(army.id for army in group if army.defends != command.on)
    if not other:
        refuse(Refusal.NOTHING_TO_DO, "They do so already.", "W2-6.7")
    work.emit(DefendSet(other, command.on))


def disband(work: Decision, book: RuleSettings, side: int, command: Disband) -> None:
    """Armies go home for good; what heroes carried stays where they stood.

    Raises:
        Refused: no such armies, or one is a hero with a quest and the side is not sure.

    Rules: W2-17.
    """
    world = work.state
    group = own_group(world, side, command.armies, "W2-17")
    if not command.sure and any(quests.carries_quest_item(world, army) for army in group):
        text = "A hero among them is on a quest; say that you are sure."
        refuse(Refusal.NOT_SURE, text, "W2-17")
    work.emit(ArmiesRemoved(tuple(sorted(army.id for army in group)), "disbanded"))
    sites.fall(work, book, group, group[0].at)
    if work.state.towers:
        turns.drop_unmanned(work)
    quests.check(work, book, side)
