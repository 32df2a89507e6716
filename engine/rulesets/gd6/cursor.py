"""The cursor on the map, and the units that can still be sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.core import notation
from engine.kit.places import paths_from
from engine.rulesets.gd6 import commands as do
from engine.rulesets.gd6.canvas import drawable, spot, territory_at
from engine.rulesets.gd6.commands import UNITS, AnyOrder, Move, PlaceHq, Spawn, Unit
from engine.rulesets.gd6.construction import allowance, spawn_places
from engine.rulesets.gd6.lists import may_write, project, with_list
from engine.rulesets.gd6.numbers import unit_rows
from engine.rulesets.gd6.raster import FULL
from engine.rulesets.gd6.state import StateOrView, View, World
from engine.rulesets.gd6.territories import counts, headquarters, owned
from engine.tabletop.focus import DELTAS, NOTHING, Direction, Focus, Push

_ROWS_COUNT: Final = 2
"""Height of a terminal cell, in widths."""

_ASKEW: Final = 2
"""Maximum ratio of sideways to forward distance at which a neighbour still counts as ahead."""


def size(world: World) -> tuple[int, int]:
    """Return the columns and rows of the map at full size."""
    across, down = drawable(world).canvas
    return across // FULL[0], down // FULL[1]


def kept(view: View, focus: Focus) -> Focus:
    """Return the focus clamped to the map; release a held territory with no units to send."""
    width, height = size(view.world)
    x, y = min(max(focus.x, 0), width - 1), min(max(focus.y, 0), height - 1)
    held = focus.held if focus.held in view.territories and can_send(view, focus.held) else NOTHING
    return Focus(x, y, held)


def stepped(view: View, focus: Focus, direction: Direction) -> Focus:
    """Return the focus one cell further in a direction."""
    dx, dy = DELTAS[direction]
    return kept(view, Focus(focus.x + dx, focus.y + dy, focus.held))


def strode(view: View, focus: Focus, direction: Direction) -> Focus:
    """Return the focus on the best neighbour in a direction; unchanged if there is none.

    From the sea, all territories are candidates. Rules: GD-CELL-5.
    """
    at = territory_at(view.world, focus.x, focus.y)
    others = view.world.beside(at) if at else tuple(view.territories)
    x, y = spot(view.world, at) if at else (focus.x, focus.y)
    ahead = {there: _ahead(spot(view.world, there), (x, y), direction) for there in others}
    found = min(
        ((price, there) for there, price in ahead.items() if price is not None), default=None
    )
    if found is None:
        return focus
    return Focus(*spot(view.world, found[1]), focus.held)


def _ahead(there: tuple[int, int], here: tuple[int, int], direction: Direction) -> int | None:
    """Return the forward plus twice the sideways distance; None if the cell is not ahead."""
    dx, dy = DELTAS[direction]
    across, down = there[0] - here[0], (there[1] - here[1]) * _ROWS_COUNT
    onward = across * dx + down * dy
    aside = abs(across * dy - down * dx)
    if onward <= 0 or aside > _ASKEW * onward:
        return None
    return onward + 2 * aside


# -- units -----------------------------------------------------------------------------------------


def is_open(view: View) -> bool:
    """Return whether the viewer can edit its list now."""
    return view.viewer in view.players and may_write(view, view.viewer)


def is_settling(view: View) -> bool:
    """Return whether the viewer has no headquarters yet and may choose a site."""
    return is_open(view) and not view.players[view.viewer].hq_built


def free_units(view: View, at: int) -> dict[Unit, int]:
    """Return the units at a territory when moves begin that the viewer has not sent away."""
    if not is_open(view):
        return {}
    there = project(view).before.get("move", view).territories[at]
    if there.owner != view.viewer:
        return {}
    left = dict(zip(UNITS, counts(there), strict=True))
    for order in view.players[view.viewer].orders:
        if isinstance(order, Move) and order.path[0] == at:
            left[order.unit] = max(0, left[order.unit] - order.count)
    return {unit: count for unit, count in left.items() if count}


def can_send(view: View, at: int) -> bool:
    """Return whether units can still be sent from a territory."""
    return bool(free_units(view, at))


def idle(view: View) -> list[int]:
    """Return the viewer's territories from which units can still be sent."""
    if not is_open(view):
        return []
    before = project(view).before.get("move", view)
    return [here.id for here in owned(before, view.viewer) if can_send(view, here.id)]


def left_to_send(view: View) -> int:
    """Return the number of the viewer's units without an order."""
    return sum(sum(free_units(view, at).values()) for at in idle(view))


