"""Events as sentences, facts and losses, and the standing of a game.

Each event has its functions side by side, registered by its type. Tiles are written ``x,y`` as in
commands, because they have no names.
"""

from __future__ import annotations

from typing import Final

from engine.rulesets.weltendaemmerung import events
from engine.rulesets.weltendaemmerung.fighting import life_left, possible_hits
from engine.rulesets.weltendaemmerung.lookup import (
    acting,
    current_round,
    ground_name,
    land_of,
    phase_name,
    type_name,
    unit_side,
)
from engine.rulesets.weltendaemmerung.state import ATTACK, DAILOR, ELDOIN, SIDES, EndReason, View
from engine.tabletop.board import NOBODY, Line
from engine.tabletop.english import many
from engine.tabletop.fact import Fact, LossRow, Odds
from engine.tabletop.narration import Narration
from engine.tabletop.roles import Tone

NARRATION: Final = Narration[View, View, View]()
"""Sentences from the view after an event; facts and losses from the views around it."""

tells, facts, losses = NARRATION.tells, NARRATION.facts, NARRATION.losses

WEST_EDGE: Final = "Dailor wins at once when a unit of his reaches the west edge."
"""See: WD-WIN-4, which wants players to be told."""

_ENDINGS: Final[dict[EndReason, tuple[str, str, str]]] = {
    "commander": ("Eldoin's commander has fallen.", "the commander's fall", "WD-WIN-1"),
    "annihilation": (
        "The last unit of Dailor has fallen.",
        "the fall of the last unit",
        "WD-WIN-2",
    ),
    "time": (
        "The last round is over and Eldoin still stands.",
        "the end of the last round",
        "WD-WIN-3",
    ),
    "west_edge": ("A unit of Dailor reached the west edge.", "the west edge", "WD-WIN-4"),
}
"""Sentence, target of the fact, and rule of each end of a game."""


# -- steps -------------------------------------------------------------------------------


@tells(events.UnitStepped)
def _tell_step(event: events.UnitStepped, after: View) -> Line:
    unit = after.units[event.unit]
    left = f"{many(event.b_left, 'move')} left"
    text = f"{acting(unit, 'move')} to {event.x},{event.y}, {left}."
    place, way = (event.x, event.y), f"way of {unit.id}"
    return Line(text, Tone.QUIET, unit_side(unit), "WD-MOVE-2", place, way)


@facts(events.UnitStepped)
def _step_fact(event: events.UnitStepped, before: View, _after: View) -> Fact:
    unit = before.units[event.unit]
    return Fact(
        "move",
        unit_side(unit),
        at=(event.x, event.y),
        source=(unit.x, unit.y),
        piece=type_name(unit),
        amount=unit.b - event.b_left,
    )


# -- attacks and sieges ------------------------------------------------------------------


@tells(events.AttackMade)
def _tell_attack(event: events.AttackMade, after: View) -> Line:
    unit, victim = after.units[event.unit], after.units[event.victim]
    rest = f" ({event.v_left} life left)" if event.v_left else ""
    where = f"{victim.x},{victim.y}"
    text = f"{acting(unit, 'hit')} {type_name(victim)} at {where} for {event.damage}{rest}."
    return Line(text, seat=unit_side(unit), rule="WD-ATT-3", at=(victim.x, victim.y))


@facts(events.AttackMade)
def _attack_fact(event: events.AttackMade, before: View, _after: View) -> Fact:
    """Return the attack with its odds; ``won`` is True if the victim fell.

    ``chance`` is (draws that destroy the victim, all draws). See: WD-ATT-3, WD-RNG-1.
    """
    unit, victim = before.units[event.unit], before.units[event.victim]
    drawn = possible_hits(before, event.damage - event.modifier)
    kills = sum(weight for damage, weight in drawn if life_left(victim.v, damage) == 0)
    odds = Odds(drawn)
    return Fact(
        "attack",
        unit_side(unit),
        unit_side(victim),
        at=(victim.x, victim.y),
        source=(unit.x, unit.y),
        piece=type_name(unit),
        target=type_name(victim),
        won=event.v_left == 0,
        chance=(kills, odds.total),
        amount=event.damage,
        odds=odds,
    )


