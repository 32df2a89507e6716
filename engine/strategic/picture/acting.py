"""Armies that can still act this turn: those that can go somewhere, and those with a goal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from engine.kit.grid import STEPS, Place
from engine.strategic import costs, diplomacy, movement
from engine.strategic.costs import Mover
from engine.strategic.pieces import STACK, Army
from engine.strategic.reach import reach
from engine.strategic.settings import RuleSettings
from engine.strategic.world import World, armies_at, armies_of, is_on_map

Group: TypeAlias = tuple[Army, ...]

# -- armies that can go somewhere ------------------------------------------------------------------


def can_go(world: World, settings: RuleSettings, armies: Group) -> bool:
    """Return whether armies on a tile, together or singly, can step or attack this turn.

    Attacks that a treaty forbids do not count.
    """
    parts = (armies, *((army,) for army in armies)) if len(armies) > 1 else (armies,)
    return any(_goes(world, settings, part) for part in parts)


def _goes(world: World, settings: RuleSettings, group: Group) -> bool:
    who = costs.mover(world, settings.moving, group)
    if who is None or costs.points(group) < 1:
        return False
    steps = set[StepKind]()
    for step in _steps(world, settings, who, group):
        if step == "free":
            return True
        steps.add(step)
    if "taken" not in steps:  # computing the reach is far slower
        return False
    found = reach(world, settings, who.side, group)
    return bool(found.stops) or any(
        diplomacy.may_attack(world, settings, who.side, at) for at in found.targets
    )


StepKind: TypeAlias = Literal["free", "taken", "shut"]
"""Step onto a tile with room, onto one that is full or that others hold, or impossible."""


def _steps(world: World, settings: RuleSettings, who: Mover, group: Group) -> Iterator[StepKind]:
    """Yield the steps that a group can pay for to the tiles around it."""
    known, here, points = costs.prices(world, settings, who), group[0].at, costs.points(group)
    for dx, dy in STEPS[8]:
        there: Place = here[0] + dx, here[1] + dy
        if not is_on_map(world, there):
            continue
        if known.shut[there[1], there[0]]:
            yield "taken"
        elif not 0 < costs.priced_step(world, settings, who, known, (here, there)) <= points:
            yield "shut"
        else:
            has_room = len(armies_at(world, there)) + len(group) <= STACK
            yield "free" if has_room else "taken"


# -- armies with a goal ----------------------------------------------------------------------------

GoalMarch: TypeAlias = Literal["goes", "waits", "lost"]
"""Effect of the command to go on: a group moves, stays with its goal, or loses it."""


def bound_groups(world: World, side: int) -> tuple[Group, ...]:
    """Return a side's armies with a goal, in the groups that the command to go on moves."""
    found: dict[tuple[Place, Place | None, bool], list[Army]] = {}
    for army in armies_of(world, side):
        if army.goal is not None or army.to_flag:
            found.setdefault((army.at, army.goal, army.to_flag), []).append(army)
    return tuple(map(tuple, found.values()))


def _goal_of(world: World, side: int, group: Group) -> Place | None:
    """Return the goal of a group, which may be the rally flag; None if it is there already."""
    goal = world.sides[side].flag if group[0].to_flag else group[0].goal
    return None if goal == group[0].at else goal


def march_of(world: World, settings: RuleSettings, side: int, group: Group) -> GoalMarch:
    """Return the effect of the command to go on upon one of ``bound_groups``, as its side knows."""
    goal = _goal_of(world, side, group)
    if goal is None:
        return "lost"
    who = costs.mover(world, settings.moving, group)
    if who is None or costs.points(group) < 1:
        return "waits"
    path = movement.way(world, settings, side, group, goal)
    if not path:
        return "lost"
    goes = movement.gets_on(world, settings, who, group, path, betray=False)
    return "goes" if goes else "waits"


def assaults_ahead(
    world: World, settings: RuleSettings, side: int
) -> Iterator[tuple[Group, Place]]:
    """Yield the groups that the command to go on lets attack this turn, with the tile attacked."""
    for group in bound_groups(world, side):
        goal, who = _goal_of(world, side, group), costs.mover(world, settings.moving, group)
        if goal is None or who is None or costs.points(group) < 1:
            continue
        path = movement.way(world, settings, side, group, goal)
        if path and movement.strikes(world, settings, who, group, path):
            yield group, path[-1]
