"""Turns that close and open, phases, who is out and who has won, in sentences."""

from __future__ import annotations

from typing import Final

from engine.core.record import replace
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.state import View
from engine.rulesets.gd6.summaries import ending, turn
from engine.rulesets.gd6.words import PHASES, called, joined, many, said, sentence
from engine.tabletop.board import Line
from engine.tabletop.roles import Tone

_OUT: Final = {
    "no_land": ("owns no land any more and is out", "GD-END-1"),
    "no_site": ("finds no site to settle any more and is out", "GD-HQ-7"),
    "conceded": ("has given up and is out", "GD-END-6"),
}


def told_of_turn(
    event: ev.TurnClosed | ev.TurnOpened | ev.PhaseBegan | ev.Eliminated | ev.GameOver, after: View
) -> tuple[Line, ...]:
    """A turn, a phase or the game begins or ends."""
    match event:
        case ev.TurnClosed():
            return _closed(event, after)
        case ev.TurnOpened():
            return _opened(event, after)
        case ev.PhaseBegan():
            return (Line(f"{PHASES[event.phase]}.", Tone.STRONG, rule="GD-TURN-1"),)
        case ev.Eliminated():
            text, rule = _OUT[event.why]
            line = said(after, f"{called(after, event.seat)} {text}", event.seat, rule)
            return (replace(line, tone=Tone.STRONG),)
        case ev.GameOver():
            return ending(after)


def _closed(event: ev.TurnClosed, after: View) -> tuple[Line, ...]:
    """All lists are carried out but those that were not sealed. Rules: GD-LIST-3, GD-LIST-5."""
    text = f"All lists of turn {event.turn} are carried out."
    lines = [Line(text, Tone.TITLE, rule="GD-LIST-3")]
    if event.idle:
        idle = joined([called(after, seat) for seat in event.idle])
        verb = "has" if len(event.idle) == 1 else "have"
        text = sentence(f"{idle} {verb} sealed no list, so nothing is done for them")
        lines.append(Line(text, Tone.QUIET, rule="GD-LIST-5"))
    return tuple(lines)


def _opened(event: ev.TurnOpened, after: View) -> tuple[Line, ...]:
    """The turn, and what the viewer owns in it. Rules: GD-TURN-2."""
    lines = [Line(f"{turn(after)}.", Tone.TITLE, rule="GD-TURN-2")]
    seat = after.viewer
    lands = next((count for who, count, _, _ in event.owned if who == seat), 0)
    if lands:
        have = many(lands, "territory", "territories")
        lines.append(said(after, f"{called(after, seat)} owns {have}", seat, "GD-TURN-2"))
    return tuple(lines)