@tells(events.UnitDestroyed)
def _tell_destruction(event: events.UnitDestroyed, after: View) -> Line:
    unit = after.units[event.unit]
    text = f"{acting(unit, 'fall')} at {unit.x},{unit.y}."
    return Line(text, Tone.BAD, unit_side(unit), "WD-ATT-3", (unit.x, unit.y))


@facts(events.UnitDestroyed)
def _destruction_fact(event: events.UnitDestroyed, _before: View, after: View) -> Fact:
    unit = after.units[event.unit]
    side = unit_side(unit)
    return Fact("loss", side, 1 - side, at=(unit.x, unit.y), piece=type_name(unit))


@losses(events.UnitDestroyed)
def _destruction_loss(event: events.UnitDestroyed, _before: View, after: View) -> LossRow:
    """Return the loss of the destroyed unit. See: WD-ATT-3."""
    unit = after.units[event.unit]
    side, at = unit_side(unit), (unit.x, unit.y)
    return LossRow(side, type_name(unit), "attack", 1, 1 - side, at=at, rule="WD-ATT-3")


@tells(events.BuildingBroken)
def _tell_breach(event: events.BuildingBroken, after: View) -> Line:
    unit = after.units[event.unit]
    gate = event.site >= 0
    building = "the gate" if gate else "the wall"
    text = f"{acting(unit, 'break')} {building} at {event.x},{event.y}"
    text += "; it stays a ruin." if gate else "."
    rule = "WD-SIEGE-5" if gate else "WD-SIEGE-3"
    return Line(text, seat=unit_side(unit), rule=rule, at=(event.x, event.y))


@facts(events.BuildingBroken)
def _breach_fact(event: events.BuildingBroken, before: View, _after: View) -> Fact:
    """Return a capture without odds: a siege cannot fail. See: WD-SIEGE-3."""
    unit = before.units[event.unit]
    return Fact(
        "capture",
        unit_side(unit),
        land_of(before, event.x),
        at=(event.x, event.y),
        source=(unit.x, unit.y),
        piece=type_name(unit),
        target=ground_name(before.terrain[event.y, event.x]),
    )


@losses(events.BuildingBroken)
def _breach_loss(event: events.BuildingBroken, before: View, _after: View) -> LossRow:
    """Return the broken building as a loss of the side that owns the land. See: WD-SIEGE-3."""
    owner, striker = land_of(before, event.x), unit_side(before.units[event.unit])
    by, at = NOBODY if striker == owner else striker, (event.x, event.y)
    building = ground_name(before.terrain[event.y, event.x])
    return LossRow(owner, building, "siege", 0, by, at=at, rule="WD-SIEGE-3")


# -- gates -------------------------------------------------------------------------------


@tells(events.GateShut, events.GateOpened)
def _tell_gate(event: events.GateShut | events.GateOpened, after: View) -> Line:
    verb = "shuts" if isinstance(event, events.GateShut) else "opens"
    text = f"The gate at {event.x},{event.y} {verb}."
    return Line(text, seat=after.player, rule="WD-GATE-3", at=(event.x, event.y))


@facts(events.GateShut, events.GateOpened)
def _gate_fact(event: events.GateShut | events.GateOpened, _before: View, after: View) -> Fact:
    return Fact("work", after.player, at=(event.x, event.y), target="gate")


# -- phases and rounds -------------------------------------------------------------------


tells(events.GameSet)(lambda _, after: aims(after))


@tells(events.PhaseBegan)
def _tell_phase(event: events.PhaseBegan, after: View) -> Line:
    text = f"{SIDES[event.player]}: {phase_name(after)}."
    return Line(text, Tone.TITLE, event.player, "WD-TURN-1")


@facts(events.GameSet, events.PhaseBegan)
def _phase_fact(_event: events.GameSet | events.PhaseBegan, _before: View, after: View) -> Fact:
    seat = after.player if after.winner < 0 else NOBODY
    return Fact("phase", seat, target=phase_name(after))


