"""Moves and land that changes hands, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.record import replace
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.commands import UNITS
from engine.rulesets.gd6.state import NOBODY, View
from engine.rulesets.gd6.words import called, land, many, mood, said, several
from engine.tabletop.board import Line
from engine.tabletop.roles import Tone


def in_step(view: View, at: int) -> str:
    """What a sentence about a place begins with: the step, if one is under way, and the place."""
    step = f"Step {view.step}, " if view.step else ""
    return f"{step}{land(view, at)}: "


def told_of_move(
    event: (
        ev.SquadsBound
        | ev.StepStarted
        | ev.LiftedOff
        | ev.Arrived
        | ev.Claimed
        | ev.Neutralised
        | ev.MovementEnded
    ),
    after: View,
) -> tuple[Line, ...]:
    """What moves without a fight, and what becomes of land."""
    match event:
        case ev.SquadsBound():
            return tuple(_bound(event, after))
        case ev.StepStarted():
            text = f"Step {event.step}: all set off at once."
            return (Line(text, Tone.STRONG, rule="GD-STEP-1"),)
        case ev.LiftedOff():
            return tuple(_set_off(event, after))
        case ev.Arrived():
            return (_arrived(event, after),)
        case ev.Claimed() | ev.Neutralised():
            return (_changed(event, after),)
        case ev.MovementEnded():
            return ()


def _bound(event: ev.SquadsBound, after: View) -> Iterator[Line]:
    """How many units each seat sends. Rules: GD-BIND-1."""
    for seat in sorted({squad.seat for squad in event.squads}):
        own = [squad.count for squad in event.squads if squad.seat == seat]
        text = f"{called(after, seat)} sends {many(sum(own), 'unit')} by {many(len(own), 'order')}"
        yield replace(said(after, text, seat, "GD-BIND-1"), tone=Tone.QUIET)


def _set_off(event: ev.LiftedOff, after: View) -> Iterator[Line]:
    """Who goes where, squads of one seat on one way together. Rules: GD-STEP-2."""
    ways: dict[tuple[int, int, int], dict[str, int]] = {}
    for hop in event.hops:
        found = ways.setdefault((hop.seat, hop.source, hop.target), dict.fromkeys(UNITS, 0))
        found[hop.unit] += hop.count
    for (seat, source, target), sent in ways.items():
        who = several((sent["army"], sent["cavalry"], sent["heavy"], sent["spy"]))
        text = f"Step {after.step}: {called(after, seat)} sends {who}"
        text += f" from {land(after, source)} to {land(after, target)}"
        line = said(after, text, seat, "GD-STEP-2", source)
        yield replace(line, tone=Tone.QUIET)


def _arrived(event: ev.Arrived, after: View) -> Line:
    """Rules: GD-STEP-3 to GD-STEP-5."""
    who, units = called(after, event.seat), several(event.units)
    begin = in_step(after, event.at)
    if event.kind == "distribution":
        text = f"{begin}{who} arrives with {units}"
        line = said(after, text, event.seat, "GD-STEP-3", event.at)
        return replace(line, tone=Tone.QUIET)
    verb, rule = "arrives", "GD-STEP-4"
    if event.kind == "landing":
        verb, rule = "lands", "GD-STEP-5"
    text = f"{begin}{who} {verb} with {units} and owns it now"
    line = said(after, text, event.seat, rule, event.at)
    return replace(line, tone=mood(after, event.seat, event.seat), group=f"claim of {event.at}")


def _changed(event: ev.Claimed | ev.Neutralised, after: View) -> Line:
    """Rules: GD-LAND-1, GD-LAND-2, GD-INVADE-3."""
    begin = in_step(after, event.at)
    match event:
        case ev.Claimed():
            text = f"{begin}{called(after, event.seat)} owns it now"
            line = said(after, text, event.seat, "GD-LAND-2", event.at)
            tone = mood(after, event.seat, event.seat)
            return replace(line, tone=tone, group=f"claim of {event.at}" if after.step else "")
        case ev.Neutralised():
            why, rule = ("nobody defends it any more", "GD-INVADE-3")
            if not after.step:
                why, rule = ("nobody is left there", "GD-LAND-1")
            if event.owner != NOBODY:
                why += f", so {called(after, event.owner)} loses it and"
            else:
                why += ","
            lost = "; its bivouac is gone" if event.lost == "bivouac" else ""
            line = said(after, f"{begin}{why} it is neutral{lost}", event.owner, rule, event.at)
            tone = mood(after, NOBODY, event.owner)
            return replace(line, tone=tone if tone == Tone.BAD else Tone.STRONG)
