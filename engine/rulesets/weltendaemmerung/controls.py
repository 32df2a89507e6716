"""Stick and button (section 12), and the intents of the other keys with their questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from engine.core.notation import write
from engine.core.record import Command, replace
from engine.rulesets.weltendaemmerung.commands import Attack, EndPhase, MoveUnit, StepUnit, WorkGate
from engine.rulesets.weltendaemmerung.fighting import Forecast, targets
from engine.rulesets.weltendaemmerung.lookup import (
    acting_unit_at,
    ending_of,
    ground_name,
    held_unit,
    is_acting,
    is_end_tile,
    type_name,
    unit_at,
    unit_side,
)
from engine.rulesets.weltendaemmerung.offers import idle
from engine.rulesets.weltendaemmerung.panels import chance_digit, chance_text, forecast_lines
from engine.rulesets.weltendaemmerung.phases import workable_sites
from engine.rulesets.weltendaemmerung.reach import reach
from engine.rulesets.weltendaemmerung.state import (
    ATTACK,
    GATES,
    MOVE,
    SIDES,
    Options,
    Unit,
    View,
)
from engine.rulesets.weltendaemmerung.stopping import warnings
from engine.rulesets.weltendaemmerung.tables import enterable
from engine.tabletop.ask import AnyAsk, AskConfirm, AskPlace, Intent
from engine.tabletop.board import Line
from engine.tabletop.dialogue import Dialogue, confirm, follow
from engine.tabletop.english import capital, many
from engine.tabletop.focus import DELTAS, Direction, Focus, Push
from engine.tabletop.roles import Tone

_MOST_NAMED: Final = 6
"""Maximum number of idle units named before a phase ends; the others are counted."""


_FAR: Final = 250
"""Points with which a unit could cross any map."""


# -- stick and button --------------------------------------------------------------------


UP: Final = 1
DOWN: Final = 2
LEFT: Final = 4
RIGHT: Final = 8

FIRE: Final = 16
"""Bits of a stick mask. See: WD-STICK-1."""

BITS: Final[tuple[tuple[int, Direction], ...]] = (
    (UP, "up"),
    (DOWN, "down"),
    (LEFT, "left"),
    (RIGHT, "right"),
)
"""Bits and directions in order of priority. See: WD-STICK-2."""

MASKS: Final[dict[Direction, int]] = {
    direction: sum(bit for bit, part in BITS if part in direction.split("-"))
    for direction in DELTAS
}
"""Stick mask of each direction, which a key press sets for one tick; an empty mask follows."""

_DIRECTIONS: Final = {delta: direction for direction, delta in DELTAS.items()}


class Tick(NamedTuple):
    """Effect of one mask: the button, the directions, and the lock of the button afterwards."""

    locked: bool
    fire: bool = False
    directions: tuple[Direction, ...] = ()


def tick(mask: int, *, locked: bool, carrying: bool, options: Options) -> Tick:
    """Return the effect of one tick of the stick.

    Fire alone acts once and is then locked until an empty mask. Fire with a direction only makes
    the cursor fast. A tick has one direction; an option allows two if the cursor carries no unit.

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
    """Return the effect of a tick's directions: the free cursor moves, or a carried unit steps.

    A carried unit without points is put down, and the cursor moves on without it. A refused step
    uses up the tick.

    Rules: WD-STICK-3. See: WD-STICK-6, WD-VIEW-2.
    """
    carried = held_unit(view, focus)
    if carried is None or view.phase != MOVE:
        return Push(moved(view, focus, directions))
    if carried.b == 0:
        note = "No moves left: put down."
        return Push(moved(view, Focus(focus.x, focus.y), directions), note=note)
    if not directions:
        return Push(focus)
    dx, dy = DELTAS[directions[0]]
    there = Focus(carried.x + dx, carried.y + dy, carried.id)
    line = write(StepUnit(unit=carried.id, direction=directions[0]))
    return Push(there, line, refused=Focus(carried.x, carried.y, carried.id))


