"""Dialogues: what a player may want at the cursor, and the questions until a line is complete."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.core.notation import write
from engine.rulesets.weltendaemmerung import panels, sight, stick
from engine.rulesets.weltendaemmerung.commands import Attack, EndPhase, MoveUnit, WorkGate
from engine.rulesets.weltendaemmerung.forecast import Forecast, targets
from engine.rulesets.weltendaemmerung.idle import idle
from engine.rulesets.weltendaemmerung.reach import reach
from engine.rulesets.weltendaemmerung.state import (
    ATTACK,
    GATES,
    MOVE,
    PHASES,
    SIDES,
    Unit,
    View,
)
from engine.tabletop.ask import AnyAsk, AskConfirm, AskPlace, Intent
from engine.tabletop.board import Line
from engine.tabletop.focus import Focus
from engine.tabletop.roles import Tone

YES: Final = "yes"
_NAMED: Final = 6
"""So many idle units are named before a phase is ended; the others are counted."""


def intents(view: View, focus: Focus) -> tuple[Intent, ...]:
    """What may be wanted in this phase, with the reason where it cannot be done here."""
    label = f"End the {sight.phase_name(view)}"
    ending = Intent("end-phase", label, "e", _shut_out(view), ends="turn")
    if view.phase == MOVE:
        walking = Intent("move-to", "Move to …", "m", _why_not_move(view, focus))
        return walking, ending
    if view.phase == ATTACK:
        striking = Intent("attack", "Attack …", "a", _why_not_attack(view, focus))
        return striking, ending
    return Intent("gate", "Work a gate …", "g", _why_no_gate(view)), ending


def why_not(view: View, key: str) -> str:
    """Why the key of another phase's intent does nothing now; empty if there is none such."""
    elsewhere = {
        "m": f"Units move in the {PHASES[MOVE]}.",
        "a": f"Units attack in the {PHASES[ATTACK]}.",
        "g": f"Gates are worked in the {PHASES[GATES]}.",
    }
    return elsewhere.get(key, "") and (_shut_out(view) or elsewhere[key])


def ask(view: View, focus: Focus, intent: str, answers: Sequence[str]) -> AnyAsk | str:
    """The next question, or the line of notation when there is none left.

    An answer that fits nothing is asked for again.

    Raises:
        ValueError: there is no such intent.
    """
    if intent == "move-to":
        return _move(view, focus, answers)
    if intent == "attack":
        return _attack(view, focus, answers)
    if intent == "gate":
        return _gate(view, focus, answers)
    if intent == "end-phase":
        return _end(view, answers)
    raise ValueError(f"there is no intent {intent!r}")


def _shut_out(view: View) -> str:
    if view.winner >= 0:
        return "The game is over."
    if not sight.is_acting(view):
        return f"{SIDES[view.player]} is to act."
    return ""


def _actor(view: View, focus: Focus) -> Unit | None:
    """The held unit, or the own one at the cursor."""
    return stick.held_unit(view, focus) or sight.own_unit(view, focus.x, focus.y)


def _why_not_move(view: View, focus: Focus) -> str:
    unit = _actor(view, focus)
    if reason := _shut_out(view):
        return reason
    if unit is None:
        return "None of your units is here."
    if unit.b == 0:
        return "It has no points left."
    return "" if reach(view, unit).prices() else "It is hemmed in."


def _why_not_attack(view: View, focus: Focus) -> str:
    unit = _actor(view, focus)
    if reason := _shut_out(view):
        return reason
    if unit is None:
        return "None of your units is here."
    if unit.b == 0:
        return "It has made its attack."
    return "" if targets(view, unit) else "Nothing to attack is in reach."


def _why_no_gate(view: View) -> str:
    if reason := _shut_out(view):
        return reason
    return "" if sight.workable(view) else "None of your gates can be worked."


def _place(answers: Sequence[str], at: int = 0) -> tuple[int, int] | None:
    """The answer ``x,y``, if it is one."""
    parts = answers[at].split(",") if len(answers) > at else []
    if len(parts) != 2 or not all(part.strip().isdecimal() for part in parts):
        return None
    return int(parts[0]), int(parts[1])


def _move(view: View, focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """Where to, of the reachable tiles. Rules: WD-MOVE-7."""
    unit = _actor(view, focus)
    if unit is None or _why_not_move(view, focus):
        return AskPlace(_why_not_move(view, focus), ())
    found = reach(view, unit)
    prices = found.prices()
    there = _place(answers)
    if there in prices and there is not None:
        return write(MoveUnit(unit=unit.id, path=found.path(*there)))
    labels = tuple(str(price) for price in prices.values())
    title = f"Move {sight.type_name(unit)} to ({unit.b} points)"
    return AskPlace(title, tuple(prices), labels)


def _attack(view: View, focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """Which target, then whether. Rules: WD-ATT-1, WD-SIEGE-1."""
    unit = _actor(view, focus)
    if unit is None or _why_not_attack(view, focus):
        return AskPlace(_why_not_attack(view, focus), ())
    found = {(target.x, target.y): target for target in targets(view, unit)}
    target = found.get(_place(answers) or (-1, -1))
    if target is None:
        labels = tuple(panels.chance(target) for target in found.values())
        title = f"{sight.type_name(unit).capitalize()}: attack"
        return AskPlace(title, tuple(found), labels, tuple(map(panels.short, found.values())))
    if answers[1:2] == [YES] or tuple(answers[1:2]) == (YES,):
        return write(Attack(unit=unit.id, at=(target.x, target.y)))
    return AskConfirm(_attack_title(view, unit, target), tuple(panels.weighed(view, target)))


def _attack_title(view: View, unit: Unit, target: Forecast) -> str:
    striker = sight.type_name(unit).capitalize()
    where = f"{target.x},{target.y}"
    if target.kind == "siege":
        name = sight.ground_name(view.terrain[target.y, target.x])
        return f"{striker}: break {name} at {where}?"
    return f"{striker}: attack {sight.type_name(view.units[target.victim])} at {where}?"


def _gate(view: View, focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """Which gate; the one under the cursor needs no question. Rules: WD-GATE-2, WD-GATE-3."""
    if reason := _why_no_gate(view) or ("" if view.phase == GATES else "Only in the Torphase."):
        return AskPlace(reason, ())
    sites = sight.workable(view)
    there = _place(answers) if answers else (focus.x, focus.y)
    if there in sites and there is not None:
        return write(WorkGate(at=there))
    return AskPlace("Work a gate", sites)


def _end(view: View, answers: Sequence[str]) -> AnyAsk | str:
    """Whether to end the phase, naming the units that could still act. Rules: WD-TURN-5."""
    if tuple(answers[:1]) == (YES,):
        return write(EndPhase())
    left = idle(view)
    lines = [
        Line(
            f"{sight.type_name(unit)} at {unit.x},{unit.y}",
            Tone.QUIET,
            sight.side(unit),
            at=(unit.x, unit.y),
        )
        for unit in left[:_NAMED]
    ]
    if left:
        count = "1 unit" if len(left) == 1 else f"{len(left)} units"
        lines.insert(0, Line(f"{count} could still act:", rule="WD-TURN-5"))
    if len(left) > _NAMED:
        lines.append(Line(f"and {len(left) - _NAMED} more", Tone.QUIET))
    return AskConfirm(f"End the {sight.phase_name(view)}?", tuple(lines))
