"""Narration of the phases: everything that happens in a turn without a fight."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.core.record import replace
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.commands import UNITS, Unit
from engine.rulesets.gd6.narration import (
    fact,
    facts,
    flying_to,
    losses,
    now,
    place_loss,
    tells,
    unit_losses,
)
from engine.rulesets.gd6.numbers import numbers
from engine.rulesets.gd6.state import NOBODY, Phase, UnitCounts, View
from engine.rulesets.gd6.territories import unit_counts
from engine.rulesets.gd6.words import (
    ITEMS,
    called,
    joined,
    land,
    many,
    mood,
    said,
    sentence,
    several,
    spot,
    units,
)
from engine.tabletop.board import Line
from engine.tabletop.fact import Fact, LossRow
from engine.tabletop.roles import Tone


def unit_facts(
    dead: UnitCounts, seat: int, other: int, at: tuple[int, int] | None
) -> Iterator[Fact]:
    """Yield a seat's losses, one fact for each type of unit, with the number as amount."""
    for unit, count in zip(UNITS, dead, strict=True):
        if count:
            yield Fact("loss", seat, other, at=at, piece=unit, amount=count)


# -- Natural Phase ---------------------------------------------------------------------------------


@tells(ev.WastelandLoss)
def _poisoned(event: ev.WastelandLoss, after: View) -> Line:
    owner = after.territories[event.at].owner
    left = f"{event.left} left" if event.left else "none left"
    text = f"The wasteland at {land(after, event.at)} kills {units(1, event.unit)}, {left}"
    tone = mood(after, NOBODY, owner)
    return said(after, text, owner, "GD-NATURAL-1", event.at, tone=tone)


@facts(ev.WastelandLoss)
def _poisoned_fact(event: ev.WastelandLoss, before: View) -> Fact:
    owner = before.territories[event.at].owner
    return Fact("loss", owner, at=spot(before, event.at), piece=event.unit, amount=1)


@losses(ev.WastelandLoss)
def _poisoned_loss(event: ev.WastelandLoss, before: View) -> Iterator[LossRow]:
    owner, dead = before.territories[event.at].owner, unit_counts([(event.unit, 1)])
    return unit_losses(before, owner, dead, "wasteland", event.at, "GD-NATURAL-1")


# -- Construction Phase ----------------------------------------------------------------------------


@tells(ev.HqRoundFailed)
def _failed_round(event: ev.HqRoundFailed, after: View) -> Iterator[Line]:
    """Report which seats choose again, and the sites they wanted. See: GD-HQ-4 to GD-HQ-6."""
    names = joined([called(after, seat) for seat in event.failed])
    verb = "chooses" if len(event.failed) == 1 else "choose"
    text = sentence(f"{names} {verb} a new site: theirs were too near")
    yield Line(text, Tone.STRONG, rule="GD-HQ-5")
    for seat, at in event.orders:
        if seat in event.failed:
            text = f"{called(after, seat)} wants {land(after, at)}"
            yield said(after, text, seat, "GD-HQ-4", at)
    if event.rounds >= numbers().hq_max_rounds.value:
        text = "From now on the first letter wins a contested site."
        yield Line(text, Tone.STRONG, rule="GD-HQ-6")


fact(ev.HqRoundFailed, lambda event, _: Fact("other", target="settling round", amount=event.rounds))


@tells(ev.Promoted)
def _promoted(event: ev.Promoted, after: View) -> Line:
    """Report a promotion, without its place if that is hidden. See: GD-PROMOTE-1, GD-SECRET-4."""
    seat = called(after, event.seat)
    if not event.at:
        return said(after, f"{seat} trains spies somewhere", event.seat, "GD-SECRET-4")
    made = units(event.count, event.unit)
    text = f"{seat} trains {made} at {land(after, event.at)}"
    return said(after, text, event.seat, "GD-PROMOTE-1", event.at)