def moved(view: View, focus: Focus, directions: tuple[Direction, ...]) -> Focus:
    """Return the focus after the pushes in turn; a push against the map's edge does nothing.

    Rules: WD-VIEW-2, WD-VIEW-3.
    """
    x, y = focus.x, focus.y
    for direction in directions:
        dx, dy = DELTAS[direction]
        x = min(max(0, x + dx), view.terrain.width - 1)
        y = min(max(0, y + dy), view.terrain.height - 1)
    return Focus(x, y, focus.held)


def fire(view: View, focus: Focus) -> Push:
    """Return the effect of the button, by the first row of the rule's table that fits.

    Rules: WD-STICK-6. See: WD-TURN-6.
    """
    if view.winner >= 0:
        return Push(Focus(focus.x, focus.y), note="The game is over.")
    if not is_acting(view):
        return Push(Focus(focus.x, focus.y), note=f"{SIDES[view.player]} is to act.")
    if is_end_tile(view, focus.x, focus.y):
        return Push(Focus(focus.x, focus.y), write(EndPhase()))
    if view.phase == MOVE:
        return _lift(view, focus)
    if view.phase == ATTACK:
        return _strike(view, focus)
    line = write(WorkGate(at=(focus.x, focus.y)))
    return Push(Focus(focus.x, focus.y), line, refused=Focus(focus.x, focus.y))


def _lift(view: View, focus: Focus) -> Push:
    """Pick up a unit, or put down the carried one."""
    unit = acting_unit_at(view, focus.x, focus.y)
    if unit is None or held_unit(view, focus) is not None:
        return Push(Focus(focus.x, focus.y))
    return Push(Focus(unit.x, unit.y, unit.id))


def _strike(view: View, focus: Focus) -> Push:
    """Choose an attacker, or attack with the chosen one, which always ends the choice."""
    free = Focus(focus.x, focus.y)
    attacker = held_unit(view, focus)
    if attacker is not None:
        line = write(Attack(unit=attacker.id, at=(focus.x, focus.y)))
        return Push(free, line, refused=free)
    unit = acting_unit_at(view, focus.x, focus.y)
    if unit is None:
        return Push(free)
    if unit.b == 0:
        return Push(free, note="It has attacked already.")
    return Push(Focus(focus.x, focus.y, unit.id))


# -- intents and their questions ---------------------------------------------------------


def intents(view: View, focus: Focus) -> tuple[Intent, ...]:
    """Return the intents of this phase; an impossible one has a reason."""
    label = ending_of(view).capitalize()
    ending = Intent("end-phase", label, "e", _shut_out(view), ends="turn")
    if view.phase == MOVE:
        walking = Intent("move-to", "Move to …", "m", _why_not_move(view, focus))
        return walking, ending
    if view.phase == ATTACK:
        striking = Intent("attack", "Attack …", "a", _why_not_attack(view, focus))
        return striking, ending
    return Intent("gate", "Open or shut a gate …", "g", _why_no_gate(view)), ending


def why_not(view: View, focus: Focus, key: str) -> str:  # noqa: ARG001 - of the protocol
    """Return the reason why the key of another phase does nothing now; empty for other keys."""
    elsewhere = {
        "m": "Units move in the movement phase.",
        "a": "Units attack in the attack phase.",
        "g": "Gates open and shut in the gate phase.",
    }
    return elsewhere.get(key, "") and (_shut_out(view) or elsewhere[key])


def why_not_at(
    view: View,
    focus: Focus,
    intent: str,
    answers: Sequence[str],  # noqa: ARG001 - of the protocol
    at: tuple[int, int],
) -> str:
    """Return the reason why a tile cannot be chosen in an intent's dialogue; empty if it can.

    See: WD-MOVE-2, WD-MOVE-6, WD-TERR-4, WD-ATT-1.
    """
    if intent == "gate":
        return "No gate there that you can open or shut."
    unit, (x, y) = _actor(view, focus), at
    if unit is None or not view.terrain.has(x, y):
        return ""
    if at == (unit.x, unit.y):
        return "It stands there."
    other = unit_at(view, x, y)
    if intent == "move-to":
        return _no_way(view, unit, other, at)
    if other is None:
        return "No enemy stands there."
    own = unit_side(other) == unit_side(unit)
    return "It does not attack its own side." if own else "Out of range."


