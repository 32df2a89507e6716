"""Fights as facts: who struck whom, who won, what each lost."""

from __future__ import annotations

from collections.abc import Iterator

from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.commands import UNITS
from engine.rulesets.gd6.lands import strength
from engine.rulesets.gd6.state import View
from engine.rulesets.gd6.words import fallen, spot
from engine.tabletop.board import NOBODY
from engine.tabletop.fact import Fact

Cell = tuple[int, int] | None


def lost(units: ev.Counts, seat: int, other: int, at: Cell) -> Iterator[Fact]:
    """What a seat lost, one fact for each type with the number as amount."""
    for unit, count in zip(UNITS, units, strict=True):
        if count:
            yield Fact("loss", seat, other, at=at, piece=unit, amount=count)


def skirmish(event: ev.Skirmish, before: View) -> Iterator[Fact]:
    """Each side strikes; who has units left has won. Rules: GD-SKIRMISH-2."""
    here = spot(before, event.places[0])
    winner = next((seat for seat, _, left in event.sides if left), NOBODY)
    for seat, count, left in event.sides:
        others = [other for other, _, _ in event.sides if other != seat]
        foe = winner if winner not in (NOBODY, seat) else others[0]
        if count:
            blow = event.rounds
            yield Fact("attack", seat, foe, at=here, target="skirmish", won=left > 0, amount=blow)
        yield from lost(fallen(event.losses, seat), seat, foe, here)


def defence(event: ev.Defended, before: View, after: View) -> Iterator[Fact]:
    """The fight for a territory; lost attacks are told of when they are repelled.

    Rules: GD-INVADE-2.
    """
    here = spot(before, event.at)
    if not strength(after.territories[event.at]):
        start = _start(before, event.at, event.seat)
        yield Fact(
            "attack",
            event.seat,
            event.owner,
            at=here,
            source=start,
            target="invasion",
            won=True,
            amount=event.rounds,
        )
    yield from lost(fallen(event.losses), event.seat, event.owner, here)
    yield from lost(event.garrison, event.owner, event.seat, here)


def repelled(event: ev.InvasionRepelled, before: View) -> Fact:
    """An invasion that failed. Rules: GD-INVADE-3."""
    here = spot(before, event.at)
    return Fact("attack", event.seat, event.owner, at=here, target="invasion", won=False)


def _start(before: View, at: int, seat: int) -> Cell:
    """Where the first of the attackers came from."""
    ways = (
        squad.path[squad.hop]
        for squad in before.squads.values()
        if squad.flying and squad.seat == seat and squad.path[squad.hop + 1] == at
    )
    first = next(ways, 0)
    return spot(before, first)


def costs(
    event: ev.SpiesCaught | ev.PenaltyPaid | ev.MinesExploded | ev.WatchtowerHeld, before: View
) -> Iterator[Fact]:
    """What movers lose before the fight: spies, penalty, mines and tower; what a tower loses.

    Rules: GD-INVADE-1, GD-TOWER-1, GD-MINE-2, GD-SPY-1.
    """
    here, owner = spot(before, event.at), before.territories[event.at].owner
    for seat in sorted({loss.seat for loss in event.losses}):
        yield from lost(fallen(event.losses, seat), seat, owner, here)
    match event:
        case ev.MinesExploded(spawned_lost=count) if count:
            yield Fact("loss", event.seat, at=here, piece="army", amount=count)
        case ev.WatchtowerHeld(destroyed=True):
            yield Fact("capture", event.seat, owner, at=here, target="watchtower")
        case _:
            pass


def blast(event: ev.DynamiteUsed, before: View) -> Iterator[Fact]:
    """Dynamite: a blow, and what it cost. Rules: GD-DYNAMITE-1."""
    here, owner = spot(before, event.target), before.territories[event.target].owner
    start = spot(before, event.source)
    yield Fact("attack", event.seat, owner, at=here, source=start, piece="dynamite")
    if event.unit is not None:
        yield Fact("loss", owner, event.seat, at=here, piece=event.unit, amount=1)
    if event.construct is not None:
        yield Fact("capture", event.seat, owner, at=here, target=event.construct)


def spill(event: ev.ToxicUsed, before: View) -> Fact:
    """Toxic waste. Rules: GD-TOXIC-1."""
    here, owner = spot(before, event.target), before.territories[event.target].owner
    start = spot(before, event.source)
    return Fact("attack", event.seat, owner, at=here, source=start, piece="toxic waste")
