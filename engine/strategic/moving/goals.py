"""Goals that armies keep in mind, and orders to those that stay: defend, disband."""

from __future__ import annotations

from engine.kit.grid import Place
from engine.strategic.book import Book
from engine.strategic.commands import Defend, Disband, SetGoal
from engine.strategic.desk import Desk
from engine.strategic.events import ArmiesRemoved, DefendSet
from engine.strategic.heroes import items, quests
from engine.strategic.heroes.who import own_group
from engine.strategic.moving import advancing, groups, marching, routes, sight
from engine.strategic.moving.advancing import Orders
from engine.strategic.pieces import Army
from engine.strategic.refusal import Refusal, refuse
from engine.strategic.turns import towers
from engine.strategic.world import World, armies_of, is_on_map


def set_goal(work: Desk, book: Book, side: int, command: SetGoal) -> None:
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
    aim = world.sides[side].flag if command.flag else goal
    if aim == group[0].at:
        refuse(Refusal.NOTHING_TO_DO, "They are there already.", "W2-6.5")
    if aim is not None:
        marching.need_mover(world, book, group)
    if all(army.goal == goal and army.to_flag == command.flag for army in group):
        refuse(Refusal.NOTHING_TO_DO, "That is their goal already.", "W2-6.5")
    if aim is not None:
        marching.wake(work, command.armies)
    marching.aim(work, command.armies, goal, flag=command.flag)


def go_on(work: Desk, book: Book, side: int) -> None:
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


def _continue(work: Desk, book: Book, side: int, group: tuple[Army, ...]) -> None:
    """A group goes on to its goal by a new way."""
    world, armies = work.state, tuple(army.id for army in group)
    flag = group[0].to_flag
    goal = world.sides[side].flag if flag else group[0].goal
    who = groups.mover(world, book.moving, group)
    if goal is None or goal == group[0].at:
        marching.aim(work, armies, None)
    elif who is not None and groups.points(group) > 0:
        known = sight.as_known(world, book, side)
        route = routes.ordered(known, book, side, group, goal)
        if route is None:
            marching.aim(work, armies, None)
        elif advancing.gets_on(known, book, who, group, route.path, betray=False):
            marching.go(work, book, who, Orders(armies, route.path), flag=flag)


def defend(work: Desk, book: Book, side: int, command: Defend) -> None:  # noqa: ARG001 - as others
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


def disband(work: Desk, book: Book, side: int, command: Disband) -> None:
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
    items.fall(work, book, group, group[0].at)
    if work.state.towers:
        towers.drop_unmanned(work)
    quests.check(work, book, side)