def _work(
    event: ev.HqBuilt | ev.Spawned | ev.ConstructBuilt | ev.MinesLaid | ev.Promoted,
    before: View,
    target: str,
    count: int = 0,
) -> Fact:
    here = spot(before, event.at)
    return Fact("work", event.seat, at=here, target=target, amount=count or None)


fact(ev.HqBuilt, lambda event, before: _work(event, before, "headquarters"))
fact(ev.ConstructBuilt, lambda event, before: _work(event, before, event.construct))
fact(ev.Spawned, lambda event, before: _work(event, before, "army", event.count))
fact(ev.MinesLaid, lambda event, before: _work(event, before, "mines", event.count))
fact(ev.Promoted, lambda event, before: _work(event, before, event.unit, event.count))


# -- Inventory Phase -------------------------------------------------------------------------------


@tells(ev.CropUsed)
def _supplied(event: ev.CropUsed, after: View) -> Iterator[Line]:
    for at, count, armies in event.lots:
        text = f"A crop supply gives {called(after, event.seat)} {units(count, 'army')}"
        text += f" at {land(after, at)}{now(armies, count)}"
        yield said(after, text, event.seat, "GD-CROP-1", at)


@facts(ev.CropUsed)
def _supplied_fact(event: ev.CropUsed, before: View) -> Iterator[Fact]:
    for at, count, _ in event.lots:
        here = spot(before, at)
        yield Fact("work", event.seat, at=here, target=ITEMS["crop"], amount=count)


@tells(ev.DynamiteUsed)
def _blasted(event: ev.DynamiteUsed, after: View) -> Line:
    target = land(after, event.target)
    text = f"{called(after, event.seat)} uses dynamite on {target}"
    done = []
    if event.unit is not None:
        done.append(f"{units(1, event.unit)} dies")
    if event.construct is not None:
        done.append(f"the {event.construct} is destroyed")
    text += f": {joined(done) or 'nothing falls'}"
    tone = mood(after, event.seat, after.territories[event.target].owner)
    return said(after, text, event.seat, "GD-DYNAMITE-1", event.target, tone=tone)


@facts(ev.DynamiteUsed)
def _blasted_fact(event: ev.DynamiteUsed, before: View) -> Iterator[Fact]:
    """Yield the attack, and each loss that it caused. See: GD-DYNAMITE-1."""
    here, owner = spot(before, event.target), before.territories[event.target].owner
    start = spot(before, event.source)
    yield Fact("attack", event.seat, owner, at=here, source=start, piece="dynamite")
    if event.unit is not None:
        yield Fact("loss", owner, event.seat, at=here, piece=event.unit, amount=1)
    if event.construct is not None:
        yield Fact("capture", event.seat, owner, at=here, target=event.construct)


@losses(ev.DynamiteUsed)
def _blasted_loss(event: ev.DynamiteUsed, before: View) -> Iterator[LossRow]:
    owner, at, rule = before.territories[event.target].owner, event.target, "GD-DYNAMITE-1"
    if event.unit is not None:
        dead = unit_counts([(event.unit, 1)])
        yield from unit_losses(before, owner, dead, "dynamite", at, rule, other=event.seat)
    if event.construct is not None:
        yield place_loss(before, owner, event.construct, "dynamite", at, rule, other=event.seat)


@tells(ev.ToxicUsed)
def _spoilt(event: ev.ToxicUsed, after: View) -> Line:
    text = f"{called(after, event.seat)} poisons {land(after, event.target)}: wasteland for ever"
    tone = mood(after, event.seat, after.territories[event.target].owner)
    return said(after, text, event.seat, "GD-TOXIC-1", event.target, tone=tone)


@facts(ev.ToxicUsed)
def _spoilt_fact(event: ev.ToxicUsed, before: View) -> Fact:
    here, owner = spot(before, event.target), before.territories[event.target].owner
    start = spot(before, event.source)
    return Fact("attack", event.seat, owner, at=here, source=start, piece="toxic waste")


