"""Events as sentences, facts and losses, and the standing of a game.

Phases keep the German names of the rule book; places are written ``x,y`` as in commands.
"""

from __future__ import annotations

from typing import Final, assert_never

from engine.rulesets.weltendaemmerung import events as happened
from engine.rulesets.weltendaemmerung.fighting import life_left, possible_hits
from engine.rulesets.weltendaemmerung.lookup import (
    current_round,
    ground_name,
    land_of,
    phase_name,
    type_name,
    unit_side,
    whose,
)
from engine.rulesets.weltendaemmerung.state import ATTACK, DAILOR, ELDOIN, SIDES, Reason, Unit, View
from engine.tabletop.board import NOBODY, Line
from engine.tabletop.fact import Fact, Odds
from engine.tabletop.roles import Tone
from engine.tabletop.toll import Toll

WEST_EDGE: Final = "Dailor wins as soon as one of his units steps onto the west edge (column 0)."
"""Rules: WD-WIN-4, which wants players to be told."""


_ENDINGS: Final[dict[Reason, tuple[str, str]]] = {
    "commander": ("Eldoin's commander is destroyed.", "WD-WIN-1"),
    "annihilation": ("The last unit of Dailor is destroyed.", "WD-WIN-2"),
    "time": ("The last round is over and Eldoin still stands.", "WD-WIN-3"),
    "west_edge": ("A unit of Dailor reached the west edge.", "WD-WIN-4"),
}


_END_CAUSES: Final[dict[Reason, str]] = {
    "commander": "the commander's fall",
    "annihilation": "the fall of the last unit",
    "time": "the end of the last round",
    "west_edge": "the west edge",
}


# -- events ------------------------------------------------------------------------------


def tell(event: happened.AnyEvent, after: View) -> tuple[Line, ...]:  # noqa: C901, PLR0911, PLR0912 - one case per event
    """An event in sentences."""
    match event:
        case happened.GameSet():
            return opening(after)
        case happened.UnitStepped():
            return (_stepped(event, after),)
        case happened.AttackMade():
            return (_hit(event, after),)
        case happened.UnitDestroyed():
            return (_destroyed(event, after),)
        case happened.BuildingBroken():
            return (_broken(event, after),)
        case happened.GateShut():
            text = f"The gate at {event.x},{event.y} is shut."
            return (Line(text, seat=after.player, rule="WD-GATE-3", at=(event.x, event.y)),)
        case happened.GateOpened():
            name = ground_name(event.terrain)
            text = f"The gate at {event.x},{event.y} is open: {name} now."
            return (Line(text, seat=after.player, rule="WD-GATE-3", at=(event.x, event.y)),)
        case happened.AttacksGiven():
            return (Line("Every unit has one attack.", Tone.QUIET, rule="WD-TURN-4"),)
        case happened.PointsRestored():
            return (Line("Every unit has its full points again.", Tone.QUIET, rule="WD-TURN-1"),)
        case happened.RoundEnded():
            text = f"Zug {event.completed} of {after.rounds} is over."
            return (Line(text, Tone.STRONG, rule="WD-TURN-3"),)
        case happened.PhaseBegan():
            text = f"{SIDES[event.player]}: {phase_name(after)}."
            return (Line(text, Tone.TITLE, event.player, "WD-TURN-1"),)
        case happened.GameWon():
            return ending(event.side, event.reason)
        case _:
            assert_never(event)


def _stepped(event: happened.UnitStepped, after: View) -> Line:
    unit = after.units[event.unit]
    left = _points(event.b_left)
    text = f"{whose(unit)} went to {event.x},{event.y}, {left} left."
    place, way = (event.x, event.y), f"way of {unit.id}"
    return Line(text, Tone.QUIET, unit_side(unit), "WD-MOVE-2", place, way)


def _hit(event: happened.AttackMade, after: View) -> Line:
    unit, victim = after.units[event.unit], after.units[event.victim]
    base = event.damage - event.modifier
    rest = f", {event.v_left} life left" if event.v_left else ""
    text = (
        f"{whose(unit)} hit {whose(victim)} at {victim.x},{victim.y}"
        f" for {event.damage} ({base} + {event.modifier}){rest}."
    )
    return Line(text, seat=unit_side(unit), rule="WD-ATT-3", at=(victim.x, victim.y))


def _destroyed(event: happened.UnitDestroyed, after: View) -> Line:
    unit = after.units[event.unit]
    text = f"{whose(unit)} fell at {unit.x},{unit.y}."
    return Line(text, Tone.BAD, unit_side(unit), "WD-ATT-3", (unit.x, unit.y))


def _broken(event: happened.BuildingBroken, after: View) -> Line:
    unit = after.units[event.unit]
    gate = event.site >= 0
    what = "the gate" if gate else "the wall"
    text = f"{whose(unit)} broke {what} at {event.x},{event.y}"
    text += "; its site is ruined for ever." if gate else "."
    rule = "WD-SIEGE-5" if gate else "WD-SIEGE-3"
    return Line(text, seat=unit_side(unit), rule=rule, at=(event.x, event.y))


def _points(number: int) -> str:
    return "1 point" if number == 1 else f"{number} points"


# -- facts and losses --------------------------------------------------------------------


