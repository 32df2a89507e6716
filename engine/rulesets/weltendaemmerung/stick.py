"""The stick and its button: masks to ticks, ticks to what they do (section 12)."""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.core.notation import write
from engine.rulesets.weltendaemmerung.commands import Attack, EndPhase, StepUnit, WorkGate
from engine.rulesets.weltendaemmerung.lookup import unit_at
from engine.rulesets.weltendaemmerung.sight import is_acting, own_unit, side
from engine.rulesets.weltendaemmerung.state import ATTACK, GATES, MOVE, Options, Terrain, Unit, View
from engine.tabletop.focus import DELTAS, NOTHING, Direction, Focus, Push

UP: Final = 1
DOWN: Final = 2
LEFT: Final = 4
RIGHT: Final = 8
FIRE: Final = 16
"""The bits of a mask. Rules: WD-STICK-1."""

BITS: Final[tuple[tuple[int, Direction], ...]] = (
    (UP, "up"),
    (DOWN, "down"),
    (LEFT, "left"),
    (RIGHT, "right"),
)
"""In the order of priority. Rules: WD-STICK-2."""

MASKS: Final[dict[Direction, int]] = {
    "up": UP,
    "down": DOWN,
    "left": LEFT,
    "right": RIGHT,
    "up-left": UP | LEFT,
    "up-right": UP | RIGHT,
    "down-left": DOWN | LEFT,
    "down-right": DOWN | RIGHT,
}
"""What a key press does to the stick: one tick with these bits, then an empty mask."""

_DIRECTIONS: Final = {delta: direction for direction, delta in DELTAS.items()}


class Tick(NamedTuple):
    """What one mask asks for, and whether the button is locked afterwards."""

    locked: bool
    fire: bool = False
    directions: tuple[Direction, ...] = ()


def tick(mask: int, *, locked: bool, carrying: bool, options: Options) -> Tick:
    """One tick of the stick.

    Fire alone acts once and is then locked until an empty mask; with a direction it only makes the
    cursor fast. There is one direction a tick, unless a free cursor may go both ways.

    Rules: WD-STICK-1, WD-STICK-2, WD-STICK-3, WD-STICK-4.
    """
    if mask == 0:
        return Tick(locked=False)
    if mask == FIRE:
        return Tick(locked=True, fire=not locked)
    return Tick(locked=locked, directions=_directions(mask, options, carrying=carrying))


def _directions(mask: int, options: Options, *, carrying: bool) -> tuple[Direction, ...]:
    pressed = tuple(direction for bit, direction in BITS if mask & bit)
    if options.steps == "eight":
        dx = sum(DELTAS[direction][0] for direction in pressed)
        dy = sum(DELTAS[direction][1] for direction in pressed)
        return (_DIRECTIONS[dx, dy],) if dx or dy else ()
    if options.free_cursor == "both" and not carrying:
        return pressed
    return pressed[:1]


def push(view: View, focus: Focus, directions: tuple[Direction, ...]) -> Push:
    """What the directions of a tick do: move the free cursor, or take a step with a carried unit.

    A carried unit without points is put down, and the cursor goes on without it. A step that is
    refused uses up the tick.

    Rules: WD-STICK-3, WD-STICK-6, WD-VIEW-2.
    """
    carried = held_unit(view, focus)
    if carried is None or view.phase != MOVE:
        return Push(moved(view, focus, directions))
    if carried.b == 0:
        note = "It has no points left and was put down."
        return Push(moved(view, Focus(focus.x, focus.y), directions), note=note)
    if not directions:
        return Push(focus)
    dx, dy = DELTAS[directions[0]]
    there = Focus(carried.x + dx, carried.y + dy, carried.id)
    line = write(StepUnit(unit=carried.id, direction=directions[0]))
    return Push(there, line, refused=Focus(carried.x, carried.y, carried.id))


def moved(view: View, focus: Focus, directions: tuple[Direction, ...]) -> Focus:
    """The cursor after pushes one after the other; at the end of the map a push does nothing.

    Rules: WD-VIEW-2, WD-VIEW-3.
    """
    x, y = focus.x, focus.y
    for direction in directions:
        dx, dy = DELTAS[direction]
        x = min(max(0, x + dx), view.terrain.width - 1)
        y = min(max(0, y + dy), view.terrain.height - 1)
    return Focus(x, y, focus.held)


def fire(view: View, focus: Focus) -> Push:
    """What the button does, first row that fits: see the table of the rule.

    Rules: WD-STICK-6, WD-TURN-6.
    """
    if view.winner >= 0:
        return Push(Focus(focus.x, focus.y), note="The game is over.")
    if not is_acting(view):
        return Push(Focus(focus.x, focus.y), note="The other side is to act.")
    if is_end_tile(view, focus.x, focus.y):
        return Push(Focus(focus.x, focus.y), write(EndPhase()))
    if view.phase == MOVE:
        return _lift(view, focus)
    if view.phase == ATTACK:
        return _strike(view, focus)
    line = write(WorkGate(at=(focus.x, focus.y)))
    return Push(Focus(focus.x, focus.y), line, refused=Focus(focus.x, focus.y))


def is_end_tile(view: View, x: int, y: int) -> bool:
    """Whether the button ends the phase here. Rules: WD-TURN-6."""
    if view.options.end_tile != "on" or view.terrain[y, x] != Terrain.END:
        return False
    return unit_at(view, x, y) is None


def _lift(view: View, focus: Focus) -> Push:
    """Pick up and put down."""
    carried = held_unit(view, focus)
    free = Focus(focus.x, focus.y)
    if carried is not None:
        return Push(free)
    unit = own_unit(view, focus.x, focus.y)
    if unit is None:
        return Push(free)
    return Push(Focus(unit.x, unit.y, unit.id))


def _strike(view: View, focus: Focus) -> Push:
    """Choose an attacker, or let the chosen one attack: it is unchosen whatever comes of it."""
    free = Focus(focus.x, focus.y)
    attacker = held_unit(view, focus)
    if attacker is not None:
        line = write(Attack(unit=attacker.id, at=(focus.x, focus.y)))
        return Push(free, line, refused=free)
    unit = own_unit(view, focus.x, focus.y)
    if unit is None:
        return Push(free)
    if unit.b == 0:
        return Push(free, note="It has made its attack.")
    return Push(Focus(focus.x, focus.y, unit.id))


def held_unit(view: View, focus: Focus) -> Unit | None:
    """The unit that is carried, or chosen as attacker, if it still can be."""
    unit = view.units.get(focus.held) if focus.held != NOTHING else None
    if unit is None or not unit.alive or view.phase == GATES:
        return None
    return unit if is_acting(view) and side(unit) == view.player else None
