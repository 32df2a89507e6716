"""Events of rounds, turns, money and treaties, and the end of the game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.strategic import events as ev
from engine.strategic.picture.context import PictureContext
from engine.strategic.picture.words import (
    FACTS,
    TELLERS,
    joined,
    mood,
    nothing,
    say,
    side_name,
)
from engine.strategic.refusal import Topic
from engine.strategic.world import GameEnd
from engine.tabletop.board import NOBODY as NO_SEAT
from engine.tabletop.board import Line
from engine.tabletop.fact import Fact
from engine.tabletop.roles import Tone


@TELLERS.on(ev.RoundBegan)
def _tell_round_began(event: ev.RoundBegan, context: PictureContext) -> Iterator[Line]:
    names = ", then ".join(side_name(context, side) for side in event.order)
    yield say(context, f"Round {event.turn}: {names}", "round", tone=Tone.TITLE)


@FACTS.on(ev.RoundBegan)
def _round_facts(event: ev.RoundBegan, *_: PictureContext) -> Iterator[Fact]:
    yield Fact("round", target=f"round {event.turn}", amount=event.turn)


@TELLERS.on(ev.TurnBegan)
def _tell_turn_began(event: ev.TurnBegan, context: PictureContext) -> Iterator[Line]:
    text = f"It is the turn of {side_name(context, event.side)}"
    yield say(context, text, "turn", event.side, tone=Tone.TITLE)


@FACTS.on(ev.TurnBegan)
def _turn_facts(event: ev.TurnBegan, *_: PictureContext) -> Iterator[Fact]:
    yield Fact("phase", event.side, target="turn")


TELLERS.on(ev.GroundSighted, ev.StageSet, ev.PointsRefilled)(nothing)


@TELLERS.on(ev.IncomeCame)
def _tell_income(event: ev.IncomeCame, context: PictureContext) -> Iterator[Line]:
    text = f"{event.income} gold came in, upkeep took {event.upkeep}; {event.gold} gold now"
    tone = Tone.BAD if event.gold == 0 else Tone.NORMAL
    yield say(context, text, "economy", event.side, tone=tone)


@FACTS.on(ev.IncomeCame)
def _income_facts(event: ev.IncomeCame, *_: PictureContext) -> Iterator[Fact]:
    yield Fact("other", event.side, target="income", amount=event.income - event.upkeep)


@TELLERS.on(ev.StanceSet)
def _tell_stances(event: ev.StanceSet, context: PictureContext) -> Iterator[Line]:
    rows = context.world.sides
    wanted = [
        f"{context.style.stances[stance]} with {side_name(context, other)}"
        for other, stance in enumerate(event.stances)
        if other != event.side and other in rows and rows[other].alive
    ]
    if wanted:
        text = f"{side_name(context, event.side)} wants {joined(wanted)}"
        yield say(context, text, "stance", event.side, tone=Tone.QUIET)


@TELLERS.on(ev.TreatyChanged)
def _tell_treaty(event: ev.TreatyChanged, context: PictureContext) -> Iterator[Line]:
    one, other = event.sides
    text = f"{side_name(context, one.id)} and {side_name(context, other.id)} are"
    text += f" {context.style.treaties[event.treaty]} now"
    if event.betrayal:
        text = f"Treachery of {side_name(context, one.id)}: {text}"
    topic: Topic = "betrayal" if event.betrayal else "treaty"
    tone = Tone.STRONG if context.viewer in {one.id, other.id} else Tone.NORMAL
    yield say(context, text, topic, one.id, tone=tone)


@FACTS.on(ev.TreatyChanged)
def _treaty_facts(event: ev.TreatyChanged, *_: PictureContext) -> Iterator[Fact]:
    one, other = event.sides
    yield Fact("other", one.id, other.id, target="treachery" if event.betrayal else "treaty")


@TELLERS.on(ev.RatingChanged)
def _tell_rating(event: ev.RatingChanged, context: PictureContext) -> Iterator[Line]:
    text = f"{side_name(context, event.side)} is thought worse of: {event.rating} now"
    yield say(context, text, "betrayal", event.side, tone=Tone.QUIET)


@TELLERS.on(ev.FightOrderSet)
def _tell_line_set(event: ev.FightOrderSet, context: PictureContext) -> Iterator[Line]:
    text = f"{side_name(context, event.side)} has another line of battle"
    yield say(context, text, "order", event.side, tone=Tone.QUIET)


@TELLERS.on(ev.SideOut)
def _tell_side_out(event: ev.SideOut, context: PictureContext) -> Iterator[Line]:
    who = side_name(context, event.side.id)
    text = f"{who} gave up" if event.resigned else f"{who} has no city left and is out of the game"
    topic: Topic = "resign" if event.resigned else "round"
    tone = mood(context, -1, event.side.id)
    yield say(context, text, topic, event.side.id, tone=tone if tone is Tone.BAD else Tone.STRONG)


@FACTS.on(ev.SideOut)
def _out_facts(event: ev.SideOut, *_: PictureContext) -> Iterator[Fact]:
    yield Fact("other", event.side.id, target="gave up" if event.resigned else "out of the game")


_ENDINGS: Final[dict[GameEnd, str]] = {
    "conquest": "All others are beaten",
    "surrender": "The others surrendered",
    "humans_out": "No human player is left",
    "all_out": "Nobody is left",
}


@TELLERS.on(ev.GameEnded)
def _tell_ended(event: ev.GameEnded, context: PictureContext) -> Iterator[Line]:
    yield from ending(context, event.winners, event.reason)


@FACTS.on(ev.GameEnded)
def _ended_facts(event: ev.GameEnded, *_: PictureContext) -> Iterator[Fact]:
    for side in event.winners or (NO_SEAT,):
        yield Fact("end", side, target=event.reason.replace("_", " "))


def ending(context: PictureContext, winners: tuple[int, ...], reason: GameEnd) -> Iterator[Line]:
    """Reason for the end of the game, and its winners."""
    seat = winners[0] if winners else None
    yield say(context, _ENDINGS[reason], "victory", tone=Tone.STRONG)
    names = joined([side_name(context, side) for side in winners])
    verb = "has" if len(winners) < 2 else "have"
    text = f"{names} {verb} won" if names else "Nobody has won"
    if seat is None:
        yield say(context, text, "victory", tone=Tone.TITLE)
    else:
        yield say(context, text, "victory", seat, tone=Tone.TITLE)
    if context.world.origin:
        seed, _, drawn = context.world.origin.partition(" ")
        text = f"The hidden map came from seed {seed} and {drawn}, drawn at the beginning"
        yield say(context, text, "fog", tone=Tone.QUIET)


def opening_facts(context: PictureContext) -> tuple[Fact, ...]:
    """Facts of the event that sets up a game: the round, and whose turn it is."""
    seat = (
        context.actor if not context.is_over and context.actor in context.world.sides else NO_SEAT
    )
    turn = context.world.turn
    return Fact("round", target=f"round {turn}", amount=turn), Fact("phase", seat, target="turn")