_CAN_ATTACK: Final = Line("Every unit can attack once.", Tone.QUIET, rule="WD-TURN-4")
_CAN_MOVE: Final = Line("Every unit has all its moves again.", Tone.QUIET, rule="WD-TURN-1")

tells(events.AttacksGiven)(lambda *_: _CAN_ATTACK)
tells(events.PointsRestored)(lambda *_: _CAN_MOVE)


@tells(events.RoundEnded)
def _tell_round(event: events.RoundEnded, after: View) -> Line:
    text = f"Round {event.completed} of {after.rounds} is over."
    return Line(text, Tone.STRONG, rule="WD-TURN-3")


@facts(events.RoundEnded)
def _round_fact(event: events.RoundEnded, *_: View) -> Fact:
    return Fact("round", target=f"round {event.completed}", amount=event.completed)


@tells(events.GameWon)
def _tell_victory(event: events.GameWon, _after: View) -> tuple[Line, ...]:
    return result(event.side, event.reason)


@facts(events.GameWon)
def _victory_fact(event: events.GameWon, *_: View) -> Fact:
    return Fact("end", event.side, 1 - event.side, target=_ENDINGS[event.reason][1])


# -- the standing of a game --------------------------------------------------------------


def status_line(view: View) -> str:
    """Return side, phase and round in one line."""
    if view.winner >= 0:
        if view.reason == "time":
            return f"{SIDES[view.winner]} has won after {many(view.completed, 'round')}"
        return f"{SIDES[view.winner]} has won in round {current_round(view)}"
    where = f"round {current_round(view)} of {view.rounds}"
    return f"{SIDES[view.player]} · {phase_name(view)} · {where}"


def summary(view: View) -> tuple[Line, ...]:
    """Describe the standing of both sides, after the aims at the start or the result at the end."""
    lines: list[Line] = []
    if view.winner >= 0 and view.reason is not None:
        lines += result(view.winner, view.reason)
    elif view.completed == 0 and view.phase < ATTACK:
        lines += aims(view)
    lines.append(Line(f"{status_line(view)}.", Tone.STRONG, rule="WD-TURN-1"))
    for side, name in enumerate(SIDES):
        own = [unit for unit in view.units.values() if unit_side(unit) == side]
        living = [unit for unit in own if unit.alive]
        life = sum(unit.v for unit in living)
        text = f"{name}: {len(living)} of {len(own)} units, {life} life."
        lines.append(Line(text, seat=side))
    return tuple(lines)


def aims(view: View) -> tuple[Line, ...]:
    """Return the aims of both sides, for the start. See: WD-WIN-1 to WD-WIN-4, WD-MOVE-4."""
    aim = f"Eldoin wins if his commander lives through {many(view.rounds, 'round')},"
    other = "or at once when Dailor has no unit left."
    goal = "Dailor wins at once when Eldoin's commander falls."
    lines = [
        Line(view.title or view.name, Tone.TITLE),
        Line(aim, seat=ELDOIN, rule="WD-WIN-3"),
        Line(other, seat=ELDOIN, rule="WD-WIN-2"),
        Line(goal, seat=DAILOR, rule="WD-WIN-1"),
    ]
    if view.options.west_edge_win == "on":
        lines.append(Line(WEST_EDGE, seat=DAILOR, rule="WD-WIN-4"))
    if view.options.price_tile == "origin":
        text = "Bad ground costs its moves on the way out, not on the way in."
        lines.append(Line(text, Tone.QUIET, rule="WD-MOVE-4"))
    return tuple(lines)


def result(winner: int, reason: EndReason) -> tuple[Line, ...]:
    """Return the lines about winner and reason. See: WD-WIN-1 to WD-WIN-4."""
    text, _, rule = _ENDINGS[reason]
    return (
        Line(text, Tone.STRONG, winner, rule),
        Line(f"{SIDES[winner]} wins: the new lords of Thainfal.", Tone.TITLE, winner, rule),
    )
