"""Events as facts, for whoever counts, searches or draws them; there is no chance in this game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6 import facts_fights as fights
from engine.rulesets.gd6.commands import AnyOrder, LayMines, Move, Promote, Spawn
from engine.rulesets.gd6.state import View
from engine.rulesets.gd6.words import ITEMS, PHASES, place_of, spot
from engine.tabletop.board import NOBODY
from engine.tabletop.fact import Fact


def facts(event: ev.AnyEvent, before: View, after: View) -> tuple[Fact, ...]:
    """What an event means. Rules: GD-TURN-1, GD-SECRET-2, GD-SECRET-3."""
    return tuple(_facts(event, before, after))


def _facts(event: ev.AnyEvent, before: View, after: View) -> Iterator[Fact]:  # noqa: C901, PLR0912 - one case per kind of event
    match event:
        case ev.OrderAdded() | ev.ListWritten():
            yield _order(event, after)
        case ev.LiftedOff():
            yield from _moves(event, after)
        case ev.Claimed() | ev.Neutralised():
            yield _changed(event, before)
        case (
            ev.HqBuilt()
            | ev.Spawned()
            | ev.ConstructBuilt()
            | ev.MinesLaid()
            | ev.Promoted()
            | ev.ItemBought()
        ):
            yield _work(event, after)
        case ev.CropUsed():
            for at, count, _ in event.lots:
                here = spot(after, at)
                yield Fact("work", event.seat, at=here, target=ITEMS["crop"], amount=count)
        case ev.BivouacYielded():
            owner = after.territories[event.at].owner
            here = spot(after, event.at)
            yield Fact("work", owner, at=here, target="bivouac", amount=event.count)
        case ev.DynamiteUsed():
            yield from fights.blast(event, before)
        case ev.ToxicUsed():
            yield fights.spill(event, before)
        case ev.Skirmish():
            yield from fights.skirmish(event, before)
        case ev.Defended():
            yield from fights.defence(event, before, after)
        case ev.InvasionRepelled():
            yield fights.repelled(event, before)
        case ev.SpiesCaught() | ev.PenaltyPaid() | ev.MinesExploded() | ev.WatchtowerHeld():
            yield from fights.costs(event, before)
        case ev.WastelandLoss():
            owner = before.territories[event.at].owner
            yield Fact("loss", owner, at=spot(after, event.at), piece=event.unit, amount=1)
        case ev.Disbanded():
            yield from fights.lost(event.units, event.seat, NOBODY, spot(after, event.at))
        case ev.GameStarted() | ev.PhaseBegan() | ev.TurnOpened() | ev.Eliminated() | ev.GameOver():
            yield from _turn(event)
        case _:
            yield from _nothing(event)


def _nothing(
    event: (
        ev.ListSealed
        | ev.ListUnsealed
        | ev.Conceded
        | ev.TurnClosed
        | ev.OrderRefused
        | ev.OrderReduced
        | ev.IpPaid
        | ev.ItemSpent
        | ev.HqRoundFailed
        | ev.SquadsBound
        | ev.StepStarted
        | ev.Arrived
        | ev.LoopFound
        | ev.InvasionBegan
        | ev.MovementEnded
        | ev.LoyaltyGrown
        | ev.IncomeEarned
    ),
) -> Iterable[Fact]:
    """What is told of in other facts, or is nothing to count."""
    match event:
        case ev.Conceded():
            return (Fact("other", event.seat, target="conceded"),)
        case ev.HqRoundFailed():
            return (Fact("other", target="settling round", amount=event.rounds),)
        case ev.IncomeEarned():
            return (Fact("other", event.seat, target="income", amount=_earned(event)),)
        case _:
            return ()


def _earned(event: ev.IncomeEarned) -> int:
    return event.territories + event.hqs + event.libraries + event.armies


def _turn(
    event: ev.GameStarted | ev.PhaseBegan | ev.TurnOpened | ev.Eliminated | ev.GameOver,
) -> Iterator[Fact]:
    match event:
        case ev.GameStarted():
            yield from _opened(event.scenario.turn)
        case ev.PhaseBegan():
            yield Fact("phase", target=PHASES[event.phase])
        case ev.TurnOpened():
            yield from _opened(event.turn)
        case ev.Eliminated():
            yield Fact("other", event.seat, target=event.why.replace("_", " "))
        case ev.GameOver():
            why = event.reason.replace("_", " ")
            yield from (Fact("end", seat, target=why) for seat in event.winners or (NOBODY,))
        case _:
            assert_never(event)


def _opened(number: int) -> tuple[Fact, Fact]:
    """A turn begins, and all write their lists. Rules: GD-TURN-1."""
    begun = Fact("round", target=f"turn {number}", amount=number)
    return begun, Fact("phase", target="Orders")


# -- lists and works -----------------------------------------------------------------------------


def _order(event: ev.OrderAdded | ev.ListWritten, after: View) -> Fact:
    """A line of a list, which only its seat is told of. Rules: GD-SECRET-2."""
    match event:
        case ev.ListWritten():
            return Fact("order", event.seat, target="list", amount=len(event.orders))
        case ev.OrderAdded():
            return _line(event.seat, event.order, after)


def _line(seat: int, order: AnyOrder, after: View) -> Fact:
    here = spot(after, place_of(order))
    match order:
        case Move():
            goal = spot(after, order.path[-1]) if order.path else None
            return Fact("order", seat, at=goal, source=here, piece=order.unit, amount=order.count)
        case Spawn() | Promote() | LayMines():
            kind = type(order).__name__.lower()
            return Fact("order", seat, at=here, target=kind, amount=order.count)
        case _:
            return Fact("order", seat, at=here, target=type(order).__name__.lower())


def _work(
    event: (
        ev.HqBuilt | ev.Spawned | ev.ConstructBuilt | ev.MinesLaid | ev.Promoted | ev.ItemBought
    ),
    after: View,
) -> Fact:
    if isinstance(event, ev.ItemBought):
        return Fact("work", event.seat, target=ITEMS[event.item])
    here = spot(after, event.at)
    match event:
        case ev.HqBuilt():
            return Fact("work", event.seat, at=here, target="headquarters")
        case ev.ConstructBuilt():
            return Fact("work", event.seat, at=here, target=event.construct)
        case ev.Spawned():
            return Fact("work", event.seat, at=here, target="army", amount=event.count)
        case ev.MinesLaid():
            return Fact("work", event.seat, at=here, target="mines", amount=event.count)
        case ev.Promoted():
            count = event.count or None
            return Fact("work", event.seat, at=here, target=event.unit, amount=count)


# -- moves and land ------------------------------------------------------------------------------


def _moves(event: ev.LiftedOff, after: View) -> Iterator[Fact]:
    """Rules: GD-STEP-2."""
    for hop in event.hops:
        here, there = spot(after, hop.source), spot(after, hop.target)
        if here != there:
            yield Fact("move", hop.seat, at=there, source=here, piece=hop.unit, amount=hop.count)


def _changed(event: ev.Claimed | ev.Neutralised, before: View) -> Fact:
    """Land is taken, or lost by its owner to nobody. Rules: GD-LAND-1, GD-LAND-2."""
    owner, here = before.territories[event.at].owner, spot(before, event.at)
    match event:
        case ev.Claimed():
            return Fact("capture", event.seat, owner, at=here, target="territory")
        case ev.Neutralised():
            return Fact("other", owner, at=here, target="neutralised")
