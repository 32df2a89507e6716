"""Fate of a group that stops on a tile.

The fate are the enemy stacks that can come, and the chance to hold the tile against one.
Enemies are those that the viewer sees, with full points, as the layer ``danger`` counts them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from engine.core.record import replace
from engine.kit.fields import CostGrid, distances
from engine.kit.grid import Place
from engine.kit.identity_cache import identity_cache, keyed_identity_cache
from engine.strategic import costs
from engine.strategic.battle import forecast
from engine.strategic.picture.context import PictureContext
from engine.strategic.picture.selection import is_enemy
from engine.strategic.pieces import NOBODY, Army
from engine.strategic.world import flies as can_fly

Stacks: TypeAlias = Mapping[Place, tuple[Army, ...]]


@keyed_identity_cache
def chance_to_hold(context: PictureContext, key: tuple[tuple[int, ...], Place]) -> int | None:
    """Chance in percent that a group on a tile beats the strongest stack that can come.

    None where people get no advice, or where nobody can come.
    """
    ids, at = key
    foes = attackers_of(context, at)
    if not foes or not context.settings.fighting.advises:
        return None
    world = context.world
    moved = [replace(army, x=at[0], y=at[1]) for army in map(world.armies.__getitem__, ids)]
    if moved and moved[0].at != world.armies[ids[0]].at:
        world = replace(world, armies=world.armies.put(*moved))
    stack = [world.armies[army.id] for army in context.stacks[foes[0]]]
    lost = forecast(world, context.settings, stack, at).chance
    return 100 - round(100 * lost) if lost in (0, 1) else min(99, max(1, round(100 * (1 - lost))))


@keyed_identity_cache
def attackers_of(context: PictureContext, at: Place) -> tuple[Place, ...]:
    """Tiles of the seen enemy stacks that can come to a tile, the strongest stack first."""
    (x, y), found = at, list[Place]()
    for _, points, start in _dangerous(context):
        if abs(start[0] - x) <= points and abs(start[1] - y) <= points:
            reached = reached_from(context, start)
            if reached is not None and reached.holds(at):
                found.append(start)
    return tuple(found)


@identity_cache
def _dangerous(context: PictureContext) -> tuple[tuple[int, int, Place], ...]:
    """Strength, points and tile of each stack of the enemies, the strongest first."""
    found = [
        (sum(army.strength for army in stack), quickest(context, at).points, at)
        for at, stack in enemy_stacks(context).items()
    ]
    return tuple(sorted(found, key=lambda row: (-row[0], row[2][::-1])))


# -- reach of other stacks -------------------------------------------------------------------------


class StackReach(NamedTuple):
    """Window of the map, and 1 on each tile in it that a stack can reach."""

    rows: slice
    columns: slice
    found: npt.NDArray[np.int16]

    def holds(self, at: Place) -> bool:
        """True if a tile is reached."""
        x, y = at[0] - self.columns.start, at[1] - self.rows.start
        height, width = self.found.shape
        return bool(0 <= x < width and 0 <= y < height and self.found[y, x])


@identity_cache
def enemy_stacks(context: PictureContext) -> Stacks:
    """Stacks of the viewer's enemies that are seen, by tile."""
    return {
        at: stack
        for at, stack in context.stacks.items()
        if stack[0].owner != NOBODY and is_enemy(context, stack[0].owner)
    }


@keyed_identity_cache
def quickest(context: PictureContext, at: Place) -> Army:
    """The army of a stack that gets farthest, with full points."""
    stack = context.stacks[at]
    quick = max(stack, key=lambda army: (can_fly(context.world, army), army.max_move))
    return replace(quick, points=max(quick.max_move, quick.points))


@keyed_identity_cache
def reached_from(context: PictureContext, at: Place) -> StackReach | None:
    """Tiles that a stack can reach with full points, ignoring armies of its own side."""
    group = (quickest(context, at),)
    known = step_prices(context, group)
    if known is None:
        return None
    points, (x, y) = costs.points(group), at
    rows = slice(max(0, y - points), y + points + 1)
    columns = slice(max(0, x - points), x + points + 1)
    steps = known.steps[rows, columns].astype(np.int16)
    lie = CostGrid(np.zeros_like(steps), steps, steps == 0, 8)
    start = x - columns.start, y - rows.start
    reached = distances(lie, [start], limit=points) <= points
    return StackReach(rows, columns, reached.astype(np.int16))


def step_prices(context: PictureContext, group: tuple[Army, ...]) -> costs.StepPrices | None:
    """Prices of all steps for a group; None if there is no group or it cannot move together."""
    who = costs.mover(context.world, context.settings.moving, group) if group else None
    return costs.prices(context.world, context.settings, who) if who is not None else None
