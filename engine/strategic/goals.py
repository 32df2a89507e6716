"""Goals that armies keep, and orders to armies that stay: defend, disband."""

from __future__ import annotations

from engine.kit.grid import Place
from engine.strategic import costs, movement, quests, sight, sites, turns
from engine.strategic.commands import Defend, Disband, SetGoal
from engine.strategic.decision import Decision, aim, remove_armies
from engine.strategic.pieces import Army
from engine.strategic.refusal import Refusal, refuse
from engine.strategic.settings import RuleSettings
from engine.strategic.world import World, armies_of, is_on_map, own_group


def set_goal(decision: Decision, settings: RuleSettings, side: int, command: SetGoal) -> None:
    """Set or clear the goal of armies; they do not move yet.

    Raises:
        Refused: No such armies or tile exist, the armies cannot move together, or nothing
            would change.
    """
    world = decision.state
    group = own_group(world, side, command.armies, "goal")
    goal = command.to
    if goal is not None and not is_on_map(world, goal):
        refuse(Refusal.NO_SUCH_TILE, "There is no such tile.", "map")
    if command.flag and (goal is not None or world.sides[side].flag is None):
        text = "You have planted no flag." if goal is None else "Name a tile or the flag, not both."
        refuse(Refusal.NO_SUCH_TILE, text, "goal")
    target = world.sides[side].flag if command.flag else goal
    if target == group[0].at:
        refuse(Refusal.NOTHING_TO_DO, "They are there already.", "goal")
    if target is not None:
        movement.need_mover(world, settings, group)
    if all(army.goal == goal and army.to_flag == command.flag for army in group):
        refuse(Refusal.NOTHING_TO_DO, "That is their goal already.", "goal")
    if target is not None:
        movement.wake(decision, settings, command.armies)
    aim(decision, command.armies, goal, flag=command.flag)


def go_on(decision: Decision, settings: RuleSettings, side: int) -> None:
    """Move all armies that have a goal; those on one tile with the same goal move together.

    A group without a route loses its goal. After the capture of a city, the other groups wait until
    its fate is decided.

    Raises:
        Refused: No army can continue.
    """
    before = len(decision.events)
    for armies in _bound(decision.state, side):
        group = tuple(
            decision.state.armies[army] for army in armies if army in decision.state.armies
        )
        if group and decision.state.pending is None and decision.state.reason is None:
            _continue(decision, settings, side, group)
    if len(decision.events) == before:
        refuse(Refusal.NOTHING_TO_DO, "Nobody can go on this turn.", "goal")


def _bound(world: World, side: int) -> list[tuple[int, ...]]:
    """Return the armies with a goal, grouped by tile and goal."""
    found: dict[tuple[Place, Place | None, bool], list[int]] = {}
    for army in armies_of(world, side):
        if army.goal is not None or army.to_flag:
            found.setdefault((army.at, army.goal, army.to_flag), []).append(army.id)
    return [tuple(armies) for armies in found.values()]


def _continue(
    decision: Decision, settings: RuleSettings, side: int, group: tuple[Army, ...]
) -> None:
    """Move a group towards its goal by a new route."""
    world, armies = decision.state, tuple(army.id for army in group)
    flag = group[0].to_flag
    goal = world.sides[side].flag if flag else group[0].goal
    who = costs.mover(world, settings.moving, group)
    if goal is None or goal == group[0].at:
        aim(decision, armies, None)
    elif who is not None and costs.points(group) > 0:
        known = sight.as_known(world, settings, side)
        path = movement.way(known, settings, side, group, goal)
        if not path:
            aim(decision, armies, None)
        elif movement.gets_on(known, settings, who, group, path, betray=False):
            orders = movement.MarchOrders(armies, path, to=goal)
            movement.go(decision, settings, who, orders, flag=flag)


def defend(decision: Decision, _settings: RuleSettings, side: int, command: Defend) -> None:
    """Set or clear the defending flag of armies.

    Raises:
        Refused: There are no such armies, or nothing would change.
    """
    group = own_group(decision.state, side, command.armies, "tower")
    other = tuple(army.id for army in group if army.defends != command.on)
    if not other:
        refuse(Refusal.NOTHING_TO_DO, "They do so already.", "tower")
    movement.set_defending(decision, other, on=command.on)


def disband(decision: Decision, settings: RuleSettings, side: int, command: Disband) -> None:
    """Disband armies; the items of heroes stay on the tile.

    Raises:
        Refused: There are no such armies, or one is a hero with a quest and the side is not sure.
    """
    world = decision.state
    group = own_group(world, side, command.armies, "command")
    if not command.sure and any(quests.carries_quest_item(world, army) for army in group):
        text = "A hero among them is on a quest; say that you are sure."
        refuse(Refusal.NOT_SURE, text, "command")
    remove_armies(decision, group, "disbanded")
    sites.fall(decision, settings, group, group[0].at)
    if decision.state.towers:
        turns.drop_unmanned(decision)
    quests.check(decision, settings, side)