fact(ev.ItemBought, lambda event, _: Fact("work", event.seat, target=ITEMS[event.item]))


# -- Movement Phase --------------------------------------------------------------------------------


def in_step(view: View, at: int) -> str:
    """Return the start of a sentence about a territory: its name, after the step in progress."""
    step = f"Step {view.step}, " if view.step else ""
    return f"{step}{land(view, at)}: "


@tells(ev.SquadsBound)
def _bound(event: ev.SquadsBound, after: View) -> Iterator[Line]:
    """Report the number of units that each seat sends. See: GD-BIND-1."""
    for seat in sorted({squad.seat for squad in event.squads}):
        own = [squad.count for squad in event.squads if squad.seat == seat]
        text = (
            f"{called(after, seat)} sends {many(sum(own), 'unit')} with {many(len(own), 'order')}"
        )
        yield said(after, text, seat, "GD-BIND-1", tone=Tone.QUIET)


@tells(ev.LiftedOff)
def _set_off(event: ev.LiftedOff, after: View) -> Iterator[Line]:
    """Report departures, adding up a seat's squads over the same border. See: GD-STEP-2."""
    ways: dict[tuple[int, int, int], list[tuple[Unit, int]]] = {}
    for hop in event.hops:
        ways.setdefault((hop.seat, hop.source, hop.target), []).append((hop.unit, hop.count))
    for (seat, source, target), sent in ways.items():
        text = f"Step {after.step}: {called(after, seat)} sends {several(unit_counts(sent))}"
        text += f" from {land(after, source)} to {land(after, target)}"
        yield said(after, text, seat, "GD-STEP-2", source, tone=Tone.QUIET)


@facts(ev.LiftedOff)
def _moves(event: ev.LiftedOff, before: View) -> Iterator[Fact]:
    """See: GD-STEP-2."""
    for hop in event.hops:
        here, there = spot(before, hop.source), spot(before, hop.target)
        if here != there:
            yield Fact("move", hop.seat, at=there, source=here, piece=hop.unit, amount=hop.count)


@tells(ev.Arrived)
def _arrived(event: ev.Arrived, after: View) -> Line:
    who, arrived = called(after, event.seat), several(event.units)
    begin = in_step(after, event.at)
    if event.kind == "distribution":
        text = f"{begin}{who} arrives with {arrived}"
        return said(after, text, event.seat, "GD-STEP-3", event.at, tone=Tone.QUIET)
    verb, rule = ("lands", "GD-STEP-5") if event.kind == "landing" else ("arrives", "GD-STEP-4")
    text = f"{begin}{who} {verb} with {arrived} and takes it"
    tone = mood(after, event.seat, event.seat)
    line = said(after, text, event.seat, rule, event.at, tone=tone)
    return replace(line, group=f"claim of {event.at}")


@tells(ev.Claimed)
def _claimed(event: ev.Claimed, after: View) -> Line:
    text = f"{in_step(after, event.at)}{called(after, event.seat)} takes it"
    tone = mood(after, event.seat, event.seat)
    line = said(after, text, event.seat, "GD-LAND-2", event.at, tone=tone)
    return replace(line, group=f"claim of {event.at}" if after.step else "")


@facts(ev.Claimed)
def _claimed_fact(event: ev.Claimed, before: View) -> Fact:
    owner, here = before.territories[event.at].owner, spot(before, event.at)
    return Fact("capture", event.seat, owner, at=here, target="territory")


@tells(ev.Neutralised)
def _neutralised(event: ev.Neutralised, after: View) -> Line:
    rule = "GD-INVADE-3" if after.step else "GD-LAND-1"
    who = f"{called(after, event.owner)} loses it, " if event.owner != NOBODY else ""
    lost = ", its bivouac falls" if event.lost == "bivouac" else ""
    text = f"{in_step(after, event.at)}{who}neutral now{lost}"
    tone = mood(after, NOBODY, event.owner, Tone.STRONG)
    return said(after, text, event.owner, rule, event.at, tone=tone)