def _no_way(view: View, unit: Unit, other: Unit | None, at: tuple[int, int]) -> str:
    """Return the reason why a unit cannot move this turn to a tile; ``other`` is the unit on it."""
    if other is not None:
        return "A unit stands there already."
    terrain = view.terrain[at[1], at[0]]
    if not enterable()[unit.type][terrain]:
        return f"{type_name(unit).capitalize()} cannot enter {ground_name(terrain)}."
    if at in reach(view, replace(unit, b=_FAR)).prices():
        return "Too far for this turn."
    return "No way leads there."


def ask(view: View, focus: Focus, intent: str, answers: Sequence[str]) -> AnyAsk | str:
    """Return the next question of an intent, or its line of notation once all is answered.

    An invalid answer is asked for again. If the intent is not possible, the question offers no
    tiles, and its title is the reason.

    Raises:
        ValueError: the intent is unknown.
    """
    opened = {"move-to": _move, "attack": _attack, "gate": _gate, "end-phase": _end}.get(intent)
    if opened is None:
        raise ValueError(f"there is no intent {intent!r}")
    found = follow(opened(view, focus), answers)
    return write(found) if isinstance(found, Command) else found


def _shut_out(view: View) -> str:
    if view.winner >= 0:
        return "The game is over."
    if not is_acting(view):
        return f"{SIDES[view.player]} is to act."
    return ""


def _actor(view: View, focus: Focus) -> Unit | None:
    """Return the held unit, or the own unit at the cursor, or None."""
    return held_unit(view, focus) or acting_unit_at(view, focus.x, focus.y)


def _why_not_move(view: View, focus: Focus) -> str:
    unit, reason = _actor(view, focus), _shut_out(view)
    if reason or unit is None:
        return reason or "You have no unit here."
    if unit.b == 0:
        return "It has no moves left."
    return "" if reach(view, unit).prices() else "It is blocked on all sides."


def _why_not_attack(view: View, focus: Focus) -> str:
    unit, reason = _actor(view, focus), _shut_out(view)
    if reason or unit is None:
        return reason or "You have no unit here."
    if unit.b == 0:
        return "It has attacked already."
    return "" if targets(view, unit) else "Nothing within range."


def _why_no_gate(view: View) -> str:
    if not workable_sites(view):
        return _shut_out(view) or "You have no gate to open or shut."
    return _shut_out(view) or ("" if view.phase == GATES else "Only in the gate phase.")


def _ask_tile(question: AskPlace) -> Dialogue[tuple[int, int]]:
    """Ask until the answer is one of the tiles."""
    tiles = {f"{x},{y}": (x, y) for x, y in question.cells}
    while (answer := (yield question)) not in tiles:
        pass
    return tiles[answer]


def _move(view: View, focus: Focus) -> Dialogue[Command]:
    """Ask for a reachable tile, and move there. See: WD-MOVE-7."""
    unit, reason = _actor(view, focus), _why_not_move(view, focus)
    while unit is None or reason:
        yield AskPlace(reason, ())
    found = reach(view, unit)
    prices = found.prices()
    labels = tuple(map(str, prices.values()))
    hints = tuple(_move_hint(x, y, price, unit.b) for (x, y), price in prices.items())
    title = f"Move {type_name(unit)} to ({many(unit.b, 'move')} left)"
    there = yield from _ask_tile(AskPlace(title, tuple(prices), labels, hints=hints))
    return MoveUnit(unit=unit.id, path=found.path(*there))


