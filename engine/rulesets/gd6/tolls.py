"""What fights, dynamite and poisoned land cost, as rows of a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.commands import UNITS, Unit
from engine.rulesets.gd6.lands import name
from engine.rulesets.gd6.state import NOBODY, Phase, View
from engine.rulesets.gd6.words import fallen, joined, land, several, spot
from engine.tabletop.toll import Toll

_NONE: Final[ev.Counts] = (0, 0, 0, 0)

_MADE_NEUTRAL: Final[dict[Phase, str]] = {
    "natural": "wasteland",
    "inventory": "dynamite",
    "movement": "invasion",
}
"""What makes land neutral in a phase; in others it is given up."""


def tolls(event: ev.AnyEvent, before: View, after: View) -> tuple[Toll, ...]:  # noqa: ARG001 - as presenters are asked
    """What an event cost whom. Rules: GD-SKIRMISH-2, GD-INVADE-1, GD-INVADE-2, GD-SECRET-3."""
    return tuple(_tolls(event, before))


def _tolls(event: ev.AnyEvent, view: View) -> Iterator[Toll]:
    match event:
        case ev.Skirmish():
            yield from _skirmish(event, view)
        case ev.SpiesCaught():
            owner = view.territories[event.at].owner
            for seat in sorted({loss.seat for loss in event.losses}):
                dead = fallen(event.losses, seat)
                yield from _units(view, seat, dead, "caught", event.at, "GD-SPY-1", owner)
        case ev.PenaltyPaid():
            owner, dead = view.territories[event.at].owner, fallen(event.losses)
            rule = "GD-INVADE-1"
            yield from _units(view, event.seat, dead, "penalty", event.at, rule, owner)
        case ev.MinesExploded():
            army, *others = fallen(event.losses)
            dead = (army + event.spawned_lost, others[0], others[1], others[2])
            yield from _units(view, event.seat, dead, "mines", event.at, "GD-MINE-2")
        case ev.WatchtowerHeld():
            yield from _tower(event, view)
        case ev.Defended():
            seat, owner, dead = event.seat, event.owner, fallen(event.losses)
            rule = "GD-INVADE-2"
            yield from _units(view, seat, dead, "invasion", event.at, rule, owner)
            yield from _units(view, owner, event.garrison, "invasion", event.at, rule, seat)
        case _:
            yield from _without_a_fight(event, view)


def _without_a_fight(event: ev.AnyEvent, view: View) -> Iterator[Toll]:
    match event:
        case ev.WastelandLoss():
            owner, dead = view.territories[event.at].owner, _one(event.unit)
            yield from _units(view, owner, dead, "wasteland", event.at, "GD-NATURAL-1")
        case ev.DynamiteUsed():
            yield from _blast(event, view)
        case ev.Neutralised():
            owner, foe = view.territories[event.at].owner, _invader(view, event.at)
            cause = _MADE_NEUTRAL.get(view.phase, "given up")
            for what in ("territory", *([event.lost] if event.lost else [])):
                yield _place(view, owner, what, cause, event.at, "GD-LAND-2", foe)
        case ev.Disbanded():
            yield from _units(view, event.seat, event.units, "given up", event.at, "GD-END-6")
        case _:
            pass


def _skirmish(event: ev.Skirmish, view: View) -> Iterator[Toll]:
    """Each side's loss; by who has units left, or by all the others. Rules: GD-LOOP-1."""
    cause, rule = ("loop", "GD-LOOP-1") if event.kind == "loop" else ("skirmish", "GD-SKIRMISH-2")
    winner = next((seat for seat, _, left in event.sides if left), NOBODY)
    place = joined([name(view, at) for at in event.places])
    for seat, _, _ in event.sides:
        others = [other for other, _, _ in event.sides if other != seat]
        foe = winner if winner not in (NOBODY, seat) else others[0]
        dead = fallen(event.losses, seat)
        if any(dead):
            cell = spot(view, event.places[0])
            yield Toll(seat, several(dead), cause, sum(dead), foe, place, cell, rule)


def _tower(event: ev.WatchtowerHeld, view: View) -> Iterator[Toll]:
    owner, dead, rule = view.territories[event.at].owner, fallen(event.losses), "GD-TOWER-1"
    yield from _units(view, event.seat, dead, "watchtower", event.at, rule, owner)
    if event.destroyed:
        yield _place(view, owner, "watchtower", "invasion", event.at, rule, event.seat)


def _blast(event: ev.DynamiteUsed, view: View) -> Iterator[Toll]:
    owner, rule = view.territories[event.target].owner, "GD-DYNAMITE-1"
    dead = _NONE if event.unit is None else _one(event.unit)
    yield from _units(view, owner, dead, "dynamite", event.target, rule, event.seat)
    if event.construct is not None:
        yield _place(view, owner, event.construct, "dynamite", event.target, rule, event.seat)


def _invader(view: View, at: int) -> int:
    """Who is on the way to a territory that is not theirs; one seat at most still is by then."""
    owner = view.territories[at].owner
    ways = (squad for squad in view.squads.values() if squad.flying and squad.seat != owner)
    return next((squad.seat for squad in ways if squad.path[squad.hop + 1] == at), NOBODY)


def _one(unit: Unit) -> ev.Counts:
    counts = [int(kind == unit) for kind in UNITS]
    return counts[0], counts[1], counts[2], counts[3]


def _units(  # noqa: PLR0913, PLR0917 - a row of a table
    view: View,
    seat: int,
    dead: ev.Counts,
    cause: str,
    at: int,
    rule: str,
    other: int = NOBODY,
) -> Iterator[Toll]:
    if any(dead):
        foe = NOBODY if other == seat else other
        place = land(view, at)
        yield Toll(seat, several(dead), cause, sum(dead), foe, place, spot(view, at), rule)


def _place(  # noqa: PLR0913, PLR0917 - a row of a table
    view: View, seat: int, what: str, cause: str, at: int, rule: str, other: int = NOBODY
) -> Toll:
    foe = NOBODY if other == seat else other
    return Toll(seat, what, cause, 0, foe, land(view, at), spot(view, at), rule)