@facts(ev.Neutralised)
def _neutralised_fact(event: ev.Neutralised, before: View) -> Iterator[Fact]:
    """Yield the loss of the land, and the won attack of those who drove out its last defender."""
    owner = before.territories[event.at].owner
    if before.phase == "movement" and (seat := _invader(before, event.at)) != NOBODY:
        yield won_invasion(before, event.at, seat, owner)
    yield Fact("other", owner, at=spot(before, event.at), target="neutralised")


_MADE_NEUTRAL: Final[dict[Phase, str]] = {
    "natural": "wasteland",
    "inventory": "dynamite",
    "movement": "invasion",
}
"""Causes of neutral land by phase. In the other phases its owner has conceded."""


@losses(ev.Neutralised)
def _neutralised_loss(event: ev.Neutralised, before: View) -> Iterator[LossRow]:
    owner, foe = before.territories[event.at].owner, _invader(before, event.at)
    cause = _MADE_NEUTRAL.get(before.phase, "given up")
    for lost in ("territory", *([event.lost] if event.lost else [])):
        yield place_loss(before, owner, lost, cause, event.at, "GD-LAND-2", other=foe)


def _invader(view: View, at: int) -> int:
    """Return the seat whose squads attack a territory; at most one seat is left by then."""
    owner = view.territories[at].owner
    return next((squad.seat for squad in flying_to(view, at) if squad.seat != owner), NOBODY)


# -- Final Phase -----------------------------------------------------------------------------------


@tells(ev.BivouacYielded)
def _yielded(event: ev.BivouacYielded, after: View) -> Line:
    owner = after.territories[event.at].owner
    text = f"The bivouac at {land(after, event.at)} gives {called(after, owner)}"
    text += f" {units(event.count, 'army')}{now(event.armies, event.count)}"
    return said(after, text, owner, "GD-FINAL-1", event.at)


@facts(ev.BivouacYielded)
def _yielded_fact(event: ev.BivouacYielded, before: View) -> Fact:
    owner, here = before.territories[event.at].owner, spot(before, event.at)
    return Fact("work", owner, at=here, target="bivouac", amount=event.count)


@tells(ev.IncomeEarned)
def _earned(event: ev.IncomeEarned, after: View) -> Line:
    sources = (
        (event.territories, "land"),
        (event.hqs, "headquarters"),
        (event.libraries, "libraries"),
        (event.armies, "armies"),
    )
    parts = [f"{source} {points}" for points, source in sources if points]
    why = f" ({', '.join(parts)})" if parts else ""
    text = f"{called(after, event.seat)}: income {_income(event):+} IP{why}, {event.ip} in all"
    return said(after, text, event.seat, "GD-FINAL-3")


@facts(ev.IncomeEarned)
def _earned_fact(event: ev.IncomeEarned, _before: View) -> Fact:
    return Fact("other", event.seat, target="income", amount=_income(event))


def _income(event: ev.IncomeEarned) -> int:
    return event.territories + event.hqs + event.libraries + event.armies


@facts(ev.Disbanded)
def _disbanded_fact(event: ev.Disbanded, before: View) -> Iterator[Fact]:
    return unit_facts(event.units, event.seat, NOBODY, spot(before, event.at))


@losses(ev.Disbanded)
def _disbanded_loss(event: ev.Disbanded, before: View) -> Iterator[LossRow]:
    return unit_losses(before, event.seat, event.units, "given up", event.at, "GD-END-6")


def won_invasion(before: View, at: int, seat: int, owner: int) -> Fact:
    """Return a successful invasion, from the cell that the first of the attackers came from."""
    squads = (squad for squad in flying_to(before, at) if squad.seat == seat)
    start = spot(before, next((squad.path[squad.hop] for squad in squads), 0))
    here = spot(before, at)
    return Fact("attack", seat, owner, at=here, source=start, target="invasion", won=True)