def _move_hint(x: int, y: int, price: int, left: int) -> str:
    """Describe a move; its last step may cost more than the points left. See: WD-MOVE-3."""
    over = "; the last step may overdraw" if price > left else ""
    return f"Move to {x},{y} ({many(price, 'move')}{over})"


def _attack(view: View, focus: Focus) -> Dialogue[Command]:
    """Ask for a target, confirm with its forecast, and attack. See: WD-ATT-1, WD-SIEGE-1."""
    unit, reason = _actor(view, focus), _why_not_attack(view, focus)
    while unit is None or reason:
        yield AskPlace(reason, ())
    found = {(target.x, target.y): target for target in targets(view, unit)}
    labels = tuple(map(chance_text, found.values()))
    digits = tuple(map(chance_digit, found.values()))
    hints = tuple(_attack_hint(view, target) for target in found.values())
    title = f"Attack with {type_name(unit)}"
    x, y = yield from _ask_tile(AskPlace(title, tuple(found), labels, digits, hints))
    target = found[x, y]
    lines = (*forecast_lines(view, target), *_blows(view, target))
    title = f"{type_name(unit).capitalize()}: {_blow(view, target)} at {x},{y}?"
    yield from confirm(AskConfirm(title, lines, yes="attack", no="go back"))
    return Attack(unit=unit.id, at=(x, y))


def _blows(view: View, target: Forecast) -> Iterator[Line]:
    """Yield the number of such blows until the target falls, and when they are struck.

    See: WD-ATT-1, WD-ATT-4.
    """
    if target.kind == "siege":
        return
    life = view.units[target.victim].v
    least = -(-life // max(1, target.most))
    most = -(-life // target.least) if target.least else 0
    if most != 1:
        count = f"{least} or more" if not most else str(most)
        count = f"{least} to {most}" if least < most else count
        yield Line(f"Falls to {count} such blows", Tone.QUIET, rule="WD-ATT-3")
    yield Line("One blow, at once; no blow back", Tone.QUIET, rule="WD-ATT-4")


def _attack_hint(view: View, target: Forecast) -> str:
    chance = "" if target.kind == "siege" else f" ({target.percent} % to kill)"
    return capital(_blow(view, target)) + chance


def _blow(view: View, target: Forecast) -> str:
    """Return ``break the gate`` or ``attack swordsmen``."""
    if target.kind == "siege":
        return f"break the {ground_name(view.terrain[target.y, target.x])}"
    return f"attack {type_name(view.units[target.victim])}"


def _gate(view: View, focus: Focus) -> Dialogue[Command]:
    """Ask for a gate unless one is at the cursor, and work it. See: WD-GATE-2, WD-GATE-3."""
    while reason := _why_no_gate(view):
        yield AskPlace(reason, ())
    sites, there = workable_sites(view), (focus.x, focus.y)
    if there not in sites:
        hints = tuple(f"Open or shut the gate at {x},{y}" for x, y in sites)
        there = yield from _ask_tile(AskPlace("Open or shut which gate?", sites, hints=hints))
    return WorkGate(at=there)


def _end(view: View, _focus: Focus) -> Dialogue[Command]:
    """Confirm with units in danger, then idle ones, and end the phase. See: WD-TURN-5."""
    left = idle(view)
    lines = [
        Line(f"{type_name(u)} at {u.x},{u.y}", Tone.QUIET, unit_side(u), at=(u.x, u.y))
        for u in left[:_MOST_NAMED]
    ]
    if left:
        lines.insert(0, Line(f"{many(len(left), 'unit')} could still act:", rule="WD-TURN-5"))
    if len(left) > _MOST_NAMED:
        lines.append(Line(f"and {len(left) - _MOST_NAMED} more", Tone.QUIET))
    title, shown = f"{ending_of(view).capitalize()}?", (*warnings(view), *lines)
    yield from confirm(AskConfirm(title, shown, yes="end it", no="go back"))
    return EndPhase()
