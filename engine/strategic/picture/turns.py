"""Events of rounds, turns, money and treaties, and the end of the game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.strategic import events as ev
from engine.strategic.picture.context import NARRATION, PictureContext, fact, facts, tells
from engine.strategic.picture.words import MINUS
from engine.strategic.pieces import NOBODY
from engine.strategic.refusal import Topic
from engine.strategic.world import GameEnd
from engine.tabletop.board import NOBODY as NO_SEAT
from engine.tabletop.board import Line
from engine.tabletop.english import joined
from engine.tabletop.fact import GAVE_UP, Fact
from engine.tabletop.narration import mood
from engine.tabletop.roles import Tone


@tells(ev.RoundBegan)
def _tell_round_began(event: ev.RoundBegan, context: PictureContext) -> Iterator[Line]:
    names = ", ".join(context.side_name(side) for side in event.order)
    yield context.say(f"Round {event.turn}: {names}", "round", tone=Tone.TITLE)


fact(ev.RoundBegan, lambda event, *_: round_fact(event.turn))


@tells(ev.TurnBegan)
def _tell_turn_began(event: ev.TurnBegan, context: PictureContext) -> Iterator[Line]:
    name = context.side_name(event.side)
    text = f"Your turn, {name}" if event.side == context.viewer else f"{name}'s turn"
    yield context.say(text, "turn", event.side, tone=Tone.TITLE)


fact(ev.TurnBegan, lambda event, *_: Fact("phase", event.side, target="turn"))


NARRATION.silent(ev.GroundSighted, ev.StageSet, ev.PointsRefilled)


@tells(ev.IncomeCame)
def _tell_income(event: ev.IncomeCame, context: PictureContext) -> Iterator[Line]:
    text = f"Income {event.income:+,}, upkeep {MINUS}{event.upkeep:,}, treasury {event.gold:,}"
    tone = Tone.BAD if event.gold == 0 else Tone.NORMAL
    yield context.say(text, "economy", event.side, tone=tone)


@facts(ev.IncomeCame)
def _income_fact(event: ev.IncomeCame, *_: PictureContext) -> Fact:
    return Fact("other", event.side, target="income", amount=event.income - event.upkeep)


@tells(ev.StanceSet)
def _tell_stances(event: ev.StanceSet, context: PictureContext) -> Iterator[Line]:
    rows = context.world.sides
    wanted = [
        f"{context.style.stances[stance]} with {context.side_name(other)}"
        for other, stance in enumerate(event.stances)
        if other != event.side and other in rows and rows[other].alive
    ]
    if wanted:
        text = f"{context.side_name(event.side)} wants {joined(wanted)}"
        yield context.say(text, "stance", event.side, tone=Tone.QUIET)


@tells(ev.TreatyChanged)
def _tell_treaty(event: ev.TreatyChanged, context: PictureContext) -> Iterator[Line]:
    one, other = event.sides
    names = f"{context.side_name(one.id)} and {context.side_name(other.id)}"
    text = f"{names} are now {context.style.treaties[event.treaty]}"
    if event.betrayal:
        text = f"{context.side_name(one.id)} breaks the treaty: {text}"
    topic: Topic = "betrayal" if event.betrayal else "treaty"
    tone = Tone.STRONG if context.viewer in {one.id, other.id} else Tone.NORMAL
    yield context.say(text, topic, one.id, tone=tone)


@facts(ev.TreatyChanged)
def _treaty_facts(event: ev.TreatyChanged, *_: PictureContext) -> Iterator[Fact]:
    one, other = event.sides
    yield Fact("other", one.id, other.id, target="treachery" if event.betrayal else "treaty")


@tells(ev.RatingChanged)
def _tell_rating(event: ev.RatingChanged, context: PictureContext) -> Iterator[Line]:
    text = f"The reputation of {context.side_name(event.side)} is now {event.rating}"
    yield context.say(text, "betrayal", event.side, tone=Tone.QUIET)


@tells(ev.FightOrderSet)
def _tell_line_set(event: ev.FightOrderSet, context: PictureContext) -> Iterator[Line]:
    text = f"{context.side_name(event.side)} changes its line of battle"
    yield context.say(text, "order", event.side, tone=Tone.QUIET)


@tells(ev.SideOut)
def _tell_side_out(event: ev.SideOut, context: PictureContext) -> Iterator[Line]:
    who = context.side_name(event.side.id)
    text = f"{who} gives up" if event.resigned else f"{who} loses its last city and is out"
    if event.stranded:
        text += ": no way leads to any enemy"
    topic: Topic = "resign" if event.resigned else "round"
    tone = mood(context, NO_SEAT, event.side.id, Tone.STRONG)
    yield context.say(text, topic, event.side.id, tone=tone)


@facts(ev.SideOut)
def _out_facts(event: ev.SideOut, *_: PictureContext) -> Iterator[Fact]:
    gone = GAVE_UP if event.resigned else "out of the game"
    why = ": no way led to any enemy" if event.stranded else ""
    yield Fact("other", event.side.id, target=gone + why)


_ENDINGS: Final[dict[GameEnd, str]] = {
    "conquest": "No enemy is left",
    "surrender": "The other sides surrender",
    "humans_out": "Only computers are left",
    "all_out": "Nobody is left",
}


@tells(ev.GameEnded)
def _tell_ended(event: ev.GameEnded, context: PictureContext) -> Iterator[Line]:
    yield from ending(context, event.winners, event.reason)


@facts(ev.GameEnded)
def _ended_facts(event: ev.GameEnded, *_: PictureContext) -> Iterator[Fact]:
    for side in event.winners or (NO_SEAT,):
        yield Fact("end", side, target=event.reason.replace("_", " "))


def ending(context: PictureContext, winners: tuple[int, ...], reason: GameEnd) -> Iterator[Line]:
    """Yield the reason for the end of the game, and its winners."""
    seat = winners[0] if winners else NOBODY
    yield context.say(_ENDINGS[reason], "victory", tone=Tone.STRONG)
    names = joined([context.side_name(side) for side in winners])
    verb = "wins" if len(winners) < 2 else "win"
    text = f"{names} {verb} the war" if names else "Nobody wins"
    yield context.say(text, "victory", seat, tone=Tone.TITLE)
    if context.world.origin:
        seed, _, drawn = context.world.origin.partition(" ")
        text = f"The hidden map was drawn from seed {seed} and {drawn}"
        yield context.say(text, "fog", tone=Tone.QUIET)


def opening_facts(context: PictureContext) -> tuple[Fact, ...]:
    """Return the facts of the event that sets up a game: the round, and the side to act."""
    acts = not context.is_over and context.actor in context.world.sides
    phase = Fact("phase", context.actor if acts else NO_SEAT, target="turn")
    return round_fact(context.world.turn), phase


def round_fact(turn: int) -> Fact:
    """Return the fact that a round has begun."""
    return Fact("round", target=f"round {turn}", amount=turn)
