"""Narration: sentences, facts and losses, registered by type of event; lists, turns, the end.

Handlers receive an event as redacted for the viewer, so they cannot reveal more than the viewer may
know. ``narration_phases`` and ``narration_fights`` register the events of phases and of fights.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from engine.core.record import Event, replace
from engine.rulesets.gd6 import commands as do
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.commands import place_of
from engine.rulesets.gd6.state import Squad, UnitCounts, View
from engine.rulesets.gd6.summaries import ending, introduction, turn
from engine.rulesets.gd6.words import (
    ITEMS,
    ORDER_RULES,
    PHASES,
    article,
    called,
    joined,
    land,
    many,
    said,
    sentence,
    several,
    spelt,
    spot,
)
from engine.tabletop.board import NOBODY, Line
from engine.tabletop.fact import GAVE_UP, Fact, LossRow
from engine.tabletop.narration import EventWords, Narration, Phrase, fill
from engine.tabletop.roles import Tone

NARRATION: Final = Narration[View, View]()
"""Sentences from the view after an event; facts and losses from the view before it."""

tells, facts, losses, fact = NARRATION.tells, NARRATION.facts, NARRATION.losses, NARRATION.fact


# -- simple sentences ------------------------------------------------------------------------------

_WORDS: Final[EventWords[View]] = {
    "seat": called,
    "at": land,
    "units": lambda _, units: several(units),
    "item": lambda _, item: ITEMS[item],
    "phase": lambda _, phase: PHASES[phase],
    "grown": lambda _, grown: len(grown),
    "bought": lambda _, event: article(event.item),
    "now": lambda _, event: now(event.armies, event.count),
}


def now(armies: int, count: int) -> str:
    """Return the words for how many armies are in a place now; empty if just ``count`` arrived."""
    return f", {armies} there now" if armies != count else ""


def _say(phrase: Phrase, event: Any, after: View) -> Line:
    text = fill(phrase.text, event, _WORDS, after)
    seat, at = getattr(event, "seat", NOBODY), getattr(event, "at", 0)
    return said(after, text, seat, phrase.rule, at, tone=phrase.tone)


_PHRASES: Final[Mapping[type[Event], Phrase]] = {
    ev.ListSealed: Phrase("{seat} seals its orders", "GD-LIST-3"),
    ev.ListUnsealed: Phrase("{seat} changes its orders again", "GD-LIST-4"),
    ev.Conceded: Phrase("{seat} gives up and leaves next turn", "GD-END-6", Tone.STRONG),
    ev.PhaseBegan: Phrase("{phase}", "GD-TURN-1", Tone.STRONG),
    ev.HqBuilt: Phrase("{seat} builds its headquarters at {at}", "GD-HQ-1", Tone.STRONG),
    ev.Spawned: Phrase("{seat} raises {count:army/armies} at {at}{now}", "GD-SPAWN-5"),
    ev.ConstructBuilt: Phrase("{seat} builds a {construct} at {at}", "GD-BUILD-1"),
    ev.MinesLaid: Phrase("{seat} lays {count:mine} at {at}", "GD-MINE-1"),
    ev.IpPaid: Phrase("{seat} pays {amount} IP, {left} left", "GD-BUILD-2", Tone.QUIET),
    ev.ItemSpent: Phrase("{seat} has {left} {item} left", "GD-ITEM-4", Tone.QUIET),
    ev.ItemBought: Phrase("{seat} buys {bought}, {stock} in stock", "GD-BUY-1"),
    ev.StepStarted: Phrase("Step {step}: all march at once", "GD-STEP-1", Tone.STRONG),
    ev.LoyaltyGrown: Phrase(
        "Loyalty +1 in {grown:territory/territories}", "GD-FINAL-2", Tone.QUIET
    ),
    ev.Disbanded: Phrase("{seat} disbands {units} at {at}", "GD-END-6"),
}
"""Sentences of events that need no more than their own fields."""

NARRATION.phrases(_say, _PHRASES)
NARRATION.silent(ev.MovementEnded)


# -- facts and losses ------------------------------------------------------------------------------


def flying_to(view: View, at: int) -> list[Squad]:
    """Return the squads in flight to a territory that the viewer sees."""
    squads = view.squads.values()
    return [squad for squad in squads if squad.flying and squad.path[squad.hop + 1] == at]


def unit_losses(  # noqa: PLR0913 - a row of a table
    view: View,
    seat: int,
    dead: UnitCounts,
    cause: str,
    at: int,
    rule: str,
    *,
    other: int = NOBODY,
) -> Iterator[LossRow]:
    """Yield one row for the units that a seat lost at a territory, or none if it lost nothing.

    ``other`` is the seat that caused the loss.
    """
    if any(dead):
        row = place_loss(view, seat, several(dead), cause, at, rule, other=other)
        yield replace(row, pieces=sum(dead))


def place_loss(  # noqa: PLR0913 - a row of a table
    view: View, seat: int, lost: str, cause: str, at: int, rule: str, *, other: int = NOBODY
) -> LossRow:
    """Return a row for a territory, or a construct on it, that a seat lost to another."""
    foe = NOBODY if other == seat else other
    return LossRow(seat, lost, cause, 0, foe, land(view, at), spot(view, at), rule)


# -- lists -----------------------------------------------------------------------------------------


@tells(ev.OrderAdded)
def _added(event: ev.OrderAdded, after: View) -> Line:
    """See: GD-LIST-1."""
    text = f"Order {len(after.players[event.seat].orders)}: {spelt(after, event.order)}"
    rule, at = ORDER_RULES[type(event.order)], place_of(event.order)
    return said(after, text, event.seat, rule, at, tone=Tone.QUIET)


@facts(ev.OrderAdded)
def _order(event: ev.OrderAdded, before: View) -> Fact:
    """Return the fact of a new line in a list; only its own seat sees it. See: GD-SECRET-2."""
    seat, order = event.seat, event.order
    here, kind = spot(before, place_of(order)), type(order).__name__.lower()
    match order:
        case do.Move():
            goal = spot(before, order.path[-1]) if order.path else None
            return Fact("order", seat, at=goal, source=here, piece=order.unit, amount=order.count)
        case do.Spawn() | do.Promote() | do.LayMines():
            return Fact("order", seat, at=here, target=kind, amount=order.count)
        case _:
            return Fact("order", seat, at=here, target=kind)


@tells(ev.ListWritten)
def _written(event: ev.ListWritten, after: View) -> Line:
    """See: GD-LIST-2."""
    text = f"{called(after, event.seat)} has {many(len(event.orders), 'order')} now"
    line = said(after, text, event.seat, "GD-LIST-1", tone=Tone.QUIET)
    return replace(line, group=f"list of {event.seat}")


@facts(ev.ListWritten)
def _list(event: ev.ListWritten, _before: View) -> Fact:
    return Fact("order", event.seat, target="list", amount=len(event.orders))


@tells(ev.OrderRefused)
def _refused(event: ev.OrderRefused, after: View) -> Line:
    text = f"Refused: {spelt(after, event.order)}. {event.text}"
    rule = event.rule or "GD-REFUSE-2"
    return said(after, text, event.seat, rule, place_of(event.order), tone=Tone.BAD)


@tells(ev.OrderReduced)
def _reduced(event: ev.OrderReduced, after: View) -> Line:
    wanted = event.order.count if isinstance(event.order, do.Move) else event.kept
    text = f"Only {event.kept} of {wanted} can go: {spelt(after, event.order)}"
    return said(after, text, event.seat, "GD-BIND-1", place_of(event.order), tone=Tone.BAD)


fact(ev.Conceded, lambda event, _: Fact("other", event.seat, target=GAVE_UP))


# -- turns and the end -----------------------------------------------------------------------------

_OUT: Final = {
    "no_land": ("loses its last land and is out", "GD-END-1"),
    "no_site": ("finds no site to settle and is out", "GD-HQ-7"),
    "conceded": ("has given up and is out", "GD-END-6"),
}


tells(ev.GameStarted)(lambda _, after: introduction(after))


def _turn_begins(number: int) -> tuple[Fact, ...]:
    """See: GD-TURN-1."""
    begun = Fact("round", target=f"turn {number}", amount=number)
    return begun, Fact("phase", target="Orders")


fact(ev.GameStarted, lambda event, _: _turn_begins(event.scenario.turn))
fact(ev.TurnOpened, lambda event, _: _turn_begins(event.turn))
fact(ev.PhaseBegan, lambda event, _: Fact("phase", target=PHASES[event.phase]))


@tells(ev.TurnClosed)
def _closed(event: ev.TurnClosed, after: View) -> Iterator[Line]:
    """Announce the execution; name the seats that did not seal. See: GD-LIST-3, GD-LIST-5."""
    text = f"The orders of turn {event.turn} are carried out."
    yield Line(text, Tone.TITLE, rule="GD-LIST-3")
    if event.idle:
        idle = joined([called(after, seat) for seat in event.idle])
        verb = "gives" if len(event.idle) == 1 else "give"
        text = sentence(f"{idle} {verb} no orders")
        yield Line(text, Tone.QUIET, rule="GD-LIST-5")


@tells(ev.TurnOpened)
def _opened(event: ev.TurnOpened, after: View) -> Iterator[Line]:
    """Announce the turn, and how many territories the viewer owns in it. See: GD-TURN-2."""
    yield Line(f"{turn(after)}.", Tone.TITLE, rule="GD-TURN-2")
    seat = after.viewer
    lands = next((count for who, count, _, _ in event.owned if who == seat), 0)
    if lands:
        have = many(lands, "territory", "territories")
        yield said(after, f"{called(after, seat)} owns {have}", seat, "GD-TURN-2")


@tells(ev.Eliminated)
def _out(event: ev.Eliminated, after: View) -> Line:
    text, rule = _OUT[event.why]
    text = f"{called(after, event.seat)} {text}"
    return said(after, text, event.seat, rule, tone=Tone.STRONG)


@facts(ev.Eliminated)
def _out_fact(event: ev.Eliminated, _before: View) -> Fact:
    return Fact("other", event.seat, target=event.why.replace("_", " "))


tells(ev.GameOver)(lambda _, after: ending(after))


@facts(ev.GameOver)
def _end(event: ev.GameOver, _before: View) -> Iterator[Fact]:
    why = event.reason.replace("_", " ")
    return (Fact("end", seat, target=why) for seat in event.winners or (NOBODY,))
