"""Lists that are written, sealed and read, in sentences."""

from __future__ import annotations

from engine.core.record import replace
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.commands import Move
from engine.rulesets.gd6.state import View
from engine.rulesets.gd6.words import RULES, called, many, place_of, said, spelt
from engine.tabletop.board import Line
from engine.tabletop.roles import Tone


def told_of_list(
    event: (
        ev.OrderAdded
        | ev.ListWritten
        | ev.ListSealed
        | ev.ListUnsealed
        | ev.Conceded
        | ev.OrderRefused
        | ev.OrderReduced
    ),
    after: View,
) -> tuple[Line, ...]:
    """What a seat did with its list, or what became of a line of it."""
    match event:
        case ev.OrderAdded() | ev.ListWritten():
            return (_written(event, after),)
        case ev.OrderRefused() | ev.OrderReduced():
            return (_failed(event, after),)
        case ev.ListSealed() | ev.ListUnsealed() | ev.Conceded():
            return (_sealed(event, after),)


def _written(event: ev.OrderAdded | ev.ListWritten, after: View) -> Line:
    """A line was written, or the whole list. Rules: GD-LIST-1, GD-LIST-2."""
    match event:
        case ev.OrderAdded():
            number = len(after.players[event.seat].orders)
            text = f"Line {number}: {spelt(after, event.order)}"
            rule, at = RULES[type(event.order)], place_of(event.order)
            return replace(said(after, text, event.seat, rule, at), tone=Tone.QUIET)
        case ev.ListWritten():
            text = f"{called(after, event.seat)}: a list of {many(len(event.orders), 'line')} now"
            line = said(after, text, event.seat, "GD-LIST-1")
            return replace(line, tone=Tone.QUIET, group=f"list of {event.seat}")


def _failed(event: ev.OrderRefused | ev.OrderReduced, after: View) -> Line:
    """A line is not carried out, or not whole. Rules: GD-REFUSE-2, GD-BIND-1."""
    text = f"Line {event.place + 1}, {spelt(after, event.order)}"
    if isinstance(event, ev.OrderRefused):
        text, rule = f"{text}, is refused: {event.text}", event.rule or "GD-REFUSE-2"
    else:
        wanted = event.order.count if isinstance(event.order, Move) else event.kept
        text, rule = f"{text}: only {event.kept} of {wanted} are there to go", "GD-BIND-1"
    line = said(after, text, event.seat, rule, place_of(event.order))
    return replace(line, tone=Tone.BAD)


def _sealed(event: ev.ListSealed | ev.ListUnsealed | ev.Conceded, after: View) -> Line:
    """What everybody may know of a list. Rules: GD-LIST-3, GD-LIST-4, GD-END-6."""
    seat = called(after, event.seat)
    match event:
        case ev.ListSealed():
            return said(after, f"{seat} has sealed", event.seat, "GD-LIST-3")
        case ev.ListUnsealed():
            return said(after, f"{seat} takes the list up again", event.seat, "GD-LIST-4")
        case ev.Conceded():
            text = f"{seat} gives up and leaves when the next turn opens"
            return replace(said(after, text, event.seat, "GD-END-6"), tone=Tone.STRONG)
