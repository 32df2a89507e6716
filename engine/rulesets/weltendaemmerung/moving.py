"""Movement phase: steps, their prices and their refusals (section 6)."""

from __future__ import annotations

from engine.core.refused import Refused
from engine.kit.grid import Ways
from engine.rulesets.weltendaemmerung.commands import MoveUnit, Refusal, StepUnit
from engine.rulesets.weltendaemmerung.events import GameWon, UnitStepped
from engine.rulesets.weltendaemmerung.lookup import Decision, need_phase, own_unit, side_of, unit_at
from engine.rulesets.weltendaemmerung.state import DAILOR, MOVE, Position, State, Unit
from engine.rulesets.weltendaemmerung.tables import enterable, prices
from engine.tabletop.focus import DELTAS


def step_unit(decision: Decision, order: StepUnit) -> None:
    """Move a unit one tile. Rules: WD-MOVE-1. See: WD-MOVE-2, WD-MOVE-3.

    Raises:
        Refused: the step is not allowed; a diagonal without the option ``steps`` is BLOCKED.
    """
    unit = _mover(decision.state, order.unit)
    dx, dy = DELTAS[order.direction]
    _step(decision, unit, (unit.x + dx, unit.y + dy))


def move_unit(decision: Decision, order: MoveUnit) -> None:
    """Move a unit along a path, up to the first refused step.

    The path may begin with the unit's own tile. Rules: WD-MOVE-5, WD-MOVE-7.

    Raises:
        Refused: the first step is refused.
    """
    unit = _mover(decision.state, order.unit)
    path = order.path[1:] if order.path[:1] == ((unit.x, unit.y),) else order.path
    if not path:
        raise Refused(Refusal.BLOCKED, "A path needs at least one tile.", "WD-MOVE-7")
    for place, to in enumerate(path):
        try:
            _step(decision, _mover(decision.state, order.unit), to)
        except Refused:
            if place == 0:
                raise
            return
        if decision.state.winner >= 0:
            return


def _mover(state: State, unit: int) -> Unit:
    need_phase(state, MOVE, "Units move in the movement phase only.", "WD-MOVE-1")
    return own_unit(state, unit)


def _step(decision: Decision, unit: Unit, to: tuple[int, int]) -> None:
    """Check and make one step; onto the west edge it can end the game.

    Rules: WD-TERR-4, WD-MOVE-2, WD-MOVE-3, WD-MOVE-6, WD-MOVE-8, WD-WIN-4.
    """
    state, (x, y) = decision.state, to
    if unit.b == 0:
        raise Refused(Refusal.NO_POINTS, "That unit has no moves left.", "WD-MOVE-2")
    if not is_next(state, unit, x, y):
        raise Refused(Refusal.BLOCKED, "That is more than one step away.", "WD-MOVE-1")
    if not state.terrain.has(x, y):
        raise Refused(Refusal.OFF_MAP, "The map ends there.", "WD-MOVE-2")
    if unit_at(state, x, y) is not None:
        raise Refused(Refusal.OCCUPIED, "A unit stands there.", "WD-MOVE-6")
    if not is_beside(state, unit, x, y) or not enterable()[unit.type][state.terrain[y, x]]:
        raise Refused(Refusal.BLOCKED, "That unit cannot get there.", "WD-TERR-4")
    price = step_price(state, unit, x, y)
    if state.options.last_step == "must_afford" and price > unit.b:
        raise Refused(
            Refusal.TOO_DEAR, f"Moves for that step: {price}; left: {unit.b}.", "WD-MOVE-8"
        )
    decision.emit(UnitStepped(unit=unit.id, x=x, y=y, b_left=pay(unit.b, price)))
    if x == 0 and side_of(unit.type) == DAILOR and state.options.west_edge_win == "on":
        decision.emit(GameWon(side=DAILOR, reason="west_edge"))


def has_step(position: Position, unit: Unit, x: int, y: int) -> bool:
    """Return whether a unit can step to a neighbouring tile, assuming that no unit is on it.

    See: WD-MOVE-2, WD-MOVE-8.
    """
    if unit.b == 0 or not position.terrain.has(x, y):
        return False
    if not enterable()[unit.type][position.terrain[y, x]]:
        return False
    if x != unit.x and y != unit.y and not is_beside(position, unit, x, y):
        return False
    return position.options.last_step == "always" or step_price(position, unit, x, y) <= unit.b


def step_price(position: Position, unit: Unit, x: int, y: int) -> int:
    """Return the price of a step to (x, y) in points: of the tile left, or by option entered.

    Rules: WD-MOVE-2, WD-MOVE-8, WD-TERR-2, WD-MOVE-4.
    """
    left = position.options.price_tile == "origin"
    terrain = position.terrain[(unit.y, unit.x) if left else (y, x)]
    return prices()[unit.type][terrain]


def pay(b: int, price: int) -> int:
    """Return the points left after a step. Rules: WD-NUM-3, WD-MOVE-3."""
    return max(0, b - price)


def step_directions(position: Position) -> Ways:
    """Return the number of directions for a step. See: WD-MOVE-1, section 19.1."""
    return 8 if position.options.steps == "eight" else 4


def is_next(position: Position, unit: Unit, x: int, y: int) -> bool:
    """Return whether (x, y) is next to the unit in a direction of this game. Rules: WD-MOVE-1."""
    dx, dy = abs(x - unit.x), abs(y - unit.y)
    return dx + dy == 1 or (dx == dy == 1 and position.options.steps == "eight")


def is_beside(position: Position, unit: Unit, x: int, y: int) -> bool:
    """Return whether (x, y) is one step away; its own terrain is not checked.

    With the option ``steps = eight`` a diagonal step needs one of the two tiles beside it to be
    enterable terrain. See: WD-MOVE-1, section 19.1.
    """
    if not is_next(position, unit, x, y):
        return False
    if unit.x == x or unit.y == y:
        return True
    opens = enterable()[unit.type]
    corners = (position.terrain[unit.y, x], position.terrain[y, unit.x])
    return any(opens[terrain] for terrain in corners)
