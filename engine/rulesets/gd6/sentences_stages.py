"""The Natural, Construction, Inventory and Final Phases in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.record import replace
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.numbers import numbers
from engine.rulesets.gd6.state import NOBODY, View
from engine.rulesets.gd6.words import (
    ITEMS,
    article,
    called,
    joined,
    land,
    many,
    mood,
    said,
    sentence,
    several,
    units,
)
from engine.tabletop.board import Line
from engine.tabletop.roles import Tone


def told_of_stage(  # noqa: C901, PLR0911, PLR0912 - one case per event
    event: (
        ev.IpPaid
        | ev.WastelandLoss
        | ev.HqBuilt
        | ev.HqRoundFailed
        | ev.Promoted
        | ev.Spawned
        | ev.ConstructBuilt
        | ev.MinesLaid
        | ev.ItemSpent
        | ev.CropUsed
        | ev.DynamiteUsed
        | ev.ToxicUsed
        | ev.ItemBought
    ),
    after: View,
) -> tuple[Line, ...]:
    """What happens before units move."""
    match event:
        case ev.WastelandLoss():
            return (_poisoned(event, after),)
        case ev.HqRoundFailed():
            return tuple(_failed_round(event, after))
        case ev.CropUsed():
            return tuple(_supplied(event, after))
        case ev.DynamiteUsed():
            return (_blasted(event, after),)
        case ev.ToxicUsed():
            return (_spoilt(event, after),)
        case ev.Promoted():
            return (_promoted(event, after),)
        case _:
            pass
    seat = called(after, event.seat)
    match event:
        case ev.IpPaid():
            text = f"{seat} pays {event.amount} IP and has {event.left} left"
            return (_quiet(said(after, text, event.seat, "GD-BUILD-2")),)
        case ev.HqBuilt():
            text = f"{seat} settles at {land(after, event.at)} with a headquarters"
            line = said(after, text, event.seat, "GD-HQ-1", event.at)
            return (replace(line, tone=Tone.STRONG),)
        case ev.Spawned():
            text = f"{seat} raises {units(event.count, 'army')} at {land(after, event.at)}"
            text += _there(event.armies, event.count)
            return (said(after, text, event.seat, "GD-SPAWN-5", event.at),)
        case ev.ConstructBuilt():
            text = f"{seat} builds a {event.construct} at {land(after, event.at)}"
            return (said(after, text, event.seat, "GD-BUILD-1", event.at),)
        case ev.MinesLaid():
            text = f"{seat} lays {many(event.count, 'mine')} at {land(after, event.at)}, unseen"
            return (said(after, text, event.seat, "GD-MINE-1", event.at),)
        case ev.ItemSpent():
            text = f"{seat} has {event.left} {ITEMS[event.item]} left"
            return (_quiet(said(after, text, event.seat, "GD-ITEM-4")),)
        case ev.ItemBought():
            text = f"{seat} buys {article(event.item)} and has {event.stock}"
            return (said(after, text, event.seat, "GD-BUY-1"),)


def _quiet(line: Line) -> Line:
    return replace(line, tone=Tone.QUIET)


def _there(armies: int, count: int) -> str:
    """How many stand there now, if that says more than how many came."""
    return f", {armies} stand there now" if armies != count else ""


def _poisoned(event: ev.WastelandLoss, after: View) -> Line:
    """Rules: GD-NATURAL-1."""
    owner = after.territories[event.at].owner
    left = f"{units(event.left, event.unit)} left" if event.left else "none is left"
    text = f"The wasteland at {land(after, event.at)} kills {units(1, event.unit)}, {left}"
    line = said(after, text, owner, "GD-NATURAL-1", event.at)
    return replace(line, tone=mood(after, NOBODY, owner))


def _failed_round(event: ev.HqRoundFailed, after: View) -> Iterator[Line]:
    """Who choose again, and where they wanted to be. Rules: GD-HQ-4 to GD-HQ-6."""
    names = joined([called(after, seat) for seat in event.failed])
    verb = "chooses" if len(event.failed) == 1 else "choose"
    text = sentence(f"settling round {event.rounds} failed: {names} {verb} again, all others wait")
    yield Line(text, Tone.STRONG, rule="GD-HQ-5")
    for seat, at in event.orders:
        if seat in event.failed:
            text = f"{called(after, seat)} wanted to settle at {land(after, at)}"
            yield said(after, text, seat, "GD-HQ-4", at)
    if event.rounds >= numbers().hq_max_rounds.value:
        text = "From now on sites that are too near go to the first letter."
        yield Line(text, Tone.STRONG, rule="GD-HQ-6")


def _promoted(event: ev.Promoted, after: View) -> Line:
    """A promotion, without the place where that is secret. Rules: GD-PROMOTE-1, GD-SECRET-4."""
    seat = called(after, event.seat)
    if not event.at:
        return said(after, f"{seat} trains spies somewhere", event.seat, "GD-SECRET-4")
    made, given = units(event.count, event.unit), units(event.count, "army")
    text = f"{seat} makes {given} at {land(after, event.at)} into {made}"
    return said(after, text, event.seat, "GD-PROMOTE-1", event.at)


def _supplied(event: ev.CropUsed, after: View) -> Iterator[Line]:
    """Rules: GD-CROP-1."""
    for at, count, armies in event.lots:
        text = f"A crop supply gives {called(after, event.seat)} {units(count, 'army')}"
        text += f" at {land(after, at)}{_there(armies, count)}"
        yield said(after, text, event.seat, "GD-CROP-1", at)


def _blasted(event: ev.DynamiteUsed, after: View) -> Line:
    """Rules: GD-DYNAMITE-1."""
    target = land(after, event.target)
    text = f"{called(after, event.seat)} uses dynamite from {land(after, event.source)} on {target}"
    done = []
    if event.unit is not None:
        done.append(f"{units(1, event.unit)} dies")
    if event.construct is not None:
        done.append(f"the {event.construct} is destroyed")
    text += f": {joined(done) or 'nothing is seen to fall'}"
    line = said(after, text, event.seat, "GD-DYNAMITE-1", event.target)
    return replace(line, tone=mood(after, event.seat, after.territories[event.target].owner))


def _spoilt(event: ev.ToxicUsed, after: View) -> Line:
    """Rules: GD-TOXIC-1."""
    place = f" from {land(after, event.source)}" if event.source != event.target else ""
    text = f"{called(after, event.seat)} spills toxic waste{place}: {land(after, event.target)}"
    text += " is a wasteland for ever"
    line = said(after, text, event.seat, "GD-TOXIC-1", event.target)
    return replace(line, tone=mood(after, event.seat, after.territories[event.target].owner))


# -- the Final Phase -----------------------------------------------------------------------------


def told_of_final(
    event: ev.BivouacYielded | ev.LoyaltyGrown | ev.IncomeEarned | ev.Disbanded, after: View
) -> tuple[Line, ...]:
    """What a turn ends with."""
    match event:
        case ev.BivouacYielded():
            owner = after.territories[event.at].owner
            text = f"The bivouac at {land(after, event.at)} gives {called(after, owner)}"
            text += f" {units(event.count, 'army')}{_there(event.armies, event.count)}"
            return (said(after, text, owner, "GD-FINAL-1", event.at),)
        case ev.LoyaltyGrown():
            count = many(len(event.grown), "owned territory", "owned territories")
            text = f"Loyalty grows by one on {count}."
            return (Line(text, Tone.QUIET, rule="GD-FINAL-2"),)
        case ev.IncomeEarned():
            return (_earned(event, after),)
        case ev.Disbanded():
            text = f"{called(after, event.seat)} disbands {several(event.units)}"
            text += f" at {land(after, event.at)}"
            return (said(after, text, event.seat, "GD-END-6", event.at),)


def _earned(event: ev.IncomeEarned, after: View) -> Line:
    """Rules: GD-FINAL-3."""
    parts = [
        f"{points} for {what}"
        for points, what in (
            (event.territories, "land"),
            (event.hqs, "headquarters"),
            (event.libraries, "libraries"),
            (event.armies, "armies"),
        )
        if points
    ]
    total = event.territories + event.hqs + event.libraries + event.armies
    why = f" ({joined(parts)})" if parts else ""
    text = f"{called(after, event.seat)} earns {total} IP{why} and has {event.ip}"
    return said(after, text, event.seat, "GD-FINAL-3")