def facts(event: happened.AnyEvent, before: View, after: View) -> tuple[Fact, ...]:  # noqa: C901, PLR0911 - one case per event
    """What an event means.

    A siege has no chance and cannot fail; of an attack ``won`` says whether the victim fell.

    Rules: WD-ATT-3, WD-RNG-1, WD-SIEGE-3.
    """
    match event:
        case happened.GameSet():
            return (_phase(after),)
        case happened.UnitStepped():
            return (_step(event, before),)
        case happened.AttackMade():
            return (_attack(event, before),)
        case happened.UnitDestroyed():
            return (_loss(after.units[event.unit]),)
        case happened.BuildingBroken():
            return (_breach(event, before),)
        case happened.GateShut() | happened.GateOpened():
            return (Fact("work", after.player, at=(event.x, event.y), target="gate"),)
        case happened.AttacksGiven() | happened.PointsRestored():
            return ()
        case happened.RoundEnded():
            return (Fact("round", target=f"round {event.completed}", amount=event.completed),)
        case happened.PhaseBegan():
            return (_phase(after),)
        case happened.GameWon():
            return (Fact("end", event.side, _foe(event.side), target=_END_CAUSES[event.reason]),)
        case _:
            assert_never(event)


def _foe(side: int) -> int:
    return ELDOIN if side == DAILOR else DAILOR


def _phase(view: View) -> Fact:
    seat = view.player if view.winner < 0 else NOBODY
    return Fact("phase", seat, target=phase_name(view))


def _step(event: happened.UnitStepped, before: View) -> Fact:
    unit = before.units[event.unit]
    return Fact(
        "move",
        unit_side(unit),
        at=(event.x, event.y),
        source=(unit.x, unit.y),
        piece=type_name(unit),
        amount=unit.b - event.b_left,
    )


def _attack(event: happened.AttackMade, before: View) -> Fact:
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


def _loss(unit: Unit) -> Fact:
    side = unit_side(unit)
    return Fact("loss", side, _foe(side), at=(unit.x, unit.y), piece=type_name(unit))


def _breach(event: happened.BuildingBroken, before: View) -> Fact:
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


def tolls(event: happened.AnyEvent, before: View, after: View) -> tuple[Toll, ...]:
    """Units that fell, buildings that were broken. Rules: WD-ATT-3, WD-SIEGE-3."""
    rows = []
    for fact in facts(event, before, after):
        if fact.kind == "loss":
            rows.append(
                Toll(fact.seat, fact.piece, "attack", 1, fact.other, at=fact.at, rule="WD-ATT-3")
            )
        elif fact.kind == "capture":
            foe = NOBODY if fact.seat == fact.other else fact.seat
            rows.append(
                Toll(fact.other, fact.target, "siege", 0, foe, at=fact.at, rule="WD-SIEGE-3")
            )
    return tuple(rows)


# -- the standing of a game --------------------------------------------------------------


def standing(view: View) -> str:
    """Side, phase and round in one line."""
    if view.winner >= 0:
        if view.reason == "time":
            return f"{SIDES[view.winner]} has won after {_rounds(view.completed)}"
        return f"{SIDES[view.winner]} has won in round {current_round(view)}"
    where = f"round {current_round(view)} of {view.rounds}"
    return f"{SIDES[view.player]} {phase_name(view)}, {where}"


def summary(view: View) -> tuple[Line, ...]:
    """How the sides stand; the aims at the beginning, the result at the end."""
    lines: list[Line] = []
    if view.winner >= 0 and view.reason is not None:
        lines += ending(view.winner, view.reason)
    elif view.completed == 0 and view.phase < ATTACK:
        lines += opening(view)
    lines.append(Line(f"{standing(view)}.", Tone.STRONG, rule="WD-TURN-1"))
    for side, name in enumerate(SIDES):
        own = [unit for unit in view.units.values() if unit_side(unit) == side]
        living = [unit for unit in own if unit.alive]
        life = sum(unit.v for unit in living)
        text = f"{name}: {len(living)} of {len(own)} units, {life} life."
        lines.append(Line(text, seat=side))
    return tuple(lines)


def opening(view: View) -> tuple[Line, ...]:
    """What players should know before the first move. Rules: WD-WIN-1 to WD-WIN-4, WD-MOVE-4."""
    lines = [
        Line(view.title or view.name, Tone.TITLE),
        Line(
            f"Eldoin wins if his commander lives through {_rounds(view.rounds)}, or if no unit of"
            " Dailor is left.",
            seat=ELDOIN,
            rule="WD-WIN-3",
        ),
        Line(
            "Dailor wins as soon as Eldoin's commander is destroyed.",
            seat=DAILOR,
            rule="WD-WIN-1",
        ),
    ]
    if view.options.west_edge_win == "on":
        lines.append(Line(WEST_EDGE, seat=DAILOR, rule="WD-WIN-4"))
    if view.options.price_tile == "origin":
        text = "A step costs what the tile left behind costs: bad ground is paid for on the way out"
        lines.append(Line(f"{text}, perhaps in the next round.", Tone.QUIET, rule="WD-MOVE-4"))
    return tuple(lines)


def ending(winner: int, reason: Reason) -> tuple[Line, ...]:
    """Who won and why. Rules: WD-WIN-1, WD-WIN-2, WD-WIN-3, WD-WIN-4."""
    text, rule = _ENDINGS[reason]
    return (
        Line(text, Tone.STRONG, winner, rule),
        Line(f"{SIDES[winner]} wins: the new lords of Thainfal.", Tone.TITLE, winner, rule),
    )


def _rounds(number: int) -> str:
    return "1 round" if number == 1 else f"{number} rounds"
