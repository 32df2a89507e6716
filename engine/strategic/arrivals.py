"""Groups as they are when they attack at the end of a way."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.record import replace
from engine.kit.grid import Place
from engine.strategic import costs, crossings, routes
from engine.strategic.pieces import Army
from engine.strategic.reach import in_time
from engine.strategic.routes import Route
from engine.strategic.settings import RuleSettings
from engine.strategic.world import World


def arrived(
    world: World, settings: RuleSettings, group: Sequence[Army], legs: Sequence[Route]
) -> tuple[Army, ...]:
    """Return a group on the last tile before the end of a way, afloat or not as it is then.

    Each leg but the last embarks or lands. Without a way, or beside its end, the group is as now.
    """
    here = tuple(group)
    for leg in legs[:-1]:
        here = tuple(crossed(world, army, leg.path[-1]) for army in here)
    last = legs[-1].path if legs else ()
    who = costs.mover(world, settings.moving, here)
    if len(last) < 2 or who is None:
        return here
    x, y = last[-2]
    return tuple(
        replace(
            army,
            x=x,
            y=y,
            aboard=costs.aboard_at(world, settings.moving, army, who.mode, (x, y)),
        )
        for army in here
    )


def marched(
    world: World, settings: RuleSettings, group: tuple[Army, ...], to: Place
) -> tuple[Army, ...]:
    """Return a group on the last tile before the end of its march, in a whole position."""
    route = routes.ordered(world, settings, group[0].owner, group, to)
    if route is not None:
        return arrived(world, settings, group, (in_time(world, settings, group, route),))
    legs = crossings.legs(world, settings, group[0].owner, group, to)
    return arrived(world, settings, group, legs)


def crossed(world: World, army: Army, at: Place) -> Army:
    """Return an army after it has embarked or landed on a tile."""
    boards = not army.aboard and costs.boards(world, army)
    return replace(army, x=at[0], y=at[1], aboard=boards)