def when_raising(view: View) -> StateOrView:
    """Return the position in which armies are raised, as the viewer's list predicts it.

    If the viewer settles this turn, its headquarters is already there. See: GD-CHECK-1.
    """
    return project(view).before.get("spawn", view) if is_open(view) else view


def spawn_left(view: View) -> int:
    """Return how many more armies the viewer's list may spawn. See: GD-SPAWN-1."""
    ordered = (order for order in sent(view) if isinstance(order, Spawn))
    return allowance(view, view.viewer) - sum(order.count for order in ordered)


def to_raise_at(view: View) -> list[int]:
    """Return the viewer's headquarters, or else its most loyal land, where it can still spawn.

    Empty if no more armies can be spawned. See: GD-SPAWN-1, GD-SPAWN-3.
    """
    if not is_open(view) or spawn_left(view) < 1:
        return []
    seen, seat = when_raising(view), view.viewer
    allowed = spawn_places(seen, seat)
    return [at for at in headquarters(seen, seat) if at in allowed] or [
        at for at in allowed if seen.territories[at].owner == seat
    ]


def best_unit(view: View, at: int) -> Unit:
    """Return the default type of unit to send: the first type that is left, or armies."""
    return next(iter(free_units(view, at)), "army")


def ways(view: View, start: int, unit: Unit) -> dict[int, tuple[int, ...]]:
    """Return the best path to each territory that a unit can reach this turn, without the start.

    The shortest path wins. Ties prefer own land, then neutral land, then the lowest numbers.
    See: GD-MOVE-2.
    """
    speed = unit_rows()[unit].speed
    found = paths_from(view.world, start, most=speed, cost=lambda way: _price(view, way))
    del found[start]
    return found


def _price(view: View, way: Sequence[int]) -> tuple[int, ...]:
    between = [view.territories[at].owner for at in way[1:-1]]
    return sum(owner != view.viewer for owner in between), sum(owner >= 0 for owner in between)


def fired(view: View, focus: Focus) -> Push:
    """Return what the button does: settle, pick up, send or put down units, or raise armies."""
    at = territory_at(view.world, focus.x, focus.y)
    free = Focus(focus.x, focus.y)
    if not at or not is_open(view):
        return Push(free, note="Your orders are sealed." if at else "This is the sea.")
    if focus.held == NOTHING:
        return _taken_up(view, focus, at)
    if at == focus.held:
        return Push(free)
    unit = best_unit(view, focus.held)
    way = ways(view, focus.held, unit).get(at)
    if way is None:
        return Push(focus, note="Too far for this turn.")
    count = free_units(view, focus.held)[unit]
    return Push(free, notation.write(Move(way, count, unit)), refused=focus)


def settling(view: View, at: int) -> do.PlaceHq | do.WriteList:
    """Return the command that settles at a territory, replacing an earlier order to settle.

    See: GD-HQ-1, GD-HQ-5.

    Raises:
        ValueError: the new site is refused.
    """
    orders = sent(view)
    old = [place for place, order in enumerate(orders) if isinstance(order, PlaceHq)]
    if not old:
        return PlaceHq(at)
    changed = [order for place, order in enumerate(orders) if place not in old]
    changed.insert(old[0], PlaceHq(at))
    judged = project(with_list(view, tuple(changed))).judged[old[0]]
    if judged.codes:
        raise ValueError(judged.text)
    return do.WriteList(tuple(map(notation.write, changed)))


def _taken_up(view: View, focus: Focus, at: int) -> Push:
    if can_send(view, at):
        return Push(Focus(focus.x, focus.y, at))
    if at in to_raise_at(view):
        return Push(focus, intent="spawn")
    if is_settling(view):
        try:
            return Push(focus, notation.write(settling(view, at)))
        except ValueError as fault:
            return Push(focus, note=str(fault))
    return Push(focus, note="No unit of yours waits here.")


def _free_hint(view: View, at: int) -> str:
    if can_send(view, at):
        return "Send units from here"
    if at in to_raise_at(view):
        return "Raise armies here"
    return "Settle here" if is_settling(view) else ""


def hint(view: View, focus: Focus) -> str:
    """Describe what the button does in a few words; empty if it does nothing."""
    at = territory_at(view.world, focus.x, focus.y)
    if not at or not is_open(view):
        return ""
    if focus.held == NOTHING:
        return _free_hint(view, at)
    if at == focus.held:
        return "Let them stay"
    unit = best_unit(view, focus.held)
    if at not in ways(view, focus.held, unit):
        return ""
    return f"Send {free_units(view, focus.held)[unit]} here"


def sent(view: View) -> tuple[AnyOrder, ...]:
    """Return the orders of the viewer; none for a spectator."""
    return view.players[view.viewer].orders if view.viewer in view.players else ()
