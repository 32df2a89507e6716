"""Events as facts, for whoever counts, searches or draws them."""

from __future__ import annotations

from typing import Final, assert_never

from engine.rulesets.weltendaemmerung import events as happened
from engine.rulesets.weltendaemmerung import sight
from engine.rulesets.weltendaemmerung.forecast import hits
from engine.rulesets.weltendaemmerung.gates import land_of
from engine.rulesets.weltendaemmerung.numbers import life_left
from engine.rulesets.weltendaemmerung.state import DAILOR, ELDOIN, Reason, Unit, View
from engine.tabletop.board import NOBODY
from engine.tabletop.fact import Fact, Odds
from engine.tabletop.toll import Toll

_ENDINGS: Final[dict[Reason, str]] = {
    "commander": "the commander's fall",
    "annihilation": "the fall of the last unit",
    "time": "the end of the last round",
    "west_edge": "the west edge",
}


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
            return (Fact("end", event.side, _foe(event.side), target=_ENDINGS[event.reason]),)
        case _:
            assert_never(event)


def _foe(side: int) -> int:
    return ELDOIN if side == DAILOR else DAILOR


def _phase(view: View) -> Fact:
    seat = view.player if view.winner < 0 else NOBODY
    return Fact("phase", seat, target=sight.phase_name(view))


def _step(event: happened.UnitStepped, before: View) -> Fact:
    unit = before.units[event.unit]
    return Fact(
        "move",
        sight.side(unit),
        at=(event.x, event.y),
        source=(unit.x, unit.y),
        piece=sight.type_name(unit),
        amount=unit.b - event.b_left,
    )


def _attack(event: happened.AttackMade, before: View) -> Fact:
    unit, victim = before.units[event.unit], before.units[event.victim]
    drawn = hits(before, event.damage - event.modifier)
    kills = sum(weight for damage, weight in drawn if life_left(victim.v, damage) == 0)
    odds = Odds(drawn)
    return Fact(
        "attack",
        sight.side(unit),
        sight.side(victim),
        at=(victim.x, victim.y),
        source=(unit.x, unit.y),
        piece=sight.type_name(unit),
        target=sight.type_name(victim),
        won=event.v_left == 0,
        chance=(kills, odds.total),
        amount=event.damage,
        odds=odds,
    )


def _loss(unit: Unit) -> Fact:
    side = sight.side(unit)
    return Fact("loss", side, _foe(side), at=(unit.x, unit.y), piece=sight.type_name(unit))


def _breach(event: happened.BuildingBroken, before: View) -> Fact:
    unit = before.units[event.unit]
    return Fact(
        "capture",
        sight.side(unit),
        land_of(before, event.x),
        at=(event.x, event.y),
        source=(unit.x, unit.y),
        piece=sight.type_name(unit),
        target=sight.ground_name(before.terrain[event.y, event.x]),
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
