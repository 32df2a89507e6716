"""Referee orders: lines that a scenario adds to a seat's list, executed without checks.

Each stage executes them after all lists, so they do not affect the checks of any seat. They cost
nothing and use nothing up. Impossible parts are ignored: missing units do not move, and a second
headquarters, or one too close to another, is not built.
"""

from __future__ import annotations

from itertools import pairwise

from engine.rulesets.gd6 import commands as do
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.commands import AnyOrder
from engine.rulesets.gd6.construction import raise_armies
from engine.rulesets.gd6.inventory import blast, stock
from engine.rulesets.gd6.numbers import numbers
from engine.rulesets.gd6.refusal import unreadable
from engine.rulesets.gd6.state import NOBODY, StateOrView
from engine.rulesets.gd6.territories import Decision, free_sites


def carry_out(decision: Decision, stage: str) -> None:
    """Execute the referee orders of a stage, seat by seat.

    Rules: GD-FORCED-2. See: GD-FORCED-1, GD-FORCED-3.

    Moves are not among them: they are bound with those of the lists.
    """
    for player in decision.state.players.rows():
        for order in player.forced if player.status != "eliminated" else ():
            _construct(decision, player.id, stage, order)
            _use(decision, player.id, stage, order)


def _construct(decision: Decision, seat: int, stage: str, order: AnyOrder) -> None:
    """Execute an order of the Construction Phase, if it is of this stage. Rules: GD-FORCED-3."""
    lands = decision.state.territories
    match stage, order:
        case "hq", do.PlaceHq(at=at):
            if not decision.state.players[seat].hq_built and at in free_sites(decision.state):
                decision.emit(ev.HqBuilt(seat, at))
        case "promote", do.Promote(at=at, unit=unit):
            count = min(order.count, lands[at].army)
            if count and lands[at].owner == seat and unit != "army":
                decision.emit(ev.Promoted(seat, at, unit, count))
        case "spawn", do.Spawn(at=at, count=count) if lands[at].owner in {NOBODY, seat}:
            raise_armies(decision, seat, at, count)
        case "build", do.Build(at=at, construct=construct):
            if lands[at].owner != NOBODY or construct != "bivouac":
                decision.emit(ev.ConstructBuilt(seat, at, construct))
        case "build", do.LayMines(at=at, count=count):
            decision.emit(ev.MinesLaid(seat, at, count))
        case _:
            pass


def _use(decision: Decision, seat: int, stage: str, order: AnyOrder) -> None:
    """Execute an order of the Inventory Phase, if it belongs to this stage. See: GD-FORCED-2."""
    match stage, order:
        case "crop", do.UseCrop(lots=lots):
            lands = decision.state.territories
            own = ((at, count) for at, count in sorted(lots) if lands[at].owner == seat)
            grown = tuple((at, count, lands[at].army + count) for at, count in own)
            if grown:
                decision.emit(ev.CropUsed(seat, grown))
        case "dynamite", do.UseDynamite(source=source, target=target):
            blast(decision, seat, source, target)
        case "toxic", do.UseToxic(source=source, target=target):
            decision.emit(ev.ToxicUsed(seat, source, target))
        case "buy", do.Buy(item=item):
            there = stock(decision.state.players[seat], item)
            decision.emit(ev.ItemBought(seat, item, there + 1))
        case _:
            pass


def impossible(seen: StateOrView, order: AnyOrder) -> str:
    """Return the reason why no referee can give an order here; empty if one can.

    Rules: GD-FORCED-1.
    """
    if why := unreadable(seen, order):
        return why[0].text
    most = numbers().most_units.value
    if not all(1 <= count <= most for count in _counts(order)):
        return f"a referee order is for 1 to {most} units or mines"
    if isinstance(order, do.Move):
        stays = any(one == other for one, other in pairwise(order.path))
        if stays or len(order.path) < 2:
            return "a move needs a path of different territories"
    return ""


def _counts(order: AnyOrder) -> tuple[int, ...]:
    """Return the numbers of units or mines in an order."""
    match order:
        case do.Promote() | do.Spawn() | do.LayMines() | do.Move():
            return (order.count,)
        case do.UseCrop():
            return tuple(count for _, count in order.lots)
        case _:
            return ()
