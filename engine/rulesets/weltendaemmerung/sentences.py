"""Sentences: tiles, events and the state of the game in plain words.

Phases keep the German names of the book; places are written ``x,y`` as in commands.
"""

from __future__ import annotations

from typing import Final, assert_never

from engine.rulesets.weltendaemmerung import events as happened
from engine.rulesets.weltendaemmerung import sight
from engine.rulesets.weltendaemmerung.lookup import site_at
from engine.rulesets.weltendaemmerung.state import (
    ATTACK,
    DAILOR,
    ELDOIN,
    SIDES,
    Reason,
    Terrain,
    Unit,
    View,
)
from engine.tabletop.board import Line
from engine.tabletop.roles import Tone

WEST_EDGE: Final = "Dailor wins as soon as one of his units steps onto the west edge (column 0)."
"""Rules: WD-WIN-4, which wants players to be told."""

_ENDINGS: Final[dict[Reason, tuple[str, str]]] = {
    "commander": ("Eldoin's commander is destroyed.", "WD-WIN-1"),
    "annihilation": ("The last unit of Dailor is destroyed.", "WD-WIN-2"),
    "time": ("The last round is over and Eldoin still stands.", "WD-WIN-3"),
    "west_edge": ("A unit of Dailor reached the west edge.", "WD-WIN-4"),
}


def standing(view: View) -> str:
    """Side, phase and round in one line."""
    if view.winner >= 0:
        if view.reason == "time":
            return f"{SIDES[view.winner]} has won after {_rounds(view.completed)}"
        return f"{SIDES[view.winner]} has won in round {sight.round_now(view)}"
    where = f"round {sight.round_now(view)} of {view.rounds}"
    return f"{SIDES[view.player]} {sight.phase_name(view)}, {where}"


def values(unit: Unit) -> str:
    """Range, points or attacks left, attack and life left, as under the map of the original."""
    kind = sight.row(unit)
    return f"R={kind.r} B={unit.b} A={kind.a} V={unit.v}"


def terrain_name(view: View, x: int, y: int) -> str:
    """The name of a tile, with "(Tor)" where a usable gate site carries no gate.

    Rules: WD-GATE-6.
    """
    terrain = view.terrain[y, x]
    name = sight.ground_name(terrain)
    site = site_at(view, x, y)
    if site is not None and not site.ruined and terrain != Terrain.GATE:
        return f"{name} (Tor)"
    return name


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
            name = sight.ground_name(event.terrain)
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
            text = f"{SIDES[event.player]}: {sight.phase_name(after)}."
            return (Line(text, Tone.TITLE, event.player, "WD-TURN-1"),)
        case happened.GameWon():
            return ending(event.side, event.reason)
        case _:
            assert_never(event)


def _stepped(event: happened.UnitStepped, after: View) -> Line:
    unit = after.units[event.unit]
    left = _points(event.b_left)
    text = f"{sight.whose(unit)} went to {event.x},{event.y}, {left} left."
    place, way = (event.x, event.y), f"way of {unit.id}"
    return Line(text, Tone.QUIET, sight.side(unit), "WD-MOVE-2", place, way)


def _hit(event: happened.AttackMade, after: View) -> Line:
    unit, victim = after.units[event.unit], after.units[event.victim]
    base = event.damage - event.modifier
    rest = f", {event.v_left} life left" if event.v_left else ""
    text = (
        f"{sight.whose(unit)} hit {sight.whose(victim)} at {victim.x},{victim.y}"
        f" for {event.damage} ({base} + {event.modifier}){rest}."
    )
    return Line(text, seat=sight.side(unit), rule="WD-ATT-3", at=(victim.x, victim.y))


def _destroyed(event: happened.UnitDestroyed, after: View) -> Line:
    unit = after.units[event.unit]
    text = f"{sight.whose(unit)} fell at {unit.x},{unit.y}."
    return Line(text, Tone.BAD, sight.side(unit), "WD-ATT-3", (unit.x, unit.y))


def _broken(event: happened.BuildingBroken, after: View) -> Line:
    unit = after.units[event.unit]
    gate = event.site >= 0
    what = "the gate" if gate else "the wall"
    text = f"{sight.whose(unit)} broke {what} at {event.x},{event.y}"
    text += "; its site is ruined for ever." if gate else "."
    rule = "WD-SIEGE-5" if gate else "WD-SIEGE-3"
    return Line(text, seat=sight.side(unit), rule=rule, at=(event.x, event.y))


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


def summary(view: View) -> tuple[Line, ...]:
    """How the sides stand; the aims at the beginning, the result at the end."""
    lines: list[Line] = []
    if view.winner >= 0 and view.reason is not None:
        lines += ending(view.winner, view.reason)
    elif view.completed == 0 and view.phase < ATTACK:
        lines += opening(view)
    lines.append(Line(f"{standing(view)}.", Tone.STRONG, rule="WD-TURN-1"))
    for side, name in enumerate(SIDES):
        own = [unit for unit in view.units.values() if sight.side(unit) == side]
        living = [unit for unit in own if unit.alive]
        life = sum(unit.v for unit in living)
        text = f"{name}: {len(living)} of {len(own)} units, {life} life."
        lines.append(Line(text, seat=side))
    return tuple(lines)


def _points(number: int) -> str:
    return "1 point" if number == 1 else f"{number} points"


def _rounds(number: int) -> str:
    return "1 round" if number == 1 else f"{number} rounds"
